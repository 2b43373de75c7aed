kind sites-3
media text/html
<!DOCTYPE html>
<html dir="ltr" lang="de-DE">
<head>
<meta charset="utf-8">
<!-- This website is powered by TYPO3 - inspiring people to share! TYPO3 is a free open source Content Management Framework. -->
<title>Sitzungstermine – Landgericht Wendenau</title>
<meta name="generator" content="TYPO3 CMS"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="index,follow">
<meta property="og:title" content="Sitzungstermine"><meta property="og:site_name" content="Landgericht Wendenau">
<link rel="stylesheet" href="/typo3temp/assets/compressed/merged-{hash}.css?{ts}" media="all">
<link rel="canonical" href="https://lg-wendenau.justiz.example/service/sitzungstermine/">
</head>
<body id="p1184" class="page-1184 pagelevel-2 language-0 layout-default">
<div class="skiplinks"><a class="visually-hidden-focusable" href="#content">Zum Hauptinhalt springen</a></div>
{banner}
<header id="page-header" class="bp-page-header navbar navbar-mainnavigation navbar-has-image navbar-top"><div class="container"><a class="navbar-brand navbar-brand-image" href="/"><img class="navbar-brand-logo-normal" src="/fileadmin/img/wappen.svg" alt="Landgericht Wendenau" height="52"></a>
<nav aria-label="Hauptnavigation" id="mainnavigation" class="collapse navbar-collapse"><ul class="navbar-nav"><li class="nav-item"><a class="nav-link" href="/gericht/"><span class="nav-link-text">Das Gericht</span></a></li><li class="nav-item active"><a class="nav-link" href="/service/"><span class="nav-link-text">Service</span></a></li><li class="nav-item"><a class="nav-link" href="/presse/"><span class="nav-link-text">Presse</span></a></li><li class="nav-item"><a class="nav-link" href="/karriere/"><span class="nav-link-text">Karriere</span></a></li><li class="nav-item"><a class="nav-link" href="/kontakt/"><span class="nav-link-text">Kontakt und Anfahrt</span></a></li></ul></nav>
<form class="search" action="/suche/" method="get"><input type="hidden" name="cHash" value="{hash}"><input type="search" name="q" placeholder="Suchbegriff"><button type="submit">Suchen</button></form></div></header>
<nav class="breadcrumb-section" aria-label="Brotkrümelnavigation"><div class="container"><ol class="breadcrumb"><li class="breadcrumb-item"><a href="/">Startseite</a></li><li class="breadcrumb-item"><a href="/service/">Service</a></li><li class="breadcrumb-item active" aria-current="page">Sitzungstermine</li></ol></div></nav>
<div id="page-content" class="bp-page-content main-section"><!--TYPO3SEARCH_begin-->
<div class="section section-default"><div class="container"><div class="section-row">
<main id="content" class="section-column maincontent-wrap" role="main">
<div id="c4471" class="frame frame-default frame-type-header"><h1 class="element-header">Sitzungstermine der Strafkammern</h1></div>
<p class="stand">{stand}</p>
<div id="c4472" class="frame frame-default frame-type-text"><p>Die Übersicht enthält ausgewählte Termine der kommenden Wochen. Kurzfristige Änderungen sind möglich. Die Verhandlungen sind {public}, soweit nichts anderes vermerkt ist. Für die Angeklagten gilt bis zu einem rechtskräftigen Urteil die Unschuldsvermutung.</p>
<p>{security}</p></div>
<div id="c4473" class="frame frame-default frame-type-table"><div class="table-responsive"><table class="table table-striped contenttable">
<thead><tr><th scope="col">Datum</th><th scope="col">Uhrzeit</th><th scope="col">Saal</th><th scope="col">Aktenzeichen</th><th scope="col">Gegenstand</th><th scope="col">Bemerkung</th></tr></thead>
<tbody>
{r1}
{r2}
<tr><td>{d3}</td><td>09:30</td><td>{saal3}</td><td>2 KLs 41/25</td><td>Besonders schwerer Raub</td><td>Fortsetzung: 24.03., 26.03.</td></tr>
<tr><td>Do, 19.03.2026</td><td>{t4}</td><td>118</td><td>7 Ns 212/25</td><td>Berufung, Fahrlässige Tötung im Straßenverkehr</td><td>{b4}</td></tr>
{r5}
<tr><td>Di, 31.03.2026</td><td>09:00</td><td>Schwurgerichtssaal</td><td>1 Ks 3/26</td><td>Mord</td><td>{b6}</td></tr>
</tbody></table></div></div>
<div id="c4474" class="frame frame-default frame-type-text"><h2>Hinweise für Medien</h2><p>Akkreditierungsgesuche für das Verfahren 1 Ks 3/26 sind bis zum {akk} an die Pressestelle zu richten. Es stehen 18 Plätze für Medienvertreter zur Verfügung.</p></div>
<div class="frame feedback"><p>{feedback}</p></div>
</main>
<aside class="section-column subcontent-wrap"><div class="card"><div class="card-header">{teaserhead}</div><div class="card-body">{teaser}</div></div>
<div class="card"><div class="card-header">Häufig aufgerufen</div><div class="card-body"><ul class="linklist"><li>{top1}</li><li>{top2}</li><li>{top3}</li></ul></div></div>
<div class="card"><div class="card-header">Pressestelle</div><div class="card-body"><p>Richterin am Landgericht Dr. Heike Osterloh<br>Telefon 0555 2210-140<br><a href="#" data-mailto-token="{hash}" data-mailto-vector="1">presse(at)lg-wendenau.justiz.example</a></p></div></div></aside>
</div></div></div><!--TYPO3SEARCH_end--></div>
<footer id="page-footer" class="bp-page-footer"><section class="section footer-section"><div class="container"><p>Landgericht Wendenau, Schlossplatz 4, 00555 Wendenau</p><ul class="footer-nav"><li><a href="/impressum/">Impressum</a></li><li><a href="/datenschutz/">Datenschutz</a></li><li><a href="/barrierefreiheit/">Erklärung zur Barrierefreiheit</a></li><li><a href="/leichte-sprache/">Leichte Sprache</a></li></ul><p class="copyright">{copy}</p></div></section></footer>
{cookie}
<script src="/typo3temp/assets/compressed/merged-{hash}.js?{ts}"></script>
</body></html>
-- looks --
first hash="8a1f0c" ts="1772431200" banner="" stand="Stand: 02.03.2026, 07:30 Uhr" public="öffentlich" security="Am Eingang finden Einlasskontrollen statt. Bitte halten Sie einen Ausweis bereit." r1="<tr><td>Mo, 09.03.2026</td><td>09:00</td><td>204</td><td>4 KLs 12/25</td><td>Bandenmäßiger Handel mit Betäubungsmitteln</td><td>Fortsetzung: 11.03.</td></tr>" r2="<tr><td>Di, 10.03.2026</td><td>13:15</td><td>118</td><td>7 Ns 198/25</td><td>Berufung, Betrug</td><td></td></tr>" d3="Di, 17.03.2026" saal3="204" t4="10:00" b4="" r5="" b6="7 Fortsetzungstermine" akk="20.03.2026, 12:00 Uhr" feedback="War diese Seite hilfreich? Ja / Nein" teaserhead="Karriere" teaser="<p>Duales Studium Rechtspflege – jetzt bewerben!</p><a class='btn btn-primary' href='/karriere/rechtspflege/'>Mehr erfahren</a>" top1="<a href='/service/zeugen/'>Informationen für Zeugen</a>" top2="<a href='/service/formulare/'>Formulare</a>" top3="<a href='/kontakt/'>Anfahrt</a>" copy="© 2026 Landgericht Wendenau" cookie="<div class='cookiebar'>Wir verwenden nur technisch notwendige Cookies. <button>Verstanden</button></div>"
noise stand="Stand: 03.03.2026, 07:30 Uhr" top1="<a href='/service/formulare/'>Formulare</a>" top2="<a href='/service/zeugen/'>Informationen für Zeugen</a>"
wanted stand="Stand: 04.03.2026, 07:31 Uhr" t4="11:30"
equal hash="d20b77" ts="1772604000" r2="<tr class='odd'><td data-sort='20260310'>Di, 10.03.2026</td><td>13:15</td><td>118</td><td>7 Ns 198/25</td><td>Berufung, Betrug</td><td></td></tr>"
noise stand="Stand: 05.03.2026, 07:30 Uhr" teaser="<p>Wir suchen Wachtmeisterinnen und Wachtmeister (m/w/d).</p><a class='btn btn-primary' href='/karriere/wachtmeister/'>Mehr erfahren</a>" top3="<a href='/service/zahlung/'>Zahlungsverkehr</a>"
wanted stand="Stand: 06.03.2026, 07:30 Uhr" r2="<tr><td>Di, 10.03.2026</td><td>13:15</td><td>118</td><td>7 Ns 198/25</td><td>Berufung, Betrug</td><td>Termin aufgehoben</td></tr>"
noise banner="<div class='alert alert-info'>Girls’Day und Boys’Day am 23. April: Noch Plätze frei! <a href='/karriere/girlsday/'>Zur Anmeldung</a></div>" stand="Stand: 09.03.2026, 07:32 Uhr" top1="<a href='/karriere/'>Stellenangebote</a>"
wanted stand="Stand: 11.03.2026, 07:30 Uhr" r5="<tr><td>Mo, 23.03.2026</td><td>09:00</td><td>118</td><td>3 KLs 7/26</td><td>Schwerer Bandendiebstahl</td><td>Fortsetzung: 25.03., 30.03.</td></tr>" teaser="<p>Duales Studium Rechtspflege – jetzt bewerben!</p><a class='btn btn-primary' href='/karriere/rechtspflege/'>Mehr erfahren</a>"
broken page="<!DOCTYPE html><html lang='de'><head><title>Wartungsarbeiten</title></head><body><div class='typo3-error-page'><h1>Wartungsarbeiten</h1><p>Das Internetangebot der Justiz steht wegen Wartungsarbeiten vorübergehend nicht zur Verfügung. Bitte versuchen Sie es später erneut.</p><p>Fehlercode: 503</p></div></body></html>"
back hash="e90c31" ts="1773295200" stand="Stand: 12.03.2026, 07:30 Uhr"
noise stand="Stand: 13.03.2026, 07:30 Uhr" feedback="Helfen Sie uns, besser zu werden: <a href='/umfrage/'>Umfrage zum Internetauftritt der Justiz</a> (Dauer 3 Minuten)" top2="<a href='/service/schoeffen/'>Schöffenamt</a>" teaserhead="Arbeiten bei der Justiz" teaser="<p>Referendariat in Wendenau: nächster Einstellungstermin im Mai.</p><a class='btn btn-primary' href='/karriere/referendariat/'>Jetzt informieren</a>"
wanted stand="Stand: 16.03.2026, 07:31 Uhr" saal3="Schwurgerichtssaal"
wanted b4="Die Öffentlichkeit ist ausgeschlossen." stand="Stand: 17.03.2026, 07:30 Uhr" feedback="War diese Seite hilfreich? Ja / Nein"
noise stand="Stand: 18.03.2026, 07:30 Uhr" banner="" teaser="<p>Wir suchen Wachtmeisterinnen und Wachtmeister (m/w/d).</p><a class='btn btn-primary' href='/karriere/wachtmeister/'>Jetzt informieren</a>" copy="© 2026 Landgericht Wendenau | Ein Angebot der Landesjustiz" cookie=""
wanted akk="23.03.2026, 12:00 Uhr" stand="Stand: 19.03.2026, 07:30 Uhr" top3="<a href='/kontakt/'>Anfahrt</a>"
