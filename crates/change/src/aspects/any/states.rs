//! What moved from under one state of things to another: from "Confirmed" to "Cancelled".

use super::Step;
use crate::found::{Found, Pair, Side};
use crate::{ChangeKind, Thing};
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Longer headings say more than a state.
const HEADING_BYTES_MAX: usize = 60;

/// A state that somebody brought about. What time alone brings about, as that an event is over, is
/// none.
static STATE: LazyLock<Regex> = LazyLock::new(|| {
    let english = r"accepted|active|adopted|approved|assigned|available|blocked|cancell?ed|closed|completed|confirmed|considering|decided|declined|delayed|delivered|deprecated|dismissed|done|draft|failed|fixed|in (?:force|progress|review)|investigating|on (?:hold|time)|open|ongoing|passed|pending|planned|postponed|proposed|rejected|released|repealed|reserved|resolved|sent|settled|shipped|signed|sold(?: out)?|suspended|to ?do|unavailable|under (?:construction|debate|development|review)|upheld|waiting|withdrawn";
    let others = r"abgelehnt|abgesagt|abgeschlossen|angenommen|beschlossen|bestätigt|entschieden|erledigt|geplant|geschlossen|gültig|in (?:arbeit|bearbeitung|kraft)|offen|reserviert|verkauft|verschoben|zurückgezogen|adoptée?s?|annulée?s?|approuvée?s?|confirmée?s?|en (?:cours|vigueur)|ouverte?s?|fermée?s?|rejetée?s?|reportée?s?|abiert[ao]s?|aprobad[ao]s?|cancelad[ao]s?|cerrad[ao]s?|confirmad[ao]s?|en curso|rechazad[ao]s?|annullat[aeio]|approvat[aeio]|apert[aeio]|chius[aeio]|confermat[aeio]|in corso|respint[aeio]|aangenomen|afgelast|afgewezen|bevestigd|gesloten|verkocht";
    // One word may say of what: "Pending cases", "Bills under debate".
    let regex =
        format!(r"(?i)^\P{{L}}*(?:\p{{L}}+ )?(?:{english}|{others})(?: \p{{L}}+)?\P{{L}}*$");
    Regex::new(&regex).expect("a regex that a test compiles")
});

/// The heading that a text stands under, or that a heading does.
fn heading<'s>(side: &'s Side<'_>, block: usize) -> Option<&'s str> {
    let is_heading = side.extract.blocks.get(block)?.level() > 0;
    let reading = side.reading();
    if is_heading { reading.parent(block) } else { reading.heading(block) }
}

fn is_state(heading: &str) -> bool {
    heading.len() <= HEADING_BYTES_MAX && STATE.is_match(heading)
}

/// Bytes of a text that is told with both of its states.
const TOLD_BYTES_MAX: usize = 120;

/// A state without what is counted beside it.
fn words(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The texts that moved from under one state to another, by their places in what was found. A state
/// that has another name now is the same one.
fn moved<'p>(steps: &[Step], pair: &'p Pair<'_>) -> Vec<(usize, [&'p str; 2])> {
    let mut headings: Option<[FxHashSet<String>; 2]> = None;
    let mut stood = |is: &str, was: &str| {
        let of = |side: &Side<'_>| -> FxHashSet<String> {
            let headings = side.extract.blocks.iter().filter(|block| block.level() > 0);
            headings.map(|block| words(&block.text)).collect()
        };
        let [old, new] = headings.get_or_insert_with(|| [of(&pair.old), of(&pair.new)]);
        old.contains(&words(is)) || new.contains(&words(was))
    };
    let mut moved = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let Step::Move(o, n) = *step else { continue };
        let [was, is] = [(&pair.old, o), (&pair.new, n)]
            .map(|(side, block)| heading(side, block).unwrap_or_default());
        if words(was) != words(is) && is_state(was) && is_state(is) && stood(is, was) {
            moved.push((at, [was, is]));
        }
    }
    moved
}

/// A text that moved is news where both headings that it stood under name a state, and no other of
/// its page says the same. It is told with both: "Fireworks: Planned" became "Fireworks: Shipped".
/// What is said of a card whose name is told so is not. O(n) where something moved so.
pub(super) fn tell(found: &mut [Found], steps: &[Step], pair: &Pair<'_>) {
    let mut moved = moved(steps, pair);
    if moved.is_empty() {
        return;
    }
    let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
    for block in [&pair.old, &pair.new].into_iter().flat_map(|side| &side.extract.blocks) {
        *uses.entry(&*block.text).or_default() += 1;
    }
    // Once on either page.
    moved.retain(|(at, _)| {
        found[*at].text().and_then(|text| uses.get(text)).is_some_and(|uses| *uses <= 2)
    });
    let names: FxHashSet<usize> = moved.iter().filter_map(|(at, _)| steps[*at].now()).collect();
    for (at, [was, is]) in moved {
        let thing = steps[at].now().and_then(|n| pair.new.reading().thing_at(n));
        if thing.is_some_and(|name| names.contains(&name)) {
            continue;
        }
        let one = &mut found[at];
        one.is_slight = false;
        let text = one.text().filter(|text| text.len() <= TOLD_BYTES_MAX && one.told.is_none());
        if let Some(text) = text.map(str::to_owned) {
            let mark = if text.ends_with(char::is_alphanumeric) { ":" } else { " –" };
            let stands = |heading: &str| {
                let heading = heading.trim_end_matches([':', ' ']);
                Some(Thing::Text { text: format!("{text}{mark} {heading}") })
            };
            (one.old, one.new, one.kind) = (stands(was), stands(is), ChangeKind::Update);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::told;

    fn page(states: [&str; 2], first: &[&str], second: &[&str]) -> String {
        let list = |items: &[&str]| -> String {
            items.iter().map(|item| format!("<li>{item}</li>")).collect()
        };
        let [one, two] = states;
        let (first, second) = (list(first), list(second));
        format!("<h1>All</h1><h2>{one}</h2><ul>{first}</ul><h2>{two}</h2><ul>{second}</ul>")
    }

    #[test]
    fn what_moved_to_another_state_is_told() {
        let before =
            [&["Open air cinema night", "Flea market of the town"][..], &["Fireworks show"]];
        let after =
            [&["Flea market of the town"][..], &["Fireworks show", "Open air cinema night"]];
        for (states, count) in [
            (["Confirmed", "Cancelled"], 1),
            (["In progress", "Shipped"], 1),
            (["Bestätigt", "Abgesagt"], 1),
            (["Pending cases", "Bills under debate"], 1),
            (["Upcoming", "Past events"], 0),
            (["Open to the sky", "Closed circuit for everybody"], 0),
            (["Top stories", "More stories"], 0),
        ] {
            let [old, new] = [before, after].map(|[one, two]| page(states, one, two));
            assert_eq!(told(&old, &new).len(), count, "{states:?}");
        }
        let [old, new] =
            [before, after].map(|[one, two]| page(["Confirmed", "Cancelled"], one, two));
        let said = "Open air cinema night: Confirmed -> Open air cinema night: Cancelled";
        assert_eq!(told(&old, &new), [said]);
    }

    #[test]
    fn a_column_of_a_board_is_no_card_and_a_state_that_is_counted_is_the_same() {
        let column = |state: &str, items: &[&str]| {
            let items: String = items.iter().map(|item| format!("<p>{item}</p>")).collect();
            format!("<div class=col><h2>{state}</h2>{items}</div>")
        };
        let page = |planned: &[&str], started: &[&str]| {
            format!(
                "<h1>Board</h1>{}{}",
                column("Planned", planned),
                column("In progress", started)
            )
        };
        let old = page(&["Fix the roof", "Mow the lawn"], &["Paint the hall"]);
        let new = page(&["Mow the lawn"], &["Fix the roof", "Paint the hall"]);
        let said = "Fix the roof: Planned -> Fix the roof: In progress";
        assert_eq!(told(&old, &new), [said]);
        let counted = |state: &str, items: &[&str]| format!("<h1>All</h1>{}", column(state, items));
        let [old, new] =
            [("Open (2)", ["Mow the lawn", "Buy tea"]), ("Open (3)", ["Buy tea", "Mow the lawn"])]
                .map(|(state, items)| counted(state, &items));
        assert!(told(&old, &new).iter().all(|one| !one.contains("Mow")), "the order alone");
    }

    #[test]
    fn a_card_that_moved_is_told_once_and_keeps_its_number() {
        let card = |(name, votes): &(&str, u32)| {
            format!(
                "<div class=c><div>▲ {votes}</div><div>{name}</div><div>For {name}.</div></div>"
            )
        };
        let page = |planned: &[(&str, u32)], started: &[(&str, u32)]| {
            let [planned, started] =
                [planned, started].map(|all| all.iter().map(card).collect::<String>());
            format!("<h1>Plans</h1><h2>Planned</h2>{planned}<h2>In progress</h2>{started}")
        };
        let old = page(&[("Sign-in", 412), ("Tables", 97)], &[("Offline", 388), ("Export", 9)]);
        let new = page(&[("Tables", 98)], &[("Sign-in", 418), ("Offline", 388), ("Export", 9)]);
        let said = ["▲ 97 -> ▲ 98", "▲ 412 -> ▲ 418", "Sign-in: Planned -> Sign-in: In progress"];
        assert_eq!(told(&old, &new), said);
    }
}
