kind sites-3
media text/html
<!DOCTYPE HTML>
<html lang="en-GB">
<head>
<meta charset="UTF-8"/><title>Everyday Account fees and charges | Tarn &amp; Vale Bank</title>
<meta name="template" content="content-page-template"/><meta name="viewport" content="width=device-width, initial-scale=1"/>
<link rel="stylesheet" href="/etc.clientlibs/tvb/clientlibs/clientlib-base.min.{lc}.css" type="text/css">
<meta name="csrf" content="{tok}"/>
</head>
<body class="page basicpage" id="page-{pid}" data-cmp-data-layer-enabled>
<div class="root responsivegrid"><div id="container-{pid}" class="cmp-container">
<header class="experiencefragment"><div class="cmp-experiencefragment cmp-experiencefragment--header"><div class="notice-strip">{strip}</div><div class="cmp-image logo"><a href="/"><img src="/content/dam/tvb/logo.svg" alt="Tarn &amp; Vale Bank"/></a></div><nav class="cmp-navigation" itemscope itemtype="http://schema.org/SiteNavigationElement"><ul class="cmp-navigation__group"><li class="cmp-navigation__item"><a class="cmp-navigation__item-link" href="/personal.html">Personal</a></li><li class="cmp-navigation__item"><a class="cmp-navigation__item-link" href="/business.html">Business</a></li><li class="cmp-navigation__item"><a class="cmp-navigation__item-link" href="/mortgages.html">Mortgages</a></li><li class="cmp-navigation__item"><a class="cmp-navigation__item-link" href="/investors.html">Investors</a></li></ul></nav><div class="shareprice">{share}</div><a class="cmp-button" href="https://online.tvb.example/login?ctx={tok}"><span class="cmp-button__text">{login}</span></a></div></header>
<main class="container responsivegrid"><div class="cmp-container">
<div class="breadcrumb"><nav class="cmp-breadcrumb" aria-label="Breadcrumb"><ol class="cmp-breadcrumb__list"><li class="cmp-breadcrumb__item"><a href="/personal.html">Personal</a></li><li class="cmp-breadcrumb__item"><a href="/accounts.html">Current accounts</a></li><li class="cmp-breadcrumb__item cmp-breadcrumb__item--active">Fees and charges</li></ol></nav></div>
<div class="title"><div class="cmp-title"><h1 class="cmp-title__text">Everyday Account: fees and charges</h1></div></div>
<div class="text"><div class="cmp-text"><p>These are our charges for the Everyday Account {eff}. You can also download our <a href="{pdf}">Fee Information Document (PDF)</a>.</p>{advance}</div></div>
<div class="table"><table class="cmp-table"><thead><tr><th scope="col">Service</th><th scope="col">Fee</th></tr></thead><tbody>
<tr><td>Maintaining the account</td><td>{monthly}</td></tr>
<tr><td>Sending money within the UK</td><td>Free</td></tr>
<tr><td>Sending money outside the UK</td><td>{swift}</td></tr>
<tr><td>Receiving money from outside the UK</td><td>{recv}</td></tr>
<tr><td>Cash withdrawal in a foreign currency outside the UK</td><td>{fx} of the amount{fxmin}</td></tr>
<tr><td>Debit card payment in a foreign currency</td><td>{card}</td></tr>
<tr><td>Refusing a payment due to lack of funds</td><td>Free</td></tr>
{chq}
</tbody></table></div>
<div class="title"><h2 class="cmp-title__text">Arranged overdrafts</h2></div>
<div class="text"><div class="cmp-text"><p>Interest is charged at <b>{ear}</b> EAR (variable). The first {buffer} of an arranged overdraft is free of interest. {unarr}</p></div></div>
<div class="accordion"><div class="cmp-accordion" id="accordion-{pid}"><div class="cmp-accordion__item"><h3 class="cmp-accordion__header">Can I be charged if my account is closed?</h3><div class="cmp-accordion__panel"><p>No. We will refund any monthly fee paid in advance.</p></div></div></div></div>
<div class="teaser promo"><div class="cmp-teaser"><h3 class="cmp-teaser__title">{t1}</h3><p>{t2}</p><a class="cmp-teaser__action-link" href="/offers.html">Find out more</a></div></div>
<div class="text rating">{fb}</div>
</div></main>
<aside class="help-rail"><div class="cmp-text"><h3>Need a hand?</h3><p>{wait}</p><p>{chat}</p></div></aside>
<footer class="experiencefragment"><div class="cmp-experiencefragment--footer"><div class="apps">{app}</div><ul class="cmp-list"><li><a href="/legal.html">Legal</a></li><li><a href="/privacy.html">Privacy</a></li><li><a href="/cookies.html">Cookies</a></li><li><a href="/complaints.html">Complaints</a></li></ul><p>Eligible deposits are protected up to {fscs} by the Financial Services Compensation Scheme.</p><p>{legal}</p></div></footer>
</div></div>
{consent}
</body></html>
-- looks --
first lc="lc-4e1a" tok="eyJa1" pid="c07a1" strip="" share="TVB.L 412.6p ▲ 0.4% (15 min delay)" login="Log in" eff="from 1 November 2025" pdf="/content/dam/tvb/pdf/fid-everyday-nov25.pdf" advance="" monthly="£3 a month" swift="£12 per payment" recv="£6 per payment" fx="2.75%" fxmin="" card="2.75% of the amount" chq="<tr><td>Banker’s draft</td><td>£15</td></tr>" ear="35.9%" buffer="£50" unarr="We do not charge for unarranged overdrafts." t1="Switch and get a little extra" t2="Our Regular Saver for switchers pays a welcome rate." fb="How useful was this page? ★ ★ ★ ★ ☆ 3.9 (128)" wait="Call 0800 555 0100. Current waiting time: about 4 minutes." chat="Chat with Valerie, our virtual assistant" app="Rated 4.7 in the App Store (21K ratings)" fscs="£85,000" legal="© Tarn &amp; Vale Bank plc 2025. Registered in England." consent="<div id='onetrust-banner-sdk'>We use cookies to give you a better experience. <button>Accept all</button> <button>Manage preferences</button></div>"
noise share="TVB.L 409.1p ▼ 0.8% (15 min delay)" wait="Call 0800 555 0100. Current waiting time: about 11 minutes." fb="How useful was this page? ★ ★ ★ ★ ☆ 3.9 (131)"
wanted recv="£2 for payments up to £100, otherwise £6" share="TVB.L 415.0p ▲ 1.4% (15 min delay)" wait="Call 0800 555 0100. Current waiting time: about 2 minutes."
equal lc="lc-90bd" tok="eyJb7" pid="c9e22" ear="<span data-rate='od-ear'>35.9%</span>"
noise strip="Be scam aware this Christmas: <a href='/fraud.html'>stop, think, check</a>" share="TVB.L 418.3p ▲ 0.2% (15 min delay)" t1="Planning for Christmas?" t2="Set up a savings pot in our app in two taps." wait="Call 0800 555 0100. Current waiting time: about 6 minutes." app="Rated 4.7 in the App Store (22K ratings)"
wanted advance="<p class='notice'><b>Our charges are changing on 2 March 2026.</b> <a href='/content/dam/tvb/pdf/changes-march26.pdf'>See what is changing</a>.</p>" share="TVB.L 421.9p ▲ 0.9% (15 min delay)"
noise share="TVB.L 420.4p ▼ 0.4% (15 min delay)" strip="" t1="New year, new start" t2="Get a mortgage decision in principle in 10 minutes." legal="© Tarn &amp; Vale Bank plc 2026. Registered in England." wait="Call 0800 555 0100. Current waiting time: about 19 minutes." fb="How useful was this page? ★ ★ ★ ★ ☆ 4.0 (144)"
noise share="TVB.L 404.2p ▲ 1.3% (15 min delay)" login="Log in or register" chat="Message us in the app, 24/7" wait="Call 0800 555 0100. Current waiting time: about 8 minutes." consent="<div id='onetrust-banner-sdk'>Your choice about cookies. <button>Accept all</button> <button>Reject all</button> <button>Manage preferences</button></div>"
wanted eff="from 2 March 2026" advance="" monthly="£4 a month" pdf="/content/dam/tvb/pdf/fid-everyday-mar26.pdf" share="TVB.L 411.5p ▲ 0.1% (15 min delay)"
noise share="TVB.L 413.0p ▲ 0.4% (15 min delay)" t1="Switch and get a little extra" t2="Our Regular Saver for switchers pays a welcome rate." app="Rated 4.6 in the App Store (23K ratings)" fb="Could you spare 2 minutes? <a href='/survey'>Take our survey</a>" wait="Call 0800 555 0100. Current waiting time: about 3 minutes."
wanted fxmin=", minimum £1.50" share="TVB.L 410.8p ▼ 0.5% (15 min delay)" wait="Call 0800 555 0100. Current waiting time: about 5 minutes."
wanted ear="39.9%" share="TVB.L 416.6p ▲ 1.4% (15 min delay)" strip="Our branches close at 1pm on Easter Saturday"
noise strip="" share="TVB.L 414.9p ▼ 0.4% (15 min delay)" fb="How useful was this page? ★ ★ ★ ★ ☆ 3.8 (161)" t1="Travelling this summer?" t2="Add travel cover from our partner." wait="Call 0800 555 0100. Current waiting time: about 7 minutes." legal="© Tarn &amp; Vale Bank plc 2026. Registered in England and Wales."
wanted chq="" share="TVB.L 417.2p ▲ 0.6% (15 min delay)" wait="Call 0800 555 0100. Current waiting time: about 4 minutes."
