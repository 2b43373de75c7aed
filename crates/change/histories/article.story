kind sites
media text/html
<!DOCTYPE html>
<html lang="en-GB" class="no-js">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hollow Bridge closure - Ashcombe Herald</title>
<meta name="generator" content="WordPress 6.4.3">
<link rel="stylesheet" id="wp-block-library-css" href="https://www.ashcombeherald.example/wp-includes/css/dist/block-library/style.min.css?ver={ver}" media="all">
<link rel="stylesheet" id="herald-style-css" href="https://www.ashcombeherald.example/wp-content/themes/herald/style.css?ver={ver}" media="all">
<script src="https://www.ashcombeherald.example/wp-includes/js/jquery/jquery.min.js?ver=3.7.1" id="jquery-core-js"></script>
</head>
<body class="post-template-default single single-post postid-48213 single-format-standard wp-custom-logo has-sidebar {bodycls}">
<a class="skip-link screen-reader-text" href="#content">Skip to content</a>
<div id="page" class="site">
<div class="top-bar"><div class="container">
<span class="top-date">{today}</span>
<span class="top-weather"><img src="/wp-content/themes/herald/img/w.svg" alt=""> Ashcombe {weather}</span>
<ul class="top-social"><li><a href="https://facebook.com/ashcombeherald">Facebook</a></li><li><a href="https://x.com/ashcombeherald">X</a></li><li><a href="https://instagram.com/ashcombeherald">Instagram</a></li></ul>
<a class="subscribe" href="/subscribe/">Subscribe</a> <a href="/wp-login.php?redirect_to=%2Fnews%2Fhollow-bridge&amp;_wpnonce={nonce}">Log in</a>
</div></div>
<header id="masthead" class="site-header">
<div class="site-branding"><a href="/" class="custom-logo-link" rel="home"><img class="custom-logo" src="/wp-content/uploads/2022/05/herald.png" alt="Ashcombe Herald" width="320" height="60"></a>
<p class="site-description">Serving Ashcombe, Nether Wick and the Marl valley since 1871</p></div>
<nav id="site-navigation" class="main-navigation"><ul id="primary-menu" class="menu">
<li id="menu-item-11" class="menu-item current-menu-item"><a href="/news/">News</a></li>
<li id="menu-item-12" class="menu-item"><a href="/crime/">Crime</a></li>
<li id="menu-item-13" class="menu-item"><a href="/sport/">Sport</a></li>
<li id="menu-item-14" class="menu-item"><a href="/business/">Business</a></li>
<li id="menu-item-15" class="menu-item"><a href="/whats-on/">What's on</a></li>
<li id="menu-item-16" class="menu-item"><a href="/nostalgia/">Nostalgia</a></li>
<li id="menu-item-17" class="menu-item"><a href="/letters/">Letters</a></li>
<li id="menu-item-18" class="menu-item"><a href="/obituaries/">Obituaries</a></li>
<li id="menu-item-19" class="menu-item"><a href="/jobs/">Jobs</a></li>
<li id="menu-item-20" class="menu-item"><a href="/public-notices/">Public notices</a></li>
</ul></nav>
</header>
<div class="breaking-ticker"><strong>Trending:</strong> {ticker}</div>
<div id="content" class="site-content container">
<div class="yoast-breadcrumb"><span><a href="/">Home</a> &raquo; <a href="/news/">News</a> &raquo; <a href="/news/transport/">Transport</a> &raquo; <span class="breadcrumb_last">Hollow Bridge</span></span></div>
<div id="primary" class="content-area"><main id="main" class="site-main">
<article id="post-48213" class="post-48213 post type-post status-publish format-standard has-post-thumbnail hentry category-news tag-hollow-bridge">
<header class="entry-header">
<span class="cat-links"><a href="/news/transport/" rel="category tag">Transport</a></span>
<h1 class="entry-title">{headline}</h1>
<div class="entry-meta"><span class="byline">By <a class="url fn n" href="/author/ruth-penhale/">Ruth Penhale</a></span> <span class="posted-on"><time class="entry-date published">3rd March 2026</time></span> <span class="updated">Last updated: {updated}</span> <span class="post-views"><i class="icon-eye"></i> {views} views</span> <span class="comments-link"><a href="#comments">{comments}</a></span></div>
</header>
<figure class="post-thumbnail"><img src="/wp-content/uploads/2026/03/hollow-bridge-1024x683.jpg" alt="Hollow Bridge seen from the towpath" width="1024" height="683"><figcaption class="wp-caption-text">Hollow Bridge was last strengthened in 1988. Picture: Ian Moss</figcaption></figure>
<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3><ul><li><a href="?share=facebook&amp;nb=1">Facebook</a></li><li><a href="?share=x&amp;nb=1">X</a></li><li><a href="?share=email&amp;nb=1">Email</a></li><li class="share-total">{shares}</li></ul></div>
<div class="entry-content">
{correction}
<p class="lead"><strong>{lead}</strong></p>
<p>Marlshire County Council said the 140-year-old crossing, which carries the B3217 over the Marl, will shut to all vehicles from {from} while its deck is replaced. Pedestrians and cyclists will be able to use a temporary footbridge.</p>
<div class="herald-ad herald-ad-mpu" id="herald-{adid}"><span class="ad-label">Advertisement</span>{ad}</div>
<p>The work, which will be carried out by contractor Dunmore Civil, is expected to cost {cost}. Two thirds of the money comes from a government fund for rural roads.</p>
<p>{buses}</p>
{quote}
<p>Cllr Harriet Lyle, cabinet member for highways, said: "We know that this will be a nuisance, but the bridge has reached the end of its life. Doing nothing would mean a weight limit by the autumn."</p>
<p>A public drop-in about the work will be held at {dropin}.</p>
<aside class="inline-related"><h4>Read more</h4><ul>{inline}</ul></aside>
<p>Drivers are advised to use the A388 through Nether Wick. The signed diversion is 11 miles long.</p>
</div>
<footer class="entry-footer"><span class="tags-links">Tags: <a href="/tag/hollow-bridge/">Hollow Bridge</a>, <a href="/tag/roadworks/">Roadworks</a>, <a href="/tag/marlshire-council/">Marlshire County Council</a></span></footer>
</article>
<nav class="navigation post-navigation"><div class="nav-previous"><a href="/news/allotments/">Allotment rents frozen for second year</a></div><div class="nav-next">{nextpost}</div></nav>
<section id="related-posts" class="jp-relatedposts"><h3 class="jp-relatedposts-headline"><em>You might also like</em></h3><div class="jp-items">{related}</div></section>
<div id="comments" class="comments-area"><h2 class="comments-title">{comments}</h2><p class="must-log-in">You must be <a href="/wp-login.php">logged in</a> to post a comment.</p></div>
</main></div>
<aside id="secondary" class="widget-area">
<section id="herald_popular-2" class="widget widget_popular"><h2 class="widget-title">Most read</h2><ol>{most}</ol></section>
<section id="text-7" class="widget widget_text"><h2 class="widget-title">Get the Herald by email</h2><div class="textwidget"><p>Five stories, every weekday at seven.</p><form action="/newsletter" method="post"><input type="hidden" name="_wpnonce" value="{nonce}"><input type="email" placeholder="Your email"><button>Sign up</button></form></div></section>
<section id="herald_jobs-3" class="widget widget_jobs"><h2 class="widget-title">Local jobs</h2><ul>{jobs}</ul></section>
</aside>
</div>
<footer id="colophon" class="site-footer"><div class="footer-widgets"><ul class="menu"><li><a href="/about/">About us</a></li><li><a href="/contact/">Contact the newsroom</a></li><li><a href="/advertise/">Advertise</a></li><li><a href="/complaints/">Complaints and corrections</a></li><li><a href="/privacy/">Privacy policy</a></li><li><a href="/cookies/">Cookie policy</a></li><li><a href="/terms/">Terms</a></li></ul></div>
<div class="site-info">This newspaper adheres to the Editors' Code of Practice. &copy; 2001-2026 Marl Valley Newspapers Ltd. Registered in England 0412887.</div></footer>
</div>
<div id="cookie-law-info-bar"><span>We and our {partners} partners store cookies to run this site and to show advertising that fits your interests. <a role="button" class="cli_action_button">Accept</a> <a role="button">Settings</a> <a href="/cookies/">Read more</a></span></div>
<!-- Page cached by WP Super Cache, token {nonce} -->
<script src="/wp-content/plugins/herald-stats/stats.js?ver={ver}" id="herald-stats-js"></script>
</body></html>
-- looks --
first ver="6.4.3" bodycls="wp-6a" today="Tuesday, March 3, 2026" weather="9°C, light rain" nonce="a71f{n}c09e" ticker="<a href='/tag/a388/'>A388 crash</a> | <a href='/tag/ashcombe-town/'>Ashcombe Town FC</a>" headline="Hollow Bridge to close for 14 weeks" updated="3rd March, 10:12am" views="312" comments="3 Comments" shares="18 shares" correction="" lead="One of the two road crossings of the Marl will be closed for 14 weeks this spring, it has been confirmed." from="Monday, March 9" adid="{n}" ad="<a href='https://ads.example/c/1'>Conservatories from £4,999 – Marl Windows</a>" cost="£2.3 million" buses="Bus routes 14 and 86 will be diverted through Nether Wick, and school transport will run as normal." quote="<p>Shopkeepers in Bridge Street have called for business rates to be cut while the bridge is shut. Mary Toole, who runs the hardware shop, said she expected to lose a third of her trade.</p><p>Farmers said the diversion would add 40 minutes to every trip to the grain store.</p>" dropin="Ashcombe Corn Hall on Thursday, March 5, from 4pm to 7pm" inline="<li><a href='/news/a388/'>Two hurt in A388 crash near garden centre</a></li><li><a href='/news/swan/'>Swan holds up traffic for an hour</a></li>" nextpost="<a href='/news/swan/'>Swan holds up traffic for an hour</a>" related="<p class='jp-relatedposts-post'><a href='/news/weir/' rel='nofollow'>Weir repairs finished early</a> <span>12th January 2026</span></p><p class='jp-relatedposts-post'><a href='/news/potholes/' rel='nofollow'>Where are the worst potholes in Marlshire?</a> <span>20th February 2026</span></p>" most="<li><a href='/news/chip-shop/'>Chip shop fined after mouse found in fryer store</a></li><li><a href='/news/lotto/'>Nether Wick couple win £1m and buy a caravan</a></li><li><a href='/news/a388/'>Two hurt in A388 crash near garden centre</a></li><li><a href='/news/swan/'>Swan holds up traffic for an hour</a></li><li><a href='/news/cinema/'>Old Regal cinema goes back on the market</a></li>" jobs="<li><a href='/jobs/771'>Baker, Ashcombe</a></li><li><a href='/jobs/768'>HGV fitter, Wick Cross</a></li>" partners="148"
noise views="1,026" comments="17 Comments" shares="64 shares" most="<li><a href='/news/chip-shop/'>Chip shop fined after mouse found in fryer store</a></li><li><a href='/news/hollow-bridge/'>Hollow Bridge to close for 14 weeks</a></li><li><a href='/news/lotto/'>Nether Wick couple win £1m and buy a caravan</a></li><li><a href='/news/a388/'>Two hurt in A388 crash near garden centre</a></li><li><a href='/news/swan/'>Swan holds up traffic for an hour</a></li>" weather="10°C, cloudy"
wanted from="Monday, March 16" updated="3rd March, 12:40pm" views="1,877" comments="29 Comments" shares="97 shares"
noise views="2,340" comments="41 Comments" shares="131 shares" most="<li><a href='/news/hollow-bridge/'>Hollow Bridge to close for 14 weeks</a></li><li><a href='/news/chip-shop/'>Chip shop fined after mouse found in fryer store</a></li><li><a href='/news/lotto/'>Nether Wick couple win £1m and buy a caravan</a></li><li><a href='/news/cinema/'>Old Regal cinema goes back on the market</a></li><li><a href='/news/a388/'>Two hurt in A388 crash near garden centre</a></li>" ad="<a href='https://ads.example/c/2'>Spring sale now on at Wick Garden Centre. Up to 40% off</a>" nextpost="<a href='/news/regal/'>Old Regal cinema goes back on the market</a>"
wanted correction="<p class='correction'><em>Correction: an earlier version of this article said that the footbridge would be closed at night. It will be open at all hours.</em></p>" views="2,611" comments="44 Comments" updated="3rd March, 3:05pm"
noise related="<p class='jp-relatedposts-post'><a href='/news/a388-speed/' rel='nofollow'>Speed cameras for A388 approved</a> <span>1st March 2026</span></p><p class='jp-relatedposts-post'><a href='/news/weir/' rel='nofollow'>Weir repairs finished early</a> <span>12th January 2026</span></p><p class='jp-relatedposts-post'><a href='/news/ferry/' rel='nofollow'>When the Marl had a ferry</a> <span>8th August 2024</span></p>" inline="<li><a href='/news/cinema/'>Old Regal cinema goes back on the market</a></li><li><a href='/news/lotto/'>Nether Wick couple win £1m and buy a caravan</a></li>" ticker="<a href='/tag/regal/'>Regal cinema</a> | <a href='/tag/lottery/'>Lottery winners</a>" views="3,018" comments="52 Comments"
equal ver="6.5" bodycls="wp-6b is-cached" nonce="0be4{n}77d1"
wanted quote="<p>Farmers said the diversion would add 40 minutes to every trip to the grain store.</p>" views="3,155" comments="53 Comments" shares="160 shares"
noise today="Wednesday, March 4, 2026" weather="6°C, fog" updated="4th March, 6:00am" views="3,402" most="<li><a href='/news/lotto/'>Nether Wick couple win £1m and buy a caravan</a></li><li><a href='/news/cinema/'>Old Regal cinema goes back on the market</a></li><li><a href='/news/hollow-bridge/'>Hollow Bridge to close for 14 weeks</a></li><li><a href='/news/swan/'>Swan holds up traffic for an hour</a></li><li><a href='/news/chip-shop/'>Chip shop fined after mouse found in fryer store</a></li>"
wanted buses="Bus routes 14 and 86 will not be diverted through Nether Wick, and school transport will run as normal." updated="4th March, 9:31am" views="3,730" comments="60 Comments"
broken page="<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><div class='main-wrapper'><h1>www.ashcombeherald.example</h1><h2>Checking that you are human. This may take a few seconds.</h2><p>www.ashcombeherald.example needs to review the security of your connection before proceeding.</p><div class='ray-id'>Ray ID: <code>8d1c{n}fe0a</code></div></div></body></html>"
noise jobs="<li><a href='/jobs/780'>Teaching assistant, Ashcombe Primary</a></li><li><a href='/jobs/771'>Baker, Ashcombe</a></li><li><a href='/jobs/779'>Night porter, Corn Hall</a></li>" partners="151" views="3,961" comments="61 Comments" most="<li><a href='/news/cinema/'>Old Regal cinema goes back on the market</a></li><li><a href='/news/lotto/'>Nether Wick couple win £1m and buy a caravan</a></li><li><a href='/news/hollow-bridge/'>Hollow Bridge to close for 14 weeks</a></li><li><a href='/news/chip-shop/'>Chip shop fined after mouse found in fryer store</a></li><li><a href='/news/swan/'>Swan holds up traffic for an hour</a></li>"
wanted cost="£2.8 million" updated="4th March, 2:15pm" views="4,120"
wanted dropin="Ashcombe Corn Hall on Thursday, March 5, from 5pm to 7pm" views="4,199" comments="63 Comments"
noise today="Thursday, March 5, 2026" weather="8°C, sunny spells" comments="64 Comments" views="4,377" most="<li><a href='/news/swan/'>Swan holds up traffic for an hour</a></li><li><a href='/news/cinema/'>Old Regal cinema goes back on the market</a></li><li><a href='/news/lotto/'>Nether Wick couple win £1m and buy a caravan</a></li><li><a href='/news/a388/'>Two hurt in A388 crash near garden centre</a></li><li><a href='/news/hollow-bridge/'>Hollow Bridge to close for 14 weeks</a></li>" ad="<a href='https://ads.example/c/3'>Compare funeral plans</a>"
wanted headline="Hollow Bridge closure put off until summer" lead="The closure of one of the two road crossings of the Marl has been put off until after the school year, the council has announced." from="Monday, July 27" updated="5th March, 5:50pm" comments="90 Comments" views="6,018" most="<li><a href='/news/hollow-bridge/'>Hollow Bridge closure put off until summer</a></li><li><a href='/news/cinema/'>Old Regal cinema goes back on the market</a></li><li><a href='/news/lotto/'>Nether Wick couple win £1m and buy a caravan</a></li><li><a href='/news/a388/'>Two hurt in A388 crash near garden centre</a></li><li><a href='/news/swan/'>Swan holds up traffic for an hour</a></li>"
