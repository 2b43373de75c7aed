//! Cards that came or went: goods of a shop, offers of a list, made of several texts each.

use super::{Likeness, Pair, Step, difference};
use crate::found::{Found, Side};
use crate::reading;
use crate::{ChangeKind, Limits, Thing};
use page::Block;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Puts what came between two cards where a card begins. Where each card has an equal text, either
/// of two may be the one that stayed: "Apply now" behind the card before, or of the new one.
/// O(n).
pub(super) fn slide(steps: &mut [Step], pair: &Pair<'_>) {
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    let came = steps.iter().enumerate().filter_map(|(at, step)| match *step {
        Step::Insert(n) => Some((n, at)),
        _ => None,
    });
    let mut came: Vec<(usize, usize)> = came.collect();
    let went = steps.iter().enumerate().filter_map(|(at, step)| match *step {
        Step::Delete(o) => Some((o, at)),
        _ => None,
    });
    let mut went: Vec<(usize, usize)> = went.collect();
    let [mut stays_old, mut stays_new] = [vec![true; old.len()], vec![true; new.len()]];
    for step in steps.iter() {
        match *step {
            Step::Insert(n) => stays_new[n] = false,
            Step::Delete(o) => stays_old[o] = false,
            Step::Update(o, n) | Step::Move(o, n) => (stays_old[o], stays_new[n]) = (false, false),
        }
    }
    for (place, at) in slid(&mut came, new, &mut stays_new) {
        steps[at] = Step::Insert(place);
    }
    for (place, at) in slid(&mut went, old, &mut stays_old) {
        steps[at] = Step::Delete(place);
    }
}

/// The runs of places that came or went, each moved up or down to where a card begins. What it
/// passes must stay, and say what the run ends or begins with.
fn slid(runs: &mut [(usize, usize)], blocks: &[Block], stays: &mut [bool]) -> Vec<(usize, usize)> {
    runs.sort_unstable();
    let begins = |at: usize| blocks[at].card.is_some();
    let mut moved = Vec::new();
    for run in runs.chunk_by_mut(|a, b| a.0 + 1 == b.0) {
        let (start, end) = (run[0].0, run[run.len() - 1].0 + 1);
        let passes = |up: &usize| {
            let above = start.checked_sub(*up);
            above.is_some_and(|above| stays[above] && blocks[above].text == blocks[end - up].text)
        };
        if begins(start) {
            continue;
        }
        let most = (1..run.len()).take_while(passes).last().unwrap_or(0);
        if let Some(up) = (1..=most).find(|up| begins(start - up)) {
            moved.extend(run.iter().map(|(place, at)| (place - up, *at)));
            stays[start - up..start].fill(false);
            stays[end - up..end].fill(true);
            continue;
        }
        let passed = |down: &usize| {
            let below = end + down - 1;
            let is_same = |one: &Block| one.text == blocks[start + down - 1].text;
            stays.get(below) == Some(&true) && is_same(&blocks[below])
        };
        let most = (1..run.len()).take_while(passed).last().unwrap_or(0);
        if let Some(down) = (1..=most).find(|down| begins(start + down)) {
            moved.extend(run.iter().map(|(place, at)| (place + down, *at)));
            stays[end..end + down].fill(false);
            stays[start..start + down].fill(true);
        }
    }
    moved
}

/// Bytes of a text that says the same of several cards.
const BRIEF_BYTES_MAX: usize = 80;

/// Whether a text is more than a number: one alone may be a place among others, and all behind a
/// new note have others.
fn says_what(text: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,:#()-".contains(c);
    text.contains(|c: char| !is_of_number(c))
}

/// The cards of a version by their names, as far as no other has the same.
fn by_name(blocks: &[Block]) -> FxHashMap<&str, (usize, page::Card)> {
    let mut named: FxHashMap<&str, Option<(usize, page::Card)>> = FxHashMap::default();
    for (start, card) in reading::cards(blocks) {
        let name = &*blocks[start + card.name as usize].text;
        named.entry(name).and_modify(|one| *one = None).or_insert(Some((start, card)));
    }
    named.into_iter().filter_map(|(name, card)| Some((name, card?))).collect()
}

/// What became of each old block, and what each new one was.
fn partners(steps: &[Step], old: usize, new: usize) -> [Vec<Option<usize>>; 2] {
    let (mut is, mut was) = (vec![None; old], vec![None; new]);
    let (mut old_open, mut new_open) = (vec![true; old], vec![true; new]);
    for step in steps {
        match *step {
            Step::Insert(n) => new_open[n] = false,
            Step::Delete(o) => old_open[o] = false,
            Step::Update(o, n) | Step::Move(o, n) => {
                (is[o], was[n]) = (Some(n), Some(o));
                (old_open[o], new_open[n]) = (false, false);
            }
        }
    }
    let open = |all: Vec<bool>| (0..all.len()).filter(move |&at| all[at]).collect::<Vec<_>>();
    for (o, n) in open(old_open).into_iter().zip(open(new_open)) {
        (is[o], was[n]) = (Some(n), Some(o));
    }
    [is, was]
}

/// The texts of a card that stand for each other in both versions. Where both have as many, one
/// that has no other stands for that of its place.
fn counterparts(
    pair: &Pair<'_>,
    (olds, news): (Range<usize>, Range<usize>),
    are_alike: bool,
    limits: &Limits,
) -> Vec<(usize, usize)> {
    let (from, start) = (olds.start, news.start);
    let both = [&pair.old.extract.blocks[olds], &pair.new.extract.blocks[news]];
    let [old, new] =
        both.map(|blocks| blocks.iter().map(|block| &*block.text).collect::<Vec<&str>>());
    let steps = difference(&old, &new, Likeness::Words, limits);
    let [mut is, was] = partners(&steps, old.len(), new.len());
    for at in (0..old.len()).filter(|_| are_alike) {
        is[at] = is[at].or(Some(at).filter(|_| was[at].is_none()));
    }
    is.into_iter().enumerate().filter_map(|(o, n)| Some((from + o, start + n?))).collect()
}

/// Texts such as "Listed 2 days ago" stand in several cards. One that was paired with that of
/// another card, or with none, is paired with its counterpart in its own: "In stock" became "Sold
/// out". O(n), and bounded for each card.
pub(super) fn pair_within(steps: &mut Vec<Step>, pair: &Pair<'_>, limits: &Limits) {
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    let (before, after) = (by_name(old), by_name(new));
    if steps.is_empty() || before.is_empty() || after.is_empty() {
        return;
    }
    let [is, was] = partners(steps, old.len(), new.len());
    let is_brief = |(o, n): &(usize, usize)| {
        let mut texts = [&old[*o].text, &new[*n].text].into_iter();
        texts.all(|text| text.len() <= BRIEF_BYTES_MAX && says_what(text))
    };
    let mut pairs: FxHashMap<usize, usize> = FxHashMap::default();
    for (name, &(start, card)) in &after {
        // One that has another name now was paired by it.
        let renamed = || before.get(&*old[was[start + card.name as usize]?].text);
        let Some(&(from, other)) = before.get(name).or_else(renamed) else { continue };
        let olds = from..from + other.blocks as usize;
        let news = start..start + card.blocks as usize;
        let strays = |partner: Option<usize>, own: &Range<usize>| {
            partner.is_some_and(|at| !own.contains(&at))
        };
        let has_strayed = olds.clone().any(|o| strays(is[o], &news))
            || news.clone().any(|n| strays(was[n], &olds));
        let is_open = |(o, n): (usize, usize)| is[o].is_none() && was[n].is_none();
        let has_open = other == card && olds.clone().zip(news.clone()).any(is_open);
        if has_strayed || has_open {
            let own = counterparts(pair, (olds, news), other == card, limits);
            let open = own.into_iter().filter(|two| is[two.0] != Some(two.1) && is_brief(two));
            pairs.extend(open.map(|(o, n)| (n, o)));
        }
    }
    if pairs.is_empty() {
        return;
    }
    let taken: FxHashSet<usize> = pairs.values().copied().collect();
    steps.retain(|step| match *step {
        Step::Insert(n) => !pairs.contains_key(&n),
        Step::Delete(o) => !taken.contains(&o),
        Step::Update(o, n) | Step::Move(o, n) => !pairs.contains_key(&n) && !taken.contains(&o),
    });
    let mut more: Vec<Step> = Vec::new();
    for (&n, &o) in &pairs {
        let is_same = old[o].text == new[n].text;
        more.push(if is_same { Step::Move(o, n) } else { Step::Update(o, n) });
        more.extend(is[o].filter(|n| !pairs.contains_key(n)).map(Step::Insert));
        more.extend(was[n].filter(|o| !taken.contains(o)).map(Step::Delete));
    }
    let place = |step: &Step| match *step {
        Step::Insert(n) | Step::Update(_, n) | Step::Move(_, n) => n,
        Step::Delete(o) => is[..o].iter().rev().flatten().next().map_or(0, |n| n + 1),
    };
    more.sort_unstable_by_key(|step| (place(step), matches!(step, Step::Insert(_))));
    let mut merged = Vec::with_capacity(steps.len() + more.len());
    let mut more = more.into_iter().peekable();
    for step in steps.drain(..) {
        if !matches!(step, Step::Delete(_)) {
            while let Some(one) = more.next_if(|one| place(one) <= place(&step)) {
                merged.push(one);
            }
        }
        merged.push(step);
    }
    merged.extend(more);
    *steps = merged;
}

/// The changes of the blocks of each card that came or went, that of what names it first. A card
/// whose name is a heading is told as other sections are.
pub(crate) fn whole(found: &[Found], kind: ChangeKind, side: &Side<'_>) -> Vec<Vec<usize>> {
    let blocks = &side.extract.blocks;
    let own = found.iter().enumerate().filter(|(_, one)| one.kind == kind && is_text(one));
    let at: FxHashMap<usize, usize> =
        own.filter_map(|(at, one)| Some((one.block(side)?, at))).collect();
    let members = |(start, card): (usize, page::Card)| {
        let name = start + card.name as usize;
        let rest = (start..start + card.blocks as usize).filter(|block| *block != name);
        let members = std::iter::once(name).chain(rest).filter_map(|block| at.get(&block));
        let members: Vec<usize> = members.copied().collect();
        let is_whole = at.contains_key(&name) && members.len() * 2 > card.blocks as usize;
        (is_whole && members.len() > 1 && blocks[name].level() == 0).then_some(members)
    };
    reading::cards(blocks).filter_map(members).collect()
}

fn is_text(found: &Found) -> bool {
    matches!(found.new.as_ref().or(found.old.as_ref()), Some(Thing::Text { .. }))
}

#[cfg(test)]
mod tests {
    use crate::aspects::any::told::{read, told};
    use crate::{Aspect, ChangeType, Limits, compare};

    fn page(jobs: &[(&str, &str, &str)]) -> String {
        let card = |(job, place, pay): &(&str, &str, &str)| {
            format!(
                "<div class=job><div>{job}</div><div>{place}</div><div>{pay}</div>\
                 <a href=/apply>Apply now</a></div>"
            )
        };
        let cards: String = jobs.iter().map(card).collect();
        format!("<h1>Jobs</h1><h2>Open positions</h2>{cards}<p>We answer within a week.")
    }

    const JOBS: [(&str, &str, &str); 3] = [
        ("Engineer", "Berlin", "€70"),
        ("Designer", "Lisbon", "€60"),
        ("Analyst", "Berlin", "€52"),
    ];

    #[test]
    fn a_card_that_came_or_went_is_one_change() {
        let new = ("Manager", "Berlin", "€41");
        let said = "Manager | Berlin | €41 | Apply now";
        for at in 0..=3 {
            let mut jobs = JOBS.to_vec();
            jobs.insert(at, new);
            assert_eq!(told(&page(&JOBS), &page(&jobs)), [format!("- -> {said}")], "{at}");
            assert_eq!(told(&page(&jobs), &page(&JOBS)), [format!("{said} -> -")], "{at}");
        }
    }

    #[test]
    fn a_card_that_came_at_the_end_is_whole_where_another_changed_above_it() {
        let jobs = [("Designer", "Lisbon", "€65"), ("Engineer", "Berlin", "€70")];
        let after = [("Designer", "Lisbon", "€70"), jobs[1], ("Analyst", "Porto", "€52")];
        let [before, after] = [page(&jobs), page(&after)];
        let came = "Analyst | Porto | €52 | Apply now";
        assert_eq!(told(&before, &after), ["€65 -> €70".to_owned(), format!("- -> {came}")]);
        assert_eq!(told(&after, &before), ["€70 -> €65".to_owned(), format!("{came} -> -")]);
    }

    #[test]
    fn a_text_that_stands_in_several_cards_is_paired_within_its_own() {
        let page = |all: &[(&str, &str)]| {
            let card = |(name, said): &(&str, &str)| {
                format!("<div class=c><div>{name}</div><div>{said} % uptime</div></div>")
            };
            format!("<h1>Uptime</h1>{}", all.iter().map(card).collect::<String>())
        };
        let old = page(&[("API", "99.95"), ("Web", "99.98"), ("Mail", "99.95"), ("Auth", "100")]);
        let new = page(&[("API", "99.95"), ("Web", "99.95"), ("Mail", "99.91"), ("Auth", "100")]);
        let said = |was, is| format!("{was} % uptime -> {is} % uptime");
        assert_eq!(told(&old, &new), [said("99.98", "99.95"), said("99.95", "99.91")]);
        assert_eq!(told(&new, &old), [said("99.95", "99.98"), said("99.91", "99.95")]);
        let notes = |all: &[&str]| {
            let note = |(at, text): (usize, &&str)| {
                format!("<div class=c><div>{text}</div><div>{}</div></div>", at + 1)
            };
            format!("<h1>Notes</h1>{}", all.iter().enumerate().map(note).collect::<String>())
        };
        let more = told(&notes(&["Of use", "Of fees"]), &notes(&["Of age", "Of use", "Of fees"]));
        assert!(more.iter().all(|one| !one.contains("1 -> 2")), "numbers of notes: {more:?}");
        let without = page(&[("API", "99.95"), ("Mail", "99.91"), ("Auth", "100")]);
        let gone = "Web | 99.98 % uptime -> -".to_owned();
        assert_eq!(told(&old, &without), [gone, said("99.95", "99.91")]);
    }

    #[test]
    fn a_heading_behind_other_texts_of_its_card_stands_where_its_page_has_it() {
        let card = |(name, price): &(&str, &str)| {
            format!("<li><p>{price}</p><h3>{name}</h3><p>{name} is for sale.</p></li>")
        };
        let page = |all: &[(&str, &str)]| {
            format!(
                "<h1>Shop</h1><h2>Goods</h2><ul>{}</ul>",
                all.iter().map(card).collect::<String>()
            )
        };
        let any = ChangeType::plain(Aspect::Any);
        let (old, new) = ([("Mug", "€5"), ("Pot", "€9")], [("Mug", "€5"), ("Big pot", "€9")]);
        let [old, new] = [&old, &new].map(|goods| read(&page(goods)));
        let (changes, _) = compare(&old, &new, &any, &Limits::default());
        let under: Vec<_> = changes.iter().map(|one| one.heading.as_deref().unwrap()).collect();
        assert_eq!(under, ["Goods", "Big pot"]);
    }

    #[test]
    fn an_age_that_another_card_had_is_an_edit_of_its_own() {
        let card = |(name, age): &(&str, &str)| {
            format!(
                "<div class=c><h3>{name}</h3><p>Castle Street</p><p>Seen {age} by Ann</p></div>"
            )
        };
        let page = |all: &[(&str, &str)]| {
            format!("<h1>Houses</h1>{}", all.iter().map(card).collect::<String>())
        };
        let old = page(&[("Barn", "by day"), ("Mill", "by night")]);
        let new = page(&[("Barn", "at dusk"), ("Mill", "by day")]);
        let said = ["by day -> at dusk", "by night -> by day"].map(|said| {
            let (was, is) = said.split_once(" -> ").expect("two");
            format!("Seen {was} by Ann -> Seen {is} by Ann")
        });
        assert_eq!(told(&old, &new), said);
    }

    #[test]
    fn what_stands_at_one_place_of_a_card_is_an_edit_also_where_its_name_is_another() {
        let card = |(name, state): &(&str, &str)| {
            format!("<li><h3>{name}</h3><p>Mondays in room {}</p><p>{state}</p></li>", name.len())
        };
        let page = |all: &[(&str, &str)]| {
            format!("<h1>Courses</h1><ul>{}</ul>", all.iter().map(card).collect::<String>())
        };
        let old = [("Italian 2", "Fully booked, join the list"), ("Bookbinding", "Ships soon")];
        let new = [("Italian 3", "2 places left"), ("Bookbinding", "For sale")];
        let said = [
            "Italian 2 -> Italian 3",
            "Fully booked, join the list -> 2 places left",
            "Ships soon -> For sale",
        ];
        assert_eq!(told(&page(&old), &page(&new)), said);
    }

    #[test]
    fn texts_that_shifted_within_their_card_are_no_edits_of_each_other() {
        let page = |oslo: [&str; 3], rome: [&str; 3]| {
            let card = |(name, texts): (&str, [&str; 3])| {
                let texts = texts.map(|text| format!("<p>{text}</p>")).concat();
                format!("<div class=c><h3>{name}</h3>{texts}</div>")
            };
            format!("<h1>Weather</h1>{}{}", card(("Oslo", oslo)), card(("Rome", rome)))
        };
        let old = page(["Cloudy", "4°", "Wind 12"], ["Sunny", "19°", "Wind 4"]);
        let new = page(["4°", "Wind 4", "Storm"], ["Cloudy", "19°", "Wind 12"]);
        assert!(!told(&old, &new).iter().any(|one| one.contains("4° ->") || one.contains("-> 4°")));
    }

    #[test]
    fn what_changes_of_a_card_stands_under_its_name() {
        let mut jobs = JOBS;
        jobs[1].2 = "€65";
        let (old, new) = (read(&page(&JOBS)), read(&page(&jobs)));
        let any = ChangeType::plain(Aspect::Any);
        let (changes, total) = compare(&old, &new, &any, &Limits::default());
        assert_eq!((total, changes[0].heading.as_deref()), (1, Some("Designer")));
        assert!(changes[0].is_of_thing);
        jobs[1] = ("Head of design", "Lisbon", "€60");
        let (changes, _) = compare(&old, &read(&page(&jobs)), &any, &Limits::default());
        assert_eq!(changes[0].heading.as_deref(), Some("Open positions"), "its name is another");
        assert!(!changes[0].is_of_thing);
    }

    #[test]
    fn a_label_under_two_headings_is_of_the_one_that_it_stands_under() {
        let any = ChangeType::plain(Aspect::Any);
        let of = |old: &str, new: &str| {
            let page = |oil: &str| {
                format!(
                    "<h1>School</h1><p>Tuition: €9<h2>Oil</h2><p>For all who paint<p>{oil}\
                     <h2>Clay</h2><ul><li>Fee: €60<li>Free places</ul>"
                )
            };
            let [old, new] = [old, new].map(|oil| read(&page(oil)));
            let (changes, _) = compare(&old, &new, &any, &Limits::default());
            (changes[0].heading.clone().unwrap(), changes[0].is_of_thing)
        };
        let oil = |is_of_thing| ("Oil".to_owned(), is_of_thing);
        assert_eq!(of("Fee: €72", "Fee: €78"), oil(true));
        assert_eq!(of("Free places", "Booked out"), oil(true), "by what it was");
        assert_eq!(of("Costs: €72", "Costs: €78"), oil(false), "no other says so");
    }

    #[test]
    fn a_link_in_a_row_is_of_the_row() {
        let table = |file: &str| {
            let row = |name, file: &str| {
                format!("<tr><td>{name}</td><td>PDF</td><td><a href=/{file}>Form</a></td></tr>")
            };
            format!("<h2>Forms</h2><table>{}{}</table>", row("Visa", "v"), row("Passport", file))
        };
        let any = ChangeType::plain(Aspect::Any);
        let (old, new) = (read(&table("p1")), read(&table("p2")));
        let (changes, _) = compare(&old, &new, &any, &Limits::default());
        assert_eq!(changes[0].heading.as_deref(), Some("Passport"));
        assert!(changes[0].is_of_thing);
    }
}
