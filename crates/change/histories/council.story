kind government
media text/html
<html><head><title>Permits</title></head><body>
<div class="menu"><ul><li><a href="/a">Services</a></li><li><a href="/b">{menu}</a></li></ul></div>
<div class="content"><h1>Permits</h1><p>{intro}</p>
<table><tr><th>City</th><th>Permits</th></tr>{rows}</table>
<h2>Offices</h2><dl><dt>Old town</dt><dd>{old}</dd><dt>Harbour</dt><dd>{harbour}</dd></dl></div>
<div class="visitors">Visitors since 2009: {visitors}</div></body></html>
-- looks --
first menu="News" intro="Permits are given within ten days." rows="<tr><td>Milwaukee</td><td>182</td></tr><tr><td>Madison</td><td>90</td></tr>" old="Mon to Fri, 9 to 17" harbour="Closed" visitors="1,204,331"
noise visitors="1,204,390"
noise visitors="1,204,441"
wanted rows="<tr><td>Milwaukee</td><td>204</td></tr><tr><td>Madison</td><td>90</td></tr>" visitors="1,204,502"
noise visitors="1,204,577"
noise visitors="1,204,601"
wanted harbour="Tue, 10 to 12" visitors="1,204,650"
noise visitors="1,204,699"
broken page="<html><body><div class='content'><p>An unexpected error has occurred. Reference 12.</p></div></body></html>"
back visitors="1,204,744"
wanted intro="Permits are given within five days." visitors="1,204,800"
noise visitors="1,204,851"
wanted rows="<tr><td>Milwaukee</td><td>204</td></tr><tr><td>Green Bay</td><td>12</td></tr><tr><td>Madison</td><td>90</td></tr>" visitors="1,204,903"
noise visitors="1,204,977"
