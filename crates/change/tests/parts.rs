//! Texts, values and items: what regions show, compared.

use change::{
    Aspect, ChangeKind, ChangeType, Compared, Comparison, Leaf, Limits, Pairing, RoundRequest,
    Slight, Thing, View, label, run,
};
use chronon::VersionNo;
use page::{Block, Extract, Item, Kind};
use std::collections::BTreeSet;
use std::sync::Arc;

fn list(texts: &[&str]) -> Extract {
    Extract {
        blocks: texts.iter().map(|text| Block::plain(*text)).collect(),
        ..Extract::empty(Kind::Html)
    }
}

fn feed(ids: impl IntoIterator<Item = u32>) -> Extract {
    let item = |id: u32| Item {
        id: format!("https://n.example/?p={id}"),
        title: format!("Story {id}"),
        href: format!("https://n.example/{id}"),
        text: String::new(),
        at: None,
    };
    Extract { kind: Kind::Feed, items: ids.into_iter().map(item).collect(), ..list(&[]) }
}

fn of(aspect: Aspect, tests: &[&str]) -> ChangeType {
    ChangeType::of(aspect, tests.iter().copied()).in_view(View::Selected("css \"p\"".into()))
}

fn compared(old: Extract, new: Extract, joint: ChangeType, own: &[ChangeType]) -> Compared {
    let leaf = |change_type: &ChangeType| Leaf {
        change_type: change_type.clone(),
        directions: BTreeSet::new(),
        matching: None,
    };
    let comparison = Comparison {
        from: VersionNo(1),
        to: VersionNo(2),
        change_type: joint,
        leaves: own.iter().map(leaf).collect(),
        pairing: Pairing::Alike,
        earlier: vec![],
        status: None,
    };
    let versions = [Arc::new(old), Arc::new(new)];
    let mut load = |version: VersionNo, _: &View| Ok(versions[version.0 as usize - 1].clone());
    let request = RoundRequest { comparisons: vec![comparison], sources: vec![] };
    run(&request, &mut load, &Limits::default()).comparisons.remove(0)
}

/// The changes of one type, as `kind old > new`.
fn changes(aspect: Aspect, old: &[&str], new: &[&str]) -> Vec<String> {
    let own = of(aspect, &[]);
    let compared = compared(list(old), list(new), own.clone(), &[own]);
    let shown = |thing: &Option<Thing>| match thing {
        Some(Thing::Value { value, unit, .. }) => {
            format!("{value} {}", unit.as_deref().unwrap_or_default()).trim().to_owned()
        }
        Some(thing) => thing.text().to_owned(),
        None => "-".to_owned(),
    };
    let all = compared.changes.iter();
    all.map(|c| format!("{:?} {} > {}", c.kind, shown(&c.old), shown(&c.new))).collect()
}

#[test]
fn a_text_is_updated_however_unlike_it_becomes() {
    let text = |old: &[&str], new: &[&str]| changes(Aspect::Text, old, new);
    let (old, new) = ("In stock, sent tomorrow", "Sold out for ever and a day");
    assert_eq!(text(&[old], &[new]), [format!("Update {old} > {new}")]);
    assert_eq!(text(&["a"], &[""]), ["Update a > "]);
    assert_eq!(text(&["a", "b", "c"], &["a", "c", "d"]), ["Delete b > -", "Insert - > d"]);
    assert_eq!(text(&["a", "b", "c"], &["a", "x", "c"]), ["Update b > x"]);
    assert_eq!(text(&["a", "b"], &["b", "a"]).len(), 1, "one of them moved");
}

#[test]
fn values_are_compared_as_numbers_with_units() {
    let value = |old: &[&str], new: &[&str]| changes(Aspect::Value, old, new);
    assert_eq!(value(&["1.299,00 €"], &["1299 EUR"]), Vec::<String>::new());
    assert_eq!(value(&["45 €"], &["39,90 €"]), ["Update 45 EUR > 39.9 EUR"]);
    assert_eq!(value(&["45 €"], &["$45"]), ["Update 45 EUR > 45 USD"]);
    assert_eq!(value(&["45 €"], &["sold out"]), ["Delete 45 EUR > -"]);
    assert_eq!(value(&["sold out"], &["45 €"]), ["Insert - > 45 EUR"]);
    assert_eq!(value(&["sold out"], &["gone"]), Vec::<String>::new());
    assert_eq!(value(&["1 €", "2 €"], &["1 €", "3 €"]), ["Update 2 EUR > 3 EUR"]);
}

#[test]
fn each_leaf_keeps_what_its_own_test_fires_on() {
    let joint = of(Aspect::Value, &["< 40", "< 40 USD", "changes by 10 %"]);
    let own =
        [&["< 40"][..], &["< 40 USD"], &["changes by 10 %"], &[]].map(|t| of(Aspect::Value, t));
    let hits = |old: &str, new: &str| {
        let compared = compared(list(&[old]), list(&[new]), joint.clone(), &own);
        compared.leaves.iter().map(|leaf| leaf.hits_total).collect::<Vec<u32>>()
    };
    assert_eq!(hits("41 €", "39 €"), [1, 0, 0, 1]);
    assert_eq!(hits("39 €", "30 €"), [0, 0, 1, 1]);
    assert_eq!(hits("45 €", "44 €"), [0, 0, 0, 1]);
    assert_eq!(hits("$41", "$30"), [1, 1, 1, 1]);
    assert_eq!(hits("41 €", "$30"), [0, 0, 0, 1]);
    let alone = compared(list(&["45"]), list(&["44"]), own[0].clone(), &own[..1]);
    assert_eq!(alone.leaves[0].hits_total, 0, "a comparison for one leaf keeps no more than it");
}

#[test]
fn a_selector_that_finds_nothing_is_no_change_to_nothing() {
    let gone = Extract { missing: Some("css \"p\" finds nothing".into()), ..list(&[]) };
    for (old, new) in [(list(&["a"]), gone.clone()), (gone, list(&["a"]))] {
        let own = of(Aspect::Text, &[]);
        let compared = compared(old, new, own.clone(), &[own]);
        assert_eq!(compared.failed.as_deref(), Some("css \"p\" finds nothing"));
        assert!(compared.changes.is_empty());
    }
}

#[test]
fn items_are_told_apart_by_id() {
    let own = ChangeType::plain(Aspect::Items).in_view(View::Selected("items".into()));
    let kinds = |old: Extract, new: Extract| {
        let compared = compared(old, new, own.clone(), std::slice::from_ref(&own));
        let kinds: Vec<ChangeKind> = compared.changes.iter().map(|change| change.kind).collect();
        (kinds, compared.parts_read)
    };
    let none = Vec::<String>::new();
    assert_eq!(kinds(feed(1..4), feed([4, 1, 3])).0, [ChangeKind::Insert, ChangeKind::Delete]);
    assert_eq!(kinds(feed(1..4), feed([1, 3])), (vec![ChangeKind::Delete], none));
    let mut retitled = feed(1..4);
    retitled.items[1].title.push('!');
    assert_eq!(kinds(feed(1..4), retitled).0, [ChangeKind::Update]);
    let missed = |old, new| kinds(feed(old), feed(new)).1;
    let feed_turned = "the feed turned over between two looks:";
    assert_eq!(missed(1..11, 23..33), [format!("{feed_turned} at least 12 more were missed")]);
    assert_eq!(missed(1..11, 11..21), [format!("{feed_turned} more may have been missed")]);
    assert_eq!(missed(1..1, 11..21), Vec::<String>::new());
}

#[test]
fn an_entry_that_made_room_is_told_to_who_asks_for_what_is_gone() {
    let own = ChangeType::plain(Aspect::Items).in_view(View::Selected("items".into()));
    let hits = |old: &[u32], new: &[u32]| {
        let leaf = |directions: &[ChangeKind]| Leaf {
            change_type: own.clone(),
            directions: directions.iter().copied().collect(),
            matching: None,
        };
        let all: [&[ChangeKind]; 4] =
            [&[], &[ChangeKind::Delete], &[ChangeKind::Insert], &[ChangeKind::Update]];
        let comparison = Comparison {
            from: VersionNo(1),
            to: VersionNo(2),
            change_type: own.clone(),
            leaves: all.map(leaf).to_vec(),
            pairing: Pairing::Alike,
            earlier: vec![],
            status: None,
        };
        let versions = [old, new].map(|ids| Arc::new(feed(ids.iter().copied())));
        let mut load = |version: VersionNo, _: &View| Ok(versions[version.0 as usize - 1].clone());
        let request = RoundRequest { comparisons: vec![comparison], sources: vec![] };
        let compared = run(&request, &mut load, &Limits::default()).comparisons.remove(0);
        compared.leaves.iter().map(|leaf| leaf.hits_total).collect::<Vec<u32>>()
    };
    assert_eq!(hits(&[3, 2, 1], &[4, 3, 2]), [1, 1, 1, 0]);
    assert_eq!(hits(&[1, 2, 3], &[2, 3, 4]), [1, 1, 1, 0], "the newest come last");
    assert_eq!(hits(&[3, 2, 1], &[3, 2]), [0, 1, 0, 0]);
    assert_eq!(hits(&[3, 2, 1], &[4, 3, 1]), [2, 1, 1, 0], "it was taken back");
    assert_eq!(hits(&[2, 1], &[4, 3]), [4, 2, 2, 0], "nothing stayed");
}

#[test]
fn an_entry_whose_address_has_another_token_is_the_same() {
    let own = ChangeType::plain(Aspect::Items).in_view(View::Selected("items".into()));
    let kinds = |old: &Extract, new: &Extract| {
        let (old, new) = (old.clone(), new.clone());
        let compared = compared(old, new, own.clone(), std::slice::from_ref(&own));
        compared.changes.iter().map(|change| change.kind).collect::<Vec<_>>()
    };
    let leading = |ids: &[u32], end: &str| {
        let mut feed = feed(ids.iter().copied());
        feed.items.iter_mut().for_each(|item| item.href.push_str(end));
        feed
    };
    let anonymous = |ids: &[u32], end: &str| {
        let mut feed = leading(ids, end);
        feed.items.iter_mut().for_each(|item| item.id.clone_from(&item.href));
        feed
    };
    for [old, new] in [["?sid=a81f90", "?sid=887309"], ["?cb=0", "?cb=919"]] {
        assert_eq!(kinds(&leading(&[2, 1], old), &leading(&[2, 1], new)), [], "{new}");
        assert_eq!(kinds(&anonymous(&[2, 1], old), &anonymous(&[2, 1], new)), [], "{new}");
        let more = anonymous(&[3, 2, 1], new);
        assert_eq!(kinds(&anonymous(&[2, 1], old), &more), [ChangeKind::Insert], "{new}");
    }
    let moved = kinds(&leading(&[2, 1], "?p=7"), &leading(&[2, 1], "?p=8"));
    assert_eq!(moved, [ChangeKind::Update; 2], "they lead elsewhere");
    // Where tokens stay, another one is of another entry.
    let mut notices = anonymous(&[2, 1], "?sid=a81f90");
    let mut newer = notices.clone();
    newer.items[0].id = newer.items[0].id.replace("a81f90", "b7720c");
    newer.items[0].href = newer.items[0].id.clone();
    assert_eq!(kinds(&notices, &newer), [ChangeKind::Insert, ChangeKind::Delete]);
    // A site that is only safe now has the entries that it had.
    for item in &mut notices.items {
        item.id = item.id.replace("https:", "http:");
        item.href.clone_from(&item.id);
    }
    assert_eq!(kinds(&notices, &anonymous(&[2, 1], "?sid=a81f90")), []);
}

#[test]
fn a_label_says_what_the_language_says() {
    let leaf = |change_type| Leaf {
        change_type,
        directions: [ChangeKind::Insert].into(),
        matching: Some("x".into()),
    };
    let view = r#"css ".p" outside css "nav" ignoring "a" in de"#;
    let value = ChangeType::of(Aspect::Value, ["< 40"]).in_view(View::Selected(view.into()));
    let said = r#"value of css ".p" < 40 outside css "nav" ignoring "a" in de added matching "x""#;
    assert_eq!(label(&leaf(value)), said);
    let links = ChangeType::plain(Aspect::Links);
    let scoped = links.in_view(View::Selected(r#"inside css "main""#.into()));
    assert_eq!(label(&leaf(scoped)), r#"all links inside css "main" added matching "x""#);
    let items = ChangeType::plain(Aspect::Items).in_view(View::Selected("items".into()));
    assert_eq!(label(&leaf(items)), r#"items added matching "x""#);
}

#[test]
fn an_entry_that_was_listed_before_is_listed_again() {
    let feed = |entries: &[(&str, u32)]| {
        let entry = |(id, day): &(&str, u32)| {
            let date = format!("{day} Jan 2026 08:00:00 GMT");
            format!("<item><guid>{id}</guid><title>T{id}</title><pubDate>{date}</pubDate></item>")
        };
        let entries: String = entries.iter().map(entry).collect();
        let text = format!("<rss version='2.0'><channel>{entries}</channel></rss>");
        let url = url::Url::parse("https://site.example/feed").unwrap();
        let hints = page::Hints { content_type: Some("application/rss+xml"), url: &url };
        Arc::new(page::read(text.as_bytes(), &hints, &page::Limits::default()).unwrap())
    };
    let told = |new: &[(&str, u32)]| {
        let first = feed(&[("d", 14), ("c", 13), ("b", 12), ("a", 11)]);
        let versions = [first, feed(&[("d", 14), ("c", 13), ("a", 11)]), feed(new)];
        let any = ChangeType::plain(Aspect::Any);
        let leaf = Leaf { change_type: any.clone(), directions: BTreeSet::new(), matching: None };
        let comparison = Comparison {
            from: VersionNo(2),
            to: VersionNo(3),
            change_type: any,
            leaves: vec![leaf],
            pairing: Pairing::Alike,
            earlier: vec![VersionNo(1)],
            status: None,
        };
        let mut load = |version: VersionNo, _: &View| Ok(versions[version.0 as usize - 1].clone());
        let request = RoundRequest { comparisons: vec![comparison], sources: vec![] };
        let compared = run(&request, &mut load, &Limits::default()).comparisons.remove(0);
        let said = compared.changes.iter().map(|one| one.new.as_ref().unwrap().text().to_owned());
        (said.collect::<Vec<_>>(), compared.slight.into_iter().collect::<Vec<_>>())
    };
    let again = vec![(Slight::Again, 1)];
    let is_told = |new: &[(&str, u32)], title: &str| {
        assert_eq!(told(new), (vec![title.to_owned()], vec![]), "{new:?}");
    };
    assert_eq!(told(&[("d", 14), ("c", 13), ("b", 12), ("a", 11)]), (vec![], again.clone()));
    let with_news = [("e", 15), ("d", 14), ("c", 13), ("b", 12), ("a", 11)];
    assert_eq!(told(&with_news), (vec!["Te".to_owned()], again));
    is_told(&[("d", 14), ("c", 13), ("x", 12), ("a", 11)], "Tx");
    is_told(&[("b", 15), ("d", 14), ("c", 13), ("a", 11)], "Tb");
    is_told(&[("d", 14), ("c", 13), ("a", 11), ("y", 10)], "Ty");
}
