//! Which code each claim is about: crate, module, policy.

/// By claim, a sentence of its section.
pub const CODE: &[(&str, &str)] = &[
    (
        "R1",
        "`policies::completeness`: S-EDF in `rules`, WIC in `wic`, `gain` in `gain`; the \
         optimum in `lab::completeness::exact`.",
    ),
    (
        "R2",
        "`policies::completeness`: MRSF in `rules`; the optimum in \
         `lab::completeness::exact`.",
    ),
    ("R3", "`policies::completeness`: MRSF and M-EDF in `rules`, `gain` in `gain`."),
    ("R4", "`policies::completeness`: the values of S-EDF, MRSF and M-EDF in `rules`."),
    ("R5", "`policies::completeness`: S-EDF, MRSF and M-EDF in `rules`, `gain` in `gain`."),
    (
        "R6",
        "`policies::completeness`: the rules in `rules`, WIC in `wic`, `gain` in `gain`, \
         `offline` in `local_ratio`, greedy packing in `packing`; bounds in \
         `lab::completeness::bound`.",
    ),
    (
        "R7",
        "`policies::completeness`: the rules in `rules`, WIC in `wic`, `gain` in `gain`, \
         `offline` in `local_ratio`.",
    ),
    ("R8", "`policies::completeness`: S-EDF, MRSF and M-EDF in `rules`, `gain` in `gain`."),
    ("R9", "`policies::completeness`: S-EDF, MRSF and M-EDF in `rules`, `gain` in `gain`."),
    ("R10", "`policies::completeness`: S-EDF, MRSF and M-EDF in `rules`, `gain` in `gain`."),
    (
        "R11",
        "`policies::completeness`: the rules in `rules`, WIC in `wic`, `gain` in `gain`; \
         bounds in `lab::completeness::bound`.",
    ),
    ("M1", "`policies::probing`: all of its policies, and `bounds`."),
    (
        "M2",
        "`policies::probing`: `max-gain` and `whittle` in `Greedy`, `price-dyadic` in \
         `Periodic`; `bounds`.",
    ),
    (
        "M3",
        "`policies::probing`: `cyclic` and `price-dyadic` in `Periodic`, `whittle` in \
         `Greedy`; `bounds`.",
    ),
    (
        "M4",
        "`policies::probing`: `memoryless` in `Memoryless`, `cyclic` in `Periodic`, `whittle` \
         in `Greedy`.",
    ),
    (
        "M5",
        "`policies::probing`: `adaptive` in `Adaptive`, `learned-whittle` in \
         `LearnedWhittle`, `memoryless` in `Memoryless`.",
    ),
    ("S1", "`policies::delay`: `allocation`, and the policies by their names."),
    ("S2", "`policies::delay`: `points` on a `Curve`."),
    ("S3", "`policies::delay`: `points` on a `Curve`."),
    ("S4", "No policy: `lab` counts postings by day and hour."),
    (
        "S5",
        "`policies::delay`: the policies by their names; `pattern-index` is `PatternIndex`, \
         made of `schedule`'s `pattern`, `company` and `plan`.",
    ),
    ("W1", "The server's own `graph`."),
    ("W2", "The server's own `graph` and `change`; naive and hash in `lab::report::detection`."),
    ("W3", "No code of the server: files, in `lab::report::storage`."),
    ("W4", "The server's own `graph` and `change`, by the threads of `sim::cores`."),
    (
        "L",
        "`server` and `server-dated` are the server's own `schedule::Scheduler`; the others are \
         in `policies::delay`.",
    ),
    (
        "D",
        "`policies::delay`: `sia`, and `pattern-index`, which is `PatternIndex`, made of \
         `schedule`'s `pattern`, `company` and `plan`.",
    ),
    (
        "G",
        "`policies::completeness`: the rules in `rules`, WIC in `wic`, `gain` in `gain`; \
         `gain-index` is `GainIndex`, on `schedule::worth`; bounds in \
         `lab::completeness::bound`.",
    ),
    (
        "P",
        "`policies::probing`: `whittle` in `Greedy`, `learned-whittle` in `LearnedWhittle`, \
         `adaptive` in `Adaptive`; `bounds`.",
    ),
    (
        "T",
        "The server's own `schedule::Scheduler`; the board of `gain-index` is \
         `policies::completeness::gain::Board`, on `schedule::worth`.",
    ),
];

/// The sentence of a claim.
///
/// # Panics
/// If the table has none; a test holds it complete.
#[must_use]
pub fn code_of(id: &str) -> &'static str {
    CODE.iter().find(|row| row.0 == id).expect("every claim has its row").1
}

#[cfg(test)]
mod tests {
    use super::CODE;
    use crate::report::CLAIMS;

    #[test]
    fn every_claim_says_which_code_it_is_about() {
        let claims: Vec<_> = CLAIMS.iter().map(|claim| claim.id).collect();
        assert_eq!(CODE.iter().map(|row| row.0).collect::<Vec<_>>(), claims);
        let named = |text: &str| {
            ["policies::", "schedule::", "lab", "`graph`"].iter().any(|at| text.contains(at))
        };
        assert!(CODE.iter().all(|row| named(row.1) && row.1.ends_with('.')));
    }
}
