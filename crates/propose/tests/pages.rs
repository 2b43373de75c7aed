//! What is proposed of pages as people bring them; each line reads as a sentence to a newcomer.

use page::{Hints, Limits};

/// Media type, body, and what is proposed.
type Page = (&'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const PAGES: &[Page] = &[
    (
        "text/html",
        "<title>Acme kettle</title><h1>Acme kettle</h1><p class=price>49,90 €</p><p>A\
         uf Lager</p>",
        &[
            "Tell me when the price, now 49,90 €, changes",
            "Tell me when it no longer says “Auf Lager”",
            "Tell me of any change of the text of “Acme kettle”",
        ],
    ),
    (
        "text/html",
        r#"<title>Concert</title><h1>Night of the organ</h1><p>Tickets sold out</p>"#,
        &[
            "Tell me when it no longer says “sold out”",
            "Tell me of any change of the text of “Concert”",
        ],
    ),
    (
        "text/html",
        r#"<title>Pots</title><h1>Pots</h1><h3>A</h3>$5.00<h3>B</h3>$6.00<h3>C</h3>$7.00"#,
        &[
            "Tell me when a price on the page changes, such as $5.00",
            "Tell me of any change of the text of “Pots”",
        ],
    ),
    (
        "text/html",
        "<title>Jobs</title><a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/\
         4>4</a><a href=/5>5</a><a href=/6>6</a><a href=/7>7</a><a href=/8>8</a><a hr\
         ef=/9>9</a><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>",
        &[
            "Tell me of new links; now there are 12",
            "Tell me of any change of the text of “Jobs”",
        ],
    ),
    (
        "text/html",
        "<title>Releases</title><h1>Releases</h1><h2>v1.84.0</h2><p>Faster.</p><h2>v1\
         .83.0</h2>",
        &[
            "Tell me when a version on the page changes, such as v1.84.0",
            "Tell me of any change of the text of “Releases”",
        ],
    ),
    (
        "text/html",
        r#"<title>Harbour status</title><h1>All systems operational</h1><p>API: up</p>"#,
        &[
            "Tell me of any change of the text of “Harbour status”",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/html",
        r#"<title>Terms of service</title><h1>Terms</h1><p>Updated 4 March 2027.</p>"#,
        &[
            "Tell me of any change of the text of “Terms of service”",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/html",
        r#"<title>Council</title><h1>Notices</h1><table><tr><td>Harbour road<td>closed</table>"#,
        &[
            "Tell me of any change of the text of “Council”",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/html",
        "<title>Forum</title><link rel=alternate type='application/atom+xml' href=/fe\
         ed><h1>Hi</h1>",
        &[
            "Tell me of new entries in the feed of “Forum”",
            "Tell me of any change of the text of “Forum”",
        ],
    ),
    (
        "text/html",
        r#"<title>Blog</title><h1>Blog</h1><h2>Rust in a week</h2><p>Read on.</p>"#,
        &[
            "Tell me of any change of the text of “Blog”",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/html",
        r#"<title>Weather</title><h1>Lisbon</h1><p>18 °C</p>"#,
        &[
            "Tell me of any change of the text of “Weather”",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/html",
        r#"<title>Flat 12</title><h1>Flat to let</h1><p>Rent: £950 per month</p>"#,
        &[
            "Tell me when the price, now £950, changes",
            "Tell me of any change of the text of “Flat 12”",
        ],
    ),
    (
        "text/html",
        r#"<h1>No title</h1><p>Hello</p>"#,
        &[
            "Tell me of any change of the text of this page",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/html",
        r#"<title>Rates</title><h1>Rates</h1><table><tr><td>EUR<td>1.08</table>"#,
        &[
            "Tell me of any change of the text of “Rates”",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/html",
        r#"<title>Docs</title><h1>Version 3.2.1</h1><p>Read me.</p>"#,
        &[
            "Tell me when a version on the page changes, such as 3.2.1",
            "Tell me of any change of the text of “Docs”",
        ],
    ),
    (
        "application/rss+xml",
        "<rss version='2.0'><channel><title>Planet</title><item><title>One</title></i\
         tem></channel></rss>",
        &[
            "Tell me of new entries in “Planet”",
            "Tell me of entries that are new, edited or gone in “Planet”",
        ],
    ),
    (
        "application/rss+xml",
        r#"<rss version='2.0'><channel><item><title>Q & A</title></item></channel></rss>"#,
        &[
            "Tell me of new entries in this feed",
            "Tell me of entries that are new, edited or gone in this feed",
        ],
    ),
    (
        "application/atom+xml",
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>News</title><entry><id>1</i\
         d></entry></feed>",
        &[
            "Tell me of new entries in “News”",
            "Tell me of entries that are new, edited or gone in “News”",
        ],
    ),
    (
        "application/json",
        r#"{"name": "Kettle", "price": 49.9, "currency": "EUR", "in_stock": true}"#,
        &[
            "Tell me when “price”, now 49.9, changes",
            "Tell me when “in_stock”, now true, changes",
            "Tell me of any change of this document",
        ],
    ),
    (
        "application/json",
        r#"{"tag_name": "v2.1.0", "assets": [{"name": "a.zip", "size": 5}]}"#,
        &[
            "Tell me when “tag_name”, now v2.1.0, changes",
            "Tell me what is new in “assets”; now it has 1",
            "Tell me of any change of this document",
        ],
    ),
    (
        "application/json",
        r#"{"info": {"version": "3.1", "summary": "A library"}, "urls": []}"#,
        &[
            "Tell me when “info.version”, now 3.1, changes",
            "Tell me of any change of this document",
        ],
    ),
    (
        "application/json",
        r#"[{"id": 1, "title": "First job"}, {"id": 2, "title": "Second job"}]"#,
        &[
            "Tell me what is new in the list; now it has 2",
            "Tell me of any change of this document",
        ],
    ),
    (
        "application/json",
        r#"{"products": [{"id": 1, "name": "Kettle", "price": 40}, {"id": 2, "name": "Pot"}]}"#,
        &[
            "Tell me what is new in “products”; now it has 2",
            "Tell me when a “price” changes, such as 40",
            "Tell me of any change of this document",
        ],
    ),
    (
        "application/json",
        r#"{"bitcoin": {"eur": 60000.5}}"#,
        &[
            "Tell me of any change of this document",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "application/json",
        r#"{"status": {"indicator": "none", "description": "All is well"}}"#,
        &[
            "Tell me when “status.indicator”, now none, changes",
            "Tell me of any change of this document",
        ],
    ),
    (
        "application/json",
        r#"{"data": {"availability": "OUT_OF_STOCK", "priceId": 7}}"#,
        &[
            "Tell me when “data.availability”, now OUT_OF_STOCK, changes",
            "Tell me of any change of this document",
        ],
    ),
    (
        "application/json",
        r#"["a", "b"]"#,
        &[
            "Tell me what is new in the list; now it has 2",
            "Tell me of any change of this document",
        ],
    ),
    (
        "application/xml",
        r#"<urlset><url><loc>https://a.example/</loc></url></urlset>"#,
        &[
            "Tell me of any change of the text of this document",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/plain",
        r#"Disallow: /private"#,
        &[
            "Tell me of any change of the text of this document",
            "Tell me of new text only, not of text that goes",
        ],
    ),
    (
        "text/csv",
        "city,fare\nLisbon,40",
        &[
            "Tell me of any change of the text of this document",
            "Tell me of new text only, not of text that goes",
        ],
    ),
];

#[test]
fn every_page_offers_what_a_newcomer_asks_for() {
    let mut wrong = String::new();
    for (media, body, expected) in PAGES {
        let url = url::Url::parse("https://site.example/page").expect("an address");
        let hints = Hints { content_type: Some(media), url: &url };
        let extract = page::read(body.as_bytes(), &hints, &Limits::default()).expect("a page");
        let price = propose::price(body.as_bytes(), &hints, &Limits::default());
        let offers = propose::propose(url.as_str(), &extract, price.as_ref());
        for offer in &offers {
            let text = offer.text(&offer.name);
            assert!(sentinel::format(&text).is_ok(), "{text}");
        }
        let said: Vec<&str> = offers.iter().map(|offer| offer.says.as_str()).collect();
        if said != *expected {
            wrong.push_str(&format!("{body}\n{said:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
