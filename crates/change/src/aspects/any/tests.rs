use super::told::{page_of, read, told};
use crate::{Aspect, ChangeType, Limits, compare};

#[test]
fn in_scripts_without_blanks_texts_are_alike_by_their_signs() {
    let page = |guests: u32, said: &str| {
        let texts = [said, &format!("本日の来館者は{guests}人でした")];
        format!("<h1>お知らせ</h1>{}", page_of("p", &texts))
    };
    let one = "ワークショップの参加者を募集しています";
    let edit = "本日の来館者は130人でした -> 本日の来館者は167人でした";
    let other = "年末年始は休館いたします";
    let seen = told(&page(130, one), &page(167, other));
    assert!(seen.contains(&edit.to_owned()), "{seen:?}");
    assert_eq!(seen.len(), 3, "the other is another text: {seen:?}");
}

#[test]
fn numbers_without_a_word_are_edits_in_turn() {
    let page = |prices: &[&str]| format!("<h1>Fares</h1>{}", page_of("div", prices));
    let seen = told(&page(&["12.40", "9.80"]), &page(&["13", "10.19"]));
    assert_eq!(seen, ["12.40 -> 13", "9.80 -> 10.19"]);
}

#[test]
fn what_stands_right_behind_a_heading_is_how_it_is() {
    let page = |red: &str, minutes: u32| {
        let train = format!("<p>Next train: {minutes} min</p>");
        format!("<h1>Lines</h1><h2>Red</h2>{red}{train}<h2>Blue</h2><p>Good service</p>{train}")
    };
    let why = "<p>Minor delays between Dock and Zoo after a fault of a signal.</p>";
    let seen =
        told(&page("<p>Good service</p>", 3), &page(&format!("<p>Minor delays</p>{why}"), 9));
    assert!(seen.contains(&"Good service -> Minor delays".to_owned()), "{seen:?}");
    let list = |name: &str| page(&format!("<ul><li>{name}</ul><p>Rest</p>"), 3);
    let names = told(&list("Ada Ray"), &list("Bo Lee").replace("Rest", "Other words here now"));
    assert!(!names.contains(&"Ada Ray -> Bo Lee".to_owned()), "{names:?}");
}

#[test]
fn words_behind_another_heading_of_that_name_are_of_another_thing() {
    let line = |name: &str, said: &str| {
        let said = if said.is_empty() { String::new() } else { format!("<p>{said}</p>") };
        format!("<h2>{name}</h2><h3>Status</h3>{said}<p>Trains of {name} run all day long.</p>")
    };
    let page =
        |red: &str, blue: &str| format!("<h1>Lines</h1>{}{}", line("Red", red), line("Blue", blue));
    let both = ["- -> Minor delays", "Good service -> -"];
    let sorted = |old: &str, new: &str| {
        let mut seen = told(old, new);
        seen.sort_unstable();
        seen
    };
    let gone = page("Good service", "");
    assert_eq!(sorted(&gone, &page("", "Minor delays")), both);
    // Nor where each version has one alone.
    let one = |name: &str, said: &str| format!("<h1>Lines</h1>{}", line(name, said));
    let seen = sorted(&one("Red", "Good service"), &one("Blue", "Minor delays"));
    assert!(!seen.contains(&"Good service -> Minor delays".to_owned()), "{seen:?}");
    // Nor where two have the same name.
    let twice = |one: &str, two: &str| {
        let lines = [one, two].map(|said| line("Red", said));
        format!("<h1>Lines</h1>{}", lines.concat())
    };
    assert_eq!(sorted(&twice("Good service", ""), &twice("", "Minor delays")), both);
}

#[test]
fn a_number_alone_is_told_with_the_name_before_it() {
    let list = |prices: [&str; 3]| {
        let goods =
            ["Copper pipe 15 mm", "Elbow", "Ball valve"].into_iter().zip(prices).zip(4711..);
        let lines = goods.map(|((name, price), id)| [id.to_string(), name.into(), price.into()]);
        let texts: Vec<String> = lines.flatten().collect();
        let end = "All prices are in EUR and without VAT.";
        page_of("div", &texts.iter().map(String::as_str).chain([end]).collect::<Vec<_>>())
    };
    let names = |old: &str, new: &str| -> Vec<Option<String>> {
        let any = ChangeType::plain(Aspect::Any);
        let (changes, _) = compare(&read(old), &read(new), &any, &Limits::default());
        changes.into_iter().map(|one| one.heading.filter(|_| one.is_of_thing)).collect()
    };
    let old = list(["12.40", "0.85", "9.80"]);
    let named = |all: &[&str]| all.iter().map(|one| Some((*one).to_owned())).collect::<Vec<_>>();
    assert_eq!(names(&old, &list(["12.40", "0.88", "10.19"])), named(&["Elbow", "Ball valve"]));
    // Where each number stands between two names, either may be its own.
    let tiles = |count: &str| page_of("div", &[count, "Offers", "7", "Towns", "3", "Agents"]);
    assert_eq!(names(&tiles("41"), &tiles("42")), [None]);
    let between = |count: &str| page_of("div", &["Offers", "7", "Towns", count, "Agents", "3"]);
    assert_eq!(names(&between("41"), &between("42")), [None]);
}
