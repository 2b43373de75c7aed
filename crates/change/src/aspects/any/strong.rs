//! Which texts of a place are surely each other's new form: those that are most alike.
//!
//! In their order alone, the first text that is similar took the place of one that is nearly the
//! same and stands behind it: clauses of terms share half of their words.

use super::{Words, align, shared_in_hundredths};

/// Shorter texts are alike by chance.
const WORDS_MIN: usize = 8;
/// How many words two forms of one text share, in hundredths (Dice's coefficient).
const SHARED_MIN: usize = 75;
/// Words that may be compared in two versions; places with more than is left keep to their order.
pub(super) const STEPS_MAX: usize = 20_000_000;

/// Pairs of places in two lists, ascending in both: each is the only best one of the other.
/// O(words of either · texts of the other), within the steps that are `left`.
pub(super) fn pairs(
    old: &[(usize, Words)],
    new: &[(usize, Words)],
    left: &mut usize,
) -> Vec<(usize, usize)> {
    let all = |list: &[(usize, Words)]| list.iter().map(|(_, words)| words.all.len()).sum();
    let (gone, came): (usize, usize) = (all(old), all(new));
    let steps = gone.saturating_mul(new.len()).saturating_add(came.saturating_mul(old.len()));
    if old.len().min(new.len()) == 0 || old.len().max(new.len()) < 2 || steps > *left {
        return Vec::new();
    }
    *left -= steps;
    let mut best_old = vec![Best::default(); old.len()];
    let mut best_new = vec![Best::default(); new.len()];
    let fits = |words: &Words| words.all.len() >= WORDS_MIN;
    for (o, (_, before)) in old.iter().enumerate().filter(|(_, (_, words))| fits(words)) {
        for (n, (_, after)) in new.iter().enumerate().filter(|(_, (_, words))| fits(words)) {
            let shared = shared_in_hundredths(&before.all, &after.all);
            if shared >= SHARED_MIN {
                best_old[o].see(n, shared);
                best_new[n].see(o, shared);
            }
        }
    }
    let mutual = best_new.iter().enumerate().filter_map(|(n, best)| {
        let o = best.only()?;
        (best_old[o].only() == Some(n)).then_some((o, n))
    });
    align::longest_ascending(&mutual.collect::<Vec<_>>())
}

/// The best of some texts, and whether another is as good.
#[derive(Debug, Clone, Copy, Default)]
struct Best {
    at: usize,
    shared: usize,
    is_shared: bool,
}

impl Best {
    fn see(&mut self, at: usize, shared: usize) {
        if shared > self.shared {
            *self = Best { at, shared, is_shared: false };
        } else if shared == self.shared {
            self.is_shared = true;
        }
    }

    fn only(self) -> Option<usize> {
        (self.shared > 0 && !self.is_shared).then_some(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::{page_of, told};
    use super::*;

    const CLOSE: &str = "We may close your account at any time if you break these terms of use.";
    const LIMIT: &str = "We may limit your account at any time if you break the law of a state.";
    const EDITED: &str = "We may close your account at once if you break these terms of use.";

    fn list(texts: &[&str]) -> Vec<(usize, Words)> {
        texts.iter().enumerate().map(|(at, text)| (at, Words::of(text))).collect()
    }

    #[test]
    fn the_text_that_is_most_alike_is_the_new_form() {
        let [old, new] =
            [&[CLOSE, "End"][..], &[LIMIT, EDITED, "End"]].map(|all| page_of("p", all));
        let edit = format!("{CLOSE} -> {EDITED}");
        assert_eq!(told(&old, &new), [format!("- -> {LIMIT}"), edit]);
        assert_eq!(told(&new, &old), [format!("{LIMIT} -> -"), format!("{EDITED} -> {CLOSE}")]);
    }

    #[test]
    fn of_two_that_are_as_good_none_is_sure() {
        let all =
            |old: &[&str], new: &[&str]| pairs(&list(old), &list(new), &mut STEPS_MAX.clone());
        assert_eq!(all(&[CLOSE], &[EDITED, EDITED]), []);
        assert_eq!(all(&[LIMIT, CLOSE], &[EDITED, LIMIT]), [(0, 1)], "in order");
    }

    #[test]
    fn what_two_versions_may_cost_is_shared_by_their_places() {
        let (old, new) = (list(&[LIMIT, CLOSE]), list(&[EDITED, LIMIT]));
        let mut left = 150;
        assert_eq!(pairs(&old, &new, &mut left), [(0, 1)]);
        assert!(left < 75, "{left}");
        assert_eq!(pairs(&old, &new, &mut left), [], "too many to compare");
    }
}
