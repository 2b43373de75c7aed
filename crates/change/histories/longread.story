kind sites-2
media text/html
<!DOCTYPE html>
<html lang="en" prefix="og: http://ogp.me/ns#"><head><meta charset="utf-8"><title>The last lock-keepers of the Anstey Canal | The Tidewater Review</title><meta property="og:updated_time" content="{upd}"><script async src="https://ads.example/tag.js?cb={cb}"></script></head>
<body class="single-longread {ab}">
<div class="leaderboard ad" id="div-gpt-{cb}">{ad1}</div>
<header class="site"><button>Menu</button><a class="wordmark" href="/">The Tidewater Review</a><a class="sub" href="/subscribe?src=head&amp;v={n}">{subscribe}</a><nav><a href="/politics">Politics</a><a href="/science">Science</a><a href="/places">Places</a><a href="/books">Books</a><a href="/film">Film</a><a href="/food">Food</a><a href="/fiction">Fiction</a><a href="/crossword">Crossword</a><a href="/podcasts">Podcasts</a></nav></header>
<p class="crumbs"><a href="/">Home</a> / <a href="/places">Places</a> / Reportage</p>
<article class="longread" data-post="{cb}">
<p class="kicker">Reportage</p>
<h1>{headline}</h1>
<p class="standfirst">For two centuries families have lived beside the gates and worked them by hand. Now there are nine left, and a machine that can do it from a desk in Reading.</p>
<div class="byline">By <a href="/authors/h-oduya">Hanne Oduya</a> <span class="sep">|</span> <time datetime="2026-03-01">1 March 2026</time> <span class="rel">{rel}</span> <span class="read">{read}</span></div>
<ul class="share"><li><a href="https://facebook.example/s?u=anstey&amp;r={n}">Share</a> {sh1}</li><li><a href="https://x.example/s?u=anstey&amp;r={n}">Post</a> {sh2}</li><li><a href="#comments">{com}</a></li></ul>
<p class="dropcap">Before it is light Margaret Teal has already walked the length of her lock twice. She is {agem}, and she has opened these gates, by her own count, more than ninety thousand times. Her father held the post before her and his aunt before him, in the cottage with the two front doors, one of which has been under water twice.</p>
<p>The Anstey Canal runs for {miles} miles between the coalfield that paid for it and the estuary that no longer needs coal. It has fifty-four locks. When the company that dug it was wound up in 1948 there was a keeper at each. This spring there are nine, and the trust that looks after the water has told them that by the end of next year there will be none.</p>
<figure><img src="/img/teal.jpg?w=1200&amp;sig={cb}" alt="A woman at a lock gate"><figcaption>{caption}</figcaption></figure>
<p>“They are very polite about it,” she says. “They send a young man with a folder.” In the folder is a drawing of a steel box the size of a wardrobe, which holds a pump, two rams and a camera. A trial at Lock 31 began in October. {trial}</p>
<aside class="inline-promo">{promo}</aside>
<p>The trust does not dispute that something will be lost. But its chief executive, Daniel Roake, {verb} that the keepers’ cottages, most of them without a damp course, cost more to repair in a year than the automation of a lock costs to install. “I have to choose between people who love the canal and the canal,” he told me.</p>
{para}
<div class="ad mid">{ad2}</div>
<p>What a keeper does is hard to write on a form. In the flood of 2020 it was Teal who saw, by the colour of the water, that the bank had gone at Harrow Bend, and who telephoned the farms below. The camera at Lock 31 was under water at the time. Twelve families were out of their beds before the alarm at Reading rang.</p>
<p>In the evening a narrowboat comes up late, with a couple on it who have never worked a lock. Teal shows them where to stand. It takes twenty minutes, of which the water needs eight. “That’s the other thing the box can’t do,” she says when they have gone, and then does not say what it is.</p>
{note}
<p class="tags">Filed under: {tags}</p>
</article>
<section class="comments" id="comments"><h2>{com}</h2><div class="c">{topc}</div><a href="/login?r=anstey&amp;t={cb}">Sign in to comment</a></section>
<section class="rel"><h2>{relhead}</h2>{related}</section>
<aside class="most"><h2>Most read</h2><ol>{most}</ol></aside>
<aside class="nl"><h2>Newsletter</h2><p>{nl}</p><form><input type="email"><button>Sign up</button></form></aside>
<footer><p><a href="/about">About</a> <a href="/masthead">Masthead</a> <a href="/corrections">Corrections policy</a> <a href="/advertise">Advertise</a> <a href="/privacy">Privacy</a> <a href="https://instagram.example/tidewater">Instagram</a> <a href="https://bsky.example/tidewater">Bluesky</a></p><p>{foot}</p></footer>
<div class="wall">{wall}</div>
</body></html>
-- looks --
first upd="2026-03-01T05:00:00Z" cb="100234" ab="variant-a" ad1="Advertisement: Harlan watches, made slowly" subscribe="Subscribe" headline="The last lock-keepers of the Anstey Canal" rel="2 days ago" read="9 min read" sh1="312" sh2="98" com="48 comments" agem="sixty-eight" miles="thirty-four" caption="Margaret Teal at Lock 12. Photograph: Ivo Brandt" trial="It has worked, the trust says, on all but four days." promo="Enjoying this? <a href='/gift'>Send it to a friend</a>" verb="says" para="<p>The figures are not public. A spreadsheet seen by the Review puts the saving at £410,000 a year, about the cost of one dredging season; the trust would neither confirm nor deny it.</p>" ad2="Advertisement" note="" tags="<a href='/t/canals'>canals</a>, <a href='/t/work'>work</a>, <a href='/t/england'>England</a>" topc="<b>bargeman</b>: My uncle kept Lock 40 until 1979. Thank you for this. <i>Recommend (31)</i>" relhead="Read next" related="<a href='/places/fen'>What the fen remembers</a><a href='/science/eels'>The eel counters</a><a href='/places/pier'>A pier for sale</a>" most="<li><a href='/m/1'>The man who bought a village</a></li><li><a href='/m/2'>Why soup is back</a></li><li><a href='/m/3'>Against tidying</a></li>" nl="The week’s best writing, on Saturday mornings." foot="© 2026 Tidewater Media Ltd. All rights reserved." wall="You have 3 free articles left this month."
noise ad1="Advertisement: See Norway by rail" rel="3 days ago" sh1="340" sh2="104" com="57 comments" topc="<b>towpath_jo</b>: The two front doors! I have always wondered. <i>Recommend (44)</i>" most="<li><a href='/m/2'>Why soup is back</a></li><li><a href='/m/4'>Ten days without news</a></li><li><a href='/m/1'>The man who bought a village</a></li>"
wanted agem="sixty-six" note="<p class='correction'><em>This article was amended on 4 March 2026. Margaret Teal is sixty-six, not sixty-eight.</em></p>" upd="2026-03-04T10:12:00Z" com="61 comments" rel="4 days ago"
equal upd="2026-03-04T22:00:00Z" cb="220981" ab="variant-b" tags="<a rel='tag' href='/t/canals?ref=post'>canals</a>, <a rel='tag' href='/t/work?ref=post'>work</a>, <a rel='tag' href='/t/england?ref=post'>England</a>" caption="<span class='cap'>Margaret Teal at Lock&#32;12.</span> <span class='credit'>Photograph: Ivo Brandt</span>"
noise subscribe="Try a month for £1" promo="Get the Review on paper, six times a year. <a href='/print'>From £36</a>" relhead="More like this" related="<a href='/science/eels'>The eel counters</a><a href='/books/rivers'>Five books about rivers</a><a href='/places/fen'>What the fen remembers</a>" wall="You have 2 free articles left this month."
wanted trial="It has worked, the trust says, on all but eleven days." com="70 comments" sh1="402" rel="6 days ago"
noise ad1="Advertisement" ad2="Advertisement: Wool from the Borders, sent to your door" com="72 comments" sh1="405" sh2="131" rel="1 week ago" topc="<b>R. Pell</b>: As a volunteer on the trust I would put it differently. <i>Recommend (58)</i>" nl="Join 88,000 readers. The week’s best writing, on Saturday mornings."
wanted para=""
noise read="8 min read" tags="<a href='/t/england'>England</a>, <a href='/t/canals'>canals</a>, <a href='/t/work'>work</a>" com="75 comments" most="<li><a href='/m/5'>The quiet carriage, a history</a></li><li><a href='/m/2'>Why soup is back</a></li><li><a href='/m/6'>Letters from Split</a></li>" ad2="Advertisement"
wanted verb="conceded" com="76 comments" sh1="431"
equal cb="310077" ab="variant-a" headline="<span class='balance'>The last lock&#45;keepers <span>of the Anstey Canal</span></span>" verb="<span>conceded</span>" upd="2026-03-12T06:00:00Z"
noise foot="© 2026 Tidewater Media Ltd. All rights reserved. Printed in Leeds." subscribe="Subscribe" rel="2 weeks ago" com="81 comments" wall="Support independent writing. <a href='/join'>Become a member</a>" sh1="452" sh2="140"
wanted note="<p class='correction'><em>This article was amended on 4 March 2026. Margaret Teal is sixty-six, not sixty-eight.</em></p><p class='correction'><em>Update, 16 March 2026: The trust has put off its decision on the keepers until the autumn.</em></p>" ad1="Advertisement: Harlan watches, made slowly" topc="<b>bargeman</b>: My uncle kept Lock 40 until 1979. Thank you for this. <i>Recommend (77)</i>"
noise com="Comments are closed (88)" most="<li><a href='/m/6'>Letters from Split</a></li><li><a href='/m/7'>The dog who voted</a></li><li><a href='/m/5'>The quiet carriage, a history</a></li>" related="<a href='/places/pier'>A pier for sale</a><a href='/places/salt'>Salt roads</a><a href='/science/eels'>The eel counters</a>" rel="15 days ago"
