kind unmarked
media text/html
<html><head><title>Parks of Ellery</title></head><body><div role="alert">{alert}</div>
<h1>Parks of Ellery</h1><p>Eleven parks, two lidos and a row of beach huts are kept by the council. What is open today is said below, and what can be booked.</p>
<table><tr><td>Mill Park</td><td><button>Map</button></td><td>{mill}</td></tr><tr><td>Harbour lido</td><td><button>Map</button></td><td>{lido}</td></tr></table>
<h2>Book a hut</h2>{slots}
<center><table><tr><td>Hut, a day</td><td>{hut}</td></tr><tr><td>Hut, a week</td><td>90 EUR</td></tr></table><a href="/">Home</a> | <a href="/imprint">Imprint</a> | <a href="/contact">Contact</a><br><br>{rights}</center></body></html>
-- looks --
first alert="" mill="Open to the public" lido="Closed until further notice" slots="<p>No huts are free.</p>" hut="18 EUR" rights="© 2026 Ellery"
wanted mill="Closed until further notice"
wanted slots="<button>10:30</button><button>Book now</button>"
noise rights="© 2026 Ellery Council"
wanted slots="<button>Book now</button>"
wanted hut="22 EUR"
wanted alert="All parks close at noon: storm."
noise slots="<button>Book now</button><button>Share</button>"
wanted slots="<p>No huts are free.</p>"
