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
fn the_weather_above_the_heading_of_a_page_says_nothing_of_it() {
    let page = |weather: &str, rest: &str| {
        format!("<div>{weather}</div><h1>Notices</h1><p>The road is open.</p>{rest}")
    };
    assert_eq!(told(&page("Rain, 6°C", ""), &page("Sunny, 7 °C", "")), [""; 0]);
    assert_eq!(told(&page("Rain, 6°C", ""), &page("No trains", "")).len(), 1, "a notice");
    let pool = |degrees: u32| page("", &format!("<p>The pool has {degrees} °C.</p>"));
    assert_eq!(told(&pool(21), &pool(24)).len(), 1, "below the heading");
    let both = |degrees: u32| page(&format!("Now {degrees} °C"), "<p>Night: 2 °C</p>");
    assert_eq!(told(&both(4), &both(6)).len(), 1, "a page about that");
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

#[test]
fn what_stands_right_behind_a_heading_is_the_state_of_it() {
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
