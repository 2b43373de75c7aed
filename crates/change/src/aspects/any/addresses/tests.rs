//! The fast pairing and its slow twin, and pages by example.

use super::*;
use crate::Limits;
use crate::aspects::any;
use page::Kind;
use proptest::prelude::*;

/// A page of a block a line: `[text](address)` is a link, `![name](address)` a picture, and a line
/// that begins with `~` stands in the frame.
fn page(lines: &str) -> Extract {
    let mut extract = Extract::empty(Kind::Html);
    for line in lines.lines() {
        let (part, mut rest) = match line.trim().strip_prefix('~') {
            Some(rest) => (Part::Frame, rest),
            None => (Part::Main, line.trim()),
        };
        let mut block = Block { part, ..Block::plain("") };
        while let Some((before, after)) = rest.split_once('[') {
            let (text, after) = after.split_once("](").unwrap();
            let (address, after) = after.split_once(')').unwrap();
            match before.strip_suffix('!') {
                Some(before) => {
                    block.text.push_str(before);
                    block.images += 1;
                    extract.images.push(Image { part, ..Image::plain(address, text) });
                }
                None => {
                    block.text.push_str(before);
                    block.text.push_str(text);
                    block.links += 1;
                    extract.links.push(Link { part, ..Link::plain(address, text) });
                }
            }
            rest = after;
        }
        block.text.push_str(rest);
        extract.blocks.push(block);
    }
    extract
}

/// What is told of links and pictures.
fn told(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (page(old), page(new));
    let pair = Pair::new(&old, &new);
    let said = |thing: &Thing| match thing {
        Thing::Image { src, alt } => format!("![{alt}]({src})"),
        thing => format!("[{}]({})", thing.text(), thing.address().unwrap_or_default()),
    };
    let line = |found: Found| {
        let weight = if found.weight(&pair).is_full() { "" } else { "~" };
        match (&found.old, &found.new) {
            (Some(old), Some(new)) => format!("{weight}{} → {}", said(old), said(new)),
            (None, Some(new)) => format!("{weight}+{}", said(new)),
            (Some(old), None) => format!("{weight}-{}", said(old)),
            (None, None) => weight.to_owned(),
        }
    };
    let found = any::compare(&pair, &Limits::default());
    found.into_iter().filter(|one| one.part.is_some()).map(line).collect()
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_link_that_leads_elsewhere_is_told() {
    let at = |href: &str| format!("Get [Download](/{href}) now\nThanks");
    assert_eq!(told(&at("1.zip"), &at("2.zip")), ["[Download](/1.zip) → [Download](/2.zip)"]);
    assert_eq!(told(&at("1.zip"), &at("1.zip?mtm_source=mail")), NOTHING);
    assert_eq!(told(&format!("~{}", at("1")), &format!("~{}", at("2"))).len(), 1);
    let frame = told("Text\n~[Home](/1)", "Text\n~[Home](/2)");
    assert_eq!(frame, ["~[Home](/1) → [Home](/2)"]);
}

#[test]
fn of_links_that_say_the_same_the_one_that_leads_elsewhere_is_told() {
    let page = |first: &str| {
        format!(
            "Spam breaks our [terms](/{first})\nPackages: [terms](/terms)\nMail: [terms](/terms)"
        )
    };
    let (old, new) = (page("privacy"), page("terms"));
    assert_eq!(told(&old, &new), ["[terms](/privacy) → [terms](/terms)"]);
    assert_eq!(told(&new, &old), ["[terms](/terms) → [terms](/privacy)"]);
}

#[test]
fn a_text_that_becomes_a_link_is_told_and_so_is_one_that_is_none_any_more() {
    let (with, without) = ("The [report](/r.pdf) is here", "The report is here");
    assert_eq!(told(without, with), ["+[report](/r.pdf)"]);
    assert_eq!(told(with, without), ["-[report](/r.pdf)"]);
}

#[test]
fn a_link_that_stands_on_other_words_is_no_loss() {
    let (more, full) = ("The year in numbers: [read more](/r)", "The year in numbers: [all](/r)");
    assert_eq!(told(more, full), NOTHING, "the text says so");
    let (one, other) = ("The [rules](/r) of the game", "The rules of [the game](/r)");
    assert_eq!(told(one, other), NOTHING, "it leads where it led");
    let elsewhere = "The rules of [the game](/g)";
    assert_eq!(told(one, elsewhere), ["[rules](/r) → [the game](/g)"]);
    let (plain, portal) = ("You [tell us](/a) soon", "You tell us through [our portal](/b) soon");
    assert_eq!(told(plain, portal), ["[tell us](/a) → [our portal](/b)"], "half in the text");
    let two = |links: [&str; 2]| format!("See {} and {} and so on", links[0], links[1]);
    let (both, neither) = (two(["[one](/1)", "[two](/2)"]), two(["one", "two"]));
    assert_eq!(told(&both, &neither).len(), 2, "a loss");
}

#[test]
fn a_link_that_stands_beside_another_to_the_same_place_is_no_loss() {
    let (both, title) =
        ("[Report](/r)\nAll of it. [Read more](/r)", "[Report](/r)\nAll of it. Read more");
    assert_eq!(told(both, title), ["~-[Read more](/r)"]);
    assert_eq!(told(title, both), ["~+[Read more](/r)"]);
    let far = format!("{both}\nA\nB\nC\n[Rules](/r)").replace("[Report](/r)", "Report");
    let without = far.replace("[Read more](/r)", "Read more");
    assert_eq!(told(&far, &without), ["-[Read more](/r)"], "not beside it");
}

#[test]
fn a_link_whose_text_is_new_is_told_by_its_block() {
    assert_eq!(told("One\nTwo", "One\nTwo\n[Three](/3)"), NOTHING);
    assert_eq!(told("One two three\nEnd", "One two three [four](/4)\nEnd"), NOTHING);
    // The words of a block that changed do not say where its link leads: both are told.
    let (old, new) = ("Version 1: [Download](/1)", "Version 2: [Download](/2)");
    assert_eq!(told(old, new), ["[Download](/1) → [Download](/2)"]);
}

#[test]
fn what_moved_is_no_change() {
    let (old, new) = ("[A](/a)\n[B](/b)![x](/x.png)\nC", "[B](/b)\nC\n[A](/a)![x](/x.png)");
    assert_eq!(told(old, new), NOTHING);
}

#[test]
fn a_list_that_shifts_leads_nowhere_else() {
    let item = |name: &str| format!("{name}\n[Read more](/{name})![](/{name}.jpg)\n");
    let list = |names: [&str; 3]| names.map(item).concat();
    assert_eq!(told(&list(["A", "B", "C"]), &list(["D", "A", "B"])), NOTHING);
    assert_eq!(told(&list(["D", "A", "B"]), &list(["A", "B", "C"])), NOTHING);
}

#[test]
fn a_picture_is_told_where_its_text_stays() {
    let at = |picture: &str| format!("The kettle {picture}\nBoils fast");
    let (red, blue) = (at("![Kettle](/red.jpg)"), at("![Kettle](/blue.jpg)"));
    assert_eq!(told(&red, &blue), ["![Kettle](/red.jpg) → ![Kettle](/blue.jpg)"]);
    assert_eq!(told(&at(""), &red), ["+![Kettle](/red.jpg)"]);
    assert_eq!(told(&red, &at("")), ["-![Kettle](/red.jpg)"]);
    let called = at("![Sold out](/red.jpg)");
    assert_eq!(told(&red, &called), ["![Kettle](/red.jpg) → ![Sold out](/red.jpg)"]);
    for same in ["![Kettle](/red.webp?w=640)", "![Kettle](/red-300x200.jpg)"] {
        assert_eq!(told(&red, &at(same)), NOTHING);
    }
    let waits = at("![](data:image/gif;blake3=00)");
    assert_eq!(told(&at(""), &waits), NOTHING);
}

#[test]
fn a_picture_is_told_whatever_came_or_went_behind_it() {
    let at = |picture: &str, rest: &str| format!("The bridge\n![Map](/{picture}.jpg){rest}Tail");
    let told_as = ["![Map](/old.jpg) → ![Map](/new.jpg)"];
    for [was, is] in [["Closed\n", "New staff\n"], ["", "New staff\n"], ["Closed\n", ""]] {
        assert_eq!(told(&at("old", was), &at("new", is)), told_as, "{was:?} → {is:?}");
    }
}

#[test]
fn a_link_that_many_texts_have_is_told_behind_its_own_heading() {
    let plans = |number: u32, last: &str| {
        let plan = |name: &str| format!("{name}\n[Get started](/{name}{number})\n");
        ["Free", "Pro", "Team"].map(plan).concat() + last
    };
    let told = told(&plans(1, "Fast delivery\nTom B."), &plans(2, "They fixed it\nPritha D."));
    let leads = |name: &str| format!("[Get started](/{name}1) → [Get started](/{name}2)");
    assert_eq!(told, ["Free", "Pro", "Team"].map(leads));
}

#[test]
fn a_picture_with_its_link_is_told_once() {
    let (old, new) = ("Offer", "Offer[Sale](/sale)![Sale](/sale.png)");
    let new = new.replace("[Sale](/sale)!", "[](/sale)!");
    assert_eq!(told(old, &new), ["+![Sale](/sale.png)"]);
    let other = new.replace("sale", "spring");
    assert_eq!(told(&new, &other), ["![Sale](/sale.png) → ![Sale](/spring.png)"]);
}

#[test]
fn a_picture_comes_with_a_text_that_counts_and_with_no_other() {
    assert_eq!(told("One", "One\nTwo![](/2.png)"), NOTHING);
    // The footer's new line says nothing of a picture of the main content.
    let mut new = page("One\n~Two![](/2.png)");
    new.images[0].part = Part::Main;
    let old = page("One");
    let found = any::compare(&Pair::new(&old, &new), &Limits::default());
    assert_eq!(found.iter().filter(|one| one.part == Some(Part::Main)).count(), 1);
}

#[test]
fn a_page_that_is_equal_has_no_such_change() {
    let all = "[A](/a) [A](/a)![x](/x)\n[](/n)![](/x)\n~[A](/b)";
    assert_eq!(told(all, all), NOTHING);
}

/// Links or pictures that a list is drawn from.
fn things() -> impl Strategy<Value = Vec<(&'static str, &'static str, Option<usize>)>> {
    let address = prop::sample::select(&["/a", "/b", "/c", "http://x/a", "https://x/a"][..]);
    let text = prop::sample::select(&["", "one", "two"][..]);
    prop::collection::vec((address, text, prop::option::of(0usize..3)), 0..7)
}

fn fates() -> impl Strategy<Value = Fates> {
    let fate = prop_oneof![
        (0usize..3).prop_map(Fate::Stayed),
        (0usize..3).prop_map(Fate::Changed),
        Just(Fate::Alone(Weight::FULL)),
    ];
    let three = || prop::collection::vec(fate.clone(), 3);
    (three(), three()).prop_map(|(old, new)| Fates { old, new })
}

fn list(things: Vec<(&'static str, &'static str, Option<usize>)>) -> Vec<One<'static>> {
    let one = |(address, text, block)| One {
        place: leads::place(address).into_owned(),
        address,
        text,
        part: Part::Main,
        block,
    };
    things.into_iter().map(one).collect()
}

/// Whether two are one thing.
type Rule<'r> = &'r dyn Fn(&One<'_>, &One<'_>) -> bool;

/// The first old one that is free and of which a rule holds, for each new one in turn.
fn slow([old, new]: Two<'_>, silent: &[Rule<'_>], rules: &[(Rule<'_>, bool)]) -> Vec<Turn> {
    let (mut old_free, mut new_free) = (vec![true; old.len()], vec![true; new.len()]);
    let mut turns = Vec::new();
    let silent = silent.iter().map(|rule| (*rule, false));
    for (holds, is_update) in silent.chain(rules.iter().copied()) {
        for n in 0..new.len() {
            let partner = (0..old.len()).find(|&o| old_free[o] && holds(&old[o], &new[n]));
            let Some(o) = partner.filter(|_| new_free[n]) else { continue };
            (old_free[o], new_free[n]) = (false, false);
            turns.extend(is_update.then_some(Turn::Update(o, n)));
        }
    }
    turns.extend((0..new.len()).filter(|&n| new_free[n]).map(Turn::Insert));
    turns.sort_by_key(|turn| match *turn {
        Turn::Insert(n) | Turn::Update(_, n) => n,
        Turn::Delete(o) => o,
    });
    turns.extend((0..old.len()).filter(|&o| old_free[o]).map(Turn::Delete));
    turns
}

proptest! {
    #[test]
    fn pairing_is_what_trying_all_pairs_gives(old in things(), new in things(), fates in fates()) {
        let (old, new) = (list(old), list(new));
        let two = [&*old, &*new];
        let written = |o: &One<'_>, n: &One<'_>| (o.address, o.text) == (n.address, n.text);
        let meant = |o: &One<'_>, n: &One<'_>| (&o.place, o.text) == (&n.place, n.text);
        let place = |o: &One<'_>, n: &One<'_>| o.place == n.place;
        let here = |o: &One<'_>, n: &One<'_>| match n.block.map(|block| fates.new[block]) {
            None => o.block.is_none(),
            Some(Fate::Stayed(block) | Fate::Changed(block)) => o.block == Some(block),
            Some(Fate::Alone(_)) => false,
        };
        let named = |o: &One<'_>, n: &One<'_>| here(o, n) && o.text == n.text;
        let in_front = |one: &One<'_>| one.block.and_then(|block| block.checked_sub(1));
        let behind = |o: &One<'_>, n: &One<'_>| match in_front(n).map(|block| fates.new[block]) {
            None => in_front(o).is_none(),
            Some(Fate::Stayed(block) | Fate::Changed(block)) => in_front(o) == Some(block),
            Some(Fate::Alone(_)) => false,
        };
        let called_behind =
            |o: &One<'_>, n: &One<'_>| behind(o, n) && o.text == n.text && !o.text.is_empty();
        let written_here = |o: &One<'_>, n: &One<'_>| here(o, n) && written(o, n);
        let meant_here = |o: &One<'_>, n: &One<'_>| here(o, n) && meant(o, n);
        let silent: [Rule<'_>; 4] = [&written_here, &meant_here, &written, &meant];
        let of_links = slow(two, &silent, &[(&named, true), (&place, false)]);
        prop_assert_eq!(link_turns(two, &fates), of_links);
        let rules: [(Rule<'_>, bool); 4] =
            [(&place, true), (&named, true), (&here, true), (&called_behind, true)];
        prop_assert_eq!(picture_turns(two, &fates), slow(two, &silent, &rules));
    }
}

#[test]
fn a_link_that_says_another_place_in_its_list_leads_where_it_led() {
    use crate::aspects::any::told::told;
    let page = |order: &[&str], name: &str| {
        let row = |(at, one): (usize, &&str)| {
            format!("<li><a href='/item/{one}?{name}={at}'>The offer called {one}</a></li>")
        };
        let rows: String = order.iter().enumerate().map(row).collect();
        format!("<h1>Results</h1><ol>{rows}</ol>")
    };
    for name in ["pos", "rank", "position", "idx"] {
        let [old, new] = [["a", "b", "c"], ["b", "a", "c"]].map(|order| page(&order, name));
        assert_eq!(told(&old, &new), [""; 0], "{name}");
    }
    let one = |query: &str| format!("<h1>Jobs</h1><p><a href='/apply?{query}'>Apply for it</a>");
    assert_eq!(told(&one("position=12"), &one("position=15")).len(), 1, "another job");
    assert_eq!(told(&one("pos=1&id=3"), &one("pos=2&id=4")).len(), 1, "another thing");
}
