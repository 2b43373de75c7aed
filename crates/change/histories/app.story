kind unmarked
media text/html
<html><head><title>Tidewater Lamp</title></head><body><div id="root"><div class="x1">
<div class="x2"><a href="/lamps">Lamps</a></div><div class="x2"><a href="/shades">Shades</a></div><div class="x2"><a href="/bulbs">Bulbs</a></div><div class="x2"><a href="/journal">Journal</a></div>{menu}
<div class="x3"><h1>Tidewater Lamp</h1><div class="x4"><span>Price</span><span>{price}</span></div>
<button type="button">{buy}</button>{tools}
<div class="x5"><p>A lamp of brass and blown glass, made to order in the old net loft by the harbour. It takes an E14 bulb of up to forty watts, and comes with two metres of woven cord.</p></div>
<div class="x6"><h2>Notes</h2><ul>{notes}</ul></div></div>{consent}
<div class="y1"><div><span>Shop</span><a href="/lamps">Lamps</a><a href="/shades">Shades</a><a href="/bulbs">Bulbs</a>{footer}</div><div><span>House</span><a href="/about">About</a><a href="/journal">Journal</a><a href="/press">Press</a><a href="https://social.example/loft">Social</a><a href="/terms">Terms</a></div></div>
<div class="y2">{rights}</div></div></div></body></html>
-- looks --
first menu="" price="149 EUR" buy="Add to cart" tools="" notes="<li>Ships in two weeks</li>" consent="" footer="" rights="Net Loft Lights, all rights reserved 2025"
noise menu="<div class='x2'><a href='/gifts'>Gifts</a></div>"
noise tools="<button>Copy link</button><button>Share</button>"
noise consent="<div class='z'><div>Cookies</div><div><p>We use cookies to remember your cart and to see which lamps people like. You can change this later.</p><button>Accept all</button><button>Reject</button></div></div>"
noise footer="<a href='/cords'>Cords</a>"
noise consent=""
wanted buy="Sold out"
noise rights="Net Loft Lights Ltd, all rights reserved 2025"
wanted buy="Add to cart"
noise tools="<button>Copy link</button>"
wanted notes="<li>Ships in two weeks</li><li>Glass in smoke grey from May</li>"
noise tools="" menu=""
wanted price="129 EUR"
equal
