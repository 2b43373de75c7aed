//! `list`, `show`, `enable`, `disable`, `remove`: commands on sentinels by name.

use super::rules::{self, Kind};
use super::{Exit, moment, plain, table};
use crate::cli::Common;
use crate::client::{Api, encode};
use anyhow::Result;
use notice::grouped;
use serde_json::{Value, json};

pub async fn list(common: &Common, api: &Api, tag: Option<&str>) -> Result<Exit> {
    let sentinels = match tag {
        Some(tag) => api.list(&format!("/sentinels?tag={}", encode(tag))).await?,
        None => api.list("/sentinels").await?,
    };
    if let Some(why) = api.get("/version").await?["waiting"].as_str() {
        eprintln!("Tidings waits: {}.", plain(why));
    }
    // A tag is a sentinel's.
    let rules = match tag {
        Some(_) => Vec::new(),
        None => api.list("/rules").await?,
    };
    if common.json {
        let kind = |mut rule: Value| {
            rule["kind"] = "rule".into();
            rule
        };
        let all: Vec<Value> = sentinels.into_iter().chain(rules.into_iter().map(kind)).collect();
        println!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(Exit::Done);
    }
    if let Some(tag) = tag.filter(|_| sentinels.is_empty()) {
        println!("No sentinel has the tag `{}`.", plain(tag));
        return Ok(Exit::Done);
    }
    if sentinels.is_empty() && rules.is_empty() {
        println!("No sentinels yet. Name a page, and choose what to be told of it:");
        println!("  tidings add https://example.org/");
        return Ok(Exit::Done);
    }
    let row = |s: &Value| {
        vec![
            text(&s["name"]),
            state(s),
            grouped(&s["notifications"]),
            grouped(&s["missed"]),
            text(&s["next"]["text"]),
            sources(s),
        ]
    };
    // What is in trouble is what somebody should see first.
    let rank = |s: &&Value| match s["health"].as_str() {
        Some("failing") => 0,
        _ if !s["trouble"].is_null() => 1,
        _ => 2,
    };
    let mut sorted: Vec<&Value> = sentinels.iter().collect();
    sorted.sort_by_key(rank);
    let rows: Vec<Vec<String>> = sorted.into_iter().map(row).collect();
    if !rows.is_empty() {
        print!("{}", table(&["name", "state", "found", "missed", "next look", "source"], &rows));
    }
    if !rules.is_empty() {
        let apart = if rows.is_empty() { "" } else { "\n" };
        print!("{apart}{}", rules::lines(&rules));
    }
    Ok(Exit::Done)
}

/// The first source of a sentinel, and how many more there are.
fn sources(sentinel: &Value) -> String {
    let first = text(&sentinel["source"]["url"]);
    match sentinel["sources"].as_array().map_or(1, Vec::len) {
        0 | 1 => first,
        all => format!("{first} and {} more", all - 1),
    }
}

/// A message that has not gone, and what it waits for; or that was given up, and why.
fn waiting(notification: &Value) -> Option<String> {
    let channel = &notification["channel"];
    let said = |field: &Value| field.as_str().map(|said| plain(said.trim_end_matches('.')));
    let name: Vec<String> =
        ["name", "contact"].iter().filter_map(|of| said(&channel[of])).collect();
    let name = name.join(" ");
    let until = match (notification["state"].as_str()?, &channel["waits_until"]) {
        ("given_up", _) => {
            let why = said(&notification["state_reason"]).unwrap_or_default();
            let at = moment(&notification["state_at"]);
            return Some(format!("given up   at {at}, for {name}: {why}"));
        }
        ("open" | "closed" | "due", until) if !until.is_null() => {
            format!("it hears nothing before {}", moment(until))
        }
        ("open", _) if !notification["state_at"].is_null() => {
            format!("gathers until {}", moment(&notification["state_at"]))
        }
        ("due", _) if !channel["failing_since"].is_null() => {
            let why = said(&channel["failing_why"]).map(|why| format!("; the last try: {why}"));
            let since = moment(&channel["failing_since"]);
            format!("nothing arrived there since {since}{}", why.unwrap_or_default())
        }
        _ => return None,
    };
    Some(format!("waiting    for {name}: {until}"))
}

pub async fn show(common: &Common, api: &Api, name: &str) -> Result<Exit> {
    let (sentinel, kind) = rules::named(api, name, ["", ""]).await?;
    if kind == Kind::Rule {
        return show_rule(common, api, sentinel).await;
    }
    let path = format!("/sentinels/{}", encode(name));
    let detections = api.get(&format!("{path}/detections?limit=10")).await?;
    if common.json {
        let mut json = sentinel;
        json["detections"] = detections["items"].clone();
        println!("{}", serde_json::to_string_pretty(&json)?);
        return Ok(Exit::Done);
    }
    super::text_lines(&sentinel).for_each(|line| println!("{line}"));
    println!();
    println!("state      {} (definition {})", state(&sentinel), sentinel["generation"]);
    println!("next look  {}", text(&sentinel["next"]["text"]));
    if sentinel["looks"].is_object() {
        println!("looks      {}", looks(&sentinel["looks"]));
    }
    show_sources(api, &sentinel).await?;
    if let Some(complete) = sentinel["captures"]["complete"].as_u64() {
        let void = sentinel["captures"]["void"].as_u64().unwrap_or(0);
        println!("captures   {} of {} complete", grouped(complete), grouped(complete + void));
    }
    if sentinel["state"] != "ended" && !sentinel["until"].is_null() {
        println!("ends       {}", moment(&sentinel["until"]));
    }
    if !sentinel["snoozed_until"].is_null() {
        println!("snoozed    until {}", moment(&sentinel["snoozed_until"]));
    }
    if let Some(why) = sentinel["missed_why"].as_str() {
        let missed = sentinel["missed"].as_u64().unwrap_or(0);
        let looks = if missed == 1 { "look" } else { "looks" };
        println!("missed     {} {looks}; the last: {}", grouped(missed), plain(why));
    }
    if sentinel["trouble"].is_object() {
        println!("trouble    {}", trouble(&sentinel["trouble"]));
    }
    for change in sentinel["transitions"].as_array().into_iter().flatten().rev().take(5) {
        // Time passes by itself.
        let cause = match change["cause"].as_str() {
            Some("user") => ", by you",
            Some("rule") => ", by a rule",
            _ => "",
        };
        println!("{}  {}{cause}", moment(&change["at"]), text(&change["state"]));
    }
    let path = format!("/notifications?limit=20&sentinel={}", encode(name));
    let told_last = api.get(&path).await?;
    for line in told_last["items"].as_array().into_iter().flatten().filter_map(waiting) {
        println!("{line}");
    }
    let items = detections["items"].as_array().cloned().unwrap_or_default();
    println!("\n{}", if items.is_empty() { "Nothing told yet." } else { "Told last:" });
    for detection in &items {
        println!("{}", told(detection));
    }
    Ok(Exit::Done)
}

async fn show_sources(api: &Api, sentinel: &Value) -> Result<()> {
    let all = sentinel["sources"].as_array().cloned().unwrap_or_default();
    for one in &all {
        let id = &one["id"];
        let source = api.get(&format!("/sources/{id}")).await?;
        if all.len() > 1 {
            println!("source     {}", text(&one["url"]));
        }
        println!("last look  {}", last_look(&source));
        if source["current"].is_object() {
            println!("found      {}", text(&source["current"]["summary"]));
        }
        println!("pace       {}", pace(&source));
    }
    Ok(())
}

async fn show_rule(common: &Common, api: &Api, rule: Value) -> Result<Exit> {
    let name = encode(rule["name"].as_str().unwrap_or_default());
    let told = api.get(&format!("/rules/{name}/detections?limit=10")).await?;
    let told = told["items"].as_array().cloned().unwrap_or_default();
    if common.json {
        let mut json = rule;
        json["detections"] = told.into();
        println!("{}", serde_json::to_string_pretty(&json)?);
        return Ok(Exit::Done);
    }
    print!("{}", rules::shown(&rule, &told));
    Ok(Exit::Done)
}

/// `active`, or with what is wrong: `active, failing`. Nobody knows yet whether one works that was
/// never looked at.
fn state(sentinel: &Value) -> String {
    if !sentinel["gone_at"].is_null() {
        return format!("removed, gone at {}", moment(&sentinel["gone_at"]));
    }
    let state = text(&sentinel["state"]);
    let state = match sentinel["trouble"]["badge"].as_str() {
        Some(badge) => format!("{state}, {}", plain(badge)),
        None if sentinel["health"] == "new" => "not looked at yet".to_owned(),
        None => state,
    };
    match &sentinel["snoozed_until"] {
        Value::Null => state,
        until => format!("{state}, snoozed until {}", moment(until)),
    }
}

/// What is wrong, and what to do.
fn trouble(trouble: &Value) -> String {
    format!("{}. {}", text(&trouble["why"]).trim_end_matches('.'), text(&trouble["cure"]))
}

/// Where the next interval begins, and how often they come.
fn looks(looks: &Value) -> String {
    let (every, within) = (text(&looks["every"]), text(&looks["within"]));
    format!("{}, then every {every}, within {within}", moment(&looks["next"]))
}

/// What is expected of a source.
fn pace(source: &Value) -> String {
    let (looks, found) = (&source["probes"], &source["changes"]);
    let noun = if *looks == 1 { "look" } else { "looks" };
    let (looks, found) = (grouped(looks), grouped(found));
    let looks = format!("{looks} {noun} so far, {found} of them with something to tell");
    if source["last_success"].is_null() {
        return format!("nothing is known yet of how often its page changes; {looks}");
    }
    let changes = super::plan::number(source["changes_per_day"].as_f64().unwrap_or(0.0));
    format!("{changes} changes a day are expected of its page; {looks}")
}

/// When a source was looked at last, and what came of it.
fn last_look(source: &Value) -> String {
    let Some(probe) = source["recent_probes"].as_array().and_then(|probes| probes.last()) else {
        return "none yet".to_owned();
    };
    let found = match probe["outcome"].as_str() {
        Some("failed") => text(&probe["failure"]),
        Some("version") => format!("a new version, v{}", probe["version"]),
        _ => "no change".to_owned(),
    };
    format!("{}: {found}", moment(&probe["start"]))
}

/// One detection as a line: when, between which versions, of what, how much.
fn told(detection: &Value) -> String {
    let versions = |one: &Value| format!("v{}..v{}", one["from_version"], one["to_version"]);
    let versions = match detection["evidence"].as_array() {
        Some(evidence) => evidence.iter().map(versions).collect::<Vec<_>>().join(", "),
        None => versions(detection),
    };
    let leaves = detection["leaves"].as_array().into_iter().flatten().map(text);
    let leaves = leaves.collect::<Vec<_>>().join(", ");
    let count = match detection["unreadable"].as_str() {
        Some(why) => plain(why),
        None if detection["changes_total"] == 1 => "1 change".to_owned(),
        None => format!("{} changes", grouped(&detection["changes_total"])),
    };
    format!("{}  {versions}  {leaves}: {count}", moment(&detection["detected_at"]))
}

/// The texts of all sentinels, by id, which stand alone, so that any order of them would do; then
/// those of rules, which name sentinels.
pub async fn export(common: &Common, api: &Api, with_secrets: bool) -> Result<Exit> {
    let mut sentinels = api.list(&format!("/sentinels?with_secrets={with_secrets}")).await?;
    sentinels.extend(api.list(&format!("/rules?with_secrets={with_secrets}")).await?);
    let texts = sentinels.iter().map(|sentinel| sentinel["text"].as_str().unwrap_or_default());
    if common.json {
        let exported: Vec<Value> = (sentinels.iter())
            .map(|sentinel| json!({"name": sentinel["name"], "text": sentinel["text"]}))
            .collect();
        println!("{}", serde_json::to_string_pretty(&exported)?);
        return Ok(Exit::Done);
    }
    print!("{}", texts.collect::<Vec<_>>().join("\n"));
    Ok(Exit::Done)
}

/// The pages and feeds as OPML. What a sentinel asks of them has no place there.
pub async fn opml(common: &Common, api: &Api) -> Result<Exit> {
    let sentinels = api.list("/sentinels").await?;
    let field = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let pairs = sentinels.iter().flat_map(|sentinel| {
        let sources = sentinel["sources"].as_array().into_iter().flatten();
        sources.map(move |source| (field(&sentinel["name"]), field(&source["url"])))
    });
    let opml = import::write_opml(pairs);
    if common.json {
        println!("{}", json!({ "opml": opml }))
    } else {
        print!("{opml}")
    }
    Ok(Exit::Done)
}

pub async fn enable(common: &Common, api: &Api, name: &str) -> Result<Exit> {
    api.call("POST", &path(name, "/enable"), None).await?.ok()?;
    Ok(done(common, name, "enabled"))
}

pub async fn disable(common: &Common, api: &Api, name: &str) -> Result<Exit> {
    api.call("POST", &path(name, "/disable"), None).await?.ok()?;
    Ok(done(common, name, "disabled"))
}

pub async fn remove(common: &Common, api: &Api, name: &str) -> Result<Exit> {
    api.call("DELETE", &path(name, ""), None).await?.ok()?;
    Ok(done(common, name, "removed"))
}

pub async fn snooze(common: &Common, api: &Api, name: &str, until: &[String]) -> Result<Exit> {
    let words: Vec<&str> = until.iter().map(String::as_str).collect();
    let until = match words.as_slice() {
        ["until" | "for", rest @ ..] => rest.join(" "),
        rest => rest.join(" "),
    };
    let verb = format!("/snooze?until={}", encode(&until));
    api.call("POST", &path(name, &verb), None).await?.ok()?;
    // It is snoozed, whether or not the server says until when.
    let until = if common.json { None } else { api.get(&path(name, "")).await.ok() };
    let until = until.map(|snoozed| format!(" until {}", moment(&snoozed["snoozed_until"])));
    Ok(done(common, name, &format!("snoozed{}", until.unwrap_or_default())))
}

pub async fn wake(common: &Common, api: &Api, name: &str) -> Result<Exit> {
    api.call("POST", &path(name, "/wake"), None).await?.ok()?;
    Ok(done(common, name, "awake"))
}

/// Asks for a look at each page of a sentinel.
pub async fn look(common: &Common, api: &Api, name: &str) -> Result<Exit> {
    let sentinel = api.get(&path(name, "")).await?;
    for source in sentinel["sources"].as_array().into_iter().flatten() {
        let probe = format!("/sources/{}/probe", source["id"]);
        api.call("POST", &probe, None).await?.ok()?;
    }
    Ok(done(common, name, "is looked at as soon as its host may be asked"))
}

pub async fn rename(common: &Common, api: &Api, name: &str, to: &str) -> Result<Exit> {
    let verb = format!("/rename?to={}", encode(to));
    api.call("POST", &path(name, &verb), None).await?.ok()?;
    Ok(done(common, to, "renamed"))
}

fn path(name: &str, verb: &str) -> String {
    format!("/sentinels/{}{verb}", encode(name))
}

/// Says what was done, as `apply` does.
pub(super) fn done(common: &Common, name: &str, what: &str) -> Exit {
    if common.json {
        println!("{}", json!({ "name": name, "what": what }))
    } else {
        println!("{} {what}", plain(name))
    }
    Exit::Done
}

pub(super) fn text(value: &Value) -> String {
    plain(value.as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{last_look, pace, state, waiting};
    use serde_json::json;

    #[test]
    fn of_a_page_that_never_answered_no_changes_are_expected() {
        let source = |last_success: Option<&str>| {
            pace(&json!({
                "last_success": last_success, "probes": 4, "changes": 0, "changes_per_day": 67.2
            }))
        };
        let looks = "4 looks so far, 0 of them with something to tell";
        let unknown = format!("nothing is known yet of how often its page changes; {looks}");
        assert_eq!(source(None), unknown);
        let known = format!("67 changes a day are expected of its page; {looks}");
        assert_eq!(source(Some("2027-01-31T09:00:00Z")), known);
    }

    #[test]
    fn what_was_never_looked_at_is_not_called_active() {
        let said = |health: &str, badge: Option<&str>| {
            let trouble = badge.map(|badge| json!({ "badge": badge }));
            state(&json!({"state": "active", "health": health, "trouble": trouble}))
        };
        assert_eq!(said("new", None), "not looked at yet");
        assert_eq!(said("well", None), "active");
        assert_eq!(said("failing", Some("never seen")), "active, never seen");
        let until = "2027-01-31T09:00:00Z";
        let snoozed = json!({"state": "active", "health": "well", "snoozed_until": until});
        assert_eq!(state(&snoozed), "active, snoozed until 2027-01-31 09:00:00 UTC");
        let removed = json!({"state": "active", "health": "well", "gone_at": until});
        assert_eq!(state(&removed), "removed, gone at 2027-01-31 09:00:00 UTC");
    }

    #[test]
    fn what_did_not_arrive_is_told_with_whom_it_is_for_and_why() {
        let told = |state: &str, reason: Option<&str>| {
            let channel = json!({
                "name": "email", "contact": "a@b.example", "waits_until": null,
                "failing_since": "2027-01-31T09:00:00Z", "failing_why": "the server answered 503"
            });
            let at = "2027-01-31T09:30:00Z";
            waiting(&json!({
                "state": state, "state_at": at, "channel": channel, "state_reason": reason
            }))
        };
        let due = "waiting    for email a@b.example: nothing arrived there since \
                   2027-01-31 09:00:00 UTC; the last try: the server answered 503";
        assert_eq!(told("due", None).as_deref(), Some(due));
        let given_up =
            "given up   at 2027-01-31 09:30:00 UTC, for email a@b.example: it answered 410";
        assert_eq!(told("given_up", Some("it answered 410.")).as_deref(), Some(given_up));
        assert_eq!(told("delivered", None), None);
    }

    #[test]
    fn the_last_look_is_told_with_what_came_of_it() {
        let told = |probe| last_look(&json!({ "recent_probes": [{}, probe] }));
        let start = "2027-01-31T09:00:00.123Z";
        let failed = told(json!({"start": start, "outcome": "failed", "failure": "a\u{1b}[2Jb"}));
        assert_eq!(failed, "2027-01-31 09:00:00 UTC: a[2Jb");
        let news = told(json!({"start": start, "outcome": "version", "version": 3}));
        assert_eq!(news, "2027-01-31 09:00:00 UTC: a new version, v3");
        let same = told(json!({"start": start, "outcome": "not_modified"}));
        assert_eq!(same, "2027-01-31 09:00:00 UTC: no change");
        assert_eq!(last_look(&json!({ "recent_probes": [] })), "none yet");
    }
}
