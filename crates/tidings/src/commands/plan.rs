//! `plan`: what the budget buys.

use super::{Exit, moment, plain, table};
use crate::cli::{Common, Plan};
use crate::client::{Api, encode};
use anyhow::Result;
use notice::grouped;
use serde_json::Value;

/// Sources listed unless all are asked for.
const LISTED: usize = 20;
/// Deadlines that cannot be met listed then.
const UNMET_LISTED: usize = 10;
/// Characters of an address in the table.
const URL_CHARS: usize = 60;

/// How many sources are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Worst,
    All,
}

pub async fn plan(common: &Common, api: &Api, asked: &Plan) -> Result<Exit> {
    let all = asked.all || common.json;
    let mut plan = load(api, asked.budget, if all { Part::All } else { Part::Worst }).await?;
    if common.json {
        if let Some(fields) = plan.as_object_mut() {
            fields.remove("next");
        }
        println!("{}", serde_json::to_string_pretty(&plan)?);
        return Ok(Exit::Done);
    }
    for line in array(&plan["summary"]) {
        println!("{}", text(line));
    }
    let items = array(&plan["items"]);
    if items.is_empty() {
        println!("Name a page, and choose what to be told of it: `tidings add URL`.");
        return Ok(Exit::Done);
    }
    print!("{}", unmet(items, &plan["totals"], if asked.all { usize::MAX } else { UNMET_LISTED }));
    println!();
    let rows: Vec<Vec<String>> = items.iter().map(row).collect();
    let header = ["source", "looks a day", "delay", "changes a day", "what limits it"];
    print!("{}", table(&header, &rows));
    let total = plan["sources_total"].as_u64().unwrap_or(0) as usize;
    if total > items.len() {
        println!(
            "The {} of {} whose waits cost most; `--all` lists the others too.",
            items.len(),
            grouped(total)
        );
    }
    print!("{}", together(array(&plan["together"])));
    println!("\nUnder another budget (`--budget \"20 per second\"` tries one):");
    let rows: Vec<Vec<String>> = array(&plan["budgets"]).iter().map(budget_row).collect();
    print!(
        "{}",
        table(
            &["budget", "looks a day", "mean delay", "deadlines in time", "never looked at"],
            &rows
        )
    );
    Ok(Exit::Done)
}

/// The plan with its worst sources, or with all.
async fn load(api: &Api, budget: Option<f64>, part: Part) -> Result<Value> {
    let limit = match part {
        Part::All => 1_000,
        Part::Worst => LISTED,
    };
    let budget = budget.map(|budget| format!("&budget_per_second={budget}")).unwrap_or_default();
    let mut plan = api.get(&format!("/plan?limit={limit}{budget}")).await?;
    while let Some(next) = plan["next"].as_str().filter(|_| part == Part::All) {
        let path = format!("/plan?limit={limit}{budget}&cursor={}", encode(next));
        let mut page = api.get(&path).await?;
        let further = page["items"].take();
        if let (Some(items), Value::Array(further)) = (plan["items"].as_array_mut(), further) {
            items.extend(further);
        }
        plan["next"] = page["next"].take();
    }
    Ok(plan)
}

/// The deadlines that cannot be met, each with its reason.
fn unmet(items: &[Value], totals: &Value, most: usize) -> String {
    let demands = items.iter().flat_map(|item| {
        array(&item["unmet"]).iter().map(move |demand| (text(&item["url"]), demand))
    });
    let lines: Vec<String> = demands
        .take(most)
        .map(|(url, demand)| {
            let share = demand["captured"].as_f64().unwrap_or(0.0) * 100.0;
            let (asked, why) = (text(&demand["demand"]), text(&demand["why"]));
            format!("  {}  {asked}: {share:.0} % in time; {why}\n", short(&url))
        })
        .collect();
    let count = totals["unmet"].as_u64().unwrap_or(0) as usize;
    if count == 0 {
        return String::new();
    }
    let more = match count.saturating_sub(lines.len()) {
        0 => String::new(),
        more => format!("  and {} more\n", grouped(more)),
    };
    format!("\nDeadlines that cannot be met:\n{}{more}", lines.concat())
}

/// Looks that count only if all of them are made, a line each.
fn together(all: &[Value]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let pages = |list: &Value| {
        let urls: Vec<String> = array(list).iter().map(|url| short(&text(url))).collect();
        urls.join(", ")
    };
    let line = |one: &Value| {
        let whose = one["sentinel"].as_str().map_or("a rule".to_owned(), plain);
        let made = match array(&one["made"]).len() {
            0 => String::new(),
            _ => format!("; {} made", pages(&one["made"])),
        };
        let (start, finish) = (moment(&one["start"]), moment(&one["finish"]));
        format!("  {whose}: {} from {start} to {finish}{made}\n", pages(&one["waits_for"]))
    };
    let lines: String = all.iter().map(line).collect();
    format!("\nLooks that belong together, and count only if all are made:\n{lines}")
}

fn row(item: &Value) -> Vec<String> {
    let delay = item["delay_seconds"].as_f64().map_or("never".to_owned(), lasting);
    let changes = if item["answered"] == false {
        "not known yet".to_owned()
    } else {
        count(&item["changes_per_day"])
    };
    vec![
        short(&text(&item["url"])),
        count(&item["probes_per_day"]),
        delay,
        changes,
        text(&item["why"]),
    ]
}

fn budget_row(budget: &Value) -> Vec<String> {
    let deadlines = budget["deadlines_per_day"].as_f64().unwrap_or(0.0);
    let captured = budget["captured_per_day"].as_f64().unwrap_or(0.0);
    let in_time = if deadlines > 0.0 {
        format!("{:.1} %", 100.0 * captured / deadlines)
    } else {
        "none".to_owned()
    };
    let now = if budget["factor"] == 1.0 { "  (this one)" } else { "" };
    vec![
        rate(budget["budget_per_second"].as_f64().unwrap_or(0.0)) + now,
        count(&budget["probes_per_day"]),
        budget["mean_delay_seconds"].as_f64().map_or("none".to_owned(), lasting),
        in_time,
        grouped(&budget["unprobed"]),
    ]
}

/// A budget as the configuration writes it.
fn rate(per_second: f64) -> String {
    let units = [(1.0, "second"), (60.0, "minute"), (3_600.0, "hour")];
    let fits = |unit: &&(f64, &str)| per_second * unit.0 >= 1.0;
    let (unit, name) = units.iter().find(fits).copied().unwrap_or((86_400.0, "day"));
    format!("{} per {name}", number(per_second * unit))
}

fn count(value: &Value) -> String {
    number(value.as_f64().unwrap_or(0.0))
}

/// Two digits and more: "0.25", "3.5", "240", "1,440".
pub(super) fn number(count: f64) -> String {
    let digits = match count {
        few if few < 1.0 => 100.0,
        some if some < 10.0 => 10.0,
        _ => 1.0,
    };
    grouped((count * digits).round() / digits)
}

/// Seconds in the largest unit that holds two, or just one.
fn lasting(seconds: f64) -> String {
    let units = [(86_400.0, "d"), (3_600.0, "h"), (60.0, "min")];
    let fits = |unit: &&(f64, &str)| seconds >= 2.0 * unit.0 || seconds == unit.0;
    let (unit, name) = units.iter().find(fits).copied().unwrap_or((1.0, "s"));
    format!("{} {name}", number(seconds / unit))
}

fn short(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    match rest.char_indices().nth(URL_CHARS) {
        Some((at, _)) => format!("{}…", &rest[..at]),
        None => rest.to_owned(),
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    plain(value.as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_a_page_that_never_answered_the_plan_guesses_no_changes() {
        let changes = |answered: bool| {
            let item = json!({"url": "https://a.example/", "answered": answered, "why": "it fails",
                "probes_per_day": 1.0, "delay_seconds": null, "changes_per_day": 38.7});
            row(&item)[3].clone()
        };
        assert_eq!([true, false].map(changes), ["39", "not known yet"]);
    }

    #[test]
    fn numbers_budgets_and_delays_are_as_exact_as_a_person_wants_them() {
        let said = [0.003, 0.5, 3.12, 240.4, 1_440.0].map(number);
        assert_eq!(said, ["0", "0.5", "3.1", "240", "1,440"]);
        let said = [10.0, 0.25, 5.0 / 86_400.0].map(rate);
        assert_eq!(said, ["10 per second", "15 per minute", "5 per day"]);
        assert_eq!([7.0, 180.0, 1e6].map(lasting), ["7 s", "3 min", "12 d"]);
    }
}
