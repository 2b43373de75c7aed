//! Conditions of rules: what of them the state says, and what only stored texts can say.

use crate::io::{Question, TextTest};
use ::event::{Mark, Signal, What};
use chronon::{DetectionId, Instant, Zone};
use sentinel::ast::rule::Condition;

/// What a condition may look at.
pub(super) struct Sight<'a> {
    /// How many take part.
    pub(super) count: u64,
    /// When it occurred.
    pub(super) at: Instant,
    pub(super) zone: &'a Zone,
    /// Whether a sentinel of the owner is active.
    pub(super) is_active: &'a dyn Fn(&str) -> bool,
}

/// What stored texts are to be asked; nothing where the condition asks nothing of them. Tests are
/// in the order in which they are written.
pub(super) fn questions(when: &Condition, marks: &[Mark]) -> Option<Question> {
    fn collect(when: &Condition, tests: &mut Vec<TextTest>) {
        match when {
            Condition::TextMatches(pattern) => tests.push(TextTest::Matches(pattern.clone())),
            Condition::Value(operator, value) => tests.push(TextTest::Value(*operator, *value)),
            Condition::Not(of) => collect(of, tests),
            Condition::And(all) | Condition::Or(all) => {
                all.iter().for_each(|one| collect(one, tests));
            }
            Condition::Count(..) | Condition::TimeBetween(..) | Condition::Enabled(_) => {}
        }
    }
    let mut tests = Vec::new();
    collect(when, &mut tests);
    let found = |mark: &Mark| match mark.what {
        What::Signal(Signal::Detected(_)) => Some(DetectionId(mark.about)),
        _ => None,
    };
    let mut detections: Vec<DetectionId> = marks.iter().filter_map(found).collect();
    detections.sort_unstable();
    detections.dedup();
    (!tests.is_empty()).then_some(Question { tests, detections })
}

/// Whether the condition holds; `answers` are those of its tests of texts, each asked for once.
pub(super) fn holds(
    when: &Condition,
    sight: &Sight<'_>,
    answers: &mut dyn Iterator<Item = bool>,
) -> bool {
    match when {
        Condition::Count(operator, count) => operator.holds(sight.count as f64, *count as f64),
        Condition::TextMatches(_) | Condition::Value(..) => answers.next().unwrap_or(false),
        Condition::TimeBetween(from, to) => {
            let now = sight.zone.local(sight.at).time_of_day();
            if from < to { *from <= now && now < *to } else { *from <= now || now < *to }
        }
        Condition::Enabled(name) => (sight.is_active)(name),
        Condition::Not(of) => !holds(of, sight, answers),
        // Each test has its answer, so none may be passed over.
        Condition::And(all) => all.iter().filter(|one| !holds(one, sight, answers)).count() == 0,
        Condition::Or(all) => all.iter().filter(|one| holds(one, sight, answers)).count() > 0,
    }
}
