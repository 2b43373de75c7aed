//! Bodies as receivers get them.

use change::{
    Aspect, Change, ChangeKind, ChangeType, Compared, Context, Headings, Leaf, LeafHits, LeafRef,
    Outline, RoundResult, Thing,
};
use chronon::{Instant, SentinelId, VersionNo};
use notice::{
    BODY_BYTES_MAX, Body, CameFacts, ChangeFacts, DigestFacts, EvidenceFacts, Facts, FollowedFacts,
    HealthFacts, HeldFacts, Member, MemberFacts, Presentation, SourceFacts, compose,
};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

#[path = "bodies/titles.rs"]
mod titles;

fn at(seconds: i64) -> Instant {
    Instant::from_millis(1_801_386_000_000 + seconds * 1_000)
}

fn leaf(change_type: ChangeType) -> Leaf {
    Leaf { change_type, directions: BTreeSet::new(), matching: None }
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn link(nth: usize) -> Change {
    let new = Thing::Link { href: format!("https://www.cnn.com/{nth}"), text: format!("n {nth}") };
    change(ChangeKind::Insert, None, Some(new))
}

fn block(text: impl Into<String>) -> Change {
    change(ChangeKind::Insert, None, Some(Thing::Text { text: text.into() }))
}

fn change(kind: ChangeKind, old: Option<Thing>, new: Option<Thing>) -> Change {
    let context = Context { before: "before".into(), after: "after".into() };
    Change { context, ..Change::between(kind, old, new) }
}

/// A comparison whose only leaf keeps everything.
fn compared(change_type: ChangeType, changes: Vec<Change>) -> Compared {
    let total = changes.len() as u32;
    Compared {
        from: VersionNo(3),
        to: VersionNo(4),
        base: None,
        changes_total: total,
        leaves: vec![LeafHits {
            leaf: leaf(change_type.clone()),
            hits: (0..total).collect(),
            hits_total: total,
        }],
        change_type,
        changes,
        failed: None,
        parts_read: Vec::new(),
        title: None,
        heading: None,
        rebuilt: None,
        outline: None,
        held_back: 0,
        say_little: 0,
        slight: BTreeMap::new(),
        dated: None,
    }
}

/// A detection by one combination of the first leaf of each comparison.
fn detection(comparisons: Vec<Compared>) -> ChangeFacts {
    let positions = (0..comparisons.len() as u32).map(|nth| held(0, nth, 0)).collect();
    ChangeFacts {
        detected_at: at(0),
        evidence: vec![evidence("https://www.cnn.com/news", comparisons)],
        combinations: vec![positions],
        followed: Vec::new(),
    }
}

fn evidence(url: &str, comparisons: Vec<Compared>) -> EvidenceFacts {
    let source = SourceFacts {
        url: url.into(),
        name: None,
        final_url: format!("{url}/"),
        media_type: "text/html".into(),
        from_version: 3,
        to_version: 4,
        from_fetched_at: at(-3_600),
        fetched_at: at(-1),
        modified_at: None,
    };
    EvidenceFacts { source, result: RoundResult { comparisons } }
}

fn held(evidence: u32, comparison: u32, leaf: u32) -> LeafRef {
    LeafRef { evidence, comparison, leaf }
}

fn member(key: &str, seq: u64, change: ChangeFacts) -> Member {
    Member { key: key.into(), seq, what: MemberFacts::Change(change) }
}

fn facts(body: Body) -> Facts {
    Facts {
        key: "00112233445566778899aabbccddeeff".into(),
        sentinel: Some((SentinelId(7), "s1".into())),
        seq: 12,
        presentation: None,
        composed_at: at(5),
        body,
    }
}

fn changed(comparisons: Vec<Compared>) -> Facts {
    facts(Body::Change(Box::new(detection(comparisons))))
}

fn text(facts: &Facts) -> String {
    String::from_utf8(compose(facts)).expect("a body is UTF-8")
}

fn json(facts: &Facts) -> Value {
    serde_json::from_slice(&compose(facts)).expect("a body is JSON")
}

fn summary(facts: &Facts) -> String {
    json(facts)["summary"].as_str().expect("a text").to_owned()
}

/// The lines of `expected` are joined; its indentation is for the reader.
fn assert_body(facts: &Facts, expected: &str) {
    let expected: String = expected.lines().map(str::trim_start).collect();
    assert_eq!(text(facts), expected);
    assert_eq!(compose(facts), compose(&facts.clone()), "same facts, same bytes");
}

#[test]
fn a_change_has_every_field_of_the_format_in_its_order() {
    let oil = ChangeType::of(Aspect::Keywords, set(&["oil"]));
    let mut word = change(
        ChangeKind::Update,
        Some(Thing::Word { word: "oil".into(), count: 1 }),
        Some(Thing::Word { word: "oil".into(), count: 3 }),
    );
    word.patterns.push("oil".into());
    let facts = changed(vec![
        compared(ChangeType::plain(Aspect::Links), vec![link(1)]),
        compared(oil, vec![word]),
    ]);
    assert_body(
        &facts,
        r#"{"format":1,"id":"00112233445566778899aabbccddeeff","type":"change","sentinel":"s1",
        "sentinel_id":7,"seq":12,"rule":null,
        "summary":"cnn.com: 1 link added: “n 1”; “oil” updated",
        "detected_at":"2027-01-31T09:00:00.000Z","composed_at":"2027-01-31T09:00:05.000Z",
        "sources":[{"url":"https://www.cnn.com/news","name":null,
        "final_url":"https://www.cnn.com/news/","media_type":"text/html",
        "from_version":3,"to_version":4,"from_fetched_at":"2027-01-31T08:00:00.000Z",
        "fetched_at":"2027-01-31T08:59:59.000Z","modified_at":null}],
        "leaves":["all links","keyword oil"],
        "changes":[{"leaf":0,"type":"links","kind":"insert","source":0,"old":null,
        "new":{"href":"https://www.cnn.com/1","text":"n 1"},
        "context":{"before":"before","after":"after"},"weight":1.0,"truncated":false},
        {"leaf":1,"type":"keywords","kind":"update","source":0,
        "old":{"word":"oil","count":1},"new":{"word":"oil","count":3},
        "context":{"before":"before","after":"after"},"weight":1.0,"truncated":false}],
        "changes_total":2,"combinations":[[0,1]],"missed":[],"truncated":false}"#,
    );
}

#[test]
fn a_detection_on_two_sources_lists_both_and_says_which_each_change_is_of() {
    let oil = compared(ChangeType::plain(Aspect::Any), vec![block("oil"), block("gas")]);
    let cut = Compared { parts_read: vec!["only the first 9 of 10 links".into()], ..oil.clone() };
    let links = compared(ChangeType::plain(Aspect::Links), vec![link(1)]);
    let mut two = detection(vec![links]);
    two.evidence.push(evidence("https://bbc.co.uk/", vec![oil, cut]));
    two.combinations = vec![vec![held(0, 0, 0), held(1, 1, 0)]];
    let body = json(&facts(Body::Change(Box::new(two.clone()))));
    let of_sources = |field: &str| [&body["sources"][0][field], &body["sources"][1][field]];
    assert_eq!(of_sources("url"), ["https://www.cnn.com/news", "https://bbc.co.uk/"]);
    let part = serde_json::json!(["only the first 9 of 10 links"]);
    assert_eq!(of_sources("parts_read"), [&Value::Null, &part]);
    assert_eq!(body["leaves"], serde_json::json!(["all links", "any change"]));
    assert_eq!(body["combinations"], serde_json::json!([[0, 1]]));
    let changes = body["changes"].as_array().unwrap();
    let of: Vec<_> = changes.iter().map(|change| (&change["leaf"], &change["source"])).collect();
    assert_eq!(serde_json::json!(of), serde_json::json!([[0, 0], [1, 1], [1, 1]]));
    assert_eq!(body["changes_total"], 3);
    let said = "cnn.com and bbc.co.uk: new: “oil” and 1 more; 1 link added: “n 1”, \
                from the first";
    let summary = body["summary"].as_str().unwrap();
    assert!(summary.starts_with(said), "{summary}");

    // A third page of a host, and a fifth place: each place once, the first ones by name.
    let more = ["https://bbc.co.uk/x", "https://b.example", "https://c.example"];
    two.evidence.extend(more.map(|url| evidence(url, Vec::new())));
    let others = summary_of(two.clone());
    assert!(others.starts_with("cnn.com and bbc.co.uk: "), "what must not change: {others}");
    two.combinations[0].extend((2..5).map(|nth| held(nth, 0, 0)));
    let many = summary_of(two.clone());
    assert!(many.starts_with("cnn.com, bbc.co.uk, b.example and 1 more: "), "{many}");
}

fn summary_of(change: ChangeFacts) -> String {
    summary(&facts(Body::Change(Box::new(change))))
}

#[test]
fn a_page_that_was_rebuilt_says_what_is_new_and_gone() {
    let headings = |first: &[&str], total| Headings {
        first: first.iter().map(|text| (*text).to_owned()).collect(),
        total,
        are_texts: false,
    };
    let outline = |new, gone| {
        let comparison = Compared {
            rebuilt: Some(83),
            outline: Some(Outline { new, gone }),
            ..compared(ChangeType::plain(Aspect::Any), vec![block("Kettles now"), link(1)])
        };
        json(&changed(vec![comparison]))
    };
    let body = outline(headings(&["Plans", "Teams"], 20), headings(&["Con\u{202e}tact"], 1));
    assert_eq!(
        body["summary"],
        "cnn.com: the page was rebuilt; 83 % of its text is new, such as “Kettles now”"
    );
    assert_eq!(body["note"], "New: “Plans”, “Teams” and 18 more. Gone: “Contact”.");
    let body = outline(headings(&[], 0), headings(&[], 0));
    assert!(body.get("note").is_none(), "nothing of it is known");
    let texts = |total| Headings { are_texts: true, ..headings(&["We sell kettles."], total) };
    let body = outline(texts(9), texts(2));
    let note =
        "New: “We sell kettles.” and 8 more texts. Gone: “We sell kettles.” and 1 more text.";
    assert_eq!(body["note"], note, "a page without headings");
}

#[test]
fn what_is_new_under_a_heading_of_its_own_is_called_by_it() {
    let under =
        |heading: &str, text: &str| Change { heading: Some(heading.to_owned()), ..block(text) };
    let said = |changes: Vec<Change>| {
        summary(&changed(vec![compared(ChangeType::plain(Aspect::Any), changes)]))
    };
    let clause = "You may send it back within thirty days, and we pay you all that you paid us.";
    let named = |heading: &str, name: &str| Change { heads_anew: true, ..under(heading, name) };
    let new = || vec![named("Terms", "Refunds"), under("Refunds", clause)];
    let refunds = format!("cnn.com: new: “Refunds: {clause}”");
    assert_eq!(said(new()), refunds, "and what stands under it");
    let rights = "What you may send back";
    let longer = vec![named("Terms", rights), under(rights, clause)];
    assert_eq!(said(longer), format!("cnn.com: new: “{rights}”"), "it says enough");
    let fixed = Change { heads: true, ..under("1.2 (May)", "Fixed") };
    let release = vec![named("Log", "1.2 (May)"), fixed, under("Fixed", clause)];
    let first = format!("cnn.com: new: “1.2 (May): {clause}”");
    assert_eq!(said(release), first, "what heads others, too, says nothing of a release");
    let beside = under("Terms", "Ask us first");
    let with_other = new().into_iter().chain([beside]).collect();
    assert_eq!(said(with_other), format!("{refunds}; 1 change elsewhere"));
    assert_eq!(said(new()[1..].to_vec()), format!("cnn.com: new: “{clause}”"), "it was there");
    let alone = "cnn.com: under “Terms”, new: “Refunds”";
    assert_eq!(said(new()[..1].to_vec()), alone, "nothing stands there");
    let mut price = under("Terms", "Price: 39.90 EUR");
    price.kind = ChangeKind::Update;
    price.old = Some(Thing::Text { text: "Price: 49.90 EUR".into() });
    price.spans = change::spans("Price: 49.90 EUR", "Price: 39.90 EUR");
    let with_price = new().into_iter().chain([price]).collect();
    assert_eq!(said(with_price), "cnn.com: Price: 49.90 → 39.90 EUR; and 2 more");
    let cell = || vec![under("Terms", "Refunds"), under("Refunds", clause)];
    assert_eq!(said(cell()), format!("cnn.com: new: “{clause}”; and 1 more"), "no heading");
    let below = new().into_iter().chain([named("Refunds", "How"), under("How", clause)]).collect();
    assert_eq!(said(below), "cnn.com: new: “Refunds” and “How”", "each is counted once");
    let many = |name: &&str| vec![named("Terms", name), under(name, clause)];
    let long = "Fees and what they are for, in full, for all who ask us to say so";
    let [all, few] = [[long, "B", "C", "D"], [long, long, "C", "D"]]
        .map(|names| said(names.iter().flat_map(many).collect()));
    assert_eq!(
        all,
        "cnn.com: new: “Fees and what they are for, in full,…”, “B”, “C” and 1 more heading"
    );
    assert!(few.ends_with("”, “C” and “D”"), "{few}");
}

#[test]
fn where_much_changed_is_said_by_headings() {
    let under = |n: u32, heading: &str| Change {
        heading: Some(heading.to_owned()),
        ..block(format!("Clause {n} of these terms, which says what is owed to whom"))
    };
    let said = |headings: &[&str], each: u32| {
        let changes = headings.iter().flat_map(|name| (0..each).map(|n| under(n, name)));
        summary(&changed(vec![compared(ChangeType::plain(Aspect::Any), changes.collect())]))
    };
    let first = "cnn.com: new: “Clause 0 of these terms, which says what is owed to whom”";
    let most = |names: &[&str], each| said(names, each).replace(first, "…");
    assert_eq!(most(&["A", "B"], 13), "…; and 25 more, most under “A” and “B”");
    assert_eq!(most(&["A", "B", "C", "D"], 13), "…; and 51 more, under 4 headings");
    let line = said(&["A", "A heading of more than forty characters, which is cut"], 13);
    let end = "; and 25 more, most under “A” and “A heading of more than forty…”";
    assert!(line.starts_with(first) && line.ends_with(end), "{line}");
    assert_eq!(said(&["A", "B"], 12), format!("{first}; and 23 more"), "not that much");
    assert_eq!(said(&["A"], 40), format!("{first}; and 39 more"), "one heading says nothing");
}

#[test]
fn words_are_said_by_the_sentence_that_most_of_them_came_to() {
    let word = |word: &str, counts: (u32, u32), sentences: &[&str]| {
        let thing = |count| Some(Thing::Word { word: word.into(), count }).filter(|_| count > 0);
        let mut sentences = sentences.iter().map(|one| (*one).to_owned());
        Change {
            sentence: sentences.next(),
            elsewhere: sentences.collect(),
            ..change(ChangeKind::Update, thing(counts.0), thing(counts.1))
        }
    };
    let said = |changes: Vec<Change>| {
        summary(&changed(vec![compared(ChangeType::plain(Aspect::Words), changes)]))
    };
    let (rose, fell) = ("Oil and gas rose.", "Tea fell.");
    let came = || vec![word("tea", (0, 1), &[fell]), word("oil", (1, 2), &[rose])];
    let more = came().into_iter().chain([word("gas", (0, 2), &["Gas!", rose])]);
    assert_eq!(said(more.collect()), "cnn.com: new: “Oil and gas rose.”; 1 more word differs");
    let oil = || word("oil", (2, 1), &[rose]);
    assert_eq!(said(vec![oil()]), "cnn.com: gone: “oil” in “Oil and gas rose.”");
    let both = vec![oil(), word("gas", (1, 0), &[rose])];
    assert_eq!(said(both), "cnn.com: gone: “Oil and gas rose.”");
    let without = vec![word("oil", (0, 1), &[])];
    assert_eq!(said(without), "1 word updated on cnn.com: “oil”");
}

#[test]
fn a_digest_holds_change_bodies_each_with_its_own_id() {
    let one = detection(vec![compared(ChangeType::plain(Aspect::Links), vec![link(1)])]);
    let digest = DigestFacts {
        notifications: vec![
            member("aa", 10, one.clone()),
            member("bb", 11, ChangeFacts { detected_at: at(2), ..one }),
        ],
        more: 3,
    };
    let body = json(&facts(Body::Digest(digest)));
    assert_eq!(body["type"], "digest");
    assert_eq!(body["summary"], "5 notifications of s1; of these: 1 link added on cnn.com: “n 1”");
    assert_eq!(body["detected_at"], "2027-01-31T09:00:02.000Z");
    assert_eq!(
        (&body["changes"], &body["sources"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    assert_eq!(body["changes_total"], 2);
    assert_eq!(body["notifications_total"], 5);
    assert_eq!(body["truncated"], true, "three are not listed");
    let nested = body["notifications"].as_array().unwrap();
    let heads: Vec<_> = nested.iter().map(|n| (&n["id"], &n["seq"], &n["type"])).collect();
    assert_eq!(
        serde_json::json!(heads),
        serde_json::json!([["aa", 10, "change"], ["bb", 11, "change"]])
    );
    assert_eq!(nested[0]["changes"][0]["new"]["href"], "https://www.cnn.com/1");
    assert_eq!(nested[0]["composed_at"], body["composed_at"]);
}

#[test]
fn health_says_which_source_and_why() {
    let health = HealthFacts {
        url: "https://cnn.com/x".into(),
        name: None,
        title: None,
        detected_at: at(0),
        note: "the server answered 503".into(),
    };
    let expected = |kind: &str, summary: &str, note: &str| {
        format!(
            r#"{{"format":1,"id":"00112233445566778899aabbccddeeff","type":"{kind}",
            "sentinel":"s1","sentinel_id":7,"seq":12,"rule":null,
            "summary":"{summary}","detected_at":"2027-01-31T09:00:00.000Z",
            "composed_at":"2027-01-31T09:00:05.000Z",
            "sources":[{{"url":"https://cnn.com/x","name":null,"final_url":null,
            "media_type":null,"from_version":null,"to_version":null,"from_fetched_at":null,
            "fetched_at":null,"modified_at":null}}],"leaves":[],"changes":[],"changes_total":0,
            "combinations":[],"missed":[],"note":"{note}","truncated":false}}"#
        )
    };
    let said = "cnn.com is failing: the server answered 503";
    let failing = expected("source.failing", said, &health.note);
    assert_body(&facts(Body::Failing(health.clone())), &failing);
    let health = HealthFacts { note: "it can be read again after 3 h".into(), ..health };
    let said = "cnn.com is back: it can be read again after 3 h";
    let recovered = expected("source.recovered", said, &health.note);
    assert_body(&facts(Body::Recovered(health.clone())), &recovered);
    let health = HealthFacts { title: Some("Fares".into()), ..health };
    let titled = compose(&facts(Body::Recovered(health)));
    let titled: serde_json::Value = serde_json::from_slice(&titled).unwrap();
    assert_eq!(titled["summary"], "Fares (cnn.com) is back: it can be read again after 3 h");
    assert_eq!(titled["sources"][0]["title"], "Fares");
}

#[test]
fn a_test_belongs_to_no_sentinel() {
    let facts = Facts { sentinel: None, seq: 0, ..facts(Body::Test { channel: "webhook".into() }) };
    assert_body(
        &facts,
        r#"{"format":1,"id":"00112233445566778899aabbccddeeff","type":"channel.test",
        "sentinel":null,"sentinel_id":null,"seq":0,"rule":null,
        "summary":"a test of the channel webhook: it works",
        "detected_at":"2027-01-31T09:00:05.000Z","composed_at":"2027-01-31T09:00:05.000Z",
        "sources":[],"leaves":[],"changes":[],"changes_total":0,"combinations":[],"missed":[],
        "truncated":false}"#,
    );
}

#[test]
fn of_many_changes_some_of_each_kind_are_in_sight() {
    let clause =
        |n: u32| format!("Clause {n} says at length what you may do with a kettle, and not.");
    let text = |text: &str| Some(Thing::Text { text: text.into() });
    let edited = || {
        let (old, new) = ("You may boil water in it.", "You may boil water and milk in it.");
        let spans = change::spans(old, new);
        Change { spans, ..change(ChangeKind::Update, text(old), text(new)) }
    };
    let gone = |n: u32| change(ChangeKind::Delete, text(&format!("Gone {n}")), None);
    let sight = |changes: Vec<Change>| {
        let body = json(&changed(vec![compared(ChangeType::plain(Aspect::Any), changes)]));
        let kinds = body["changes"].as_array().expect("a list")[..12].to_vec();
        let count = |kind: &str| kinds.iter().filter(|one| one["kind"] == kind).count();
        ["insert", "update", "delete"].map(count)
    };
    let new = |count| (0..count).map(|n| block(clause(n)));
    let last = || [edited(), edited(), edited(), gone(1), gone(2), gone(3)];
    assert_eq!(sight(new(20).chain(last()).collect()), [9, 1, 2], "the same edit counts once");
    let long = |n: u32| change(ChangeKind::Update, text(&clause(n)), text(&clause(n + 90)));
    let few = sight(new(11).chain([long(1), gone(1), gone(2)]).collect());
    assert_eq!(few, [9, 1, 2], "what was in sight alone of its kind stays");
    assert_eq!(sight(new(14).collect()), [12, 0, 0]);
}

#[test]
fn an_edit_that_turns_a_clause_round_and_rows_are_not_hidden_by_long_texts() {
    let thing = |text: &str| Some(Thing::Text { text: text.into() });
    let edit = |old: &str, new: &str| {
        let spans = change::spans(old, new);
        Change { spans, ..change(ChangeKind::Update, thing(old), thing(new)) }
    };
    let clause =
        |n: u32| format!("Clause {n} says at length what you may do with a kettle. ").repeat(9);
    let row = |name: &str| format!("{name}: Service: analytics | Location: USA");
    let names = ["red", "green", "blue", "white"];
    let mut changes: Vec<Change> = (0..20).map(|n| block(clause(n))).collect();
    changes.extend(names.map(|name| {
        let old = format!("We paint the {name} kettle with care and by hand");
        edit(&old, &format!("{old}, and wash it as well, wherever that is"))
    }));
    changes.push(edit("We do not sell or share what you say.", "We do not sell what you say."));
    changes.push(block(row("OpenAI")));
    changes.push(change(ChangeKind::Delete, thing(&row("Hotjar")), None));
    let body = json(&changed(vec![compared(ChangeType::plain(Aspect::Any), changes)]));
    let said: Vec<String> =
        body["changes"].as_array().expect("a list")[..12].iter().map(Value::to_string).collect();
    for sought in ["or share", "OpenAI", "Hotjar", "Clause 0 ", "kettle with care"] {
        assert!(said.iter().any(|one| one.contains(sought)), "{sought}: {said:#?}");
    }
}

#[test]
fn a_message_begins_with_what_its_title_speaks_of() {
    let any = || ChangeType::plain(Aspect::Any);
    let under = |heading: &str, change: Change| Change { heading: Some(heading.into()), ..change };
    let thing = |text: String| Some(Thing::Text { text });
    let clause = |n: u32| format!("Clause {n} says at length what you may do with a kettle here.");
    let gone = |n: u32| change(ChangeKind::Delete, thing(clause(n).repeat(9)), None);
    let first = |changes: Vec<Change>| {
        let facts = changed(vec![compared(any(), changes)]);
        let body = json(&facts);
        let listed = body["changes"].as_array().expect("a list").iter().take(3);
        let said = |one: &Value| {
            let thing = if one["new"].is_null() { &one["old"] } else { &one["new"] };
            thing["text"].as_str().expect("a text").chars().take(8).collect::<String>()
        };
        (summary(&facts), listed.map(said).collect::<Vec<_>>())
    };
    // The new text that let the first group lead says too little to be in sight.
    let mut many = vec![under("Us", gone(80)), under("Us", block("Hello"))];
    let named = |name: &str| Change { heads_anew: true, ..under("Law", block(name)) };
    many.push(named("U.S. law"));
    many.extend((0..20).map(|n| under("U.S. law", block(clause(n)))));
    let (title, told) = first(many);
    let law = "U.S. law: Clause 0 says at length what you may do with a kettle here.";
    assert_eq!(title, format!("cnn.com: new: “{law}”; 2 changes elsewhere"));
    assert!(told.iter().all(|text| !text.starts_with("Clause 8")), "{told:?}");
    let fees = vec![
        under("Us", block("Hello")),
        named("Fees law"),
        under("Fees law", block(clause(1).repeat(2))),
    ];
    assert_eq!(first(fees).1, ["Fees law", "Clause 1", "Hello"]);
    let price = |to: u32| {
        let [old, new] = [49, to].map(|price| format!("Price: {price} EUR"));
        let spans = change::spans(&old, &new);
        Change { spans, ..change(ChangeKind::Update, thing(old), thing(new)) }
    };
    let mut last: Vec<Change> = (0..4).map(|n| block(clause(n))).collect();
    last.push(price(39));
    assert_eq!(first(last.clone()).1, ["Price: 3", "Clause 0", "Clause 1"]);
    last[4] = gone(9);
    let (title, told) = first(last);
    assert!(title.starts_with("cnn.com: gone: “Clause 9"), "{title}");
    assert_eq!(told, ["Clause 0", "Clause 1", "Clause 9"], "what is gone is not the first");
}

#[test]
fn what_comes_with_the_first_of_its_kind_is_said_by_kind() {
    let gone = || change(ChangeKind::Delete, Some(Thing::Text { text: "b".into() }), None);
    let link = Thing::Link { href: "https://a.example/".into(), text: "c".into() };
    let link = || change(ChangeKind::Delete, Some(link.clone()), None);
    let said = |changes| summary(&changed(vec![compared(ChangeType::plain(Aspect::Any), changes)]));
    assert_eq!(said(vec![block("a"), link()]), "cnn.com: new: “a”; 1 link or picture");
    assert_eq!(said(vec![block("a"), block("d")]), "cnn.com: new: “a”; and 1 more");
    assert_eq!(said(vec![block("a"), block("d"), gone()]), "cnn.com: new: “a”; 1 more new, 1 gone");
    assert_eq!(said(vec![link()]), "cnn.com: “c” is no longer a link to a.example");
    let cut = said(vec![block(format!("“{}", "a kettle and ".repeat(20)))]);
    assert!(cut.ends_with("…”") && cut.matches('”').count() == 1, "{cut}");
}

#[test]
fn a_page_is_called_by_its_heading_where_its_title_is_that_of_its_site() {
    let called = |title: &str, heading: Option<&str>| {
        let mut one = compared(ChangeType::plain(Aspect::Any), vec![block("a")]);
        one.title = Some(title.into());
        one.heading = heading.map(str::to_owned);
        summary(&changed(vec![one])).replace(": new: “a”", "")
    };
    assert_eq!(called("CNN", Some("Terms of Use")), "Terms of Use – CNN");
    assert_eq!(called("Home", Some("Terms of Use")), "Terms of Use");
    assert_eq!(called("CNN", None), "CNN");
    assert_eq!(called("Terms", Some("Terms of Use")), "Terms", "it says what the page is");
    assert_eq!(called("–", Some("Terms of Use")), "–");
}

#[test]
fn a_document_for_programs_is_called_by_the_end_of_its_address() {
    let data = |url: &str, media: &str| {
        let mut one = detection(vec![compared(ChangeType::plain(Aspect::Any), vec![block("a")])]);
        one.evidence[0].source.url = url.into();
        one.evidence[0].source.media_type = media.into();
        summary(&facts(Body::Change(Box::new(one))))
    };
    let prices = "https://api.example/v1/prices?all=1";
    assert_eq!(data(prices, "application/json"), "prices (api.example): new: “a”");
    let key = "https://api.example/feed/9f86d081884c7d65";
    assert!(!data(key, "application/json").contains("9f86"), "it may be a key");
    assert_eq!(data(prices, "text/html"), "api.example: new: “a”");
    assert_eq!(data("https://api.example/v1/42", "application/json"), "api.example: new: “a”");
}

#[test]
fn a_keyword_that_was_there_comes_up_more_often_or_less() {
    let counted = |counts: &[(&str, u32, u32)]| {
        let own = ChangeType::of(Aspect::Keywords, set(&["*"]));
        let word = |word: &str, count| Some(Thing::Word { word: word.into(), count });
        let all = counts
            .iter()
            .map(|(name, old, new)| change(ChangeKind::Update, word(name, *old), word(name, *new)));
        summary(&changed(vec![compared(own, all.collect())]))
    };
    assert_eq!(counted(&[("oil", 1, 3)]), "“oil” comes up more often on cnn.com");
    let fewer = counted(&[("gas", 4, 2), ("oil", 3, 1)]);
    assert_eq!(fewer, "“gas” and “oil” come up less often on cnn.com");
    assert_eq!(counted(&[("gas", 1, 2), ("oil", 3, 1)]), "“gas” and “oil” changed on cnn.com");
}

#[test]
fn summaries_read_as_people_speak() {
    let links =
        |n| changed(vec![compared(ChangeType::plain(Aspect::Links), (0..n).map(link).collect())]);
    assert_eq!(summary(&links(1)), "1 link added on cnn.com: “n 0”");
    assert_eq!(summary(&links(2)), "2 links added on cnn.com: “n 0” and “n 1”");
    assert_eq!(summary(&links(0)), "cnn.com changed");

    let blocks = vec![block("a"), block("b"), change(ChangeKind::Delete, None, None)];
    let mut any = detection(vec![compared(ChangeType::plain(Aspect::Any), blocks)]);
    any.evidence[0].source.name = Some("price page".into());
    let any = facts(Body::Change(Box::new(any)));
    assert_eq!(summary(&any), "price page: new: “a”; 1 more new, 1 gone");

    let file = |url: &str| {
        let mut one = detection(vec![compared(ChangeType::plain(Aspect::Any), vec![block("a")])]);
        one.evidence[0].source.url = url.into();
        summary(&facts(Body::Change(Box::new(one))))
    };
    assert_eq!(file("https://raw.example/b/koboldcpp.json?raw=1"), "koboldcpp.json: new: “a”");
    for none in
        ["https://raw.example", "https://raw.example/v1.2/", "https://raw.example/index.html"]
    {
        assert_eq!(file(none), "raw.example: new: “a”", "{none}");
    }

    let price = |text: &str, value: &str| Thing::Value {
        value: value.into(),
        unit: Some("EUR".into()),
        text: text.into(),
    };
    let cheaper = change(
        ChangeKind::Update,
        Some(price("49.90 EUR", "49.90")),
        Some(price("45.90 EUR", "45.90")),
    );
    let cheaper = changed(vec![compared(ChangeType::plain(Aspect::Value), vec![cheaper])]);
    assert_eq!(summary(&cheaper), "cnn.com: 49.90 → 45.90 EUR");

    let sold = ChangeType::of(Aspect::Phrases, set(&["Sold out"]));
    let mut gone = block("Sold out");
    gone.patterns = vec!["Sold out".into()];
    let below = ChangeType::of(Aspect::Value, set(&["< 46 EUR"]));
    let cheap = change(
        ChangeKind::Update,
        Some(price("49.90 EUR", "49.90")),
        Some(price("45.90 EUR", "45.90")),
    );
    let both = changed(vec![compared(sold, vec![gone]), compared(below, vec![cheap])]);
    assert_eq!(summary(&both), "cnn.com: 49.90 → 45.90 EUR; “Sold out” added");

    let mut lisbon = block("to Lisbon and Oslo");
    lisbon.patterns = vec!["Lisbon".into(), "Oslo".into()];
    let own = ChangeType::of(Aspect::Phrases, set(&["Lisbon"]));
    let lisbon = changed(vec![compared(own, vec![lisbon])]);
    assert_eq!(summary(&lisbon), "“Lisbon” appeared on cnn.com", "Oslo is another's phrase");

    let mut outage = block("Partial  Outage");
    outage.patterns = vec!["partial outage".into()];
    let own = ChangeType::of(Aspect::Phrases, set(&["partial outage"]));
    let outage = changed(vec![compared(own, vec![outage])]);
    assert_eq!(summary(&outage), "“Partial Outage” appeared on cnn.com", "as the page has it");

    let word = |word: &str| Thing::Word { word: word.into(), count: 1 };
    let gone = ["gas", "oil", "tin", "zinc", "iron"];
    let gone: Vec<_> =
        gone.iter().map(|w| change(ChangeKind::Delete, Some(word(w)), None)).collect();
    let own = ChangeType::of(Aspect::Keywords, set(&["*"]));
    let gone = changed(vec![compared(own, gone)]);
    assert_eq!(summary(&gone), "“gas”, “iron”, “oil” and 2 more disappeared from cnn.com");

    let entry =
        |title: &str| Thing::Item { id: title.into(), title: title.into(), href: String::new() };
    let news = ["Rust 2.0", "A talk", "Notes", "More"];
    let news: Vec<_> =
        news.iter().map(|t| change(ChangeKind::Insert, None, Some(entry(t)))).collect();
    let news = changed(vec![compared(ChangeType::plain(Aspect::Items), news)]);
    assert_eq!(summary(&news), "4 new entries in cnn.com: “A talk”, “More”, “Notes” and 1 more");
}

#[test]
fn only_the_sentinels_own_leaves_are_told() {
    let mut shared = compared(ChangeType::plain(Aspect::Links), vec![link(0), link(1), link(2)]);
    let hits = |hits: &[u32]| LeafHits {
        leaf: leaf(ChangeType::plain(Aspect::Links)),
        hits: hits.to_vec(),
        hits_total: hits.len() as u32,
    };
    shared.leaves = vec![hits(&[0]), hits(&[1, 2])];
    let mut one = detection(vec![shared]);
    one.combinations = vec![vec![held(0, 0, 1)], vec![], vec![held(0, 0, 1), held(0, 9, 9)]];
    let body = json(&facts(Body::Change(Box::new(one))));
    assert_eq!(body["leaves"], serde_json::json!(["all links"]));
    assert_eq!(body["combinations"], serde_json::json!([[0], [], [0]]));
    assert_eq!(body["changes_total"], 2);
    assert_eq!(body["changes"][0]["new"]["text"], "n 1");
}

#[test]
fn a_long_list_is_cut_and_says_so() {
    let body = compose(&changed(vec![compared(
        ChangeType::plain(Aspect::Links),
        (0..9_000).map(link).collect(),
    )]));
    assert!(body.len() <= BODY_BYTES_MAX && body.len() > BODY_BYTES_MAX - 1_024, "{}", body.len());
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&body["changes_total"], &body["truncated"]), (&9_000.into(), &true.into()));
    let listed = body["changes"].as_array().unwrap();
    assert!(listed.len() > 1_000);
    assert!(listed.iter().all(|change| change["truncated"] == false));
    assert_eq!(body["summary"], "9000 links added on cnn.com: “n 0”, “n 1”, “n 2” and 8997 more");
}

#[test]
fn a_huge_text_is_cut_at_a_character_and_says_so() {
    let huge = "é".repeat(300_000);
    let body = json(&changed(vec![compared(
        ChangeType::plain(Aspect::Any),
        vec![block(huge), block("b")],
    )]));
    let first = &body["changes"][0];
    assert_eq!(
        (&first["truncated"], &body["changes"][1]["truncated"]),
        (&true.into(), &false.into())
    );
    assert_eq!(first["new"]["text"].as_str().unwrap(), "é".repeat(8 * 1024));
    assert_eq!(body["truncated"], false, "the list is whole");
}

#[test]
fn a_digest_of_huge_changes_lists_what_fits() {
    let huge = detection(vec![compared(
        ChangeType::plain(Aspect::Any),
        (0..50).map(|n| block(format!("{n}").repeat(5_000))).collect(),
    )]);
    let notifications = (0..500).map(|n| member(&n.to_string(), n, huge.clone())).collect();
    let bytes = compose(&facts(Body::Digest(DigestFacts { notifications, more: 12 })));
    assert!(bytes.len() <= BODY_BYTES_MAX, "{}", bytes.len());
    let body: Value = serde_json::from_slice(&bytes).unwrap();
    let listed = body["notifications"].as_array().unwrap();
    assert!(listed.len() >= 30, "{}", listed.len());
    assert!(listed.iter().all(|one| !one["changes"].as_array().unwrap().is_empty()));
    assert_eq!((&body["notifications_total"], &body["truncated"]), (&512.into(), &true.into()));
    assert_eq!(body["changes_total"], 500 * 50);
}

#[test]
fn a_body_says_what_was_compared_where_a_limit_kept_the_rest_out() {
    let part = "only the first 20,000 of 21,005 links".to_owned();
    let cut = Compared {
        parts_read: vec![part.clone()],
        ..compared(ChangeType::plain(Aspect::Links), vec![link(0), link(1)])
    };
    let body = json(&changed(vec![cut.clone(), cut]));
    assert_eq!(body["sources"][0]["parts_read"], serde_json::json!([part]));
    let said = body["summary"].as_str().expect("a text");
    assert!(said.ends_with("and 2 more, from the first 20,000 of 21,005 links"), "{said}");
    let whole = json(&changed(vec![compared(ChangeType::plain(Aspect::Links), vec![link(0)])]));
    assert!(whole["sources"][0].get("parts_read").is_none());
    let turned = "the feed turned over between two looks: at least 1 more was missed";
    let missed = Compared {
        parts_read: vec![turned.into()],
        ..compared(ChangeType::plain(Aspect::Links), vec![link(0)])
    };
    let body = json(&changed(vec![missed]));
    let said = body["summary"].as_str().expect("a text");
    assert!(said.ends_with(&format!("on cnn.com: “n 0”; {turned}")), "{said}");
}

#[test]
fn a_page_that_is_up_again_says_how_long_it_was_down() {
    let text = |text: &str| Some(Thing::Text { text: text.into() });
    let down = text("down for 9 min 30 s, since 2027-01-31T08:50:30Z");
    let up = change(ChangeKind::Update, down, text("up"));
    let body = json(&changed(vec![compared(ChangeType::plain(Aspect::Status), vec![up])]));
    assert_eq!(body["summary"], "cnn.com: down for 9 min 30 s → up");
}

#[test]
fn hidden_characters_stay_in_texts_and_out_of_the_summary() {
    let mut hostile =
        detection(vec![compared(ChangeType::plain(Aspect::Any), vec![block("a\0b\u{202e}c\r\n")])]);
    hostile.evidence[0].source.name = Some("evil\u{202e}\r\nBcc: x".into());
    let body = json(&facts(Body::Change(Box::new(hostile))));
    assert_eq!(body["summary"], "evil Bcc: x: new: “a bc”");
    assert_eq!(body["changes"][0]["new"]["text"], "a\0b\u{202e}c\r\n");
}

fn hostile_text() -> impl Strategy<Value = String> {
    let unit = prop_oneof![any::<char>(), Just('\0'), Just('"'), Just('é'), Just('\u{202e}')];
    (prop::collection::vec(unit, 1..8), 0usize..3_000)
        .prop_map(|(unit, times)| unit.into_iter().collect::<String>().repeat(times))
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 24, max_shrink_iters: 40, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn whatever_the_facts_the_body_is_json_within_its_size(
        texts in prop::collection::vec(hostile_text(), 1..6),
        copies in 1usize..60,
        digest in any::<bool>(),
        sources in prop_oneof![1usize..4, Just(100)],
    ) {
        let blocks = texts.iter().map(|text| {
            let mut block = change(
                ChangeKind::Update,
                Some(Thing::Link { href: text.clone(), text: text.clone() }),
                Some(Thing::Text { text: text.clone() }),
            );
            block.context = Context { before: text.clone(), after: text.clone() };
            block
        });
        let own = ChangeType::of(Aspect::Phrases, texts.clone());
        let compared = compared(own, blocks.collect());
        let mut one = detection(vec![compared; 3]);
        let source = &mut one.evidence[0].source;
        source.url = texts[0].clone();
        source.final_url = texts[0].clone();
        source.name = texts.get(1).cloned();
        source.media_type = texts[0].clone();
        let source = source.clone();
        one.evidence = vec![one.evidence[0].clone(); sources.min(2)];
        let result = RoundResult { comparisons: Vec::new() };
        one.evidence.resize(sources, EvidenceFacts { source, result });
        let places = [held(0, 0, 0), held(1, 1, 0), held(0, 2, 0), held(0, 7, 0), held(9, 0, 0)];
        one.combinations = vec![places.to_vec(); copies * 20];
        let mut facts = facts(Body::Change(Box::new(one.clone())));
        if digest {
            let notifications =
                (0..copies).map(|n| member(&n.to_string(), 1, one.clone())).collect();
            facts.body = Body::Digest(DigestFacts { notifications, more: 0 });
        }
        facts.sentinel = Some((SentinelId(1), texts[0].clone()));
        let bytes = compose(&facts);
        prop_assert!(bytes.len() <= BODY_BYTES_MAX, "{} bytes", bytes.len());
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        let bodies = if digest {
            let nested = body["notifications"].as_array().unwrap().clone();
            prop_assert!(!nested.is_empty());
            nested
        } else {
            vec![body]
        };
        for body in bodies {
            let leaves = body["leaves"].as_array().unwrap().len() as u64;
            let changes = body["changes"].as_array().unwrap();
            prop_assert!(!changes.is_empty(), "at least one change is shown");
            let listed = body["sources"].as_array().unwrap().len() as u64;
            prop_assert!(changes.iter().all(|change| change["source"].as_u64().unwrap() < listed));
            prop_assert!(changes.iter().all(|change| change["leaf"].as_u64().unwrap() < leaves));
            for combination in body["combinations"].as_array().unwrap() {
                let mut named = combination.as_array().unwrap().iter();
                prop_assert!(named.all(|leaf| leaf.as_u64().unwrap() < leaves));
            }
        }
    }
}

#[test]
fn a_presentation_that_somebody_asked_for_is_in_the_body_with_both_texts_in_one() {
    let text = |text: &str| Some(Thing::Text { text: text.into() });
    let update = change(ChangeKind::Update, text("Lisbon 40 euros"), text("Lisbon 35 euros"));
    let facts = changed(vec![compared(ChangeType::plain(Aspect::Any), vec![update])]);
    let asking = |presentation| {
        let facts = Facts { presentation, ..facts.clone() };
        serde_json::from_slice::<Value>(&compose(&facts)).expect("JSON")
    };
    for (asked, said) in [(Presentation::DualFrame, "dual frame"), (Presentation::Merged, "merged")]
    {
        let body = asking(Some(asked));
        assert_eq!(body["presentation"], said);
        let expected = serde_json::json!([
            {"fate": "same", "text": "Lisbon "}, {"fate": "delete", "text": "40 "},
            {"fate": "insert", "text": "35 "}, {"fate": "same", "text": "euros"}]);
        assert_eq!(body["changes"][0]["pieces"], expected);
    }
    let body = asking(Some(Presentation::OnlyChange));
    assert_eq!(body["presentation"], "only change");
    assert!(body["changes"][0].get("pieces").is_none());
    let body = asking(None);
    assert!(body.get("presentation").is_none() && body["changes"][0].get("pieces").is_none());
}

#[test]
fn a_body_in_two_forms_keeps_to_its_size() {
    let text = |nth: usize, word: &str| {
        Some(Thing::Text { text: format!("{nth} {}", format!("{word} same ").repeat(500)) })
    };
    let updates = (0..100).map(|nth| change(ChangeKind::Update, text(nth, "a"), text(nth, "b")));
    let facts = changed(vec![compared(ChangeType::plain(Aspect::Any), updates.collect())]);
    let body = compose(&Facts { presentation: Some(Presentation::Merged), ..facts });
    assert!(body.len() <= BODY_BYTES_MAX, "{}", body.len());
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((&body["changes_total"], &body["truncated"]), (&100.into(), &true.into()));
    let listed = body["changes"].as_array().expect("a list").len();
    assert!((5..100).contains(&listed), "{listed}");
}

#[test]
fn pages_that_were_looked_at_because_of_it_are_told_with_what_they_held_and_what_was_missed() {
    let mut detected = detection(vec![compared(ChangeType::plain(Aspect::Links), vec![link(1)])]);
    let followed = |name: &str, came| FollowedFacts {
        url: format!("https://{name}.example/"),
        name: Some(name.into()),
        came,
    };
    let held = HeldFacts {
        version: 9,
        at: at(2),
        final_url: "https://money.example/today".into(),
        media_type: "text/html".into(),
        title: Some("Money".into()),
        text: "Oil · Gas ".repeat(1_000),
    };
    let reason = "the server answered 503".into();
    detected.followed = vec![
        followed("money", CameFacts::Held(Box::new(held))),
        followed("world", CameFacts::Missed { start: at(0), finish: at(600), reason }),
    ];
    let body = compose(&facts(Body::Change(Box::new(detected))));
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    let sources = body["sources"].as_array().expect("a list");
    assert_eq!(sources.len(), 3);
    let of = |at: usize, field: &str| sources[at][field].clone();
    assert_eq!((of(1, "name"), of(1, "title")), ("money".into(), "Money".into()));
    assert_eq!((of(1, "from_version"), of(1, "to_version")), (Value::Null, 9.into()));
    assert_eq!(of(1, "fetched_at"), at(2).to_string());
    let held = of(1, "held");
    let held = held.as_str().expect("a text");
    assert!(held.starts_with("Oil · Gas") && held.len() <= 1_024, "{}", held.len());
    assert_eq!((of(2, "name"), of(2, "held")), ("world".into(), Value::Null));
    let missed = body["missed"].as_array().expect("a list");
    assert_eq!((missed.len(), &missed[0]["source"]), (1, &2.into()));
    assert_eq!(missed[0]["finish"], at(600).to_string());
    assert_eq!(missed[0]["reason"], "the server answered 503");
    // What was compared is told as ever.
    assert_eq!((&body["changes_total"], &body["changes"][0]["source"]), (&1.into(), &0.into()));
    assert_eq!(body["truncated"], false);
}
