kind sites
media text/html
<!DOCTYPE html>
<html lang="de-DE" prefix="og: https://ogp.me/ns#">
<head>
<meta charset="UTF-8" />
<title>Hochbeete &amp; Pflanzkübel kaufen | Gartenladen Wiesner</title>
<meta name="generator" content="WooCommerce {woo}" />
<link rel='stylesheet' id='woocommerce-general-css' href='https://www.gartenladen-wiesner.example/wp-content/plugins/woocommerce/assets/css/woocommerce.css?ver={woo}' media='all' />
<script src="https://www.gartenladen-wiesner.example/wp-includes/js/jquery/jquery.min.js?ver={n}" id="jquery-core-js"></script>
</head>
<body class="archive tax-product_cat term-hochbeete theme-storefront woocommerce woocommerce-page {bodyclass}">
<div id="page" class="hfeed site">
<div class="topbar"><span>{topbar}</span> <a href="tel:+4935112345">Tel. 0351 / 12 34 5</a> (Mo–Fr 9–17 Uhr)</div>
<header id="masthead" class="site-header" role="banner">
<div class="site-branding"><a href="/" class="custom-logo-link" rel="home"><img src="/wp-content/uploads/2021/03/logo.png" class="custom-logo" alt="Gartenladen Wiesner" /></a></div>
<div class="site-search"><form role="search" method="get" class="woocommerce-product-search"><label class="screen-reader-text" for="s">Suche nach:</label><input type="search" id="s" placeholder="Produkte suchen …" value="" name="s" /><button type="submit">Suche</button></form></div>
<nav id="site-navigation" class="main-navigation" role="navigation"><ul id="menu-hauptmenue" class="menu">
<li id="menu-item-31" class="menu-item"><a href="/saatgut/">Saatgut</a></li>
<li id="menu-item-32" class="menu-item"><a href="/erde-duenger/">Erde &amp; Dünger</a></li>
<li id="menu-item-33" class="menu-item current-menu-item"><a href="/hochbeete/">Hochbeete</a></li>
<li id="menu-item-34" class="menu-item"><a href="/gewaechshaus/">Gewächshäuser</a></li>
<li id="menu-item-35" class="menu-item"><a href="/bewaesserung/">Bewässerung</a></li>
<li id="menu-item-36" class="menu-item"><a href="/werkzeug/">Werkzeug</a></li>
<li id="menu-item-37" class="menu-item"><a href="/gartenmoebel/">Gartenmöbel</a></li>
<li id="menu-item-38" class="menu-item"><a href="/ratgeber/">Ratgeber</a></li>
<li id="menu-item-39" class="menu-item"><a href="/kontakt/">Kontakt</a></li></ul></nav>
<ul id="site-header-cart" class="site-header-cart menu"><li><a class="cart-contents" href="/warenkorb/"><span class="woocommerce-Price-amount amount">0,00&nbsp;&euro;</span> <span class="count">0 Artikel</span></a></li></ul>
</header>
<div class="storefront-breadcrumb"><nav class="woocommerce-breadcrumb" aria-label="Brotkrümel-Navigation"><a href="/">Startseite</a><span class="breadcrumb-separator"> / </span><a href="/garten/">Garten</a><span class="breadcrumb-separator"> / </span>Hochbeete &amp; Pflanzkübel</nav></div>
<div id="content" class="site-content" tabindex="-1"><div class="col-full">
<div id="primary" class="content-area"><main id="main" class="site-main" role="main">
<header class="woocommerce-products-header"><h1 class="woocommerce-products-header__title page-title">Hochbeete &amp; Pflanzkübel</h1>
<div class="term-description"><p>Rückenschonend gärtnern: Unsere Hochbeete bauen wir in Freital aus heimischer Lärche, ohne Folie aus PVC und ohne Holzschutzmittel. {versandtext}</p></div></header>
<div class="storefront-sorting"><div class="woocommerce-notices-wrapper"></div><form class="woocommerce-ordering" method="get"><select name="orderby" class="orderby" aria-label="Shop-Reihenfolge"><option value="popularity">Nach Beliebtheit sortiert</option><option value="price">Nach Preis sortiert: niedrig nach hoch</option></select></form><p class="woocommerce-result-count">{ergebnis}</p></div>
<ul class="products columns-3">
<li class="product type-product post-411 instock"><a href="/p/laerche-120/" class="woocommerce-LoopProduct-link"><h2 class="woocommerce-loop-product__title">Hochbeet Lärche 120 × 60 cm</h2><div class="star-rating" role="img"><span>★★★★☆</span></div><span class="rating-count">({r1})</span><span class="price">{p1}</span></a><p class="lieferzeit">Lieferzeit: {l1}</p><a href="?add-to-cart=411" data-nonce="{n}e2" class="button add_to_cart_button">{b1}</a></li>
<li class="product type-product post-412 instock"><a href="/p/laerche-180/" class="woocommerce-LoopProduct-link"><h2 class="woocommerce-loop-product__title">Hochbeet Lärche 180 × 80 cm</h2><span class="rating-count">({r2})</span><span class="price">{p2}</span></a><p class="lieferzeit">Lieferzeit: 3–5 Werktage</p><a href="?add-to-cart=412" data-nonce="{n}e2" class="button add_to_cart_button">In den Warenkorb</a></li>
<li class="product type-product post-418 instock"><a href="/p/eiche-rund/" class="woocommerce-LoopProduct-link"><h2 class="woocommerce-loop-product__title">Pflanzkübel Eiche rund, 45 Liter</h2><span class="rating-count">(19)</span><span class="price">{p3}</span></a><p class="lieferzeit">Lieferzeit: {l3}</p><a href="?add-to-cart=418" data-nonce="{n}e2" class="button add_to_cart_button">In den Warenkorb</a></li>
{zink}
<li class="product type-product post-430 instock"><a href="/p/kinder/" class="woocommerce-LoopProduct-link"><h2 class="woocommerce-loop-product__title">Kinderhochbeet mit Rollen</h2><span class="rating-count">(8)</span><span class="price">{p5}</span></a><p class="lieferzeit">Lieferzeit: 3–5 Werktage</p><a href="?add-to-cart=430" data-nonce="{n}e2" class="button add_to_cart_button">In den Warenkorb</a></li>
<li class="product type-product post-433 instock"><a href="/p/haube/" class="woocommerce-LoopProduct-link"><h2 class="woocommerce-loop-product__title">Frühbeethaube, passend für 120 × 60</h2><span class="price"><span class="amount">54,90&nbsp;&euro;</span></span></a><p class="lieferzeit">Lieferzeit: 3–5 Werktage</p><a href="?add-to-cart=433" data-nonce="{n}e2" class="button add_to_cart_button">In den Warenkorb</a></li>
{neu}
</ul>
<p class="wc-gzd-additional-info">Alle Preise inkl. 19 % MwSt., zzgl. <a href="/versand/">Versandkosten</a></p>
</main></div>
<div id="secondary" class="widget-area" role="complementary">
<div class="widget woocommerce widget_products"><span class="gamma widget-title">Topseller der Woche</span><ul class="product_list_widget"><li>{top1}</li><li>{top2}</li></ul></div>
<div class="widget woocommerce widget_recently_viewed_products"><span class="gamma widget-title">Zuletzt angesehen</span>{zuletzt}</div>
<div class="widget widget_recent_entries"><span class="gamma widget-title">Aus dem Ratgeber</span><ul><li><a href="/ratgeber/1/">{rat1}</a></li><li><a href="/ratgeber/2/">{rat2}</a></li></ul></div>
</div></div></div>
<footer id="colophon" class="site-footer" role="contentinfo"><div class="trusted-badge">{trust}</div>
<ul class="footer-menu"><li><a href="/impressum/">Impressum</a></li><li><a href="/agb/">AGB</a></li><li><a href="/datenschutz/">Datenschutz</a></li><li><a href="/widerruf/">Widerrufsbelehrung</a></li><li><a href="/zahlung/">Zahlungsarten</a></li></ul>
<div class="social"><a href="https://www.facebook.com/wiesner">Facebook</a> <a href="https://www.instagram.com/wiesner">Instagram</a> <a href="https://www.youtube.com/wiesner">YouTube</a></div>
<div class="site-info">© Gartenladen Wiesner {jahr} · <a href="https://woocommerce.com">Erstellt mit Storefront &amp; WooCommerce</a></div></footer>
{borlabs}
</div></body></html>
-- looks --
first woo="8.2.1" bodyclass="" topbar="Ab 99 € versandkostenfrei" versandtext="Die Lieferung erfolgt frei Bordsteinkante." ergebnis="Alle 6 Ergebnisse werden angezeigt" r1="47" r2="31" p1="<span class='amount'>189,00&nbsp;€</span>" p2="<span class='amount'>279,00&nbsp;€</span>" p3="<span class='amount'>86,50&nbsp;€</span>" p5="<span class='amount'>119,00&nbsp;€</span>" l1="3–5 Werktage" l3="3–5 Werktage" b1="In den Warenkorb" zink="<li class='product type-product post-421'><h2 class='woocommerce-loop-product__title'>Pflanzkübel Zink, 30 Liter</h2><span class='price'><span class='amount'>39,90&nbsp;€</span></span><p class='lieferzeit'>Lieferzeit: 3–5 Werktage</p><a class='button' href='?add-to-cart=421'>In den Warenkorb</a></li>" neu="" top1="Bio-Tomatenerde 40 l – 12,90 €" top2="Gießkanne Zink 9 l – 34,50 €" zuletzt="<p>Noch nichts angesehen.</p>" rat1="Hochbeet richtig befüllen" rat2="Mischkultur für Anfänger" trust="Sehr gut 4,83 / 5,00 · 2.318 Bewertungen" jahr="2025" borlabs="<div id='BorlabsCookieBox' role='dialog'><h3>Datenschutzeinstellungen</h3><p>Wir nutzen Cookies auf unserer Website. Einige von ihnen sind essenziell, während andere uns helfen, diese Website zu verbessern.</p><button>Alle akzeptieren</button><button>Nur essenzielle Cookies</button></div>"
noise trust="Sehr gut 4,83 / 5,00 · 2.321 Bewertungen" r1="48"
wanted p3="<span class='amount'>88,50&nbsp;€</span>" trust="Sehr gut 4,83 / 5,00 · 2.322 Bewertungen"
noise top1="Gartenhandschuh Rind – 14,90 €" top2="Bio-Tomatenerde 40 l – 11,90 €" trust="Sehr gut 4,83 / 5,00 · 2.325 Bewertungen"
equal woo="8.2.2" bodyclass="logged-out no-sidebar-js"
wanted zink="<li class='product type-product post-421'><h2 class='woocommerce-loop-product__title'>Pflanzkübel Zink, 30 Liter</h2><span class='price'><span class='amount'>39,90&nbsp;€</span></span><p class='lieferzeit'>Nicht vorrätig</p><a class='button' href='/p/zink/'>Weiterlesen</a></li>" trust="Sehr gut 4,83 / 5,00 · 2.326 Bewertungen"
noise borlabs="" zuletzt="<ul class='product_list_widget'><li>Hochbeet Lärche 120 × 60 cm – 189,00 €</li><li>Rankgitter Eisen – 27,00 €</li></ul>" rat1="Schnecken: was wirklich hilft" rat2="Hochbeet richtig befüllen"
wanted neu="<li class='product type-product post-501 instock'><h2 class='woocommerce-loop-product__title'>Balkonkasten Lärche 80 cm</h2><span class='price'><span class='amount'>44,90&nbsp;€</span></span><p class='lieferzeit'>Lieferzeit: 3–5 Werktage</p><a class='button' href='?add-to-cart=501'>In den Warenkorb</a></li>" ergebnis="Alle 7 Ergebnisse werden angezeigt" trust="Sehr gut 4,84 / 5,00 · 2.330 Bewertungen"
wanted p1="<del><span class='amount'>189,00&nbsp;€</span></del> <ins><span class='amount'>169,00&nbsp;€</span></ins>" r2="32" top1="Gießkanne Zink 9 l – 34,50 €" top2="Gartenhandschuh Rind – 14,90 €"
noise topbar="Wir machen Betriebsurlaub vom 24.12. bis 1.1." r1="49" trust="Sehr gut 4,84 / 5,00 · 2.334 Bewertungen"
wanted l3="3–5 Wochen"
noise jahr="2026" topbar="Ab 99 € versandkostenfrei" top1="Saatgut-Adventskalender – 19,90 €" trust="Sehr gut 4,84 / 5,00 · 2.341 Bewertungen"
equal p3="<span class='woocommerce-Price-amount amount'><bdi>88,50&nbsp;<span class='woocommerce-Price-currencySymbol'>€</span></bdi></span>"
wanted zink="" ergebnis="Alle 6 Ergebnisse werden angezeigt" r1="50" trust="Sehr gut 4,84 / 5,00 · 2.342 Bewertungen"
noise zuletzt="<ul class='product_list_widget'><li>Balkonkasten Lärche 80 cm – 44,90 €</li><li>Hochbeet Lärche 120 × 60 cm – 169,00 €</li></ul>" rat2="Gründüngung im Winter" top1="Gartenhandschuh Rind – 14,90 €" top2="Nistkasten Meise – 22,00 €"
wanted versandtext="Die Lieferung erfolgt nicht mehr frei Bordsteinkante." trust="Sehr gut 4,84 / 5,00 · 2.347 Bewertungen"
