//! The four places, and the page on which a text is changed: forms alone, without a script.

use super::bench::{Bench, Reply, SENTINEL, START};
use axum::http::{Method, header};
use chronon::VersionNo;
use kernel::Record;
use kernel::record::{Held, SourceRow};
use serde_json::{Value, json};

fn form(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

async fn with(names: &[&str]) -> Bench {
    let bench = Bench::new();
    for name in names {
        let text = format!("create sentinel {name} using \"https://air.example/{name}\"");
        assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
    }
    bench
}

async fn state(bench: &Bench, name: &str) -> String {
    let reply: Reply = bench.get(&format!("/api/v1/sentinels/{name}")).await;
    let one = reply.json();
    if one["gone_at"].is_null() { one["state"].to_string() } else { "going".to_owned() }
}

#[tokio::test]
async fn watches_are_found_filtered_and_changed_together() {
    let bench = with(&["kettle", "news", "prices"]).await;
    let page = bench.get("/watches").await;
    assert!(page.body.contains("1 to 3 of 3"), "{}", page.body);
    let found = bench.get("/watches?q=KETT").await;
    assert!(found.body.contains("1 to 1 of 1") && !found.body.contains("/sentinels/news"));
    let done = bench.post("/watches", &form(&[("do", "disable"), ("name", "news")])).await;
    assert_eq!((done.status.as_u16(), done.header("location")), (303, "/watches?done=disable-1"));
    assert_eq!(state(&bench, "news").await, "\"disabled\"");
    let disabled = bench.get("/watches?state=disabled").await;
    assert!(disabled.body.contains("1 to 1 of 1"), "{}", disabled.body);
    // All that a search finds, and nothing else.
    let all = form(&[("do", "remove"), ("scope", "all"), ("q", "r")]);
    bench.post("/watches", &all).await;
    let left = [state(&bench, "prices").await, state(&bench, "kettle").await];
    assert_eq!(left, ["going", "going"], "the address has an r, too");
}

#[tokio::test]
async fn a_watch_that_was_never_looked_at_is_not_called_active() {
    let bench = with(&["kettle"]).await;
    for path in ["/", "/watches", "/sentinels/kettle", "/fragments/rows?sentinels=1"] {
        let page = bench.get(path).await.body;
        let badge = "<span class=\"state pending\">not looked at yet</span>";
        assert!(page.contains(badge), "{path}: {page}");
    }
    let text = format!("<p>{}", "a page with words of its own. ".repeat(20));
    let seen = watch_of(&text, |row| SourceRow { version: 1, newest: 1, ..row }).await;
    let seen = seen.get("/watches").await.body;
    assert!(!seen.contains("not looked at yet"), "{seen}");
    assert!(seen.contains("<span class=\"state active\">active</span>"), "{seen}");
}

#[tokio::test]
async fn a_long_list_goes_by_names_and_every_watch_stands_on_one_page() {
    // More than are put in order by themselves, the last name first.
    for (all, pages) in [(120_usize, 3), (1_120, 23)] {
        let bench = Bench::new();
        let text: String = (0..all)
            .rev()
            .map(|n| format!("create sentinel W{n:04} using https://air.example/{n}\n"))
            .collect();
        assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
        let mut seen = Vec::new();
        for page in 0..pages {
            let body = bench.get(&format!("/watches?sort=name&page={page}")).await.body;
            let links = body.split("href=\"/sentinels/W").skip(1);
            seen.extend(links.filter_map(|link| link.get(..4)?.parse::<usize>().ok()));
        }
        seen.dedup();
        assert_eq!(seen, (0..all).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn the_inbox_shows_reads_and_searches() {
    let bench = with(&["deals"]).await;
    bench.notification(1, &json!({"summary": "1 link added"}));
    bench.notification(2, &json!({"summary": "the price fell"}));
    let page = bench.get("/inbox").await;
    assert!(page.body.contains("1 link added") && page.body.contains("the price fell"));
    let found = bench.get("/inbox?q=PRICE").await;
    assert!(found.body.contains("the price fell") && !found.body.contains("1 link added"));
    let read = bench.post("/inbox", &form(&[("read", "2"), ("at", "2")])).await;
    assert_eq!((read.status.as_u16(), read.header("location")), (303, "/inbox#alert-2"));
    let unread = bench.get("/inbox?show=unread").await;
    assert!(unread.body.contains("1 link added") && !unread.body.contains("the price fell"));
    bench.post("/inbox", &form(&[("do", "all")])).await;
    let none = bench.get("/inbox?show=unread").await;
    assert!(none.body.contains("No alert matches"), "{}", none.body);
}

#[tokio::test]
async fn an_alert_on_several_channels_is_one_entry_of_the_inbox() {
    let bench = with(&["deals"]).await;
    bench.notification(1, &json!({"summary": "1 link added"}));
    for id in (2..100).step_by(2) {
        let body = json!({"summary": format!("the price fell to {id} EUR")});
        bench.notification(id, &body);
        bench.notification_elsewhere(id + 1, &body);
    }
    let page = bench.get("/inbox").await.body;
    assert_eq!(page.matches("<p class=\"summary\"").count(), 20, "a page is full");
    assert!(page.contains("name=\"at\" value=\"99\""), "a press comes back to the alert: {page}");
    let unread = bench.get("/inbox?show=unread").await.body;
    let first = unread.split("name=\"at\" value=\"").nth(1).expect("a place");
    assert!(first.starts_with("97\""), "one that is read goes, and the next is there: {first}");
    assert_eq!(page.matches("the price fell to 98 EUR").count(), 1);
    assert!(page.contains("name=\"read\" value=\"99,98\""), "{page}");
    assert!(page.contains("/inbox?before=60") && !page.contains("to 58 EUR"), "{page}");
    let older = bench.get("/inbox?before=60").await.body;
    assert!(older.contains("to 58 EUR") && !older.contains("to 60 EUR"), "{older}");
    let read = bench.post("/inbox", &form(&[("read", "99,98")])).await;
    assert_eq!(read.status, 303);
    let unread = bench.get("/inbox?show=unread").await.body;
    assert!(unread.contains("to 96 EUR") && !unread.contains("to 98 EUR"), "both are read");
    assert_eq!(bench.post("/inbox", &form(&[("read", "99,x")])).await.status, 400);
}

#[tokio::test]
async fn an_alert_by_two_channels_of_one_kind_is_one_entry_and_so_are_alerts_of_one_moment() {
    let bench = Bench::new();
    let text = "create sentinel deals using https://air.example/deals \
                notify by email a@b.example notify by email c@b.example";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    // As rows of two finds may stand in the store.
    for (id, find, channel) in [(1, 1, 1), (2, 2, 1), (3, 1, 2), (4, 2, 2)] {
        bench.notification_of(id, find, channel);
    }
    let page = bench.get("/inbox").await.body;
    assert_eq!(page.matches("<p class=\"summary\"").count(), 2, "{page}");
    assert!(page.contains("email c@b.example, email a@b.example · delivered"), "{page}");
    // The first page tells each once, too, and a piece of it is found by any of its channels.
    let first = bench.get("/").await.body;
    assert_eq!(first.matches("<p class=\"summary\"").count(), 2, "{first}");
    assert!(first.contains("email c@b.example, email a@b.example · delivered"), "{first}");
    for id in [3, 1] {
        let piece = bench.get(&format!("/fragments/rows?notifications={id}")).await.body;
        assert_eq!(piece.matches("<li class=\"card").count(), 1, "{piece}");
        assert!(piece.contains("id=\"notification-1\""), "{piece}");
    }
    for ids in ["4,2", "3,1"] {
        assert!(page.contains(&format!("name=\"read\" value=\"{ids}\"")), "{page}");
    }
}

#[tokio::test]
async fn a_look_at_many_is_one_press_and_counts_those_that_are_there() {
    let bench = with(&["deals", "news"]).await;
    let look = |fields: &[(&str, &str)]| form(&[&[("do", "look")], fields].concat());
    let found = bench.post("/watches", &look(&[("scope", "all"), ("q", "deals")])).await;
    assert_eq!(found.header("location"), "/watches?q=deals&done=look-1", "{found:?}");
    let ticked = [("name", "deals"), ("name", "news"), ("name", "nobody")];
    let ticked = bench.post("/watches", &look(&ticked)).await;
    assert_eq!(ticked.header("location"), "/watches?done=look-2", "{ticked:?}");
    let said = bench.get("/watches?done=look-1").await.body;
    assert!(said.contains("1 watch to be looked at") && said.contains("value=\"look\""), "{said}");
}

#[tokio::test]
async fn the_plan_of_another_budget_is_a_slider_away() {
    let bench = with(&["deals"]).await;
    let own = bench.get("/plan").await.body;
    assert!(own.contains("value=\"20\"") && !own.contains("is not yours"), "{own}");
    assert!(own.contains("10 looks a second (now)"), "{own}");
    let tenth = bench.get("/plan?slider=0").await.body;
    assert!(tenth.contains("is not yours") && tenth.contains("1 look a second (shown)"), "{tenth}");
    let most = bench.get("/plan?slider=200").await.body;
    assert!(most.contains("100 looks a second (shown)"), "{most}");
    // The address takes what the API takes, and the table leads there.
    let link = "/plan?budget_per_second=20";
    assert!(own.contains(&format!("href=\"{link}\">20 looks a second</a>")), "{own}");
    for path in [link, "/plan?budget=20"] {
        let twice = bench.get(path).await.body;
        assert!(twice.contains("20 looks a second (shown)"), "{twice}");
        assert!(twice.contains("is not yours") && twice.contains("value=\"26\""), "{twice}");
    }
    let same = bench.get("/plan?budget_per_second=10").await.body;
    assert!(!same.contains("is not yours"), "{same}");
    let wrong = bench.get("/plan?budget=20+per+second").await;
    assert_eq!(wrong.status, 400);
    assert!(wrong.body.contains("must be a number, such as 2.5"), "{}", wrong.body);
    assert_eq!(bench.get("/plan?budget_per_second=0").await.status, 400);
}

#[tokio::test]
async fn an_alert_leads_to_its_page_and_the_comparison_and_snoozes_its_sentinel() {
    let bench = with(&["deals"]).await;
    let source = json!({"url": "https://air.example/deals", "from_version": 3, "to_version": 4});
    let change = json!({"kind": "insert", "type": "any", "new": {"text": "Lisbon"}});
    let body = json!({"sentinel": "fares", "summary": "Lisbon", "sources": [source],
        "changes": [change], "changes_total": 1});
    bench.notification(1, &body);
    let page = bench.get("/inbox").await.body;
    assert!(page.contains("href=\"https://air.example/deals\""), "{page}");
    // By the name that the sentinel has now.
    assert!(page.contains("href=\"/sentinels/deals/compare?from=3&#38;to=4\""), "{page}");
    assert!(!page.contains("· interactive"), "what is here alone says no channel: {page}");
    assert!(page.contains("name=\"noise\" value=\"1\""), "{page}");
    let price =
        json!({"kind": "update", "type": "value", "old": {"text": "5"}, "new": {"text": "4"}});
    bench.notification(2, &json!({"summary": "5 → 4", "changes": [price], "changes_total": 1}));
    let page = bench.get("/inbox").await.body;
    assert!(page.contains("5 → 4") && !page.contains("name=\"noise\" value=\"2\""), "{page}");
    let snoozed = bench.post("/inbox", &form(&[("snooze", "1"), ("for-1", "1d")])).await;
    assert_eq!(
        (snoozed.status.as_u16(), snoozed.header("location")),
        (303, "/inbox?snoozed=deals")
    );
    assert!(bench.get("/inbox?snoozed=deals").await.body.contains("<strong>Snoozed.</strong>"));
    assert!(bench.get("/sentinels/deals").await.body.contains("<strong>Snoozed.</strong>"));
    let wrong = bench.post("/inbox", &form(&[("snooze", "1"), ("for-1", "2 moons")])).await;
    assert_eq!(wrong.status, 400);
}

#[tokio::test]
async fn a_channel_is_tested_and_its_attempts_are_listed() {
    let bench = with(&["deals"]).await;
    bench.notification(1, &json!({"summary": "1 link added"}));
    let page = bench.get("/channels").await;
    assert!(page.body.contains("interactive") && page.body.contains("delivered"), "{}", page.body);
    let sent = bench.post("/channels", &form(&[("channel", "interactive"), ("contact", "")])).await;
    assert_eq!(sent.status, 303);
    assert!(sent.header("location").starts_with("/channels?test="), "{sent:?}");
    let wrong = bench.post("/channels", &form(&[("channel", "pigeon")])).await;
    assert!(wrong.body.contains("pigeon"), "{}", wrong.body);
}

#[tokio::test]
async fn a_text_is_checked_said_and_saved() {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    let page = bench.get("/sentinels/deals/edit").await;
    assert!(page.body.contains("Nothing changes."), "{}", page.body);
    let heavier = format!("{SENTINEL}  weight 3\n");
    let checked = form(&[("do", "check"), ("text", &heavier)]);
    let checked = bench.post("/sentinels/deals/edit", &checked).await;
    assert!(checked.body.contains("changes in place"), "{}", checked.body);
    let wrong = form(&[("do", "save"), ("text", "create sentinel deals using nonsense:")]);
    assert_eq!(bench.post("/sentinels/deals/edit", &wrong).await.status, 422);
    let other = SENTINEL.replace("deals using", "other using");
    let other =
        bench.post("/sentinels/deals/edit", &form(&[("do", "check"), ("text", &other)])).await;
    assert!(other.body.contains("Its name becomes other"), "{}", other.body);
    let save = form(&[("do", "save"), ("text", &heavier)]);
    let saved = bench.post("/sentinels/deals/edit", &save).await;
    assert_eq!((saved.status.as_u16(), saved.header("location")), (303, "/sentinels/deals"));
    let text = bench.get("/api/v1/sentinels/deals").await.json()["text"].to_string();
    assert!(text.contains("weight 3"), "{text}");
    let copy = bench.get("/sentinels/deals/copy").await;
    assert!(copy.body.contains("create sentinel deals-copy using"), "{}", copy.body);
}

#[tokio::test]
async fn pages_are_compressed_for_who_takes_it() {
    let bench = with(&["kettle"]).await;
    let request = super::bench::with_token(Method::GET, "/watches")
        .header(header::ACCEPT_ENCODING, "gzip")
        .body(axum::body::Body::empty())
        .expect("a request");
    assert_eq!(bench.send(request).await.header("content-encoding"), "gzip");
    assert_eq!(bench.get("/watches").await.header("content-encoding"), "");
}

/// A watch of two pages, one of two others that fails, and one of a page without text.
pub(super) async fn troubled() -> Bench {
    let bench = Bench::new();
    for text in [
        "create sentinel both using https://air.example/deals as a, https://b.example/ as b tag x",
        "create sentinel empty using https://c.example/ tag y",
        "create sentinel well using https://air.example/deals tag x",
    ] {
        assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201, "{text}");
    }
    bench.page(1, "<div id=root></div><p>App", &[]);
    bench.also_of(3, 1);
    bench.page(1, "<p>a<p>b<p>c", &[]);
    let snapshot = bench.reader().snapshot().expect("a store without faults");
    let mut records = Vec::new();
    for row in snapshot.sources {
        let row = match row.id.0 {
            2 => SourceRow { failures: 3, failing_since: Some(START), ..row },
            _ => SourceRow { version: 1, newest: 1, ..row },
        };
        records.push(Record::Source(Box::new(row)));
    }
    bench.store(records, &[]);
    bench.restarted()
}

#[tokio::test]
async fn each_page_of_several_counts_and_so_does_one_without_text() {
    let bench = troubled().await;
    let page = bench.get("/watches").await.body;
    assert!(page.contains("2 in trouble"), "{page}");
    let at = |name: &str| page.find(&format!("/sentinels/{name}\"")).expect("it is listed");
    assert!(at("both") < at("empty") && at("empty") < at("well"), "{page}");
    assert!(page.contains("https://b.example/: its looks fail"), "{page}");
    assert!(page.contains("The page has next to no text"), "a reason is a sentence: {page}");
    let home = bench.get("/").await.body;
    let first = |name: &str| home.find(&format!("/sentinels/{name}\"")).expect("it is listed");
    assert!(first("both") < first("empty") && first("empty") < first("well"), "{home}");
    assert!(home.contains("2 in trouble") && home.contains("next to no text"), "{home}");
    let failing = bench.get("/watches?state=failing").await.body;
    assert!(failing.contains("1 to 2 of 2") && !failing.contains("/sentinels/well\""), "{failing}");
    let listed = bench.get("/api/v1/sentinels").await.json();
    let badges: Vec<_> = (0..3).map(|n| &listed["items"][n]["trouble"]["badge"]).collect();
    assert_eq!(badges, [&json!("never seen"), &json!("next to no text"), &Value::Null], "{listed}");
    assert_eq!(listed["items"][0]["health"], "failing");
    let shown = bench.get("/api/v1/sentinels/empty").await.json();
    assert_eq!(shown["trouble"], listed["items"][1]["trouble"]);
    let page = bench.get("/sentinels/both").await.body;
    assert!(page.contains("https://b.example/: its looks fail"), "{page}");
}

/// A watch that tells by email, and no mail server to send it.
pub(super) async fn mute() -> Bench {
    let bench = Bench::with_config(|config| {
        for info in config.channels.iter_mut().filter(|info| info.name == "email") {
            info.trouble = Some("no mail server is configured".into());
        }
    });
    let text = "create sentinel deals using https://air.example/deals notify by email a@b.example";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    bench
}

#[tokio::test]
async fn a_watch_whose_channel_can_send_nothing_never_looks_healthy() {
    let bench = mute().await;
    let said = "Nothing can be sent by email a@b.example: no mail server is configured.";
    for path in ["/", "/watches?state=failing", "/sentinels/deals"] {
        let page = bench.get(path).await.body;
        assert!(page.contains("cannot tell</span>") && page.contains(said), "{path}: {page}");
        assert!(page.contains("start the server again"), "{path}: {page}");
    }
    let shown = bench.get("/api/v1/sentinels/deals").await.json();
    let said = (&shown["health"], &shown["trouble"]["badge"]);
    assert_eq!(said, (&json!("failing"), &json!("cannot tell")));
    let channel = &bench.get("/api/v1/channels").await.json()["items"][0];
    assert_eq!(channel["trouble"], "no mail server is configured");
}

#[tokio::test]
async fn a_watch_whose_messages_do_not_arrive_never_looks_healthy() {
    let bench = Bench::new();
    let text = "create sentinel deals using https://air.example/deals notify by email a@b.example \
                notify by email b@b.example";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let with = |number: u64, change: &dyn Fn(&mut outbox::ChannelRow)| {
        let mut row = outbox::ChannelRow {
            id: outbox::ChannelId(number),
            name: "email".into(),
            contact: Some(["a@b.example", "b@b.example"][number as usize - 1].into()),
            disabled: None,
            course: outbox::Course::default(),
        };
        change(&mut row);
        let record = outbox::OutboxRecord::Channel(row);
        bench.store(vec![kernel::Record::Outbox(record)], &[]);
    };
    let trouble = async || {
        let shown = bench.restarted().get("/api/v1/sentinels/deals").await.json();
        (
            shown["health"].clone(),
            shown["trouble"]["badge"].clone(),
            shown["trouble"]["why"].clone(),
        )
    };
    let failing = outbox::Failing { since: super::bench::START, told: false };
    with(2, &|row| row.course.failing = Some(failing));
    let why = "nothing arrives by email b@b.example since 2027-01-01 00:00 UTC";
    assert_eq!(trouble().await, (json!("doubtful"), json!("nothing arrives"), json!(why)));
    with(1, &|row| row.disabled = Some("it answered 410".into()));
    let why = "the channel email a@b.example takes no more messages: it answered 410; another of \
               its channels is no better";
    assert_eq!(trouble().await, (json!("failing"), json!("nothing arrives"), json!(why)));
    let page = bench.restarted().get("/watches?state=failing").await.body;
    assert!(page.contains("nothing arrives</span>"), "{page}");
    // A channel that is closed is not said to be tried again.
    let channels = bench.restarted().get("/channels").await.body;
    assert!(channels.contains("It answered 410. What was on its way"), "{channels}");
    assert_eq!(channels.matches("is made again").count(), 1, "{channels}");
}

/// A watch of a page whose looks came to this: the body, whether it counts, how many looks failed.
async fn watch_of(html: &str, looks: impl FnOnce(SourceRow) -> SourceRow) -> Bench {
    let bench = Bench::new();
    let text = "create sentinel page using https://air.example/deals";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    bench.page(1, html, &[]);
    let row = bench.reader().snapshot().expect("a store").sources.remove(0);
    bench.store(vec![Record::Source(Box::new(looks(row)))], &[]);
    bench.restarted()
}

/// The same answer again and again, which is no content.
fn held(row: SourceRow) -> SourceRow {
    let held = Held {
        version: VersionNo(1),
        fingerprint: [1; 32],
        kind: page::Kind::Html,
        odd: Some(page::Odd::Empty),
        seen: START,
        confirmed: true,
    };
    let held = Some(Box::new(held));
    SourceRow { newest: 1, held, failures: 2, failing_since: Some(START), ..row }
}

#[tokio::test]
async fn a_list_says_of_a_page_what_add_says_of_it() {
    let login = "<h1>Bitte anmelden</h1><form><label>Kennwort <input type=password></label></form>";
    let counts = |row| SourceRow { version: 1, newest: 1, ..row };
    let pages = [
        ("asks for a login", watch_of(login, counts).await, "does not log in by forms"),
        ("next to no text", watch_of("<div id=root></div>", held).await, "does not run scripts"),
    ];
    for (badge, bench, cure) in pages {
        let listed = &bench.get("/api/v1/sentinels").await.json()["items"][0]["trouble"];
        assert_eq!(listed["badge"], badge);
        assert!(listed["cure"].as_str().is_some_and(|said| said.contains(cure)), "{listed}");
        for path in ["/", "/watches?state=failing", "/sentinels/page"] {
            let page = bench.get(path).await.body;
            assert!(page.contains(badge) && page.contains(cure), "{path}: {page}");
        }
    }
}

#[tokio::test]
async fn every_time_is_told_by_the_readers_clock() {
    let bench = Bench::with(|config| {
        config.zone = chronon::Zone::parse("Asia/Kathmandu").expect("a zone");
    });
    let text = "create sentinel deals using https://air.example/deals \
                from 2027-01-01 05:45 Asia/Kathmandu fetch every 1 hour within 10 minutes";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    let page = bench.get("/sentinels/deals").await.body;
    assert!(page.contains("2027-01-01 05:45 Asia/Kathmandu, then every 1 h"), "{page}");
    assert!(page.contains("title=\"2027-01-01 05:45:00 Asia/Kathmandu\""), "{page}");
    let shown = bench.get("/api/v1/sentinels/deals").await.json();
    let next = shown["next"]["text"].as_str().expect("a sentence");
    assert!(next.contains(":00 Asia/Kathmandu"), "{next}");
    for path in ["/", "/watches", "/sources/1", "/sentinels/deals"] {
        let page = bench.get(path).await.body;
        assert!(!page.contains(" UTC"), "{path}: {page}");
    }
}

#[tokio::test]
async fn what_is_listed_stays_so_after_a_press_of_a_button_and_a_tag() {
    let bench = troubled().await;
    let snooze = form(&[
        ("do", "snooze"),
        ("for", "1d"),
        ("name", "both"),
        ("state", "failing"),
        ("sort", "name"),
        ("tag", "x"),
        ("q", "o"),
    ]);
    let done = bench.post("/watches", &snooze).await;
    let place = done.header("location").to_owned();
    assert_eq!(place, "/watches?q=o&tag=x&state=failing&sort=name&done=snooze-1");
    let page = bench.get(&place).await.body;
    assert!(page.contains("1 to 1 of 1") && page.contains("1 watch snoozed."), "{page}");
    // Another tag of the same list.
    let other = "/watches?q=o&#38;tag=y&#38;state=failing&#38;sort=name\"";
    assert!(page.contains(other), "{page}");
}

#[tokio::test]
async fn a_look_is_asked_for_by_a_press_of_a_button() {
    let bench = troubled().await;
    assert!(bench.get("/sentinels/well").await.body.contains("value=\"look\""));
    let looked = bench.post("/sentinels/well", &form(&[("do", "look")])).await;
    assert_eq!((looked.status.as_u16(), looked.header("location")), (303, "/sentinels/well"));
    assert_eq!(bench.post("/sentinels/nobody", &form(&[("do", "look")])).await.status, 404);
}

#[tokio::test]
async fn the_buttons_of_a_source_and_of_an_alert_are_forms() {
    let bench = with(&["kettle"]).await;
    let look = bench.post("/sources/1", &form(&[("do", "look")])).await;
    assert_eq!((look.status.as_u16(), look.header("location")), (303, "/sources/1"));
    bench.notification(1, &json!({"summary": "x", "changes_total": 0, "changes": []}));
    assert!(bench.get("/notifications/1").await.body.contains("Mark as read"));
    for press in ["read", "resend"] {
        let pressed = bench.post("/notifications/1", &form(&[("do", press)])).await;
        let place = (pressed.status.as_u16(), pressed.header("location"));
        assert_eq!(place, (303, "/notifications/1"), "{press}: {}", pressed.body);
    }
    let read = bench.get("/api/v1/notifications/1").await.json();
    assert_eq!((&read["read"], &read["state"]), (&json!(true), &json!("due")));
    for (place, press, status) in [
        ("/sources/1", "jump", 400),
        ("/sources/1", "tell", 404),
        ("/sources/9", "look", 404),
        ("/notifications/1", "jump", 400),
        ("/notifications/9", "read", 404),
    ] {
        let said = bench.post(place, &form(&[("do", press), ("key", "x")])).await;
        assert_eq!(said.status.as_u16(), status, "{place} {press}");
    }
    // The overview's box, where no script runs.
    let box_of = bench.get("/").await.body;
    assert!(box_of.contains("id=\"write-form\" method=\"post\" action=\"/add\""), "{box_of}");
    assert!(!box_of.contains("disabled"), "{box_of}");
}
