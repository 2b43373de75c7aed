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
