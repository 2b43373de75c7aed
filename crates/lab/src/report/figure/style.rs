//! Colours, dashes and marks of series. The colours are Okabe's and Ito's, told apart with any
//! kind of colour vision; a series has its own in every figure.

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Class of its colour.
    pub tint: usize,
    /// `stroke-dasharray`; empty for a whole line.
    pub dash: &'static str,
    pub mark: Mark,
    /// Width of its line, in pixels.
    pub width: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Disc,
    Ring,
    Square,
    Triangle,
    Diamond,
    Cross,
}

/// Light and dark of each tint.
pub const TINTS: [(&str, &str); 8] = [
    ("#d55e00", "#ff8b4a"),
    ("#0072b2", "#5db2f0"),
    ("#009e73", "#3fd0a4"),
    ("#b0568f", "#e79fcb"),
    ("#b98100", "#f0c04a"),
    ("#3a9bd0", "#9ad7f7"),
    ("#6a737d", "#a7b0ba"),
    ("#24292f", "#e8edf2"),
];

const MARKS: [Mark; 8] = [
    Mark::Disc,
    Mark::Square,
    Mark::Triangle,
    Mark::Diamond,
    Mark::Cross,
    Mark::Ring,
    Mark::Ring,
    Mark::Square,
];

/// Names that start with one of these have its tint; longer ones stand first.
const KNOWN: [(&str, usize); 35] = [
    ("gain", 0),
    ("learned-whittle", 4),
    ("whittle", 0),
    ("pattern-index", 0),
    ("joint", 4),
    ("price-dyadic", 3),
    ("MRSF", 1),
    ("mrsf", 1),
    ("M-EDF", 2),
    ("m-edf", 2),
    ("S-EDF", 3),
    ("s-edf", 3),
    ("WIC", 4),
    ("wic", 4),
    ("offline", 5),
    ("greedy packing", 7),
    ("greedy-ncis", 4),
    ("server-dated", 3),
    ("server", 2),
    ("single-EI", 7),
    ("LP bound", 6),
    ("exact", 6),
    ("optimum", 6),
    ("round-robin", 6),
    ("max-gain", 5),
    ("memoryless", 1),
    ("cyclic", 2),
    ("adaptive", 7),
    ("uniform", 6),
    ("proportional", 5),
    ("sqrt", 2),
    ("age-optimal", 3),
    ("entry-frequency", 7),
    ("sia", 1),
    ("bound", 6),
];

/// The style of a series; one that is not known takes its turn in the figure.
#[must_use]
pub fn style(name: &str, turn: usize) -> Style {
    let known = KNOWN.iter().find(|row| name.starts_with(row.0));
    let tint = known.map_or(turn % TINTS.len(), |row| row.1);
    let second = ["(NP)", "flat cap", "after the change"].iter().any(|part| name.contains(part));
    let bound = ["LP bound", "bound", "exact", "optimum"].iter().any(|b| name.starts_with(b));
    let dash = if name.starts_with("single-EI") {
        "1 4"
    } else if bound {
        "2 3"
    } else if second {
        "6 4"
    } else if name.starts_with("M-EDF") || name.starts_with("m-edf") {
        "9 3"
    } else {
        ""
    };
    let ours = known.is_some_and(|row| row.1 == 0);
    let mark = if name.starts_with("single-EI") {
        Mark::Diamond
    } else if second {
        Mark::Ring
    } else {
        MARKS[tint]
    };
    Style { tint, dash, mark, width: if ours { 3 } else { 2 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_looks_the_same_in_every_figure() {
        assert_eq!(style("MRSF(P)", 0), style("MRSF(P)", 5));
        assert_ne!(style("MRSF(P)", 0), style("MRSF(NP)", 0));
        assert_eq!(style("learned-whittle", 0).tint, 4);
        assert_eq!(style("whittle", 3).tint, 0);
        assert_ne!(style("anything", 1).tint, style("anything", 2).tint);
    }
}
