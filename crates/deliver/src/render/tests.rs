use super::{Colour, UNREADABLE};
use chronon::Zone;
use notice::CHANGES_IN_SIGHT;
use proptest::prelude::*;
use serde_json::{Value, json};

const CHANGE: &str = r#"{"format": 1, "id": "k", "type": "change", "sentinel": "s1", "sentinel_id": 7,
 "seq": 12, "rule": null, "summary": "3 changes on cnn.com",
 "detected_at": "2027-01-31T09:00:00.000Z", "composed_at": "2027-01-31T09:00:01.000Z",
 "sources": [{"url": "https://cnn.com/", "name": null, "from_version": 3, "to_version": 4}],
 "leaves": ["all links", "keyword oil"],
 "changes": [
  {"leaf": 0, "type": "links", "kind": "insert", "source": 0, "old": null,
   "new": {"text": "Oil falls", "href": "https://cnn.com/oil"}, "context": {"before": "", "after": ""}},
  {"leaf": 0, "type": "links", "kind": "delete", "source": 0,
   "old": {"text": "Gold", "href": "javascript:alert(1)"}, "new": null},
  {"leaf": 1, "type": "keywords", "kind": "update", "source": 0, "old": {"word": "oil", "count": 1},
   "new": {"word": "oil", "count": 3}, "context": {"before": "price of", "after": "falls"}},
  {"leaf": 0, "type": "images", "kind": "move", "source": 0, "old": {"src": "https://cnn.com/a.png",
   "alt": "a"}, "new": {"src": "https://cnn.com/a.png", "alt": "a"}}],
 "changes_total": 6, "combinations": [[0, 2]],
 "missed": [{"source": 0, "start": "2027-01-31T08:00:00.000Z", "finish": "2027-01-31T08:05:00.000Z",
             "reason": "503"}]}"#;

fn render_terminal(body: &[u8], colour: Colour) -> String {
    super::render_terminal(body, colour, &Zone::utc())
}

fn render_text(body: &[u8]) -> String {
    super::render_text(body, &Zone::utc())
}

fn render_html(body: &[u8]) -> String {
    super::render_html(body, &Zone::utc())
}

#[test]
fn since_when_a_page_was_down_is_told_by_the_readers_clock_and_of_no_versions() {
    let zone = Zone::parse("Asia/Kathmandu").expect("a zone");
    let mut body: Value = serde_json::from_str(CHANGE).expect("JSON");
    body["sources"][0]["from_version"] = 4.into();
    body["changes"] = json!([{"leaf": 0, "type": "status", "kind": "update", "source": 0,
        "old": {"text": "down for 1 min 29 s, since 2027-01-31T06:27:17Z"},
        "new": {"text": "up"}}]);
    let told = super::render_text(body.to_string().as_bytes(), &zone);
    assert!(told.contains("since 2027-01-31 12:12:17"), "{told}");
    assert!(!told.contains("06:27:17Z") && !told.contains("v4"), "{told}");
}

#[test]
fn times_are_told_by_the_readers_clock() {
    let zone = Zone::parse("Asia/Kathmandu").expect("a zone");
    for told in
        [super::render_text(CHANGE.as_bytes(), &zone), super::render_html(CHANGE.as_bytes(), &zone)]
    {
        assert!(told.contains("2027-01-31 14:45:00 Asia/Kathmandu"), "{told}");
        let missed = "between 2027-01-31 13:45:00 Asia/Kathmandu and 2027-01-31 13:50:00 Asia";
        assert!(told.contains(missed) && !told.contains("UTC"), "{told}");
    }
}

#[test]
fn a_change_reads_as_lines_with_marks_and_links() {
    assert_eq!(
        render_text(CHANGE.as_bytes()),
        "\
2027-01-31 09:00:00 UTC  s1  3 changes on cnn.com
  https://cnn.com/  (v3 → v4)
  + Oil falls  https://cnn.com/oil  [all links]
  - Gold  [all links]
  ~ oil ×1
  → oil ×3  [keyword oil]
    … price of «oil» falls …
  ~ a  https://cnn.com/a.png  [moved, all links]
  and 2 more
  ! no answer from https://cnn.com/ between 2027-01-31 08:00:00 UTC and 2027-01-31 08:05:00 UTC: 503
"
    );
}

#[test]
fn what_further_pages_held_stands_behind_the_change_that_led_there() {
    let mut body: Value = serde_json::from_str(CHANGE).expect("JSON");
    let page = json!({"url": "https://money.example/", "name": "Money", "to_version": 9,
        "held": "Oil up <3 %> \u{1b}[2J"});
    body["sources"].as_array_mut().expect("a list").push(page);
    let body = body.to_string();
    let text = render_text(body.as_bytes());
    let lines = "  Money  https://money.example/  (v9)\n    Oil up <3 %> ";
    assert!(text.contains(lines), "{text}");
    let html = render_html(body.as_bytes());
    assert!(html.contains("<blockquote>Oil up &lt;3 %&gt;"), "{html}");
    for told in [text, html] {
        let [change, held] = ["Oil falls", "Oil up"].map(|said| told.find(said).expect(said));
        assert!(change < held, "{told}");
    }
}

#[test]
fn what_a_page_strikes_out_has_a_line_through_it_in_html() {
    let mut body: Value = serde_json::from_str(CHANGE).expect("JSON");
    body["changes"] = json!([
        {"leaf": 0, "type": "any", "kind": "update", "source": 0,
            "old": {"text": "Tea <b> £5"}, "new": {"text": "Tea <b> ~~£5~~ £4"}},
        {"leaf": 0, "type": "links", "kind": "insert", "source": 0,
            "new": {"text": "~~£9~~ £8", "href": "https://cnn.com/"}}]);
    let html = render_html(body.to_string().as_bytes());
    assert!(html.contains("<s>£5</s> £4") && html.contains("<s>£9</s> £8"), "{html}");
    assert!(!html.contains("~~") && !html.contains("<b>"), "{html}");
    let text = render_text(body.to_string().as_bytes());
    assert!(text.contains("+ ~~£9~~ £8"), "{text}");
}

#[test]
fn a_change_reads_as_html_with_links_that_are_safe_to_follow() {
    let html = render_html(CHANGE.as_bytes());
    for part in [
        "<title>3 changes on cnn.com</title>",
        "<a href=\"https://cnn.com/oil\" rel=\"noreferrer\">Oil falls</a></ins>",
        ">Gold</del>",
        "… price of <b>oil</b> falls …",
        "and 2 more",
        "v3 → v4",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    assert!(!html.contains("javascript:"), "{html}");
}

#[test]
fn a_terminals_colours_frame_the_same_text() {
    let coloured = render_terminal(CHANGE.as_bytes(), Colour::Always);
    assert!(coloured.contains("\u{1b}[32m+\u{1b}[0m Oil falls"), "{coloured}");
    assert!(coloured.contains("\u{1b}[31m-\u{1b}[0m Gold"), "{coloured}");
    let mut plain = coloured;
    for code in ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m"] {
        plain = plain.replace(&format!("\u{1b}{code}"), "");
    }
    assert_eq!(plain, render_text(CHANGE.as_bytes()));
}

#[test]
fn an_entry_of_a_feed_leads_to_its_page_and_a_new_heading_is_said_once() {
    let change = |kind: &str, side: &str, text: &str, more: Value| {
        let mut change = json!({"type": "any", "kind": kind, side: {"text": text}});
        change.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("one"));
        change
    };
    let body = json!({
        "type": "change", "summary": "s", "held_back": 2,
        "sources": [{"url": "https://n.example/", "media_type": "application/rss+xml"}],
        "changes": [
            change("insert", "new", "Plans", json!({"link": "https://n.example/1"})),
            change("insert", "new", "Ours", json!({"heading": "Plans"})),
            change("delete", "old", "Yours", json!({"heading": "Plans", "link": "javascript:1"})),
            change("delete", "old", "Theirs", json!({"heading": "Contact"})),
        ]
    });
    let text = render_text(body.to_string().as_bytes());
    let lines: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            "  + Plans  https://n.example/1",
            "    + Ours",
            "  Under “Plans”:",
            "  - Yours",
            "  Under “Contact”:",
            "  - Theirs",
            "  and 2 changes that say little (numbering, dates, order, counters)",
        ]
    );
}

#[test]
fn a_list_is_told_with_what_leads_to_it_and_the_rest_by_its_kinds() {
    let item = |kind: &str, side: &str, text: &str| {
        json!({"type": "any", "kind": kind, side: {"text": text}, "heading": "Brand",
            "lead": "You may not:"})
    };
    let mut changes = vec![
        json!({"type": "any", "kind": "insert", "new": {"text": "Brand"}}),
        item("insert", "new", "sell it"),
        item("delete", "old", "lend it"),
    ];
    changes.extend((0..12).map(|_| json!({"type": "any", "kind": "delete", "old": {"text": "t"}})));
    changes.push(item("insert", "new", "eat it"));
    let body = json!({"type": "change", "summary": "s", "changes": changes,
        "held_back": 5, "say_little": 4,
        "dated": {"old": "Last updated: 7 May 2026", "new": "Last updated: 8 July 2026"}});
    let text = render_text(body.to_string().as_bytes());
    let lines: Vec<&str> = text.lines().skip(1).filter(|line| *line != "  - t").collect();
    let told = [
        "  + Brand",
        "  Under “Brand”, “You may not:”:",
        "  + sell it",
        "  - lend it",
        "  On the page:",
        "  and 4 more: 1 new (“eat it”), 3 gone (“t”)",
        "  and 1 change around the page, and 4 changes that say little (numbering, dates, order, \
         counters); dated “Last updated: 7 May 2026” → “8 July 2026”",
    ];
    assert_eq!(lines, told);
    let html = render_html(body.to_string().as_bytes());
    assert!(html.contains("<b>Brand › You may not:</b>"), "{html}");
}

#[test]
fn the_place_where_words_came_is_in_sight_in_the_old_text_too() {
    let (before, after) = ("word ".repeat(200), "more ".repeat(200));
    let body = json!({
        "type": "change", "summary": "s",
        "changes": [{"type": "any", "kind": "update",
            "old": {"text": format!("{before}here {after}")},
            "new": {"text": format!("{before}and here {after}")}}]
    });
    let text = render_text(body.to_string().as_bytes());
    let [old, new] = [1, 2].map(|nth| text.lines().nth(nth).unwrap_or_default());
    assert!(old.starts_with("  ~ … word") && old.contains("word here more"), "{old}");
    assert!(new.contains("word «and» here more"), "{new}");
    assert!(old.len() < 150, "{old}");
}

#[test]
fn both_sides_show_the_same_places_and_no_mark_is_empty() {
    let filler = "word ".repeat(40);
    let old = format!("We may end it. {filler}You tell us within 30 days. {filler}End.");
    let new = format!("We may end it at once. {filler}You tell us within 14 days. {filler}End.");
    let any = json!({"type": "any", "kind": "update", "old": {"text": old}, "new": {"text": new}});
    let mut body: Value = serde_json::from_str(CHANGE).expect("a body");
    body["changes"] = json!([any]);
    let text = render_text(&serde_json::to_vec(&body).expect("JSON"));
    let sides: Vec<&str> = text.lines().filter(|line| line.contains("We may end it")).collect();
    let [old, new] = sides.as_slice() else { panic!("{text}") };
    assert!(
        old.starts_with("  ~ We may end it. word") && old.contains("within «30» days"),
        "{old}"
    );
    assert!(new.starts_with("  → We may end it «at once». word"), "{new}");
    assert!(new.contains("within «14» days") && !text.contains("«»"), "{text}");
}

#[test]
fn the_fields_of_every_change_type_are_shown() {
    let line = |kind: &str, thing: &str| {
        let body = format!(
            r#"{{"type": "change", "summary": "s", "changes": [{{"type": "{kind}",
                "kind": "insert", "new": {thing}}}]}}"#
        );
        render_text(body.as_bytes()).lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(line("links", r#"{"href": "https://a.b/", "text": ""}"#), "  + https://a.b/");
    assert_eq!(line("links", r#"{"href": "mailto:x@y.z", "text": "x"}"#), "  + x");
    assert_eq!(
        line("images", r#"{"src": "https://a.b/", "alt": "c"}"#),
        "  + picture: c (a.b)  https://a.b/"
    );
    assert_eq!(line("words", r#"{"word": "oil", "count": 2}"#), "  + oil ×2");
    assert_eq!(line("any", r#"{"text": "a  b"}"#), "  + a b");
    assert_eq!(line("future", r#"{"shape": [1]}"#), "  +  [future]");
}

#[test]
fn a_change_on_two_sources_names_both_and_says_which_each_change_is_of() {
    let body = br#"{"type": "change", "summary": "2 changes on a.example and Prices",
        "sources": [{"url": "https://a.example/", "from_version": 1, "to_version": 2},
            {"url": "https://b.example/", "name": "Prices", "from_version": 7, "to_version": 9}],
        "changes": [{"type": "any", "kind": "insert", "source": 0, "new": {"text": "x"}},
            {"type": "any", "kind": "insert", "source": 1, "new": {"text": "x"}}]}"#;
    let expected = "\
2 changes on a.example and Prices
  https://a.example/  (v1 \u{2192} v2)
  Prices  https://b.example/  (v7 \u{2192} v9)
  + x  [https://a.example/]
  + x  [Prices]
";
    assert_eq!(render_text(body), expected);
    let html = render_html(body);
    for part in ["v1 \u{2192} v2", "v7 \u{2192} v9", "https://b.example/", "Prices</"] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
}

#[test]
fn a_digest_holds_its_notifications() {
    let digest = format!(
        r#"{{"type": "digest", "sentinel": "s1", "summary": "2 notifications",
            "composed_at": "2027-02-01T00:00:00.000Z", "notifications_total": 314,
            "changes": [], "changes_total": 99,
            "notifications": [{CHANGE}, {{"summary": "another"}}]}}"#
    );
    let text = render_text(digest.as_bytes());
    assert!(
        text.starts_with("2027-02-01 00:00:00 UTC  s1  2 notifications\n\n  2027-01-31"),
        "{text}"
    );
    assert!(text.contains("    + Oil falls  https://cnn.com/oil"), "{text}");
    assert!(text.ends_with("\n  another\n\n  and 312 more\n"), "{text}");
    let html = render_html(digest.as_bytes());
    assert!(html.contains("<h3>another</h3>") && html.contains("and 312 more"), "{html}");
}

#[test]
fn a_digest_of_one_reads_as_that_one() {
    let digest = format!(
        r#"{{"type": "digest", "sentinel": "s1", "summary": "1 link was added",
            "composed_at": "2027-02-01T00:00:00.000Z", "notifications_total": 1,
            "changes": [], "changes_total": 1, "notifications": [{CHANGE}]}}"#
    );
    assert_eq!(render_text(digest.as_bytes()), render_text(CHANGE.as_bytes()));
}

#[test]
fn only_the_words_next_to_a_change_are_shown_and_none_next_to_a_block() {
    let body = |kind: &str| {
        let (before, after) = ("one two three ".repeat(9), ", four five six".repeat(9));
        let context = format!(r#"{{"before": "{before}", "after": "{after}"}}"#);
        let change = format!(
            r#"{{"type": "{kind}", "kind": "insert", "new": {{"text": "x"}}, "context": {context}}}"#
        );
        format!(r#"{{"summary": "s", "changes": [{change}]}}"#)
    };
    let near = "one two three one two three one two three one two three";
    let (near, next) = (&near[8..], ", four five six, four five six, four five six, ");
    let expected = format!("s\n  + x\n    … {near} «x»{} …\n", next.trim_end());
    assert_eq!(render_text(body("phrases").as_bytes()), expected);
    assert_eq!(render_text(body("any").as_bytes()), "s\n  + x\n");
}

#[test]
fn a_change_that_several_leaves_keep_is_told_once_with_all_of_them() {
    let change = |leaf: u32, text: &str| {
        format!(
            r#"{{"leaf": {leaf}, "type": "any", "kind": "insert", "source": 0,
                "new": {{"text": "{text}"}}}}"#
        )
    };
    let entries = [change(0, "a"), change(0, "b"), change(0, "b"), change(1, "a")].join(",");
    let body = format!(
        r#"{{"summary": "s", "leaves": ["any change", "keyword a"], "changes": [{entries}],
            "changes_total": 5}}"#
    );
    let expected = "s\n  + a  [any change, keyword a]\n  + b  [any change]\n  + b  [any change]\n  \
                    and 1 more\n";
    assert_eq!(render_text(body.as_bytes()), expected);
}

#[test]
fn a_note_that_the_summary_holds_is_not_repeated() {
    let body = r#"{"type": "source.failing", "summary": "a.b is failing: 503", "note": "503"}"#;
    assert_eq!(render_text(body.as_bytes()), "a.b is failing: 503\n");
}

#[test]
fn news_of_a_source_and_a_test_read_as_sentences_even_without_a_summary() {
    for (kind, said) in [
        ("source.failing", "a page does not answer"),
        ("source.recovered", "a page answers again"),
        ("channel.test", "a test: this channel works"),
        ("of the future", "something changed"),
    ] {
        let body = format!(
            r#"{{"type": "{kind}", "sentinel": "s1", "note": "503 since yesterday",
                "sources": [{{"url": "https://a.b/", "name": "A"}}]}}"#
        );
        let expected = format!("s1  {said}\n  503 since yesterday\n  A  https://a.b/\n");
        assert_eq!(render_text(body.as_bytes()), expected);
    }
}

#[test]
fn a_long_text_is_shown_around_the_words_that_differ() {
    let long =
        |law: &str| format!("{}the law of {law} holds. {}", "word ".repeat(300), "x ".repeat(300));
    let body = serde_json::json!({"summary": "s", "changes": [{"type": "any", "kind": "update",
        "old": {"text": long("Ohio")}, "new": {"text": long("Texas")}, "heading": "Courts"}]});
    let text = render_text(body.to_string().as_bytes());
    assert!(text.contains("  Under “Courts”:\n  ~ … word"), "{text}");
    assert!(text.contains("word the law of «Ohio» holds. x"), "{text}");
    assert!(text.contains("word the law of «Texas» holds. x"), "{text}");
    assert!(text.len() < 400, "{text}");
    let html = render_html(body.to_string().as_bytes());
    assert!(html.contains("the law of <del style=\"background:#fdd\">Ohio"), "{html}");
    assert!(html.contains("<li><b>Courts</b></li>"), "{html}");
}

#[test]
fn words_of_one_sentence_are_told_in_one_line() {
    let word = |kind: &str, word: &str, sentence: &str| {
        serde_json::json!({"type": "words", "kind": kind, "sentence": sentence,
            "new": {"word": word, "count": 1}, "context": {"before": "a", "after": "b"}})
    };
    let changes = [
        word("insert", "Oil", "Oil and gas fell."),
        word("insert", "rain", "It may rain."),
        word("insert", "gas", "Oil and gas fell."),
    ];
    let body = serde_json::json!({"summary": "s", "changes": changes, "changes_total": 4});
    let expected = "s\n  + «Oil» and «gas» fell.\n  + It may «rain».\n  and 1 more\n";
    assert_eq!(render_text(body.to_string().as_bytes()), expected);
}

#[test]
fn keywords_and_phrases_are_told_by_the_sentence_once_for_all_leaves() {
    let rose = "Crude oil and heating oil rose, and gas followed the oil price.";
    let found = |leaf: u32, change_type: &str, thing: Value, sentence: &str| {
        json!({"leaf": leaf, "type": change_type, "kind": "insert", "new": thing,
            "sentence": sentence, "context": {"before": "a", "after": "b"}})
    };
    let changes = json!([
        found(0, "keywords", json!({"word": "Oil", "count": 3}), rose),
        found(0, "keywords", json!({"word": "gas", "count": 1}), rose),
        found(1, "keywords", json!({"word": "gas", "count": 1}), rose),
        found(1, "keywords", json!({"word": "gas", "count": 1}), "Gas too."),
        found(2, "phrases", json!({"text": "oil price"}), rose),
        // It runs over the border of two blocks.
        found(2, "phrases", json!({"text": "too late"}), "Gas too."),
    ]);
    let leaves = ["keywords gas, oil", "keyword gas", "phrases"];
    let mut body = json!({"summary": "s", "leaves": leaves, "changes": changes,
        "changes_total": 6});
    let expected = "s
  + Crude «oil» and heating «oil» rose, and «gas» followed the «oil price».  \
        [Oil ×3, keywords gas, oil, keyword gas, phrases]
  + «Gas» too.  [keyword gas]
  + too late  [phrases]
    … a «too late» b …
";
    assert_eq!(render_text(body.to_string().as_bytes()), expected);
    body["presentation"] = json!("merged");
    let merged = render_text(body.to_string().as_bytes());
    assert_eq!(merged.matches("{+gas").count(), 2, "each in its frame: {merged}");
}

#[test]
fn a_sentence_has_the_sign_of_what_came_or_went_in_it() {
    let change = |change_type: &str, old: Value, new: Value, sentence: &str| {
        json!({"type": change_type, "kind": "update", "old": old, "new": new,
            "sentence": sentence})
    };
    let oil = |count: u32| json!({"word": "oil", "count": count});
    let phrase = |text: &str| json!({"text": text});
    let changes = [
        change("keywords", oil(1), oil(2), "Shares of oil companies fell."),
        change("keywords", oil(2), oil(1), "Oil is up."),
        change("phrases", phrase("red fox"), phrase("red cat"), "A red cat ran."),
    ];
    let body = json!({"summary": "s", "changes": changes, "changes_total": 3});
    let expected = "s
  + Shares of «oil» companies fell.  [oil ×1 → ×2]
  - «Oil» is up.  [oil ×2 → ×1]
  ~ red «fox»
  → red «cat»
";
    assert_eq!(render_text(body.to_string().as_bytes()), expected);
}

#[test]
fn a_long_list_is_cut_and_says_so() {
    let change = r#"{"type": "any", "kind": "insert", "new": {"text": "t"}}"#;
    let body = format!(r#"{{"summary": "s", "changes": [{}]}}"#, vec![change; 80].join(","));
    let text = render_text(body.as_bytes());
    assert_eq!(text.matches("  + t\n").count(), CHANGES_IN_SIGHT);
    assert!(text.ends_with("  and 68 more, all new (“t”)\n"), "{text}");
}

#[test]
fn one_or_two_more_are_shown_and_not_counted() {
    let change = r#"{"type": "any", "kind": "insert", "new": {"text": "t"}}"#;
    let shown = |count: usize| {
        let changes = vec![change; count].join(",");
        let body =
            format!(r#"{{"summary": "s", "changes": [{changes}], "changes_total": {count}}}"#);
        render_text(body.as_bytes()).matches("  + t\n").count()
    };
    assert_eq!(shown(CHANGES_IN_SIGHT + 2), CHANGES_IN_SIGHT + 2);
    assert_eq!(shown(CHANGES_IN_SIGHT + 3), CHANGES_IN_SIGHT);
}

#[test]
fn a_message_of_few_changes_has_room_for_what_they_say() {
    let words = "You further agree not to impose measures. ".repeat(15);
    let change = json!({"type": "any", "kind": "update", "old": {"text": "Use of data."},
        "new": {"text": format!("Use of data. {words}At all.")}});
    let body = |count: usize| json!({"summary": "s", "changes": vec![change.clone(); count]});
    let shown = |count: usize| render_text(body(count).to_string().as_bytes());
    assert!(shown(1).contains("At all."), "{}", shown(1));
    assert!(shown(4).contains("At all."));
    assert!(!shown(12).contains("At all."));
}

#[test]
fn what_is_no_notification_is_told_as_such() {
    for body in [&b"{"[..], b"", b"[]", b"\xff"] {
        assert_eq!(render_text(body), format!("{UNREADABLE}\n"));
        assert!(render_html(body).contains(UNREADABLE));
    }
}

#[test]
fn nested_digests_do_not_nest_in_what_is_shown() {
    let mut body = r#"{"summary": "deepest"}"#.to_owned();
    for _ in 0..20 {
        body = format!(r#"{{"summary": "s", "notifications": [{body}]}}"#);
    }
    assert_eq!(render_text(body.as_bytes()), "s\n\n  s\n");
}

/// A body with `text` wherever a page or a user can put one.
fn filled(text: &str) -> Vec<u8> {
    let mut body: serde_json::Value = serde_json::from_str(CHANGE).unwrap();
    fill(&mut body, text);
    let inner = body.clone();
    body["notifications"] = serde_json::Value::Array(vec![inner]);
    serde_json::to_vec(&body).unwrap()
}

fn fill(value: &mut serde_json::Value, text: &str) {
    match value {
        serde_json::Value::String(old) => *old = format!("{text}{old}{text}"),
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| fill(item, text)),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(|v| fill(v, text)),
        _ => {}
    }
}

const HOSTILE: &str = "\u{1b}]0;pwned\u{7}\u{1b}[2J\r\n\u{202e}\u{2066}\u{9b}31m\
    <script>alert(1)</script>\"'><img src=x onerror=alert(1)>&lt;\0";

#[test]
fn hostile_text_neither_steers_a_terminal_nor_runs_in_a_mail_reader() {
    let lines = |body: &[u8]| render_text(body).lines().count();
    assert_eq!(lines(&filled(HOSTILE)), lines(&filled("x")), "no text adds a line");
    let html = render_html(&filled(HOSTILE));
    assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
}

fn is_plain(c: char) -> bool {
    c == '\n'
        || !(c.is_control()
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}'
                | '\u{200f}' | '\u{61c}' | '\u{2028}' | '\u{2029}'))
}

/// The tags of a document, without what is between them.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).map(|rest| rest.split(['>', ' ']).next().unwrap()).collect()
}

proptest! {
    #[test]
    fn whatever_a_page_says_only_text_comes_out(text in any::<String>()) {
        let body = filled(&text);
        prop_assert!(render_text(&body).chars().all(is_plain));
        let html = render_html(&body);
        prop_assert!(html.chars().all(is_plain));
        for tag in tags(&html) {
            prop_assert!(
                ["!DOCTYPE", "html", "head", "meta", "title", "/title", "/head", "body", "h2", "/h2",
                 "h3", "/h3", "p", "/p", "ul", "/ul", "li", "/li", "a", "/a", "del", "/del", "ins",
                 "/ins", "small", "/small", "b", "/b", "br", "hr", "/body", "/html"].contains(&tag),
                "{} in {}", tag, html
            );
        }
    }

    #[test]
    fn no_bytes_make_a_renderer_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        render_text(&bytes);
        render_html(&bytes);
    }
}

fn told(presentation: Value, change: Value) -> Vec<u8> {
    json!({"summary": "s", "presentation": presentation, "changes": [change]}).to_string().into()
}

fn price() -> Value {
    json!({"type": "any", "kind": "update", "context": {"before": "Kettle", "after": "In stock"},
        "old": {"text": "The price is 20 euros"}, "new": {"text": "The price is 18 euros"}})
}

#[test]
fn a_dual_frame_stands_in_two_lines_or_in_two_columns() {
    let body = told(json!("dual frame"), price());
    let expected = "\
s
  ~
    before │ Kettle The price is [-20-] euros In stock
    now    │ Kettle The price is {+18+} euros In stock
";
    assert_eq!(render_text(&body), expected);
    let html = render_html(&body);
    for part in [
        ">before</th><th ",
        ">Kettle</span> The price is <del style=\"background:#fdd\">20 </del>euros <span",
        ">now</th></tr>",
        "<ins style=\"background:#dfd;text-decoration:none\">18 </ins>euros",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
}

#[test]
fn merged_texts_stand_in_one_with_marks() {
    let body = told(json!("merged"), price());
    let expected = "s\n  ~\n    │ Kettle The price is [-20-] {+18+} euros In stock\n";
    assert_eq!(render_text(&body), expected);
    let html = render_html(&body);
    let part = "is <del style=\"background:#fdd\">20 </del>\
        <ins style=\"background:#dfd;text-decoration:none\">18 </ins>euros";
    assert!(html.contains(part) && !html.contains("before</th>"), "{html}");
    let coloured = render_terminal(&body, Colour::Always);
    assert!(coloured.contains("\u{1b}[31m[-20-]\u{1b}[0m \u{1b}[32m{+18+}\u{1b}[0m"), "{coloured}");
}

#[test]
fn blocks_and_phrases_have_two_columns_in_html_where_nobody_says() {
    let body = told(Value::Null, price());
    assert!(render_html(&body).contains("<th"), "{}", render_html(&body));
    let alone = "s\n  ~ The price is «20» euros\n  → The price is «18» euros\n";
    assert_eq!(render_text(&body), alone);
    let mut link = price();
    link["type"] = json!("links");
    assert!(!render_html(&told(Value::Null, link)).contains("<th"));
    assert!(!render_html(&told(json!("only change"), price())).contains("<th"));
}

#[test]
fn what_came_or_went_alone_has_one_column() {
    let change = json!({"type": "any", "kind": "insert", "new": {"text": "Sold out"}});
    assert!(!render_html(&told(Value::Null, change.clone())).contains("<th"));
    let body = told(json!("dual frame"), change);
    assert_eq!(render_text(&body), "s\n  +\n    │ {+Sold out+}\n");
    assert!(!render_html(&body).contains("<th"), "{}", render_html(&body));
    let link = |href: &str| json!({"href": href, "text": "Deals"});
    let change = json!({"type": "links", "kind": "update", "old": link("https://a.example/1"),
        "new": link("https://a.example/2")});
    let body = told(json!("merged"), change);
    let expected = "s\n  ~\n    │ Deals [-(https://a.example/1)-] {+(https://a.example/2)+}\n";
    assert_eq!(render_text(&body), expected);
}

#[test]
fn nothing_of_a_page_passes_for_a_mark_or_a_word_of_ours() {
    let evil = "a [-b-] {+c+}\n    now    │ <b>x</b>\u{202e}</td><script>alert(1)</script>";
    let change = json!({"type": "any", "kind": "update", "old": {"text": evil},
        "new": {"text": format!("{evil} d")}, "context": {"before": evil, "after": evil}});
    for asked in ["dual frame", "merged"] {
        let body = told(json!(asked), change.clone());
        let text = render_text(&body);
        assert_eq!(text.matches("[-").count(), 1, "{text}");
        assert_eq!(text.matches("{+").count(), 1, "{text}");
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(lines.len(), if asked == "merged" { 1 } else { 2 }, "{text}");
        let html = render_html(&body);
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        assert_eq!(html.matches("</td>").count(), if asked == "merged" { 1 } else { 2 }, "{html}");
        assert!(!html.contains('\u{202e}') && !html.contains("src="), "{html}");
    }
}

#[test]
fn of_a_long_text_what_differs_is_shown_with_what_is_next_to_it() {
    let text = |word: &str| format!("{} {word} {}", "before ".repeat(300), "after ".repeat(300));
    let change = json!({"type": "any", "kind": "update", "old": {"text": text("20")},
        "new": {"text": text("18")}});
    let shown = render_text(&told(json!("merged"), change));
    assert!(shown.contains("before [-20-] {+18+} after"), "{shown}");
    assert!(shown.chars().count() < 260, "{shown}");
    let line = shown.lines().nth(2).expect("a line");
    assert!(line.starts_with("    │ …") && line.ends_with('…'), "{shown}");
}

#[test]
fn two_small_changes_of_a_long_text_are_both_in_sight_in_a_frame() {
    let sentence = |n: usize| format!("In case {n} we say so, and no later than that. ");
    let all: String = (0..120).map(sentence).collect();
    let text = |days: &str, city: &str| format!("Within {days} days. {all}The law of {city}.");
    let change = json!({"type": "any", "kind": "update", "old": {"text": text("30", "Berlin")},
        "new": {"text": text("14", "Paris")}});
    let shown = render_text(&told(json!("merged"), change.clone()));
    assert!(shown.contains("│ Within [-30-] {+14+} days. In case"), "{shown}");
    assert!(shown.contains("The law of [-Berlin-] {+Paris+}."), "{shown}");
    assert!(shown.matches('…').count() == 1 && shown.chars().count() < 350, "{shown}");
    let html = render_html(&told(Value::Null, change));
    assert!(html.contains("of <del style=\"background:#fdd\">Berlin</del>."), "{html}");
    assert!(html.chars().count() < 2_000, "{html}");
}

#[test]
fn a_long_passage_that_came_shows_both_of_its_ends() {
    let new = format!("Now: {}the end.", "word ".repeat(400));
    let change = json!({"type": "any", "kind": "insert", "new": {"text": new}});
    let shown = render_text(&told(json!("merged"), change));
    assert!(shown.contains("{+Now: word") && shown.contains("word the end.+}"), "{shown}");
    assert!(shown.contains("word … word") && shown.chars().count() < 540, "{shown}");
}

#[test]
fn in_a_script_without_blanks_a_frame_marks_characters() {
    let text = |days: &str| json!({"text": format!("我们在{days}天内退款。")});
    let change = json!({"type": "any", "kind": "update", "old": text("三十"), "new": text("十四")});
    let shown = render_text(&told(json!("merged"), change));
    assert_eq!(shown, "s\n  ~\n    │ 我们在[-三-]十{+四+}天内退款。\n");
}

#[test]
fn the_end_of_a_long_word_is_in_sight_where_it_differs() {
    let text = |end: &str| json!({"text": format!("Key: {}{end}", "a".repeat(5_000))});
    let change = json!({"type": "any", "kind": "update", "old": text("7"), "new": text("8")});
    let alone = render_text(&told(Value::Null, change.clone()));
    assert!(alone.contains("aaa«7»\n") && alone.contains("aaa«8»\n"), "{alone}");
    let merged = render_text(&told(json!("merged"), change.clone()));
    assert!(merged.contains("aaa[-7-] {+8+}\n"), "{merged}");
    let html = render_html(&told(Value::Null, change));
    assert!(html.contains("aaa<del style=\"background:#fdd\">7</del>"), "{html}");
    assert!([alone, merged].iter().all(|shown| shown.chars().count() < 150));
}

#[test]
fn places_of_a_text_that_are_not_shown_are_counted() {
    let text = |word: &str, count: usize| {
        let sentence = |n: usize| format!("In case {n} we say {word}, and no later than that. ");
        json!({"text": (0..count).map(sentence).collect::<String>()})
    };
    let change = |count: usize| {
        json!({"type": "any", "kind": "update", "old": text("so", count),
            "new": text("nothing", count)})
    };
    for (count, said) in [(11, "  [and 3 more places in this text]"), (9, "  [and 1 more place in")]
    {
        let shown = render_text(&told(Value::Null, change(count)));
        assert!(shown.contains(said) && shown.matches("«nothing»").count() == 8, "{shown}");
        let html = render_html(&told(json!("only change"), change(count)));
        assert!(html.contains(&format!("<small>{}", said.trim_start())), "{html}");
    }
    let whole = render_text(&told(Value::Null, change(8)));
    assert!(!whole.contains("this text"), "{whole}");
    let merged = render_text(&told(json!("merged"), change(11)));
    assert!(merged.matches("{+nothing,+}").count() == 11 && !merged.contains("this text"));
}
