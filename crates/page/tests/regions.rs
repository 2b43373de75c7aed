//! What regions show of documents.

use page::{Extract, Hints, Limits, View, extract};
use url::Url;

fn look(media_type: &str, body: &str, region: &str) -> Extract {
    let url = Url::parse("https://shop.example/a/").expect("a URL written here");
    let hints = Hints { content_type: Some(media_type), url: &url };
    let view = View::of_key(region);
    let mut extracts =
        extract(body.as_bytes(), &hints, &Limits::default(), [view.clone()]).expect("a page");
    extracts.remove(&view).unwrap_or_else(|| panic!("{region} is no region"))
}

fn texts(media_type: &str, body: &str, region: &str) -> Vec<String> {
    let extract = look(media_type, body, region);
    assert_eq!(extract.missing, None, "{region}");
    extract.blocks.into_iter().map(|block| block.text).collect()
}

fn missing(media_type: &str, body: &str, region: &str) -> String {
    look(media_type, body, region).missing.expect(region).into()
}

const SHOP: &str = r#"<!DOCTYPE html><html lang="de-AT"><head><title> Räder &amp; mehr </title>
<meta name="Price" content="1299.00"><meta property="og:title" content="Rad">
<script type="application/ld+json">{"@graph": [{"@type": "Product", "offers": {"price": 1299.5}}]}
</script><script type="application/ld+json">{broken</script></head><body>
<nav><a href="/">Home</a></nav>
<main id="main"><div>one</div><div>two</div>
<div><span class="name">Rad</span> <span class="price"><b>1.299</b><sup>,00</sup> €</span>
<span class="price" hidden>1.199,00 €</span><div class="ad">Buy <a href="x">now</a></div></div>
<table><tr><th>Size<th>Stock<tr><td>S<td>3<tr><td>M<td>0</table>
<p>Seen by 1,204 people. <a href="b">More</a></p></main></body></html>"#;

#[test]
fn selectors_as_browsers_write_them_find_what_they_point_at() {
    let html = |region: &str| texts("text/html", SHOP, region);
    assert_eq!(
        html(r##"css "#main > div:nth-child(3) > span.price""##),
        ["1.299,00 €", "1.199,00 €"]
    );
    // Browsers put in the <tbody> that the page leaves out; so does this parser.
    assert_eq!(html(r#"xpath "/html/body/main/table/tbody/tr[3]/td[2]""#), ["0"]);
    assert_eq!(html(r#"xpath "//*[@id=\"main\"]/table/tbody/tr[2]/td""#), ["S", "3"]);
    assert_eq!(html(r#"xpath "//nav/a/@href""#), ["/"]);
    assert_eq!(html(r#"xpath "count(//td)""#), ["4"]);
    assert_eq!(html(r#"css "meta[name=Price]""#), ["1299.00"]);
    assert_eq!(html("title"), ["Räder & mehr"]);
    assert_eq!(html(r#"meta "price""#), ["1299.00"]);
    assert_eq!(html(r#"meta "og:title""#), ["Rad"]);
    assert_eq!(html(r#"jsonld "$.offers.price""#), ["1299.5"]);
    let price = look("text/html", SHOP, r#"css ".price""#);
    assert_eq!(price.language.as_deref(), Some("de-AT"));
}

#[test]
fn scopes_bound_what_is_seen() {
    let html = |region: &str| texts("text/html", SHOP, region);
    assert_eq!(html(r#"inside css ".price""#), ["1.299,00 €"]);
    let left = html(r#"inside css "main" outside css ".ad, table" outside css "main > div""#);
    assert_eq!(left, ["Seen by 1,204 people. More"]);
    assert_eq!(html(r#"css "span" inside css "main" outside css ".price""#), ["Rad"]);
    assert_eq!(
        html(r#"css "main > div:nth-child(3)" outside css ".ad" outside css ".price""#),
        ["Rad"]
    );
    let seen = look("text/html", SHOP, r#"inside css "main" outside css ".ad""#);
    let links: Vec<&str> = seen.links.iter().map(|link| &*link.href).collect();
    assert_eq!(links, ["https://shop.example/a/b"]);
    // There is nothing to leave out, and that is no lack.
    assert_eq!(look("text/html", SHOP, r#"outside css ".cookies""#).missing, None);
}

#[test]
fn what_is_ignored_is_taken_away() {
    let html = |region: &str| texts("text/html", SHOP, region);
    assert_eq!(html(r#"css "p" ignoring "[0-9,]+ people""#), ["Seen by . More"]);
    assert_eq!(html(r#"css "td" ignoring "^[0-9]$""#), ["S", "", "M", ""]);
    let whole = html(r#"ignoring "Seen by.*""#);
    assert!(whole.iter().all(|text| !text.contains("people")), "{whole:?}");
}

#[test]
fn what_finds_nothing_says_so() {
    let html = |region: &str| missing("text/html", SHOP, region);
    assert_eq!(html(r#"css ".gone""#), "css \".gone\" finds nothing");
    assert_eq!(html(r#"css "a" inside xpath "//footer""#), "xpath \"//footer\" finds nothing");
    assert!(html(r#"jsonpath "$.a""#).contains("looks into JSON"));
    assert!(html(r#"css "a" inside xpath "count(//a)""#).contains("gives a value"));
    assert!(html("items").contains("this is an HTML page"));
    assert!(missing("text/plain", "40 EUR", r#"css "p""#).contains("plain text"));
    assert!(missing("application/json", "{}", r#"css "p""#).contains("looks into HTML and XML"));
    assert!(missing("application/json", "{}", r#"meta "p""#).contains("looks into HTML"));
}

#[test]
fn json_is_pointed_into() {
    let body = r#"{"a": {"b": [1, 2.50, "x"], "c": null}, "d e": {"b": [true]}}"#;
    let json = |region: &str| texts("application/json", body, region);
    assert_eq!(json(r#"jsonpath "$.a.b[*]""#), ["1", "2.5", "x"]);
    assert_eq!(
        json(r#"jsonpath "$..b""#),
        ["[1,2.50,\"x\"]".replace("2.50", "2.5"), "[true]".into()]
    );
    assert_eq!(json(r#"jsonpath "$..b[0]" outside jsonpath "$.a""#), ["true"]);
    assert_eq!(
        json(r#"inside jsonpath "$.a""#),
        ["a.b[0]: 1", "a.b[1]: 2.5", "a.b[2]: x", "a.c: null"]
    );
    assert_eq!(json(r#"outside jsonpath "$.a""#), ["[\"d e\"].b[0]: true"]);
}

#[test]
fn feeds_have_entries_and_xml_has_places() {
    let feed = "<rss version='2.0'><channel><title>News</title><item><guid>7</guid>\
                <title>Oil</title><link>https://n.example/7</link><description>&lt;b&gt;Up\
                </description></item><item><title>Gas</title></item></channel></rss>";
    let items = look("application/rss+xml", feed, "items").items;
    let of = |at: usize| {
        let item: &page::Item = &items[at];
        [&*item.id, &*item.title, &*item.href, &*item.text]
    };
    assert_eq!(of(0), ["7", "Oil", "https://n.example/7", "Up"]);
    assert_eq!(of(1), ["Gas", "Gas", "", ""]);
    assert_eq!(texts("application/rss+xml", feed, "title"), ["News"]);
    assert_eq!(texts("application/rss+xml", feed, r#"xpath "//item/title""#), ["Oil", "Gas"]);
    assert_eq!(texts("application/rss+xml", feed, r#"outside css "item""#), ["News"]);
}

#[test]
fn a_part_of_a_page_has_the_title_of_the_page() {
    let part = look("text/html", "<title>Kettle</title><p id=p>49.90 EUR", r##"css "#p""##);
    assert_eq!(part.title.as_deref(), Some("Kettle"));
}

#[test]
fn json_ld_is_read_within_the_marks_that_hide_it() {
    for (open, close) in [
        ("//<![CDATA[\n", "\n//]]>"),
        ("<![CDATA[", "]]>"),
        ("/*<![CDATA[*/ ", " /*]]>*/"),
        ("<!--\n", "\n-->"),
        ("<!-- ", " //-->"),
    ] {
        let json = format!("{open}{{\"price\": 5}}{close}");
        let page = format!("<script type='application/ld+json'>{json}</script><p>x");
        let found = look("text/html", &page, "jsonld \"$.price\"");
        assert_eq!(found.blocks, [page::Block::plain("5")], "{json}");
    }
}
