kind sites
media text/html
<!DOCTYPE html>
<html class="client-nojs vector-feature-language-in-header-enabled {htmlcls}" lang="en" dir="ltr">
<head><meta charset="UTF-8"><title>Examination dates (summer term) - Faculty of Engineering Wiki</title><meta name="generator" content="MediaWiki 1.41.0"><link rel="stylesheet" href="/w/load.php?lang=en&amp;modules=site.styles&amp;only=styles&amp;version={rl}"></head>
<body class="skin-vector skin-vector-search-vue mediawiki ltr sitedir-ltr mw-hide-empty-elt ns-0 ns-subject page-Examination_dates rootpage-Examination_dates action-view">
<a class="mw-jump-link" href="#bodyContent">Jump to content</a>
<div class="vector-header-container"><header class="vector-header mw-header"><div class="vector-header-start"><a href="/wiki/Main_Page" class="mw-logo"><img class="mw-logo-icon" src="/static/logo.png" alt="" height="50" width="50"><span class="mw-logo-container">Faculty of Engineering Wiki</span></a></div><div class="vector-header-end"><form action="/w/index.php" class="cdx-search-input"><input class="cdx-text-input__input" type="search" name="search" placeholder="Search Faculty of Engineering Wiki"><button class="cdx-button">Search</button></form><nav class="vector-user-links" aria-label="Personal tools"><ul><li id="pt-createaccount"><a href="/w/index.php?title=Special:CreateAccount&amp;returnto=Examination+dates&amp;wpT={rl}"><span>Create account</span></a></li><li id="pt-login"><a href="/w/index.php?title=Special:UserLogin&amp;returnto=Examination+dates&amp;wpT={rl}"><span>Log in</span></a></li></ul></nav></div></header></div>
<div class="mw-page-container"><div class="mw-page-container-inner"><div class="vector-sitenotice-container"><div id="siteNotice">{sitenotice}</div></div>
<div class="vector-column-start"><nav id="mw-panel" class="vector-main-menu" aria-label="Site"><div class="vector-menu mw-portlet mw-portlet-navigation" id="p-navigation"><div class="vector-menu-heading">Navigation</div><ul class="vector-menu-content-list"><li id="n-mainpage"><a href="/wiki/Main_Page">Main page</a></li><li id="n-contents"><a href="/wiki/Courses">Courses</a></li><li id="n-exams"><a href="/wiki/Category:Examinations">Examinations</a></li><li id="n-staff"><a href="/wiki/Staff">Staff</a></li><li id="n-labs"><a href="/wiki/Laboratories">Laboratories</a></li><li id="n-recent"><a href="/wiki/Special:RecentChanges">Recent changes</a></li><li id="n-random"><a href="/wiki/Special:Random">Random page</a></li>{navextra}</ul></div><div class="vector-menu mw-portlet" id="p-tb"><div class="vector-menu-heading">Tools</div><ul><li><a href="/wiki/Special:WhatLinksHere/Examination_dates">What links here</a></li><li><a href="/wiki/Special:RecentChangesLinked/Examination_dates">Related changes</a></li><li><a href="/w/index.php?title=Examination_dates&amp;oldid={oldid}">Permanent link</a></li><li><a href="/w/index.php?title=Examination_dates&amp;action=info">Page information</a></li><li><a href="/w/index.php?title=Special:CiteThisPage&amp;id={oldid}">Cite this page</a></li></ul></div></nav>
<nav id="mw-panel-toc" class="mw-table-of-contents-container"><h2 class="vector-toc-title">Contents</h2><ul class="vector-toc-contents"><li><a href="#Written">1 Written examinations</a></li><li><a href="#Registration">2 Registration</a></li><li><a href="#Aids">3 Permitted aids</a></li><li><a href="#Office">4 Examinations office</a></li></ul></nav></div>
<main id="content" class="mw-body"><header class="mw-body-header vector-page-titlebar"><h1 id="firstHeading" class="firstHeading mw-first-heading"><span class="mw-page-title-main">Examination dates (summer term)</span></h1></header>
<div class="vector-page-toolbar"><nav aria-label="Namespaces"><ul><li class="selected"><a href="/wiki/Examination_dates">Page</a></li><li><a href="/wiki/Talk:Examination_dates">{talk}</a></li></ul></nav><nav aria-label="Views"><ul><li class="selected"><a href="/wiki/Examination_dates">Read</a></li><li><a href="/w/index.php?title=Examination_dates&amp;action=edit">View source</a></li><li><a href="/w/index.php?title=Examination_dates&amp;action=history">View history</a></li></ul></nav></div>
<div id="bodyContent" class="vector-body"><div id="siteSub" class="noprint">From Faculty of Engineering Wiki</div>
<div id="mw-content-text" class="mw-body-content"><div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">
<table class="ambox ambox-notice" role="presentation"><tbody><tr><td class="mbox-text"><b>{box}</b></td></tr></tbody></table>
<p>This page lists the <b>written examinations</b> of the Faculty of Engineering in the summer term 2026. Oral examinations are arranged with the <a href="/wiki/Staff">examiners</a>.<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup></p>
<h2><span class="mw-headline" id="Written">Written examinations</span><span class="mw-editsection">[<a href="/w/index.php?title=Examination_dates&amp;action=edit&amp;section=1">edit</a>]</span></h2>
<table class="wikitable sortable"><caption>Summer term 2026</caption><tbody><tr><th>Code</th><th>Course</th><th>Date</th><th>Time</th><th>Room</th></tr>
<tr><td>ENG 101</td><td><a href="/wiki/Statics">Statics</a></td><td>{d1}</td><td>09:00–11:00</td><td>{r1}</td></tr>
<tr><td>ENG 104</td><td><a href="/wiki/Thermodynamics">Thermodynamics I</a></td><td>15 July 2026</td><td>{t2}</td><td>Hall A</td></tr>
<tr><td>ENG 112</td><td><a href="/wiki/Materials">Materials science</a></td><td>17 July 2026</td><td>09:00–10:30</td><td>Hall C</td></tr>
{row4}<tr><td>ENG 230</td><td><a href="/wiki/Control">Control engineering</a></td><td>22 July 2026</td><td>09:00–12:00</td><td>{r5}</td></tr>
<tr><td>ENG 241</td><td><a href="/wiki/Fluid_mechanics">Fluid mechanics</a></td><td>24 July 2026</td><td>14:00–16:00</td><td>Hall A</td></tr></tbody></table>
<h2><span class="mw-headline" id="Registration">Registration</span><span class="mw-editsection">[<a href="/w/index.php?title=Examination_dates&amp;action=edit&amp;section=2">edit</a>]</span></h2>
<p>Register in the portal from {regfrom} to {regto}. A late registration costs {fee} and is possible until three days before the examination.</p>
<h2><span class="mw-headline" id="Aids">Permitted aids</span><span class="mw-editsection">[<a href="/w/index.php?title=Examination_dates&amp;action=edit&amp;section=3">edit</a>]</span></h2>
<ul><li>Statics: {aid}</li><li>Thermodynamics I: the faculty's steam tables</li><li>All others: see the course page</li></ul>
<h2><span class="mw-headline" id="Office">Examinations office</span><span class="mw-editsection">[<a href="/w/index.php?title=Examination_dates&amp;action=edit&amp;section=4">edit</a>]</span></h2>
<p>Building 4, room 117, open {open}.</p>
<h2><span class="mw-headline" id="References">References</span></h2><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><a href="#cite_ref-1">^</a></span> <span class="reference-text">Examination regulations of 12 May 2021, section 9.</span></li></ol>
<!-- NewPP limit report
Cached time: 2026{stamp}
CPU time usage: 0.{stamp} seconds
Saved in parser cache with key fewiki:pcache:idhash:1187-0!canonical and timestamp {stamp} -->
</div><div class="printfooter">Retrieved from "<a href="https://wiki.eng.example/w/index.php?title=Examination_dates&amp;oldid={oldid}">https://wiki.eng.example/wiki/Examination_dates</a>"</div></div>
<div id="catlinks" class="catlinks"><div id="mw-normal-catlinks"><a href="/wiki/Special:Categories">Categories</a>: <ul>{cats}</ul></div></div></div></main>
<div class="mw-footer-container"><footer id="footer" class="mw-footer"><ul id="footer-info"><li id="footer-info-lastmod"> This page was last edited on {edited}.</li><li id="footer-info-viewcount">This page has been accessed {hits} times.</li><li id="footer-info-copyright">Content is available under <a href="https://creativecommons.example/by-sa/4.0/">CC BY-SA 4.0</a> unless otherwise noted.</li></ul><ul id="footer-places"><li><a href="/wiki/Privacy_policy">Privacy policy</a></li><li><a href="/wiki/About">About Faculty of Engineering Wiki</a></li><li><a href="/wiki/Disclaimers">Disclaimers</a></li><li><a href="/m/Examination_dates">Mobile view</a></li>{footlink}</ul><ul id="footer-icons"><li><a href="https://www.mediawiki.org/"><img src="/resources/poweredby.png" alt="Powered by MediaWiki" width="88" height="31"></a></li></ul></footer></div>
</div></div><div class="mw-cookiewarning-container"><div class="mw-cookiewarning-text"><span>Cookies help us deliver our services. By using our services, you agree to our use of cookies.</span></div><a href="/wiki/Cookies">More information</a> <button>OK</button></div></body></html>
-- looks --
first htmlcls="vector-toc-available" rl="1q{n}zx" sitenotice="" navextra="" oldid="88{n}1" talk="Discussion" box="Dates are binding unless marked as provisional." d1="13 July 2026" r1="Hall A" t2="09:00–11:00" row4="<tr><td>ENG 205</td><td><a href='/wiki/Electronics'>Electronics</a></td><td>20 July 2026</td><td>14:00–16:00</td><td>Hall B</td></tr>" r5="Lab 3" regfrom="4 May 2026" regto="29 May 2026" fee="€25" aid="a non-programmable calculator and two handwritten pages" open="Tuesday to Thursday, 9:00 to 12:00" stamp="0316{n}" cats="<li><a href='/wiki/Category:Examinations'>Examinations</a></li><li><a href='/wiki/Category:Summer_term'>Summer term</a></li><li><a href='/wiki/Category:Student_information'>Student information</a></li>" edited="12 March 2026, at 14:07" hits="4,118" footlink=""
noise hits="4,131" oldid="89{n}4"
wanted d1="14 July 2026" edited="17 March 2026, at 09:30" hits="4,160" oldid="90{n}2"
noise sitenotice="<div class='mw-dismissable-notice'>[<a href='#'>dismiss</a>] The wiki will be read-only on Saturday from 6:00 to 9:00.</div>" hits="4,222"
equal rl="7b{n}qq" htmlcls="vector-toc-available vector-feature-limited-width-content-enabled" stamp="0319{n}" oldid="91{n}7"
wanted r5="Lab 5" edited="20 March 2026, at 11:45" hits="4,290"
noise hits="4,377" cats="<li><a href='/wiki/Category:Student_information'>Student information</a></li><li><a href='/wiki/Category:Examinations'>Examinations</a></li><li><a href='/wiki/Category:Summer_term'>Summer term</a></li>" edited="21 March 2026, at 08:02"
wanted aid="two handwritten pages, no calculator" hits="4,401" edited="23 March 2026, at 16:20"
wanted row4="" hits="4,466" edited="24 March 2026, at 10:00" sitenotice=""
noise talk="Discussion (2)" hits="4,490" navextra="<li id='n-jobs'><a href='/wiki/Student_jobs'>Student jobs</a></li>" stamp="0326{n}"
wanted regto="27 May 2026" hits="4,533" edited="30 March 2026, at 13:13"
noise hits="4,570"
wanted open="Tuesday to Thursday, 9:00 to 11:00" hits="4,588" edited="2 April 2026, at 09:09"
wanted row4="<tr><td>ENG 205</td><td><a href='/wiki/Electronics'>Electronics</a></td><td>21 July 2026</td><td>14:00–16:00</td><td>Hall B</td></tr>" hits="4,612" edited="7 April 2026, at 15:00"
noise hits="4,630" footlink="<li><a href='/wiki/Accessibility'>Accessibility statement</a></li>" edited="9 April 2026, at 07:41"
