//! Adding a page by its address.

use super::bench::{Bench, local};
use crate::{Content, Looker, Looking, Seen, Unseen};
use address::SourceUrl;
use axum::body::Body;
use axum::http::{Method, header};
use kernel::Record;
use kernel::record::SourceRow;
use serde_json::Value;
use std::sync::Arc;

/// Finds a shop, a page without text, or nothing, by the address.
struct Eyes;

impl Looker for Eyes {
    fn look(&self, url: SourceUrl) -> Looking {
        Box::pin(async move {
            let body = match url.reveal() {
                "https://shop.example/kettle" | "https://me:hidden@shop.example/kettle" => {
                    "<title>Acme <b>kettle</title><p>49.90 EUR</p><p>In stock</p>"
                }
                "https://app.example/" => "<title>App</title><div id=root></div>",
                _ => {
                    let reason = "the server answered 404 Not Found".to_owned();
                    return Err(Unseen { status: Some(404), reason });
                }
            };
            let final_url = url::Url::parse(url.reveal()).expect("an address");
            let hints = page::Hints { content_type: Some("text/html"), url: &final_url };
            let limits = page::Limits::default();
            let views = [page::View::Page];
            let mut all = page::extract(body.as_bytes(), &hints, &limits, views).expect("HTML");
            let extract = all.remove(&page::View::Page).expect("the page");
            let content = Content {
                body: body.as_bytes().into(),
                content_type: Some("text/html".to_owned()),
                final_url: final_url.to_string(),
            };
            Ok(Seen { extract, at: super::bench::START, content })
        })
    }
}

fn bench() -> Bench {
    Bench::with(|config| config.looker = Some(Arc::new(Eyes)))
}

fn form(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

#[tokio::test]
async fn an_address_becomes_proposals_and_one_of_them_a_sentinel() {
    let bench = bench();
    let proposed = bench.post("/api/v1/propose", "shop.example/kettle").await.json();
    assert_eq!(proposed["url"], "https://shop.example/kettle");
    assert_eq!(proposed["found"]["notable"][0]["text"], "49.90 EUR");
    let best = &proposed["proposals"][0];
    assert_eq!(best["says"], "Tell me when the price, now 49.90 EUR, changes");
    let text = best["text"].as_str().expect("a text");
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let name = best["name"].as_str().expect("a name");
    // Another text under the name tells something else, and the name is taken.
    let other = format!("create sentinel {name} using https://shop.example/kettle monitor links");
    let path = format!("/api/v1/sentinels/{name}");
    assert_eq!(bench.write(Method::PUT, &path, &other).await.status, 200);
    let again = bench.post("/api/v1/propose", "shop.example/kettle").await.json();
    let offer = &again["proposals"][0];
    assert_eq!((&offer["watched"], &offer["watched_by"]), (&false.into(), &Value::Null), "{again}");
    assert!(offer["name"].as_str().is_some_and(|name| name.ends_with("-2")), "{again}");
}

#[tokio::test]
async fn what_is_told_already_is_known_by_what_it_watches_and_may_be_started_again() {
    let bench = bench();
    let proposed = bench.post("/api/v1/propose", "shop.example/kettle").await.json();
    let text = proposed["proposals"][0]["text"].as_str().expect("a text").to_owned();
    let name = proposed["proposals"][0]["name"].as_str().expect("a name").to_owned();
    assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
    let path = format!("/api/v1/sentinels/{name}");
    assert_eq!(bench.post(&format!("{path}/rename?to=tea"), "").await.status, 204);
    let edited = text.replacen(&name, "tea", 1)
        + "fetch every 2 hours tag kitchen, home weight 3 notify by interactive every day";
    let replaced = bench.write(Method::PUT, "/api/v1/sentinels/tea", &edited).await;
    assert_eq!(replaced.status, 200, "{replaced:?}");
    let again = bench.post("/api/v1/propose", "shop.example/kettle").await.json();
    let offer = &again["proposals"][0];
    assert_eq!((&offer["watched"], &offer["watched_by"]), (&true.into(), &"tea".into()), "{again}");
    assert_eq!(again["proposals"][1]["watched"], false, "{again}");
    let page = bench.add("https://shop.example/kettle").await.body;
    assert!(page.contains("Told already, by <a href=\"/sentinels/tea\">tea</a>."), "{page}");
    assert!(page.contains("<summary>Start another one</summary>"), "{page}");
    // Whoever wants it twice has it twice.
    let text = offer["text"].as_str().expect("a text");
    let started = bench.post("/add", &form(&[("text", text)])).await;
    assert_eq!(
        (started.status.as_u16(), started.header("location")),
        (303, &*format!("/sentinels/{name}"))
    );
    // Who is disabled or removed tells nothing.
    for (method, path) in [(Method::POST, "tea/disable"), (Method::DELETE, &*name)] {
        let done = bench.write(method, &format!("/api/v1/sentinels/{path}"), "").await;
        assert_eq!(done.status, 204);
    }
    let none = bench.post("/api/v1/propose", "shop.example/kettle").await.json();
    assert_eq!(none["proposals"][0]["watched"], false, "{none}");
}

#[tokio::test]
async fn the_form_shows_what_is_there_and_a_button_starts_it() {
    let bench = bench();
    let page = bench.add("https://shop.example/kettle").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("Tell me when the price, now 49.90 EUR, changes"), "{}", page.body);
    assert!(!page.body.contains("<b>kettle"), "what a page says is escaped");
    // The page that was just seen, and nobody watches, can be picked from.
    let pick = page.body.split('"').find(|part| part.starts_with("/pick/")).expect("a link");
    let frame = bench.get(&format!("{pick}/shown")).await;
    assert!(frame.body.contains("49.90 EUR</a>"), "{}", frame.body);
    let place = frame.body.split("\">49.90 EUR").next().and_then(|text| text.rsplit('"').next());
    let part = bench.get(place.expect("a link")).await;
    assert!(part.body.contains("now 49.9 EUR, changes"), "{}", part.body);
    // A password stands in no line and no link.
    let page = bench.add("https://me:hidden@shop.example/kettle").await;
    let pick = page.body.split('"').find(|part| part.starts_with("/pick/")).expect("a link");
    let picked = bench.get(pick).await;
    assert!(picked.body.contains("href=\"https://shop.example/kettle\""), "{}", picked.body);
    assert!(!picked.body.contains("hidden@"), "{}", picked.body);
    let text = "create sentinel kettle using \"https://shop.example/kettle\" monitor links";
    let started = bench.post("/add", &form(&[("text", text)])).await;
    assert_eq!((started.status.as_u16(), started.header("location")), (303, "/sentinels/kettle"));
    let wrong = bench.post("/add", &form(&[("text", "create sentinel")])).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.body.contains("Line 1"), "{}", wrong.body);
}

#[tokio::test]
async fn a_proposal_says_what_it_would_have_told_of_stored_versions() {
    let bench = Bench::with(|config| {
        config.looker = Some(Arc::new(Eyes));
        config.rehearsal = Some(Arc::new(super::editing::Stage));
    });
    let kettle = "https://shop.example/kettle";
    let text = format!("create sentinel kettle using {kettle}");
    assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
    let propose = async || bench.post("/api/v1/propose", kettle).await.json();
    bench.page(1, "<p>1</p>", &[]);
    let one = propose().await;
    assert!(one["proposals"][0]["says"].is_string() && one["proposals"][0]["past"].is_null());
    for number in 2..=30 {
        bench.page(number, &format!("<p>{number}</p>"), &[]);
    }
    let past = propose().await["proposals"][0]["past"].clone();
    assert_eq!((&past["versions"], &past["told"]), (&20.into(), &19.into()), "{past}");
    let page = bench.add(kettle).await.body;
    assert!(page.contains("Of the last 20 versions it would have told you 19 times."), "{page}");
}

#[tokio::test]
async fn what_cannot_be_seen_is_said_with_its_cure() {
    let bench = bench();
    let gone = bench.add("https://shop.example/gone").await;
    assert!(gone.body.contains("There is no such page"), "{}", gone.body);
    let thin = bench.post("/api/v1/propose", "https://app.example/").await.json();
    assert!(
        thin["problem"]["cure"].as_str().is_some_and(|cure| cure.contains("scripts")),
        "{thin}"
    );
    let nonsense = bench.add("kettle").await;
    assert!(nonsense.body.contains("is no address of a page"), "{}", nonsense.body);
    let mail = bench.add("ana@example.org").await;
    assert!(mail.body.contains("is an email address, not a page"), "{}", mail.body);
    let nobody = Bench::new().post("/api/v1/propose", "https://shop.example/").await;
    assert!(nobody.problem(409).contains("tidings serve"));
}

#[tokio::test]
async fn strangers_and_foreign_pages_have_nothing_looked_at() {
    let bench = bench();
    let body = form(&[("url", "https://shop.example/kettle")]);
    let request = local(Method::POST, "/add").body(Body::from(body.clone())).expect("a request");
    assert_eq!(bench.send(request).await.status, 401);
    let request = super::bench::with_token(Method::POST, "/add")
        .header(header::ORIGIN, "https://evil.example")
        .body(Body::from(body))
        .expect("a request");
    assert_eq!(bench.send(request).await.status, 403);
}

#[tokio::test]
async fn what_was_seen_is_a_page_of_its_own_to_come_back_to() {
    let bench = bench();
    let sent = bench.post("/add", &form(&[("url", "https://shop.example/kettle")])).await;
    let place = sent.header("location").to_owned();
    assert_eq!(sent.status, 303);
    assert!(place.starts_with("/add?of="), "{place}");
    let proposed = bench.post("/api/v1/propose", "shop.example/kettle").await.json();
    let text = proposed["proposals"][0]["text"].as_str().expect("a text");
    assert!(bench.get(&place).await.body.contains("Tell me when the price, now 49.90 EUR"));
    let started = bench.post("/add", &form(&[("text", text)])).await;
    assert_eq!(started.status, 303, "{started:?}");
    // Back there, the other proposals are still there, and nobody has looked again.
    let again = bench.get(&place).await;
    assert!(again.body.contains("Told already, by"), "{}", again.body);
    assert!(again.body.contains("49.90 EUR"), "{}", again.body);
    let lost = bench.get("/add?of=00").await;
    assert_eq!(lost.status, 404);
    assert!(lost.body.contains("paste its address again"), "{}", lost.body);
    // One that is watched is shown as it was seen last.
    bench.page(1, "<title>Acme kettle</title><p>39.90 EUR", &[]);
    let row = bench.reader().snapshot().expect("a store").sources.remove(0);
    let row = SourceRow { version: 1, newest: 1, ..row };
    bench.store(vec![Record::Source(Box::new(row))], &[]);
    let bench = bench.restarted();
    let known = bench.post("/add", &form(&[("url", "https://shop.example/kettle")])).await;
    assert_eq!(known.header("location"), "/add?source=1");
    assert!(bench.get("/add?source=1").await.body.contains("39.90 EUR"));
    assert_eq!(bench.get("/add?source=7").await.status, 404);
}
