kind news
media text/html
<html><head><title>The Lisbon Courier</title></head><body>
<header><p>{date}</p><p>{weather}</p></header>
<main><h1>Latest</h1>
<article><h2><a href="/1">{one}</a></h2><p>{lead}</p></article>
<article><h2><a href="/2">{two}</a></h2></article>
<article><h2><a href="/3">{three}</a></h2></article>
<section><h2>Most read</h2><ol><li>{r1}</li><li>{r2}</li><li>{r3}</li></ol></section>
<p>Updated {ago} ago</p></main>
<footer>© {year} The Courier</footer>
</body></html>
-- looks --
first date="Monday, 2 March" weather="14 °C" one="Harbour to close for repairs" lead="The city council decided on Monday." two="New tram line opens" three="Rain expected on Friday" r1="Ten walks by the river" r2="New tram line opens" r3="Old cinema sold" ago="5 minutes" year="2026"
noise weather="15 °C" r1="New tram line opens" r2="Old cinema sold" r3="Ten walks by the river" ago="9 minutes"
wanted one="Fire in the old market" lead="Nobody was hurt, the fire service said." two="Harbour to close for repairs" three="New tram line opens" ago="2 minutes"
noise r1="Old cinema sold" r2="Fire in the old market" r3="New tram line opens" weather="16 °C" ago="12 minutes"
wanted lead="Two people were hurt, the fire service said." ago="3 minutes"
noise r1="Fire in the old market" r2="Ten walks by the river" r3="Old cinema sold" ago="20 minutes"
noise r1="Fire in the old market" r2="New tram line opens" r3="Harbour to close for repairs" ago="40 minutes"
wanted one="Market fire: cause found" lead="A heater was left on overnight." two="Fire in the old market" three="Harbour to close for repairs" ago="1 minute"
noise r1="Ten walks by the river" r2="Fire in the old market" r3="New tram line opens" date="Tuesday, 3 March" weather="12 °C" ago="6 hours"
noise r1="Old cinema sold" r2="Ten walks by the river" r3="Fire in the old market" ago="7 hours"
noise r1="New tram line opens" r2="Old cinema sold" r3="Market fire: cause found" ago="8 hours"
wanted two="Ferry strike called off" three="Fire in the old market" ago="4 minutes"
noise r1="Market fire: cause found" r2="New tram line opens" r3="Ten walks by the river" ago="30 minutes"
