kind sites-2
media text/html
<!doctype html><html lang="en-US" data-build="{build}"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/><title>Privacy Policy – Tidemark</title><link rel="preload" as="script" href="/_next/static/{build}/pages/legal.js"/></head><body><div id="__next"><div class="{cls}-root"><div class="{cls}-promo">{promo}</div><div class="{cls}-nav"><a href="/"><svg width="24" height="24"></svg>Tidemark</a><a href="/features">Features</a><a href="/premium">Premium</a><a href="/teams">Teams</a><a href="/blog">Blog</a><a href="/help">Help</a><a href="/download">Download</a><a href="/about">About</a><a href="/login?next=%2Fprivacy&amp;state=st{n}">Log in</a><a class="{cls}-cta" href="/signup?ref=p{n}">{cta}</a></div><div class="{cls}-crumbs"><a href="/">Tidemark</a><span>›</span><a href="/legal">Legal</a><span>›</span><span>Privacy Policy</span></div>
<div class="{cls}-grid"><div class="{cls}-toc"><div>On this page</div><a href="#what">What we collect</a><a href="#why">Why we use it</a><a href="#who">Who we share it with</a><a href="#long">How long we keep it</a><a href="#where">Where it is kept</a><a href="#rights">Your rights</a><a href="#kids">Children</a><a href="#contact">Contact</a><div class="{cls}-card">{card}</div></div>
<div class="{cls}-doc"><h1>Privacy Policy</h1><div class="{cls}-meta"><span>{effective}</span> <span>·</span> <span>{minutes}</span> <a href="/legal/archive">Earlier versions</a></div>
<p>Tidemark (“we”, “us”) makes an app that helps you note when and where you swim, surf or sail. This policy says what we learn about you when you use the app, the website and the shore stations of our partners, what we do with it, and what you can ask of us. It does not cover services that others run, even when you reach them through a link in the app.</p>
<h2 id="what">1. What we collect</h2>
<p>1.1 When you make an account we ask for an e-mail address, a display name and a year of birth. You may add a photograph, a home beach and the names of the people you swim with; none of these is needed to use the app.</p>
<p>1.2 When you record a session we store its start and end, the route as your device measured it, the water temperature if a sensor is paired, and your notes. {location}</p>
<p>1.3 Our servers note the address your device connects from, its make, the version of its system and of the app, and crash reports. We do not read your contacts, your messages or your microphone.</p>
<h2 id="why">2. Why we use it</h2>
<p>2.1 We use the data in section 1 to run the app for you, which is necessary to perform our contract with you; to warn you of currents and closures near you; and to find and repair faults, which is in our legitimate interest and yours.</p>
<p>2.2 We send you news about the app and offers from our partners {basis}. You can stop this at any time in Settings › Mail.</p>
{ai}
<h2 id="who">3. Who we share it with</h2>
<p>3.1 {sell} We share it with the companies that work for us, under contracts that let them use it only for that work:</p>
<ul>{procs}</ul>
<p>3.2 If you turn on Buddy Watch, the people you choose see where you are for as long as the session runs. Rescue services that ask us for a last known position in an emergency are given it.</p>
{merger}
<h2 id="long">4. How long we keep it</h2>
<p>4.1 Sessions and notes stay until you delete them or your account. After you delete your account, we erase your data within {erase} days, and copies in our backups within a further 60 days. Server logs are kept for 12 months.</p>
<h2 id="where">5. Where it is kept</h2>
<p>5.1 Our servers stand in Ireland and Finland. Where a company in section 3 works outside the European Economic Area we rely on the standard contractual clauses of the European Commission, of which we send a copy on request.</p>
<h2 id="rights">6. Your rights</h2>
<p>6.1 You may ask for a copy of your data, have it put right or erased, take it elsewhere, or object to a use of it. We answer within one month and do not charge for it. You may also complain to the authority where you live.</p>
<h2 id="kids">7. Children</h2>
<p>7.1 The app is not meant for anyone under {kids}. If we learn that such a person has made an account, we close it and erase what it holds.</p>
<h2 id="contact">8. Contact</h2>
<p>Tidemark Labs Ltd, 4 Slipway Yard, Galway, Ireland. Data protection officer: dpo@tidemark.example.</p>
<div class="{cls}-helpful">{helpful}</div></div></div>
<div class="{cls}-store">{store}</div>
<div class="{cls}-more"><div>From the blog</div>{blog}</div>
<div class="{cls}-foot"><div><a href="/terms">Terms</a><a href="/privacy">Privacy</a><a href="/cookies">Cookies</a><a href="/security">Security</a><a href="/press">Press</a><a href="/careers">Careers</a></div><div><a href="https://instagram.example/tidemark">Instagram</a><a href="https://tiktok.example/@tidemark">TikTok</a><a href="https://mastodon.example/@tidemark">Mastodon</a></div><div>{foot}</div></div>
<div class="{cls}-consent" role="dialog">{consent}</div></div></div><script id="__NEXT_DATA__" type="text/plain" nonce="{nonce}">build={build};page=/privacy;t=17400{n}</script></body></html>
-- looks --
first build="x8Kq2" cls="css-1hz9" promo="Spring tide sale: 30% off Premium until Sunday" cta="Start free" card="★ 4.7 in the App Store" effective="Effective 1 October 2025" minutes="6 min read" location="We store your precise location only while a session is running." basis="only if you have agreed to it" ai="" sell="We do not sell your personal data." procs="<li>Northcloud Oy (hosting, Finland)</li><li>Postbird SAS (e-mail, France)</li><li>Crashlens Inc. (crash reports, USA)</li><li>Paywharf Ltd (payments, Ireland)</li>" merger="<p>3.3 Should we merge with or be bought by another company, we tell you at least 30 days before your data is passed on, and you may have it erased first.</p>" erase="30" kids="16" helpful="Was this page helpful? 👍 214 👎 31" store="12 million swims logged. Get it on <a href='/ios'>iOS</a> and <a href='/android'>Android</a>" blog="<a href='/blog/cold'>Ten rules for cold water</a><a href='/blog/maps'>New maps for the Baltic</a>" foot="© 2026 Tidemark Labs Ltd" consent="We value your privacy. <button>Accept all</button><button>Manage</button>" nonce="q1w2"
equal build="z04Lm" cls="css-9kd3" nonce="r7t0"
noise promo="New: tide alarms on your watch" card="★ 4.8 in the App Store" helpful="Was this page helpful? 👍 219 👎 31" blog="<a href='/blog/kit'>What we pack in March</a><a href='/blog/cold'>Ten rules for cold water</a>"
wanted erase="90" helpful="Was this page helpful? 👍 221 👎 32"
noise cta="Try Tidemark free" consent="Cookies help us improve Tidemark. <button>Allow</button><button>Decline</button><button>Choose</button>" store="Join 2.1 million swimmers. Get it on <a href='/ios'>iOS</a> and <a href='/android'>Android</a>" build="a91Tc"
wanted basis="unless you have objected to it"
wanted procs="<li>Northcloud Oy (hosting, Finland)</li><li>Postbird SAS (e-mail, France)</li><li>Crashlens Inc. (crash reports, USA)</li><li>Adreef LLC (measuring advertisements, USA)</li><li>Paywharf Ltd (payments, Ireland)</li>" promo="Last days: 30% off Premium" cta="Start free"
noise procs="<li>Adreef LLC (measuring advertisements, USA)</li><li>Crashlens Inc. (crash reports, USA)</li><li>Northcloud Oy (hosting, Finland)</li><li>Paywharf Ltd (payments, Ireland)</li><li>Postbird SAS (e-mail, France)</li>" helpful="Was this page helpful? 👍 226 👎 34"
wanted merger=""
noise minutes="7 min read" promo="" blog="<a href='/blog/seals'>How near is too near? Seals and swimmers</a><a href='/blog/kit'>What we pack in March</a>" foot="© 2026 Tidemark Labs Ltd · Made in Galway" helpful="Did this answer your question? <button>Yes</button><button>No</button>"
wanted effective="Effective 15 May 2026" ai="<p>2.3 We use recorded routes, without your name, to train models that forecast currents. You can leave your routes out in Settings › Data.</p>" build="b77Ww" cls="css-2mm1"
wanted location="We store your precise location while the app is running." card="Editors’ choice in the App Store"
noise card="★ 4.8 in the App Store · 51K ratings" promo="Race week is here. <a href='/race'>See who is in</a>" consent="We value your privacy. <button>Accept all</button><button>Manage</button>" store="12.4 million swims logged. Get it on <a href='/ios'>iOS</a> and <a href='/android'>Android</a>"
