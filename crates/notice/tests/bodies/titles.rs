//! Titles of messages of pages.

use super::{block, change, changed, compared, json, summary};
use change::{Aspect, Change, ChangeKind, ChangeType, Thing};

fn title_of(changes: Vec<Change>) -> String {
    summary(&changed(vec![compared(ChangeType::plain(Aspect::Any), changes)]))
}

fn thing(text: &str) -> Option<Thing> {
    Some(Thing::Text { text: text.into() })
}

#[test]
fn a_promise_that_is_gone_is_said_beside_what_is_new() {
    let promise = "We do not sell your personal information or use it for marketing.";
    let gone = |text: &str| change(ChangeKind::Delete, thing(text), None);
    let ads = "We deliver content that fits you, and advertising, on our site and on those of \
               others that show it.";
    let both = "cnn.com: gone: “We do not sell your personal information or use it for \
                marketing.”; new: “We deliver content that fits you, and advertising, on our site and \
                on those of…”";
    assert_eq!(title_of(vec![block(ads), gone(promise)]), both);
    // What came says more than a passage that promises nothing.
    let address = gone("Write to us at 1 Kettle Street, Oslo, if you want to.");
    assert_eq!(title_of(vec![block(ads), address]), format!("cnn.com: new: “{ads}”; 1 gone"));
    let again = block("We do not sell your personal information, or use it for marketing, today.");
    assert!(!title_of(vec![again, gone(promise)]).contains("gone: “"), "it is said in other words");
    let update = |old: &str, new: &str| {
        let spans = change::spans(old, new);
        Change { spans, ..change(ChangeKind::Update, thing(old), thing(new)) }
    };
    let price = update("Price: 49.90 EUR", "Price: 39.90 EUR");
    assert_eq!(
        title_of(vec![price, gone(promise)]),
        "cnn.com: Price: 49.90 → 39.90 EUR; and 1 more"
    );
    let old = format!("Our keyboard learns as you type. {promise} You may ask us to forget it.");
    let edit = update(
        &old,
        "Our keyboard learns as you type. You may ask us to forget it, and we do so soon.",
    );
    assert!(
        title_of(vec![edit]).starts_with("cnn.com: gone: “We do not sell"),
        "a sentence of a text"
    );
}

#[test]
fn what_still_stands_is_not_said_to_be_gone() {
    let promise = "We do not sell your personal information or use it for marketing.";
    let update = |old: &str, new: &str| {
        let spans = change::spans(old, new);
        Change { spans, ..change(ChangeKind::Update, thing(old), thing(new)) }
    };
    let learns = "Our keyboard learns as you type.";
    let twice = format!("{promise} {learns} {promise} You may ask us to forget it.");
    let once = format!("{learns} {promise} You may ask us to forget it, and we do so.");
    let title = title_of(vec![update(&twice, &once)]);
    assert!(!title.contains("gone: “We do not sell"), "{title}");
}

#[test]
fn another_duty_throughout_is_news() {
    let duty = |word: &str, rest: &str| format!("You {word} {rest} before the lease of it ends.");
    let changed = |rest: &str| {
        let [old, new] = ["may", "must"].map(|word| duty(word, rest));
        let spans = change::spans(&old, &new);
        Change { spans, ..change(ChangeKind::Update, thing(&old), thing(&new)) }
    };
    let all = ["tell us where you live now", "return the kettle and its lid", "pay for its repair"];
    let changes: Vec<_> = all.into_iter().map(changed).chain([block("Tea is on us.")]).collect();
    let title = title_of(changes);
    assert!(title.contains("may → must") || title.contains("“may”"), "{title}");
}

#[test]
fn a_name_that_is_another_throughout_is_no_title_beside_other_news() {
    let renamed = |rest: &str| {
        let [old, new] = ["Acme", "Apex"].map(|name| format!("{name} {rest}"));
        let spans = change::spans(&old, &new);
        Change { spans, ..change(ChangeKind::Update, thing(&old), thing(&new)) }
    };
    let rest = "may end this agreement at any time, and need not say why it does";
    let mut changes = vec![
        Change { heads: true, ..renamed("kettle terms") },
        renamed(rest),
        renamed(&format!("{rest}, but does")),
    ];
    assert!(
        title_of(changes.clone()).contains("“Acme kettle terms” → “Apex kettle terms”"),
        "alone"
    );
    changes.push(block("You may ask."));
    assert_eq!(title_of(changes.clone()), "cnn.com: new: “You may ask.”; 3 changed");
    changes.truncate(2);
    changes.push(block("You may ask."));
    assert!(!title_of(changes).contains("You may"), "two of them are no rule");
}

#[test]
fn what_a_page_says_of_its_update_comes_first() {
    let said = |first: &str| {
        let clause = |n: u32| {
            block(format!("Clause {n} of these terms, which says what is owed to whom and when."))
        };
        let mut changes: Vec<Change> = (0..30).map(clause).collect();
        changes.push(block(first));
        title_of(changes)
    };
    let own = "We’ve refreshed our Privacy Statement.";
    assert_eq!(said(own), format!("cnn.com: new: “{own}”; and 30 more"));
    assert!(said("We updated the kettle.").starts_with("cnn.com: new: “Clause 0"), "no page");
    assert!(said("We sell your data under this policy.").starts_with("cnn.com: new: “Clause 0"));
}

#[test]
fn texts_that_lead_nowhere_now_are_said_together() {
    let off = |name: &str| {
        let link = Thing::Link { href: format!("https://{name}.example/"), text: name.into() };
        change(ChangeKind::Delete, Some(link), None)
    };
    let all = vec![off("Ana"), off("Bo"), off("Cy"), off("Di")];
    assert_eq!(title_of(all.clone()), "cnn.com: no longer links: “Ana”, “Bo”, “Cy” and 1 more");
    assert!(
        title_of(all[..1].to_vec()).contains("“Ana” is no longer a link"),
        "one is told as it is"
    );
    let beside = all.into_iter().chain([block("We close.")]).collect();
    assert!(title_of(beside).starts_with("cnn.com: new: “We close.”"));
}

#[test]
fn what_stands_outside_of_a_new_section_is_told_before_all_of_that() {
    let under = |heading: &str, text: &str| Change {
        heading: Some(heading.to_owned()),
        ..block(text.to_owned())
    };
    let clause = |n: u32| under("Fees", &format!("Clause {n} says at length what you owe to us."));
    let mut changes = vec![Change { heads_anew: true, ..under("Terms", "Fees") }];
    changes.extend((0..20).map(clause));
    changes.extend((0..8).map(|n| under("Partners", &format!("Partner {n}"))));
    let facts = changed(vec![compared(ChangeType::plain(Aspect::Any), changes)]);
    let fees = "Fees: Clause 0 says at length what you owe to us.";
    assert_eq!(summary(&facts), format!("cnn.com: new: “{fees}”; 8 changes elsewhere"));
    let body = json(&facts);
    let listed = body["changes"].as_array().expect("a list").iter();
    let partners = listed.take(12).filter(|one| one["heading"] == "Partners");
    assert_eq!(partners.count(), 6, "half of what is in sight");
}
