//! Other projects' test suites, where their cases stand beside the repository.

use super::answer;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// The cases of a suite, or a message that says why none run.
fn cases(suite: &str) -> Option<Vec<Value>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/suites");
    let path = root.join(suite).join("cases.jsonl.gz");
    if !path.exists() {
        println!("not run: {} is absent", path.display());
        return None;
    }
    let output = Command::new("gzip").arg("-dc").arg(&path).stderr(Stdio::inherit()).output();
    let Ok(output) = output else {
        println!("not run: no gzip program");
        return None;
    };
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The answers to cases as `request` puts them: how many are `right`, of how many; names the
/// others.
fn score(
    cases: &[Value],
    request: impl Fn(&Value) -> Value,
    right: impl Fn(&Value, &Value) -> bool,
) -> (usize, usize) {
    let is_right = |case: &&Value| right(case, &answer(&request(case).to_string()));
    let (good, bad): (Vec<&Value>, Vec<&Value>) = cases.iter().partition(is_right);
    let ids: Vec<&Value> = bad.iter().map(|case| &case["id"]).collect();
    println!("{} of {} are right; these are not: {ids:?}", good.len(), cases.len());
    (good.len(), cases.len())
}

/// The W3C's conformance suite of XML: the cases of XML 1.0, fifth edition, that need no other file
/// and are no matter of taste.
#[test]
fn xml_is_called_well_formed_where_the_conformance_suite_calls_it_so() {
    let Some(mut cases) = cases("xmlconf") else { return };
    let says = |case: &Value, field: &str, what: &str| {
        case[field].as_str().is_some_and(|text| text.contains(what))
    };
    cases.retain(|case| {
        let is_other = says(case, "version", "1.1") || says(case, "recommendation", "1.1");
        let is_older = case["edition"].is_string() && !says(case, "edition", "5");
        case["entities"] == "none" && case["type"] != "error" && !is_other && !is_older
    });
    let request = |case: &Value| {
        let namespaces = case["namespace"] == "yes";
        json!({"op": "xml", "input_b64": case["input_b64"], "namespaces": namespaces})
    };
    let right = |case: &Value, answer: &Value| answer["wellformed"] == (case["type"] != "not-wf");
    let (right, all) = score(&cases, request, right);
    assert_eq!((right >= 839, all), (true, 840), "{right} of {all}");
}

/// What the core of feedparser's suite asks for.
const CORE: [&str; 14] = [
    "title",
    "link",
    "links",
    "id",
    "version",
    "encoding",
    "bozo",
    "updated",
    "published",
    "summary",
    "content",
    "author",
    "entries",
    "feed",
];

/// Feedparser's suite, as far as it asks for titles, links, ids, dates, authors, texts and
/// encodings, in feedparser's own form: markup made harmless, dates as they are written.
#[test]
fn feeds_are_read_as_feedparser_reads_them_where_tidings_says_the_same_things() {
    let Some(mut cases) = cases("feedparser") else { return };
    let checks = |case: &Value| case["checks"].as_array().cloned().unwrap_or_default();
    cases.retain(|case| {
        let checks = checks(case);
        let is_core = |check: &Value| {
            let path = check["path"].as_array().unwrap();
            path.iter().take(3).all(|key| key.as_str().is_none_or(|key| CORE.contains(&key)))
        };
        !checks.is_empty() && checks.iter().all(is_core) && case.get("skip_unless").is_none()
    });
    let request = |case: &Value| {
        let [input, headers, url] = ["input_b64", "headers", "document_url"].map(|key| &case[key]);
        json!({"op": "feed", "input_b64": input, "headers": headers, "document_url": url})
    };
    let right = |case: &Value, answer: &Value| {
        checks(case).iter().all(|check| holds(check, &answer["parsed"]))
    };
    let (right, all) = score(&cases, request, right);
    assert_eq!((right >= 355, all), (true, 362), "{right} of {all}");
}

/// Whether an answer has what one check of the suite asks for.
fn holds(check: &Value, parsed: &Value) -> bool {
    let path = check["path"].as_array().unwrap();
    let found = path.iter().try_fold(parsed, |value, key| match key.as_i64() {
        None => value.get(key.as_str().unwrap()),
        Some(index) if index >= 0 => value.get(usize::try_from(index).unwrap()),
        Some(from_end) => {
            let list = value.as_array()?;
            list.len().checked_sub(usize::try_from(-from_end).unwrap()).map(|index| &list[index])
        }
    });
    let found = found.filter(|value| !value.is_null());
    let is_true = found.is_some_and(|value| match value {
        Value::Bool(flag) => *flag,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => true,
    });
    let has = || match found {
        Some(Value::Object(map)) => {
            check["value"].as_str().is_some_and(|key| map.contains_key(key))
        }
        Some(Value::Array(list)) => list.contains(&check["value"]),
        _ => false,
    };
    match check["op"].as_str().unwrap() {
        "eq" => found == Some(&check["value"]),
        "falsy" => !is_true,
        "truthy" => is_true,
        "len" => {
            found.and_then(Value::as_array).map(Vec::len)
                == check["value"].as_u64().map(|n| n as usize)
        }
        "has" => has(),
        "hasnot" => !has(),
        op => panic!("the suite has a new check, `{op}`"),
    }
}
