//! The JSON API.

use super::bench::{Bench, SENTINEL, local, with_token};
use axum::body::Body;
use axum::http::Method;
use chronon::SourceId;
use serde_json::{Value, json};

async fn with_sentinel() -> Bench {
    let bench = Bench::new();
    let reply = bench.post("/api/v1/sentinels", SENTINEL).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    bench
}

#[tokio::test]
async fn a_sentinel_is_created_shown_and_removed() {
    let bench = Bench::new();
    let made = bench.post("/api/v1/sentinels", SENTINEL).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.json(), json!({"sentinels": [{"id": 1, "name": "deals", "what": "created"}]}));
    assert_eq!(made.header("location"), "/api/v1/sentinels/deals");
    let one = bench.get("/api/v1/sentinels/DEALS").await.json();
    assert_eq!(one["name"], "deals");
    assert_eq!(one["state"], "active");
    assert_eq!(one["source"], json!({"id": 1, "url": "https://air.example/deals"}));
    assert_eq!(one["created_at"], "2027-01-01T00:00:00.000Z");
    assert_eq!(one["transitions"][0]["cause"], "user");
    let all = bench.get("/api/v1/sentinels").await.json();
    assert_eq!((&all["items"][0]["id"], &all["next"]), (&json!(1), &json!(null)));
    let gone = bench.write(Method::DELETE, "/api/v1/sentinels/deals", "").await;
    assert_eq!((gone.status.as_u16(), gone.body.as_str()), (204, ""));
    bench.get("/api/v1/sentinels/deals").await.problem(404);
    bench.write(Method::DELETE, "/api/v1/sentinels/deals", "").await.problem(404);
}

#[tokio::test]
async fn sentinels_are_listed_by_tag() {
    let bench = Bench::new();
    let text = "create sentinel a using https://a.example/ tag Prices, `at home`
                create sentinel b using https://a.example/ tag prices
                create sentinel c using https://a.example/";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let names = async |query: &str| {
        let list = bench.get(&format!("/api/v1/sentinels{query}")).await.json();
        let items = list["items"].as_array().expect("a list").clone();
        let names = items.iter().map(|item| item["name"].as_str().expect("a name").to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("").await, "a b c");
    assert_eq!(names("?tag=PRICES").await, "a b");
    assert_eq!(names("?tag=prices&limit=1").await, "a");
    assert_eq!(names("?tag=at%20home").await, "a");
    assert_eq!(names("?tag=price").await, "");
    let one = bench.get("/api/v1/sentinels/a").await.json();
    assert_eq!(one["tags"], json!(["at home", "Prices"]));
    let home = bench.get("/").await.body;
    for part in ["/watches?tag=at%20home\">#at home</a>", "/watches?tag=prices\"", "count\">2<"] {
        assert!(home.contains(part), "{part} is not in {home}");
    }
    let tagged = bench.get("/watches?tag=at%20home").await.body;
    assert!(tagged.contains("/sentinels/a\"") && !tagged.contains("/sentinels/b\""), "{tagged}");
}

#[tokio::test]
async fn a_name_that_exists_is_a_conflict_for_post_and_nothing_new_for_put() {
    let bench = with_sentinel().await;
    let detail = bench.post("/api/v1/sentinels", SENTINEL).await.problem(409);
    assert!(detail.contains("`deals`"), "{detail}");
    let same = bench.write(Method::PUT, "/api/v1/sentinels/deals", SENTINEL).await;
    assert_eq!(
        (same.status.as_u16(), &same.json()["sentinels"][0]["what"]),
        (200, &json!("unchanged"))
    );
    let other = SENTINEL.replace("links", "images");
    let replaced = bench.post("/api/v1/sentinels?mode=upsert", &other).await;
    assert_eq!(replaced.status, 200);
    assert_eq!(replaced.json()["sentinels"][0]["what"], "replaced");
    assert_eq!(bench.get("/api/v1/sentinels/deals").await.json()["generation"], 2);
}

#[tokio::test]
async fn a_wrong_text_is_refused_with_diagnostics_in_code_points() {
    let bench = Bench::new();
    let text = "create sentinel a using \"https://é.example/\" monitor all lynx";
    let reply = bench.post("/api/v1/sentinels", text).await;
    reply.problem(422);
    let diagnostic = &reply.json()["diagnostics"][0];
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["line"], 1);
    for field in ["message", "column", "end_line", "end_column", "help"] {
        assert!(diagnostic.get(field).is_some(), "{field} in {diagnostic}");
    }
    let checked = bench.post("/api/v1/check", text).await;
    assert_eq!(checked.status, 200);
    assert_eq!(checked.json()["ok"], false);
    assert_eq!(&checked.json()["diagnostics"][0], diagnostic);
    assert_eq!(bench.get("/api/v1/sentinels").await.json()["items"], json!([]));
}

#[tokio::test]
async fn a_query_that_makes_no_sense_is_named() {
    let detail = Bench::new().get("/api/v1/sentinels?limit=many").await.problem(400);
    assert_eq!(
        detail,
        "The query cannot be read: `limit` must be a whole number, and not negative."
    );
}

#[tokio::test]
async fn a_name_that_does_not_fit_or_is_taken_says_what_to_do() {
    let bench = Bench::new();
    bench.post("/api/v1/sentinels", SENTINEL).await;
    let fares = SENTINEL.replace("deals using", "fares using");
    let other = bench.write(Method::PUT, "/api/v1/sentinels/deals", &fares).await;
    let detail = other.problem(409);
    let said = "the text defines `fares`, not `deals`, and nothing was changed";
    assert!(detail.starts_with(said) && detail.contains("rename `deals` first"), "{detail}");
    bench.post("/api/v1/sentinels", &fares).await;
    let detail = bench.post("/api/v1/sentinels/deals/rename?to=fares", "").await.problem(409);
    assert!(detail.starts_with("The name `fares` is taken, and nothing was changed."), "{detail}");
}

#[tokio::test]
async fn a_check_of_what_is_to_be_created_refuses_a_name_that_exists() {
    let bench = Bench::new();
    bench.post("/api/v1/sentinels", SENTINEL).await;
    let anew = bench.post("/api/v1/check?mode=create", SENTINEL).await.json();
    assert_eq!(anew["ok"], false);
    assert_eq!(anew["diagnostics"][0]["message"], "a sentinel `deals` already exists");
    assert_eq!(bench.post("/api/v1/check", SENTINEL).await.json()["ok"], true);
}

#[tokio::test]
async fn a_check_says_what_the_text_comes_to_and_needs_no_token() {
    let bench = Bench::new();
    let request = with_token(Method::POST, "/api/v1/check").header("content-type", "text/plain");
    let reply = bench.send(request.body(Body::from(SENTINEL)).expect("a request")).await.json();
    assert_eq!((&reply["ok"], &reply["sentinels"][0]["name"]), (&json!(true), &json!("deals")));
    assert_eq!(reply["sentinels"][0]["source"], "https://air.example/deals");
}

#[tokio::test]
async fn a_sentinel_is_disabled_and_enabled() {
    let bench = with_sentinel().await;
    for (what, state) in [("disable", "disabled"), ("enable", "active")] {
        let reply = bench.post(&format!("/api/v1/sentinels/deals/{what}"), "").await;
        assert_eq!(reply.status, 204, "{reply:?}");
        assert_eq!(bench.get("/api/v1/sentinels/deals").await.json()["state"], state);
    }
    let detail = bench.post("/api/v1/sentinels/nobody/enable", "").await.problem(404);
    assert_eq!(detail, "There is no sentinel named `nobody`.");
}

#[tokio::test]
async fn lists_come_in_pages_and_every_item_once() {
    let bench = Bench::new();
    for number in 0..5 {
        let text = format!("create sentinel s{number} using https://h{number}.example/ ");
        assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
    }
    for list in ["sentinels", "sources"] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = bench.get(&format!("/api/v1/{list}?limit=2{cursor}")).await.json();
            let items = page["items"].as_array().expect("items");
            assert!(items.len() <= 2);
            seen.extend(items.iter().map(|item| item["id"].as_u64().expect("a number")));
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(seen, [1, 2, 3, 4, 5], "{list}");
    }
}

#[tokio::test]
async fn a_list_that_is_asked_for_wrongly_says_how_to_ask() {
    let bench = Bench::new();
    for (query, word) in
        [("limit=0", "limit"), ("limit=1001", "1000"), ("limit=x", "limit"), ("cursor=x", "next")]
    {
        let detail = bench.get(&format!("/api/v1/sources?{query}")).await.problem(400);
        assert!(detail.contains(word), "{detail}");
    }
    assert_eq!(bench.get("/api/v1/sources?limit=1000").await.status, 200);
}

#[tokio::test]
async fn a_source_is_found_by_its_url_and_says_why_it_is_probed_next() {
    let bench = with_sentinel().await;
    let list = bench.get("/api/v1/sources?url=https%3A%2F%2Fair.example%2Fdeals").await.json();
    let source = &list["items"][0];
    assert_eq!((&source["id"], &source["version"]), (&json!(1), &json!(null)));
    assert_eq!(source["sentinels"], json!([1]));
    assert!(source["next"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{source}");
    assert_eq!(bench.get("/api/v1/sources/1").await.json()["recent_probes"], json!([]));
    let none = bench.get("/api/v1/sources?url=https%3A%2F%2Fother.example%2F").await.json();
    assert_eq!(none["items"], json!([]));
    for missing in ["/api/v1/sources/9", "/api/v1/sources/x", "/api/v1/sources/9/versions"] {
        bench.get(missing).await.problem(404);
    }
}

#[tokio::test]
async fn versions_are_listed_shown_and_given_as_contained_files() {
    let bench = with_sentinel().await;
    bench.version(1, &["Porto 30", "<script>alert(1)</script>"]);
    bench.version(2, &["Porto 30", "Lisbon 40"]);
    let list = bench.get("/api/v1/sources/1/versions").await.json();
    assert_eq!(list["items"][0]["number"], 2);
    assert_eq!(list["items"][0]["summary"], "page, 4 words, 0 links");
    assert_eq!(
        bench.get("/api/v1/sources/1/versions?cursor=2").await.json()["items"][0]["number"],
        1
    );
    let body = bench.get("/api/v1/sources/1/versions/1/body").await;
    assert_eq!(body.body, "Porto 30\n<script>alert(1)</script>");
    assert_eq!(body.header("content-security-policy"), "sandbox");
    assert_eq!(body.header("content-disposition"), "attachment; filename=\"u1-v1.html\"");
    assert_eq!(body.header("x-content-type-options"), "nosniff");
    assert_eq!(body.header("content-type"), "text/html; charset=utf-8");
    let text = bench.get("/api/v1/sources/1/versions/2/text").await;
    assert_eq!(text.body, "Porto 30\n\nLisbon 40");
    assert_eq!(text.header("content-type"), "text/plain; charset=utf-8");
    let extract = bench.get("/api/v1/sources/1/versions/2/extract").await.json();
    assert_eq!(extract["blocks"][1]["text"], "Lisbon 40");
    bench.get("/api/v1/sources/1/versions/3").await.problem(404);
}

#[tokio::test]
async fn a_diff_is_of_the_last_two_versions_or_of_those_named() {
    let bench = with_sentinel().await;
    bench.get("/api/v1/sources/1/diff").await.problem(404);
    bench.version(1, &["Porto 30"]);
    let lonely = bench.get("/api/v1/sources/1/diff").await.problem(404);
    assert!(lonely.contains("older version"), "{lonely}");
    bench.version(2, &["Porto 30", "Lisbon 40"]);
    bench.hold(2);
    let held = bench.get("/api/v1/sources/1/diff").await.problem(404);
    assert!(held.contains("compared if you name both versions"), "{held}");
    let named = bench.get("/api/v1/sources/1/diff?from=1&to=2").await.json();
    assert_eq!(named["changes_total"], 1, "as it says");
    bench.version(2, &["Porto 30", "Lisbon 40"]);
    bench.version(3, &["Porto 30"]);
    let last = bench.get("/api/v1/sources/1/diff").await.json();
    assert_eq!((&last["from_version"], &last["to_version"]), (&json!(2), &json!(3)));
    assert_eq!(last["changes"][0]["kind"], "delete");
    let named = bench.get("/api/v1/sources/1/diff?from=1&to=2").await.json();
    assert_eq!((&named["changes_total"], &named["type"]), (&json!(1), &json!("any")));
    assert_eq!(named["changes"][0]["new"]["text"], "Lisbon 40");
    let same = bench.get("/api/v1/sources/1/diff?from=1&to=3").await.json();
    assert_eq!(same["changes"], json!([]));
    let links = bench.get("/api/v1/sources/1/diff?from=1&to=2&type=links").await.json();
    assert_eq!((&links["changes"], &links["type"]), (&json!([]), &json!("links")));
    bench.get("/api/v1/sources/1/diff?from=1&to=9").await.problem(404);
    bench.get("/api/v1/sources/1/diff?from=a").await.problem(400);
    let wordless = bench.get("/api/v1/sources/1/diff?type=keywords").await.problem(400);
    assert!(wordless.contains("one of `any`, `links`, `images`, `words`"), "{wordless}");
    let document = bench.get("/api/v1/openapi.json").await.json();
    let parameters = document["paths"]["/sources/{id}/diff"]["get"]["parameters"].as_array();
    let named = |one: &&Value| one["name"] == "type";
    let what = parameters.and_then(|all| all.iter().find(named)).expect("what to compare");
    assert_eq!(what["schema"]["enum"], json!(["any", "links", "images", "words", "everything"]));
}

fn result() -> Vec<u8> {
    let leaf = change::Leaf {
        change_type: change::ChangeType::plain(change::Aspect::Links),
        directions: Default::default(),
        matching: None,
    };
    let link = change::Thing::Link { href: "https://b.example/".into(), text: "Fares".into() };
    let one = change::Change::between(change::ChangeKind::Insert, None, Some(link));
    change::encode(&change::RoundResult {
        comparisons: vec![change::Compared {
            from: chronon::VersionNo(1),
            to: chronon::VersionNo(2),
            base: None,
            change_type: change::ChangeType::plain(change::Aspect::Links),
            changes: vec![one],
            changes_total: 1,
            leaves: vec![change::LeafHits { leaf, hits: vec![0], hits_total: 1 }],
            failed: None,
            parts_read: Vec::new(),
            title: None,
            heading: None,
            rebuilt: None,
            outline: None,
            held_back: 3,
            say_little: 0,
            slight: Default::default(),
            dated: None,
        }],
    })
}

#[tokio::test]
async fn detections_come_with_their_leaves_and_changes() {
    let bench = with_sentinel().await;
    bench.detection(1, &result());
    bench.detection(2, b"not what was stored");
    let list = bench.get("/api/v1/sentinels/deals/detections").await.json();
    assert!(list["items"][0]["unreadable"].is_string());
    let good = &list["items"][1];
    assert_eq!(good["unreadable"], json!(null));
    assert_eq!((&good["leaves"], &good["combinations"]), (&json!(["all links"]), &json!([[0]])));
    assert_eq!((&good["changes_total"], &good["held_back"]), (&json!(1), &json!(3)));
    let page = bench.get("/sentinels/deals").await.body;
    assert!(page.contains("and 3 held back"), "{page}");
    assert_eq!((&good["source_id"], &good["to_version"]), (&json!(1), &json!(2)));
    assert!(good.get("evidence").is_none(), "{good}");
    assert_eq!(
        good["changes"][0],
        json!({"leaves": [0], "type": "links", "kind": "insert", "old": null,
            "new": {"href": "https://b.example/", "text": "Fares"},
            "context": {"before": "", "after": ""}})
    );
}

#[tokio::test]
async fn a_detection_on_two_sources_says_which_each_change_is_of() {
    let bench = with_sentinel().await;
    bench.detection_on(1, &[&result(), &result()]);
    let one = bench.get("/api/v1/sentinels/deals/detections").await.json()["items"][0].clone();
    assert_eq!((&one["source_id"], &one["from_version"]), (&json!(1), &json!(1)));
    assert_eq!(
        one["evidence"],
        json!([{"source_id": 1, "from_version": 1, "to_version": 2},
            {"source_id": 2, "from_version": 1, "to_version": 2}])
    );
    assert_eq!(one["leaves"], json!(["all links", "all links"]));
    assert_eq!(one["combinations"], json!([[0, 1]]));
    let changes = one["changes"].as_array().expect("a list");
    let of: Vec<_> = changes.iter().map(|change| (&change["leaves"], &change["source"])).collect();
    assert_eq!(json!(of), json!([[[0], 0], [[1], 1]]));
    assert_eq!(one["changes_total"], 2);
    let page = bench.get("/sentinels/deals").await.body;
    for link in ["/sources/1/compare?from=1&amp;to=2", "/sources/2/compare?from=1&amp;to=2"] {
        assert!(page.contains(link), "{page}");
    }
    // What can be read is told.
    bench.detection_on(2, &[b"not what was stored", &result()]);
    let torn = bench.get("/api/v1/sentinels/deals/detections").await.json()["items"][0].clone();
    assert!(torn["unreadable"].is_string());
    assert_eq!((&torn["changes"][0]["source"], &torn["changes_total"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn a_notification_comes_with_its_body_and_attempts_and_can_be_read() {
    let bench = with_sentinel().await;
    let body = json!({"format": 1, "summary": "2 links added", "changes": [], "changes_total": 0});
    bench.notification(1, &body);
    bench.notification(2, &body);
    let list = bench.get("/api/v1/notifications?limit=1").await.json();
    assert_eq!((&list["items"][0]["id"], &list["next"]), (&json!(2), &json!("2")));
    assert_eq!(list["items"][0]["summary"], "2 links added");
    assert_eq!(list["items"][0]["sentinel"], "deals");
    let rest = bench.get("/api/v1/notifications?limit=1&cursor=2").await.json();
    assert_eq!(rest["items"][0]["id"], 1);
    let one = bench.get("/api/v1/notifications/2").await.json();
    assert_eq!((&one["body"], &one["state"]), (&body, &json!("delivered")));
    assert_eq!((&one["attempts"][0]["result"], &one["read"]), (&json!("delivered"), &json!(false)));
    let read = bench.post("/api/v1/notifications/2/read", "").await;
    assert_eq!(read.status, 204, "{read:?}");
    assert_eq!(bench.get("/api/v1/notifications/2").await.json()["read"], true);
    bench.post("/api/v1/notifications/9/read", "").await.problem(404);
    bench.get("/api/v1/notifications?sentinel=nobody").await.problem(404);
    let mine = bench.get("/api/v1/notifications?sentinel=deals").await.json();
    assert_eq!(mine["items"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_channel_test_is_queued() {
    let bench = Bench::new();
    let reply = bench.post("/api/v1/channels/interactive/test", "").await;
    assert_eq!(reply.status, 202, "{reply:?}");
    assert!(reply.json()["notification"].is_u64());
    assert_eq!(bench.get("/api/v1/channels").await.json()["items"][0]["name"], "interactive");
    assert!(bench.post("/api/v1/channels/nowhere/test", "").await.status.is_client_error());
}

#[tokio::test]
async fn a_channel_says_until_when_it_hears_nothing() {
    let bench = Bench::with_config(|config| {
        let quiet = outbox::Quiet::new(chronon::Zone::utc(), 22 * 60, 7 * 60);
        let manners = outbox::Manners { quiet, ..Default::default() };
        config.outbox.manners.insert("interactive".into(), manners);
    });
    bench.post("/api/v1/channels/interactive/test", "").await;
    bench.post("/api/v1/channels/terminal/test", "").await;
    let channels = bench.get("/api/v1/channels").await.json();
    assert_eq!(channels["items"][0]["waits_until"], "2027-01-01T07:00:00.000Z");
    assert!(channels["items"][1]["waits_until"].is_null(), "{channels}");
    let page = bench.get("/channels").await.body;
    assert_eq!(page.matches("Quiet; that ends <time").count(), 1, "{page}");
    let sent = bench.get("/api/v1/notifications").await.json();
    assert_eq!(sent["items"][1]["channel"]["waits_until"], "2027-01-01T07:00:00.000Z", "{sent}");
    bench.pass(chronon::Span::HOUR.times(7));
    let channels = bench.get("/api/v1/channels").await.json();
    assert!(channels["items"][0]["waits_until"].is_null(), "{channels}");
}

#[tokio::test]
async fn a_probe_is_asked_for_and_an_unknown_source_is_not_found() {
    let bench = with_sentinel().await;
    let reply = bench.post("/api/v1/sources/1/probe", "").await;
    assert_eq!(reply.status, 204, "{reply:?}");
    bench.post("/api/v1/sources/9/probe", "").await.problem(404);
}

#[tokio::test]
async fn what_is_quiet_is_listed_and_brought_back() {
    use kernel::Record;
    use kernel::record::HabitsRow;
    let bench = with_sentinel().await;
    assert_eq!(bench.get("/api/v1/sources/1/quiet").await.json()["items"], json!([]));
    let url = url::Url::parse("https://site.example/").expect("a URL");
    let hints = page::Hints { content_type: Some("text/html"), url: &url };
    let page = |n: u32| {
        let body = format!("<h1>Harbour</h1><p>It is 10:{n:02}, &lt;b&gt; local time.</p>");
        page::read(body.as_bytes(), &hints, &page::Limits::default()).expect("a page")
    };
    let mut habits = change::Habits::default();
    for n in 10..16 {
        let at = chronon::Instant::EPOCH;
        let arrived = change::Arrived { looks: 1, at, asked: false };
        habits.learn([&page(n), &page(n + 1)], None, arrived, &change::Limits::default());
    }
    let row = HabitsRow {
        source: chronon::SourceId(1),
        version: chronon::VersionNo(1),
        learned: habits.encode().into(),
    };
    bench.store(vec![Record::Habits(row)], &[]);
    let listed = bench.get("/api/v1/sources/1/quiet").await.json()["items"].clone();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    let one = &listed[0];
    assert_eq!(one["because"], "its numbers changed at 6 of the last 6 looks");
    assert_eq!(one["told"], json!(false));
    let key = one["key"].as_str().expect("a key");
    let shown = bench.get("/sources/1").await;
    assert!(shown.body.contains("because its numbers changed"), "{}", shown.body);
    assert!(!shown.body.contains("<b> local"), "a text of a page is escaped");
    let any = SENTINEL.replace("deals using", "fares using").replace("all links", "any change");
    assert_eq!(bench.post("/api/v1/sentinels", &any).await.status, 201);
    let said = "Not told any more: “<span dir=\"auto\">It is 10:11";
    let fares = bench.get("/sentinels/fares").await.body;
    assert!(fares.contains(said), "{fares}");
    assert!(!bench.get("/sentinels/deals").await.body.contains(said), "links are told");
    let told = |answer: Value| answer["items"][0]["told"].clone();
    let reply = bench.post(&format!("/api/v1/sources/1/quiet/{key}/tell"), "").await;
    assert_eq!(reply.status, 204, "{reply:?}");
    assert_eq!(told(bench.get("/api/v1/sources/1/quiet").await.json()), json!(true));
    bench.post(&format!("/api/v1/sources/1/quiet/{key}/hold"), "").await;
    assert_eq!(told(bench.get("/api/v1/sources/1/quiet").await.json()), json!(false));
    for wrong in ["counts-0000000000000000", "nothing"] {
        bench.post(&format!("/api/v1/sources/1/quiet/{wrong}/tell"), "").await.problem(404);
    }
    bench.get("/api/v1/sources/9/quiet").await.problem(404);
}

#[tokio::test]
async fn a_repeated_write_is_answered_as_the_first_time() {
    let bench = Bench::new();
    let post = |key: &str, text: &str| {
        let request = with_token(Method::POST, "/api/v1/sentinels").header("idempotency-key", key);
        request.body(Body::from(text.to_owned())).expect("a request")
    };
    let first = bench.send(post("k1", SENTINEL)).await;
    let again = bench.send(post("k1", SENTINEL)).await;
    assert_eq!((first.status, &first.body), (again.status, &again.body));
    assert_eq!(again.status, 201);
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!(again.header("idempotency-replayed"), "true");
    bench.send(post("k2", SENTINEL)).await.problem(409);
    let other = bench.send(post("k1", "create sentinel b using https://b.example/")).await;
    assert!(other.problem(409).contains("Idempotency-Key"), "{other:?}");
    bench.send(post("", SENTINEL)).await.problem(400);
    bench.send(post(&"k".repeat(256), SENTINEL)).await.problem(400);
    assert!(bench.reader().source(SourceId(2)).expect("a store").is_none());
}

#[tokio::test]
async fn a_refused_write_is_not_remembered_for_one_who_may() {
    let bench = Bench::new();
    let request = local(Method::POST, "/api/v1/sentinels").header("idempotency-key", "k");
    let refused = bench.send(request.body(Body::from(SENTINEL)).expect("a request")).await;
    assert_eq!(refused.status, 401);
    let request = with_token(Method::POST, "/api/v1/sentinels").header("idempotency-key", "k");
    let done = bench.send(request.body(Body::from(SENTINEL)).expect("a request")).await;
    assert_eq!(done.status, 201);
}

#[tokio::test]
async fn bodies_have_a_limit_a_kind_and_an_encoding() {
    let bench = Bench::with(|config| config.limits.body_bytes_max = 100);
    bench.post("/api/v1/check", &"x".repeat(100)).await.json();
    bench.post("/api/v1/check", &"x".repeat(101)).await.problem(413);
    let form = with_token(Method::POST, "/api/v1/sentinels")
        .header("content-type", "application/x-www-form-urlencoded");
    bench.send(form.body(Body::from("a=b")).expect("a request")).await.problem(415);
    let latin = with_token(Method::POST, "/api/v1/check");
    bench.send(latin.body(Body::from(&b"caf\xe9"[..])).expect("a request")).await.problem(400);
}

#[tokio::test]
async fn what_is_not_there_is_a_problem_that_says_where_to_look() {
    let bench = Bench::new();
    assert!(bench.get("/api/v1/plans").await.problem(404).contains("openapi.json"));
    let method = bench.write(Method::PUT, "/api/v1/sources", "").await;
    method.problem(405);
    assert!(method.header("allow").contains("GET"), "{method:?}");
}

#[tokio::test]
async fn the_document_describes_every_route_that_exists() {
    let bench = Bench::new();
    let document = bench.get("/api/v1/openapi.json").await.json();
    assert_eq!(document["info"]["title"], "Tidings");
    assert_eq!(document["servers"][0]["url"], "/api/v1");
    let paths = document["paths"].as_object().expect("paths");
    let formats = include_str!("../../../../docs/formats.md");
    for path in paths.keys() {
        assert!(formats.contains(&format!(" {path}`")), "docs/formats.md does not have {path}");
    }
    for path in [
        "/sentinels",
        "/sentinels/{name}",
        "/sentinels/{name}/enable",
        "/sentinels/{name}/disable",
        "/sentinels/{name}/detections",
        "/check",
        "/sources",
        "/sources/{id}",
        "/sources/{id}/probe",
        "/sources/{id}/versions",
        "/sources/{id}/versions/{n}",
        "/sources/{id}/versions/{n}/body",
        "/sources/{id}/versions/{n}/text",
        "/sources/{id}/versions/{n}/extract",
        "/sources/{id}/diff",
        "/notifications",
        "/notifications/{id}",
        "/notifications/{id}/read",
        "/notifications/{id}/resend",
        "/channels/{name}/test",
        "/events",
        "/version",
        "/healthz",
        "/readyz",
        "/metrics",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
    let schema = &document["components"]["schemas"]["Problem"]["properties"];
    assert!(schema.get("diagnostics").is_some(), "{schema}");
    // Every reference leads somewhere.
    let text = document.to_string();
    for name in text.split("#/components/schemas/").skip(1) {
        let name = name.split('"').next().expect("a name");
        assert!(document["components"]["schemas"].get(name).is_some(), "{name}");
    }
}

#[tokio::test]
async fn the_server_says_how_it_is() {
    let bench = Bench::with(|config| {
        config.ready = std::sync::Arc::new(|| Err("its clock is wrong".into()));
        config.metrics = std::sync::Arc::new(|| "tidings_probes_total 3\n".to_owned());
    });
    for prefix in ["", "/api/v1"] {
        assert_eq!(bench.get(&format!("{prefix}/healthz")).await.status, 200);
        let ready = bench.get(&format!("{prefix}/readyz")).await;
        assert_eq!((ready.status.as_u16(), &*ready.body), (503, "not ready: its clock is wrong\n"));
        let version = bench.get(&format!("{prefix}/version")).await.json();
        assert_eq!(version["version"], "1.2.3");
        assert_eq!(version["waiting"], "its clock is wrong");
        let metrics = bench.get(&format!("{prefix}/metrics")).await;
        assert_eq!(metrics.body, "tidings_probes_total 3\n");
        assert_eq!(metrics.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    }
    let prometheus = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3,*/*;q=0.2";
    let open = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let plain = "text/plain; version=0.0.4; charset=utf-8";
    for (accept, kind) in [(prometheus, open), ("text/html,*/*;q=0.8", plain)] {
        let request = with_token(Method::GET, "/metrics").header("accept", accept);
        let metrics = bench.send(request.body(Body::empty()).expect("a request")).await;
        assert_eq!(metrics.header("content-type"), kind);
    }
}

#[tokio::test]
async fn the_plan_says_what_the_budget_buys_and_what_another_would() {
    let empty = Bench::new().get("/api/v1/plan").await.json();
    assert_eq!((&empty["items"], &empty["sources_total"]), (&json!([]), &json!(0)));
    let bench = with_sentinel().await;
    let quick =
        "create sentinel quick using https://quick.example/ fetch every 1 minute within 1 second";
    assert_eq!(bench.post("/api/v1/sentinels", quick).await.status, 201);
    let plan = bench.get("/api/v1/plan").await.json();
    let items = plan["items"].as_array().expect("a list");
    let of = |url: &str| items.iter().find(|item| item["url"] == url).expect("planned");
    let deals = of("https://air.example/deals");
    // Guessed to change once in ten hours.
    assert_eq!((&deals["limit"], &deals["probes_per_day"]), (&json!("yield"), &json!(24.0)));
    assert_eq!((&deals["delay_seconds"], &deals["answered"]), (&json!(1_800.0), &json!(false)));
    assert!(bench.get("/plan").await.body.contains(">not known yet</td>"));
    let quick = of("https://quick.example/");
    assert_eq!(
        (&quick["limit"], &quick["deadlines_per_day"]),
        (&json!("deadlines"), &json!(1440.0))
    );
    assert_eq!(plan["budgets"][2]["factor"], 1.0);
    let budgets = plan["budgets"].as_array().expect("a list");
    assert!(
        budgets
            .windows(2)
            .all(|two| { two[0]["cost_per_day"].as_f64() <= two[1]["cost_per_day"].as_f64() })
    );

    let poor = bench.get("/api/v1/plan?budget_per_second=0.001&limit=1").await.json();
    let worst = &poor["items"][0];
    assert_eq!((&worst["url"], &worst["limit"]), (&quick["url"], &json!("budget")));
    assert_eq!(worst["unmet"][0]["reason"], "budget");
    let next = poor["next"].as_str().expect("another page");
    let next = format!("/api/v1/plan?budget_per_second=0.001&limit=1&cursor={next}");
    let second = bench.get(&next).await.json();
    assert_eq!((&second["items"][0]["url"], &second["next"]), (&deals["url"], &json!(null)));
    bench.get("/api/v1/plan?budget_per_second=0").await.problem(400);
    bench.get("/api/v1/plan?cursor=x").await.problem(400);
}

#[tokio::test]
async fn an_answer_to_a_large_text_is_short_and_says_what_it_leaves_out() {
    let bench = Bench::new();
    let words: Vec<String> = (0..1_000).map(|n| format!("word{n}")).collect();
    let mut text = format!(
        "create sentinel p using https://a.example monitor keywords {}\n",
        words.join(", ")
    );
    (0..1_000).for_each(|n| text += &format!("create sentinel s{n} using p\n"));
    let reply = bench.post("/api/v1/check", &text).await;
    let verdict = reply.json();
    let (shown, left) = (verdict["sentinels"].as_array(), &verdict["sentinels_left_out"]);
    let shown = shown.expect("a list").len() as u64;
    assert_eq!((verdict["ok"].clone(), left.as_u64()), (true.into(), Some(1_001 - shown)));
    assert!(shown > 0 && reply.body.len() < 2 << 20, "{shown}, {} bytes", reply.body.len());
    let name = "x".repeat(90);
    let wrong: String =
        (0..1_000).map(|n| format!("create sentinel {name}{n} using y{name}\n")).collect();
    for path in ["/api/v1/check", "/api/v1/sentinels"] {
        let reply = bench.post(path, &wrong).await;
        assert!(reply.body.len() < 512 << 10, "{} bytes", reply.body.len());
        let diagnostics = reply.json()["diagnostics"].clone();
        let last = diagnostics.as_array().and_then(|all| all.last()).expect("errors");
        let said = last["message"].as_str().expect("text");
        assert!(said.starts_with("and ") && said.ends_with(" more"), "{said}");
    }
}

#[tokio::test]
async fn strangers_may_send_little() {
    let bench = Bench::new();
    let long = "x".repeat(9 << 10);
    let request = local(Method::POST, "/login").header("origin", "http://localhost:7878");
    let reply = bench.send(request.body(Body::from(long.clone())).expect("a request")).await;
    assert_eq!(reply.problem(413), "The body is larger than 8192 bytes, or was cut off.");
    let chunks = futures_util::stream::iter([long].map(Ok::<_, std::io::Error>));
    let request = local(Method::POST, "/login").header("origin", "http://localhost:7878");
    let reply = bench.send(request.body(Body::from_stream(chunks)).expect("a request")).await;
    assert_eq!(reply.problem(413), "The body is larger than 8192 bytes, or was cut off.");
}

#[tokio::test]
async fn the_plan_lists_looks_that_belong_together() {
    let bench = Bench::new();
    let text = "create sentinel both using https://air.example/ as air, https://sea.example/ as sea \
                monitor links of air and not links of sea fetch every 1 hour within 10 minutes \
                from 2027-01-02 00:00 notify by interactive";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let plan = bench.get("/api/v1/plan").await.json();
    assert_eq!(plan["together"], serde_json::json!([]), "it has not begun");
    let text = text.replace("2027-01-02 00:00", "2026-12-31 23:55").replace("both", "pair");
    assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
    let plan = bench.get("/api/v1/plan").await.json();
    let page = bench.get("/plan").await.body;
    assert!(page.contains("Looked at together") && page.contains("air.example"), "{page}");
    let one = &plan["together"][0];
    assert_eq!(
        (&one["sentinel"], &one["start"]),
        (&"pair".into(), &"2026-12-31T23:55:00.000Z".into())
    );
    assert_eq!(
        one["waits_for"],
        serde_json::json!(["https://air.example/", "https://sea.example/"])
    );
    assert_eq!(one["made"], serde_json::json!([]));
}
