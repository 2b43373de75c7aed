kind sites
media text/html
<!doctype html>
<html lang="de">
<head><meta charset="utf-8"><title>Wochenbericht Atemwegserkrankungen – Landesamt für Gesundheit Nordmark</title>
<meta name="last-build" content="{build}"><link rel="stylesheet" href="/assets/site.css?{build}"></head>
<body id="top" data-session="{build}">
<header>
<a href="/" class="logo"><img src="/assets/logo.svg" alt="Landesamt für Gesundheit Nordmark"></a>
<p class="service"><a href="/leichte-sprache">Leichte Sprache</a> <a href="/dgs">Gebärdensprache</a> <a href="/en">English</a></p>
<form role="search" action="/suche"><input type="search" name="q" placeholder="Suchbegriff eingeben"><button>Suchen</button></form>
<nav aria-label="Hauptmenü"><ul><li><a href="/infektionsschutz">Infektionsschutz</a></li><li><a href="/impfen">Impfen</a></li><li><a href="/umwelt">Umwelt und Gesundheit</a></li><li><a href="/trinkwasser">Trinkwasser</a></li><li><a href="/lebensmittel">Lebensmittel</a></li><li><a href="/berufe">Gesundheitsberufe</a></li><li><a href="/daten">Daten und Berichte</a></li><li><a href="/presse">Presse</a></li><li><a href="/karriere">Karriere</a></li>{menu}</ul></nav>
</header>
<nav aria-label="Sie sind hier"><ol class="brotkrumen"><li><a href="/">Startseite</a></li><li><a href="/infektionsschutz">Infektionsschutz</a></li><li><a href="/infektionsschutz/grippe">Grippe und Co.</a></li><li>Wochenbericht</li></ol></nav>
{stoerer}
<main>
<article>
<h1>Wochenbericht Atemwegserkrankungen</h1>
<p class="stand">{stand}</p>
<p class="teaser">Das Landesamt wertet jede Woche die Meldungen der Gesundheitsämter aus. {lage}</p>
<section>
<h2>Gemeldete Fälle nach Kreisen, {kw}</h2>
<table>
<caption>Laborbestätigte Fälle, in Klammern je 100.000 Einwohner</caption>
<thead><tr><th scope="col">Kreis</th><th scope="col">Influenza</th><th scope="col">RSV</th><th scope="col">COVID-19</th><th scope="col">Trend</th></tr></thead>
<tbody>
<tr><th scope="row">Stadt Harsefeld</th><td>{hi}</td><td>38 (15,9)</td><td>21 (8,8)</td><td>{ht}</td></tr>
<tr><th scope="row">Kreis Ostheide</th><td>{oi}</td><td>{or}</td><td>9 (6,1)</td><td>gleichbleibend</td></tr>
<tr><th scope="row">Kreis Wümmetal</th><td>74 (55,0)</td><td>17 (12,6)</td><td>{wc}</td><td>{wt}</td></tr>
<tr><th scope="row">Kreis Marsch</th><td>{mi}</td><td>11 (9,4)</td><td>6 (5,1)</td><td>fallend</td></tr>
</tbody>
<tfoot><tr><th scope="row">Land gesamt</th><td>{gi}</td><td>{gr}</td><td>{gc}</td><td></td></tr></tfoot>
</table>
<p><small>{fussnote}</small></p>
</section>
<section>
<h2>Empfehlungen</h2>
<ul>
<li>{maske}</li>
<li>Personen ab {alter} Jahren sollen sich gegen Grippe impfen lassen.</li>
{besuch}<li>Bei Fieber zu Hause bleiben.</li>
</ul>
</section>
<section>
<h2>Bürgertelefon</h2>
<p>Telefon 0800 555 0117, {tel}. {impf}</p>
</section>
<section class="downloads"><h2>Zum Herunterladen</h2><ul>{pdf}<li><a href="/media/wochenbericht-2026-06.pdf?nn={build}">Wochenbericht 6/2026</a> (PDF, 1,1 MB, nicht barrierefrei)</li><li><a href="/media/methodik.pdf?nn={build}">Hinweise zur Methodik</a> (PDF, 230 KB)</li></ul></section>
<p class="teilen">Seite teilen: <a href="mailto:?subject=Wochenbericht">E-Mail</a> <a href="https://www.facebook.com/sharer">Facebook</a> <a href="https://mastodon.example/share">Mastodon</a> <button>Seite drucken</button></p>
</article>
</main>
<aside>
<section><h2>Meistgelesen</h2><ol>{top}</ol></section>
<section><h2>Pollenflug heute</h2><p>{pollen}</p></section>
<section><h2>Aktuelle Meldungen</h2><ul>{meldungen}</ul></section>
<section><h2>Termine</h2><p>{termin}</p></section>
</aside>
<footer>
<nav aria-label="Service"><ul><li><a href="/impressum">Impressum</a></li><li><a href="/datenschutz">Datenschutz</a></li><li><a href="/barrierefreiheit">Erklärung zur Barrierefreiheit</a></li><li><a href="/kontakt">Kontakt</a></li><li><a href="/newsletter">Newsletter</a></li><li><a href="/rss">RSS</a></li></ul></nav>
<ul class="sozial"><li><a href="https://mastodon.example/@lgnordmark">Mastodon</a></li><li><a href="https://www.instagram.com/lgnordmark">Instagram</a></li><li><a href="https://www.youtube.com/lgnordmark">YouTube</a></li></ul>
<p>© 2026 Landesamt für Gesundheit Nordmark – {abruf}</p>
<p><a href="#top">Nach oben</a></p>
</footer>
<dialog open class="cookies"><p>Wir verwenden Cookies, um die Nutzung unserer Website zu verstehen. {cookie}</p><button>Alle zulassen</button><button>Nur notwendige</button></dialog>
<script src="/assets/site.js?{build}" defer></script>
</body></html>
-- looks --
first build="b{n}77e" menu="" stoerer="" stand="Stand: Mittwoch, 11. Februar 2026, abgerufen 08:12 Uhr" lage="Die Grippewelle hält an." kw="Kalenderwoche 6" hi="212 (88,9)" ht="steigend" oi="96 (65,2)" or="22 (14,9)" wc="13 (9,7)" wt="steigend" mi="58 (49,6)" gi="440" gr="88" gc="49" fussnote="Die Zahlen für den Kreis Marsch sind vorläufig." maske="In Krankenhäusern wird das Tragen einer Maske empfohlen." alter="60" besuch="<li>Besuche in Pflegeheimen sind auf zwei Personen begrenzt.</li>" tel="Montag bis Freitag von 8 bis 16 Uhr" impf="Die offene Impfsprechstunde findet jeden Donnerstag statt." pdf="" top="<li><a href='/a/1'>Masern: Was Eltern wissen sollten</a></li><li><a href='/a/3'>Wochenbericht Atemwegserkrankungen</a></li><li><a href='/a/2'>Zecken schon im Februar</a></li>" pollen="Hasel: mittel, Erle: gering" meldungen="<li><a href='/a/21'>Badegewässer: Anmeldung der Messstellen</a></li><li><a href='/a/20'>Neue Amtsärztin in Ostheide</a></li>" termin="19. Februar: Fachtag Hygiene" abruf="1.204 Aufrufe heute" cookie=""
noise stand="Stand: Mittwoch, 11. Februar 2026, abgerufen 13:40 Uhr" abruf="3.377 Aufrufe heute" pollen="Hasel: stark, Erle: gering"
wanted oi="98 (66,6)" gi="442" stand="Stand: Donnerstag, 12. Februar 2026, abgerufen 09:05 Uhr" abruf="880 Aufrufe heute"
noise stand="Stand: Donnerstag, 12. Februar 2026, abgerufen 15:31 Uhr" abruf="2.910 Aufrufe heute" top="<li><a href='/a/2'>Zecken schon im Februar</a></li><li><a href='/a/1'>Masern: Was Eltern wissen sollten</a></li><li><a href='/a/3'>Wochenbericht Atemwegserkrankungen</a></li>" termin="5. März: Tag der offenen Tür"
equal build="c{n}01a"
wanted maske="In Krankenhäusern ist das Tragen einer Maske Pflicht." stand="Stand: Freitag, 13. Februar 2026, abgerufen 08:00 Uhr" abruf="640 Aufrufe heute" pollen="Hasel: stark, Erle: mittel"
noise stand="Stand: Sonnabend, 14. Februar 2026, abgerufen 08:00 Uhr" abruf="211 Aufrufe heute" meldungen="<li><a href='/a/22'>Warnung vor Methanol in Spirituosen aus dem Urlaub</a></li><li><a href='/a/21'>Badegewässer: Anmeldung der Messstellen</a></li>" stoerer="<section class='stoerer'><p>Wie gefällt Ihnen unsere Website? <a href='/umfrage'>Jetzt an der Umfrage teilnehmen</a></p></section>"
wanted tel="Montag bis Sonnabend von 8 bis 18 Uhr" stand="Stand: Montag, 16. Februar 2026, abgerufen 08:00 Uhr" abruf="702 Aufrufe heute"
wanted fussnote="" stand="Stand: Montag, 16. Februar 2026, abgerufen 14:00 Uhr" abruf="1.950 Aufrufe heute"
noise stand="Stand: Dienstag, 17. Februar 2026, abgerufen 08:00 Uhr" abruf="590 Aufrufe heute" top="<li><a href='/a/3'>Wochenbericht Atemwegserkrankungen</a></li><li><a href='/a/4'>Legionellen in der Dusche</a></li><li><a href='/a/1'>Masern: Was Eltern wissen sollten</a></li>" stoerer="" cookie="Ihre Auswahl gilt 6 Monate."
wanted kw="Kalenderwoche 7" hi="187 (78,4)" ht="fallend" mi="61 (52,1)" wc="15 (11,2)" gi="420" gc="51" pdf="<li><a href='/media/wochenbericht-2026-07.pdf'>Wochenbericht 7/2026</a> (PDF, 1,2 MB, nicht barrierefrei)</li>" stand="Stand: Mittwoch, 18. Februar 2026, abgerufen 12:00 Uhr" abruf="2.401 Aufrufe heute"
noise stand="Stand: Donnerstag, 19. Februar 2026, abgerufen 08:00 Uhr" abruf="733 Aufrufe heute" menu="<li><a href='/krise'>Krisenvorsorge</a></li>" pollen="Hasel: gering, Erle: stark"
wanted impf="Die offene Impfsprechstunde findet bis auf Weiteres nicht statt." stand="Stand: Freitag, 20. Februar 2026, abgerufen 08:00 Uhr" abruf="615 Aufrufe heute"
broken page="<!doctype html><html lang='de'><head><title>Sicherheitsabfrage</title></head><body><main><h1>Sicherheitsabfrage</h1><p>Aus Ihrem Netz kamen ungewöhnlich viele Anfragen. Bitte geben Sie die Zeichen aus dem Bild ein.</p><form method='post'><img src='/captcha?{n}' alt='Captcha'><input name='code'><button>Weiter</button></form></main></body></html>"
wanted besuch="" stand="Stand: Montag, 23. Februar 2026, abgerufen 08:00 Uhr" abruf="690 Aufrufe heute" pollen="Hasel: gering, Erle: mittel"
noise stand="Stand: Montag, 23. Februar 2026, abgerufen 16:00 Uhr" abruf="2.044 Aufrufe heute" top="<li><a href='/a/4'>Legionellen in der Dusche</a></li><li><a href='/a/3'>Wochenbericht Atemwegserkrankungen</a></li><li><a href='/a/5'>Hitzeaktionsplan</a></li>" termin="12. März: Impftag im Rathaus Harsefeld"
