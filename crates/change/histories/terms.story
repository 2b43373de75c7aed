kind terms
media text/html
<html><head><title>Terms of service</title></head><body class="{class}">
<div class="topbar"><a href="/login?state={token}">{login}</a></div>
<main><h1>Terms of service</h1><p>Last updated: {date}</p>
<h2>1. Fees</h2><p>{fees}</p>
<h2>2. Governing law</h2><p>These terms are governed by the law of {law}.</p>
<h2>3. Ending</h2><p>Either side may end this agreement with {days} days' notice in writing.</p>
<p>{help}</p></main>
<div id="cookie-banner">{cookie}</div>
<footer>{foot}</footer></body></html>
-- looks --
first class="a" token="8f14e45fceea167a5a36dedd4bea2543" login="Log in" date="1 January 2026" fees="The service costs 10 EUR a month, billed in advance." law="Ireland" days="30" help="Was this helpful? Yes, No" cookie="We use cookies" foot="© 2025 Acme"
equal class="b" token="c9f0f895fb98ab9159f51fd0297e236d"
noise help="Was this article useful? Tell us" foot="© 2026 Acme"
noise help="Was this helpful? Yes, No" cookie=""
noise help="Was this article useful? Tell us" login="Sign in"
wanted days="60" date="1 March 2026"
noise help="Was this helpful? Yes, No" login="Log in"
noise help="Was this article useful? Tell us" login="Sign in" cookie="We use cookies"
broken page="<html><body><p>Verify you are human by completing the action below.</p></body></html>"
broken page="<html><body><p>Verify you are human by completing the action below.</p></body></html>"
back
wanted law="Delaware" date="1 April 2026"
noise help="Was this helpful? Yes, No" login="Log in"
wanted fees="The service costs 12 EUR a month, billed in advance."
noise help="Was this article useful? Tell us"
