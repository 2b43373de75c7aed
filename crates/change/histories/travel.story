kind sites
media text/html
<!DOCTYPE html>
<html class="govuk-template govuk-template--rebranded" lang="en">
<head><meta charset="utf-8"><title>Entry requirements and warnings - Kestria travel advice</title>
<meta name="csrf-token" content="{csrf}">
<link rel="stylesheet" href="/assets/frontend/application-{hash}.css" integrity="sha256-{hash}">
<meta name="govuk:content-id" content="7c2d1a0e-12fb-4e08-9d3c-aa10c0ffee01"><meta name="govuk:updated-at" content="{hash}"></head>
<body class="govuk-template__body {jscls}">
<div id="global-cookie-message" class="gem-c-cookie-banner govuk-cookie-banner" role="region" data-nosnippet="" {cookieattr}><div class="govuk-cookie-banner__message govuk-width-container"><h2 class="govuk-cookie-banner__heading govuk-heading-m">Cookies on this service</h2><div class="govuk-cookie-banner__content"><p class="govuk-body">We use some essential cookies to make this website work. We'd like to set additional cookies to understand how you use the site.</p></div><div class="govuk-button-group"><button class="gem-c-button govuk-button">Accept additional cookies</button><button class="gem-c-button govuk-button">Reject additional cookies</button><a class="govuk-link" href="/help/cookies">View cookies</a></div></div></div>
<a class="gem-c-skip-link govuk-skip-link" href="#content">Skip to main content</a>
<header role="banner" class="gem-c-layout-super-navigation-header"><div class="govuk-width-container"><div class="header-logo"><a class="govuk-header__link" href="/">Home</a></div><nav aria-labelledby="super-navigation-menu-heading"><h2 id="super-navigation-menu-heading" class="govuk-visually-hidden">Navigation menu</h2><ul class="gem-c-layout-super-navigation-header__navigation-second-items"><li><a class="govuk-link" href="/browse/benefits">Benefits</a></li><li><a class="govuk-link" href="/browse/births-deaths-marriages">Births, death, marriages and care</a></li><li><a class="govuk-link" href="/browse/business">Business and self-employed</a></li><li><a class="govuk-link" href="/browse/citizenship">Citizenship and living abroad</a></li><li><a class="govuk-link" href="/browse/driving">Driving and transport</a></li><li><a class="govuk-link" href="/browse/education">Education and learning</a></li><li><a class="govuk-link" href="/browse/abroad">Passports, travel and living abroad</a></li><li><a class="govuk-link" href="/browse/visas-immigration">Visas and immigration</a></li>{menuextra}</ul></nav><form class="gem-c-search" action="/search"><input type="search" name="keywords" placeholder="Search"><button>Search</button></form></div></header>
{globalbar}
<div id="wrapper" class="govuk-width-container">
<div class="gem-c-breadcrumbs govuk-breadcrumbs"><ol class="govuk-breadcrumbs__list"><li class="govuk-breadcrumbs__list-item"><a class="govuk-breadcrumbs__link" href="/">Home</a></li><li class="govuk-breadcrumbs__list-item"><a class="govuk-breadcrumbs__link" href="/browse/abroad">Passports, travel and living abroad</a></li><li class="govuk-breadcrumbs__list-item"><a class="govuk-breadcrumbs__link" href="/foreign-travel-advice">Foreign travel advice</a></li></ol></div>
<main role="main" id="content" class="travel-advice" lang="en">
<div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds">
<span class="govuk-caption-xl">Foreign travel advice</span><h1 class="gem-c-heading govuk-heading-xl">Kestria</h1>
<nav role="navigation" class="gem-c-contents-list"><h2 class="gem-c-contents-list__title">Contents</h2><ol class="gem-c-contents-list__list"><li class="gem-c-contents-list__list-item--active">Warnings and entry requirements</li><li><a class="govuk-link" href="/foreign-travel-advice/kestria/safety-and-security">Safety and security</a></li><li><a class="govuk-link" href="/foreign-travel-advice/kestria/regional-risks">Regional risks</a></li><li><a class="govuk-link" href="/foreign-travel-advice/kestria/health">Health</a></li><li><a class="govuk-link" href="/foreign-travel-advice/kestria/getting-help">Getting help</a></li></ol></nav>
<dl class="gem-c-metadata"><dt>Still current at:</dt><dd>{current}</dd><dt>Updated:</dt><dd>{updated}</dd><dt>Latest update:</dt><dd>{latest}</dd></dl>
<div class="gem-c-govspeak govuk-govspeak">
<h2>Warnings</h2>
<div class="call-to-action"><p>{warning}</p></div>
{protests}
<p>You should also read our advice on <a class="govuk-link" href="/foreign-travel-advice/kestria/regional-risks">regional risks</a>. Your travel insurance could be invalidated if you travel against this advice.</p>
<h2>Entry requirements</h2>
<h3>Passport validity</h3>
<p>To enter Kestria, your passport must have an expiry date at least {validity} after the date you arrive and at least 1 blank page.</p>
<h3>Visa requirements</h3>
<p>{visa}</p>
<table><thead><tr><th scope="col">Crossing</th><th scope="col">Open to foreigners</th><th scope="col">Hours</th></tr></thead><tbody><tr><td>Orlec (road)</td><td>{orlec}</td><td>{orlechours}</td></tr><tr><td>Port Samil (ferry)</td><td>Yes</td><td>7am to 7pm</td></tr><tr><td>Belgrad Pass (rail)</td><td>{pass}</td><td>By timetable</td></tr></tbody></table>
<h3>Vaccination requirements</h3>
<p>{vaccine}</p>
<h3>Taking money into Kestria</h3>
<p>Declare cash or travellers cheques if the value is {cash} or more. You will get a certified declaration to show you brought it in with you.</p>
<h2>Contact</h2>
<p>British Embassy Samil, telephone: {phone}. Lines are open 24 hours.</p>
</div>
<div class="gem-c-print-link"><button class="govuk-link">Print this page</button></div>
<nav class="govuk-pagination govuk-pagination--block"><a class="govuk-link govuk-pagination__link" href="/foreign-travel-advice/kestria/safety-and-security">Next: Safety and security</a></nav>
</div>
<div class="govuk-grid-column-one-third"><div class="gem-c-contextual-sidebar"><div class="gem-c-subscription-links"><a class="govuk-link" href="/foreign-travel-advice/kestria/email-signup">Get emails about this page</a></div><nav class="gem-c-related-navigation"><h2 class="gem-c-related-navigation__main-heading">Related content</h2><ul>{related}</ul></nav><h3 class="gem-c-related-navigation__sub-heading">Explore the topic</h3><ul><li><a href="/browse/abroad/travel-abroad">Travel abroad</a></li></ul></div></div>
</div></main>
<div class="gem-c-feedback govuk-!-display-none-print"><h2>{feedback}</h2><button>Yes</button><button>No</button><button>Report a problem with this page</button><input type="hidden" name="authenticity_token" value="{csrf}"></div>
</div>
<footer class="gem-c-layout-footer govuk-footer" role="contentinfo"><div class="govuk-width-container"><div class="govuk-footer__navigation"><div class="govuk-footer__section"><h2>Topics</h2><ul><li><a href="/browse/benefits">Benefits</a></li><li><a href="/browse/driving">Driving and transport</a></li><li><a href="/browse/tax">Money and tax</a></li></ul></div><div class="govuk-footer__section"><h2>Government activity</h2><ul><li><a href="/government/organisations">Departments</a></li><li><a href="/search/news-and-communications">News</a></li><li><a href="/search/guidance-and-regulation">Guidance and regulation</a></li></ul></div></div><div class="govuk-footer__meta"><ul class="govuk-footer__inline-list"><li><a href="/help">Help</a></li><li><a href="/help/privacy-notice">Privacy</a></li><li><a href="/help/cookies">Cookies</a></li><li><a href="/help/accessibility-statement">Accessibility statement</a></li><li><a href="/contact">Contact</a></li>{footlink}</ul><span>All content is available under the Open Government Licence v3.0, except where otherwise stated</span> <a href="/crown">© Crown copyright</a></div></div></footer>
<script src="/assets/frontend/application-{hash}.js" type="module"></script></body></html>
-- looks --
first csrf="pX9{n}aaQ" hash="4be{n}12c7" jscls="" cookieattr="" menuextra="" globalbar="" current="2 March 2026" updated="18 February 2026" latest="Information about changes to customs rules ('Entry requirements' page)." warning="FCDO advises against all but essential travel to within 10km of the border with Tarvia." protests="<p>Large demonstrations are planned in Samil on Saturdays. Avoid the area around Parliament Square between midday and 8pm.</p>" validity="3 months" visa="You can visit Kestria without a visa for up to 90 days in any 180-day period." orlec="Yes" orlechours="6am to midnight" pass="Yes" vaccine="At least 8 weeks before your trip, check the vaccinations and vaccine certificates you need on TravelHealthPro." cash="10,000 euros" phone="+389 2 555 0140" related="<li class='gem-c-related-navigation__link'><a class='govuk-link' href='/guidance/foreign-travel-checklist'>Foreign travel checklist</a></li><li class='gem-c-related-navigation__link'><a class='govuk-link' href='/passport-rules'>Passport rules for travel to Europe</a></li><li class='gem-c-related-navigation__link'><a class='govuk-link' href='/driving-abroad'>Driving abroad</a></li>" feedback="Is this page useful?" footlink=""
noise current="3 March 2026"
noise current="4 March 2026" globalbar="<div class='gem-c-intervention' role='region'><p>Help improve this website. <a class='govuk-link' href='https://surveys.example/s/{n}'>Sign up to take part in user research (opens in a new tab)</a></p><button>Hide this suggestion</button></div>"
wanted current="5 March 2026" validity="6 months" updated="5 March 2026" latest="Updated information on passport validity ('Entry requirements' page)."
equal csrf="Lm2{n}b0Z" hash="91d{n}af30" jscls="govuk-frontend-supported js-enabled" cookieattr="data-module='cookie-banner'"
noise current="6 March 2026" related="<li class='gem-c-related-navigation__link'><a class='govuk-link' href='/global-health-insurance-card'>Apply for a UK Global Health Insurance Card</a></li><li class='gem-c-related-navigation__link'><a class='govuk-link' href='/guidance/foreign-travel-checklist'>Foreign travel checklist</a></li><li class='gem-c-related-navigation__link'><a class='govuk-link' href='/passport-rules'>Passport rules for travel to Europe</a></li><li class='gem-c-related-navigation__link'><a class='govuk-link' href='/driving-abroad'>Driving abroad</a></li>"
wanted current="7 March 2026" orlechours="8am to 6pm"
wanted current="9 March 2026" protests="" updated="9 March 2026" latest="Removal of information about demonstrations in Samil ('Warnings' section)."
noise current="10 March 2026" globalbar="" menuextra="<li><a class='govuk-link' href='/browse/digital-wallet'>Digital wallet</a></li>"
wanted current="10 March 2026" pass="No"
broken page="<!DOCTYPE html><html lang='en'><head><title>Sorry, we're experiencing technical difficulties</title></head><body><header><a href='/'>Home</a></header><main id='content'><h1>Sorry, we're experiencing technical difficulties</h1><p>Please try again in a few moments.</p><p>Status code: 503</p></main><footer>© Crown copyright</footer></body></html>"
noise current="12 March 2026" feedback="Was this page useful?" footlink="<li><a href='/help/terms-conditions'>Terms and conditions</a></li>"
wanted current="13 March 2026" updated="13 March 2026" latest="FCDO now advises against all travel to within 20km of the border with Tarvia." warning="FCDO advises against all travel to within 20km of the border with Tarvia."
noise current="14 March 2026" related="<li class='gem-c-related-navigation__link'><a class='govuk-link' href='/guidance/foreign-travel-checklist'>Foreign travel checklist</a></li><li class='gem-c-related-navigation__link'><a class='govuk-link' href='/global-health-insurance-card'>Apply for a UK Global Health Insurance Card</a></li><li class='gem-c-related-navigation__link'><a class='govuk-link' href='/driving-abroad'>Driving abroad</a></li>"
wanted current="15 March 2026" phone="+389 2 555 0199"
wanted current="16 March 2026" visa="You cannot visit Kestria without a visa. Apply online at least 10 days before you travel." updated="16 March 2026" latest="Information on new visa rules ('Entry requirements' page)."
