//! Named channels: pages and answers, over a roster that keeps them in memory.

use super::bench::*;
use crate::{Change, ChannelWish, NamedChannel, Refused, Roster};
use axum::http::Method;
use kernel::io::Actor;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Keeps what it is told, and shows no token. `desk` is of the configuration; whatever has a
/// `wrong` is refused with that.
#[derive(Clone, Default)]
pub(super) struct Kept(Arc<Mutex<BTreeMap<String, Entry>>>);

/// What a channel says, and how often it was changed.
type Entry = (Map<String, Value>, i64);

impl Roster for Kept {
    fn all(&self) -> Vec<NamedChannel> {
        let desk = json!({"kind": "email", "to": "a@b.example"});
        let made = self.0.lock().expect("no panic").clone().into_iter();
        let mut all: Vec<NamedChannel> = made
            .map(|(name, (mut settings, changes))| {
                settings.entry("token").and_modify(|token| *token = "…".into());
                let changed_at = Some(START + chronon::Span::from_secs(changes));
                NamedChannel { name, settings, is_made: true, changed_at, trouble: None }
            })
            .collect();
        let settings = desk.as_object().expect("an object").clone();
        let (name, changed_at) = ("desk".to_owned(), None);
        all.push(NamedChannel { name, settings, is_made: false, changed_at, trouble: None });
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    fn preview(&self, template: &str, body: &[u8]) -> Result<String, String> {
        if template.contains("wrong") {
            Err("cannot be read".to_owned())
        } else {
            Ok(format!("{template} of {}", String::from_utf8_lossy(body)))
        }
    }

    fn put(&self, _: Actor, wish: ChannelWish) -> Change<bool> {
        let own = self.clone();
        Box::pin(async move {
            if let Some(why) = wish.settings.get("rate").and_then(Value::as_str) {
                return Err(Refused::Wrong(format!("`rate` is {why}.")));
            }
            let mut all = own.0.lock().expect("no panic");
            if wish.name == "desk" || (wish.is_new && all.contains_key(&wish.name)) {
                return Err(Refused::Unable("It is there already.".to_owned()));
            }
            let changes = all.get(&wish.name).map_or(0, |(_, changes)| changes + 1);
            Ok(all.insert(wish.name, (wish.settings, changes)).is_none())
        })
    }

    fn remove(&self, _: Actor, name: String) -> Change<()> {
        let gone = self.0.lock().expect("no panic").remove(&name);
        Box::pin(async move { gone.map(drop).ok_or(Refused::Unknown) })
    }
}

fn bench() -> (Bench, Kept) {
    let kept = Kept::default();
    let own = kept.clone();
    (Bench::with(|config| config.roster = Some(Arc::new(own))), kept)
}

fn form(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

#[tokio::test]
async fn a_channel_is_made_shown_changed_and_removed_by_programs() {
    let (bench, _) = bench();
    let ntfy = r#"{"kind": "ntfy", "url": "https://ntfy.example/x", "token": "tk_hunter2"}"#;
    let put = |text: &'static str| bench.write(Method::PUT, "/api/v1/named-channels/phone", text);
    let made = put(ntfy).await;
    assert_eq!((made.status.as_u16(), &made.json()["from"]), (201, &json!("made")));
    assert!(!made.body.contains("hunter2"), "{}", made.body);
    assert_eq!(put(ntfy).await.status, 200);
    assert!(put("kind: ntfy").await.problem(400).contains("\"kind\": \"ntfy\""));
    assert!(put(r#"{"kind": "ntfy", "rate": "odd"}"#).await.problem(422).contains("odd"));
    let list = bench.get("/api/v1/named-channels?limit=1").await.json();
    assert_eq!((&list["items"][0]["name"], &list["next"]), (&json!("desk"), &json!("desk")));
    let rest = bench.get("/api/v1/named-channels?cursor=desk").await.json();
    assert_eq!(rest["items"][0]["name"], "phone");
    let kinds = bench.get("/api/v1/channel-kinds").await.json();
    let names: Vec<_> = kinds["items"].as_array().expect("kinds").iter().collect();
    assert!(names.iter().all(|kind| kind["name"] != "command" && kind["name"] != "terminal"));
    let ntfy = names.iter().find(|kind| kind["name"] == "ntfy").expect("a kind");
    assert_eq!(ntfy["fields"][2]["range"], json!([1, 5]));
    let gone = bench.write(Method::DELETE, "/api/v1/named-channels/phone", "").await;
    assert_eq!(gone.status, 204);
    bench.get("/api/v1/named-channels/phone").await.problem(404);
    bench.write(Method::DELETE, "/api/v1/named-channels/phone", "").await.problem(404);
}

#[tokio::test]
async fn an_email_address_that_is_pasted_becomes_a_channel_of_that_kind() {
    let (bench, _) = bench();
    let pasted = form(&[("do", "paste"), ("address", " ana@example.org ")]);
    let page = bench.post("/channels/new", &pasted).await.body;
    assert!(page.contains("name=\"kind\" value=\"email\""), "{page}");
    assert!(page.contains("name=\"to\" value=\"ana@example.org\""), "{page}");
}

#[tokio::test]
async fn a_person_makes_a_channel_from_the_table_of_kinds() {
    let (bench, kept) = bench();
    let page = bench.get("/channels").await.body;
    assert!(page.contains("desk") && page.contains("in tidings.toml"), "{page}");
    assert!(!page.contains("/channels/made/desk"), "it is to be read only");
    let page = bench.get("/channels/new?kind=telegram").await.body;
    for said in ["name=\"token\"", "name=\"chat\"", "name=\"quiet_hours\"", "needed"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let fields =
        [("kind", "telegram"), ("name", "tg"), ("token", "1:a"), ("chat", ""), ("do", "save")];
    let saved = bench.post("/channels/new", &form(&fields)).await;
    assert_eq!((saved.status.as_u16(), saved.header("location")), (303, "/channels?made=tg"));
    let page = bench.get("/channels?made=tg").await.body;
    assert!(page.contains("tg is saved") && page.contains("/channels/made/tg"), "{page}");
    let stored = kept.0.lock().expect("no panic").get("tg").cloned().expect("stored");
    assert_eq!(Value::Object(stored.0), json!({"kind": "telegram", "token": "1:a"}));
    let again = bench.post("/channels/new", &form(&fields)).await;
    assert!(again.status == 409 && again.body.contains("It is there already"), "{again:?}");
    let page = bench.get("/channels/made/tg").await.body;
    assert!(page.contains("value=\"…\"") && !page.contains("1:a"), "{page}");
    let odd = [("kind", "telegram"), ("token", "…"), ("rate", "<odd>"), ("do", "save")];
    let odd = bench.post("/channels/made/tg", &form(&odd)).await;
    assert!(odd.status == 422 && odd.body.contains("value=\"&#60;odd&#62;\""), "{}", odd.body);
    assert_eq!(bench.get("/channels/made/desk").await.status, 409);
    assert_eq!(bench.get("/channels/made/nobody").await.status, 404);
    let gone = bench.post("/channels/made/tg", "do=remove").await;
    assert_eq!((gone.status.as_u16(), gone.header("location")), (303, "/channels?removed=tg"));
    let listed = bench.get(gone.header("location")).await.body;
    assert!(listed.contains("tg is removed."), "{listed}");
    assert!(kept.0.lock().expect("no panic").is_empty());
}

#[tokio::test]
async fn a_pasted_address_fills_the_form() {
    let (bench, _) = bench();
    let paste = |address: &str| {
        let text = form(&[("address", address), ("do", "paste")]);
        let bench = &bench;
        async move { bench.post("/channels/new", &text).await.body }
    };
    let page = paste("tgram://12:AB/-100/").await;
    assert!(page.contains("value=\"12:AB\"") && page.contains("value=\"-100\""), "{page}");
    let page = paste("https://discord.com/api/webhooks/1/x").await;
    assert!(page.contains("Kind: Discord"), "{page}");
    assert!(paste("hello").await.contains("choose a kind below"));
    assert!(paste("tgram://12:AB/-100/-200").await.contains("more than one recipient"));
}

#[tokio::test]
async fn who_may_only_read_makes_none_and_a_server_without_a_roster_says_so() {
    let (bench, kept) = bench();
    let token = bench.post("/api/v1/tokens", r#"{"scope": "read"}"#).await.json();
    let token = token["token"].as_str().expect("a token").to_owned();
    let request = local(Method::PUT, "/api/v1/named-channels/phone")
        .header("authorization", format!("Bearer {token}"))
        .body(axum::body::Body::from(r#"{"kind": "ntfy"}"#));
    bench.send(request.expect("a request")).await.problem(403);
    assert!(kept.0.lock().expect("no panic").is_empty());
    let none = Bench::new();
    let put = none.write(Method::PUT, "/api/v1/named-channels/phone", "{}").await;
    assert!(put.problem(409).contains("No channels can be made"));
    assert_eq!(none.get("/api/v1/named-channels").await.json()["items"], json!([]));
}

#[tokio::test]
async fn a_template_is_shown_over_the_last_notification_before_it_is_saved() {
    let (bench, kept) = bench();
    let typed = |template: &str, wanted: &str| {
        let fields = [("kind", "ntfy"), ("name", "n"), ("template", template), ("do", wanted)];
        let (text, bench) = (form(&fields), &bench);
        async move { bench.post("/channels/new", &text).await }
    };
    let page = typed("<i>{{ summary }}", "preview").await.body;
    assert!(page.contains("Lisbon") && page.contains("id=\"preview\""), "a sample: {page}");
    bench.notification(1, &json!({"summary": "the price fell"}));
    let page = typed("<i>{{ summary }}", "preview").await.body;
    assert!(page.contains("the price fell") && !page.contains("<i>"), "{page}");
    assert!(page.contains("name=\"name\" value=\"n\""), "what was typed stays: {page}");
    assert!(typed("wrong", "preview").await.body.contains("This template cannot be used here:"));
    assert!(typed("", "preview").await.body.contains("no template"));
    assert!(kept.0.lock().expect("no panic").is_empty(), "nothing is saved");
    let page = bench.get("/channels/new?kind=webhook").await.body;
    assert!(!page.contains("name=\"template\""), "{page}");
    let made = bench.post("/api/v1/template-preview", r#"{"template": "x"}"#).await;
    assert!(made.json()["text"].as_str().is_some_and(|text| text.contains("the price fell")));
    bench.post("/api/v1/template-preview", r#"{"template": "wrong"}"#).await.problem(422);
}

#[tokio::test]
async fn a_changed_secret_is_another_state_of_a_channel() {
    let (bench, _) = bench();
    let place = "/api/v1/named-channels/phone";
    let put = async |token: &str, tag: Option<&str>| {
        let request = with_token(Method::PUT, place);
        let request = tag.into_iter().fold(request, |request, tag| request.header("if-match", tag));
        let body = json!({"kind": "ntfy", "token": token}).to_string();
        bench.send(request.body(body.into()).expect("a request")).await
    };
    assert_eq!(put("one", None).await.status, 201);
    let first = bench.get(place).await.header("etag").to_owned();
    assert_eq!(put("two", Some(&first)).await.status, 200);
    assert_ne!(bench.get(place).await.header("etag"), first);
    assert_eq!(put("three", Some(&first)).await.status, 412, "it is shown as before, and is not");
}

#[tokio::test]
async fn every_attempt_is_a_page_or_more_away() {
    let bench = Bench::new();
    for id in 1..=65 {
        bench.notification(id, &serde_json::json!({"summary": "prices fell"}));
    }
    let (mut place, mut listed) = ("/channels".to_owned(), Vec::new());
    loop {
        let page = bench.get(&place).await.body;
        let log = page.split_once("id=\"log\"").expect("a log").1;
        let ids = log.split("href=\"/notifications/").skip(1);
        listed.extend(ids.map(|id| id.split('"').next().expect("an id").to_owned()));
        match log.split_once("href=\"/channels?before=") {
            Some((_, next)) => {
                place = format!("/channels?before={}", next.split('#').next().expect("a number"));
            }
            None => break,
        }
    }
    let all: Vec<String> = (1..=65).rev().map(|id: u64| id.to_string()).collect();
    assert_eq!(listed, all);
}
