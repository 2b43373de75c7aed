//! Lists of days of which a page shows the latest: what falls off their end is no news, and nor is
//! a day of which nothing is said.

use super::{Pair, Step};
use crate::found::{Found, Side};
use crate::{ChangeKind, passing};
use page::{Block, Extract};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Days that both versions show.
const STAY_MIN: usize = 2;
/// Days that are looked at.
const DAYS_MAX: usize = 400;
/// A heading of so high a level ends what is said of a day, whatever the day is.
const SECTION_LEVEL_MAX: u8 = 2;

/// The days that came, and those that went at the other end, each with what is said of it.
#[derive(Default)]
pub(super) struct Days {
    came: Vec<Range<usize>>,
    went: Vec<Range<usize>>,
    /// Where the newer version has its list.
    listed: Range<usize>,
}

/// The texts of the main content that are nothing but a day.
fn days(extract: &Extract) -> Vec<usize> {
    let is_day = |block: &Block| {
        let is_marked = block.part.is_main() && block.row.is_none();
        is_marked && block.text.len() <= passing::LABEL_BYTES_MAX && passing::is_date(&block.text)
    };
    let all = extract.blocks.iter().enumerate().filter(|(_, block)| is_day(block));
    all.map(|(at, _)| at).take(DAYS_MAX).collect()
}

/// What is said of each day: as far as the next one, or the end of its section. The last one ends
/// at any heading and, where no heading does end it, behind as many texts as are said of another.
fn sections(blocks: &[Block], days: &[usize]) -> Vec<Range<usize>> {
    let mut most = 1;
    let mut sections = Vec::with_capacity(days.len());
    for (nth, &start) in days.iter().enumerate() {
        let next = days.get(nth + 1).copied();
        let end = next.unwrap_or(blocks.len());
        let ends = |block: &Block| {
            let is_above = block.level() > 0 && block.level() <= blocks[start].level();
            let is_other = next.is_none() && block.level() > 0;
            is_above
                || is_other
                || (1..=SECTION_LEVEL_MAX).contains(&block.level())
                || !block.part.is_main()
        };
        let rest = blocks[start + 1..end].iter().position(ends);
        let is_open = next.is_none() && rest.is_none();
        let end = rest.map_or(end, |rest| start + 1 + rest);
        let end = if is_open { end.min(start + most) } else { end };
        most = most.max(end - start);
        sections.push(start..end);
    }
    sections
}

impl Days {
    /// Where the days of the older version stand in the newer one, but for some that came in front,
    /// and some that went at the end: days to come are listed the other way round. O(n).
    pub(super) fn of(pair: &Pair<'_>) -> Days {
        let [old, new] = [pair.old.extract, pair.new.extract];
        let [was, is] = [days(old), days(new)];
        let text = |extract: &'_ Extract, at: &usize| extract.blocks[*at].text.clone();
        let olds: Vec<String> = was.iter().map(|at| text(old, at)).collect();
        let news: Vec<String> = is.iter().map(|at| text(new, at)).collect();
        let are_apart = |all: &[String]| all.iter().collect::<FxHashSet<_>>().len() == all.len();
        if was.len() < STAY_MIN || is.len() < STAY_MIN || !are_apart(&olds) || !are_apart(&news) {
            return Days::default();
        }
        let came = 0..news.iter().position(|day| *day == olds[0]).unwrap_or(0);
        let stay = is.len() - came.len();
        let went = stay.min(was.len())..was.len();
        let stays = |all: &[String], gone: &Range<usize>| -> Vec<String> {
            let stay = all.iter().enumerate().filter(|(at, _)| !gone.contains(at));
            stay.map(|(_, day)| day.clone()).collect()
        };
        let is_window = stay >= STAY_MIN && stays(&olds, &went) == stays(&news, &came);
        if !is_window || came.is_empty() || went.is_empty() {
            return Days::default();
        }
        let [olds, news] = [sections(&old.blocks, &was), sections(&new.blocks, &is)];
        let listed = news[0].start..news[news.len() - 1].end;
        Days { came: news[came].to_vec(), went: olds[went].to_vec(), listed }
    }

    /// What is said of a day that went is not what is said of another.
    pub(super) fn part(&self, steps: &mut Vec<Step>) {
        if self.went.is_empty() {
            return;
        }
        let has_gone = |o: usize| self.went.iter().any(|day| day.contains(&o));
        let parted = steps.iter().flat_map(|step| match *step {
            Step::Update(o, n) if has_gone(o) && self.listed.contains(&n) => {
                [Some(Step::Delete(o)), Some(Step::Insert(n))]
            }
            step => [Some(step), None],
        });
        *steps = parted.flatten().collect();
    }

    /// Marks what fell off the end, and days that came of which nothing is said. O(n · days).
    pub(super) fn mark(&self, found: &mut [Found], pair: &Pair<'_>) {
        if self.came.is_empty() {
            return;
        }
        let at = |one: &Found, side: &Side<'_>, kind| {
            (one.kind == kind && one.part.is_none()).then(|| one.block(side)).flatten()
        };
        let mut told: FxHashSet<usize> = FxHashSet::default();
        for one in &*found {
            let block = at(one, &pair.new, ChangeKind::Insert).filter(|_| !one.is_slight);
            let day = block.and_then(|block| {
                self.came.iter().find(|day| day.contains(&block) && day.start != block)
            });
            told.extend(day.map(|day| day.start));
        }
        for one in found {
            let has_gone = at(one, &pair.old, ChangeKind::Delete)
                .is_some_and(|block| self.went.iter().any(|day| day.contains(&block)));
            let is_bare = at(one, &pair.new, ChangeKind::Insert).is_some_and(|block| {
                let is_quiet = |day: &Range<usize>| day.start == block && day.len() > 1;
                self.came.iter().any(is_quiet) && !told.contains(&block)
            });
            one.is_slight |= has_gone || is_bare;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::told;

    const NONE: &str = "No incidents reported.";
    const FIXED: &str = "Resolved - The errors of the API are over.";
    const SEEN: &str = "Investigating - We look into errors of the API.";

    fn page(days: &[(u32, &[&str])]) -> String {
        let day = |(day, said): &(u32, &[&str])| {
            let said: String = said.iter().map(|text| format!("<p>{text}</p>")).collect();
            format!("<div>Jan {day}, 2026</div>{said}")
        };
        let days: String = days.iter().map(day).collect();
        format!("<h1>Status</h1><p>All systems</p><h2>Past incidents</h2>{days}<h2>About</h2>")
    }

    #[test]
    fn a_day_of_which_nothing_is_said_and_one_that_fell_off_are_no_news() {
        let old = [(10, &[NONE][..]), (9, &[NONE]), (8, &[NONE]), (7, &[FIXED, SEEN])];
        let new = [(11, &[NONE][..]), (10, &[NONE]), (9, &[NONE]), (8, &[NONE])];
        assert_eq!(told(&page(&old), &page(&new)), [""; 0]);
        let [old, new] = [old, new].map(|mut days| {
            days.reverse();
            page(&days)
        });
        assert_ne!(told(&old, &new), [""; 0], "days to come");
        let dates =
            |days: &[u32]| page(&days.iter().map(|day| (*day, &[][..])).collect::<Vec<_>>());
        let came = told(&dates(&[12, 9, 8, 7]), &dates(&[13, 12, 9, 8]));
        assert!(came.contains(&"- -> Jan 13, 2026".to_owned()), "a list of days: {came:?}");
    }

    #[test]
    fn what_stands_behind_the_days_is_of_none() {
        let days = |days: [u32; 4], behind: &str| {
            let open = page(&days.map(|day| (day, &[NONE][..])));
            open.replace("<h2>About</h2>", &format!("<p>Mail us.</p>{behind}"))
        };
        let refunds = |days: u32| format!("<p>Refunds are paid within {days} days of asking.</p>");
        let old = days([10, 9, 8, 7], &refunds(14));
        let new = [11, 10, 9, 8];
        let gone = told(&old, &days(new, ""));
        assert!(gone.iter().any(|one| one.contains("Refunds")), "{gone:?}");
        let edited = told(&old, &days(new, &refunds(7)));
        assert!(
            edited.iter().any(|one| one.contains("14 days") && one.contains("7 days")),
            "{edited:?}"
        );
    }

    #[test]
    fn what_is_said_of_a_day_is_told() {
        let old = [(10, &[SEEN][..]), (9, &[NONE]), (8, &[NONE]), (7, &["Mail was slow today."])];
        let new = [(11, &[NONE][..]), (10, &[FIXED, SEEN]), (9, &[NONE]), (8, &[NONE])];
        assert_eq!(told(&page(&old), &page(&new)), [format!("- -> {FIXED}")]);
        let new = [(11, &["Mail is slow again."][..]), (10, &[SEEN]), (9, &[NONE]), (8, &[NONE])];
        let came = ["- -> Jan 11, 2026", "- -> Mail is slow again."];
        assert_eq!(told(&page(&old), &page(&new)), came);
        let gone = [(10, &[SEEN][..]), (9, &[NONE]), (8, &[NONE])];
        assert_eq!(told(&page(&old), &page(&gone)).len(), 2, "nothing came");
    }
}
