kind sites-3
media text/html
<!DOCTYPE html>
<html lang="pl-PL" prefix="og: https://ogp.me/ns#">
<head>
<meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Młynek ręczny Żarna K2 – Ziarnownia</title>
<meta property="og:type" content="product"><meta property="og:title" content="Młynek ręczny Żarna K2"><meta property="product:price:currency" content="PLN">
<link rel="stylesheet" id="woocommerce-general-css" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css?ver={ver}" media="all">
<meta name="generator" content="WooCommerce {ver}">
</head>
<body class="wp-singular product-template-default single single-product postid-2208 wp-theme-storefront theme-storefront woocommerce woocommerce-page storefront-align-wide right-sidebar">
<p role="complementary" class="woocommerce-store-notice demo_store" data-notice-id="{nonce}">{notice}</p>
<div id="page" class="hfeed site">
<header id="masthead" class="site-header" role="banner"><div class="col-full"><div class="site-branding"><div class="beta site-title"><a href="/" rel="home">Ziarnownia</a></div><p class="site-description">Kawa i akcesoria</p></div><div class="site-search"><form role="search" class="woocommerce-product-search"><input type="search" placeholder="Szukaj produktów&hellip;"><button type="submit">Szukaj</button></form></div></div>
<nav id="site-navigation" class="main-navigation" role="navigation" aria-label="Główna nawigacja"><ul class="menu"><li class="menu-item"><a href="/kategoria/kawa/">Kawa</a></li><li class="menu-item"><a href="/kategoria/mlynki/">Młynki</a></li><li class="menu-item"><a href="/kategoria/akcesoria/">Akcesoria</a></li><li class="menu-item"><a href="/blog/">Blog</a></li><li class="menu-item"><a href="/kontakt/">Kontakt</a></li>{menu}</ul><ul id="site-header-cart" class="site-header-cart menu"><li><a class="cart-contents" href="/koszyk/"><span class="woocommerce-Price-amount amount">0,00&nbsp;<span class="woocommerce-Price-currencySymbol">&#122;&#322;</span></span> <span class="count">0 produktów</span></a></li></ul></nav></header>
<div class="storefront-breadcrumb"><div class="col-full"><nav class="woocommerce-breadcrumb" aria-label="okruszki"><a href="/">Strona główna</a> / <a href="/kategoria/mlynki/">Młynki</a> / Młynek ręczny Żarna K2</nav></div></div>
<div id="content" class="site-content" tabindex="-1"><div class="col-full"><div class="woocommerce"></div>
<div id="primary" class="content-area"><main id="main" class="site-main" role="main">
<div id="product-2208" class="product type-product post-2208 status-publish {stockclass} product_cat-mlynki has-post-thumbnail shipping-taxable purchasable product-type-variable" itemscope itemtype="https://schema.org/Product">
{sale}
<div class="woocommerce-product-gallery images"><figure class="woocommerce-product-gallery__wrapper"><img src="/wp-content/uploads/zarna-k2.jpg?v={nonce}" class="wp-post-image" alt="Młynek Żarna K2"></figure></div>
<div class="summary entry-summary"><h1 class="product_title entry-title" itemprop="name">Młynek ręczny Żarna K2</h1>
<div class="woocommerce-product-rating"><div class="star-rating" role="img" aria-label="Oceniono na 5"></div><a href="#reviews" class="woocommerce-review-link" rel="nofollow">({reviews} opinii klientów)</a></div>
<p class="price" itemprop="offers">{price}</p>
<p class="omnibus">{omnibus}</p>
<div class="live-visitors"><i class="icon-eye"></i> {live}</div>
<div class="woocommerce-product-details__short-description"><p>Młynek żarnowy ze stali nierdzewnej, żarna {zarna}, pojemność {cap} g. Regulacja co 22 mikrony.</p></div>
<form class="variations_form cart" method="post" data-product_id="2208"><table class="variations"><tbody><tr><th class="label"><label for="pa_kolor">Kolor</label></th><td class="value"><select id="pa_kolor"><option value="">Wybierz opcję</option><option value="czarny">Czarny</option>{kolor2}<option value="srebrny">Srebrny</option></select></td></tr></tbody></table>
<div class="woocommerce-variation-availability">{stock}</div>
<button type="submit" class="single_add_to_cart_button button alt">{btn}</button></form>
<div class="countdown-ship">{ship}</div>
<ul class="usp"><li>Wysyłka: {czas}</li><li>Dostawa kurierem {kurier}</li><li>{zwrot}</li></ul>
<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">ZK2-2208</span></span> <span class="posted_in">Kategoria: <a href="/kategoria/mlynki/" rel="tag">Młynki</a></span></div></div>
<div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs" role="tablist"><li class="description_tab"><a href="#tab-description">Opis</a></li><li class="additional_information_tab"><a href="#tab-additional_information">Informacje dodatkowe</a></li></ul>
<div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--description panel" id="tab-description"><h2>Opis</h2><p>Żarna K2 to młynek do espresso i metod przelewowych. Korpus z jednego kawałka aluminium, dwa łożyska, korba z uchwytem z drewna bukowego. W zestawie szczoteczka i etui.</p><p>Gwarancja producenta: {gwar}.</p></div>
<div class="woocommerce-Tabs-panel panel" id="tab-additional_information"><table class="woocommerce-product-attributes shop_attributes"><tr><th>Waga</th><td>0,62 kg</td></tr><tr><th>Wymiary</th><td>18 × 5,4 cm</td></tr><tr><th>Kraj produkcji</th><td>{kraj}</td></tr></table></div></div>
<section class="related products"><h2>{relhead}</h2><ul class="products columns-3"><li class="product">{rel1}</li><li class="product">{rel2}</li><li class="product">{rel3}</li></ul></section>
</div></main></div>
<div id="secondary" class="widget-area" role="complementary"><div class="widget widget_recent_reviews"><span class="gamma widget-title">Ostatnie opinie</span><ul class="product_list_widget"><li>{rev1}</li><li>{rev2}</li></ul></div><div class="widget widget_media_image">{ad}</div></div>
</div></div>
<footer id="colophon" class="site-footer" role="contentinfo"><div class="col-full"><div class="footer-widgets"><p>{nl}</p><ul><li><a href="/regulamin/">Regulamin</a></li><li><a href="/polityka-prywatnosci/">Polityka prywatności</a></li><li><a href="/zwroty/">Zwroty i reklamacje</a></li></ul></div><div class="site-info">&copy; Ziarnownia 2026 <a href="https://woocommerce.com">Built with WooCommerce</a>.</div></div></footer></div>
<div class="chat-bubble">{chat}</div>
</body></html>
-- looks --
first ver="9.6.0" nonce="41ac" notice="" menu="" stockclass="instock" sale="" reviews="38" price="<span class='woocommerce-Price-amount amount'><bdi>549,00&nbsp;<span class='woocommerce-Price-currencySymbol'>&#122;&#322;</span></bdi></span>" omnibus="" live="7 osób ogląda teraz ten produkt" zarna="38 mm" cap="25" kolor2="<option value='zielony'>Zielony</option>" stock="<p class='stock in-stock'>Na stanie</p>" btn="Dodaj do koszyka" ship="Zamów w ciągu 3 godz. 12 min, a wyślemy dzisiaj" czas="24 godziny" kurier="14,90 zł" zwrot="30 dni na zwrot" gwar="24 miesiące" kraj="Czechy" relhead="Klienci kupili także" rel1="Kawa Etiopia Guji 250 g – 58,00 zł" rel2="Waga z timerem – 189,00 zł" rel3="Dripper ceramiczny – 79,00 zł" rev1="Dripper ceramiczny ★★★★★ przez Ola" rev2="Kawa Kolumbia Huila ★★★★☆ przez Marcin" ad="<a href='/kurs-baristy/'><img src='/banner-kurs.jpg' alt='Kurs baristy – zapisz się'></a>" nl="Zapisz się do newslettera i bądź na bieżąco." chat="Cześć! W czym możemy pomóc?"
noise live="12 osób ogląda teraz ten produkt" ship="Zamów w ciągu 0 godz. 41 min, a wyślemy dzisiaj" rel2="Filtry papierowe 100 szt. – 29,00 zł"
wanted sale="<span class='onsale'>Promocja!</span>" price="<del><span class='amount'>549,00&nbsp;zł</span></del> <ins><span class='amount'>479,00&nbsp;zł</span></ins>" omnibus="Najniższa cena z 30 dni przed obniżką: 549,00 zł" live="19 osób ogląda teraz ten produkt" ship="Zamów w ciągu 5 godz. 2 min, a wyślemy dzisiaj"
noise live="9 osób ogląda teraz ten produkt" ship="Zamów w ciągu 2 godz. 55 min, a wyślemy dzisiaj" reviews="39" rev1="Młynek elektryczny Grom ★★★☆☆ przez Piotr K." rev2="Dripper ceramiczny ★★★★★ przez Ola" rel1="Dzbanek 600 ml – 99,00 zł"
equal ver="9.6.1" nonce="b7e0" stock="<p class='stock in-stock' data-qty='x'>Na stanie</p><!-- cached 0.21s -->"
wanted stockclass="outofstock" stock="<p class='stock out-of-stock'>Brak w magazynie</p>" btn="Powiadom o dostępności" ship="" live="4 osoby oglądają teraz ten produkt"
noise live="6 osób ogląda teraz ten produkt" notice="Zapraszamy na Targi Kawy w Łodzi, 14–15 marca, stoisko B12! <a href='#' class='woocommerce-store-notice__dismiss-link'>Ukryj</a>" rel3="Kawa Brazylia Cerrado 1 kg – 119,00 zł" chat="Jesteśmy offline. Zostaw wiadomość."
wanted stockclass="instock" stock="<p class='stock in-stock'>Na stanie</p>" btn="Dodaj do koszyka" ship="Zamów w ciągu 1 godz. 30 min, a wyślemy dzisiaj" sale="" omnibus="" price="<span class='woocommerce-Price-amount amount'><bdi>569,00&nbsp;<span class='woocommerce-Price-currencySymbol'>&#122;&#322;</span></bdi></span>" live="11 osób ogląda teraz ten produkt"
noise live="8 osób ogląda teraz ten produkt" ship="Zamów w ciągu 6 godz. 18 min, a wyślemy dzisiaj" notice="" reviews="41" ad="<a href='/blog/aeropress/'><img src='/banner-aero.jpg' alt='Przepisy na AeroPress'></a> <p>Przepisy na AeroPress</p>" rel1="Kawa Etiopia Guji 250 g – 62,00 zł" rel2="Kubek podróżny – 129,00 zł"
wanted kolor2="" live="14 osób ogląda teraz ten produkt"
noise live="10 osób ogląda teraz ten produkt" ship="Zamów w ciągu 0 godz. 9 min, a wyślemy dzisiaj" relhead="Często kupowane razem" rel1="Waga z timerem – 199,00 zł" rel3="Szczoteczka do młynka – 19,00 zł" menu="<li class='menu-item'><a href='/karta-podarunkowa/'>Karta podarunkowa</a></li>" nl="Zapisz się do newslettera i odbierz darmowy e-book." rev1="Kubek podróżny ★★★★★ przez Basia" chat="Cześć! W czym możemy pomóc?"
wanted gwar="36 miesięcy" live="5 osób ogląda teraz ten produkt" ship="Zamów w ciągu 2 godz. 20 min, a wyślemy dzisiaj"
wanted czas="5–7 dni roboczych" ship="" live="7 osób ogląda teraz ten produkt" reviews="42"
