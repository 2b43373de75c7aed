kind sites
media text/html
<!DOCTYPE html>
<html lang="en-GB">
<head>
<title>IT Service Status - IT Services - Kestrel University Wiki</title>
<meta http-equiv="X-UA-Compatible" content="IE=EDGE,chrome=IE7"><meta charset="UTF-8">
<meta id="confluence-context-path" name="confluence-context-path" content=""><meta name="ajs-version-number" content="{cver}"><meta id="atlassian-token" name="atlassian-token" content="{tok}"><meta name="ajs-page-version" content="{n}"><meta name="ajs-page-id" content="88110532">
<link rel="stylesheet" href="/s/{tok}/_/download/contextbatch/css/_super/batch.css" media="all">
</head>
<body id="com-atlassian-confluence" class="theme-default aui-layout aui-theme-default {bodyc}">
<div id="header-precursor"><div class="cell">{announcement}</div></div>
<header id="header" role="banner"><nav class="aui-header aui-dropdown2-trigger-group" aria-label="Site"><div class="aui-header-primary"><h1 id="logo" class="aui-header-logo"><a href="/"><img src="/download/attachments/327682/logo.png?version={n}" alt="Kestrel University Wiki"></a></h1><ul class="aui-nav"><li><a href="/spacedirectory">Spaces</a></li><li><a href="/browsepeople.action">People</a></li><li><a href="/calendars">Calendars</a></li><li><a href="/questions">Questions</a></li></ul></div><div class="aui-header-secondary"><ul class="aui-nav"><li><form id="quick-search" class="aui-quicksearch"><input id="quick-search-query" type="text" placeholder="Search" name="queryString"></form></li><li><a href="/help">Help</a></li><li><a id="login-link" href="/login.action?os_destination=%2Fstatus">Log in</a></li></ul></div></nav></header>
<div class="ia-splitter"><div class="ia-splitter-left"><div class="ia-fixed-sidebar" role="complementary"><div class="acs-side-bar-space-info"><a href="/display/ITS">IT Services</a></div><ul class="acs-nav-list"><li><a href="/pages">Pages</a></li><li><a href="/blog">Blog</a></li></ul><h5 class="ia-secondary-header-title">Page tree</h5><ul class="plugin_pagetree_children_list"><li><a href="/display/ITS/Accounts">Accounts and passwords</a></li><li><a href="/display/ITS/Mail">E-mail and calendar</a></li><li><a href="/display/ITS/Wifi">Wi-Fi (eduroam)</a></li><li><a href="/display/ITS/VPN">VPN</a></li><li><a href="/display/ITS/Print">Printing</a></li><li><a href="/display/ITS/Software">Software catalogue</a></li><li><a href="/display/ITS/Rooms">Lecture room equipment</a></li>{tree}</ul></div></div>
<div id="main" class="aui-page-panel"><div id="main-header"><div id="navigation" class="content-navigation view"><ul class="ajs-menu-bar"><li><a href="#watch">Watch</a></li><li><a href="#share">Share</a></li></ul></div><ol id="breadcrumbs"><li><a href="/collector/pages.action?key=ITS">Pages</a></li><li><a href="/display/ITS">IT Services</a></li><li><a href="/display/ITS/Help">Get help</a></li></ol><h1 id="title-text" class="with-breadcrumbs"><a href="/display/ITS/Status">IT Service Status</a></h1></div>
<div id="content" class="page view"><div class="page-metadata"><ul><li class="page-metadata-modification-info">Created by <a class="url fn" href="/display/~tolsen">Tove Olsen</a>, {modified}</li><li>{readers} views</li></ul></div>
<div id="main-content" class="wiki-content">
{panel}
<p class="auto-cursor-target">The table is filled by our monitoring. Last refreshed {refreshed}.</p>
<div class="table-wrap"><table class="confluenceTable wrapped relative-table"><colgroup><col style="width: 30%;"><col style="width: 20%;"></colgroup><tbody><tr><th class="confluenceTh">Service</th><th class="confluenceTh">Status</th><th class="confluenceTh">Response time</th><th class="confluenceTh">Note</th></tr>
<tr><td class="confluenceTd">E-mail (Exchange)</td><td class="confluenceTd"><span class="status-macro aui-lozenge {lozm}">{mail}</span></td><td class="confluenceTd">{ms1} ms</td><td class="confluenceTd">{mailnote}</td></tr>
<tr><td class="confluenceTd">Wi-Fi (eduroam)</td><td class="confluenceTd"><span class="status-macro aui-lozenge">{wifi}</span></td><td class="confluenceTd">{ms2} ms</td><td class="confluenceTd">{wifinote}</td></tr>
<tr><td class="confluenceTd">VPN</td><td class="confluenceTd"><span class="status-macro aui-lozenge">{vpn}</span></td><td class="confluenceTd">{ms3} ms</td><td class="confluenceTd">&nbsp;</td></tr>
<tr><td class="confluenceTd">Learning platform (Moodle)</td><td class="confluenceTd"><span class="status-macro aui-lozenge">{moodle}</span></td><td class="confluenceTd">{ms4} ms</td><td class="confluenceTd">{moodlenote}</td></tr>
<tr><td class="confluenceTd">Printing</td><td class="confluenceTd"><span class="status-macro aui-lozenge">OPERATIONAL</span></td><td class="confluenceTd">{ms5} ms</td><td class="confluenceTd">&nbsp;</td></tr>
{newsvc}
</tbody></table></div>
<h2 id="ITServiceStatus-Incidents">Incidents</h2>
{incident}
<h2 id="ITServiceStatus-Plannedwork">Planned work</h2>
<ul>{planned}</ul>
<h2 id="ITServiceStatus-Past">Past incidents</h2><ul><li>3 Feb: Wi-Fi in the library was down for 40 minutes (broken switch).</li><li>19 Jan: Moodle was slow (exam week).</li></ul>
</div>
<div id="likes-and-labels-container"><div id="likes-section"><span class="like-summary">{likes}</span></div><div id="labels-section" class="pageSection group"><ul class="label-list"><li class="aui-label">status</li><li class="aui-label">helpdesk</li>{label}</ul></div></div>
<div id="comments-section" class="pageSection"><h2 class="section-title">{comments}</h2></div>
</div></div></div>
<div id="footer" role="contentinfo"><section class="footer-body"><p><a href="https://www.kestrel-university.example/imprint">Imprint</a> · <a href="https://www.kestrel-university.example/privacy">Privacy</a> · <a href="https://www.kestrel-university.example/accessibility">Accessibility</a> · <a href="https://social.example/@kestrel">Mastodon</a> · <a href="https://www.linkedin.com/school/kestrel">LinkedIn</a></p><ul id="poweredby"><li class="noprint">Powered by <a href="https://www.atlassian.com/software/confluence">Atlassian Confluence</a> <span id="footer-build-information">{cfoot}</span></li><li class="noprint"><a href="/feedback">Report a bug</a></li></ul><p>© 2025 Kestrel University, IT Services · Service desk: 4400, open until 18:00</p></section></div>
</body></html>
-- looks --
first cver="8.5.3" tok="1f7c" bodyc="" announcement="" tree="" modified="last modified by <a href='/display/~statusbot'>statusbot</a> 4 minutes ago" readers="10,482" panel="" refreshed="10:04" lozm="aui-lozenge-success" mail="OPERATIONAL" ms1="212" ms2="31" ms3="88" ms4="340" ms5="54" mailnote="&nbsp;" wifi="OPERATIONAL" wifinote="&nbsp;" vpn="OPERATIONAL" moodle="OPERATIONAL" moodlenote="&nbsp;" newsvc="" incident="<p>No incidents at the moment.</p>" planned="<li>Sat 15 March, 06:00–09:00: new firewall, short breaks of all services.</li>" likes="14 people like this" label="" comments="2 Comments" cfoot="8.5.3"
noise modified="last modified by <a href='/display/~statusbot'>statusbot</a> 1 minute ago" readers="10,497" refreshed="10:34" ms1="205" ms2="29" ms3="91" ms4="338" ms5="49"
noise modified="last modified by <a href='/display/~statusbot'>statusbot</a> 3 minutes ago" readers="10,511" refreshed="11:04" ms1="219" ms2="33" ms3="86" ms4="352" ms5="60"
wanted moodle="DEGRADED" modified="last modified by <a href='/display/~statusbot'>statusbot</a> 2 minutes ago" readers="10,540" refreshed="11:34" ms1="208" ms2="30" ms3="90" ms4="4,870" ms5="51"
wanted incident="<p><strong>11:50 Moodle slow.</strong> We are looking into long answer times of the learning platform.</p>" modified="last modified by <a href='/display/~tolsen'>Tove Olsen</a> 5 minutes ago" readers="10,702" refreshed="12:04" ms1="211" ms2="32" ms3="87" ms4="5,120" ms5="55"
noise modified="last modified by <a href='/display/~statusbot'>statusbot</a> just a moment ago" readers="10,933" refreshed="12:34" ms1="207" ms2="28" ms3="93" ms4="5,044" ms5="47" likes="15 people like this"
wanted incident="<p><strong>11:50 Moodle slow.</strong> We have found the cause of long answer times of the learning platform: a full disk.</p>" modified="last modified by <a href='/display/~tolsen'>Tove Olsen</a> 1 minute ago" readers="11,080" refreshed="13:04" ms1="216" ms2="31" ms3="89" ms4="4,310" ms5="58"
wanted moodle="OPERATIONAL" incident="<p>No incidents at the moment.</p>" modified="last modified by <a href='/display/~statusbot'>statusbot</a> 4 minutes ago" readers="11,145" refreshed="13:34" ms1="204" ms2="34" ms3="85" ms4="333" ms5="52"
equal tok="2b80" bodyc="contenteditor-ready" lozm="aui-lozenge-success js-lz2"
noise announcement="<p>Nominate your colleagues for the teaching prize until Friday.</p>" readers="11,170" refreshed="14:34" modified="last modified by <a href='/display/~statusbot'>statusbot</a> 2 minutes ago" ms1="213" ms2="29" ms3="92" ms4="341" ms5="50" comments="3 Comments" tree="<li><a href='/display/ITS/AI'>AI assistants</a></li>"
wanted planned="<li>Sat 22 March, 06:00–09:00: new firewall, short breaks of all services.</li>" readers="11,182" refreshed="15:04" modified="last modified by <a href='/display/~tolsen'>Tove Olsen</a> 8 minutes ago" ms1="210" ms2="30" ms3="84" ms4="345" ms5="57"
broken page="<!DOCTYPE html><html lang='en-GB'><head><title>Log In - Kestrel University Wiki</title></head><body class='login aui-page-focused'><header id='header'><a href='/'>Kestrel University Wiki</a></header><section id='content'><h1>Log in</h1><p>You are not permitted to view this page anonymously.</p><form><label>Username</label><input type='text'><label>Password</label><input type='password'><button>Log in</button><a href='/forgotuserpassword.action'>Forgot your password?</a></form></section></body></html>"
back readers="11,201" refreshed="16:04" modified="last modified by <a href='/display/~statusbot'>statusbot</a> 3 minutes ago" ms1="206" ms2="32" ms3="88" ms4="339" ms5="53" cver="8.5.4" cfoot="8.5.4"
wanted wifinote="Not available in building C until Monday." readers="11,220" refreshed="16:34" modified="last modified by <a href='/display/~tolsen'>Tove Olsen</a> 6 minutes ago" ms1="214" ms2="35" ms3="90" ms4="336" ms5="48"
noise announcement="" label="<li class='aui-label'>ops</li>" readers="11,233" refreshed="17:04" modified="last modified by <a href='/display/~statusbot'>statusbot</a> 1 minute ago" ms1="209" ms2="33" ms3="91" ms4="344" ms5="56"
wanted vpn="MAINTENANCE" readers="11,251" refreshed="17:34" modified="last modified by <a href='/display/~statusbot'>statusbot</a> 2 minutes ago" ms1="203" ms2="31" ms3="0" ms4="347" ms5="51"
