//! What a value is tested for.

use crate::{Amount, Decimal};
use std::fmt;

/// How a number stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

impl Operator {
    /// As it is written; longer ones come before their beginnings.
    const ALL: [(&str, Operator); 6] = [
        ("<=", Operator::AtMost),
        (">=", Operator::AtLeast),
        ("!=", Operator::Unequal),
        ("<", Operator::Less),
        (">", Operator::More),
        ("=", Operator::Equal),
    ];

    /// The sign that `text` begins with, and what it stands for.
    pub fn begins(text: &str) -> Option<(&'static str, Operator)> {
        Operator::ALL.into_iter().find(|(sign, _)| text.starts_with(sign))
    }

    /// How it is written.
    pub fn sign(self) -> &'static str {
        let known = Operator::ALL.iter().find(|(_, one)| *one == self);
        known.map_or("", |(sign, _)| sign)
    }

    /// Whether it holds between two numbers.
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Operator::Less => a < b,
            Operator::AtMost => a <= b,
            Operator::More => a > b,
            Operator::AtLeast => a >= b,
            Operator::Equal => a == b,
            Operator::Unequal => a != b,
        }
    }
}

/// A test of a value. It fires when it becomes true.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Test {
    /// `< 40 EUR`
    Is(Operator, Amount),
    /// `changes by 10 %`: by a tenth of the older value, at least; `changes by 5 EUR`: by five.
    ChangesBy(Amount),
}

impl Test {
    /// The inverse of its text.
    pub fn parse(text: &str) -> Option<Test> {
        let amount = |text: &str| {
            let (number, unit) = text.split_once(' ').map_or((text, None), |(n, u)| (n, Some(u)));
            let unit = unit.map(Box::from);
            Some(Amount { number: Decimal::parse(number)?, unit })
        };
        if let Some(by) = text.strip_prefix("changes by ") {
            return Some(Test::ChangesBy(amount(by)?));
        }
        let (sign, bound) = text.split_once(' ')?;
        let operator = Operator::ALL.iter().find(|(written, _)| *written == sign)?.1;
        Some(Test::Is(operator, amount(bound)?))
    }

    /// Whether it fires from `old` to `new`: one that compares becomes true, one that measures a
    /// change measures enough. A value that is not there passes no test. Values of two units, and a
    /// bound in another one, are never compared.
    pub fn fires(&self, old: Option<&Amount>, new: Option<&Amount>) -> bool {
        let Some(new) = new else { return false };
        if old.is_some_and(|old| old.unit != new.unit) {
            return false;
        }
        match self {
            Test::Is(operator, bound) => {
                let holds = |value: &Amount| {
                    is_comparable(value, bound) && operator.holds(value.number, bound.number)
                };
                holds(new) && !old.is_some_and(holds)
            }
            Test::ChangesBy(least) => {
                let Some(old) = old else { return false };
                let by = new.number.distance(old.number).billionths();
                let percents = least.unit.as_deref() == Some("%");
                let least_by = least.number.billionths();
                match percents {
                    _ if by == 0 => false,
                    true => {
                        // Exact up to twelve digits; beyond them a share of 10⁻¹² is let pass.
                        let of_old = old.number.to_f64().abs() * least_by as f64 / 100.0;
                        by as f64 >= of_old * (1.0 - 1e-12)
                    }
                    false => is_comparable(new, least) && by >= least_by,
                }
            }
        }
    }
}

/// A bound without a unit is for all, and a value without one may be of any.
fn is_comparable(value: &Amount, bound: &Amount) -> bool {
    bound.unit.is_none() || value.unit.is_none() || value.unit == bound.unit
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::Is(operator, bound) => write!(f, "{} {bound}", operator.sign()),
            Test::ChangesBy(least) => write!(f, "changes by {least}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        let (number, unit) = text.split_once(' ').map_or((text, None), |(n, u)| (n, Some(u)));
        Amount { number: Decimal::parse(number).unwrap(), unit: unit.map(Box::from) }
    }

    fn fires(test: &str, old: &str, new: &str) -> bool {
        let test = Test::parse(test).unwrap();
        let of = |text: &str| (text != "none").then(|| amount(text));
        test.fires(of(old).as_ref(), of(new).as_ref())
    }

    #[test]
    fn a_test_fires_when_it_becomes_true() {
        assert!(fires("< 40", "45", "39.99"));
        assert!(!fires("< 40", "39", "38"));
        assert!(!fires("< 40", "39", "41"));
        assert!(fires("= 3", "2", "3") && fires("!= 3", "3", "4") && fires("<= 3", "4", "3"));
        assert!(fires("< 40", "none", "39") && !fires("< 40", "39", "none"));
    }

    #[test]
    fn like_is_compared_with_like() {
        assert!(fires("< 40 EUR", "45 EUR", "39 EUR"));
        assert!(!fires("< 40 EUR", "45 USD", "39 USD"));
        assert!(!fires("< 40", "45 USD", "39 EUR"));
        assert!(fires("< 40 EUR", "45", "39"));
    }

    #[test]
    fn a_change_is_measured_against_the_older_value() {
        assert!(fires("changes by 10 %", "100", "110") && fires("changes by 10 %", "100", "90"));
        assert!(!fires("changes by 10 %", "100", "109.99"));
        assert!(fires("changes by 10 %", "0.3", "0.33"));
        assert!(fires("changes by 10 %", "0", "1") && !fires("changes by 10 %", "5", "5"));
        assert!(fires("changes by 5 EUR", "10 EUR", "5 EUR"));
        assert!(!fires("changes by 5 EUR", "10 USD", "5 USD"));
        assert!(!fires("changes by 5", "10", "5.5"));
    }

    #[test]
    fn the_text_of_a_test_reads_back() {
        for text in ["< 40", ">= 40.5 EUR", "!= -1", "changes by 10 %", "changes by 5 USD"] {
            assert_eq!(Test::parse(text).unwrap().to_string(), text);
        }
        for wrong in ["", "40", "< x", "changes by", "~ 3"] {
            assert_eq!(Test::parse(wrong), None);
        }
    }
}
