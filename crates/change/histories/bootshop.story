kind sites
media text/html
<!doctype html>
<html class="no-js" lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Fernhill Chelsea Boot – Hartwell &amp; Daughters</title>
<link rel="canonical" href="https://www.hartwellboots.example/products/fernhill-chelsea">
<link href="//www.hartwellboots.example/cdn/shop/t/14/assets/base.css?v={build}" rel="stylesheet" type="text/css" media="all">
<script nonce="{nonce}">window.performance && window.performance.mark && window.performance.mark('shopify.content_for_header.start');</script>
<meta id="shopify-digital-wallet" name="shopify-digital-wallet" content="/55190{n}/digital_wallets/dialog">
</head>
<body class="gradient animate--hover-default">
<a class="skip-to-content-link button visually-hidden" href="#MainContent">Skip to content</a>
<div id="shopify-section-sections--{build}__announcement-bar" class="shopify-section shopify-section-group-header-group announcement-bar-section">
<div class="utility-bar color-scheme-5"><p class="announcement-bar__message h5"><span>{announce}</span></p></div></div>
<sticky-header class="header-wrapper color-scheme-1 gradient">
<header class="header header--middle-left page-width header--has-menu">
<a href="/" class="header__heading-link link"><img src="/cdn/shop/files/logo.svg?v={build}" alt="Hartwell &amp; Daughters" width="120"></a>
<nav class="header__inline-menu"><ul class="list-menu list-menu--inline" role="list">
<li><a href="/collections/new" class="header__menu-item link">New in</a></li>
<li><a href="/collections/mens-boots" class="header__menu-item link">Men’s boots</a></li>
<li><a href="/collections/womens-boots" class="header__menu-item link">Women’s boots</a></li>
<li><a href="/collections/shoes" class="header__menu-item link">Shoes</a></li>
<li><a href="/collections/belts" class="header__menu-item link">Belts</a></li>
<li><a href="/collections/care" class="header__menu-item link">Shoe care</a></li>
<li><a href="/pages/repairs" class="header__menu-item link">Repairs</a></li>
<li><a href="/blogs/workshop" class="header__menu-item link">The workshop</a></li>
{menuextra}
</ul></nav>
<div class="header__icons"><a href="/search" class="header__icon link">Search</a> <a href="/account/login" class="header__icon link">Log in</a> <a href="/cart" class="header__icon link" id="cart-icon-bubble">Cart <span class="cart-count-bubble">0</span></a></div>
</header></sticky-header>
<main id="MainContent" class="content-for-layout focus-none" role="main" tabindex="-1">
<nav class="breadcrumbs page-width" aria-label="breadcrumbs"><a href="/">Home</a> / <a href="/collections/mens-boots">Men’s boots</a> / <span aria-current="page">Fernhill Chelsea Boot</span></nav>
<section id="MainProduct-template--{build}__main" class="page-width section-template--{build}__main-padding" data-section="template--{build}__main">
<div class="product product--large product--left product--thumbnail grid grid--1-col grid--2-col-tablet">
<div class="grid__item product__media-wrapper"><ul class="product__media-list"><li class="product__media-item is-active"><img src="/cdn/shop/files/fernhill-tan-1.jpg?v={build}&amp;width=1946" alt="Fernhill Chelsea boot in tan, side"></li><li class="product__media-item"><img src="/cdn/shop/files/fernhill-tan-2.jpg?v={build}&amp;width=1946" alt="Fernhill Chelsea boot in tan, sole"></li></ul></div>
<div class="product__info-wrapper grid__item"><div id="ProductInfo" class="product__info-container product__column-sticky">
<p class="product__text caption-with-letter-spacing">Hartwell &amp; Daughters</p>
<div class="product__title"><h1>Fernhill Chelsea Boot</h1></div>
<div class="jdgm-widget jdgm-preview-badge"><span class="jdgm-prev-badge__stars" aria-label="4.7 stars">★★★★★</span> <span class="jdgm-prev-badge__text">{reviews} reviews</span></div>
<div id="price-template"><div class="price price--large {priceclass}"><div class="price__container"><span class="visually-hidden">Regular price</span> <span class="price-item price-item--regular">{price}</span></div></div>
<div class="product__tax caption rte">Tax included. <a href="/policies/shipping-policy">Shipping</a> calculated at checkout.</div></div>
<p class="fomo-live"><span class="fomo-dot"></span> {viewing} people are viewing this right now</p>
<variant-selects data-section="template"><div class="product-form__input product-form__input--dropdown"><label class="form__label" for="Option-0">Colour</label><select id="Option-0" name="options[Colour]"><option value="Tan" selected>Tan</option><option value="Dark oak">Dark oak</option></select></div>
<div class="product-form__input product-form__input--dropdown"><label class="form__label" for="Option-1">Size</label><select id="Option-1" name="options[Size]"><option value="7">UK 7</option><option value="8">{size8}</option><option value="9">{size9}</option><option value="10">{size10}</option><option value="11">{size11}</option></select></div></variant-selects>
<quantity-input class="quantity"><button class="quantity__button" name="minus" type="button"><span class="visually-hidden">Decrease quantity for Fernhill Chelsea Boot</span></button><input class="quantity__input" type="number" name="quantity" value="1"><button class="quantity__button" name="plus" type="button"><span class="visually-hidden">Increase quantity for Fernhill Chelsea Boot</span></button></quantity-input>
<form method="post" action="/cart/add" id="product-form-template--{build}"><input type="hidden" name="section-id" value="template--{build}"><div class="product-form__buttons"><button id="ProductSubmitButton" type="submit" name="add" class="product-form__submit button button--full-width button--secondary"><span>{button}</span></button></div></form>
<p class="dispatch-timer">Order within <strong>{countdown}</strong> for dispatch today</p>
<div class="product__description rte quick-add-hidden"><p>A plain, honest Chelsea boot on our 1954 last. The upper is cut from one piece of 2.2 mm waxed leather, the elastic is woven in Leicester, and the sole is Dainite rubber.</p>
<ul><li>Goodyear-welted; {resole} in our own workshop</li><li>Leather lined, cork filled</li><li>Made to order in Northampton: ships in {leadtime}</li><li>Returns accepted within {returns} days, unworn</li></ul></div>
<share-button class="share-button"><button class="share-button__button">Share</button></share-button>
</div></div></div></section>
<section class="shopify-section section"><div class="related-products page-width"><h2 class="related-products__heading inline-richtext h1">You may also like</h2><ul class="grid product-grid grid--4-col-desktop" role="list">
<li class="grid__item"><h3 class="card__heading"><a href="/products/r1?pr_prod_strat=e5_desc&amp;pr_rec_id={n}4c1">{rec1}</a></h3></li>
<li class="grid__item"><h3 class="card__heading"><a href="/products/r2?pr_prod_strat=e5_desc&amp;pr_rec_id={n}4c1">{rec2}</a></h3></li>
<li class="grid__item"><h3 class="card__heading"><a href="/products/r3?pr_prod_strat=e5_desc&amp;pr_rec_id={n}4c1">{rec3}</a></h3></li></ul></div></section>
</main>
<footer class="footer color-scheme-1 gradient section-footer-padding"><div class="footer__content-top page-width"><div class="footer-block grid__item"><h2 class="footer-block__heading">Help</h2><ul class="footer-block__details-content list-unstyled"><li><a href="/pages/size-guide">Size guide</a></li><li><a href="/pages/delivery">Delivery</a></li><li><a href="/pages/returns">Returns</a></li><li><a href="/pages/contact">Contact us</a></li></ul></div>
<div class="footer-block--newsletter"><h2 class="footer-block__heading">{newsletter}</h2><form method="post" action="/contact#ContactFooter"><input type="email" name="contact[email]" placeholder="Email"><button type="submit">Subscribe</button></form></div></div>
<ul class="footer__list-social list-unstyled list-social"><li><a href="https://www.instagram.com/hartwellboots">Instagram</a></li><li><a href="https://www.facebook.com/hartwellboots">Facebook</a></li><li><a href="https://www.pinterest.com/hartwellboots">Pinterest</a></li></ul>
<div class="footer__copyright caption"><small class="copyright__content">{copyright}</small> <small><a href="/policies/privacy-policy">Privacy policy</a> <a href="/policies/terms-of-service">Terms of service</a></small></div></footer>
{popup}
{cookie}
<script src="/cdn/shopifycloud/monorail.js?v={n}" defer></script>
</body></html>
-- looks --
first build="17021" nonce="k3Jd82" announce="Free UK delivery on orders over £60" menuextra="" reviews="212" priceclass="" price="£189.00" viewing="12" size8="UK 8" size9="UK 9" size10="UK 10" size11="UK 11" button="Add to cart" countdown="3 h 12 min" resole="can be resoled twice" leadtime="2–3 days" returns="60" rec1="Ashby Derby – £165.00" rec2="Cedar shoe trees – £24.00" rec3="Waxed laces – £5.50" newsletter="Subscribe to our emails" copyright="© 2025, Hartwell &amp; Daughters" popup="" cookie="<div id='shopify-pc__banner' role='alertdialog'><h2>Cookie consent</h2><p>We and our partners use cookies and other technologies to personalise your experience, show you ads and perform analytics.</p><button>Manage preferences</button><button>Accept</button><button>Decline</button></div>"
noise viewing="9" countdown="2 h 41 min" rec1="Waxed laces – £5.50" rec2="Corby Brogue – £195.00" rec3="Cedar shoe trees – £24.00" nonce="Pq01zz"
noise viewing="17" reviews="213" countdown="2 h 11 min" rec1="Bridle belt, tan – £48.00" rec2="Ashby Derby – £165.00" rec3="Renovating cream – £11.00"
wanted size9="UK 9 - Sold out" viewing="14" countdown="1 h 40 min" rec1="Cedar shoe trees – £24.00" rec2="Bridle belt, tan – £48.00" rec3="Corby Brogue – £195.00"
noise cookie="" viewing="8" countdown="1 h 09 min"
equal build="17044" nonce="vv8sK1" priceclass="js-price-ready"
wanted price="£199.00" viewing="11" countdown="0 h 38 min" reviews="214"
noise popup="<div class='klaviyo-form needsclick' role='dialog'><h3>Ten percent, for a start</h3><p>Join the list and get 10% off your first order.</p><input type='email' placeholder='Your email'><button>Unlock my code</button><button>No, thanks</button></div>" viewing="15" countdown="0 h 07 min"
broken page="<!doctype html><html><head><title>Just a moment...</title></head><body><div class='main-wrapper'><h1>www.hartwellboots.example</h1><p>Verify you are human by completing the action below.</p><p>www.hartwellboots.example needs to review the security of your connection before proceeding.</p><div>Ray ID: 8f1c0be2a90d</div></div></body></html>"
back popup="" viewing="6" countdown="4 h 51 min" rec1="Ashby Derby – £165.00" rec2="Renovating cream – £11.00" rec3="Waxed laces – £5.50"
wanted leadtime="2–3 weeks" viewing="10" countdown="4 h 20 min"
noise announce="Our Northampton shop is open on Sundays" menuextra="<li><a href='/pages/gift-cards' class='header__menu-item link'>Gift cards</a></li>" viewing="13" countdown="3 h 49 min"
wanted size8="UK 8 - Sold out" size10="UK 10 - Sold out" size11="UK 11 - Sold out" button="Notify me when available" viewing="19" countdown="3 h 18 min" reviews="215"
wanted resole="cannot be resoled" viewing="12" countdown="2 h 47 min"
noise copyright="© 2026, Hartwell &amp; Daughters" newsletter="Letters from the workshop" viewing="7" countdown="2 h 16 min" rec1="Corby Brogue – £179.00" rec2="Waxed laces – £5.50" rec3="Bridle belt, tan – £48.00"
wanted returns="30" viewing="9" countdown="1 h 46 min"
