//! The schema describes every body, and says no more than is so.

use notice::{
    Body, Change, DigestFacts, Facts, Happened, HealthFacts, Kind, Missed, Notice, PartFacts,
    Presentation, RuleFacts, Source, compose,
};
use serde_json::{Value, json};
use std::path::Path;

const FILE: &str = "../../docs/webhook.schema.json";

fn schema() -> Value {
    notice::schema().to_value()
}

/// What of `value` is not as the schema says: missing, of another type, or not mentioned there.
/// Knows the keywords that the schema uses, and no others.
fn faults(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (keyword, said) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$ref" => {
                let place = said.as_str().expect("a text").strip_prefix('#').expect("within");
                found.extend(faults(root, root.pointer(place).expect("it is there"), value, at));
            }
            "type" => {
                let is = |kind: &Value| match kind.as_str() {
                    Some("object") => value.is_object(),
                    Some("array") => value.is_array(),
                    Some("string") => value.is_string(),
                    Some("boolean") => value.is_boolean(),
                    Some("integer") => value.is_u64(),
                    Some("null") => value.is_null(),
                    other => panic!("a type {other:?}"),
                };
                let any = said.as_array().map_or_else(|| is(said), |list| list.iter().any(is));
                found.extend((!any).then(|| format!("{at} is no {said}: {value}")));
            }
            "enum" => {
                let is_one = said.as_array().expect("a list").contains(value);
                found.extend((!is_one).then(|| format!("{at} is none of {said}")));
            }
            "const" => found.extend((said != value).then(|| format!("{at} is not {said}"))),
            "anyOf" | "oneOf" => {
                let fits = |one: &Value| faults(root, one, value, at).is_empty();
                let fitting = said.as_array().expect("a list").iter().filter(|one| fits(one));
                let count = fitting.count();
                found.extend((count == 0).then(|| format!("{at} fits nothing: {value}")));
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                found.extend(
                    items.flat_map(|(nth, one)| faults(root, said, one, &format!("{at}/{nth}"))),
                );
            }
            "required" => {
                let names = said.as_array().expect("a list").iter().filter_map(Value::as_str);
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                found.extend(missing.map(|name| format!("{at} has no {name}")));
            }
            "properties" => {
                for (name, one) in value.as_object().into_iter().flatten() {
                    match said.get(name) {
                        Some(own) => found.extend(faults(root, own, one, &format!("{at}/{name}"))),
                        None => found.push(format!("{at}/{name} is not in the schema")),
                    }
                }
            }
            "minimum" => {
                let fits = value.is_null() || value.as_f64() >= said.as_f64();
                found.extend((!fits).then(|| format!("{at} is less than {said}")));
            }
            "$schema" | "$defs" | "title" | "description" | "format" => {}
            other => panic!("the keyword `{other}` is not known here"),
        }
    }
    found
}

fn faults_of(body: &Value) -> Vec<String> {
    let schema = schema();
    faults(&schema, &schema, body, "")
}

fn health() -> HealthFacts {
    HealthFacts {
        url: "https://a.example/".into(),
        name: Some("A".into()),
        title: Some("Fares".into()),
        detected_at: chronon::Instant::EPOCH,
        note: "the server answered 503".into(),
    }
}

fn rule() -> RuleFacts {
    let names = ["raised", "started", "ended", "fetched", "failed"].map(str::to_owned);
    let [raised, started, ended, fetched, failed] = names;
    let happened = [
        Happened::Found { sentinel: (chronon::SentinelId(7), "s1".into()), found: None },
        Happened::Raised(raised),
        Happened::Started(started),
        Happened::Ended(ended),
        Happened::Fetched(fetched),
        Happened::Failed(failed),
        Happened::Clock,
    ];
    let at = chronon::Instant::EPOCH;
    RuleFacts {
        rule: "r1".into(),
        absent: None,
        zone: chronon::Zone::utc(),
        detected_at: at,
        parts: happened.map(|happened| PartFacts { at, happened }).into(),
    }
}

fn facts(body: Body) -> Facts {
    Facts {
        key: "0123".into(),
        sentinel: Some((chronon::SentinelId(7), "s1".into())),
        seq: 1,
        presentation: None,
        composed_at: chronon::Instant::EPOCH,
        body,
    }
}

fn json_of(notice: &Notice) -> Value {
    serde_json::to_value(notice).expect("a notice has a JSON form")
}

/// A body with something in every list, of every change type.
fn full() -> Notice {
    let things = [
        json!({"href": "https://a.example/", "text": "a"}),
        json!({"src": "https://a.example/a.png", "alt": "a"}),
        json!({"word": "oil", "count": 3}),
        json!({"text": "a text"}),
    ];
    let change = |(kind, thing): (&str, &Value)| -> Change {
        let change = json!({"type": "any", "kind": kind, "old": thing, "new": thing,
            "pieces": [{"fate": "same", "text": "a "}, {"fate": "delete", "text": "text"}]});
        serde_json::from_value(change).expect("a change")
    };
    let kinds = ["insert", "delete", "update", "move"];
    let source = Source {
        url: "https://a.example/".into(),
        to_version: Some(2),
        parts_read: vec!["only the first 2 of 3 links".into()],
        ..Source::default()
    };
    Notice {
        sentinel_id: Some(chronon::SentinelId(7)),
        sources: vec![source],
        leaves: vec!["any change".into()],
        changes: kinds.into_iter().zip(&things).map(change).collect(),
        combinations: vec![vec![0], vec![]],
        missed: vec![Missed::default()],
        ..Notice::default()
    }
}

#[test]
fn bodies_of_every_kind_are_as_the_schema_says() {
    let digest = DigestFacts { notifications: Vec::new(), more: 2 };
    let composed = [
        Body::Rule(rule()),
        Body::Digest(digest),
        Body::Failing(health()),
        Body::Recovered(health()),
        Body::Missing(health()),
        Body::Found(health()),
        Body::Test { channel: "webhook".into() },
        Body::Unreachable { note: "the channel hook took nothing for 24 h".into() },
    ];
    let mut bodies: Vec<Value> = (composed.into_iter())
        .map(|body| serde_json::from_slice(&compose(&facts(body))).expect("a body is JSON"))
        .collect();
    bodies.push(json_of(&full()));
    let presentation = Some(Presentation::DualFrame);
    bodies.push(json_of(&Notice { presentation, ..full() }));
    let members = Some(vec![full(), Notice::default()]);
    let kind = Kind::Digest;
    bodies.push(json_of(&Notice { kind, notifications: members, ..Notice::default() }));
    let mut kinds: Vec<&str> = bodies.iter().filter_map(|body| body["type"].as_str()).collect();
    for body in &bodies {
        assert_eq!(faults_of(body), [""; 0], "{body}");
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), Kind::ALL.len());
}

#[test]
fn what_is_no_body_is_not_as_the_schema_says() {
    let good = json_of(&full());
    for (place, odd) in [
        ("/format", json!("1")),
        ("/type", json!("gossip")),
        ("/sentinel", json!(7)),
        ("/seq", json!(-1)),
        ("/sources", json!(null)),
        ("/sources/0/url", json!(null)),
        ("/changes/0/kind", json!("melt")),
        ("/changes/0/new", json!({"shape": 1})),
        ("/changes/2/new/count", json!("3")),
        ("/combinations/0/0", json!("x")),
        ("/truncated", json!(0)),
    ] {
        let mut body = good.clone();
        *body.pointer_mut(place).expect("it is there") = odd;
        assert!(!faults_of(&body).is_empty(), "{place}");
    }
    for name in good.as_object().expect("an object").keys() {
        let mut body = good.clone();
        body.as_object_mut().expect("an object").remove(name);
        assert!(!faults_of(&body).is_empty(), "without {name}");
    }
}

#[test]
fn the_names_of_kinds_are_those_in_bodies() {
    for kind in Kind::ALL {
        assert_eq!(json!(kind), json!(kind.name()));
    }
}

/// `UPDATE_EXPECT=1` writes the file.
#[test]
fn the_published_schema_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let made = serde_json::to_string_pretty(&schema()).expect("a schema is JSON") + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(published, made, "UPDATE_EXPECT=1 cargo test -p notice --test schema");
}
