kind sites-2
media text/html
<!DOCTYPE html>
<html lang="en" class="govuk-template"><head><meta charset="utf-8"><title>Review of heat network price rules - Office for Heat and Cooling</title><meta name="govuk:content-id" content="{cid}"></head>
<body class="govuk-template__body"><script>document.body.className+=" js-enabled r{n}";</script>
<div id="global-cookie-message" class="gem-c-cookie-banner" data-nosnippet="">{cookie}</div>
<a href="#content" class="govuk-skip-link">Skip to main content</a>
<header role="banner" class="layout-header"><div class="govuk-header__logo"><a href="/">Office for Heat and Cooling</a></div><ul class="govuk-header__navigation"><li><a href="/about">About us</a></li><li><a href="/networks">Heat networks</a></li><li><a href="/consumers">Consumers</a></li><li><a href="/licences">Licences</a></li><li><a href="/data">Data</a></li><li><a href="/publications">Publications</a></li><li><a href="/consultations">Consultations</a></li><li><a href="/careers">Careers</a></li><li><a href="/contact">Contact us</a></li></ul></header>
<div class="emergency-banner">{banner}</div>
<div class="govuk-breadcrumbs"><ol><li><a href="/">Home</a></li><li><a href="/publications">Publications</a></li><li><a href="/consultations">Consultations</a></li></ol></div>
<div class="govuk-width-container"><main id="content" class="govuk-main-wrapper"><div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds">
<span class="govuk-caption-xl">{status}</span>
<h1 class="gem-c-title">Review of heat network price rules</h1>
<div class="gem-c-metadata"><dl><dt>From:</dt><dd><a href="/teams/prices">Price Regulation Team</a></dd><dt>Published</dt><dd>12 January 2026</dd><dt>Reference</dt><dd>OHC/2026/04</dd></dl></div>
<div class="gem-c-summary-banner"><h2>Summary</h2><p>We want your views on how the price of heat should be controlled where a building has only one supplier.</p><p>{closes}</p><p class="countdown">{left}</p></div>
{outcome}
<h2>Consultation description</h2>
<div class="govspeak"><p>About half a million homes are warmed by a heat network. Unlike the customers of gas and electricity suppliers, most of them cannot move to another supplier. In 2024 Parliament gave us the power to set rules on the prices that heat networks may charge.</p>
<p>This consultation puts forward {options} options: a benchmark based on the cost of an individual heat pump, and a limit on the return that a network may earn. It also asks how small networks, with fewer than {small} connections, should be treated.</p>
{para}
<p>We propose that the rules apply from {apply}. Contracts signed before that date would be brought under them when they are renewed.</p></div>
<h2>Documents</h2>
<div class="attachments">{docs}</div>
<h2>Ways to respond</h2>
<p>Respond online using our form, or e-mail the completed template to {mail}. If you cannot use the form, write to: Price Regulation Team, Office for Heat and Cooling, 3 Boiler Row, Leeds LS1 0AA.</p>
<p><a class="govuk-button" href="https://respond.example/ohc-2026-04?sess={sess}">Respond online</a></p>
<h2>Events</h2>
<table class="govuk-table"><thead><tr><th>Event</th><th>Date</th><th>Place</th></tr></thead><tbody><tr><td>Webinar for suppliers</td><td>{web}</td><td>Online</td></tr><tr><td>Residents’ evening</td><td>18 February 2026</td><td>{place}</td></tr></tbody></table>
<div class="gem-c-share-links">Share this page <a href="https://facebook.example/sharer?r={n}">Facebook</a> <a href="https://x.example/share?r={n}">X</a> {shares}</div>
</div>
<div class="govuk-grid-column-one-third"><div class="gem-c-contextual-sidebar"><h2>Related content</h2><ul>{related}</ul></div><div class="gem-c-box"><h2>Get updates</h2><p>{subs}</p><a href="/email/ohc-2026-04?t={sess}">Get e-mails about this page</a></div><div class="gem-c-box"><h2>Latest from us</h2>{latest}</div></div></div></main>
<div class="gem-c-feedback">{feedback}</div></div>
<footer class="govuk-footer"><ul><li><a href="/help">Help</a></li><li><a href="/privacy">Privacy</a></li><li><a href="/cookies">Cookies</a></li><li><a href="/accessibility">Accessibility statement</a></li><li><a href="/foi">Freedom of information</a></li><li><a href="https://linkedin.example/ohc">LinkedIn</a></li><li><a href="https://x.example/ohc">X</a></li></ul><p>{licence}</p></footer></body></html>
-- looks --
first cid="6f1e-01" cookie="<h2>Cookies on this site</h2><p>We use some essential cookies to make this website work.</p><button>Accept additional cookies</button><button>Reject additional cookies</button>" banner="" status="Open consultation" closes="This consultation closes at 5pm on 6 March 2026" left="53 days left to respond" outcome="" options="two" small="20" para="<p>Networks run by residents themselves would be exempt for the first three years.</p>" apply="1 April 2027" docs="<section class='gem-c-attachment'><h3><a href='/media/65a1/heat-price-rules.pdf'>Heat network price rules: consultation document</a></h3><p>PDF, 1.1 MB, 64 pages</p></section><section class='gem-c-attachment'><h3><a href='/media/65a2/impact.pdf'>Impact assessment</a></h3><p>PDF, 480 KB, 31 pages</p></section><section class='gem-c-attachment'><h3><a href='/media/65a3/template.odt'>Response template</a></h3><p>ODT, 22 KB</p></section>" mail="price.rules@ohc.example" sess="aa01" web="4 February 2026" place="Town Hall, Leeds" shares="41 shares" related="<li><a href='/r/1'>Heat network registration</a></li><li><a href='/r/2'>Guide to fair pricing</a></li><li><a href='/r/3'>Metering rules</a></li>" subs="1,204 people get updates about this topic" latest="<p><a href='/n/90'>New chair appointed</a></p><p><a href='/n/89'>Annual report laid</a></p>" feedback="Is this page useful? <button>Yes</button> <button>No</button>" licence="All content is available under the Open Licence v3.0 © Crown copyright"
noise left="51 days left to respond" shares="44 shares" subs="1,219 people get updates about this topic" latest="<p><a href='/n/91'>Cold snap: advice for customers</a></p><p><a href='/n/90'>New chair appointed</a></p>"
wanted web="11 February 2026" left="45 days left to respond"
noise cookie="<p>You have not chosen yet. We would like to set additional cookies to understand how you use this site.</p><button>Yes</button><button>No</button>" banner="Help improve this site: <a href='/research'>take part in user research</a>" left="40 days left to respond" related="<li><a href='/r/3'>Metering rules</a></li><li><a href='/r/1'>Heat network registration</a></li><li><a href='/r/2'>Guide to fair pricing</a></li>"
wanted docs="<section class='gem-c-attachment'><h3><a href='/media/65a1/heat-price-rules.pdf'>Heat network price rules: consultation document</a></h3><p>PDF, 1.1 MB, 64 pages</p></section><section class='gem-c-attachment'><h3><a href='/media/65a2/impact.pdf'>Impact assessment</a></h3><p>PDF, 480 KB, 31 pages</p></section><section class='gem-c-attachment'><h3><a href='/media/66c0/impact-annex-b.pdf'>Impact assessment: annex B</a></h3><p>PDF, 96 KB, 7 pages</p></section><section class='gem-c-attachment'><h3><a href='/media/65a3/template.odt'>Response template</a></h3><p>ODT, 22 KB</p></section>" left="33 days left to respond" subs="1,260 people get updates about this topic"
equal cid="6f1e-02" sess="bd77" mail="<a class='govuk-link' href='mailto:price.rules@ohc.example?subject=OHC-2026-04'>price.rules@ohc.example</a>" place="<!--venue-->Town&#x20;Hall, Leeds"
wanted closes="This consultation closes at 5pm on 20 March 2026" left="29 days left to respond" shares="77 shares"
noise left="22 days left to respond" latest="<p><a href='/n/94'>Price cap statistics, winter</a></p><p><a href='/n/93'>Speech by the chief executive</a></p>" feedback="What were you doing on this page? <a href='/survey?p=04'>Tell us in two questions</a>" banner=""
wanted para="" left="16 days left to respond"
noise shares="91 shares" subs="1,311 people get updates about this topic" left="9 days left to respond" licence="All content is available under the Open Licence v3.0, except where otherwise stated © Crown copyright" related="<li><a href='/r/1'>Heat network registration</a></li><li><a href='/r/5'>Complaints handling standards</a></li><li><a href='/r/3'>Metering rules</a></li>"
broken page="<!DOCTYPE html><html lang='en-US'><head><title>Just a moment...</title><meta name='robots' content='noindex,nofollow'></head><body><div class='main-wrapper'><h1>www.ohc.example</h1><h2>Verifying you are human. This may take a few seconds.</h2><p>www.ohc.example needs to review the security of your connection before proceeding.</p><div id='challenge'></div><p>Ray ID: 8f1c22ab9d01</p></div></body></html>"
wanted status="Closed consultation" closes="This consultation ran until 5pm on 20 March 2026" left="" latest="<p><a href='/n/96'>Licence fees for 2026 to 2027</a></p><p><a href='/n/95'>Board minutes, February</a></p>"
noise feedback="Is this page useful? <button>Yes</button> <button>No</button> <button>Report a problem</button>" subs="1,340 people get updates about this topic" shares="96 shares" cookie="<h2>Cookies on this site</h2><p>We use some essential cookies to make this website work.</p><button>Accept additional cookies</button><button>Reject additional cookies</button>"
wanted apply="1 October 2027" shares="98 shares"
wanted outcome="<p>We are analysing your feedback. We expect to publish our decision in July 2026.</p>" latest="<p><a href='/n/99'>Our new office in Leeds</a></p><p><a href='/n/96'>Licence fees for 2026 to 2027</a></p>"
