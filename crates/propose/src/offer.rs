//! Proposals: sentinels that would make sense on a page, as sentences and in the language.

use crate::find::{Findings, What, cut, findings};
use crate::member;
use crate::name::name_of;
use crate::price::Price;
use page::{Extract, Kind, Selector};

/// Proposals for one page at most.
const PROPOSALS_MAX: usize = 4;
/// Links from which a page counts as a list of things.
const LIST_LINKS_MIN: usize = 12;
/// Things listed in a preview.
const PREVIEW_MAX: usize = 4;

/// A sentinel somebody may want.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// "Tell me when the price, now 49.90 EUR, changes".
    pub says: String,
    /// The sentinel's; may be taken already.
    pub name: String,
    /// What is watched: the page itself, or a feed that it announces.
    pub url: String,
    /// The rest of the sentinel, from `monitor` on, one clause a line.
    pub clauses: String,
    /// What of the page, as it is, the sentinel looks at.
    pub preview: Vec<String>,
}

impl Proposal {
    /// The sentinel as the language writes it, under this name.
    pub fn text(&self, name: &str) -> String {
        let url = self.url.replace('\\', "\\\\").replace('"', "\\\"");
        format!("create sentinel {name} using \"{url}\"\n  {}\n", self.clauses)
    }
}

/// Two to four proposals, the best guess first. `url` is what the person gave, `price` the one
/// that the page is about. Linear in the extract.
pub fn propose(url: &str, extract: &Extract, price: Option<&Price>) -> Vec<Proposal> {
    let found = findings(extract);
    let mut offers = Vec::new();
    let own = |says: String, ending: &str, clauses: &str, preview: Vec<String>| Proposal {
        says,
        name: name_of(&found.title, url, ending),
        url: url.to_owned(),
        clauses: clauses.to_owned(),
        preview,
    };
    if found.kind == Kind::Feed {
        let says = format!("Tell me of new entries in {}", called(&found, "this feed"));
        offers.push(own(says, "entries", "monitor new items", links(extract)));
        offers.push(any_change(&found, &own, extract));
        return offers;
    }
    if found.kind == Kind::Json {
        offers = member::proposals(extract.blocks.iter().map(|block| &*block.text), &own);
        return completed(offers, &found, &own, extract);
    }
    if let Some(price) = price {
        let says = format!("Tell me when the price, now {}, changes", price.text);
        let clauses = format!("monitor value of {}", price.selector);
        let counted = price.counts.then(|| COUNTED.to_owned());
        let preview = std::iter::once(cut(&price.text)).chain(counted).collect();
        offers.push(own(says, "price", &clauses, preview));
    } else if let Some(price) = found.first(What::Price) {
        let says = format!("Tell me when a price on the page changes, such as {}", price.text);
        let clauses = price_clause(&price.text);
        offers.push(own(says, "prices", &clauses, all_of(&found, What::Price)));
    }
    if let Some(stock) = found.first(What::Stock) {
        let says = format!("Tell me when it no longer says “{}”", stock.text);
        offers.push(own(says, "stock", &stock_clause(&stock.text), all_of(&found, What::Stock)));
    }
    if let Some(feed) = found.feeds.first() {
        let feed_of = called(&found, "this page");
        offers.push(Proposal {
            says: format!("Tell me of new entries in the feed of {feed_of}"),
            name: name_of(&found.title, url, "feed"),
            url: feed.clone(),
            clauses: "monitor new items".to_owned(),
            preview: vec![feed.clone()],
        });
    }
    if let Some(version) = found.first(What::Version) {
        let version = version.text.trim_start_matches("Version ");
        let says = format!("Tell me when a version on the page changes, such as {version}");
        offers.push(own(says, "version", VERSION_CLAUSE, all_of(&found, What::Version)));
    }
    if found.links >= LIST_LINKS_MIN {
        let says = format!("Tell me of new links; now there are {}", found.links);
        offers.push(own(says, "links", "monitor links added", links(extract)));
    }
    completed(offers, &found, &own, extract)
}

/// The best of these, and what fits every page.
fn completed(
    mut offers: Vec<Proposal>,
    found: &Findings,
    own: &impl Fn(String, &str, &str, Vec<String>) -> Proposal,
    extract: &Extract,
) -> Vec<Proposal> {
    offers.truncate(PROPOSALS_MAX - 1);
    offers.push(any_change(found, own, extract));
    if offers.len() == 1 {
        offers.push(own(
            "Tell me of new text only, not of text that goes".to_owned(),
            "news",
            "monitor any change added",
            texts(extract),
        ));
    }
    offers
}

/// A part of a page that somebody pointed at.
#[derive(Debug, Clone, Copy)]
pub struct Part<'p> {
    /// What the person watches.
    pub url: &'p str,
    /// The page's; empty where it has none.
    pub title: &'p str,
    /// Finds the part.
    pub selector: &'p Selector,
    /// What stands there now.
    pub text: &'p str,
    /// The number in it, with its unit, as the language reads it.
    pub number: Option<&'p str>,
}

/// One or two proposals for a part of a page; its number comes first where it has one.
pub fn of_part(part: Part<'_>) -> Vec<Proposal> {
    let own = |says: String, ending: &str, clauses: String| Proposal {
        says,
        name: name_of(part.title, part.url, ending),
        url: part.url.to_owned(),
        clauses,
        preview: vec![cut(part.text)],
    };
    let selector = part.selector;
    let number = part.number.map(|number| {
        let says = format!("Tell me when this number, now {number}, changes");
        own(says, "value", format!("monitor value of {selector}"))
    });
    let text = format!("Tell me when this text changes, now “{}”", cut(part.text));
    let text = own(text, "part", format!("monitor text of {selector}"));
    number.into_iter().chain([text]).collect()
}

fn any_change(
    found: &Findings,
    own: &impl Fn(String, &str, &str, Vec<String>) -> Proposal,
    extract: &Extract,
) -> Proposal {
    let what = match found.kind {
        Kind::Feed => "entries that are new, edited or gone in ",
        Kind::Json => "any change of ",
        Kind::Html | Kind::Xml | Kind::Text => "any change of the text of ",
    };
    let says = format!("Tell me of {what}{}", called(found, this(found.kind)));
    own(says, "page", "monitor any change", texts(extract))
}

/// Changes of text with a price in the same currency.
fn price_clause(price: &str) -> String {
    let currency = price.trim_matches(|c: char| c.is_ascii_digit() || " .,'\u{a0}".contains(c));
    let escaped = if currency == "$" { "\\\\$" } else { currency };
    format!("monitor any change matching \"{escaped}\"")
}

/// What it says now, and what shops say instead.
fn stock_clause(now: &str) -> String {
    let mut phrases = vec![now.to_lowercase()];
    for usual in ["in stock", "out of stock", "sold out"] {
        if phrases[0] != usual {
            phrases.push(usual.to_owned());
        }
    }
    let quoted: Vec<String> = phrases.iter().map(|phrase| format!("\"{phrase}\"")).collect();
    format!("monitor phrases {}", quoted.join(", "))
}

/// Said of a selector that counts elements.
const COUNTED: &str = "found by its position: something new above it would lead it astray";

const VERSION_CLAUSE: &str = "monitor any change matching \"[0-9]+\\\\.[0-9]+\"";

fn this(kind: Kind) -> &'static str {
    match kind {
        Kind::Html => "this page",
        Kind::Feed => "this feed",
        Kind::Xml | Kind::Json | Kind::Text => "this document",
    }
}

fn called(found: &Findings, otherwise: &str) -> String {
    if found.title.is_empty() { otherwise.to_owned() } else { format!("“{}”", found.title) }
}

fn all_of(found: &Findings, what: What) -> Vec<String> {
    let of_sort = found.notable.iter().filter(|one| one.what == what);
    let shown = of_sort.map(|one| {
        if one.around.contains(&one.text) {
            one.around.clone()
        } else {
            format!("{}: {}", one.text, one.around)
        }
    });
    shown.take(PREVIEW_MAX).collect()
}

/// What a page is there for comes first: `any change` holds back what stands around it.
fn links(extract: &Extract) -> Vec<String> {
    let named = extract.links.iter().filter(|link| !link.text.trim().is_empty());
    let mut named: Vec<_> = named.collect();
    named.sort_by_key(|link| !link.part.is_main());
    named.into_iter().map(|link| cut(link.text.trim())).take(PREVIEW_MAX).collect()
}

fn texts(extract: &Extract) -> Vec<String> {
    let mut blocks: Vec<_> = extract.blocks.iter().collect();
    blocks.sort_by_key(|block| !block.part.is_main());
    blocks.into_iter().map(|block| cut(&block.text)).take(PREVIEW_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::{Hints, Limits, View};

    fn extract(kind: &str, body: &str) -> Extract {
        let url = url::Url::parse("https://shop.example/kettle").unwrap();
        let hints = Hints { content_type: Some(kind), url: &url };
        let mut all =
            page::extract(body.as_bytes(), &hints, &Limits::default(), [View::Page]).unwrap();
        all.remove(&View::Page).unwrap()
    }

    fn offers(kind: &str, body: &str) -> Vec<Proposal> {
        let url = url::Url::parse("https://shop.example/kettle").unwrap();
        let hints = Hints { content_type: Some(kind), url: &url };
        let price = crate::price(body.as_bytes(), &hints, &Limits::default());
        propose("https://shop.example/kettle", &extract(kind, body), price.as_ref())
    }

    #[test]
    fn a_preview_shows_the_content_before_the_menu() {
        let page = "<nav><ul><li><a href=/>Home</a><li><a href=/c>Contact</a></ul></nav>\
                    <main><h1>Rates</h1><p>The franc rose against all others today.</p></main>";
        let offers = offers("text/html", page);
        let any = offers.iter().find(|offer| offer.clauses == "monitor any change").unwrap();
        assert_eq!(any.preview[..2], ["Rates", "The franc rose against all others today."]);
    }

    /// Every text is one that the language takes without a finding.
    fn assert_accepted(offers: &[Proposal]) {
        for offer in offers {
            let text = offer.text(&offer.name);
            let formatted = sentinel::format(&text);
            assert!(formatted.is_ok(), "{text}: {formatted:?}");
        }
    }

    #[test]
    fn a_shop_offers_its_price_first() {
        let offers = offers(
            "text/html",
            "<title>Acme kettle</title><h1>Acme kettle</h1><p class=price>49.90 EUR</p>\
             <p>In stock: 27</p><div class=related><p>19.90 EUR</p></div>",
        );
        assert_accepted(&offers);
        assert_eq!(offers[0].says, "Tell me when the price, now 49.90 EUR, changes");
        assert_eq!(offers[0].name, "acme-kettle-price");
        assert_eq!(offers[0].clauses, r#"monitor value of css ".price""#);
        assert_eq!(offers[0].preview, ["49.90 EUR"]);
        assert_eq!(offers[1].says, "Tell me when it no longer says “In stock”");
        assert_eq!(offers[1].preview, ["In stock: 27"]);
        assert!(offers[2].says.contains("any change"), "{offers:?}");
    }

    #[test]
    fn a_list_of_things_offers_all_of_its_prices() {
        let card = |n: u32| format!("<h3>Kettle {n}</h3><b class=price>{n}.90 EUR</b>");
        let cards: String = (1..9).map(card).collect();
        let offers = offers("text/html", &format!("<title>Kettles</title><h1>Kettles</h1>{cards}"));
        assert_accepted(&offers);
        let says = "Tell me when a price on the page changes, such as 1.90 EUR";
        assert_eq!((&*offers[0].says, &*offers[0].name), (says, "kettles-prices"));
        assert_eq!(offers[0].clauses, r#"monitor any change matching "EUR""#);
    }

    #[test]
    fn a_price_that_nothing_names_is_found_by_its_position_and_says_so() {
        let offers = offers("text/html", "<div><p>Hello</p><p>49.90 EUR</p></div>");
        assert_accepted(&offers);
        assert_eq!(offers[0].preview, ["49.90 EUR", COUNTED]);
    }

    #[test]
    fn a_page_that_announces_a_feed_offers_its_entries() {
        let offers = offers(
            "text/html",
            "<title>Planet</title><link rel=alternate type='application/rss+xml' href=/rss>\
             <p>Hello</p>",
        );
        assert_accepted(&offers);
        assert_eq!(offers[0].url, "https://shop.example/rss");
        assert_eq!(offers.len(), 2);
    }

    #[test]
    fn a_feed_offers_its_entries_and_a_bare_page_two_ways() {
        let feed = offers(
            "application/rss+xml",
            "<rss version='2.0'><channel><title>Planet</title><item><title>One</title>\
             <link>https://a.example/1</link></item></channel></rss>",
        );
        assert_accepted(&feed);
        assert_eq!(feed[0].says, "Tell me of new entries in “Planet”");
        assert_eq!(feed[0].clauses, "monitor new items");
        let bare = offers("text/html", "<p>Hello</p>");
        assert_accepted(&bare);
        assert_eq!(bare.len(), 2);
    }

    #[test]
    fn a_json_document_offers_the_members_whose_names_say_so() {
        let found = |body: &str| {
            let offers = offers("application/json", body);
            assert_accepted(&offers);
            let said = offers.into_iter().map(|offer| format!("{}: {}", offer.says, offer.clauses));
            said.collect::<Vec<_>>()
        };
        let kettle = r#"{"id": 7, "price_id": 3, "offer": {"currentPrice": 49.9},
            "inStock": true, "updated_at": "2026-01-02"}"#;
        assert_eq!(
            found(kettle),
            [
                "Tell me when “offer.currentPrice”, now 49.9, changes: \
                 monitor value of jsonpath \"$.offer.currentPrice\"",
                "Tell me when “inStock”, now true, changes: monitor text of jsonpath \"$.inStock\"",
                "Tell me of any change of this document: monitor any change",
            ]
        );
        let status = r#"{"page": {"name": "Harbour"}, "status": {"indicator": "none"},
            "components": [{"id": "a", "name": "API", "status": "up"}]}"#;
        assert_eq!(
            found(status)[..2],
            [
                "Tell me when “status.indicator”, now none, changes: \
                 monitor text of jsonpath \"$.status.indicator\"",
                "Tell me what is new in “components”; now it has 1: \
                 monitor text of jsonpath \"$.components[*].name\" added",
            ]
        );
        let releases =
            r#"[{"tag_name": "v2.1", "files": ["a"]}, {"tag_name": "v2.0", "files": []}]"#;
        let new = "Tell me what is new in the list; now it has 2: \
                   monitor text of jsonpath \"$[*].tag_name\" added";
        assert_eq!(found(releases)[0], new);
        let shop =
            r#"{"items": [{"sku": "k", "unit-price": "5 EUR"}, {"sku": "p", "unit-price": 4}]}"#;
        let prices = "Tell me when a “unit-price” changes, such as 5 EUR: \
                      monitor any change updated matching \"[.]unit-price: \"";
        assert!(found(shop).iter().any(|said| said == prices), "{:?}", found(shop));
        assert_eq!(found("[1, 2]").len(), 2);
        assert_eq!(found("{}").len(), 2);
    }

    #[test]
    fn a_part_offers_its_number_and_its_text() {
        let hints_url = "https://shop.example/kettle";
        let selector = page::Region::of_text(r#"css "[itemprop=\"price\"]""#).unwrap();
        let selector = selector.selector.unwrap();
        let part = Part {
            url: hints_url,
            title: "Acme kettle",
            selector: &selector,
            text: "49.90 €",
            number: Some("49.9 EUR"),
        };
        let offers = of_part(part);
        assert_accepted(&offers);
        assert_eq!(offers[0].clauses, r#"monitor value of css "[itemprop=\"price\"]""#);
        assert_eq!(offers[0].name, "acme-kettle-value");
        assert_eq!(offers[1].clauses, r#"monitor text of css "[itemprop=\"price\"]""#);
        assert_eq!(of_part(Part { number: None, ..part }).len(), 1);
    }

    #[test]
    fn there_are_never_more_than_four() {
        let links: String = (0..40).map(|n| format!("<a href=/{n}>link {n}</a> ")).collect();
        let body = format!(
            "<link rel=alternate type='application/rss+xml' href=/rss><p>$5</p><p>sold out</p>\
             <p>v1.2.3</p>{links}"
        );
        let offers = offers("text/html", &body);
        assert_accepted(&offers);
        assert_eq!(offers.len(), 4);
        assert_eq!(offers[3].clauses, "monitor any change");
    }
}
