//! Answers to programs that are no content: error bodies of JSON and XML, notices as text, feeds
//! without entries.
//!
//! A small answer may be all there is to say, so these are odd only beside what stood there before.
//! A list within an object that lost its members is news ("sold out"), and so are members that
//! changed, and entries that dropped off a feed.

use super::{GIVES_WAY_BYTES_MIN, NOTICE_BLOCKS_MAX, Odd, SHARE_OF_NOTICE, SHORT_BYTES};
use super::{bytes, gave_way, is_a_tenth, mains, says_error};
use crate::{Block, Extract};
use std::collections::BTreeSet;

/// A feed of fewer entries may well have none: of warnings, of disruptions.
const ENTRIES_MIN: usize = 5;

/// Entries that dropped off a feed leave others.
pub(super) fn of_feed(before: &Extract, now: &Extract) -> Option<Odd> {
    let entries: BTreeSet<&str> =
        before.blocks.iter().filter_map(|block| block.key.as_deref()).collect();
    (now.blocks.is_empty() && entries.len() >= ENTRIES_MIN).then_some(Odd::Empty)
}

/// A text that says it could not be made, or gave way to a notice, or shows a tenth.
pub(super) fn of_text(before: &Extract, now: &Extract) -> Option<Odd> {
    let [full, left] = [before, now].map(|extract| bytes(mains(extract)));
    let known: BTreeSet<&str> = mains(before).collect();
    let is_other = || !mains(now).any(|text| known.contains(text));
    let says = || says_error(mains(now)) && !says_error(mains(before));
    if left <= SHORT_BYTES && left < full && is_other() && says() {
        return Some(Odd::Error);
    }
    (gave_way(before, now) || is_a_tenth(full, left)).then_some(Odd::Small)
}

/// JSON that has nothing of the members that it had: an error, nothing, something else that is
/// short. A list that has no members any more is much shorter.
pub(super) fn of_json(before: &Extract, now: &Extract) -> Option<Odd> {
    let [full, left] = [before, now].map(|extract| bytes(mains(extract)));
    let had_content = members(before).any(|member| !member.may_say_error());
    if had_content && is_error(now) {
        return Some(Odd::Error);
    }
    if full < GIVES_WAY_BYTES_MIN || now.blocks.len() > NOTICE_BLOCKS_MAX {
        return None;
    }
    let only = now.blocks.first().map_or("", |block| &*block.text);
    if now.blocks.len() <= 1 && EMPTY.contains(&only) {
        let odd = if only == "[]" { Odd::Small } else { Odd::Empty };
        return (before.blocks.len() > 1).then_some(odd);
    }
    let names: BTreeSet<&str> = members(before).map(|member| member.name).collect();
    let has_known = members(now).any(|member| names.contains(member.name));
    let is_short = is_a_tenth(full, left) || left * SHARE_OF_NOTICE <= full;
    (is_short && !has_known).then_some(Odd::Small)
}

/// XML that says it could not be made, and nothing else; or of another root, and short; or nothing.
pub(super) fn of_xml(before: &Extract, now: &Extract) -> Option<Odd> {
    let [full, left] = [before, now].map(|extract| bytes(mains(extract)));
    // A list that is empty may be so for good.
    if now.blocks.is_empty() {
        return (full >= GIVES_WAY_BYTES_MIN && before.blocks.len() > 1).then_some(Odd::Small);
    }
    let is_of_error = |block: &Block| {
        let mut elements = elements(block);
        elements.any(|name| ERRORS.contains(&&*plain(name)))
    };
    let says_one = |block: &Block| !NOTHING.contains(&&*block.text);
    let had_content = !before.blocks.iter().all(is_of_error);
    if now.blocks.len() > NOTICE_BLOCKS_MAX || !had_content {
        return None;
    }
    let [was, is] = [before, now].map(|extract| extract.blocks.first());
    let is_other =
        was.and_then(|one| elements(one).next()) != is.and_then(|one| elements(one).next());
    if now.blocks.iter().all(is_of_error) && now.blocks.iter().any(says_one)
        || is_other && left <= SHORT_BYTES && says_error(mains(now)) && !says_error(mains(before))
    {
        return Some(Odd::Error);
    }
    let is_short = is_a_tenth(full, left) || left * SHARE_OF_NOTICE <= full;
    (is_other && is_short && full >= GIVES_WAY_BYTES_MIN).then_some(Odd::Small)
}

/// What an element says that could name an error, and there is none.
const NOTHING: [&str; 4] = ["0", "false", "none", "no"];

/// The names of the elements that a block of XML stands in, from the root on, without prefixes.
fn elements(block: &Block) -> impl Iterator<Item = &str> {
    let path = block.key.as_deref().unwrap_or_default();
    path.split('.').map(|step| {
        let name = step.split('[').next().unwrap_or(step);
        name.rsplit(':').next().unwrap_or(name)
    })
}

/// A name in small letters, without what joins words.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !"_-".contains(*c));
    letters.flat_map(char::to_lowercase).collect()
}

/// A value that is nothing.
const EMPTY: [&str; 4] = ["[]", "{}", "null", ""];

/// A value of a document, and the member of the document's own that it stands in.
struct Member<'e> {
    /// `[`: it is of a list.
    name: &'e str,
    /// What is behind the name: more of the path, and the value.
    rest: &'e str,
}

fn members(extract: &Extract) -> impl Iterator<Item = Member<'_>> {
    extract.blocks.iter().filter_map(Member::of)
}

impl<'e> Member<'e> {
    /// `None`: a document of one value has no members.
    fn of(block: &'e Block) -> Option<Member<'e>> {
        let text = &*block.text;
        if text.starts_with('[') && text != "[]" {
            return Some(Member { name: "[", rest: &text[1..] });
        }
        let end = text.find(['.', '[', ':'])?;
        Some(Member { name: &text[..end], rest: &text[end..] })
    }

    /// What it says, if that is one value.
    fn value(&self) -> Option<&'e str> {
        self.rest.strip_prefix(": ").or_else(|| self.rest.strip_prefix(':'))
    }

    fn is_nothing(&self) -> bool {
        self.value().is_some_and(|value| EMPTY.contains(&value) || ["false", "0"].contains(&value))
    }

    /// Whether it may stand beside an error.
    fn may_say_error(&self) -> bool {
        let name = plain(self.name);
        ERRORS.contains(&&*name)
            || BESIDE.contains(&&*name)
            || (RESULTS.contains(&&*name) && self.is_nothing())
    }

    /// Whether it says that there is one.
    fn says_error(&self) -> bool {
        let (name, value) = (plain(self.name), self.value().unwrap_or_default());
        match &*name {
            name if ERRORS.contains(&name) => !self.is_nothing(),
            "success" | "ok" => value == "false",
            "status" | "statuscode" if is_status_of_error(value) => true,
            "status" | "state" | "result" => FAILED.contains(&&*value.to_lowercase()),
            _ => SAYING.contains(&&*name) && says_error([value].into_iter()),
        }
    }
}

/// Names of members that are there for an error.
const ERRORS: [&str; 9] = [
    "error",
    "errors",
    "err",
    "errormessage",
    "errorcode",
    "errordescription",
    "errortype",
    "fault",
    "exception",
];

/// Names of members that stand beside an error, and of other things, too.
const BESIDE: [&str; 30] = [
    "message",
    "messages",
    "msg",
    "code",
    "status",
    "statuscode",
    "statustext",
    "state",
    "detail",
    "details",
    "title",
    "type",
    "instance",
    "reason",
    "description",
    "success",
    "ok",
    "timestamp",
    "time",
    "path",
    "url",
    "method",
    "requestid",
    "traceid",
    "correlationid",
    "trace",
    "documentationurl",
    "moreinfo",
    "help",
    "hint",
];

/// Names of members that hold what was asked for, and nothing beside an error.
const RESULTS: [&str; 5] = ["data", "result", "results", "response", "payload"];

/// Names of members that say in words what went wrong.
const SAYING: [&str; 7] =
    ["message", "msg", "title", "detail", "reason", "description", "statustext"];

/// What a status says of an answer that failed.
const FAILED: [&str; 4] = ["error", "fail", "failed", "failure"];

fn is_status_of_error(value: &str) -> bool {
    value.parse::<u16>().is_ok_and(|code| (400..600).contains(&code))
}

/// Whether a document says that it could not be made, and nothing else.
fn is_error(extract: &Extract) -> bool {
    extract.blocks.len() <= NOTICE_BLOCKS_MAX
        && members(extract).count() == extract.blocks.len()
        && members(extract).all(|member| member.may_say_error())
        && members(extract).any(|member| member.says_error())
}

#[cfg(test)]
mod tests {
    use super::super::apart;
    use super::*;
    use crate::{Hints, Limits, read};

    fn of(media: &str, body: &str) -> Extract {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some(media), url: &url };
        read(body.as_bytes(), &hints, &Limits::default()).expect("it can be read")
    }

    fn json(body: &str) -> Extract {
        of("application/json", body)
    }

    fn kettles(from: usize, upto: usize) -> String {
        let kettle = |n| format!("{{\"id\": {n}, \"name\": \"Kettle {n}\", \"price\": 1{n}}}");
        format!("[{}]", (from..upto).map(kettle).collect::<Vec<_>>().join(","))
    }

    #[test]
    fn an_error_body_where_members_were_is_odd() {
        let before = json(r#"{"shop": "Acme", "price": 40}"#);
        for error in [
            r#"{"error": "the database is away"}"#,
            r#"{"error": {"code": 17, "message": "no"}, "request_id": "8f3a"}"#,
            r#"{"message": "Internal Server Error"}"#,
            r#"{"type": "about:blank", "title": "Oops", "status": 503, "detail": "Later"}"#,
            r#"{"errors": [{"message": "timed out"}], "data": null}"#,
            r#"{"success": false, "message": "Try again"}"#,
            r#"{"statusCode": 429, "message": "Slow down"}"#,
            r#"{"status": "error", "message": "Try again"}"#,
        ] {
            assert_eq!(apart(&before, &json(error)), Some(Odd::Error), "{error}");
            assert_eq!(apart(&json(error), &json(error)), None, "{error}");
            assert_eq!(apart(&json(error), &before), None, "{error}");
        }
    }

    #[test]
    fn values_that_changed_are_none() {
        let before = json(r#"{"shop": "Acme", "price": 40, "error": null, "items": [1, 2]}"#);
        for news in [
            r#"{"shop": "Acme", "price": 30, "error": null, "items": [1, 2]}"#,
            r#"{"shop": "Acme", "price": null, "error": "sold out", "items": []}"#,
            r#"{"message": "Kettles are back on Monday"}"#,
            r#"{"price": 40}"#,
            r#"{}"#,
            r#"[]"#,
            r#"{"status": "unavailable", "message": "Sold out"}"#,
            r#"{"title": "Line 450", "code": 450}"#,
        ] {
            assert_eq!(apart(&before, &json(news)), None, "{news}");
        }
        let health = json(r#"{"status": "ok", "code": 0}"#);
        let ill = json(r#"{"status": "error", "code": 500, "message": "Service unavailable"}"#);
        assert_eq!(apart(&health, &ill), None, "errors are what it is about");
    }

    #[test]
    fn a_list_that_lost_its_members_is_told_at_once_within_an_object() {
        let shop = |kettles: &str| json(&format!(r#"{{"kettles": {kettles}}}"#));
        let (full, few) = (kettles(0, 99), kettles(0, 1));
        for left in ["[]", "null", &few] {
            assert_eq!(apart(&shop(&full), &shop(left)), None, "{left}");
        }
        assert_eq!(apart(&json(&full), &json(&few)), None);
        assert_eq!(apart(&json(&full), &json(&kettles(100, 101))), None);
    }

    #[test]
    fn nothing_and_a_notice_are_odd_where_much_was() {
        let list = json(&kettles(0, 99));
        let shop = json(&format!(r#"{{"kettles": {}}}"#, kettles(0, 99)));
        assert_eq!(apart(&list, &json("[]")), Some(Odd::Small));
        assert_eq!(apart(&json("[]"), &list), None);
        for nothing in ["{}", "null", "\"\""] {
            assert_eq!(apart(&shop, &json(nothing)), Some(Odd::Empty), "{nothing}");
        }
        assert_eq!(apart(&shop, &json(r#"{"note": "Wir bauen um"}"#)), Some(Odd::Small));
        assert_eq!(apart(&shop, &json(r#"{"kettles": [], "note": "sold out"}"#)), None);
    }

    #[test]
    fn xml_gives_way_to_an_error() {
        let xml = |body: &str| of("application/xml", body);
        let book = |n| format!("<book><title>Kettles {n}</title><price>{n}.90</price></book>");
        let books: String = (100..200).map(book).collect();
        let catalog = xml(&format!("<catalog>{books}</catalog>"));
        let denied = "<Error><Code>AccessDenied</Code><Message>Request 5</Message></Error>";
        assert_eq!(apart(&catalog, &xml(denied)), Some(Odd::Error));
        let fault = "<s:Envelope xmlns:s=\"urn:s\"><s:Body><s:Fault><faultcode>s:Server</faultcode>\
                     </s:Fault></s:Body></s:Envelope>";
        assert_eq!(apart(&catalog, &xml(fault)), Some(Odd::Error));
        let sorry = "<page><p>Service Unavailable</p></page>";
        assert_eq!(apart(&catalog, &xml(sorry)), Some(Odd::Error));
        assert_eq!(apart(&catalog, &xml("<page><p>Wir bauen um</p></page>")), Some(Odd::Small));
        assert_eq!(apart(&catalog, &xml("<catalog/>")), Some(Odd::Small));
        let warned = xml("<report><warning>Snow</warning><errors>0</errors></report>");
        assert_eq!(apart(&warned, &xml("<report><errors>0</errors></report>")), None);
        // A catalogue that is nearly sold out, and one of errors.
        assert_eq!(apart(&catalog, &xml(&format!("<catalog>{}</catalog>", book(100)))), None);
        assert_eq!(apart(&xml(denied), &xml("<Error><Code>SlowDown</Code></Error>")), None);
        assert_eq!(apart(&xml("<a><b>1</b></a>"), &xml("<c><d>2</d></c>")), None);
    }

    #[test]
    fn a_text_gives_way_to_an_error() {
        let plain = |body: &str| of("text/plain", body);
        let hours = "Monday 9 to 17\nTuesday 9 to 17\nWednesday closed\n";
        assert_eq!(apart(&plain(hours), &plain("Service Unavailable")), Some(Odd::Error));
        assert_eq!(apart(&plain(hours), &plain("Monday 9 to 17")), None);
        assert_eq!(apart(&plain("OK"), &plain("Service Unavailable")), None, "it is a status");
        let long = hours.repeat(60);
        assert_eq!(apart(&plain(&long), &plain("Monday 9 to 17")), Some(Odd::Small));
    }

    #[test]
    fn a_feed_without_entries_is_odd_where_there_were_several() {
        let feed = |entries: std::ops::Range<usize>| {
            let entry = |n| format!("<item><guid>{n}</guid><title>Ferry {n}</title></item>");
            let entries: String = entries.map(entry).collect();
            of(
                "application/rss+xml",
                &format!("<rss><channel><title>N</title>{entries}</channel></rss>"),
            )
        };
        assert_eq!(apart(&feed(0..5), &feed(0..0)), Some(Odd::Empty));
        assert_eq!(Odd::Empty.name_of(feed(0..0).kind), "a feed without entries");
        assert_eq!(crate::summary(&feed(0..0)), "feed, no entries");
        assert_eq!(apart(&feed(0..4), &feed(0..0)), None, "warnings that are over");
        assert_eq!(apart(&feed(0..40), &feed(0..1)), None, "entries dropped off");
        assert_eq!(apart(&feed(0..0), &feed(0..5)), None);
    }
}
