//! `why`: why something was told, or was not.

use super::rules::{self, Kind};
use super::{Exit, moment, plain};
use crate::cli::Common;
use crate::client::{Api, encode};
use anyhow::{Result, bail};
use serde_json::Value;

/// Sentinels of one page that are asked for.
const SENTINELS_MAX: usize = 20;

/// Prints the account of a sentinel, or of each that watches an address.
pub async fn why(common: &Common, api: &Api, what: &str, at: &[String]) -> Result<Exit> {
    let at = at.strip_prefix(&["at".to_owned()]).unwrap_or(at).join(" ");
    let at = if at.is_empty() { String::new() } else { format!("?at={}", encode(&at)) };
    let names = if what.contains("://") {
        let source = super::versions::source(api, what).await?;
        let ids = source["sentinels"].as_array().cloned().unwrap_or_default();
        let mut names = Vec::new();
        for id in ids.iter().filter_map(Value::as_u64).take(SENTINELS_MAX) {
            // The list goes on after the id before.
            let path = format!("/sentinels?limit=1&cursor={}", id.saturating_sub(1));
            let page = api.get(&path).await?;
            let name = page["items"][0]["name"].as_str().filter(|_| page["items"][0]["id"] == id);
            names.extend(name.map(str::to_owned));
        }
        names
    } else {
        vec![what.to_owned()]
    };
    let (mut answers, mut accounts) = (Vec::new(), Vec::new());
    for name in &names {
        let rest = [format!("/why{at}"), "/why".to_owned()];
        let (answer, kind) = rules::named(api, name, [&rest[0], &rest[1]]).await?;
        if kind == Kind::Rule && !at.is_empty() {
            bail!("`{}` is a rule, of which only the present is known; leave the time out", name);
        }
        accounts.push(match kind {
            Kind::Sentinel => account(&answer),
            Kind::Rule => rules::account(&answer),
        });
        answers.push(answer);
    }
    if common.json {
        println!("{}", serde_json::to_string_pretty(&answers)?);
        return Ok(Exit::Done);
    }
    if answers.is_empty() {
        println!("No sentinel watches it.");
    }
    print!("{}", accounts.join("\n"));
    Ok(Exit::Done)
}

/// An answer as lines: the sentence, then a step a line.
fn account(answer: &Value) -> String {
    let text = |value: &Value| plain(value.as_str().unwrap_or_default());
    let told = if answer["told"] == true { "" } else { "not told. " };
    let because = text(&answer["because"]);
    let mut lines = format!("{}: {told}{because}\n", text(&answer["sentinel"]));
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
    use super::account;
    use serde_json::json;

    #[test]
    fn an_account_is_a_sentence_and_its_steps() {
        let answer = json!({"sentinel": "a", "told": false, "because": "The look failed.",
            "steps": [{"what": "look", "at": "2027-01-31T09:00:00.000Z", "text": "503\u{1b}[2J"},
                {"what": "leaf", "at": null, "text": "links: no change"}]});
        let expected = "a: not told. The look failed.\n  look        503[2J at \
            2027-01-31 09:00:00 UTC\n  leaf        links: no change\n";
        assert_eq!(account(&answer), expected);
    }
}
