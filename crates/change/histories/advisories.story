kind sites-2
media text/html
<!doctype html>
<html lang=en>
<head><meta charset=utf-8><title>libquarry: security advisories</title><link rel=stylesheet href=/main.{hash}.css integrity="sha384-{hash}"></head>
<body>
<p class=announce>{announce}</p>
<h3 class=site><a href=/>libquarry</a> <small>a parser for mining and survey formats</small></h3>
<p class=menu><a href=/docs/>Docs</a> · <a href=/download/>Download</a> · <a href=/news/>News</a> · <a href=/security/>Security</a> · <a href=/community/>Community</a> · <a href=/contribute/>Contribute</a> · <a href=/bindings/>Bindings</a> · <a href=/bench/>Benchmarks</a> · <a href=/faq/>FAQ</a> · <a href=https://git.example/quarry/libquarry>Source</a> {stars}</p>
<p class=crumb><a href=/>home</a> » <a href=/community/>community</a> » security</p>
<hr>
<h1>Security advisories</h1>
<p>Found something? Write to <code>security@libquarry.example</code>, encrypted if you can. The key is <code>{key}</code>. We answer within {answer} and ask for {embargo} before you publish. Please do not open a public issue.</p>
<h2>Supported releases</h2>
<dl>
<dt>3.2</dt><dd>security and bug fixes</dd>
<dt>3.1</dt><dd>{s31}</dd>
<dt>2.8 (LTS)</dt><dd>security fixes until {s28}</dd>
</dl>
<h2>Advisories</h2>
<p class=hint>{latest}</p>
<table>
<tr><th>Id<th>What<th>Severity<th>Affected<th>Fixed in<th>Published
{a7}
{a6}
<tr id=QSA-2026-01><td><a href=/security/qsa-2026-01/>QSA-2026-01</a> {cve1}<td>Read past the end of a buffer in the SEG-Y trace header<td>{sev1}<td>{aff1}<td>{fix1}<td>2026-01-20
<tr id=QSA-2025-09><td><a href=/security/qsa-2025-09/>QSA-2025-09</a> CVE-2025-51877<td>Endless loop on a LAS file with a negative step<td>Medium (5.3)<td>2.0.0 – 3.1.4<td>3.1.5, 2.8.11<td>2025-11-04
<tr id=QSA-2025-08><td><a href=/security/qsa-2025-08/>QSA-2025-08</a> CVE-2025-48120<td>Integer overflow when allocating a block model<td>Critical (9.1)<td>2.6.0 – 3.1.3<td>3.1.4, 2.8.10<td>2025-09-17
<tr id=QSA-2025-07><td><a href=/security/qsa-2025-07/>QSA-2025-07</a> CVE-2025-43009<td>Path traversal in <code>quarry-unpack</code><td>High (7.8)<td>all – 3.1.2<td>3.1.3, 2.8.9<td>2025-07-02
<tr id=QSA-2025-06><td><a href=/security/qsa-2025-06/>QSA-2025-06</a> CVE-2025-40551<td>Double free in the Python binding<td>Medium (6.2)<td>3.0.0 – 3.1.1<td>3.1.2<td>2025-06-11
<tr id=QSA-2025-05><td><a href=/security/qsa-2025-05/>QSA-2025-05</a> CVE-2025-38816<td>Use of an uninitialised value in the grid reader<td>Low (3.7)<td>3.0.0 – 3.1.0<td>3.1.1<td>2025-05-20
<tr id=QSA-2025-04><td><a href=/security/qsa-2025-04/>QSA-2025-04</a> CVE-2025-33090<td>Format string taken from the name of a layer<td>High (8.1)<td>2.2.0 – 3.0.6<td>3.0.7, 2.8.7<td>2025-04-02
</table>
<p>“Affected” names the first and the last release with the fault. A release that is not named here may still be affected if it was out of support when the advisory was written. Scores are CVSS 3.1 base scores and are our own; others may count differently.</p>
<h3>Working around QSA-2026-01</h3>
<pre>{workaround}</pre>
<p>Distributions that ship libquarry are told through the distros list, usually seven days ahead of publication. Ask us if you would like to be on it. Advisories before 2023 are in the <a href=/security/old/>archive</a>; the feed is <a href=/security/feed.xml>here</a>.</p>
<hr>
<div class=side><b>Sponsors this month</b> {sponsors}<br><b>Latest posts</b> {posts}<br><b>CI</b> {ci} <b>Downloads</b> {dl}</div>
<footer><p>{copy} · <a href=/license/>BSD-2-Clause</a> · <a href=/coc/>Code of conduct</a> · <a href=https://social.example/@libquarry>Mastodon</a> · <a href=https://chat.example/libquarry>Matrix</a> · <a href=/cookies/>{cookie}</a></p><p><small>{gen}</small></p></footer>
<script defer src=/s.{hash}.js></script>
</body></html>
-- looks --
first hash="c41d8" announce="Join us at QuarryConf, Freiberg, 11–12 June. Tickets are out." stars="★ 4,118" key="7A1C 90D2 44E8 1B3F" answer="three working days" embargo="90 days" s31="security fixes until 2026-06-30" s28="2027-12-31" latest="Newest advisory: 27 days ago" a7="" a6="" cve1="CVE-2026-10442" sev1="Medium (6.5)" aff1="2.4.0 – 3.2.0" fix1="3.2.1" workaround="quarry --no-trace-ext input.segy" sponsors="<a href='https://orelab.example'>Orelab</a> <a href='https://deepcore.example'>Deepcore GmbH</a>" posts="<a href='/news/rc'>3.3 release candidate</a> <a href='/news/fuzz'>A year of fuzzing</a>" ci="passing" dl="118k / week" copy="© 2011–2026 the libquarry authors" cookie="We set no cookies" gen="Generated 2026-02-16T04:00:07Z by stonesite 1.9 from 8c1fe02"
noise stars="★ 4,131" latest="Newest advisory: 28 days ago" ci="failing" dl="121k / week" gen="Generated 2026-02-17T04:00:05Z by stonesite 1.9 from 8c1fe02"
wanted fix1="3.2.1, 2.8.12" latest="Newest advisory: 29 days ago" gen="Generated 2026-02-18T04:00:09Z by stonesite 1.9 from 19aa4d7" ci="passing"
equal hash="07f2b" a6="<!-- QSA-2026-02 reserved -->" sev1="<span class='sev sev-m'>Medium (6.5)</span>" workaround="<code class='language-sh'>quarry --no-trace-ext input.segy</code>"
wanted sev1="<span class='sev sev-h'>High (7.5)</span>"
noise sponsors="<a href='https://deepcore.example'>Deepcore GmbH</a> <a href='https://surveyor.example'>Surveyor Cloud</a>" announce="Help us plan 3.4: take the user survey (5 minutes)." stars="★ 4,160" latest="Newest advisory: 35 days ago" gen="Generated 2026-02-24T04:00:06Z by stonesite 1.9 from 5be0010"
wanted a6="<tr id='QSA-2026-02'><td><a href='/security/qsa-2026-02/'>QSA-2026-02</a> CVE-2026-11907<td>Stack exhaustion on nested DXF blocks<td>Low (3.3)<td>3.0.0 – 3.2.1<td>not yet<td>2026-02-27" latest="Newest advisory: 1 day ago" stars="★ 4,166" gen="Generated 2026-02-28T04:00:06Z by stonesite 1.9 from 60de77a"
noise latest="Newest advisory: 4 days ago" posts="<a href='/news/33'>3.3 is out on Monday</a> <a href='/news/rc'>3.3 release candidate</a>" dl="119k / week" copy="© 2011–2026 the libquarry authors and contributors" gen="Generated 2026-03-03T04:00:08Z by stonesite 2.0 from 60de77a"
wanted a6="<tr id='QSA-2026-02'><td><a href='/security/qsa-2026-02/'>QSA-2026-02</a> CVE-2026-11907<td>Stack exhaustion on nested DXF blocks<td>Low (3.3)<td>3.0.0 – 3.2.1<td>3.2.2<td>2026-02-27"
noise announce="" sponsors="<a href='https://surveyor.example'>Surveyor Cloud</a> <a href='https://deepcore.example'>Deepcore GmbH</a>" stars="★ 4.2k" latest="Newest advisory: 10 days ago" cookie="No cookies here" gen="Generated 2026-03-09T04:00:04Z by stonesite 2.0 from 71c02fe"
wanted s31="end of life"
equal hash="b9e61" key="7A1C&#32;90D2&#32;44E8&#32;1B3F" cve1="<a rel='external nofollow' href='https://cve.example/CVE-2026-10442'>CVE-2026-10442</a>" aff1="2.4.0 &ndash; 3.2.0"
wanted aff1="1.9.0 – 3.2.0" latest="Newest advisory: 14 days ago" gen="Generated 2026-03-13T04:00:05Z by stonesite 2.0 from 93f4b1c"
noise latest="Newest advisory: 15 days ago" ci="passing (2 skipped)" dl="124k / week" posts="<a href='/news/33'>3.3 is out</a> <a href='/news/fuzz'>A year of fuzzing</a>" gen="Generated 2026-03-14T04:00:05Z by stonesite 2.0 from 93f4b1c"
