//! Rules and events through the API.

use super::bench::{Bench, Reply, with_token};
use axum::body::Body;
use axum::http::Method;
use chronon::Span;
use serde_json::{Value, json};

const RULES: &str = "create rule undone on event deploy ; event rollback in chronicle context \
                     within 10 minutes \
                     do notify by webhook https://hooks.example/T00SECRET\n\
                     create rule next on event go do raise deploy";

async fn with_rules() -> Bench {
    let bench = Bench::with_config(|config| {
        let channel = kernel::ChannelInfo {
            name: "webhook".to_owned(),
            kind: Some(address::ChannelKind::Webhook),
            contact_needed: true,
            trouble: None,
        };
        config.channels.push(channel);
    });
    let reply = bench.post("/api/v1/sentinels", RULES).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    bench
}

/// Raises an event under a key.
async fn raise(bench: &Bench, name: &str, key: &str) -> Reply {
    let request = with_token(Method::POST, &format!("/api/v1/events/{name}"));
    let request = request.header("idempotency-key", key);
    bench.send(request.body(Body::empty()).expect("a request")).await
}

async fn rule(bench: &Bench, name: &str) -> Value {
    bench.get(&format!("/api/v1/rules/{name}")).await.json()
}

#[tokio::test]
async fn rules_are_listed_without_their_secrets_and_shown_with_what_is_open() {
    let bench = with_rules().await;
    let first = bench.get("/api/v1/rules?limit=1").await.json();
    assert_eq!(
        (&first["items"][0]["name"], &first["items"][0]["state"]),
        (&json!("undone"), &json!("enabled"))
    );
    let next = first["next"].as_str().expect("one more");
    let second = bench.get(&format!("/api/v1/rules?cursor={next}")).await.json();
    assert_eq!((&second["items"][0]["name"], &second["next"]), (&json!("next"), &json!(null)));
    let text = first["items"][0]["text"].as_str().expect("a text");
    assert!(text.contains("‹secret 1›") && !text.contains("T00SECRET"), "{text}");
    let whole = bench.get("/api/v1/rules?with_secrets=true").await.json();
    assert!(whole["items"][0]["text"].as_str().expect("a text").contains("T00SECRET"));

    assert_eq!(bench.post("/api/v1/events/DEPLOY", "").await.status, 204);
    let open = rule(&bench, "UNDONE").await;
    assert_eq!((&open["open"], &open["carried_out"]), (&json!(1), &json!(0)));
    let waits = &open["open_occurrences"][0];
    assert_eq!(waits["waits_for"], "event rollback");
    assert_eq!(waits["parts"], json!([{"at": "2027-01-01T00:00:00.000Z", "what": "event deploy"}]));
    let nodes = open["nodes"].as_array().expect("a list");
    let (whole, parts) = nodes.split_last().expect("nodes");
    assert_eq!(
        (&whole["operator"], &whole["event"]),
        (&json!(";"), &json!("event deploy ; event rollback"))
    );
    assert_eq!(whole["parts"], json!([parts[0]["id"], parts[1]["id"]]));
    let why = bench.get("/api/v1/rules/undone/why").await.json();
    assert_eq!(
        why["because"],
        "It has not acted yet. What is open: event deploy at 2027-01-01 00:00 UTC waits for \
         event rollback."
    );
    let open = why["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
    assert_eq!(open["text"], "event deploy waits for event rollback");

    bench.pass(Span::MINUTE);
    assert_eq!(bench.post("/api/v1/events/rollback", "").await.status, 204);
    let done = rule(&bench, "undone").await;
    assert_eq!(
        (&done["carried_out"], &done["notifications"], &done["open"]),
        (&json!(1), &json!(1), &json!(0))
    );
    let told = bench.get("/api/v1/rules/undone/detections").await.json();
    let parts = &told["items"][0]["parts"];
    assert_eq!(
        (&parts[0]["what"], &parts[1]["what"]),
        (&json!("event deploy"), &json!("event rollback"))
    );
    let why = bench.get("/api/v1/rules/undone/why").await.json();
    assert_eq!(
        why["because"],
        "It acted last at 2027-01-01 00:01 UTC, and nothing is open that could go on."
    );
    // Each time is said once.
    let steps = why["steps"].as_array().expect("steps");
    let text =
        |what: &str| steps.iter().find(|step| step["what"] == what).map(|step| &step["text"]);
    let told = "number 1: event deploy (2027-01-01 00:00 UTC), event rollback";
    assert_eq!(text("told"), Some(&json!(told)), "{why}");
    let missing = bench.get("/api/v1/rules/nobody").await.problem(404);
    assert_eq!(missing, "There is no rule named `nobody`.");
}

#[tokio::test]
async fn a_rule_is_put_by_its_name_and_the_same_text_again_changes_nothing() {
    let bench = with_rules().await;
    let put = async |name: &str, text: &str| {
        let request = with_token(Method::PUT, &format!("/api/v1/rules/{name}"));
        bench.send(request.body(Body::from(text.to_owned())).expect("a request")).await
    };
    let text = "create rule later on event go do raise deploy";
    let made = put("later", text).await;
    assert_eq!((made.status.as_u16(), made.header("location")), (201, "/api/v1/rules/later"));
    let again = put("Later", text).await;
    assert_eq!(
        (again.status.as_u16(), &again.json()["rules"][0]["what"]),
        (200, &json!("unchanged"))
    );
    let other = put("later", "create rule later on event go do raise rollback").await;
    assert_eq!(other.json()["rules"][0]["what"], "replaced");
    let other = "create rule other on event go do raise deploy";
    let two = format!("{text}\n{other}");
    let said = put("later", other).await.problem(409);
    assert!(
        said.ends_with(
            "defines `other`, not `later`, and nothing was changed; write the same \
                            name in both"
        ),
        "{said}"
    );
    for wrong in [&*two, super::bench::SENTINEL] {
        let said = put("later", wrong).await.problem(409);
        assert!(said.contains("exactly one rule, `later`"), "{wrong}: {said}");
    }
    let said = bench.write(Method::PUT, "/api/v1/sentinels/later", text).await.problem(409);
    assert!(said.contains("exactly one sentinel, `later`"), "{said}");
    let said = put("later", "create rule later on nothing").await;
    assert_eq!(said.status, 422);
}

#[tokio::test]
async fn an_event_that_nobody_listens_to_is_answered_with_the_nearest() {
    let bench = with_rules().await;
    let detail = bench.post("/api/v1/events/deploi", "").await.problem(404);
    assert_eq!(detail, "There is no rule that listens to `deploi`. Did you mean `deploy`?");
    let detail = bench.post("/api/v1/events/something", "").await.problem(404);
    assert_eq!(detail, "There is no rule that listens to `something`.");
    // A rule's own name is no event.
    bench.post("/api/v1/events/undone", "").await.problem(404);
    let read =
        with_token(Method::POST, "/api/v1/tokens").header("content-type", "application/json");
    let made =
        bench.send(read.body(Body::from(r#"{"scope":"read","name":"x"}"#)).expect("a request"));
    let made = made.await.json();
    let token = made["token"].as_str().expect("a token");
    let request = super::bench::local(Method::POST, "/api/v1/events/deploy")
        .header("authorization", format!("Bearer {token}"));
    bench.send(request.body(Body::empty()).expect("a request")).await.problem(403);
}

#[tokio::test]
async fn an_event_that_nobody_hears_may_be_raised_again_under_its_key() {
    let bench = Bench::new();
    raise(&bench, "go", "build-7").await.problem(404);
    let rule = "create rule go1 on event go do notify by interactive";
    let reply = bench.post("/api/v1/sentinels", rule).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    assert_eq!(raise(&bench, "go", "build-7").await.status, 204);
}

#[tokio::test]
async fn an_event_under_a_key_is_raised_once_also_over_a_restart() {
    let bench = with_rules().await;
    for _ in 0..2 {
        assert_eq!(raise(&bench, "go", "first").await.status, 204);
    }
    assert_eq!(rule(&bench, "next").await["carried_out"], 1);
    let bench = bench.restarted();
    assert_eq!(raise(&bench, "go", "first").await.status, 204);
    assert_eq!(rule(&bench, "next").await["carried_out"], 1);
    assert_eq!(raise(&bench, "go", "second").await.status, 204);
    assert_eq!(rule(&bench, "next").await["carried_out"], 2);
    // The last hundred keys are known, and no more.
    for nth in 0..99 {
        assert_eq!(raise(&bench, "go", &format!("k{nth}")).await.status, 204);
    }
    let bench = bench.restarted();
    assert_eq!(raise(&bench, "go", "second").await.status, 204);
    assert_eq!(rule(&bench, "next").await["carried_out"], 101);
    assert_eq!(raise(&bench, "go", "first").await.status, 204);
    assert_eq!(rule(&bench, "next").await["carried_out"], 102);
}

#[tokio::test]
async fn rules_are_disabled_enabled_and_removed_and_sentinels_are_none() {
    let bench = with_rules().await;
    bench.post("/api/v1/events/deploy", "").await;
    assert_eq!(bench.post("/api/v1/rules/undone/disable", "").await.status, 204);
    let off = rule(&bench, "undone").await;
    assert_eq!(
        (&off["state"], &off["open"], &off["nodes"]),
        (&json!("disabled"), &json!(0), &json!([]))
    );
    let why = bench.get("/api/v1/rules/undone/why").await.json();
    assert_eq!(why["because"], "It is disabled, and hears nothing.");
    assert_eq!(bench.post("/api/v1/rules/undone/enable", "").await.status, 204);
    assert_eq!(rule(&bench, "undone").await["state"], "enabled");
    assert_eq!(bench.write(Method::DELETE, "/api/v1/rules/undone", "").await.status, 204);
    bench.get("/api/v1/rules/undone").await.problem(404);
    bench.post("/api/v1/events/rollback", "").await.problem(404);
    bench.post("/api/v1/sentinels", super::bench::SENTINEL).await;
    for verb in ["enable", "disable"] {
        bench.post(&format!("/api/v1/rules/deals/{verb}"), "").await.problem(404);
    }
    bench.write(Method::DELETE, "/api/v1/rules/deals", "").await.problem(404);
    assert_eq!(bench.get("/api/v1/sentinels/deals").await.json()["state"], "active");
}

#[tokio::test]
async fn the_pages_of_rules_say_what_waits_and_draw_it_without_markup_of_others() {
    let bench = with_rules().await;
    let empty = Bench::new().get("/rules").await;
    assert!(empty.body.contains("There is no rule yet"), "{}", empty.body);
    bench.post("/api/v1/events/deploy", "").await;
    let list = bench.get("/rules").await.body;
    assert!(list.contains("<a href=\"/rules/undone\">undone</a>"), "{list}");
    // Two events and `;`, one event, and two rules; equal ones once.
    assert_eq!(list.matches("<rect").count(), 6, "{list}");
    let page = bench.get("/rules/undone").await.body;
    let open = "<strong>event deploy at 2027-01-01 00:00 UTC</strong> waits for event rollback";
    assert!(page.contains(open) && page.contains("1 open"), "{page}");
    assert!(page.contains("‹secret 1›") && !page.contains("T00SECRET"), "{page}");
    bench.pass(Span::MINUTE);
    bench.post("/api/v1/events/rollback", "").await;
    let page = bench.get("/rules/undone").await.body;
    assert!(page.contains("event deploy at") && page.contains("Nothing waits for more"), "{page}");

    let button = |what: &str| format!("do={what}");
    let form = async |body: String| {
        let request = with_token(Method::POST, "/rules/undone")
            .header("content-type", "application/x-www-form-urlencoded");
        bench.send(request.body(Body::from(body)).expect("a request")).await
    };
    assert_eq!(form(button("disable")).await.header("location"), "/rules/undone");
    assert!(bench.get("/rules/undone").await.body.contains("It is disabled, and hears nothing."));
    assert_eq!(form(button("nonsense")).await.status, 400);
    assert_eq!(form(button("remove")).await.header("location"), "/rules");
    assert_eq!(bench.get("/rules/undone").await.status, 404);
}

#[tokio::test]
async fn hostile_names_are_text_in_drawings() {
    let bench = Bench::new();
    let name = "`<img src=x onerror=alert(1)>\"'`";
    let text = format!(
        "create sentinel {name} using https://a.example/ monitor phrase \"</title><script>\"\n\
         create rule `</text><script>` on {name} ; event go do raise go"
    );
    let reply = bench.post("/api/v1/sentinels", &text).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    for page in ["/rules", "/rules/%3C%2Ftext%3E%3Cscript%3E", "/sources/1"] {
        let page = bench.get(page).await;
        assert_eq!(page.status, 200, "{page:?}");
        assert!(page.body.contains("<svg"), "{}", page.body);
        for bad in ["<img src=x", "<script>\"", "</text><script>", "</title><script>"] {
            assert!(!page.body.contains(bad), "{bad} in {}", page.body);
        }
    }
}
