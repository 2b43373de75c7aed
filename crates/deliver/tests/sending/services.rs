//! Each service against a receiver that checks what the service documents, and refuses as it does.

use crate::fixture::*;
use address::ChannelKind;
use chronon::Span;
use deliver::{Channel, Config, Delivered, Delivery, Service};
use serde_json::{Value, json};

/// What a service is told by, for a test.
struct Case {
    kind: ChannelKind,
    /// `url` is the receiver's with this path.
    path: &'static str,
    fields: &'static [(&'static str, &'static str)],
    /// How the service says that all went well.
    taken: &'static str,
    check: fn(&Received),
}

const CASES: [Case; 11] = [
    Case {
        kind: ChannelKind::Ntfy,
        path: "/below/deals",
        fields: &[("token", "tk_hunter2"), ("priority", "4")],
        taken: r#"200 {"id":"sPs71M8A2T","event":"message"}"#,
        check: ntfy,
    },
    Case {
        kind: ChannelKind::Gotify,
        path: "/",
        fields: &[("token", "Ahunter2"), ("priority", "7")],
        taken: r#"200 {"id":25,"appid":5}"#,
        check: gotify,
    },
    Case {
        kind: ChannelKind::Slack,
        path: "/services/T0/B0/hunter2",
        fields: &[],
        taken: "200 ok",
        check: slack,
    },
    Case {
        kind: ChannelKind::Discord,
        path: "/api/webhooks/1/hunter2?thread_id=7",
        fields: &[],
        taken: r#"200 {"id":"1","type":0}"#,
        check: discord,
    },
    Case {
        kind: ChannelKind::Mattermost,
        path: "/hooks/hunter2",
        fields: &[("room", "town-square")],
        taken: "200 ok",
        check: mattermost,
    },
    Case {
        kind: ChannelKind::Teams,
        path: "/workflows/1/triggers/manual/paths/invoke?sig=hunter2",
        fields: &[],
        taken: "202 ",
        check: teams,
    },
    Case {
        kind: ChannelKind::Telegram,
        path: "/",
        fields: &[("token", "12:hunter2"), ("chat", "-100"), ("thread", "17")],
        taken: r#"200 {"ok":true,"result":{"message_id":1}}"#,
        check: telegram,
    },
    Case {
        kind: ChannelKind::Matrix,
        path: "/",
        fields: &[("token", "syt_hunter2"), ("room", "!r/1:m.example")],
        taken: r#"200 {"event_id":"$x"}"#,
        check: matrix,
    },
    Case {
        kind: ChannelKind::Pushover,
        path: "/",
        fields: &[("token", "ahunter2"), ("user", "uhunter2"), ("priority", "-1")],
        taken: r#"200 {"status":1,"request":"x"}"#,
        check: pushover,
    },
    Case {
        kind: ChannelKind::Signal,
        path: "/",
        fields: &[("from", "+15550001"), ("to", "+15550002")],
        taken: r#"201 {"timestamp":"1"}"#,
        check: signal,
    },
    Case {
        kind: ChannelKind::Apprise,
        path: "/notify/hunter2",
        fields: &[("tag", "phone")],
        taken: r#"200 {"error": null}"#,
        check: apprise,
    },
];

fn json_of(received: &Received) -> Value {
    assert_eq!(received.header("content-type"), "application/json");
    serde_json::from_slice(&received.body).expect("JSON")
}

fn chars(value: &Value) -> usize {
    value.as_str().expect("a text").chars().count()
}

#[track_caller]
fn asked(received: &Received, line: &str) {
    let first = received.head.lines().next().unwrap_or_default();
    assert_eq!(first, format!("{line} http/1.1"));
}

/// A message is up to 4,096 bytes, a priority 1 to 5; JSON goes to the server's root.
fn ntfy(received: &Received) {
    asked(received, "post /below/");
    assert_eq!(received.header("authorization"), "bearer tk_hunter2");
    let json = json_of(received);
    assert_eq!((&json["topic"], &json["priority"]), (&json!("deals"), &json!(4)));
    assert!(json["message"].as_str().is_some_and(|text| text.len() <= 4_096));
    assert_eq!((&json["title"], &json["markdown"]), (&json!("links added"), &json!(true)));
    assert_eq!(json["click"], "https://a.example/");
}

fn gotify(received: &Received) {
    asked(received, "post /message");
    assert_eq!(received.header("x-gotify-key"), "ahunter2");
    let json = json_of(received);
    assert_eq!((&json["title"], &json["priority"]), (&json!("links added"), &json!(7)));
    assert!(chars(&json["message"]) > 0);
    let extras = &json["extras"];
    assert_eq!(extras["client::display"]["contentType"], "text/markdown");
    assert_eq!(extras["client::notification"]["click"]["url"], "https://a.example/");
}

/// Up to 50 blocks; a header holds 150 characters, a section's text 3,000.
fn slack(received: &Received) {
    asked(received, "post /services/t0/b0/hunter2");
    let json = json_of(received);
    assert_eq!(json["text"], "links added");
    let blocks = json["blocks"].as_array().expect("a list");
    assert_eq!(blocks[0]["type"], "header");
    assert_eq!(blocks[0]["text"]["type"], "plain_text");
    assert!((1..=150).contains(&chars(&blocks[0]["text"]["text"])));
    assert_eq!(
        (&blocks[1]["type"], &blocks[1]["text"]["type"]),
        (&json!("section"), &json!("mrkdwn"))
    );
    let text = &blocks[1]["text"]["text"];
    assert!((1..=3_000).contains(&chars(text)));
    assert!(!text.as_str().is_some_and(|text| text.contains("<!channel>")));
}

/// A title of 256 characters, a description of 4,096, 6,000 in all.
fn discord(received: &Received) {
    asked(received, "post /api/webhooks/1/hunter2?thread_id=7&wait=true");
    let json = json_of(received);
    assert_eq!(json["allowed_mentions"], json!({"parse": []}));
    let embed = &json["embeds"][0];
    assert!((1..=256).contains(&chars(&embed["title"])));
    assert!((1..=4_096).contains(&chars(&embed["description"])));
    assert_eq!(embed["url"], "https://a.example/");
    assert_eq!(embed["timestamp"], "2027-01-01T00:00:00.000Z");
}

/// 16,383 characters; `@channel` calls everybody.
fn mattermost(received: &Received) {
    asked(received, "post /hooks/hunter2");
    let json = json_of(received);
    assert_eq!(json["channel"], "town-square");
    assert!((1..=16_383).contains(&chars(&json["text"])));
    assert!(!json["text"].as_str().is_some_and(|text| text.contains("@channel")));
}

/// 28 KB.
fn teams(received: &Received) {
    asked(received, "post /workflows/1/triggers/manual/paths/invoke?sig=hunter2");
    assert!(received.body.len() < 28 * 1024);
    let json = json_of(received);
    assert_eq!(json["type"], "message");
    let attachment = &json["attachments"][0];
    assert_eq!(attachment["contentType"], "application/vnd.microsoft.card.adaptive");
    let card = &attachment["content"];
    assert_eq!((&card["type"], &card["version"]), (&json!("AdaptiveCard"), &json!("1.4")));
    assert_eq!(card["body"][0]["text"], "links added");
    assert_eq!(
        (&card["body"][1]["type"], &card["body"][1]["wrap"]),
        (&json!("TextBlock"), &json!(true))
    );
    assert_eq!(card["actions"][0]["type"], "Action.OpenUrl");
}

/// 4,096 characters, in which only known tags stand.
fn telegram(received: &Received) {
    asked(received, "post /bot12:hunter2/sendmessage");
    let json = json_of(received);
    assert_eq!((&json["chat_id"], &json["message_thread_id"]), (&json!("-100"), &json!(17)));
    assert_eq!(json["parse_mode"], "HTML");
    let text = json["text"].as_str().expect("a text");
    assert!((1..=4_096).contains(&text.encode_utf16().count()));
    let tags = text.split('<').skip(1).map(|tag| tag.split(['>', ' ']).next().unwrap_or_default());
    for tag in tags {
        assert!(["b", "/b", "a", "/a"].contains(&tag), "{tag}");
    }
}

/// A transaction id of one's own; a room's `/` and `:` do not divide the path.
fn matrix(received: &Received) {
    let key = KEY;
    let room = "!r%2f1:m.example";
    asked(received, &format!("put /_matrix/client/v3/rooms/{room}/send/m.room.message/{key}"));
    assert_eq!(received.header("authorization"), "bearer syt_hunter2");
    assert!(received.body.len() < 65_536);
    let json = json_of(received);
    assert_eq!((&json["msgtype"], &json["m.mentions"]), (&json!("m.text"), &json!({})));
    assert_eq!(json["format"], "org.matrix.custom.html");
    assert!(chars(&json["body"]) > 0 && chars(&json["formatted_body"]) > 0);
}

/// A form; 250 characters of title, 1,024 of message, 512 of URL.
fn pushover(received: &Received) {
    asked(received, "post /1/messages.json");
    assert_eq!(received.header("content-type"), "application/x-www-form-urlencoded");
    let form: std::collections::BTreeMap<_, _> =
        url::form_urlencoded::parse(&received.body).into_owned().collect();
    assert_eq!((&*form["token"], &*form["user"]), ("ahunter2", "uhunter2"));
    assert_eq!((&*form["priority"], &*form["url"]), ("-1", "https://a.example/"));
    assert!((1..=1_024).contains(&form["message"].chars().count()));
    assert!((1..=250).contains(&form["title"].chars().count()));
}

fn signal(received: &Received) {
    asked(received, "post /v2/send");
    let json = json_of(received);
    assert_eq!(
        (&json["number"], &json["recipients"]),
        (&json!("+15550001"), &json!(["+15550002"]))
    );
    assert!((1..=2_000).contains(&chars(&json["message"])));
}

fn apprise(received: &Received) {
    asked(received, "post /notify/hunter2");
    let json = json_of(received);
    assert_eq!((&json["type"], &json["format"]), (&json!("info"), &json!("markdown")));
    assert_eq!((&json["title"], &json["tag"]), (&json!("links added"), &json!("phone")));
    assert!(chars(&json["body"]) > 0);
}

/// A notification with that number of changes, each of which tries to break out of the markup.
fn body(changes: usize) -> Vec<u8> {
    let evil = "<!channel> @channel ](https://evil.example) </a><script>&amp;`*_~|";
    let change = |n: usize| {
        json!({"type": "links", "kind": "insert", "leaf": 0, "source": 0,
            "new": {"text": format!("{n} {evil}"), "href": format!("https://a.example/{n}")}})
    };
    let changes = (0..changes).map(change).collect::<Vec<_>>();
    json!({"format": 1, "type": "change", "sentinel": "deals", "summary": "links added",
        "detected_at": "2027-01-01T00:00:00.000Z", "sources": [{"url": "https://a.example/"}],
        "changes_total": changes.len(), "changes": changes})
    .to_string()
    .into_bytes()
}

fn answer(status_and_body: &str, headers: &str) -> String {
    let (status, body) = status_and_body.split_once(' ').expect("a status and a body");
    let length = body.len();
    format!("HTTP/1.1 {status} x\r\n{headers}Content-Length: {length}\r\n\r\n{body}")
}

/// One attempt on a receiver that answers so.
async fn told(case: &Case, answer: &str, body: &[u8]) -> (Delivered, Vec<Received>) {
    let receiver = Receiver::answering(answer).await;
    let base = receiver.url.replace("/hook/t0ken", case.path);
    let fields = case.fields.iter().map(|&(name, value)| (name, value.to_owned()));
    let service = Service::new(case.kind, fields.chain([("url", base)]));
    let channel = Channel::Service(service);
    let config =
        Config { dashboard: Some("https://home.example/".to_owned()), ..Config::default() };
    let delivery = Delivery { body, ..delivery(&channel, None) };
    let delivered = deliverer(config).deliver(&delivery).await;
    let shown = format!("{delivered:?} {channel:?}");
    assert!(!shown.contains("hunter2"), "{shown}");
    (delivered, receiver.received())
}

fn case(kind: ChannelKind) -> &'static Case {
    CASES.iter().find(|case| case.kind == kind).expect("every service has a case")
}

#[tokio::test]
async fn each_service_is_told_in_the_format_it_documents_however_much_there_is() {
    for case in &CASES {
        for changes in [0, 1, 200] {
            let (delivered, received) = told(case, &answer(case.taken, ""), &body(changes)).await;
            assert_eq!(delivered, Delivered::Delivered, "{:?}", case.kind);
            let [received] = &received[..] else { panic!("more or less than one request") };
            (case.check)(received);
            // What is not told is counted.
            let text = String::from_utf8_lossy(&received.body).into_owned();
            let more = text.contains("and ") || text.contains("and+");
            assert_eq!(more, changes == 200, "{text}");
        }
    }
}

#[tokio::test]
async fn each_service_is_waited_for_as_it_asks() {
    let seconds = |n: i64| Some(Span::from_secs(n));
    for (kind, said, headers, after) in [
        (ChannelKind::Ntfy, r#"429 {"code":42901,"error":"limit reached"}"#, "", None),
        (ChannelKind::Gotify, r#"429 {"error":"x"}"#, "Retry-After: 3\r\n", seconds(3)),
        (ChannelKind::Slack, "429 rate_limited", "Retry-After: 30\r\n", seconds(30)),
        (
            ChannelKind::Discord,
            r#"429 {"message":"You are being rate limited.","retry_after":1.25,"global":false}"#,
            "Retry-After: 2\r\n",
            Some(Span::from_millis(1_250)),
        ),
        (
            ChannelKind::Discord,
            "429 <html>",
            "X-RateLimit-Reset-After: 1.5\r\nRetry-After: 60\r\n",
            Some(Span::from_millis(1_500)),
        ),
        (ChannelKind::Discord, "429 <html>", "Retry-After: 60\r\n", seconds(60)),
        (ChannelKind::Mattermost, "429 limit exceeded", "X-Ratelimit-Reset: 7\r\n", seconds(7)),
        (ChannelKind::Teams, "429 {}", "Retry-After: 11\r\n", seconds(11)),
        (
            ChannelKind::Telegram,
            r#"429 {"ok":false,"error_code":429,"description":"Too Many Requests: retry after 5",
                "parameters":{"retry_after":5}}"#,
            "",
            seconds(5),
        ),
        (
            ChannelKind::Matrix,
            r#"429 {"errcode":"M_LIMIT_EXCEEDED","error":"slow","retry_after_ms":2000}"#,
            "",
            seconds(2),
        ),
        (
            ChannelKind::Pushover,
            r#"429 {"status":0,"errors":["application is over its limit"]}"#,
            // A minute after 2027-01-01T00:00:10Z.
            "X-Limit-App-Reset: 1798761670\r\n",
            Some(Span::MINUTE),
        ),
        (ChannelKind::Signal, r#"429 {"error":"rate limit"}"#, "", None),
        (ChannelKind::Apprise, r#"424 {"error":"one or more failed"}"#, "", None),
    ] {
        match told(case(kind), &answer(said, headers), &body(1)).await.0 {
            Delivered::Failed { after: found, .. } => assert_eq!(found, after, "{kind:?}"),
            other => panic!("{kind:?} {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_success_that_is_none_is_a_failure_in_the_services_own_words() {
    for (kind, said, reason) in [
        (ChannelKind::Slack, "200 invalid_blocks", "200 OK: invalid_blocks"),
        (
            ChannelKind::Teams,
            "200 Webhook message delivery failed with error: Microsoft Teams endpoint returned \
             HTTP error 429",
            "200 OK: Webhook message delivery failed",
        ),
        (ChannelKind::Telegram, r#"200 {"ok":false,"description":"no"}"#, "200 OK: no"),
        (ChannelKind::Pushover, r#"200 {"status":0,"errors":["a","b"]}"#, "200 OK: a, b"),
        (ChannelKind::Apprise, "204 ", "204 No Content: it has no services of that key"),
        (
            ChannelKind::Telegram,
            r#"400 {"ok":false,"description":"group upgraded","parameters":{"migrate_to_chat_id":-7}}"#,
            "400 Bad Request: group upgraded; the chat is now -7",
        ),
        (ChannelKind::Ntfy, r#"413 {"error":"too large"}"#, "413 Payload Too Large: too large"),
        // A message that is too long: the service's reason is passed on.
        (ChannelKind::Slack, "400 msg_too_long", "400 Bad Request: msg_too_long"),
        (
            ChannelKind::Discord,
            r#"400 {"message":"Invalid Form Body","code":50035,"errors":{"content":{"_errors":[]}}}"#,
            "400 Bad Request: Invalid Form Body",
        ),
        (
            ChannelKind::Mattermost,
            r#"413 {"id":"api.context.request_body_too_large.app_error","message":"too large"}"#,
            "413 Payload Too Large: too large",
        ),
        (ChannelKind::Teams, "413 Request Entity Too Large", "413 Payload Too Large"),
        (
            ChannelKind::Telegram,
            r#"400 {"ok":false,"error_code":400,"description":"Bad Request: message is too long"}"#,
            "400 Bad Request: Bad Request: message is too long",
        ),
        (
            ChannelKind::Matrix,
            r#"413 {"errcode":"M_TOO_LARGE","error":"event too large"}"#,
            "413 Payload Too Large: event too large",
        ),
        (
            ChannelKind::Pushover,
            r#"413 {"status":0,"errors":["message is too large"]}"#,
            "413 Payload Too Large: message is too large",
        ),
        (
            ChannelKind::Gotify,
            r#"400 {"error":"Bad Request","errorCode":400,"errorDescription":"too long"}"#,
            "400 Bad Request: too long",
        ),
        (ChannelKind::Signal, r#"400 {"error":"too long"}"#, "400 Bad Request: too long"),
        (ChannelKind::Apprise, r#"413 {"error":"too large"}"#, "413 Payload Too Large: too large"),
        (ChannelKind::Gotify, r#"401 {"errorDescription":"no hunter2"}"#, "401 Unauthorized: no"),
        (ChannelKind::Discord, "502 <html>", "502 Bad Gateway"),
        // What an answer repeats of a token is not shown.
        (ChannelKind::Matrix, r#"401 {"error":"syt_hunter2 is old"}"#, "401 Unauthorized: … is"),
    ] {
        let body_of = body(1);
        let case = case(kind);
        let said = said.replace("no hunter2", "no Ahunter2");
        let said = reason_of(told(case, &answer(&said, ""), &body_of).await.0);
        let expected = format!("127.0.0.1 answered {reason}");
        assert!(said.starts_with(&expected), "{kind:?}: {said}");
    }
}

fn reason_of(delivered: Delivered) -> String {
    reason(delivered)
}

#[tokio::test]
async fn what_will_never_arrive_ends_the_channel() {
    for (kind, said) in [
        (ChannelKind::Slack, "404 no_service"),
        (ChannelKind::Slack, "410 channel_is_archived"),
        (ChannelKind::Discord, r#"404 {"message":"Unknown Webhook","code":10015}"#),
        (ChannelKind::Discord, r#"401 {"message":"Invalid Webhook Token","code":50027}"#),
        (ChannelKind::Telegram, r#"403 {"ok":false,"description":"bot was blocked by the user"}"#),
        (ChannelKind::Matrix, r#"403 {"errcode":"M_FORBIDDEN","error":"not in room"}"#),
        (ChannelKind::Pushover, r#"400 {"user":"invalid","errors":["x"],"status":0}"#),
        (ChannelKind::Gotify, "410 gone"),
    ] {
        let (delivered, _) = told(case(kind), &answer(said, ""), &body(1)).await;
        assert!(matches!(delivered, Delivered::Gone { .. }), "{kind:?} {delivered:?}");
    }
    // These may be somebody's mistake, and mended.
    for (kind, said) in [
        (ChannelKind::Slack, "403 action_prohibited"),
        (ChannelKind::Discord, r#"404 {"message":"404: Not Found","code":0}"#),
        (ChannelKind::Telegram, r#"401 {"ok":false,"description":"Unauthorized"}"#),
        (ChannelKind::Matrix, r#"401 {"errcode":"M_UNKNOWN_TOKEN"}"#),
        (ChannelKind::Pushover, r#"400 {"token":"invalid","errors":["x"],"status":0}"#),
    ] {
        let (delivered, _) = told(case(kind), &answer(said, ""), &body(1)).await;
        assert!(matches!(delivered, Delivered::Failed { .. }), "{kind:?} {delivered:?}");
    }
}

#[tokio::test]
async fn a_channel_that_lacks_something_asks_nobody_and_says_what() {
    for (kind, fields, said) in [
        (ChannelKind::Telegram, vec![], "the telegram channel has no `token`"),
        (ChannelKind::Matrix, vec![("url", "http://127.0.0.1:9/")], "has no `room`"),
        (ChannelKind::Gotify, vec![("url", "http://127.0.0.1:9/")], "has no `token`"),
        (ChannelKind::Ntfy, vec![("url", "http://127.0.0.1:9/")], "names no topic"),
        (ChannelKind::Slack, vec![], "has no `url`"),
        (ChannelKind::Slack, vec![("url", "no url")], "cannot be read"),
        (ChannelKind::Discord, vec![("url", "http://169.254.169.254/")], "cloud metadata"),
    ] {
        let fields = fields.into_iter().map(|(name, value)| (name, value.to_owned()));
        let channel = Channel::Service(Service::new(kind, fields));
        let said_to_us =
            reason(deliverer(Config::default()).deliver(&delivery(&channel, None)).await);
        assert!(said_to_us.contains(said), "{said_to_us}");
    }
}

#[tokio::test]
async fn the_sentinels_contact_goes_before_the_channels() {
    let receiver = Receiver::answering(&answer("200 ok", "")).await;
    let url = ("url", "http://127.0.0.1:9/never".to_owned());
    let channel = Channel::Service(Service::new(ChannelKind::Slack, [url]));
    let delivery = delivery(&channel, Some(&receiver.url));
    assert_eq!(deliverer(Config::default()).deliver(&delivery).await, Delivered::Delivered);
    assert_eq!(receiver.received().len(), 1);
}

#[tokio::test]
async fn a_channels_token_goes_to_its_own_server_alone() {
    let receiver = Receiver::answering(&answer(r#"200 {"id":"a","event":"message"}"#, "")).await;
    let contact = format!("{}/deals", receiver.url.trim_end_matches('/'));
    for (own, told) in [("http://127.0.0.1:9/own", false), (contact.as_str(), true)] {
        let fields = [("url", own), ("token", "tk_hunter2")];
        let fields = fields.map(|(name, value)| (name, value.to_owned()));
        let channel = Channel::Service(Service::new(ChannelKind::Ntfy, fields));
        let delivery = delivery(&channel, Some(&contact));
        assert_eq!(deliverer(Config::default()).deliver(&delivery).await, Delivered::Delivered);
        let received = receiver.received();
        let last = received.last().expect("it was told");
        assert_eq!(last.head.contains("tk_hunter2"), told, "{}", last.head);
    }
}

#[tokio::test]
async fn what_a_service_repeats_of_its_address_is_not_shown_even_where_it_is_cut() {
    let of_url = r#"404 {"message":"POST /api/webhooks/1/hunter2 is unknown","code":0}"#;
    let told = reason(told(case(ChannelKind::Discord), &answer(of_url, ""), &body(1)).await.0);
    assert!(told.contains("POST … is unknown") && !told.contains("hunter2"), "{told}");
    // The secret would stand across the end of what is shown.
    let said = format!(r#"401 {{"error":"{} syt_hunter2"}}"#, "x".repeat(194));
    let told = reason(self::told(case(ChannelKind::Matrix), &answer(&said, ""), &body(1)).await.0);
    assert!(!told.contains("syt"), "{told}");
}

#[tokio::test]
async fn an_answer_that_breaks_off_after_its_status_has_still_been_given() {
    for kind in [ChannelKind::Slack, ChannelKind::Discord, ChannelKind::Pushover] {
        let broken = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"sta";
        let (delivered, _) = told(case(kind), broken, &body(1)).await;
        assert_eq!(delivered, Delivered::Delivered, "{kind:?}");
    }
    let broken = "HTTP/1.1 500 x\r\nContent-Length: 100\r\n\r\n{\"sta";
    let told = reason(told(case(ChannelKind::Ntfy), broken, &body(1)).await.0);
    assert_eq!(told, "127.0.0.1 answered 500 Internal Server Error");
}
