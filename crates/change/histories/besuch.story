kind sites-2
media text/html
<!DOCTYPE html>
<html lang="de"><head><meta charset="utf-8"><title>Besuchszeiten und Besuchsregeln – Klinikum Sankt Wendelin</title><!-- {comment} -->
<link rel="stylesheet" href="/typo3temp/assets/{asset}.css"></head>
<body id="p418" class="elementor-page">
<section class="top-hinweis">{hinweis}</section>
<header><div class="logo"><a href="/">Klinikum Sankt Wendelin</a></div><div class="meta"><a href="tel:+4968000">Zentrale 0680 / 44-0</a> <a href="/notfall">Notfall</a> <a href="/leichte-sprache">Leichte Sprache</a> <a href="/en">English</a></div>
<nav class="main"><ul><li><a href="/kliniken">Kliniken &amp; Zentren</a></li><li><a href="/patienten">Patienten</a></li><li><a href="/besucher">Besucher</a></li><li><a href="/zuweiser">Zuweiser</a></li><li><a href="/pflege">Pflege</a></li><li><a href="/karriere">Karriere</a></li><li><a href="/ueber-uns">Über uns</a></li><li><a href="/aktuelles">Aktuelles</a></li><li><a href="/kontakt">Kontakt</a></li></ul></nav></header>
<div class="slider" data-pos="{pos}">{slider}</div>
<div class="pfad">Sie sind hier: <a href="/">Start</a> / <a href="/besucher">Besucher</a> / Besuchsregeln</div>
<div class="spalten"><div class="inhalt">
<h1>Besuchszeiten und Besuchsregeln</h1>
<div class="teilen">Seite teilen: <a href="https://facebook.example/s?u=besuch&amp;k={n}">Facebook</a> <a href="https://wa.example/s?k={n}">WhatsApp</a> <a href="/besucher/druck?k={n}">Drucken</a></div>
<p class="vorspann">Besuch tut gut. Damit unsere Patientinnen und Patienten trotzdem zur Ruhe kommen und Untersuchungen ungestört stattfinden, bitten wir Sie, die folgenden Regeln zu beachten.</p>
<h2>Wann Sie kommen können</h2>
<div class="tabelle"><div class="z"><span>Allgemeine Stationen</span><span>{allg}</span></div><div class="z"><span>Intensivstation (I1, I2)</span><span>{intensiv}</span></div><div class="z"><span>Geburtshilfe</span><span>15:00–17:00 Uhr, Partner jederzeit</span></div><div class="z"><span>Kinderklinik</span><span>Eltern rund um die Uhr, andere 15:00–18:00 Uhr</span></div>{psych}<div class="z"><span>Palliativstation</span><span>ohne feste Zeiten</span></div></div>
<h2>Was wir von Ihnen erwarten</h2>
<ul><li>{anzahl}</li><li>Bitte melden Sie sich vor dem ersten Besuch am Stützpunkt der Station.</li><li>{maske}</li><li>Desinfizieren Sie die Hände, wenn Sie die Station betreten und verlassen.</li><li>{kinder}</li><li>Topfpflanzen sind auf keiner Station erlaubt, Schnittblumen nicht auf den Intensivstationen.</li></ul>
{teststelle}
<h2>Wenn Sie krank sind</h2>
<p>Kommen Sie bitte nicht, wenn Sie Fieber, Husten oder Durchfall haben oder in den letzten {tage} Tagen hatten. Rufen Sie die Station an: Vieles lässt sich am Telefon klären, und ein Besuch kann nachgeholt werden.</p>
<h2>Anfahrt und Parken</h2>
<p>Das Parkhaus Nord ist durchgehend geöffnet. Die erste halbe Stunde ist frei, danach kostet jede angefangene Stunde {park}. Die Buslinien 3 und 12 halten vor dem Haupteingang.</p>
<h2>Zum Herunterladen</h2>
<ul class="dl">{dl}</ul>
<p class="feedback">{feedback}</p>
</div>
<div class="rand"><div class="kasten rot"><b>Zentrale Notaufnahme</b><br>{warte}</div>
<div class="kasten"><b>Ansprechpartner</b><ul>{anspr}</ul></div>
<div class="kasten"><b>Aktuelles</b>{aktuell}</div>
<div class="kasten"><b>Wir suchen Sie!</b><br>{stellen}</div>
<div class="kasten"><b>Speiseplan</b><br>{speise}</div></div></div>
<footer><div class="social"><a href="https://facebook.example/ksw">Facebook</a> <a href="https://instagram.example/ksw">Instagram</a> <a href="https://youtube.example/ksw">YouTube</a></div><div><a href="/impressum">Impressum</a> <a href="/datenschutz">Datenschutz</a> <a href="/barrierefreiheit">Barrierefreiheit</a> <a href="/lob-und-kritik">Lob und Kritik</a></div><div>{rechte}</div></footer>
<div class="cookie-overlay">{cookie}</div>
<script src="/typo3temp/assets/{asset}.js"></script></body></html>
-- looks --
first comment="cached 2026-02-02 06:00:11" asset="merged-51ab" hinweis="" pos="1" slider="<p>Ausgezeichnet: Top-Klinik Geburtshilfe 2026</p>" allg="täglich 14:00–19:00 Uhr" intensiv="täglich 16:00–18:00 Uhr" psych="<div class='z'><span>Psychiatrie (P3)</span><span>Mi, Sa und So 14:00–17:00 Uhr</span></div>" anzahl="Höchstens zwei Personen zur gleichen Zeit am Bett." maske="Das Tragen einer Maske wird in allen Gebäuden empfohlen." kinder="Kinder unter 12 Jahren kommen bitte nur in Begleitung Erwachsener." teststelle="<p>Schnelltests erhalten Sie kostenlos am Empfang, montags bis freitags von 8 bis 16 Uhr.</p>" tage="zwei" park="1,50 Euro" dl="<li><a href='/fileadmin/besuch/hausordnung.pdf'>Hausordnung (PDF)</a></li><li><a href='/fileadmin/besuch/lageplan.pdf'>Lageplan (PDF)</a></li>" feedback="War diese Seite hilfreich? Ja / Nein" warte="Wartezeit derzeit: ca. 45 Minuten" anspr="<li>Patientenfürsprecher: Herr Lauer, Tel. 44-210</li><li>Seelsorge: Frau Thiel, Tel. 44-230</li><li>Grüne Damen: Frau Jung, Tel. 44-255</li>" aktuell="<p><a href='/a/88'>Neuer Chefarzt in der Orthopädie</a></p><p><a href='/a/87'>Infoabend für werdende Eltern</a></p>" stellen="37 offene Stellen" speise="Montag: Linseneintopf, Apfelstrudel" rechte="© 2026 Klinikum Sankt Wendelin gGmbH" cookie="Wir verwenden Cookies. <button>Alle akzeptieren</button> <button>Nur notwendige</button>"
noise comment="cached 2026-02-03 06:00:09" pos="2" slider="<p>Pflege mit Herz – jetzt bewerben!</p>" warte="Wartezeit derzeit: ca. 1 Stunde 20 Minuten" speise="Dienstag: Kartoffelpuffer mit Apfelmus"
wanted allg="täglich 14:00–18:00 Uhr" warte="Wartezeit derzeit: ca. 30 Minuten" speise="Mittwoch: Rindergulasch, Spätzle"
equal comment="cached 2026-02-04 18:00:02" asset="merged-77fe" pos="4" dl="<li><a href='/fileadmin/besuch/hausordnung.pdf?1770192000' target='_blank' rel='noopener'>Hausordnung  (PDF)</a></li> <li><a href='/fileadmin/besuch/lageplan.pdf?1770192000' target='_blank' rel='noopener'>Lageplan  (PDF)</a></li>"
wanted maske="Das Tragen einer Maske ist in allen Gebäuden Pflicht."
noise aktuell="<p><a href='/a/89'>Spende für die Kinderklinik: 5.000 Euro vom Lions Club</a></p><p><a href='/a/88'>Neuer Chefarzt in der Orthopädie</a></p>" stellen="41 offene Stellen" warte="Wartezeit derzeit: ca. 55 Minuten" speise="Freitag: Seelachs, Petersilienkartoffeln"
wanted hinweis="<strong>Station B4: Wegen Noroviren bis auf Weiteres kein Besuch.</strong>" slider="<p>Tag der offenen Tür am 18. April</p>"
noise anspr="<li>Grüne Damen: Frau Jung, Tel. 44-255</li><li>Patientenfürsprecher: Herr Lauer, Tel. 44-210</li><li>Seelsorge: Frau Thiel, Tel. 44-230</li>" cookie="Ihre Privatsphäre ist uns wichtig. <button>Zustimmen</button> <button>Ablehnen</button> <button>Einstellungen</button>" feedback="Nehmen Sie an unserer Besucherbefragung teil! <a href='/umfrage'>Zur Umfrage (3 Minuten)</a>"
wanted anzahl="Höchstens eine Person zur gleichen Zeit am Bett."
equal comment="cached 2026-02-19 06:00:10" asset="merged-80c0" intensiv="<span class='nowrap'>täglich</span> 16:00&#8211;18:00&#32;Uhr" kinder="<em class='wichtig'>Kinder unter 12 Jahren</em> kommen bitte nur in Begleitung Erwachsener."
noise slider="<p>Ausgezeichnet: Top-Klinik Geburtshilfe 2026</p>" warte="Zurzeit keine Angabe zur Wartezeit" stellen="Über 40 offene Stellen – auch in Teilzeit" rechte="© 2026 Klinikum Sankt Wendelin gGmbH · Ein Haus der Wendelinus-Stiftung" speise="Freitag: Backfisch, Kartoffelsalat"
wanted teststelle="" warte="Wartezeit derzeit: ca. 40 Minuten" speise="Samstag: Nudelauflauf"
wanted dl="<li><a href='/fileadmin/besuch/hausordnung.pdf'>Hausordnung (PDF)</a></li><li><a href='/fileadmin/besuch/lageplan.pdf'>Lageplan (PDF)</a></li><li><a href='/fileadmin/besuch/merkblatt-norovirus.pdf'>Merkblatt Noroviren für Angehörige (PDF)</a></li>"
noise aktuell="<p><a href='/a/91'>Vortrag: Was tun bei Arthrose?</a></p><p><a href='/a/90'>40 Jahre Kinderklinik</a></p>" pos="3" slider="<p>Blutspende rettet Leben – Termine im März</p>" speise="Sonntag: Schweinebraten, Knödel" feedback="War diese Seite hilfreich? Ja / Nein"
