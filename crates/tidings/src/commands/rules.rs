//! Rules beside sentinels in `list`, `show` and `why`; and `raise`.

use super::list::{done, text};
use super::{Exit, moment, plain, table, text_lines};
use crate::cli::Common;
use crate::client::{Answer, Api, Call, encode};
use anyhow::Result;
use notice::grouped;
use serde_json::Value;

/// Open occurrences that `show` lists.
const OPEN_SHOWN: usize = 20;

/// Raises an event; under a key once, however often it is asked for.
pub async fn raise(common: &Common, api: &Api, name: &str, key: Option<&str>) -> Result<Exit> {
    let path = format!("/events/{}", encode(name));
    api.ask(Call { method: "POST", path: &path, text: None, key }).await?.ok()?;
    Ok(done(common, name, "raised"))
}

/// What is there of a sentinel's or rule's name below `/sentinels` or `/rules`, and which it is.
/// Where neither has it, the error speaks of the first.
pub async fn named(api: &Api, name: &str, rest: [&str; 2]) -> Result<(Value, Kind)> {
    let [of_sentinel, of_rule] = rest;
    let name = encode(name);
    let first = api.call("GET", &format!("/sentinels/{name}{of_sentinel}"), None).await?;
    if first.status != 404 {
        return Ok((first.ok()?, Kind::Sentinel));
    }
    let second: Answer = api.call("GET", &format!("/rules/{name}{of_rule}"), None).await?;
    match second.status {
        404 => first.ok().map(|json| (json, Kind::Sentinel)),
        _ => Ok((second.ok()?, Kind::Rule)),
    }
}

/// What has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sentinel,
    Rule,
}

/// Rules as a table.
pub fn lines(rules: &[Value]) -> String {
    let row = |rule: &Value| {
        let last = match &rule["carried_out_at"] {
            Value::Null => "never".to_owned(),
            at => moment(at),
        };
        vec![
            text(&rule["name"]),
            state(rule),
            grouped(&rule["carried_out"]),
            grouped(&rule["open"]),
            last,
        ]
    };
    let rows: Vec<Vec<String>> = rules.iter().map(row).collect();
    table(&["rule", "state", "acted", "open", "last"], &rows)
}

/// `enabled`, or with what is wrong: `enabled, in trouble`.
fn state(rule: &Value) -> String {
    let state = text(&rule["state"]);
    match rule["trouble"].as_str() {
        Some(_) => format!("{state}, in trouble"),
        None => state,
    }
}

/// A rule for `show`: its text, its state, what is open, what it told.
pub fn shown(rule: &Value, told: &[Value]) -> String {
    let mut out = String::new();
    let mut line = |line: String| {
        out.push_str(&line);
        out.push('\n');
    };
    text_lines(rule).for_each(&mut line);
    line(String::new());
    line(format!("state      {} (definition {})", state(rule), rule["generation"]));
    line(match &rule["carried_out_at"] {
        Value::Null => "acted      never".to_owned(),
        at if rule["carried_out"] == 1 => format!("acted      once, at {}", moment(at)),
        at => format!("acted      {} times, the last at {}", rule["carried_out"], moment(at)),
    });
    if let Some(trouble) = rule["trouble"].as_str() {
        line(format!("trouble    {}", plain(trouble)));
    }
    let open = rule["open_occurrences"].as_array().map_or(&[][..], Vec::as_slice);
    for one in open.iter().take(OPEN_SHOWN) {
        let due = if one["due"].is_null() {
            String::new()
        } else {
            format!(" (at {})", moment(&one["due"]))
        };
        let spoiled = match &one["spoiled"] {
            Value::Null => String::new(),
            at => format!("; what must not happen did, at {}", moment(at)),
        };
        let heard = parts(&one["parts"]);
        line(format!("open       {heard} waits for {}{due}{spoiled}", text(&one["waits_for"])));
    }
    let more = rule["open"].as_u64().unwrap_or(0).saturating_sub(open.len().min(OPEN_SHOWN) as u64);
    if more > 0 {
        line(format!("open       and {} more", grouped(more)));
    }
    line(String::new());
    line(if told.is_empty() { "Nothing told yet." } else { "Told last:" }.to_owned());
    for one in told {
        line(format!("{}  {}", moment(&one["detected_at"]), parts(&one["parts"])));
    }
    out
}

/// `down at 2027-01-01 09:12:00 UTC, …`
fn parts(parts: &Value) -> String {
    let one = |part: &Value| format!("{} at {}", text(&part["what"]), moment(&part["at"]));
    let all = parts.as_array().into_iter().flatten().map(one);
    all.collect::<Vec<_>>().join(", ")
}

/// An account of a rule as lines: the sentence, then a step a line.
pub fn account(answer: &Value) -> String {
    let acted = if answer["carried_out_at"].is_null() { "not acted" } else { "acted" };
    let mut lines = format!("{}: {acted}. {}\n", text(&answer["rule"]), text(&answer["because"]));
    for step in answer["steps"].as_array().into_iter().flatten() {
        let at = match &step["at"] {
            Value::Null => String::new(),
            at => format!(" at {}", moment(at)),
        };
        lines.push_str(&format!("  {:<10}  {}{at}\n", text(&step["what"]), text(&step["text"])));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{account, lines, shown};
    use serde_json::json;

    const AT: &str = "2027-01-31T09:00:00.000Z";

    #[test]
    fn a_rule_is_shown_with_what_it_waits_for_and_no_control_character() {
        let rule = json!({"name": "twice", "state": "enabled", "generation": 2, "open": 3,
            "text": "create rule twice\n  on a\u{1b}[2J ; a", "carried_out": 0,
            "carried_out_at": null, "trouble": null, "open_occurrences": [{"waits_for": "a",
                "due": AT, "parts": [{"at": AT, "what": "a"}]}]});
        let told = json!([{"detected_at": AT, "parts": [{"at": AT, "what": "event b"}]}]);
        let shown = shown(&rule, told.as_array().expect("a list"));
        assert_eq!(
            shown,
            "create rule twice\n  on a[2J ; a\n\nstate      enabled (definition 2)\nacted      \
             never\nopen       a at 2027-01-31 09:00:00 UTC waits for a (at 2027-01-31 09:00:00 \
             UTC)\nopen       and 2 more\n\nTold last:\n2027-01-31 09:00:00 UTC  event b at \
             2027-01-31 09:00:00 UTC\n"
        );
        let mut spoiled = rule.clone();
        spoiled["open_occurrences"][0]["spoiled"] = AT.into();
        let said = "UTC); what must not happen did, at 2027-01-31 09:00:00 UTC\n";
        assert!(super::shown(&spoiled, &[]).contains(said));
        let mut once = rule;
        (once["carried_out"], once["carried_out_at"]) = (1.into(), AT.into());
        assert!(super::shown(&once, &[]).contains("acted      once, at 2027-01-31 09:00:00 UTC"));
        let table = lines(&[json!({"name": "r", "state": "enabled", "trouble": "x",
            "carried_out": 2, "open": 1, "carried_out_at": AT})]);
        let row = table.lines().nth(1).expect("a row");
        assert_eq!(row, "r     enabled, in trouble  2      1     2027-01-31 09:00:00 UTC");
    }

    #[test]
    fn an_account_of_a_rule_is_a_sentence_and_its_steps() {
        let answer = json!({"rule": "r", "carried_out_at": null, "because": "It is disabled.",
            "steps": [{"what": "defined", "at": AT, "text": "text 1"}]});
        let expected = "r: not acted. It is disabled.\n  defined     text 1 at 2027-01-31 \
                        09:00:00 UTC\n";
        assert_eq!(account(&answer), expected);
    }
}
