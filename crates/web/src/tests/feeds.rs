//! Feeds: made, read by feed readers, revoked.

use super::bench::{Bench, Reply, SENTINEL, START, local, with_token};
use axum::body::Body;
use axum::http::{Method, header};
use chronon::Span;

use notice::LinkKey;
use serde_json::{Value, json};

async fn bench() -> Bench {
    let bench = Bench::with(|config| config.links = Some(LinkKey::new([7; 32])));
    let tagged = SENTINEL.replace("notify by", "tag travel\n  notify by");
    let other = "create sentinel secret using https://bank.example/";
    for text in [tagged.as_str(), other] {
        let made = bench.post("/api/v1/sentinels", text).await;
        assert_eq!(made.status, 201, "{made:?}");
    }
    bench
}

/// A body of type `change`.
fn told(seq: u64, summary: &str) -> Value {
    json!({
        "format": 1, "type": "change", "sentinel": "deals", "sentinel_id": 1, "seq": seq,
        "summary": summary, "detected_at": format!("2027-01-01T00:00:{seq:02}.000Z"),
        "sources": [{"url": "https://air.example/deals"}],
        "changes": [{"kind": "insert", "type": "links",
            "new": {"text": "<b>Rome & \u{1}\u{202e}Oslo</b>", "href": "https://air.example/rome"}}],
        "changes_total": 1,
    })
}

async fn new_feed(bench: &Bench, wish: &str) -> Value {
    let made = bench.post("/api/v1/feeds", wish).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

fn path(feed: &Value, kind: &str) -> String {
    let address = feed[kind].as_str().expect("an address");
    address.strip_prefix("http://192.0.2.7:7878").expect("it is ours").to_owned()
}

async fn items(bench: &Bench, feed: &Value) -> Vec<Value> {
    let read = bench.stray(&path(feed, "json")).await;
    assert_eq!(
        (read.status.as_u16(), read.header("content-type")),
        (200, "application/feed+json; charset=utf-8")
    );
    read.json()["items"].as_array().expect("items").clone()
}

async fn titles(bench: &Bench, feed: &Value) -> Vec<String> {
    let items = items(bench, feed).await;
    items.iter().map(|item| item["title"].as_str().expect("a title").to_owned()).collect()
}

#[tokio::test]
async fn a_feed_is_read_without_a_token_and_tells_what_was_told_once() {
    let bench = bench().await;
    let feed = new_feed(&bench, "{}").await;
    assert_eq!(feed["of"], "all");
    bench.notification(1, &told(1, "first"));
    // The same on another channel, and in a digest with what came after it.
    bench.notification(2, &told(1, "first"));
    let digest = json!({"format": 1, "type": "digest", "sentinel": "deals", "seq": 2,
        "summary": "2 changes", "notifications": [told(1, "first"), told(2, "second")]});
    bench.notification(3, &digest);
    let test = json!({"format": 1, "type": "channel.test", "summary": "a test"});
    bench.notification(4, &test);
    let all = titles(&bench, &feed).await;
    assert_eq!(all[all.len() - 2..], ["deals: second", "deals: first"], "{all:?}");
    let first = &items(&bench, &feed).await.pop().expect("an item");
    assert_eq!(first["url"], "https://air.example/deals");
    assert_eq!(first["date_published"], "2027-01-01T00:00:01.000Z");
    let html = first["content_html"].as_str().expect("HTML");
    assert!(html.contains("&#60;b&#62;Rome &#38; Oslo"), "{html}");
    assert!(html.contains("<a href=\"https://air.example/rome\">"), "{html}");
    let id = &first["id"];
    let other = new_feed(&bench, "{\"tag\": \"TRAVEL\"}").await;
    assert_eq!(items(&bench, &other).await.last().expect("an item")["id"], *id);
}

#[tokio::test]
async fn a_feed_of_a_sentinel_or_of_a_tag_tells_nothing_else() {
    let bench = bench().await;
    bench.notification(1, &told(1, "first"));
    let own = new_feed(&bench, "{\"sentinel\": \"deals\"}").await;
    let other = new_feed(&bench, "{\"sentinel\": \"secret\"}").await;
    let tag = new_feed(&bench, "{\"tag\": \"travel\"}").await;
    let nothing = new_feed(&bench, "{\"tag\": \"work\"}").await;
    for feed in [&own, &tag] {
        assert_eq!(titles(&bench, feed).await, ["deals: first"]);
    }
    for feed in [&other, &nothing] {
        assert!(titles(&bench, feed).await.is_empty());
    }
    bench.post("/api/v1/sentinels/deals/rename?to=fares", "").await;
    assert_eq!(titles(&bench, &own).await, ["deals: first"]);
    bench.write(Method::DELETE, "/api/v1/sentinels/secret", "").await;
    let gone = bench.stray(&path(&other, "atom")).await;
    gone.problem(410);
}

#[tokio::test]
async fn our_own_reader_finds_every_entry() {
    let bench = bench().await;
    let feed = new_feed(&bench, "{}").await;
    for seq in 1..=60 {
        bench.notification(seq, &told(seq % 60, &format!("no {seq} & more\u{b}")));
    }
    for kind in ["atom", "json"] {
        let read = bench.stray(&path(&feed, kind)).await;
        let url = url::Url::parse("https://t.example/feed").expect("an address");
        let hints = page::Hints { content_type: Some(read.header("content-type")), url: &url };
        let views = [change::View::of_key("items")];
        let made = page::extract(read.body.as_bytes(), &hints, &page::Limits::default(), views);
        let items = made.expect("a feed").pop_first().expect("a view").1;
        assert_eq!(items.items.len(), 50, "{kind}");
        let newest = format!("{:?}", items.items[0]);
        assert!(newest.contains("no 59 & more"), "{newest}");
    }
}

#[tokio::test]
async fn a_digest_that_began_long_ago_is_told_first_and_whole() {
    let bench = bench().await;
    let feed = new_feed(&bench, "{}").await;
    let digest = json!({
        "format": 1, "type": "digest", "sentinel": "deals", "seq": 900, "summary": "80 hits",
        "notifications": (100..160).map(|seq| json!({"type": "change", "sentinel": "deals",
            "seq": seq, "summary": format!("hit {seq}")})).collect::<Vec<_>>(),
        "notifications_total": 80,
    });
    bench.notification_closed(1, &digest, START + Span::HOUR);
    for seq in 2..=60 {
        bench.notification(seq, &told(seq, "single"));
    }
    let titles = titles(&bench, &feed).await;
    assert!(titles[0].contains("80 hits"), "the rest is counted: {}", titles[0]);
    assert_eq!(titles.iter().filter(|title| title.contains("hit 1")).count(), 60, "{titles:?}");
}

#[tokio::test]
async fn an_entry_has_what_further_pages_held_and_which_was_missed() {
    let bench = bench().await;
    let feed = new_feed(&bench, "{}").await;
    let mut body = told(1, "oil");
    body["sources"] = json!([{"url": "https://air.example/deals"},
        {"url": "https://cnn.example/", "title": "CNN", "held": "Oil <rises>"},
        {"url": "https://money.example/"}]);
    body["missed"] = json!([{"source": 2, "start": "", "finish": "", "reason": "no turn came"}]);
    bench.notification(1, &body);
    let items = items(&bench, &feed).await;
    let html = items[0]["content_html"].as_str().expect("text");
    assert!(html.contains("<p>CNN: Oil &#60;rises&#62;</p>"), "{html}");
    assert!(html.contains("No answer from https://money.example/ in time: no turn came"), "{html}");
    let card = bench.get("/").await.body;
    assert!(card.contains("Oil &#60;rises&#62;") && card.contains("no turn came"), "{card}");
}

async fn conditional(bench: &Bench, path: &str, header: (header::HeaderName, &str)) -> Reply {
    let request = local(Method::GET, path).header(header.0, header.1).body(Body::empty());
    bench.send(request.expect("a request")).await
}

#[tokio::test]
async fn who_has_it_already_gets_it_only_once_something_is_new() {
    let bench = bench().await;
    let feed = new_feed(&bench, "{}").await;
    bench.notification(1, &told(1, "first"));
    let path = path(&feed, "atom");
    let read = bench.stray(&path).await;
    let tag = read.header("etag").to_owned();
    // Two states may be of one second.
    assert_eq!(read.header("last-modified"), "");
    assert_eq!(read.header("cache-control"), "private, no-cache");
    let again = conditional(&bench, &path, (header::IF_NONE_MATCH, &tag)).await;
    assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""), "{again:?}");
    assert_eq!(again.header("etag"), tag);
    bench.notification(2, &told(2, "second"));
    let news = conditional(&bench, &path, (header::IF_NONE_MATCH, &tag)).await;
    assert_eq!(news.status, 200);
    assert!(news.body.contains("second"), "{}", news.body);
}

#[tokio::test]
async fn an_address_opens_its_feed_only_until_it_is_revoked() {
    let bench = bench().await;
    let feed = new_feed(&bench, "{}").await;
    let address = path(&feed, "atom");
    let secret = address.trim_start_matches("/f/").trim_end_matches(".atom").to_owned();
    assert_eq!(secret.len(), 32);
    for path in ["/api/v1/sentinels", "/api/v1/feeds", "/metrics"] {
        let request =
            local(Method::GET, path).header(header::AUTHORIZATION, format!("Bearer {secret}"));
        let answer = bench.send(request.body(Body::empty()).expect("a request")).await;
        assert_eq!(answer.status, 401, "{path}");
    }
    let post = local(Method::POST, &address).body(Body::empty()).expect("a request");
    assert_eq!(bench.send(post).await.status, 401);
    let again = bench.restarted_with(|config| config.links = Some(LinkKey::new([7; 32])));
    assert_eq!(again.stray(&address).await.status, 200);
    let other = bench.restarted_with(|config| config.links = Some(LinkKey::new([8; 32])));
    other.stray(&address).await.problem(404);
    for wrong in [address.replace(&secret[..4], "0000"), "/f/x".to_owned(), "/f/%ff".to_owned()] {
        bench.stray(&wrong).await.problem(404);
    }
    let id = feed["id"].as_u64().expect("a number");
    let gone = bench.write(Method::DELETE, &format!("/api/v1/feeds/{id}"), "").await;
    assert_eq!(gone.status, 204);
    bench.stray(&address).await.problem(404);
    bench.write(Method::DELETE, &format!("/api/v1/feeds/{id}"), "").await.problem(404);
}

#[tokio::test]
async fn who_may_only_read_sees_no_address_and_makes_no_feed() {
    let bench = bench().await;
    new_feed(&bench, "{}").await;
    let wish = r#"{"scope": "read", "name": "x"}"#;
    let token = bench.post("/api/v1/tokens", wish).await.json()["token"].clone();
    let bearer = format!("Bearer {}", token.as_str().expect("a token"));
    let ask = async |method: Method, path: &str| {
        let request = local(method, path).header(header::AUTHORIZATION, &bearer);
        bench.send(request.body(Body::empty()).expect("a request")).await
    };
    let listed = ask(Method::GET, "/api/v1/feeds").await.json();
    assert!(listed["items"][0]["atom"].is_null(), "{listed}");
    let page = ask(Method::GET, "/feeds").await.body;
    assert!(page.contains("all that is told") && !page.contains("/f/"), "{page}");
    ask(Method::POST, "/api/v1/feeds").await.problem(403);
}

#[tokio::test]
async fn feeds_are_made_and_revoked_on_their_page() {
    let bench = bench().await;
    let form = async |form: &str| {
        let request = with_token(Method::POST, "/feeds").body(Body::from(form.to_owned()));
        bench.send(request.expect("a request")).await
    };
    assert_eq!(form("tag=&sentinel=deals").await.status, 303);
    let page = bench.get("/feeds").await.body;
    assert!(page.contains("what deals tells") && page.contains(".atom\""), "{page}");
    let wrong = form("sentinel=nobody").await;
    assert!(
        wrong.body.contains("There is no sentinel named <code>nobody</code>."),
        "{}",
        wrong.body
    );
    for wish in [r#"{"tag": ""}"#, r#"{"tag": "a", "sentinel": "deals"}"#, "[", r#"{"x": 1}"#, ""] {
        bench.post("/api/v1/feeds", wish).await.problem(400);
    }
    let id = bench.get("/api/v1/feeds").await.json()["items"][0]["id"].to_string();
    assert_eq!(form(&format!("revoke={id}")).await.status, 303);
    assert!(bench.get("/feeds").await.body.contains("There is no feed yet."));
    assert!(
        bench.get("/api/v1/feeds").await.json()["items"].as_array().expect("a list").is_empty()
    );
}

#[tokio::test]
async fn the_number_of_a_feed_that_is_gone_is_not_given_to_another() {
    let bench = bench().await;
    let mut numbers = std::collections::BTreeSet::new();
    for _ in 0..4 {
        let id = new_feed(&bench, "{}").await["id"].as_u64().expect("a number");
        assert!(numbers.insert(id), "{id} is one of {numbers:?}");
        assert_eq!(
            bench.write(Method::DELETE, &format!("/api/v1/feeds/{id}"), "").await.status,
            204
        );
    }
}

#[tokio::test]
async fn a_feed_ends_with_the_token_it_was_made_with() {
    let bench = bench().await;
    new_feed(&bench, "{}").await;
    let wish = r#"{"scope": "write", "name": "x"}"#;
    let made = bench.post("/api/v1/tokens", wish).await.json();
    let bearer = format!("Bearer {}", made["token"].as_str().expect("a token"));
    let request = local(Method::POST, "/api/v1/feeds").header(header::AUTHORIZATION, &bearer);
    let feed = bench.send(request.body(Body::from("{}")).expect("a request")).await.json();
    let atom = feed["atom"].as_str().expect("an address").to_owned();
    let address = atom.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    let address = address.expect("a path");
    assert_eq!(bench.stray(address).await.status, 200);
    let revoke = format!("/api/v1/tokens/{}", made["id"]);
    assert_eq!(bench.write(Method::DELETE, &revoke, "").await.status, 204);
    bench.stray(address).await.problem(404);
    let listed = async |bench: &Bench| {
        bench.get("/api/v1/feeds").await.json()["items"].as_array().expect("a list").len()
    };
    assert_eq!(listed(&bench).await, 1, "the other was made with another");
    let again = bench.restarted_with(|config| config.links = Some(LinkKey::new([7; 32])));
    assert_eq!(listed(&again).await, 1);
}
