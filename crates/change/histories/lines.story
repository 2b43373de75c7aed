kind sites
media text/html
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Line status · Stannick Trams</title>
  <meta name="generator" content="Jekyll v4.3.3">
  <link rel="stylesheet" href="/assets/main.css?{sha}">
  <link type="application/atom+xml" rel="alternate" href="/feed.xml" title="Stannick Trams">
</head>
<body>{gap}
  <header class="site-header">
    <div class="wrapper">
      <a class="site-title" rel="author" href="/">Stannick Trams</a>
      <nav class="site-nav">
        <input type="checkbox" id="nav-trigger" class="nav-trigger">
        <div class="trigger">
          <a class="page-link" href="/status/">Line status</a>
          <a class="page-link" href="/timetables/">Timetables</a>
          <a class="page-link" href="/fares/">Fares</a>
          <a class="page-link" href="/map/">Map</a>
          <a class="page-link" href="/access/">Accessibility</a>
          <a class="page-link" href="/lost/">Lost property</a>
          <a class="page-link" href="/blog/">Depot blog</a>
          <a class="page-link" href="/jobs/">Jobs</a>
          <a class="page-link" href="/about/">About</a>
          {navlink}
        </div>
      </nav>
    </div>
  </header>
  <main class="page-content" aria-label="Content">
    <div class="wrapper">
      <p class="crumbs"><a href="/">Home</a> / <a href="/travel/">Travelling</a> / Line status</p>
      <article class="post h-entry">
        <header class="post-header">
          <h1 class="post-title p-name">Line status</h1>
          <p class="post-meta">{meta}</p>
        </header>
        <div class="post-content e-content">
          <p>{intro}</p>
          <h2 id="now">Now</h2>
          <dl class="lines">
            <dt class="l1">Line 1 Castle – Quayside</dt><dd>{l1}</dd>
            <dt class="l2">Line 2 University – Infirmary</dt><dd>{l2}</dd>
            <dt class="l3">Line 3 Quayside – Moor Top</dt><dd>{l3}</dd>
            <dt class="l4">Line 4 Ring</dt><dd>{l4}</dd>
            <dt class="l5">Night tram N1</dt><dd>{l5}</dd>
          </dl>
          <h2 id="planned">Planned work</h2>
          {planned}
          <ul class="work"><li>Moor Top: track renewal from {w1}, replacement bus from stop {stop}.</li>{w2}<li>Castle: the lift is out of order until {lift}.</li></ul>
          <h2 id="tickets">Tickets on replacement buses</h2>
          <p>{tickets} Day ticket {fare}.</p>
          <h2 id="desk">Travel desk</h2>
          <p>Quayside, open {desk}. Text 555-018.</p>
        </div>
        <div class="share">Share: <a href="https://bsky.app/intent/compose?text=status">Bluesky</a> <a href="https://www.facebook.com/sharer">Facebook</a> <a href="mailto:?body=status">Mail</a> <span>{likes}</span></div>
      </article>
      <section class="departures"><h3>Next from Quayside</h3><p>{next}</p></section>
      <section class="recent"><h3>From the depot blog</h3><ul class="post-list">{posts}</ul></section>
      <section class="tags"><h3>Tags</h3><p>{tags}</p></section>
      <section class="quote"><h3>Tram of the day</h3><p>{tram}</p></section>
      <section class="ad"><small>Our wraps</small><p>{wrap}</p></section>
    </div>
  </main>
  <footer class="site-footer h-card">
    <div class="wrapper">
      <h2 class="footer-heading">Stannick Trams</h2>
      <ul class="contact-list"><li>Depot Lane, Stannick</li><li><a href="mailto:hello@stannicktrams.example">hello@stannicktrams.example</a></li></ul>
      <ul class="social-media-list"><li><a href="https://github.com/stannicktrams">GitHub</a></li><li><a href="https://instagram.com/stannicktrams">Instagram</a></li><li><a href="https://bsky.app/stannicktrams">Bluesky</a></li><li><a href="/feed.xml">RSS</a></li></ul>
      <ul class="legal"><li><a href="/privacy/">Privacy</a></li><li><a href="/terms/">Conditions of carriage</a></li><li><a href="/cookies/">Cookies</a></li></ul>
      <p>© 2019–2026 Stannick Tramway Trust. Made with Jekyll and minima. {built}</p>
    </div>
  </footer>
  <div class="cookie-note">This site sets one cookie, to remember that you have read this note. <a href="#ok">Fine</a></div>
  <!-- {sha} -->
  <script src="/assets/app.js?{sha}" async></script>
</body>
</html>
-- looks --
first sha="3fa{n}b2" gap="" navlink="" meta="Mar 6, 2026, 07:15" intro="Everything that runs, and what does not. We write here first, then on the signs at the stops." l1="Good service" l2="Good service" l3="Minor delays" l4="Good service" l5="Good service" planned="<p>All times are for the first and last tram from the terminus.</p>" w1="Monday 16 March to Friday 20 March" stop="B" w2="<li>University: no trams on Sunday 29 March between 06:00 and 10:00.</li>" lift="the end of March" tickets="Tram tickets are valid on replacement buses." fare="£4.80" desk="weekdays 07:00 to 19:00, Saturdays 09:00 to 17:00" likes="3 likes" next="Line 1: 2 min, Line 3: 6 min, Line 4: 9 min" posts="<li><span class='post-meta'>Mar 2, 2026</span> <a class='post-link' href='/blog/61/'>Repainting number 17</a></li><li><span class='post-meta'>Feb 20, 2026</span> <a class='post-link' href='/blog/60/'>How a point heater works</a></li><li><span class='post-meta'>Feb 4, 2026</span> <a class='post-link' href='/blog/59/'>The driver who collected bells</a></li>" tags="delays (41) works (33) depot (12)" tram="Number 8, built 1954, painted cream and green." wrap="Wear it well: Stannick Opticians" built="Site built 2026-03-06 07:16"
noise next="Line 3: 1 min, Line 1: 4 min, Line 2: 5 min" meta="Mar 6, 2026, 07:45" built="Site built 2026-03-06 07:46"
wanted l3="Part suspended" meta="Mar 6, 2026, 08:10" built="Site built 2026-03-06 08:11" next="Line 1: 3 min, Line 4: 7 min, Line 2: 11 min"
wanted l3="Good service" meta="Mar 6, 2026, 10:02" built="Site built 2026-03-06 10:03" next="Line 2: 2 min, Line 1: 6 min, Line 3: 8 min" likes="5 likes"
equal sha="c81{n}0d" gap="   "
noise next="Line 4: 1 min, Line 3: 3 min, Line 1: 5 min" tram="Number 23, built 1991, the one with the squeak." built="Site built 2026-03-07 06:00" likes="6 likes"
noise posts="<li><span class='post-meta'>Mar 9, 2026</span> <a class='post-link' href='/blog/62/'>What we found under the seats</a></li><li><span class='post-meta'>Mar 2, 2026</span> <a class='post-link' href='/blog/61/'>Repainting number 17</a></li><li><span class='post-meta'>Feb 20, 2026</span> <a class='post-link' href='/blog/60/'>How a point heater works</a></li>" tags="delays (42) works (33) depot (13)" next="Line 1: 1 min, Line 3: 9 min, Line 2: 12 min" built="Site built 2026-03-09 12:30"
wanted w1="Monday 16 March to Saturday 21 March" next="Line 2: 4 min, Line 1: 4 min, Line 4: 10 min" built="Site built 2026-03-10 09:00" meta="Mar 10, 2026, 09:00"
noise navlink="<a class='page-link' href='/shop/'>Shop</a>" wrap="Fly from Stannick: Isle Air" next="Line 3: 2 min, Line 4: 6 min, Line 1: 8 min" built="Site built 2026-03-11 06:00" tram="Number 17, built 1978, fresh from the paint shop."
wanted tickets="Tram tickets are not valid on replacement buses." next="Line 1: 5 min, Line 2: 6 min, Line 3: 13 min" built="Site built 2026-03-12 06:00"
broken page="<!DOCTYPE html><html><head><meta charset='utf-8'><title>Site not found</title></head><body><div class='container'><h1>404</h1><p><strong>There isn't a site here.</strong></p><p>If you're trying to publish one, read the full documentation to learn how to set up pages for your repository, organization, or user account.</p></div></body></html>"
wanted stop="D" next="Line 4: 2 min, Line 1: 3 min, Line 2: 9 min" built="Site built 2026-03-13 06:00"
noise next="Line 2: 1 min, Line 3: 2 min, Line 1: 7 min" likes="9 likes" tags="delays (44) works (34) depot (13)" built="Site built 2026-03-14 06:00" tram="Number 8, built 1954, painted cream and green."
wanted w2="" built="Site built 2026-03-16 06:00" next="Line 1: 2 min, Line 4: 3 min, Line 3: 5 min"
wanted desk="weekdays 07:00 to 18:00, Saturdays 09:00 to 17:00" built="Site built 2026-03-17 06:00" next="Line 3: 4 min, Line 2: 5 min, Line 1: 11 min"
noise next="Line 1: 1 min, Line 2: 8 min, Line 4: 12 min" built="Site built 2026-03-18 06:00"
