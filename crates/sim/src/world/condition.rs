//! What sentinels of random worlds monitor, in the language and as the oracle understands it.

use super::content::{Content, Kind, Part, WORDS};
use crate::pace::Rng;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Condition {
    /// Not `any change`: what that tells depends on what the page did before.
    Everything,
    Links,
    Images,
    /// But for these words.
    Words(Vec<&'static str>),
    Keywords(Vec<&'static str>, Way),
    Phrase(&'static str, &'static str),
    /// The text of a part.
    Text(Part),
    /// The price, and what is asked of it.
    Value(Option<Test>),
    /// A leaf of the whole page, inside a part or outside of it.
    Within(Box<Condition>, Side, Part),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Any,
    Added,
    Removed,
    Updated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Inside,
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Test {
    Below(u64),
    ChangesBy(u64),
}

/// The operands of one `and` or one `or`: those of the same word within it are its own.
fn said_once(operands: &[Condition], join: fn(Vec<Condition>) -> Condition) -> Condition {
    let mut flat: Vec<Condition> = Vec::new();
    let joined = std::mem::discriminant(&join(Vec::new()));
    for operand in operands {
        let once = operand.said_once();
        let is_same = std::mem::discriminant(&once) == joined;
        let inner = match once {
            Condition::And(inner) | Condition::Or(inner) if is_same => inner,
            other => vec![other],
        };
        for one in inner {
            if !flat.contains(&one) {
                flat.push(one);
            }
        }
    }
    if flat.len() == 1 { flat.remove(0) } else { join(flat) }
}

impl Condition {
    pub(super) fn random(rng: &mut Rng, depth: u32) -> Condition {
        if depth > 0 && rng.one_in(3) {
            let mut two =
                || vec![Condition::random(rng, depth - 1), Condition::random(rng, depth - 1)];
            let operands = two();
            return match rng.below(3) {
                0 => Condition::And(operands),
                1 => Condition::Or(operands),
                _ => Condition::Not(Box::new(Condition::random(rng, depth - 1))),
            };
        }
        let some = |rng: &mut Rng| {
            let (first, second) = (word(rng), word(rng));
            if first == second { vec![first] } else { vec![first, second] }
        };
        match rng.below(8) {
            0 => Condition::Links,
            1 => Condition::Images,
            2 => Condition::Words(if rng.one_in(2) { Vec::new() } else { some(rng) }),
            3 => Condition::Phrase(word(rng), word(rng)),
            4 | 5 => {
                let ways = [Way::Any, Way::Added, Way::Removed, Way::Updated];
                Condition::Keywords(some(rng), *rng.pick(&ways))
            }
            _ => Condition::Everything,
        }
    }

    /// What it says, said once: `(a or a)` asks for `a`, and the order of words for nothing.
    pub(super) fn said_once(&self) -> Condition {
        let words = |words: &[&'static str]| {
            let mut words = words.to_vec();
            words.sort_unstable();
            words
        };
        match self {
            Condition::Words(except) => Condition::Words(words(except)),
            Condition::Keywords(some, way) => Condition::Keywords(words(some), *way),
            Condition::Within(leaf, side, part) => {
                Condition::Within(Box::new(leaf.said_once()), *side, *part)
            }
            Condition::Not(inner) => match inner.said_once() {
                Condition::Not(twice) => *twice,
                once => Condition::Not(Box::new(once)),
            },
            Condition::And(operands) => said_once(operands, Condition::And),
            Condition::Or(operands) => said_once(operands, Condition::Or),
            leaf => leaf.clone(),
        }
    }

    pub(super) fn text(&self) -> String {
        let join = |operands: &[Condition], word: &str| {
            let texts: Vec<String> = operands.iter().map(Condition::text).collect();
            format!("({})", texts.join(word))
        };
        match self {
            Condition::Everything => "everything".into(),
            Condition::Links => "all links".into(),
            Condition::Images => "all images".into(),
            Condition::Words(except) if except.is_empty() => "all words".into(),
            Condition::Words(except) => format!("all words except {}", except.join(", ")),
            Condition::Keywords(words, way) => {
                let way = match way {
                    Way::Any => "",
                    Way::Added => " added",
                    Way::Removed => " removed",
                    Way::Updated => " updated",
                };
                format!("keywords {}{way}", words.join(", "))
            }
            Condition::Phrase(first, second) => format!("phrase \"{first} {second}\""),
            Condition::Text(part) => format!("text of {}", part.selector()),
            Condition::Value(test) => {
                let test = match test {
                    None => String::new(),
                    Some(Test::Below(bound)) => format!(" < {bound}"),
                    Some(Test::ChangesBy(least)) => format!(" changes by {least}"),
                };
                format!("value of {}{test}", Part::Price.selector())
            }
            Condition::Within(leaf, Side::Inside, part) => {
                format!("{} inside {}", leaf.text(), part.selector())
            }
            Condition::Within(leaf, Side::Outside, part) => {
                format!("{} outside {}", leaf.text(), part.selector())
            }
            Condition::Not(inner) => format!("not ({})", inner.text()),
            Condition::And(operands) => join(operands, " and "),
            Condition::Or(operands) => join(operands, " or "),
        }
    }

    /// The same with selectors in some of its leaves.
    pub(super) fn pointed(self, rng: &mut Rng) -> Condition {
        let all = |operands: Vec<Condition>, rng: &mut Rng| {
            operands.into_iter().map(|operand| operand.pointed(rng)).collect()
        };
        match self {
            Condition::Not(inner) => Condition::Not(Box::new(inner.pointed(rng))),
            Condition::And(operands) => Condition::And(all(operands, rng)),
            Condition::Or(operands) => Condition::Or(all(operands, rng)),
            leaf => {
                let part = *rng.pick(&[Part::Words, Part::Links, Part::Price]);
                match rng.below(8) {
                    0 => Condition::Text(part),
                    1 => Condition::Value(None),
                    2 => Condition::Value(Some(Test::Below(40))),
                    3 => Condition::Value(Some(Test::ChangesBy(1 + rng.below(6)))),
                    4 => Condition::Within(Box::new(leaf), Side::Inside, part),
                    5 => Condition::Within(Box::new(leaf), Side::Outside, part),
                    _ => leaf,
                }
            }
        }
    }

    /// Whether it holds between two contents, by the words of `docs/language.md`. Where a selector
    /// finds nothing in the older one, the first of `earlier` counts in which it does; where none
    /// does, nobody can say.
    pub(crate) fn holds(&self, (old, new): Two<'_>, earlier: &[Content]) -> Option<bool> {
        let of = |operand: &Condition| operand.holds((old, new), earlier);
        // Nobody can say of a whole what nobody can say of a part.
        let all = |operands: &[Condition]| operands.iter().map(of).collect::<Option<Vec<bool>>>();
        match self {
            Condition::Not(inner) => of(inner).map(|holds| !holds),
            Condition::And(operands) => all(operands).map(|all| !all.contains(&false)),
            Condition::Or(operands) => all(operands).map(|all| all.contains(&true)),
            leaf => {
                let mut older = std::iter::once(old).chain(earlier);
                let old = older.find(|content| leaf.sees(content))?;
                leaf.sees(new).then(|| leaf.is_changed((old, new)))
            }
        }
    }

    /// The selector finds something there.
    fn sees(&self, content: &Content) -> bool {
        match self {
            Condition::Text(part) | Condition::Within(_, Side::Inside, part) => {
                content.shows(*part)
            }
            Condition::Value(_) => content.shows(Part::Price),
            // No selector looks into plain text.
            Condition::Within(_, Side::Outside, _) => content.kind == Kind::Html,
            _ => true,
        }
    }

    /// A leaf holds between two contents that it sees.
    fn is_changed(&self, (old, new): Two<'_>) -> bool {
        let is_unlike = old.kind != new.kind || new.is_blank();
        match self {
            Condition::Within(leaf, ..) if is_unlike => leaf.is_changed((old, new)),
            Condition::Within(leaf, Side::Inside, part) => {
                leaf.differs((&old.only(*part), &new.only(*part)))
            }
            Condition::Within(leaf, Side::Outside, part) => {
                leaf.differs((&old.without(*part), &new.without(*part)))
            }
            // What a page has become is a change of everything, and of no other type.
            Condition::Everything if is_unlike => true,
            leaf => !is_unlike && leaf.differs((old, new)),
        }
    }

    fn differs(&self, (old, new): Two<'_>) -> bool {
        match self {
            Condition::Everything => old.blocks() != new.blocks() || old.images != new.images,
            Condition::Links => old.links != new.links,
            Condition::Images => old.images != new.images,
            Condition::Text(part) => old.only(*part) != new.only(*part),
            Condition::Value(test) => match (old.price, new.price) {
                (Some(old), Some(new)) => match test {
                    None => old != new,
                    Some(Test::Below(bound)) => old >= *bound && new < *bound,
                    Some(Test::ChangesBy(least)) => old.abs_diff(new) >= *least,
                },
                _ => false,
            },
            Condition::Words(except) => {
                let left = |content: &Content| {
                    let mut words = content.text();
                    words.retain(|word| !except.contains(&word.as_str()));
                    words.sort_unstable();
                    words
                };
                left(old) != left(new)
            }
            Condition::Keywords(words, way) => words.iter().any(|word| {
                let count = |content: &Content| content.text().iter().filter(|w| w == word).count();
                match (count(old), count(new)) {
                    (a, b) if a == b => false,
                    (0, _) => matches!(way, Way::Any | Way::Added),
                    (_, 0) => matches!(way, Way::Any | Way::Removed),
                    // More of a word came, and less of it went.
                    (a, b) if a < b => matches!(way, Way::Any | Way::Updated | Way::Added),
                    _ => matches!(way, Way::Any | Way::Updated | Way::Removed),
                }
            }),
            Condition::Phrase(first, second) => {
                let count = |content: &Content| occurrences(&content.text(), first, second);
                count(old) != count(new)
            }
            // Made of leaves, and judged by them.
            Condition::Within(..) | Condition::Not(_) | Condition::And(_) | Condition::Or(_) => {
                false
            }
        }
    }
}

/// An older and a newer content.
type Two<'a> = (&'a Content, &'a Content);

fn word(rng: &mut Rng) -> &'static str {
    WORDS[rng.below(WORDS.len() as u64) as usize]
}

/// How often two words follow each other, no word counted twice.
fn occurrences(words: &[String], first: &str, second: &str) -> usize {
    let (mut count, mut at) = (0, 0);
    while at + 1 < words.len() {
        if words[at] == first && words[at + 1] == second {
            count += 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    count
}
