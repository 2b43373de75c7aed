kind sites-3
media text/html
<!DOCTYPE html>
<html lang="en" dir="ltr" prefix="og: https://ogp.me/ns#">
<head>
<meta charset="utf-8" /><meta name="Generator" content="Drupal 10 (https://www.drupal.org)" /><meta name="MobileOptimized" content="width" /><meta name="HandheldFriendly" content="true" />
<link rel="canonical" href="https://www.cedarflat.example/water/restrictions" />
<title>Watering Restrictions | City of Cedar Flat</title>
<link rel="stylesheet" media="all" href="/sites/default/files/css/css_{css}.css?delta=0&amp;language=en&amp;theme=cedarflat" />
</head>
<body class="path-node page-node-type-page">
<a href="#main-content" class="visually-hidden focusable skip-link">Skip to main content</a>
<div class="dialog-off-canvas-main-canvas" data-off-canvas-main-canvas>
<div class="alert-bar region-alert">{alert}</div>
<header class="site-header" role="banner"><div id="block-cedarflat-branding" class="block block-system block-system-branding-block"><a href="/" rel="home"><img src="/themes/custom/cedarflat/logo.svg" alt="Home" /></a></div><div class="block weather-block">{weather}</div>
<nav role="navigation" aria-labelledby="block-mainnav-menu" id="block-mainnav" class="block block-menu navigation menu--main"><h2 class="visually-hidden" id="block-mainnav-menu">Main navigation</h2><ul class="menu"><li class="menu-item"><a href="/residents" data-drupal-link-system-path="node/4">Residents</a></li><li class="menu-item"><a href="/business" data-drupal-link-system-path="node/5">Business</a></li><li class="menu-item menu-item--active-trail"><a href="/water" data-drupal-link-system-path="node/31">Water</a></li><li class="menu-item"><a href="/parks" data-drupal-link-system-path="node/8">Parks &amp; Recreation</a></li><li class="menu-item"><a href="/government" data-drupal-link-system-path="node/6">Government</a></li></ul></nav></header>
<main role="main"><a id="main-content" tabindex="-1"></a>
<div class="layout-content"><div class="region region-content"><div data-drupal-messages-fallback class="hidden"></div>
<div id="block-pagetitle" class="block block-core block-page-title-block"><h1 class="page-title"><span class="field field--name-title">Watering Restrictions</span></h1></div>
<article class="node node--type-page node--view-mode-full" data-history-node-id="{nid}"><div class="node__content"><div class="clearfix text-formatted field field--name-body">
<p class="stage">The City of Cedar Flat is currently in <strong>{stage}</strong>. {since}</p>
<h2>When may I water?</h2>
<table class="table"><thead><tr><th>Address</th><th>Days</th><th>Hours</th></tr></thead><tbody><tr><td>Even street numbers</td><td>{even}</td><td>{hours}</td></tr><tr><td>Odd street numbers</td><td>{odd}</td><td>{hours}</td></tr><tr><td>Commercial and HOA</td><td>{comm}</td><td>10 p.m. – 5 a.m.</td></tr></tbody></table>
<h2>Also in force</h2>
<ul><li>No watering within 48 hours of measurable rain.</li><li>{pool}</li><li>{carwash}</li><li>Hand watering with a shut-off nozzle {hand}.</li>{extra}</ul>
<h2>Fines</h2>
<p>First violation: written warning. Second violation: ${fine}. Third and further violations: $250. Appeals must be filed within {appeal} days.</p>
<h2>Variances</h2>
<p>New lawns may be granted a 21-day variance. {variance} Questions: <a href="mailto:conserve@cedarflat.example">conserve@cedarflat.example</a> or 555-0142.</p>
</div></div><div class="field--name-changed">{changed}</div></article>
<div class="block helpful">{helpful}</div>
</div></div>
<aside class="layout-sidebar-second" role="complementary"><div class="region region-sidebar-second"><div class="views-element-container block block-views block-views-blockevents-block-1"><h2>Upcoming Events</h2><div class="view view-events js-view-dom-id-{dom}"><div class="views-row">{ev1}</div><div class="views-row">{ev2}</div><div class="views-row">{ev3}</div></div></div>
<div class="block block-block-content tip"><h2>Water-wise tip</h2><p>{tip}</p></div>
<div class="block social"><h2>From our Facebook page</h2><p>{fb}</p></div></div></aside>
</main>
<footer role="contentinfo"><div class="region region-footer"><p>City of Cedar Flat, 100 Main Street. City Hall is open Monday–Thursday 7:30 a.m. – 5:30 p.m.</p><nav role="navigation" class="menu--footer"><ul class="menu"><li><a href="/accessibility">Accessibility</a></li><li><a href="/jobs">Jobs</a></li><li><a href="/records">Public Records</a></li></ul></nav><div class="gtranslate">{gt}</div><p>{copy}</p></div></footer>
</div>
<script src="/sites/default/files/js/js_{css}.js?scope=footer"></script>
</body></html>
-- looks --
first css="Xk3Za9" alert="" weather="71° Sunny" nid="412" stage="Stage 1 (Voluntary)" since="Stage 1 has been in effect since April 6." even="Any day" odd="Any day" hours="6 p.m. – 10 a.m." comm="Any day" pool="Pools may be filled." carwash="Washing vehicles at home is allowed with a bucket or a shut-off nozzle." hand="is allowed at any time" extra="" fine="75" appeal="15" variance="Apply at least 5 business days ahead." changed="Last updated: April 6, 2026" helpful="Was this page helpful? 41 of 52 people said yes" dom="7de1" ev1="Apr 22 – Planning Commission" ev2="Apr 25 – Arbor Day Tree Giveaway" ev3="Apr 28 – City Council" tip="Mulch keeps roots cool and soil moist." fb="Meet Biscuit, the newest K-9 of our police department! 214 likes" gt="Select Language" copy="© 2026 City of Cedar Flat. Website by CivicBrook."
noise weather="68° Partly Cloudy" ev1="Apr 25 – Arbor Day Tree Giveaway" ev2="Apr 28 – City Council" ev3="May 2 – Farmers Market Opening Day" tip="Check sprinkler heads every month for leaks." helpful="Was this page helpful? 44 of 56 people said yes"
equal css="Pq81Lm" dom="a09c" stage="Stage 1 (Voluntary)<!-- field_stage:1 -->"
noise weather="77° Sunny" alert="<div class='alert alert--info'>City offices will be closed Monday, May 25, for Memorial Day.</div>" ev1="May 26 – City Council" ev2="May 30 – Summer Reading Kickoff" ev3="Jun 4 – Concert in the Park" fb="Road crews are out on Elm Street this week. Drive safe! 57 likes"
wanted stage="Stage 2 (Mandatory)" since="Stage 2 takes effect on June 15." even="Sunday and Wednesday" odd="Saturday and Tuesday" comm="Monday and Thursday" alert="" weather="88° Sunny" changed="Last updated: June 9, 2026"
noise weather="91° Sunny" tip="A five-minute shower saves up to 20 gallons." ev1="Jun 18 – Concert in the Park" ev2="Jun 19 – Juneteenth Celebration" ev3="Jun 23 – City Council" fb="Splash pad is open! 409 likes" helpful="Was this page helpful? 118 of 160 people said yes" changed="Last updated: June 12, 2026"
wanted hours="8 p.m. – 8 a.m." weather="94° Hot" changed="Last updated: June 24, 2026" tip="Mulch keeps roots cool and soil moist."
noise alert="<div class='alert alert--info'>Take the 2026 Community Survey! <a href='/survey'>Tell us how we are doing</a></div>" weather="90° Haze" ev1="Jul 4 – Fireworks at Miller Field" ev2="Jul 9 – Concert in the Park" ev3="Jul 14 – City Council" fb="Thanks to all who came to Coffee with a Cop. 33 likes" gt="Select Language / Seleccionar idioma"
wanted pool="Pools may not be filled; topping up is allowed." weather="97° Sunny" changed="Last updated: July 8, 2026" ev1="Jul 9 – Concert in the Park" ev2="Jul 14 – City Council" ev3="Jul 18 – Library Book Sale"
wanted fine="150" weather="95° Sunny" changed="Last updated: July 15, 2026" helpful="Was this page helpful? 190 of 251 people said yes"
noise weather="99° Hot" tip="Run the dishwasher only when it is full." ev1="Jul 28 – City Council" ev2="Aug 1 – Back-to-School Fair" ev3="Aug 6 – Concert in the Park" helpful="Did you find what you were looking for? <button>Yes</button> <button>No</button>" fb="Pool party for dogs: August 15! 612 likes" copy="© 2026 City of Cedar Flat. All rights reserved. Website by CivicBrook." alert=""
wanted variance="No variances are being granted at this time." weather="93° Sunny" changed="Last updated: August 3, 2026"
noise weather="85° Thunderstorms" ev1="Aug 6 – Concert in the Park" ev2="Aug 11 – City Council" ev3="Aug 15 – Dog Pool Party" tip="Check sprinkler heads every month for leaks." fb="Congratulations to the Cedar Flat 12U softball team! 502 likes" changed="Last updated: August 4, 2026"
wanted extra="<li>Fountains and other ornamental water features must be turned off.</li>" weather="89° Sunny" ev1="Aug 11 – City Council" ev2="Aug 15 – Dog Pool Party" ev3="Aug 20 – Movie Night"
