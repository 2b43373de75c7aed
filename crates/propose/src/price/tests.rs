//! Pages of shops, each with prices beside the one that is meant.

use super::*;

fn found(body: &str) -> Option<Price> {
    let url = url::Url::parse("https://shop.example/kettle").expect("an address");
    let hints = Hints { content_type: Some("text/html"), url: &url };
    let price = price(body.as_bytes(), &hints, &Limits::default());
    if let Some(price) = &price {
        let view = View::Selected(price.selector.to_string().into());
        let mut all = page::extract(body.as_bytes(), &hints, &Limits::default(), [view.clone()])
            .expect("a page");
        let shown = all.remove(&view).expect("a view");
        assert_eq!((shown.blocks.len(), &shown.missing), (1, &None), "{body}: {price:?}");
        let amount = price.text.trim_matches(|c: char| !c.is_ascii_digit());
        assert!(shown.blocks[0].text.contains(amount), "{price:?}: {:?}", shown.blocks);
    }
    price
}

#[track_caller]
fn assert_price(body: &str, text: &str, selector: &str) {
    let price = found(body).unwrap_or_else(|| panic!("no price: {body}"));
    assert_eq!((&*price.text, &*price.selector.to_string()), (text, selector));
    assert!(!price.counts, "{price:?}");
}

#[test]
fn every_pattern_compiles() {
    for (regex, text) in [
        (&AMOUNT, "49.90 EUR"),
        (&OTHER_NAMES, "price-old"),
        (&OTHER_WORDS, "statt 5"),
        (&OTHER_WORDS, "5 €/100 g"),
        (&OTHER_HEADINGS, "Das könnte auch gefallen"),
    ] {
        assert!(regex.is_match(text), "{text}");
    }
}

const RELATED: &str = "<h2>You may also like</h2>
    <ul><li><a href=/a>Mug</a> <span class=price>9.90 EUR</span></li>
    <li><a href=/b>Tea</a> <span class=price>4.50 EUR</span></li>
    <li><a href=/c>Pot</a> <span class=price>29.00 EUR</span></li></ul>";

#[test]
fn what_is_said_to_search_engines_comes_first() {
    let linked = |json: &str| {
        format!(
            "<script type='application/ld+json'>{json}</script><h1>Kettle</h1>
             <p class=price>from 39.90 EUR</p>{RELATED}"
        )
    };
    let offer = r#"{"@type": "Product", "offers":
        {"@type": "Offer", "price": "49.90", "priceCurrency": "eur"}}"#;
    assert_price(&linked(offer), "49.90 EUR", "jsonld \"$.offers.price\"");
    let list = r#"{"@type": "Product", "offers": [{"price": 49.9, "priceCurrency": "EUR"}]}"#;
    assert_price(&linked(list), "49.9 EUR", "jsonld \"$.offers[0].price\"");
    let meta = "<meta property='product:price:amount' content='49.90'>
        <meta property='product:price:currency' content='EUR'><h1>Kettle</h1><p>€50</p>";
    assert_price(meta, "49.90 EUR", "meta \"product:price:amount\"");
    // Products of a list, or a price of nothing, are not the page's.
    let two = r#"[{"offers": {"price": 1}}, {"offers": {"price": 2}}]"#;
    assert_price(&linked(two), "39.90 EUR", "css \"p.price\"");
    let free = r#"{"offers": {"price": "0.00"}}"#;
    assert_price(&linked(free), "39.90 EUR", "css \"p.price\"");
}

#[test]
fn related_products_are_not_what_the_page_is_about() {
    let body = format!(
        "<nav><a href=/cart>Cart: 0.00 EUR</a></nav><main><h1>Acme kettle</h1>
         <div class=buy><span class=price>49.90 EUR</span> <button>Buy</button></div>
         {RELATED}</main><footer>Free shipping from 50 EUR</footer>"
    );
    assert_price(&body, "49.90 EUR", "css \".buy .price\"");
    // No heading says so, but a name does.
    let body = "<h1>Acme kettle</h1><section class=product-related><b class=amount>9.90 EUR</b>
        </section><b id=total class=amount>49.90 EUR</b>";
    assert_price(body, "49.90 EUR", "css \"#total\"");
}

#[test]
fn the_price_that_was_is_not_the_price_that_is() {
    for was in [
        "<del>59.90 EUR</del>",
        "<s class=x>59.90 EUR</s>",
        "<span class=old-price>59.90 EUR</span>",
        "<span class='price price--was was'>59.90 EUR</span>",
        "<span style='text-decoration: line-through'>59.90 EUR</span>",
        "<small>UVP 59.90 EUR</small>",
        "<i>You save 10.00 EUR</i>",
    ] {
        let body = format!("<h1>Kettle</h1><div>{was} <ins class=sale>49.90 EUR</ins></div>");
        assert_price(&body, "49.90 EUR", "css \".sale\"");
    }
}

#[test]
fn the_price_of_a_unit_and_of_the_delivery_are_others() {
    for other in [
        "<small>(12,48 € / kg)</small>",
        "<small>1,25 € pro 100 g</small>",
        "<small>12,48 € per litre</small>",
        "<small>zzgl. 4,90 € Versand</small>",
        "<small class=unit-price>12,48 €</small>",
    ] {
        let body = format!("<h1>Tea</h1><p>{other}</p><p class=amount>49,90 €</p>");
        assert_price(&body, "49,90 €", "css \".amount\"");
    }
}

#[test]
fn currencies_stand_before_and_after_and_in_pieces() {
    for (price, text) in [
        ("<span id=p>€49.90</span>", "€49.90"),
        ("<span id=p>$ 1,299.00</span>", "$ 1,299.00"),
        ("<span id=p>1.299,00 €</span>", "1.299,00 €"),
        ("<span id=p><b>1.299</b><sup>,00</sup> €</span>", "1.299,00 €"),
        ("<span id=p><span>CHF</span> <span>49.90</span></span>", "CHF 49.90"),
        ("<span id=p>49.90&nbsp;EUR</span>", "49.90 EUR"),
    ] {
        let body = format!("<h1>Kettle</h1>{price}{RELATED}");
        assert_price(&body, text, "css \"#p\"");
    }
    let named =
        format!("<h1>Kettle</h1><p>Only 5 EUR a week</p><b itemprop=price>49.90 EUR</b>{RELATED}");
    assert_price(&named, "49.90 EUR", "css \"[itemprop=\\\"price\\\"]\"");
}

#[test]
fn a_list_of_things_has_no_price_of_its_own() {
    let card =
        |n: u32| format!("<div class=card><h3>Kettle {n}</h3><b class=price>{n}.90 EUR</b></div>");
    let cards: String = (1..9).map(card).collect();
    assert_eq!(found(&format!("<h1>Kettles</h1>{cards}")), None);
    assert_eq!(found(&cards), None);
    assert_eq!(found("<h1>Kettle</h1><p>Ask us.</p>"), None);
    assert_eq!(found("<h1>Kettle</h1><script>49.90 EUR</script><p hidden>49.90 EUR</p>"), None);
}
