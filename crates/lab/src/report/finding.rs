//! What an experiment found about a claim, and the verdict that follows from its numbers.

use super::figure::Figure;
use super::sample::{Order, compare};

/// What the numbers say of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    /// Under some of the conditions that were measured.
    InPart,
    Fails,
    NotMeasured,
}

impl Verdict {
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::InPart => "holds in part",
            Self::Fails => "does not hold",
            Self::NotMeasured => "not measured",
        }
    }

    /// The verdict of several together: all hold, some do, or none does. What was not measured does
    /// not count beside what was.
    #[must_use]
    pub fn of(all: impl IntoIterator<Item = Verdict>) -> Verdict {
        let mut measured = all.into_iter().filter(|one| *one != Self::NotMeasured);
        let Some(first) = measured.next() else { return Self::NotMeasured };
        if measured.all(|other| other == first) { first } else { Self::InPart }
    }
}

/// One statement of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub statement: String,
    pub verdict: Verdict,
    /// The numbers, and where it holds.
    pub measured: String,
    /// The reason, where it does not hold everywhere.
    pub why: String,
}

impl Part {
    /// A statement that is true or not.
    #[must_use]
    pub fn plain(statement: &str, holds: bool, measured: String) -> Part {
        let verdict = if holds { Verdict::Holds } else { Verdict::Fails };
        Part { statement: statement.to_owned(), verdict, measured, why: String::new() }
    }

    /// A statement that is true under some conditions.
    #[must_use]
    pub fn under(statement: &str, conditions: &[(String, bool)]) -> Part {
        let named = |wanted: bool| {
            let some = conditions.iter().filter(|condition| condition.1 == wanted);
            some.map(|condition| condition.0.clone()).collect::<Vec<_>>()
        };
        let (yes, no) = (named(true), named(false));
        let verdict = match (yes.is_empty(), no.is_empty()) {
            (true, true) => Verdict::NotMeasured,
            (_, true) => Verdict::Holds,
            (true, _) => Verdict::Fails,
            _ => Verdict::InPart,
        };
        let measured = listed(&[("holds at", &yes), ("not at", &no)]);
        Part { statement: statement.to_owned(), verdict, measured, why: String::new() }
    }

    /// The statement that one series is above another. Holds if it is nowhere below and somewhere
    /// above; fails if it is nowhere above.
    #[must_use]
    pub fn above(statement: &str, points: &[Pair<'_>]) -> Part {
        let mut places: [Vec<String>; 3] = Default::default();
        for (place, a, b) in points {
            let at = match compare(a, b) {
                Order::Above => 0,
                Order::Level => 1,
                Order::Below => 2,
            };
            places[at].push(place.clone());
        }
        let [above, level, below] = &places;
        let verdict = match (above.is_empty(), below.is_empty()) {
            _ if points.is_empty() => Verdict::NotMeasured,
            (true, _) => Verdict::Fails,
            (false, true) => Verdict::Holds,
            (false, false) => Verdict::InPart,
        };
        let measured = listed(&[("above at", above), ("level at", level), ("below at", below)]);
        Part { statement: statement.to_owned(), verdict, measured, why: String::new() }
    }

    /// Adds the reason; it is shown only where the statement does not hold everywhere.
    #[must_use]
    pub fn because(mut self, why: &str) -> Part {
        why.clone_into(&mut self.why);
        self
    }

    /// Adds numbers behind what was measured.
    #[must_use]
    pub fn with(mut self, numbers: &str) -> Part {
        if !self.measured.is_empty() {
            self.measured.push_str("; ");
        }
        self.measured.push_str(numbers);
        self
    }
}

/// The condition, and the values of both over the same repetitions.
pub type Pair<'a> = (String, &'a [f64], &'a [f64]);

/// The groups that have places, each after its word.
fn listed(groups: &[(&str, &Vec<String>)]) -> String {
    let some: Vec<_> = groups.iter().filter(|group| !group.1.is_empty()).collect();
    if let [(word, places)] = some[..]
        && places.len() > 1
    {
        return format!("{} everywhere ({} places)", word.trim_end_matches(" at"), places.len());
    }
    some.iter()
        .map(|(word, places)| format!("{word} {}", gathered(places)))
        .collect::<Vec<_>>()
        .join("; ")
}

/// `C = 1 (x), C = 2 (x), C = 1 (y)` as `C = 1, 2 (x), C = 1 (y)`.
fn gathered(places: &[String]) -> String {
    let parts = |place: &str| {
        let (front, tail) = place.split_once(" (").unwrap_or((place, ""));
        let (symbol, value) = front.split_once(" = ").unwrap_or(("", front));
        (symbol.to_owned(), value.to_owned(), tail.to_owned())
    };
    let all: Vec<_> = places.iter().map(|place| parts(place)).collect();
    let groups = all.chunk_by(|a, b| !a.0.is_empty() && (&a.0, &a.2) == (&b.0, &b.2));
    let text = |group: &[(String, String, String)]| {
        let (symbol, _, tail) = &group[0];
        let values: Vec<&str> = group.iter().map(|part| part.1.as_str()).collect();
        let front = if symbol.is_empty() { String::new() } else { format!("{symbol} = ") };
        let tail = if tail.is_empty() { String::new() } else { format!(" ({tail}") };
        format!("{front}{}{tail}", values.join(", "))
    };
    groups.map(text).collect::<Vec<_>>().join(", ")
}

/// A table: names of columns, then rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    #[must_use]
    pub fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    pub fn row(&mut self, fields: Vec<String>) {
        debug_assert_eq!(fields.len(), self.head.len());
        self.rows.push(fields);
    }
}

/// All that a section of the page says.
#[derive(Debug, Clone, Default)]
pub struct Finding {
    /// The paper's words, shortened.
    pub claim: String,
    pub setup: Vec<String>,
    pub parts: Vec<Part>,
    pub notes: Vec<String>,
    /// With a title each.
    pub tables: Vec<(String, Table)>,
    pub figure: Figure,
    pub data: Table,
}

impl Finding {
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.parts.iter().map(|part| part.verdict))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_holds_everywhere_somewhere_or_nowhere() {
        let under = |holds: &[bool]| {
            let named = |(at, &yes): (usize, &bool)| (format!("C = {at}"), yes);
            Part::under("s", &holds.iter().enumerate().map(named).collect::<Vec<_>>())
        };
        assert_eq!(under(&[true, true]).verdict, Verdict::Holds);
        assert_eq!(under(&[false]).verdict, Verdict::Fails);
        let mixed = under(&[true, false, true]);
        assert_eq!(mixed.verdict, Verdict::InPart);
        assert_eq!(mixed.measured, "holds at C = 0, 2; not at C = 1");
        assert_eq!(under(&[true, true]).measured, "holds everywhere (2 places)");
        assert_eq!(under(&[]).verdict, Verdict::NotMeasured);
    }

    #[test]
    fn places_are_gathered_by_what_they_share() {
        let places = ["C = 1 (m = 5)", "C = 2 (m = 5)", "C = 1 (m = 9)", "x", "y"];
        let places: Vec<String> = places.iter().map(|&place| place.to_owned()).collect();
        assert_eq!(gathered(&places), "C = 1, 2 (m = 5), C = 1 (m = 9), x, y");
    }

    #[test]
    fn above_needs_a_place_above_and_none_below() {
        fn at<'a>(a: &'a [f64], b: &'a [f64]) -> Pair<'a> {
            ("x".to_owned(), a, b)
        }
        let (high, low) = ([2.0, 2.1, 2.2], [1.0, 1.1, 1.2]);
        let verdict = |pairs: &[Pair<'_>]| Part::above("s", pairs).verdict;
        assert_eq!(verdict(&[at(&high, &low), at(&low, &low)]), Verdict::Holds);
        assert_eq!(verdict(&[at(&low, &low)]), Verdict::Fails);
        assert_eq!(verdict(&[at(&low, &high)]), Verdict::Fails);
        assert_eq!(verdict(&[at(&high, &low), at(&low, &high)]), Verdict::InPart);
        assert_eq!(verdict(&[]), Verdict::NotMeasured);
    }

    #[test]
    fn a_claim_holds_if_all_its_parts_do() {
        use Verdict::{Fails, Holds, InPart, NotMeasured};
        assert_eq!(Verdict::of([Holds, Holds, NotMeasured]), Holds);
        assert_eq!(Verdict::of([Fails, Fails]), Fails);
        assert_eq!(Verdict::of([Holds, Fails]), InPart);
        assert_eq!(Verdict::of([NotMeasured]), NotMeasured);
    }
}
