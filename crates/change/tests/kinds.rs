//! What each change type tells, by example.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use change::{
    Aspect, Change, ChangeKind, ChangeType, Comparison, Leaf, Limits, RoundRequest, Status,
    StatusChange, Thing, View, Weight, compare, label, run,
};
use chronon::{Instant, VersionNo};
use page::{Block, EXTRACTOR, Extract, Image, Kind, Link, Part, Row};
use std::collections::BTreeSet;
use std::sync::Arc;

fn text(blocks: &[&str]) -> Extract {
    Extract {
        blocks: blocks.iter().map(|text| Block::plain(*text)).collect(),
        ..Extract::empty(Kind::Html)
    }
}

fn linked(links: &[(&str, &str)]) -> Extract {
    let link = |&(href, text): &(&str, &str)| Link::plain(href, text);
    Extract { links: links.iter().map(link).collect(), ..text(&[]) }
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn keywords(words: &[&str]) -> ChangeType {
    ChangeType::of(Aspect::Keywords, set(words))
}

fn phrases(phrases: &[&str]) -> ChangeType {
    ChangeType::of(Aspect::Phrases, set(phrases))
}

fn changes(old: &Extract, new: &Extract, change_type: &ChangeType) -> Vec<Change> {
    let (changes, total) = compare(old, new, change_type, &Limits::default());
    assert_eq!(changes.len(), total as usize);
    changes
}

/// `insert new`, `delete old`, `update old -> new`, `move text`.
fn told(old: &Extract, new: &Extract, change_type: &ChangeType) -> Vec<String> {
    let show = |thing: &Thing| match thing {
        Thing::Link { href, text } => format!("{href} ({text})"),
        Thing::Image { src, alt } => format!("{src} ({alt})"),
        Thing::Word { word, count } => format!("{word} {count}"),
        Thing::Value { value, .. } => value.clone(),
        Thing::Item { title, .. } => title.clone(),
        Thing::Text { text } => text.clone(),
    };
    let line = |change: &Change| match (&change.old, &change.new) {
        (None, Some(new)) => format!("insert {}", show(new)),
        (Some(old), None) => format!("delete {}", show(old)),
        (Some(old), Some(_)) if change.kind == ChangeKind::Move => format!("move {}", show(old)),
        (Some(old), Some(new)) => format!("update {} -> {}", show(old), show(new)),
        (None, None) => unreachable!("a change is about something"),
    };
    changes(old, new, change_type).iter().map(line).collect()
}

#[test]
fn a_page_is_called_by_the_heading_that_says_more_than_its_title() {
    let called = |title: &str, heading: &str| {
        let mut page = text(&[heading, "Lisbon"]);
        page.title = Some(title.to_owned());
        page.blocks[0].heading = 1;
        let any = ChangeType::plain(Aspect::Any);
        let request = round(any.clone(), vec![leaf(any)]);
        run_on(text(&["Oslo"]), page, &request, &Limits::default()).title
    };
    assert_eq!(called("Acme API", "Acme API terms").as_deref(), Some("Acme API terms"));
    assert_eq!(called("Terms", "Acme's Terms of use").as_deref(), Some("Acme's Terms of use"));
    assert_eq!(called("Terms | Acme", "Terms").as_deref(), Some("Terms | Acme"));
    assert_eq!(called("Term", "Terms of use").as_deref(), Some("Term"));
}

#[test]
fn the_address_of_somebody_who_moved_is_an_edit() {
    let any = ChangeType::plain(Aspect::Any);
    let at = |place: &str| format!("Acme GmbH {place} Germany");
    let [was, is] = ["Hauptstr. 5 10115 Berlin", "Nebenweg 7 20095 Hamburg"].map(at);
    let page = |address: &str| text(&["Contact", address, "Mail us."]);
    assert_eq!(told(&page(&was), &page(&is), &any), [format!("update {was} -> {is}")]);
    let other = "Beta AG Nebenweg 7 20095 Hamburg Germany";
    assert_eq!(told(&page(&was), &page(other), &any).len(), 2, "another one's");
}

#[test]
fn the_date_of_a_document_with_another_label_is_an_edit() {
    let ends = ["We keep what you give us.", "The end is near, and we are sorry for that."];
    let page = |dates: &[&str], end: usize| text(&[dates, &[ends[end]]].concat());
    let any = ChangeType::plain(Aspect::Any);
    let [was, is] = ["Last updated: 1 May 2026", "Effective: 1 June 2026"];
    let edit = format!("update {was} -> {is}");
    assert!(told(&page(&[was], 0), &page(&[is], 1), &any).contains(&edit));
    let two = told(&page(&[was, "Valid until: 2 May 2026"], 0), &page(&[is], 1), &any);
    assert!(!two.contains(&edit), "of two it is not said which: {two:?}");
    let costs = ["Shipping costs 5 EUR in Europe.", "Shipping costs 9 EUR in Europe."];
    let other = told(&page(&[was, costs[0]], 0), &page(&[costs[1], is], 0), &any);
    assert_eq!(other, [format!("update {} -> {}", costs[0], costs[1]), edit], "in any order");
    let standard = told(&page(&["Standard: 1 May 2026"], 0), &page(&[is], 1), &any);
    assert!(standard.len() > 2, "{standard:?}");
}

#[test]
fn the_heading_of_a_page_is_known_while_it_stays() {
    let page = |headings: &[&str], said: &str| {
        let mut page = text(&[headings, &[said]].concat());
        page.title = Some("Acme".to_owned());
        page.blocks[..headings.len()].iter_mut().for_each(|block| block.heading = 1);
        page
    };
    let heading = |old: &[&str], new: &[&str]| {
        let any = ChangeType::plain(Aspect::Any);
        let request = round(any.clone(), vec![leaf(any)]);
        run_on(page(old, "Oslo"), page(new, "Rome"), &request, &Limits::default()).heading
    };
    assert_eq!(heading(&["Terms"], &["Terms"]).as_deref(), Some("Terms"));
    assert_eq!(heading(&["Terms"], &["Fares"]), None, "it may be what is told");
    assert_eq!(heading(&["Terms", "Use"], &["Terms", "Use"]), None);
    assert_eq!(heading(&["Acme"], &["Acme"]), None, "it is the title");
}

/// Those that count enough to be told.
fn weighed(old: &Extract, new: &Extract) -> Vec<String> {
    let any = ChangeType::plain(Aspect::Any);
    let all = told(old, new, &any);
    let heavy = changes(old, new, &any).into_iter().map(|change| change.weight >= Weight::ENOUGH);
    all.into_iter().zip(heavy).filter(|(_, is_heavy)| *is_heavy).map(|(line, _)| line).collect()
}

#[test]
fn a_control_is_news_where_it_says_something_else() {
    let page = |controls: &[&str]| {
        let mut page = text(&["A lamp of brass", "149 EUR"]);
        let control = |text: &&str| Block { part: Part::Control, ..Block::plain(*text) };
        page.blocks.splice(1..1, controls.iter().map(control));
        page
    };
    let none: [&str; 0] = [];
    assert_eq!(weighed(&page(&[]), &page(&["Copy link", "Share"])), none);
    assert_eq!(weighed(&page(&["Copy link", "Share"]), &page(&["Share"])), none);
    assert_eq!(weighed(&page(&[]), &page(&["Add to cart"])), ["insert Add to cart"]);
    // In a language that no list has, and in words that have nothing in common.
    let (old, new) = (page(&["Lisää ostoskoriin"]), page(&["Ilmoita minulle kun saatavilla"]));
    assert_eq!(weighed(&old, &new), ["update Lisää ostoskoriin -> Ilmoita minulle kun saatavilla"]);
}

#[test]
fn a_text_that_is_rewritten_is_that_text() {
    let any = ChangeType::plain(Aspect::Any);
    let one = |old: &str, new: &str| {
        told(&text(&["Terms", old, "End"]), &text(&["Terms", new, "End"]), &any).len()
    };
    let warning = "Copilot is for entertainment purposes only. It can make mistakes, and it may not \
                   work as intended. Don't rely on Copilot for important advice.";
    let longer = "Copilot can make mistakes, and it may not work as intended. Do not use Copilot as a \
                  substitute for professional advice. We are not responsible for what you do then.";
    assert_eq!(one(warning, longer), 1);
    let other =
        "We may end this agreement at any time, with notice of thirty days to your address.";
    assert_eq!(one(warning, other), 2);
}

#[test]
fn a_text_with_another_date_is_that_text() {
    let any = ChangeType::plain(Aspect::Any);
    let one =
        |old: &str, new: &str| told(&text(&["Terms", old]), &text(&["Terms", new]), &any).len();
    assert_eq!(one("Updated: November 4, 2024", "Updated: 4 June 2026"), 1);
    assert_eq!(one("Effective: July 10, 2025", "Effective: April 4, 2026 (previous version)"), 1);
    assert_eq!(one("The fair is on 4 June 2026", "Closed since 4 July 2026"), 2);
    let change = |old: &str, new: &str| changes(&text(&[old]), &text(&[new]), &any).remove(0);
    assert!(change("Updated: 4 June 2026", "Updated: 5 June 2026").says_little());
    assert!(change("Red, green and blue", "Red, green, and blue").says_little());
    assert!(!change("Since 4 June 2026: 30 days", "Since 5 June 2026: 60 days").says_little());
}

#[test]
fn a_page_that_is_none_is_told_with_how_it_begins() {
    let any = ChangeType::plain(Aspect::Any);
    let error = text(&["This page isn’t available", "Try again later"]);
    let mut request = round(any.clone(), vec![leaf(any)]);
    request.comparisons[0].pairing = change::Pairing::Unlike;
    let compared = run_on(text(&["Terms"]), error, &request, &Limits::default());
    let Some(Thing::Text { text: now }) = &compared.changes[0].new else { panic!("a text") };
    assert_eq!(now, "an error page: “This page isn’t available. Try again later”");
}

#[test]
fn links_with_one_part_in_common_are_updates() {
    let old = linked(&[("/a", "A"), ("/b", "B"), ("/c", "C"), ("/d", "D"), ("/d", "D")]);
    let new = linked(&[("/new", "New"), ("/a", "A!"), ("/bb", "B"), ("/d", "D")]);
    assert_eq!(
        told(&old, &new, &ChangeType::plain(Aspect::Links)),
        [
            "insert /new (New)",
            "update /a (A) -> /a (A!)",
            "update /b (B) -> /bb (B)",
            "delete /c (C)",
            "delete /d (D)"
        ]
    );
}

#[test]
fn images_are_compared_like_links() {
    let image = |src: &str, alt: &str| Image::plain(src, alt);
    let old = Extract { images: vec![image("/1", "cat"), image("/2", "")], ..text(&[]) };
    let new = Extract { images: vec![image("/1", "dog"), image("/3", "")], ..text(&[]) };
    assert_eq!(
        told(&old, &new, &ChangeType::plain(Aspect::Images)),
        ["update /1 (cat) -> /1 (dog)", "insert /3 ()", "delete /2 ()"]
    );
}

#[test]
fn words_are_counted_without_case_and_exceptions_and_shown_as_the_page_has_them() {
    let old = text(&["Oil oil gas", "visitors 17"]);
    let new = text(&["OIL wind", "visitors 18"]);
    let except = |words| ChangeType::of(Aspect::Words, set(words));
    assert_eq!(
        told(&old, &new, &except(&["1*"])),
        ["update Oil 2 -> OIL 1", "insert wind 1", "delete gas 1"]
    );
    assert_eq!(
        told(&old, &new, &except(&["OIL", "*i*", "gas", "1?"])),
        ["insert 18 1", "delete 17 1"]
    );
}

#[test]
fn keywords_match_whole_words_and_stars_and_are_shown_as_the_page_has_them() {
    let old = text(&["boiling oil"]);
    let new = text(&["The OIL price and an oilfield; oil again. E-Mail us"]);
    let found = changes(&old, &new, &keywords(&["oil*", "Oil", "e-mail"]));
    assert_eq!(
        told(&old, &new, &keywords(&["oil*", "Oil", "e-mail"])),
        ["update oil 1 -> OIL 2", "insert oilfield 1", "insert E-Mail 1"]
    );
    assert_eq!(found[0].patterns, ["Oil", "oil*"]);
    assert_eq!(found[1].patterns, ["oil*"]);
    assert_eq!(
        (&*found[1].context.before, &*found[1].context.after),
        ("The OIL price and an", "; oil again. E-Mail us")
    );
}

#[test]
fn a_word_is_told_by_the_sentence_in_which_it_came_or_went() {
    let old = text(&["The oil price is up. We use C++ daily."]);
    let more = "Shares of oil companies fell. So did C++.";
    let new = text(&[&old.blocks[0].text, more]);
    let sentences = |old: &Extract, new: &Extract, what: &ChangeType| -> Vec<String> {
        changes(old, new, what).into_iter().filter_map(|one| one.sentence).collect()
    };
    let what = keywords(&["oil", "C++"]);
    let told = ["Shares of oil companies fell.", "So did C++."];
    assert_eq!(sentences(&old, &new, &what), told);
    assert_eq!(sentences(&new, &old, &what), told, "it went");
    let before = text(&[more, &old.blocks[0].text]);
    assert_eq!(sentences(&old, &before, &what), told, "wherever it stands");
    let words = ChangeType::of(Aspect::Words, set(&["*s", "did", "C", "fell", "of", "so"]));
    assert_eq!(sentences(&old, &new, &words), [told[0]]);
}

#[test]
fn a_word_of_several_sentences_is_told_by_each() {
    let old = text(&["Tea is up. Oil was up."]);
    let new = text(&["Tea is up. Oil was up. Dr. Oil said no. Buy oil! Buy oil!", "No oil."]);
    let of = |old: &Extract, new: &Extract, what: &ChangeType| -> Vec<String> {
        let one = changes(old, new, what).into_iter().next().expect("a change");
        one.sentence.into_iter().chain(one.elsewhere).collect()
    };
    let told = ["Dr. Oil said no.", "Buy oil!", "No oil."];
    for what in [keywords(&["oil"]), keywords(&["oil", "C++"])] {
        assert_eq!(of(&old, &new, &what), told, "each once, and none that was there");
        assert_eq!(of(&new, &old, &what), told, "it went");
        assert_eq!(of(&text(&["No."]), &new, &what)[1..], told, "it is new");
    }
    let many: String = (0..40).map(|n| format!("Oil is {n} today. ")).collect();
    assert_eq!(of(&old, &text(&[&many]), &keywords(&["oil"])).len(), 5, "not all of them");
}

#[test]
fn words_are_compared_in_all_scripts() {
    let old = text(&["Die STRASSE", "ΟΔΟΣ"]);
    let new = text(&["die Straße", "οδος", "東京都"]);
    assert_eq!(told(&old, &new, &keywords(&["straße", "Οδός", "οδοσ"])), [] as [&str; 0]);
    assert_eq!(told(&old, &new, &phrases(&["東京"])), ["insert 東京"]);
}

#[test]
fn a_phrase_is_found_without_case_over_block_borders_but_whole() {
    let old = text(&["Porto 30"]);
    let new = text(&["Now: LISBON", "40! Porto 300"]);
    assert_eq!(
        told(&old, &new, &phrases(&["lisbon \n 40", "porto 30"])),
        ["insert LISBON 40", "delete Porto 30"]
    );
}

#[test]
fn a_phrase_replaced_in_its_surroundings_is_an_update() {
    let old = text(&["the big red fox jumps over the dog"]);
    let new = text(&["the big red cat jumps over the dog"]);
    assert_eq!(told(&old, &new, &phrases(&["red fox"])), ["update red fox -> red cat"]);
    assert_eq!(told(&old, &text(&["nothing"]), &phrases(&["red fox"])), ["delete red fox"]);
}

#[test]
fn a_phrase_has_the_sentence_it_stands_in() {
    let long = format!("{} red fox {} red fox", "so ".repeat(40), "and ".repeat(40));
    let new = text(&["A dog sat. A red fox ran. It ran.", &long, &"red fox ".repeat(80)]);
    let found = changes(&text(&["A dog sat."]), &new, &phrases(&["red fox"]));
    let sentences: Vec<&str> = found.iter().filter_map(|one| one.sentence.as_deref()).collect();
    assert_eq!(sentences[..3], ["A red fox ran.", long.trim(), long.trim()]);
    assert!(sentences[40].len() < 420, "a long one is cut");
}

#[test]
fn what_came_in_a_table_is_told_by_its_row_with_the_headings_of_its_columns() {
    let table = |rows: &[[&str; 3]]| {
        let row = |cells: &[&str; 3]| {
            format!("<tr>{}</tr>", cells.map(|cell| format!("<td>{cell}</td>")).concat())
        };
        let head = "<tr><th>City</th><th>Cases</th><th>State</th></tr>";
        let body = format!("<table>{head}{}</table>", rows.iter().map(row).collect::<String>());
        let url = url::Url::parse("https://site.example/").expect("a URL");
        let hints = page::Hints { content_type: Some("text/html"), url: &url };
        page::read(body.as_bytes(), &hints, &page::Limits::default()).expect("a page")
    };
    let old = table(&[["Milwaukee", "182", "open"], ["Racine", "12", "open"]]);
    let new = table(&[["Milwaukee", "182", "shut"], ["Racine", "12", "open"]]);
    let told = "Milwaukee: Cases: 182 | State: shut";
    for what in [keywords(&["shut"]), phrases(&["shut"]), ChangeType::plain(Aspect::Words)] {
        let found = changes(&old, &new, &what);
        let is_told = |one: &change::Change| one.sentence.as_deref() == Some(told);
        assert!(found.iter().any(is_told), "{found:?}");
    }
    let long = "so ".repeat(200);
    let found = changes(&old, &table(&[["Racine", &long, "shut"]]), &keywords(&["shut"]));
    let sentence = found[0].sentence.as_deref().expect("a sentence");
    assert!(sentence.ends_with("shut") && sentence.len() < 420, "what stands near it: {sentence}");
}

#[test]
fn any_tells_blocks_inserted_deleted_updated_and_moved() {
    let old = text(&["head", "Porto 30", "one", "two", "three", "gone for good", "tail"]);
    let new = text(&["head", "Porto 35", "two", "three", "one", "tail", "fresh and new"]);
    assert_eq!(
        told(&old, &new, &ChangeType::plain(Aspect::Any)),
        ["update Porto 30 -> Porto 35", "delete gone for good", "move one", "insert fresh and new"]
    );
}

#[test]
fn a_short_value_alone_at_its_place_is_updated() {
    let (old, new) = (text(&["Price", "30", "EUR"]), text(&["Price", "35", "EUR"]));
    let found = changes(&old, &new, &ChangeType::plain(Aspect::Any));
    assert_eq!(found[0].kind, ChangeKind::Update);
    assert_eq!((&*found[0].context.before, &*found[0].context.after), ("Price", "EUR"));
}

#[test]
fn another_kind_of_content_is_one_change_of_type_any() {
    let old = text(&["a"]);
    let new = Extract { kind: Kind::Json, ..text(&["b"]) };
    assert_eq!(
        told(&old, &new, &ChangeType::plain(Aspect::Any)),
        ["update an HTML page -> a JSON document"]
    );
    assert_eq!(told(&old, &new, &keywords(&["b"])), [] as [&str; 0]);
}

fn leaf(change_type: ChangeType) -> Leaf {
    Leaf { change_type, directions: BTreeSet::new(), matching: None }
}

fn round(change_type: ChangeType, leaves: Vec<Leaf>) -> RoundRequest {
    let comparison = Comparison {
        from: VersionNo(1),
        to: VersionNo(2),
        change_type,
        leaves,
        pairing: change::Pairing::Alike,
        earlier: vec![],
        status: None,
    };
    RoundRequest { comparisons: vec![comparison], sources: vec![] }
}

fn run_on(old: Extract, new: Extract, request: &RoundRequest, limits: &Limits) -> change::Compared {
    let versions = [Arc::new(old), Arc::new(new)];
    let mut extract = |version: VersionNo, _: &View| Ok(versions[version.0 as usize - 1].clone());
    run(request, &mut extract, limits).comparisons.remove(0)
}

#[test]
fn each_leaf_keeps_its_own_words_directions_and_matches() {
    let leaves = vec![
        leaf(keywords(&["oil"])),
        leaf(keywords(&["gas", "wind"])),
        Leaf { directions: [ChangeKind::Delete].into(), ..leaf(keywords(&["gas", "oil"])) },
        Leaf { matching: Some("(?i)cheap".into()), ..leaf(keywords(&["wind", "oil"])) },
    ];
    let request = round(keywords(&["gas", "oil", "wind"]), leaves);
    let compared =
        run_on(text(&["gas"]), text(&["oil price", "Cheap wind"]), &request, &Limits::default());
    assert_eq!(compared.changes_total, 3);
    let hits: Vec<&[u32]> = compared.leaves.iter().map(|leaf| leaf.hits.as_slice()).collect();
    // The surroundings of "oil" reach as far as "Cheap".
    assert_eq!(hits, [&[0][..], &[1, 2], &[2], &[0, 1]]);
}

#[test]
fn a_word_that_occurs_more_often_was_added_and_one_less_often_removed() {
    let going = |kind: ChangeKind| Leaf { directions: [kind].into(), ..leaf(keywords(&["oil"])) };
    let kinds = [ChangeKind::Insert, ChangeKind::Delete, ChangeKind::Update];
    let request = round(keywords(&["oil"]), kinds.map(going).to_vec());
    let kept = |old: &[&str], new: &[&str]| {
        let compared = run_on(text(old), text(new), &request, &Limits::default());
        compared.leaves.iter().map(|leaf| leaf.hits_total).collect::<Vec<_>>()
    };
    let (once, twice) = (["oil is up", "no news"], ["oil is up", "oil again"]);
    assert_eq!(kept(&once, &twice), [1, 0, 1]);
    assert_eq!(kept(&twice, &once), [0, 1, 1]);
    assert_eq!(kept(&once[1..], &once), [1, 0, 0]);
}

#[test]
fn a_status_is_matched_by_what_it_is_now() {
    let status = |matching: &str| Leaf {
        matching: Some(matching.into()),
        ..leaf(ChangeType::plain(Aspect::Status))
    };
    let request = |before, after| {
        let mut request =
            round(ChangeType::plain(Aspect::Status), vec![status("^up"), status("^down")]);
        let at = Instant::from_millis(0);
        request.comparisons[0].status = Some(StatusChange { before, after, since: None, at });
        request
    };
    let kept = |before, after| {
        let compared = run_on(text(&[]), text(&[]), &request(before, after), &Limits::default());
        compared.leaves.iter().map(|leaf| leaf.hits_total).collect::<Vec<_>>()
    };
    let (up, down) = (Status::Up, Status::Down(500));
    assert_eq!((kept(up, down), kept(down, up)), (vec![0, 1], vec![1, 0]));
}

#[test]
fn a_cut_list_keeps_the_first_change_of_every_leaf_and_the_totals() {
    let words: Vec<String> = (0..50).map(|n| format!("w{n}")).collect();
    let new = text(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let all = ChangeType::plain(Aspect::Words);
    let last = Leaf { matching: Some("^w49$".into()), ..leaf(all.clone()) };
    let request = round(all.clone(), vec![leaf(all), last]);
    let limits = Limits { changes_max: 5, context_bytes_max: 0, ..Limits::default() };
    let compared = run_on(text(&[]), new, &request, &limits);
    assert_eq!((compared.changes.len(), compared.changes_total), (5, 50));
    assert_eq!((compared.leaves[0].hits.len(), compared.leaves[0].hits_total), (5, 50));
    assert_eq!((&*compared.leaves[1].hits, compared.leaves[1].hits_total), (&[4][..], 1));
}

#[test]
fn every_change_of_a_long_paragraph_is_kept_and_what_is_left_out_is_said() {
    let sentence = |n: usize| format!("In case {n} we say so, and no later than that. ");
    let all: String = (0..120).map(sentence).collect();
    let page = |days: &str, city: &str| {
        text(&[&format!("Pay in {days} days. {all}Go to {city}. {all}Read {days} pages.")])
    };
    let any = ChangeType::plain(Aspect::Any);
    let request = round(any.clone(), vec![leaf(any)]);
    let compared = run_on(page("30", "Berlin"), page("14", "Paris"), &request, &Limits::default());
    let [change] = &*compared.changes else { panic!("{:?}", compared.changes) };
    let Some(Thing::Text { text: new }) = &change.new else { panic!("{change:?}") };
    assert!(new.len() > 8_000 && change.truncated && change.spans.new.len() == 3, "{change:?}");
    let ends = (new.starts_with("Pay in 14"), new.ends_with("Read 14 pages."));
    assert!(ends == (true, true) && new.contains("Go to Paris."), "{new}");
    let short = run_on(text(&["Pay 30"]), text(&["Pay 14"]), &request, &Limits::default());
    assert!(!short.changes[0].truncated);
}

#[test]
fn long_texts_are_cut_and_a_result_stays_within_its_bytes() {
    let long: Vec<String> = (0..100).map(|n| format!("{n} {}", "é".repeat(10_000))).collect();
    let new = text(&long.iter().map(String::as_str).collect::<Vec<_>>());
    let request = round(ChangeType::plain(Aspect::Any), vec![leaf(ChangeType::plain(Aspect::Any))]);
    let limits = Limits { result_bytes_max: 100_000, ..Limits::default() };
    let compared = run_on(text(&[]), new, &request, &limits);
    let bytes = change::encode(&change::RoundResult { comparisons: vec![compared.clone()] }).len();
    assert!(bytes < 130_000 && compared.changes.len() > 5, "{bytes}");
    assert_eq!(compared.leaves[0].hits_total, 100);
}

#[test]
fn views_of_the_same_versions_are_compared_apart() {
    let whole = keywords(&["Lisbon", "Porto"]);
    let main = ChangeType { view: View::Selected("inside css \"main\"".into()), ..whole.clone() };
    let mut request = round(whole.clone(), vec![leaf(whole.clone())]);
    request.comparisons.extend(round(main.clone(), vec![leaf(main.clone())]).comparisons);
    let mut asked = Vec::new();
    let mut extract = |version: VersionNo, view: &View| {
        asked.push((version.0, view.clone()));
        let blocks: &[&str] = match (version.0, view) {
            (1, _) => &[],
            (_, View::Page) => &["Lisbon", "Porto"],
            (_, View::Selected(_)) => &["Porto"],
        };
        Ok(Arc::new(text(blocks)))
    };
    let result = run(&request, &mut extract, &Limits::default());
    let totals: Vec<u32> = result.comparisons.iter().map(|one| one.changes_total).collect();
    assert_eq!(totals, [2, 1]);
    let once = [&whole, &main].map(|one| [1, 2].map(|version| (version, one.view.clone())));
    assert_eq!(asked, once.concat(), "each view of a version is loaded once");
    assert_eq!(label(&leaf(main.clone())), "keywords Lisbon, Porto inside css \"main\"");
    assert!(!main.is_akin(&whole));

    let mixed = round(whole, vec![leaf(main)]);
    let compared = run_on(text(&[]), text(&["Porto"]), &mixed, &Limits::default());
    assert!(compared.failed.unwrap().contains("another change type"));
}

#[test]
fn a_page_that_is_back_is_compared_with_what_it_was_before_the_notice() {
    let page = |fare: u32| {
        let line = |n: u32| format!("The ferry to harbour {n} sails at noon and costs {n} euros.");
        let mut lines: Vec<String> = (1..20).map(line).collect();
        lines.push(format!("Lisbon costs {fare} euros."));
        let blocks: Vec<&str> = lines.iter().map(String::as_str).collect();
        Extract { kind: page::Kind::Html, ..text(&blocks) }
    };
    let notice = |words| Extract { kind: page::Kind::Html, ..text(&[words]) };
    let versions =
        [page(40), notice("We are moving house."), notice("We are still moving."), page(45)];
    let compare = |change_type: ChangeType, earlier: &[u32]| {
        let mut request = round(change_type.clone(), vec![leaf(change_type)]);
        let one = &mut request.comparisons[0];
        (one.from, one.to) = (VersionNo(3), VersionNo(4));
        one.earlier = earlier.iter().copied().map(VersionNo).collect();
        let mut extract =
            |version: VersionNo, _: &View| Ok(Arc::new(versions[version.0 as usize - 1].clone()));
        run(&request, &mut extract, &Limits::default()).comparisons.remove(0)
    };
    let any = compare(ChangeType::plain(Aspect::Any), &[2, 1]);
    assert_eq!((any.base, any.leaves[0].hits_total), (Some(VersionNo(1)), 1), "{any:?}");
    assert_eq!((any.from, any.to), (VersionNo(3), VersionNo(4)), "what was asked for");
    let words = compare(keywords(&["Lisbon", "noon"]), &[2, 1]);
    assert_eq!((words.base, words.leaves[0].hits_total), (None, 2), "both are there again");
    let alone = compare(ChangeType::plain(Aspect::Any), &[2]);
    assert_eq!((alone.base, alone.leaves[0].hits_total > 10), (None, true));
    let versions =
        [page(40), notice("We are moving house."), notice("We are still moving."), page(40)];
    let mut request =
        round(ChangeType::plain(Aspect::Any), vec![leaf(ChangeType::plain(Aspect::Any))]);
    let one = &mut request.comparisons[0];
    (one.from, one.to, one.earlier) = (VersionNo(3), VersionNo(4), vec![VersionNo(1)]);
    let mut extract =
        |version: VersionNo, _: &View| Ok(Arc::new(versions[version.0 as usize - 1].clone()));
    let same = run(&request, &mut extract, &Limits::default()).comparisons.remove(0);
    let said = |thing: &Option<Thing>| thing.as_ref().map(|thing| thing.text().to_owned());
    assert_eq!(said(&same.changes[0].old).unwrap(), "a much shorter page: “We are still moving.”");
    assert_eq!(said(&same.changes[0].new).unwrap(), "its usual content");
}

#[test]
fn who_names_a_member_that_follows_another_hears_of_it() {
    let read = |version: &str, seen: &str| {
        let file = format!(
            "{{\"version\": \"{version}\", \"url\": \"https://a.example/{version}.exe\", \
             \"generated_at\": \"{seen}\"}}"
        );
        let url = url::Url::parse("https://site.example/x.json").unwrap();
        let hints = page::Hints { content_type: Some("application/json"), url: &url };
        page::read(file.as_bytes(), &hints, &page::Limits::default()).unwrap()
    };
    let told = |matching: Option<&str>| {
        let any = ChangeType::plain(Aspect::Any);
        let leaf = Leaf { matching: matching.map(str::to_owned), ..leaf(any.clone()) };
        let versions = [read("1.0.1", "2026-01-02T09:00"), read("1.1.0", "2026-02-02T09:00")];
        let [old, new] = versions;
        let compared = run_on(old, new, &round(any, vec![leaf]), &Limits::default());
        let shown = compared.leaves[0].hits.iter().map(|at| &compared.changes[*at as usize]);
        shown.map(|one| one.new.as_ref().unwrap().text().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(told(None), ["version: 1.1.0"]);
    assert_eq!(told(Some("^url")), ["url: https://a.example/1.1.0.exe"]);
    assert_eq!(told(Some("generated")), [""; 0], "what passes is held back all the same");
}

#[test]
fn a_row_matches_as_the_page_writes_it_and_as_it_is_told() {
    let table = |cases: &str| {
        let row = Block {
            row: Some(Row { headings: 1, ..Row::default() }.into()),
            ..Block::plain(cases)
        };
        let headings = vec![["City".into(), "Cases".into()].into()];
        Extract { blocks: vec![row], headings, ..Extract::empty(Kind::Html) }
    };
    let matches = |matching: &str| {
        let any = ChangeType::plain(Aspect::Any);
        let leaf = Leaf { matching: Some(matching.to_owned()), ..leaf(any.clone()) };
        let (old, new) = (table("Ames | 7"), table("Ames | 8"));
        run_on(old, new, &round(any, vec![leaf]), &Limits::default()).leaves[0].hits_total
    };
    assert_eq!(["Ames . 8", "Ames: Cases: 8", "Cases: 9"].map(matches), [1, 1, 0]);
}

#[test]
fn a_comparison_that_cannot_be_made_says_why() {
    let request = round(ChangeType::plain(Aspect::Any), vec![leaf(ChangeType::plain(Aspect::Any))]);
    let mut absent =
        |version: VersionNo, _: &View| Err(format!("{version} is not stored any more"));
    let result = run(&request, &mut absent, &Limits::default());
    assert_eq!(result.comparisons[0].failed.as_deref(), Some("v1 is not stored any more"));
    let newer = Extract { extractor: EXTRACTOR + 1, ..text(&[]) };
    let compared = run_on(text(&[]), newer, &request, &Limits::default());
    assert!(compared.failed.unwrap().contains("different extractors"));
    let bad = Leaf { matching: Some("(".into()), ..leaf(ChangeType::plain(Aspect::Any)) };
    let request = round(ChangeType::plain(Aspect::Any), vec![bad]);
    let compared = run_on(text(&[]), text(&["a"]), &request, &Limits::default());
    assert!(compared.failed.unwrap().contains("matching \"(\""));
}

#[test]
fn a_broad_phrase_costs_its_neighbours_nothing_and_is_told_itself() {
    let (broad, narrow) = (phrases(&["a"]), phrases(&["oil price"]));
    let request = round(phrases(&["a", "oil price"]), vec![leaf(broad), leaf(narrow)]);
    let limits = Limits { occurrences_max: 2, ..Limits::default() };
    let many = |count: usize, more: &str| text(&[&"a ".repeat(count), more]);
    let compared = run_on(many(5_000, "x"), many(4_000, "the oil price"), &request, &limits);
    assert_eq!(compared.failed, None);
    assert_eq!(compared.leaves.iter().map(|leaf| leaf.hits_total).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(compared.changes[0].kind, ChangeKind::Delete, "it is counted");
    let compared = run_on(many(5_000, "x"), many(5_000, "the oil price"), &request, &limits);
    assert_eq!(compared.leaves[0].hits_total, 0);
    assert_eq!(compared.leaves[1].hits_total, 1);

    let compound = ChangeType::of(Aspect::Keywords, ["a-a", "e-mail"]);
    let own = |word: &str| leaf(ChangeType::of(Aspect::Keywords, [word]));
    let request = round(compound, vec![own("a-a"), own("e-mail")]);
    let many = |count: usize, more: &str| text(&[&"a-a ".repeat(count), more]);
    let compared = run_on(many(300, "x"), many(301, "an e-mail"), &request, &limits);
    assert_eq!(compared.leaves.iter().map(|leaf| leaf.hits_total).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn what_was_compared_in_part_is_said_where_the_change_type_sees_it() {
    let cut = |links| page::LeftOut { links, ..page::LeftOut::default() };
    let with = |links| Extract { left_out: cut(links), ..linked(&[("/a", "A"), ("/b", "B")]) };
    let parts = |change_type: ChangeType, links: [u32; 2]| {
        let request = round(change_type.clone(), vec![leaf(change_type)]);
        run_on(with(links[0]), with(links[1]), &request, &Limits::default()).parts_read
    };
    assert_eq!(parts(ChangeType::plain(Aspect::Links), [0, 3]), ["only the first 2 of 5 links"]);
    assert_eq!(parts(ChangeType::plain(Aspect::Links), [1, 0]), ["only the first 2 of 3 links"]);
    assert!(parts(ChangeType::plain(Aspect::Links), [0, 0]).is_empty());
    assert_eq!(parts(ChangeType::plain(Aspect::Any), [0, 3]), ["only the first 2 of 5 links"]);
    assert!(parts(ChangeType::of(Aspect::Phrases, ["a"]), [1, 1]).is_empty(), "the text is whole");
}

#[test]
fn a_result_survives_the_store() {
    let request =
        round(ChangeType::plain(Aspect::Links), vec![leaf(ChangeType::plain(Aspect::Links))]);
    let compared =
        run_on(linked(&[("/a", "A")]), linked(&[("/a", "B")]), &request, &Limits::default());
    let result = change::RoundResult { comparisons: vec![compared] };
    assert_eq!(change::decode(&change::encode(&result)).unwrap(), result);
    assert!(change::decode(b"[").is_err());
}

#[test]
fn a_label_reads_like_the_language() {
    let added =
        Leaf { directions: [ChangeKind::Insert].into(), ..leaf(ChangeType::plain(Aspect::Links)) };
    assert_eq!(label(&added), "all links added");
    assert_eq!(label(&leaf(keywords(&["oil"]))), "keyword oil");
    let phrase = Leaf { matching: Some("a\"b".into()), ..leaf(phrases(&["x y", "z"])) };
    assert_eq!(label(&phrase), r#"phrases "x y", "z" matching "a\"b""#);
    assert_eq!(
        label(&leaf(ChangeType::of(Aspect::Words, set(&["a", "b"])))),
        "all words except a, b"
    );
}

fn read(html: &str) -> Extract {
    let url = url::Url::parse("https://a.example/").unwrap();
    let hints = page::Hints { content_type: Some("text/html"), url: &url };
    page::read(html.as_bytes(), &hints, &page::Limits::default()).unwrap()
}

#[test]
fn what_stands_in_a_list_says_what_leads_to_it() {
    let page = |own: &str, inner: &str, last: &str| {
        read(&format!(
            "<h2>Brand</h2><p>You may not:</p><ul><li>sell it{own}<li>change it, that is:\
             <ul><li>its colour{inner}</ul></ul><p>Ask us first{last}</p><ul><li>by mail{own}</ul>\
             <ol><li>You must:</ol><ul><li>pay<li>in time{own}</ul>"
        ))
    };
    let changes = changes(
        &page("", "", ""),
        &page(" as yours", " or its form", " of all"),
        &ChangeType::plain(Aspect::Any),
    );
    let leads: Vec<Option<&str>> = changes.iter().map(|change| change.lead.as_deref()).collect();
    let [brand, colour] = [Some("You may not:"), Some("change it, that is:")];
    let must = Some("You must:");
    assert_eq!(leads, [brand, colour, None, None, must], "a sentence leads to no list");
    assert!(changes.iter().all(|change| change.heading.as_deref() == Some("Brand")));
}

#[test]
fn a_heading_stands_under_the_one_above_it() {
    let page = |more: &str| {
        read(&format!("<h1>Terms</h1><h2>Moral rights</h2><p>Yours</p>{more}<h2>End</h2>"))
    };
    let new = "<h2>Access</h2><p>Ours</p><h3>Robots</h3><p>Theirs</p>";
    let changes = changes(&page(""), &page(new), &ChangeType::plain(Aspect::Any));
    let under: Vec<_> = changes.iter().map(|change| change.heading.as_deref().unwrap()).collect();
    assert_eq!(under, ["Terms", "Access", "Access", "Robots"]);
}

#[test]
fn the_order_of_a_feed_is_not_even_counted() {
    let feed = |ids: &[u32]| {
        let item = |id: &u32| format!("<item><guid>{id}</guid><title>Story {id}</title></item>");
        let items: String = ids.iter().map(item).collect();
        let rss = format!("<rss version='2.0'><channel><title>T</title>{items}</channel></rss>");
        let url = url::Url::parse("https://a.example/").unwrap();
        let hints = page::Hints { content_type: Some("application/rss+xml"), url: &url };
        page::read(rss.as_bytes(), &hints, &page::Limits::default()).unwrap()
    };
    let any = ChangeType::plain(Aspect::Any);
    let request = round(any.clone(), vec![leaf(any)]);
    let compared = run_on(feed(&[4, 3, 2, 1]), feed(&[5, 3, 4, 2]), &request, &Limits::default());
    assert_eq!((compared.leaves[0].hits_total, compared.held_back), (1, 0));
}

#[test]
fn a_long_text_that_moved_and_was_edited_is_one_text() {
    let clause = "We may review what you say to our assistants, by machine or by hand, and we keep \
        what we learn from that for as long as our work needs it";
    let edited = clause.replace("assistants", "friends");
    let (old, new) = (text(&[clause, "A", "B", "C"]), text(&["A", "B", &edited, "C"]));
    assert_eq!(
        told(&old, &new, &ChangeType::plain(Aspect::Any)),
        [format!("update {clause} -> {edited}")]
    );
    let other = "We sell shoes and boots, and mend what you bring to our shop by the river in town";
    let apart = |new: Block, old: Block| {
        let page = |first: Option<Block>, third: Option<Block>| {
            let mut page = text(&["A", "B", "C"]);
            page.blocks.splice(2..2, third);
            page.blocks.splice(0..0, first);
            page
        };
        told(&page(Some(old), None), &page(None, Some(new)), &ChangeType::plain(Aspect::Any)).len()
    };
    let [clause, edited] = [clause, &edited].map(Block::plain);
    assert_eq!(apart(edited.clone(), clause.clone()), 1);
    assert_eq!(apart(Block::plain(other), clause.clone()), 2, "another text");
    let item = |who: &str| {
        let text = format!("We may review what you say to our {who} and keep what we learn of it");
        Block { list: 1, ..Block::plain(text) }
    };
    assert_eq!(apart(item("friends"), item("assistants")), 2, "another item");
    let frame = Block { part: Part::Frame, ..edited };
    assert_eq!(apart(frame, clause), 2, "in another part");
    let meeting = |day: &str| {
        Block::plain(format!(
            "On {day} March the council meets in the town hall, and all who live here may come and speak"
        ))
    };
    assert_eq!(apart(meeting("25"), meeting("4")), 2, "another day is another meeting");
}

#[test]
fn the_line_that_says_when_a_page_was_touched_is_no_news() {
    let page = |lines: &[&str]| {
        let lines: String = lines.iter().map(|line| format!("<p>{line}</p>")).collect();
        read(&format!("<h1>Act</h1><p>All of it holds</p>{lines}"))
    };
    let one = |old: &[&str], new: &[&str]| weighed(&page(old), &page(new)).len();
    let [first, second] = ["Revised 5 June 2026", "Revised 5 July 2026"];
    assert_eq!((one(&[first], &[]), one(&[], &[first])), (0, 0));
    assert_eq!(one(&[first], &[first, second]), 1, "a history of it");
    assert_eq!(one(&[], &["Modified 5 July 2026 by Act No. 12"]), 1);
}

#[test]
fn numbering_and_punctuation_say_little() {
    let one = |old: &str, new: &str| weighed(&read(old), &read(new)).len();
    let page = |terms: &str| format!("<p>Terms of use</p><p>{terms}</p><p>The end</p>");
    let same = [
        ("“Data” means what you give us", "a. “Data” means what you give us"),
        ("Your duties: Pay in time", "3. Your duties. Pay in time"),
        ("Copies, prints and other scans", "Copies, prints, and other scans"),
        ("Fees are due at once", "5. Fees are due at once"),
    ];
    for (old, new) in same {
        assert_eq!(one(&page(old), &page(new)), 0, "{old} → {new}");
    }
    for (old, new) in [
        ("3. Fees are due", "4. Fees are not due"),
        ("4. Leeds 40 points from 20 games", "5. Leeds 40 points from 20 games"),
        ("12. Juni 2026, 20 Uhr: Konzert im Park", "13. Juni 2026, 20 Uhr: Konzert im Park"),
        ("N. Korea fires missile into the sea", "S. Korea fires missile into the sea"),
        ("Take .5 mg of it per day", "Take 5 mg of it per day"),
        ("Net result of the quarter (1,200)", "Net result of the quarter 1,200"),
    ] {
        assert_eq!(one(&page(old), &page(new)), 1, "{old} → {new}");
    }
}

#[test]
fn a_page_that_was_rebuilt_is_told_in_outline() {
    let version = |headings: &[String]| {
        let under = |heading: &String| {
            let text = Block::plain(format!("What there is to say under {heading}"));
            [Block { heading: 2, ..Block::plain(heading) }, text]
        };
        let mut version = text(&[]);
        version.blocks = headings.iter().flat_map(under).collect();
        version
    };
    let any = ChangeType::plain(Aspect::Any);
    let request = round(any.clone(), vec![leaf(any)]);
    let long = "a".repeat(500);
    let old: Vec<String> = ["Contact", "Prices", &long, "A", "B", "C"].map(str::to_owned).into();
    let plans = (0..20).map(|n| format!("Plan {n}"));
    let new: Vec<String> = plans.chain(["Contact".into(), "Plan 1".into()]).collect();
    let compared = run_on(version(&old), version(&new), &request, &Limits::default());
    let outline = compared.outline.expect("most of it is new");
    assert_eq!((outline.new.first.len(), outline.new.total), (12, 20), "each once, and counted");
    assert_eq!(outline.new.first[1], "Plan 1");
    assert_eq!(outline.gone.total, 5, "what stayed is left out");
    assert_eq!(outline.gone.first[..2], ["Prices", &long[..120]]);

    let compared = run_on(version(&new), version(&new[1..]), &request, &Limits::default());
    assert_eq!(compared.outline, None, "a page of which little changed");
}

#[test]
fn a_page_without_headings_that_was_rebuilt_is_told_by_its_longest_texts() {
    let version = |name: &str| {
        let line = |n: usize| format!("{name}{n} {}", format!("{name} ").repeat(n % 7));
        let lines: Vec<String> = (0..20).map(line).collect();
        text(&lines.iter().map(|line| line.trim()).collect::<Vec<_>>())
    };
    let any = ChangeType::plain(Aspect::Any);
    let request = round(any.clone(), vec![leaf(any)]);
    let compared = run_on(version("tea"), version("oil"), &request, &Limits::default());
    let outline = compared.outline.expect("all of it is new");
    for (side, name) in [(&outline.new, "oil"), (&outline.gone, "tea")] {
        assert!(side.are_texts && side.total == 20, "{side:?}");
        let begins: Vec<&str> = side.first.iter().map(|text| &text[..5]).collect();
        let longest = [6, 12, 13, 19].map(|n| format!("{:5}", format!("{name}{n}")));
        assert_eq!(begins, longest);
    }
}

#[test]
fn what_has_names_is_not_rebuilt() {
    let version = |kind: Kind, is_named: bool, word: &str| {
        let member = |n: usize| {
            let name = format!("m{n}");
            let text = format!("{name}: {}", format!("{word}{n} ").repeat(9).trim());
            Block { key: is_named.then(|| name.into()), ..Block::plain(text) }
        };
        Extract { blocks: (0..20).map(member).collect(), ..Extract::empty(kind) }
    };
    let any = ChangeType::plain(Aspect::Any);
    let request = round(any.clone(), vec![leaf(any)]);
    let rebuilt = |kind, is_named| {
        let [old, new] = ["so", "thus"].map(|word| version(kind, is_named, word));
        run_on(old, new, &request, &Limits::default()).rebuilt
    };
    for kind in [Kind::Json, Kind::Xml, Kind::Text] {
        assert_eq!(rebuilt(kind, true), None, "{kind:?}");
    }
    assert!(rebuilt(Kind::Text, false).is_some() && rebuilt(Kind::Html, false).is_some());
}

#[test]
fn a_page_that_gave_way_to_a_notice_is_told_as_what_it_is_now() {
    let lines: Vec<String> = (1..20).map(|n| format!("Line {n}: good service.")).collect();
    let full: Vec<&str> = lines.iter().map(String::as_str).collect();
    let notice = text(&["Back soon", "We are working on it."]);
    let any = ChangeType::plain(Aspect::Any);
    assert_eq!(
        told(&text(&full), &notice, &any),
        ["update its usual content -> a much shorter page: “Back soon. We are working on it.”"]
    );
}

#[test]
fn who_asks_for_some_of_what_gave_way_hears_of_that() {
    let kettles: Vec<String> = (1..20).map(|n| format!("[{n}]: Kettle {n} of brass")).collect();
    let kettles: Vec<&str> = kettles.iter().map(String::as_str).collect();
    let json = |texts: &[&str]| Extract { kind: Kind::Json, ..text(texts) };
    let prose = |texts: &[&str]| Extract { kind: Kind::Text, ..text(texts) };
    let any = ChangeType::plain(Aspect::Any);
    let all = || {
        vec![
            leaf(any.clone()),
            Leaf { directions: [ChangeKind::Delete].into(), ..leaf(any.clone()) },
            Leaf { matching: Some("Kettle 5".into()), ..leaf(any.clone()) },
            Leaf { directions: [ChangeKind::Update].into(), ..leaf(any.clone()) },
            Leaf { matching: Some("Teapot".into()), ..leaf(any.clone()) },
        ]
    };
    for (old, new) in [
        (json(&kettles), json(&["[]"])),
        (prose(&kettles), prose(&["Back soon"])),
        (text(&kettles), text(&["Back soon"])),
    ] {
        let compared = |leaves| {
            let request = round(any.clone(), leaves);
            run_on(old.clone(), new.clone(), &request, &Limits::default())
        };
        let shared = compared(all());
        let hits: Vec<u32> = shared.leaves.iter().map(|leaf| leaf.hits_total).collect();
        assert_eq!(hits, [1, 19, 1, 1, 0], "{shared:?}");
        let first = |nth: usize| &shared.changes[shared.leaves[nth].hits[0] as usize];
        assert_eq!(first(0).old.as_ref().unwrap().text(), "its usual content");
        assert_eq!(first(2).old.as_ref().unwrap().text(), kettles[4]);
        assert_eq!(first(3).old.as_ref().unwrap().text(), "its usual content");
        for (leaf, hits) in all().into_iter().zip(hits) {
            assert_eq!(compared(vec![leaf]).leaves[0].hits_total, hits);
        }
    }
}
