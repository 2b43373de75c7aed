kind sites-3
media text/html
<!DOCTYPE html>
<html class="client-nojs" lang="en" dir="ltr">
<head>
<meta charset="UTF-8"/>
<title>Open drafts - OpenRail Data Forum</title>
<meta name="generator" content="MediaWiki {mw}"/>
<link rel="stylesheet" href="/w/load.php?lang=en&amp;modules=skins.monobook.styles&amp;only=styles&amp;skin=monobook&amp;version={rev}"/>
<link rel="alternate" type="application/atom+xml" title="OpenRail Data Forum Atom feed" href="/w/index.php?title=Special:RecentChanges&amp;feed=atom"/>
</head>
<body class="mediawiki ltr sitedir-ltr mw-hide-empty-elt ns-0 ns-subject page-Open_drafts rootpage-Open_drafts skin-monobook action-view skin--responsive">
<div id="globalWrapper"><div id="column-content"><div id="content" class="mw-body" role="main"><a id="top"></a>
<div id="siteNotice">{sitenotice}</div><div class="mw-indicators"></div>
<h1 id="firstHeading" class="firstHeading mw-first-heading"><span class="mw-page-title-main">Open drafts</span></h1>
<div id="bodyContent" class="monobook-body"><div id="siteSub">From OpenRail Data Forum</div><div id="contentSub"><div id="mw-content-subtitle"></div></div><div id="jump-to-nav"></div>
<div id="mw-content-text" class="mw-body-content mw-content-ltr" lang="en" dir="ltr"><div class="mw-parser-output">
<p>Drafts under review by the technical committees. Comments go to the <a href="/wiki/Comment_procedure" title="Comment procedure">comment tracker</a>, {who} may comment.</p>
<div class="floatright meetingbox"><b>Next plenary</b><br/>{plenary}<br/><small>{until}</small></div>
<h2><span class="mw-headline" id="In_public_review">In public review</span></h2>
<table class="wikitable sortable"><tbody><tr><th>Number</th><th>Title</th><th>Version</th><th>Stage</th><th>Comments until</th><th>Document</th></tr>
<tr><td>ORD-017</td><td>Timetable exchange format, part 2: short-term changes</td><td>{v17}</td><td>{s17}</td><td>{c17}</td><td><a href="{u17}" class="external text" rel="nofollow">PDF</a></td></tr>
<tr><td>ORD-021</td><td>Wagon identifiers</td><td>{v21}</td><td>Committee draft</td><td>{c21}</td><td><a href="/files/ord-021-cd.pdf" class="external text" rel="nofollow">PDF</a></td></tr>
{row23}
</tbody></table>
<h2><span class="mw-headline" id="In_ballot">In ballot</span></h2>
<table class="wikitable"><tbody><tr><th>Number</th><th>Title</th><th>Ballot closes</th><th>State</th></tr>
<tr><td>ORD-014</td><td>Platform display messages</td><td>{b14}</td><td>{st14}</td></tr></tbody></table>
<h2><span class="mw-headline" id="Withdrawn">Withdrawn</span></h2>
<ul><li>ORD-009, Lost property notices (2024)</li>{wd}</ul>
<h2><span class="mw-headline" id="Rules">Patent and copying rules</span></h2>
<p>Drafts {impl} be implemented in products before adoption. Members must declare patents within {pat} days of the start of public review.</p>
<div class="didyouknow"><p>{dyk}</p></div>
<!-- NewPP limit report Cached time: {cache} CPU time usage: 0.041 seconds -->
</div></div>
<div class="printfooter" data-nosnippet="">Retrieved from "<a dir="ltr" href="https://openrail.example/w/index.php?title=Open_drafts&amp;oldid={rev}">https://openrail.example/wiki/Open_drafts</a>"</div>
<div id="catlinks" class="catlinks"><div class="mw-normal-catlinks"><a href="/wiki/Special:Categories">Categories</a>: <ul><li><a href="/wiki/Category:Standards">Standards</a></li>{cat}</ul></div></div></div></div></div>
<div id="column-one"><div id="p-cactions" class="portlet" role="navigation"><ul><li class="selected"><a href="/wiki/Open_drafts">Page</a></li><li><a href="/wiki/Talk:Open_drafts">{talk}</a></li><li><a href="/w/index.php?title=Open_drafts&amp;action=edit">View source</a></li><li><a href="/w/index.php?title=Open_drafts&amp;action=history">History</a></li></ul></div>
<div id="p-personal" class="portlet" role="navigation"><ul><li><a href="/w/index.php?title=Special:UserLogin&amp;returnto=Open+drafts">Log in</a></li></ul></div>
<div id="p-logo" class="portlet" role="banner"><a href="/wiki/Main_Page"></a></div>
<div id="p-navigation" class="portlet mw-portlet" role="navigation"><h3>Navigation</h3><ul><li><a href="/wiki/Main_Page">Main page</a></li><li><a href="/wiki/Open_drafts">Open drafts</a></li><li><a href="/wiki/Standards">Adopted standards</a></li><li><a href="/wiki/Members">Members</a></li><li><a href="/wiki/Special:RecentChanges">Recent changes</a></li>{navx}</ul></div>
<div class="portlet" id="p-recent"><h3>Recent activity</h3><ul><li>{ra1}</li><li>{ra2}</li><li>{ra3}</li></ul></div>
<div class="portlet" id="p-sponsors"><h3>Sponsors</h3><div class="pBody">{sponsor}</div></div>
<div id="p-tb" class="portlet mw-portlet" role="navigation"><h3>Tools</h3><ul><li><a href="/wiki/Special:WhatLinksHere/Open_drafts">What links here</a></li><li><a href="/w/index.php?title=Open_drafts&amp;printable=yes">Printable version</a></li></ul></div></div>
<div class="visualClear"></div>
<div id="footer" role="contentinfo"><ul id="f-list"><li id="footer-info-lastmod">{lastmod}</li><li id="footer-info-viewcount">{viewc}</li><li id="footer-info-copyright">Content is available under <a href="https://creativecommons.example/by/4.0">Creative Commons Attribution</a> unless otherwise noted.</li><li><a href="/wiki/Privacy_policy">Privacy policy</a></li><li><a href="/wiki/About">{about}</a></li></ul></div></div>
</body></html>
-- looks --
first mw="1.39.6" rev="20711" sitenotice="" who="anyone" plenary="Ghent, 21–22 April 2026" until="in 61 days" v17="0.8" s17="Committee draft" c17="13 March 2026" u17="/files/ord-017-0.8.pdf" v21="0.4" c21="27 March 2026" row23="" b14="2 March 2026" st14="Open" wd="" impl="should not" pat="60" dyk="Did you know? The forum was founded in a station buffet in 2011." cache="20260219" cat="" talk="Discussion" navx="" ra1="Members – Jvdb (2 hours ago)" ra2="Talk:ORD-021 – Ines (5 hours ago)" ra3="Minutes 2026-02 – Sec (yesterday)" sponsor="Loopline Systems" lastmod="This page was last edited on 11 February 2026, at 09:14." viewc="This page has been accessed 14,201 times." about="About OpenRail Data Forum"
noise until="in 58 days" ra1="ORD-017/Examples – Kwan (20 minutes ago)" ra2="Members – Jvdb (3 days ago)" ra3="Talk:ORD-021 – Ines (3 days ago)" sponsor="Baltic Rolling Stock" viewc="This page has been accessed 14,260 times."
equal mw="1.39.7" cache="20260223" u17="/files/ord-017-0.8.pdf?utm=1" v21="<span data-sort-value='004'>0.4</span>"
wanted c17="27 March 2026" until="in 55 days" lastmod="This page was last edited on 25 February 2026, at 15:40." rev="20788" viewc="This page has been accessed 14,322 times."
noise until="in 51 days" sitenotice="<div class='mw-dismissable-notice'>Register now for the OpenRail hackathon in Basel! [<a href='#'>dismiss</a>]</div>" dyk="Did you know? ORD-001 has been translated into 14 languages." ra1="Hackathon 2026 – Sec (1 hour ago)" ra2="User:Kwan – Kwan (4 hours ago)" ra3="ORD-017/Examples – Kwan (yesterday)" sponsor="Loopline Systems" viewc="This page has been accessed 14,431 times."
wanted st14="Approved, 19 of 21 votes" b14="closed" until="in 49 days" lastmod="This page was last edited on 3 March 2026, at 08:02." rev="20815" viewc="This page has been accessed 14,502 times."
broken page="<!DOCTYPE html><html><head><title>OpenRail Data Forum</title></head><body><h1>Sorry! This site is experiencing technical difficulties.</h1><p>Try waiting a few minutes and reloading.</p><p><small>(Cannot access the database)</small></p></body></html>"
back until="in 47 days" viewc="This page has been accessed 14,533 times." cache="20260305"
noise until="in 44 days" ra1="Talk:ORD-017 – Marek (12 minutes ago)" ra2="Talk:ORD-017 – Ines (1 hour ago)" ra3="Hackathon 2026 – Sec (2 days ago)" viewc="This page has been accessed 14,690 times." talk="Discussion (3)" sponsor="Peak Signalling GmbH"
wanted row23="<tr><td>ORD-023</td><td>Seat reservation messages</td><td>0.1</td><td>Working draft</td><td>8 May 2026</td><td><a href='/files/ord-023-0.1.pdf' class='external text' rel='nofollow'>PDF</a></td></tr>" until="in 40 days" lastmod="This page was last edited on 12 March 2026, at 11:27." rev="20902" viewc="This page has been accessed 14,811 times."
noise until="in 37 days" sitenotice="<div class='mw-dismissable-notice'>The wiki will move to a new server on Sunday. [<a href='#'>dismiss</a>]</div>" dyk="Did you know? The shortest standard of the forum has two pages." cat="<li><a href='/wiki/Category:Drafts'>Drafts</a></li>" navx="<li><a href='/wiki/Special:Random'>Random page</a></li>" sponsor="Baltic Rolling Stock" viewc="This page has been accessed 14,933 times." lastmod="This page was last edited on 15 March 2026, at 19:50." rev="20931"
wanted impl="may" until="in 34 days" lastmod="This page was last edited on 18 March 2026, at 10:10." rev="20940" viewc="This page has been accessed 15,020 times." sitenotice=""
noise until="in 30 days" ra1="ORD-023 – Ines (3 hours ago)" ra2="Members – Sec (6 hours ago)" ra3="Talk:ORD-023 – Marek (yesterday)" about="About us" sponsor="Loopline Systems" viewc="This page has been accessed 15,188 times." dyk="Did you know? The forum was founded in a station buffet in 2011."
wanted v17="0.9" u17="/files/ord-017-0.9.pdf" s17="Final committee draft" until="in 24 days" lastmod="This page was last edited on 28 March 2026, at 16:33." rev="21007" viewc="This page has been accessed 15,344 times."
noise until="in 21 days" ra1="Talk:ORD-017 – Kwan (5 minutes ago)" ra2="ORD-017/Examples – Kwan (2 hours ago)" sitenotice="<div class='mw-dismissable-notice'>Thank you to all hackathon participants! [<a href='#'>dismiss</a>]</div>" sponsor="Peak Signalling GmbH" viewc="This page has been accessed 15,431 times."
wanted plenary="Online only, 22 April 2026" until="in 19 days" lastmod="This page was last edited on 2 April 2026, at 12:00." rev="21044" viewc="This page has been accessed 15,502 times."
