//! The grammar of RFC 9535, by recursive descent.

use super::functions::compile;
use super::syntax::{
    Comparable, Comparison, Logical, Matches, Operator, Pattern, Query, Segment, Selector, Slice,
};
use crate::Wrong;
use serde_json::Value;

/// The largest integer of I-JSON, 2^53 - 1.
const INTEGER_MAX: i64 = (1 << 53) - 1;

pub(super) struct Parser<'t> {
    pub text: &'t str,
    pub at: usize,
}

pub(super) type Parsed<T> = Result<T, Wrong>;

pub(super) fn parse(text: &str) -> Parsed<Query> {
    let mut parser = Parser { text, at: 0 };
    if !parser.take("$") {
        return parser.wrong("a query begins with `$`, as in $.items[0].price");
    }
    let query = parser.query(true)?;
    match parser.rest() {
        "" => Ok(query),
        _ => parser.wrong("expected `.name`, `..name`, `[…]` or the end"),
    }
}

impl Parser<'_> {
    pub fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    pub fn wrong<T>(&self, what: impl Into<String>) -> Parsed<T> {
        Err(Wrong::Syntax { language: "JSONPath", at: self.at, what: what.into() })
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.take(token) { Ok(()) } else { self.wrong(format!("expected `{token}`")) }
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// What follows `$` or `@`.
    fn query(&mut self, is_absolute: bool) -> Parsed<Query> {
        let mut segments = Vec::new();
        loop {
            let before = self.at;
            self.space();
            let descends = self.take("..");
            if self.peek() == Some('[') {
                segments.push(Segment { descends, selectors: self.bracketed()? });
            } else if descends || self.take(".") {
                let selectors = vec![self.shorthand()?];
                segments.push(Segment { descends, selectors });
            } else {
                self.at = before;
                return Ok(Query { is_absolute, segments });
            }
        }
    }

    fn shorthand(&mut self) -> Parsed<Selector> {
        if self.take("*") {
            return Ok(Selector::Wildcard);
        }
        let is_first = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
        let rest = self.rest();
        if !rest.starts_with(is_first) {
            return self.wrong("expected a name or `*` after the dot; write other names ['so']");
        }
        let end = rest.find(|c: char| !is_first(c) && !c.is_ascii_digit()).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        Ok(Selector::Name(name))
    }

    fn bracketed(&mut self) -> Parsed<Vec<Selector>> {
        self.expect("[")?;
        let mut selectors = Vec::new();
        loop {
            self.space();
            selectors.push(self.selector()?);
            self.space();
            if !self.take(",") {
                self.expect("]")?;
                return Ok(selectors);
            }
        }
    }

    fn selector(&mut self) -> Parsed<Selector> {
        match self.peek() {
            Some('\'' | '"') => Ok(Selector::Name(self.string()?)),
            Some('*') => {
                self.at += 1;
                Ok(Selector::Wildcard)
            }
            Some('?') => {
                self.at += 1;
                self.space();
                Ok(Selector::Filter(self.logical()?))
            }
            Some('-' | ':' | '0'..='9') => self.index_or_slice(),
            _ => self.wrong("expected a name in quotes, a number, a slice, `*` or a `?filter`"),
        }
    }

    fn index_or_slice(&mut self) -> Parsed<Selector> {
        let start = self.integer()?;
        let before = self.at;
        self.space();
        if !self.take(":") {
            self.at = before;
            return match start {
                Some(index) => Ok(Selector::Index(index)),
                None => self.wrong("expected a number"),
            };
        }
        self.space();
        let end = self.integer()?;
        self.space();
        let mut step = None;
        if self.take(":") {
            self.space();
            step = self.integer()?;
        }
        Ok(Selector::Slice(Slice { start, end, step: step.unwrap_or(1) }))
    }

    fn integer(&mut self) -> Parsed<Option<i64>> {
        let rest = self.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        let length = rest.len() - digits.len() + count;
        if length == 0 {
            return Ok(None);
        }
        let written = rest[..length].to_owned();
        if count == 0 || (digits.starts_with('0') && length > 1) {
            return self.wrong("expected a number without leading zeros");
        }
        match written.parse::<i64>() {
            Ok(number) if number.abs() <= INTEGER_MAX => {
                self.at += length;
                Ok(Some(number))
            }
            _ => self.wrong(format!("the number is beyond {INTEGER_MAX}")),
        }
    }

    fn logical(&mut self) -> Parsed<Logical> {
        let mut any = vec![self.conjunction()?];
        while self.operator("||") {
            any.push(self.conjunction()?);
        }
        Ok(if any.len() == 1 { any.remove(0) } else { Logical::Or(any) })
    }

    fn conjunction(&mut self) -> Parsed<Logical> {
        let mut all = vec![self.basic()?];
        while self.operator("&&") {
            all.push(self.basic()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Logical::And(all) })
    }

    /// Takes an operator with the blanks around it, or nothing.
    fn operator(&mut self, token: &str) -> bool {
        let before = self.at;
        self.space();
        if self.take(token) {
            self.space();
            return true;
        }
        self.at = before;
        false
    }

    fn basic(&mut self) -> Parsed<Logical> {
        let negated = self.take("!");
        if negated {
            self.space();
        }
        let inner = if self.take("(") {
            self.space();
            let inner = self.logical()?;
            self.space();
            self.expect(")")?;
            inner
        } else {
            self.test_or_comparison(negated)?
        };
        Ok(if negated { Logical::Not(Box::new(inner)) } else { inner })
    }

    fn test_or_comparison(&mut self, negated: bool) -> Parsed<Logical> {
        let start = self.at;
        let left = self.operand()?;
        let before = self.at;
        self.space();
        let Some(operator) = self.comparison_operator() else {
            self.at = before;
            return match left {
                Operand::Query(query) => Ok(Logical::Exists(query)),
                Operand::Logical(matches) => Ok(matches),
                Operand::Comparable(_) => self.wrong("expected a comparison, such as == 1"),
            };
        };
        if negated {
            self.at = start;
            return self.wrong("`!` needs parentheses around a comparison: !(@.a == 1)");
        }
        let left = self.comparable(left)?;
        self.space();
        let right = self.operand()?;
        let right = self.comparable(right)?;
        Ok(Logical::Compare(Box::new(Comparison { left, operator, right })))
    }

    fn comparison_operator(&mut self) -> Option<Operator> {
        const OPERATORS: [(&str, Operator); 6] = [
            ("==", Operator::Equal),
            ("!=", Operator::Unequal),
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        OPERATORS.into_iter().find(|(token, _)| self.take(token)).map(|(_, operator)| operator)
    }

    fn comparable(&self, operand: Operand) -> Parsed<Comparable> {
        match operand {
            Operand::Comparable(comparable) => Ok(comparable),
            Operand::Query(query) if query.is_singular() => Ok(Comparable::Singular(query)),
            Operand::Query(_) => {
                self.wrong("a comparison needs a path to one value, without `..`, `*` or slices")
            }
            Operand::Logical(_) => {
                self.wrong("match() and search() are not compared with anything")
            }
        }
    }

    fn operand(&mut self) -> Parsed<Operand> {
        match self.peek() {
            Some('$' | '@') => {
                let is_absolute = self.peek() == Some('$');
                self.at += 1;
                Ok(Operand::Query(self.query(is_absolute)?))
            }
            Some('\'' | '"') => self.string().map(|text| Operand::literal(Value::from(text))),
            Some('-' | '0'..='9') => Ok(Operand::literal(self.number()?)),
            _ => self.word(),
        }
    }

    /// `true`, `false`, `null` or a function.
    fn word(&mut self) -> Parsed<Operand> {
        let rest = self.rest();
        let is_in_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let end = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
        let (word, is_call) = (rest[..end].to_owned(), rest[end..].starts_with('('));
        let literal =
            match (&*word, is_call) {
                ("true", false) => Value::Bool(true),
                ("false", false) => Value::Bool(false),
                ("null", false) => Value::Null,
                ("length" | "count" | "value" | "match" | "search", true) => {
                    self.at += end + 1;
                    return self.call(&word);
                }
                _ => return self.wrong(
                    "expected @…, $…, a number, a text in quotes, true, false, null or one of the \
                 functions length, count, value, match, search",
                ),
            };
        self.at += end;
        Ok(Operand::literal(literal))
    }

    fn call(&mut self, name: &str) -> Parsed<Operand> {
        self.space();
        let first = self.operand()?;
        let called = match name {
            "length" => Comparable::Length(Box::new(self.comparable(first)?)),
            "count" => Comparable::Count(self.nodes(first)?),
            "value" => Comparable::ValueOf(self.nodes(first)?),
            _ => {
                let text = self.comparable(first)?;
                self.space();
                self.expect(",")?;
                self.space();
                let second = self.operand()?;
                let pattern = self.comparable(second)?;
                self.close()?;
                return Ok(Operand::Logical(matches(name == "match", text, pattern)));
            }
        };
        self.close()?;
        Ok(Operand::Comparable(called))
    }

    fn nodes(&self, operand: Operand) -> Parsed<Query> {
        match operand {
            Operand::Query(query) => Ok(query),
            _ => self.wrong("count() and value() take a path, as in count(@.*)"),
        }
    }

    fn close(&mut self) -> Parsed<()> {
        self.space();
        self.expect(")")
    }
}

fn matches(whole: bool, text: Comparable, pattern: Comparable) -> Logical {
    let pattern = match pattern {
        Comparable::Literal(Value::String(pattern)) => Pattern::Known(compile(&pattern, whole)),
        Comparable::Literal(_) => Pattern::Known(None),
        found => Pattern::Found(found),
    };
    Logical::Matches(Box::new(Matches { text, pattern, whole }))
}

enum Operand {
    Query(Query),
    Comparable(Comparable),
    Logical(Logical),
}

impl Operand {
    fn literal(value: Value) -> Operand {
        Operand::Comparable(Comparable::Literal(value))
    }
}
