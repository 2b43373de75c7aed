kind shop
media text/html
<html><head><title>Acme kettle</title></head><body>
<nav><a href="/">Home</a> <a href="/sale?sid={n}a7f3">Sale</a></nav>
<div class="product"><h1>Acme kettle</h1>
<p>{price}</p><p>{stock}</p>
<p>Boils 1.7 litres in four minutes. Two years of guarantee.</p>
<p>{views} people looked at this today</p></div>
<div><h2>Others bought</h2><ul><li>{a}</li><li>{b}</li><li>{c}</li></ul></div>
<div><h2>Reviews</h2><p>{review}</p></div>
<p>Prices as of {time}.</p>
</body></html>
-- looks --
first price="49.90 EUR" stock="In stock" views="31" time="10:02:11" a="Toaster Red" b="Mug, blue" c="Tea, green" review="Boils fast. — Ana"
noise views="34" time="10:32:10" a="Mug, blue" b="Toaster Red" c="Whisk"
noise views="40" time="11:02:45" a="Tray" b="Tea, green" c="Toaster Red"
noise views="44" time="11:32:02" a="Whisk" b="Tray" c="Mug, blue"
wanted price="39.90 EUR" views="46" time="12:02:19" a="Tea, green" b="Mug, blue" c="Tray"
noise views="51" time="12:32:40" a="Toaster Red" b="Tea, green" c="Whisk"
noise views="52" time="13:02:07" a="Mug, blue" b="Whisk" c="Tea, green"
wanted stock="Sold out" views="60" time="13:32:33" a="Tray" b="Toaster Red" c="Mug, blue"
noise views="61" time="14:02:51" a="Whisk" b="Mug, blue" c="Toaster Red"
broken page="<html><body><h1>Service unavailable</h1><p>Please try again later.</p></body></html>"
back views="66" time="15:02:08" a="Tea, green" b="Whisk" c="Tray"
noise views="71" time="15:32:14" a="Tray" b="Tea, green" c="Toaster Red"
wanted stock="In stock" views="75" time="16:02:01" a="Mug, blue" b="Tray" c="Whisk"
noise views="77" time="16:32:29" a="Toaster Red" b="Mug, blue" c="Tea, green"
wanted review="The lid broke after a week. — Ben" views="80" time="17:02:13" a="Whisk" b="Toaster Red" c="Tray"
noise views="83" time="17:32:59" a="Tea, green" b="Tray" c="Mug, blue"
equal
