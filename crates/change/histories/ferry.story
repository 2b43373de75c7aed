kind sites-2
media text/html
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Timetable: Holmsound – Aust Isle | Skerry Line</title><link rel="stylesheet" href="/assets/skerry-{ver}.css"></head>
<body data-session="{sess}">
<div id="live-strip">{strip}</div>
<div id="masthead"><a href="/"><img src="/assets/logo.png" alt="Skerry Line"></a>
<ul id="nav"><li><a href="/book?s={sess}">Book</a></li><li><a href="/timetables">Timetables</a></li><li><a href="/fares">Fares</a></li><li><a href="/status">Service status</a></li><li><a href="/islands">The islands</a></li><li><a href="/onboard">On board</a></li><li><a href="/freight">Freight</a></li><li><a href="/groups">Groups</a></li><li><a href="/contact">Contact</a></li></ul></div>
<div id="trail"><a href="/">Home</a> &raquo; <a href="/timetables">Timetables</a> &raquo; Holmsound – Aust Isle</div>
<div id="wrap"><div id="left">
<h1>Holmsound – Aust Isle</h1>
<h2>Spring timetable <small>{valid}</small></h2>
<div class="next">{next}</div>
<div class="notices"><h3>Notices</h3>
{n1}
{n2}
{n3}
</div>
<h3>From Holmsound</h3>
<table class="tt" cellspacing="0"><caption>Crossing time about 55 minutes</caption>
<tr><th></th><th>Mon–Fri</th><th>Sat</th><th>Sun</th></tr>
<tr><td>1</td><td>{h1}</td><td>07:45</td><td>–</td></tr>
<tr><td>2</td><td>09:30</td><td>10:00</td><td>{h2su}</td></tr>
<tr><td>3</td><td>12:15</td><td>{h3sa}</td><td>13:00</td></tr>
{h4}
<tr><td>5</td><td>18:10</td><td>18:00</td><td>18:30</td></tr></table>
<h3>From Aust Isle</h3>
<table class="tt" cellspacing="0"><tr><th></th><th>Mon–Fri</th><th>Sat</th><th>Sun</th></tr>
<tr><td>1</td><td>{a1}</td><td>09:00</td><td>–</td></tr>
<tr><td>2</td><td>10:45</td><td>11:15</td><td>11:45</td></tr>
<tr><td>3</td><td>13:30</td><td>14:00</td><td>14:15</td></tr>
<tr><td>4</td><td>16:45</td><td>16:15</td><td>17:00</td></tr>
<tr><td>5</td><td>19:20</td><td>19:10</td><td>19:40</td></tr></table>
<p class="key">{key}</p>
<h3>Fares</h3>
<table class="fares" cellspacing="0"><tr><th></th><th>Single</th><th>Return</th></tr>
<tr><td>Adult</td><td>£9.40</td><td>{ret}</td></tr>
<tr><td>Child 5–15</td><td>£4.70</td><td>£8.40</td></tr>
<tr><td>Car up to 5 m, with driver</td><td>£31.00</td><td>£58.00</td></tr>
<tr><td>Motorcycle, with rider</td><td>£17.50</td><td>£32.00</td></tr></table>
<p>Islanders with a resident’s card pay half. Books of ten crossings are sold at the office on the pier and do not expire.</p>
<h3>Before you travel</h3>
<ul><li>Foot passengers: be at the gate {foot} minutes before departure.</li><li>Vehicles: be in the queue 30 minutes before departure. Vehicles over 7.5 t by arrangement only.</li><li>Bicycles travel free, {bikes}</li><li>Dogs are welcome on the outer deck and in the pet lounge.</li></ul>
<p><a href="/pdf/holmsound-aust-spring-2026.pdf?d={sess}">Download this timetable (PDF)</a></p>
<div class="ask">{ask}</div></div>
<div id="right"><div class="w"><h4>Crossing weather</h4>{weather}</div><div class="w"><h4>Harbour webcam</h4><img src="/cam/holmsound.jpg?{n}" alt=""><br>{cam}</div><div class="w"><h4>Stay on Aust</h4>{stay}</div><div class="w"><h4>Travellers say</h4>{quote}</div></div></div>
<div id="foot"><a href="/terms">Conditions of carriage</a> | <a href="/access">Accessibility</a> | <a href="/privacy">Privacy</a> | <a href="/jobs">Jobs</a> | <a href="https://facebook.example/skerryline">Facebook</a> | <a href="https://x.example/skerryline">X</a><br>{foottext}</div>
<div id="ck">{ck}</div>
</body></html>
-- looks --
first ver="5.0.2" sess="f00d11" strip="All routes: running normally. Updated 06:30" valid="29 March – 31 May 2026" next="Next sailing from Holmsound: 07:15, in 45 min" n1="" n2="<p class='notice'><b>Slipway works.</b> From 13 to 17 April vehicles over 6 m cannot be carried on sailing 3.</p>" n3="<p class='notice'><b>Easter Monday.</b> On 6 April a Sunday service is run.</p>" h1="07:15" h2su="10:30" h3sa="12:45" h4="<tr><td>4</td><td>15:30</td><td>15:00</td><td>15:45</td></tr>" a1="08:25" key="Sailing 1 from Holmsound does not run on 1 May." foot="10" ret="£16.80" bikes="no booking needed." ask="How easy was it to find your sailing? 1 2 3 4 5" weather="Wind SW 4, sea slight, 8°C" cam="Picture taken 06:28" stay="<a href='https://austinn.example'>The Aust Inn: two nights from £140</a>" quote="“Seals all the way!” – Morag, March" foottext="© 2026 Skerry Line Ltd. Registered in Scotland." ck="We use cookies. <a href='#'>Accept</a> <a href='/cookies'>Read more</a>"
noise strip="All routes: running normally. Updated 12:00" next="Next sailing from Holmsound: 12:15, in 15 min" weather="Wind SW 5, sea moderate, 9°C" cam="Picture taken 11:58"
wanted h1="07:05" strip="All routes: running normally. Updated 06:30" next="Next sailing from Holmsound: 07:05, in 35 min" weather="Wind W 3, sea slight, 7°C" cam="Picture taken 06:28"
equal ver="5.0.3" sess="beef22" h4="<tr class='odd' data-trip='4'><td>4</td><td> <time datetime='15:30'>15:30</time> </td><td> <time datetime='15:00'>15:00</time> </td><td> <time datetime='15:45'>15:45</time> </td></tr>"
wanted n2="<p class='notice'><b>Slipway works.</b> From 13 to 24 April vehicles over 6 m cannot be carried on sailing 3.</p>"
noise stay="<a href='https://pods.example'>Glamping pods with a view of the sound</a>" quote="“The soup alone is worth the crossing.” – Iain, April" next="Next sailing from Holmsound: 15:30, in 1 h 10 min" strip="All routes: running normally. Updated 14:15" weather="Wind NW 4, sea slight, 10°C" cam="Picture taken 14:18" ask="Win a day return for two: <a href='/survey'>take our survey</a>"
wanted n1="<p class='notice urgent'><b>Today, 9 April:</b> sailing 5 from Holmsound and its return are cancelled owing to high winds.</p>" strip="Some routes are disrupted. Updated 15:00" weather="Wind W 8, sea rough, 8°C" cam="Picture taken 15:02"
wanted n1="<p class='notice urgent'><b>Today, 9 April:</b> sailing 5 from Holmsound and its return are liable to cancellation owing to high winds.</p>" weather="Wind W 7, sea rough, 8°C"
noise n2="<p class='notice'><b>Easter Monday.</b> On 6 April a Sunday service is run.</p>" n3="<p class='notice'><b>Slipway works.</b> From 13 to 24 April vehicles over 6 m cannot be carried on sailing 3.</p>" weather="Wind W 6, sea moderate, 8°C" cam="Picture taken 17:31"
wanted n1="" n2="" next="Next sailing from Holmsound: 09:30, in 25 min" strip="All routes: running normally. Updated 09:00" weather="Wind SW 3, sea slight, 9°C" cam="Picture taken 09:02"
noise ck="Skerry Line and its partners use cookies. <a href='#'>Accept all</a> <a href='#'>Reject all</a>" foottext="© 2026 Skerry Line Ltd. Registered in Scotland. A member of Isles Group." quote="“Smooth as glass and on time.” – Petra, April" next="Next sailing from Holmsound: 10:30, in 5 min" cam="Picture taken 10:24"
wanted h3sa="12:45 F" key="Sailing 1 from Holmsound does not run on 1 May. F: foot passengers only."
equal sess="0dd077" ver="5.1.0" bikes="no&#32;booking needed.<!-- ab:B -->" a1="<span class='t t-early'>08:25</span>"
wanted ret="£17.20" weather="Wind S 2, sea smooth, 12°C" strip="All routes: running normally. Updated 16:00" next="Next sailing from Holmsound: 18:10, in 2 h 5 min"
noise strip="Summer sailings now on sale. <a href='/book?x'>Book early</a>" stay="<a href='https://austinn.example'>The Aust Inn: two nights from £155</a>" weather="Wind S 3, sea smooth, 13°C" cam="Picture taken 18:00" ask="How easy was it to find your sailing? 1 2 3 4 5" next="Next sailing from Holmsound: 18:10, in 8 min"
