kind sites
media text/html
<!DOCTYPE html>
<html lang="en" class="desktop-view not-mobile-device text-size-normal anon">
<head>
<meta charset="utf-8"><title>Lanternbox 5 – release notes - Announcements - Lanternbox Community</title>
<meta name="generator" content="Discourse {dver} - https://github.com/discourse/discourse version {sha}">
<link rel="stylesheet" href="/stylesheets/desktop_{sha}.css?__ws=forum.lanternbox.example" data-target="desktop">
<meta name="csrf-param" content="authenticity_token"><meta name="csrf-token" content="{n}PzQ{sha}">
</head>
<body class="crawler docked tags-release category-announcements archetype-regular"><discourse-assets></discourse-assets>
{globalnotice}
<div id="main-outlet-wrapper" class="wrap"><div class="d-header-wrap"><header class="d-header"><div class="title"><a href="/"><img id="site-logo" class="logo-big" src="/uploads/logo.png?{sha}" alt="Lanternbox Community"></a></div><div class="panel"><span class="header-buttons"><button class="btn btn-primary btn-small sign-up-button">Sign Up</button><button class="btn btn-primary btn-small login-button">Log In</button></span></div></header></div>
<div class="sidebar-wrapper"><div class="sidebar-container"><ul class="sidebar-section-links"><li><a class="sidebar-section-link" href="/latest">Topics</a></li><li><a class="sidebar-section-link" href="/about">About</a></li><li><a class="sidebar-section-link" href="/faq">FAQ</a></li><li><a class="sidebar-section-link" href="/badges">Badges</a></li></ul><h3 class="sidebar-section-header">Categories</h3><ul class="sidebar-section-links"><li><a href="/c/announcements">Announcements</a></li><li><a href="/c/support">Support</a></li><li><a href="/c/feature-requests">Feature requests</a></li><li><a href="/c/showcase">Showcase</a></li><li><a href="/c/plugins">Plugins</a></li><li><a href="/c/offtopic">Off-topic</a></li>{cat}</ul><p class="whos-online">{online}</p></div></div>
<div id="main-outlet"><div id="topic-title"><h1 data-topic-id="5120"><a href="/t/lanternbox-5-release-notes/5120" class="fancy-title">Lanternbox 5 – release notes</a></h1><div class="topic-category"><a class="badge-category__wrapper" href="/c/announcements/4"><span class="badge-category__name">Announcements</span></a> <a class="discourse-tag box" href="/tag/release">release</a></div></div>
<div class="container posts"><div class="topic-area"><div class="post-stream"><div class="topic-post clearfix topic-owner group-staff regular" data-post-number="1"><article id="post_1" class="boxed onscreen-post" data-post-id="{sha}"><div class="row"><div class="topic-avatar"><a class="trigger-user-card main-avatar" href="/u/rosalind"><img alt="" width="48" height="48" src="/user_avatar/rosalind/48/{n}.png" class="avatar"></a></div>
<div class="topic-body clearfix"><div class="topic-meta-data"><div class="names"><span class="first username staff"><a href="/u/rosalind">rosalind</a></span> <span class="user-title">{title}</span></div><div class="post-infos"><div class="post-info edits"><a class="post-edit" title="post was edited">{edits}</a></div><a class="post-date" href="/t/5120/1"><span class="relative-date">{age}</span></a></div></div>
<div class="regular contents"><div class="cooked"><p>This topic lists what changed in each release of Lanternbox 5. Older series: <a href="/t/lanternbox-4/3302">Lanternbox 4</a>. Downloads are at <a href="https://lanternbox.example/download">lanternbox.example/download</a>.</p>
<p><strong>Supported systems:</strong> Debian {deb}, Fedora 39+, macOS {mac}, Windows 10+.</p>
{newest}
<h2><a name="p-9-542" class="anchor" href="#p-9-542"></a>5.4.1 – 6 February</h2><ul><li>Fixed: the timeline jumped when a clip was longer than an hour.</li><li>Fixed: subtitles in right-to-left scripts were cut.</li>{fix541}</ul><p>SHA-256 <code>{sum}</code></p>
<h2><a name="p-9-540" class="anchor" href="#p-9-540"></a>5.4.0 – 21 January</h2><ul><li>New: scenes can be grouped.</li><li>New: {codec} export.</li><li>Changed: the project file format is now 12. {compat}</li></ul>
<h2><a name="p-9-530" class="anchor" href="#p-9-530"></a>5.3.0 – 2 December</h2><ul><li>New: dark theme for the mixer.</li><li>Removed: QuickTime import.</li></ul>
{known}</div></div>
<section class="post-menu-area clearfix"><nav class="post-controls"><div class="actions"><button class="btn-flat like-count">{likes} Likes</button><button class="btn-flat share">Share</button><button class="btn-flat bookmark">Bookmark</button></div></nav></section>
<div class="topic-map"><ul><li>views <span class="number">{views}</span></li><li>links <span class="number">14</span></li><li>read <span class="number">3 min</span></li></ul></div></div></div></article></div></div>
<div class="topic-status-info">This topic is closed to replies.</div></div></div>
<div class="more-topics__container"><h3 class="more-topics-title">{sugtitle}</h3><table class="topic-list suggested-topics"><thead><tr><th>Topic</th><th>Replies</th><th>Views</th><th>Activity</th></tr></thead><tbody><tr class="topic-list-item"><td>{s1}</td></tr><tr class="topic-list-item"><td>{s2}</td></tr><tr class="topic-list-item"><td>{s3}</td></tr></tbody></table></div></div></div>
<footer class="crawler-footer"><a href="https://lanternbox.example">Home page</a> <a href="/guidelines">Guidelines</a> <a href="/tos">Terms of Service</a> <a href="/privacy">Privacy Policy</a> <a href="https://mastodon.example/@lanternbox">Mastodon</a> <a href="https://github.com/lanternbox">GitHub</a> <a href="https://www.youtube.com/lanternbox">YouTube</a><p>© Lanternbox contributors. {powered}</p></footer>
{cookienote}
</body></html>
-- looks --
first dver="3.2.0" sha="b20e" globalnotice="" cat="" online="23 users online" title="team" edits="9" age="Dec 2024" deb="12+" mac="12+" newest="" fix541="" sum="7be2 91c0 44fa 0d18" codec="AV1" compat="Older versions can still open it." known="<p><strong>Known issues:</strong> proxies are not rebuilt after a crash.</p>" likes="118" views="3.4k" sugtitle="Suggested Topics" s1="Audio drifts after export — 6 replies, 211 views, 2h" s2="Show your first film! — 340 replies, 18.2k views, 4h" s3="Plugin: chroma wheel — 12 replies, 902 views, 1d" powered="Powered by Discourse, best viewed with JavaScript enabled" cookienote=""
noise online="31 users online" s1="How do I rotate a clip? — 3 replies, 54 views, 10m" s2="Audio drifts after export — 7 replies, 230 views, 1h" s3="Show your first film! — 341 replies, 18.2k views, 3h"
equal sha="c91a" dver="3.2.1"
noise online="19 users online" views="3.5k" likes="119" s1="Crash on Wayland — 21 replies, 1.1k views, 5m" s2="Feature: keyboard macros — 44 replies, 2.0k views, 2h" s3="How do I rotate a clip? — 5 replies, 80 views, 6h"
wanted newest="<h2><a name='p-9-542' class='anchor'></a>5.4.2 – 27 February</h2><ul><li>Fixed: export stopped at 99 % on slow discs.</li></ul>" edits="10" online="44 users online" views="3.6k" s1="5.4.2 is out — 2 replies, 40 views, 3m" s2="Crash on Wayland — 25 replies, 1.2k views, 1h" s3="Plugin: chroma wheel — 13 replies, 930 views, 8h"
wanted sum="7be2 91c0 44fa 0d81" edits="11" online="27 users online"
noise cookienote="<div class='cookie-consent'>This forum uses cookies to keep you signed in. <button class='btn'>Got it</button></div>" online="25 users online" views="3.7k" likes="121" s1="Show your first film! — 344 replies, 18.4k views, 20m" s3="Proxy resolution? — 1 reply, 12 views, 2h"
wanted known="" edits="12" online="30 users online" s2="Proxy resolution? — 2 replies, 19 views, 9m" s3="Font kerning in titles — 8 replies, 164 views, 3h"
broken page="<!DOCTYPE html><html lang='en'><head><title>Oops</title></head><body><h1>Oops</h1><p>The software powering this discussion forum encountered an unexpected problem. We apologize for the inconvenience.</p><p>Detailed information about the error was logged, and an automatic notification generated. We’ll take a look at it.</p></body></html>"
back online="8 users online" s1="Forum was down? — 4 replies, 61 views, 2m" sha="d00f"
wanted compat="Older versions cannot open it." edits="13" online="22 users online" views="3.9k"
noise globalnotice="<div class='alert alert-info'>Community call on Thursday at 17:00 UTC – all welcome!</div>" title="release manager" age="Dec 3, 2024" online="36 users online" likes="126" s1="Community call agenda — 9 replies, 120 views, 1h" s2="Crash on Wayland — 31 replies, 1.4k views, 5h" s3="Show your first film! — 350 replies, 18.9k views, 7h"
wanted mac="13+" edits="14" online="29 users online" globalnotice=""
noise sugtitle="Related topics" cat="<li><a href='/c/jobs'>Jobs</a></li>" online="33 users online" views="4.0k" cookienote=""
wanted fix541="<li>Security: a crafted project file could write outside its folder.</li>" edits="15" online="41 users online" likes="127" s3="Feature: keyboard macros — 47 replies, 2.1k views, 15m"
noise powered="Powered by Discourse" online="38 users online" views="4.1k" edits="16"
