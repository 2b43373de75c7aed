//! Tests of a value: `< 40 EUR`, `changes by 10 %`.

use super::{Failed, Parsed, Parser, meant, shortened};
use crate::lexer::Kind;
use crate::place::Place;
use aspect::{Amount, Decimal, Operator, Test, currency};

/// Signs that people write instead of the language's.
pub(super) const INSTEAD: [(&str, &str); 6] =
    [("==", "="), ("<>", "!="), ("=<", "<="), ("=>", ">="), ("≤", "<="), ("≥", ">=")];

impl Parser<'_, '_> {
    /// A test in its canonical text, if there is one.
    pub(super) fn test(&mut self) -> Parsed<Option<String>> {
        if self.kind() != Kind::Word {
            return Ok(None);
        }
        let slice = self.slice();
        if let Some((wrong, right)) = INSTEAD.iter().find(|(wrong, _)| slice.starts_with(wrong)) {
            let (written, place) = self.take_prefix(wrong.len());
            let message = format!("expected a comparison, found `{written}`");
            self.cure(place, &message, right);
            let operator = Operator::begins(right).map_or(Operator::Equal, |(_, found)| found);
            return Ok(Some(Test::Is(operator, self.amount()?).to_string()));
        }
        if let Some((sign, operator)) = Operator::begins(slice) {
            self.take_prefix(sign.len());
            return Ok(Some(Test::Is(operator, self.amount()?).to_string()));
        }
        if let Some(operator) = self.comparison_in_words() {
            return Ok(Some(Test::Is(operator, self.amount()?).to_string()));
        }
        let is_by = self.next_is_any(&["by"]);
        let moves = [
            "drops",
            "falls",
            "rises",
            "changed",
            "change",
            "moves",
            "increases",
            "decreases",
            "grows",
            "shrinks",
        ];
        if self.is("not") && self.next_slice().starts_with(|c: char| c.is_ascii_digit()) {
            self.instead("a comparison", "!=");
            self.advance();
            return Ok(Some(Test::Is(Operator::Unequal, self.amount()?).to_string()));
        }
        if is_by && self.is_any(&moves) {
            self.instead("a test", "changes");
            self.advance();
            self.take("by");
            return Ok(Some(Test::ChangesBy(self.amount()?).to_string()));
        }
        if self.is_any(&moves) && self.next_slice().starts_with(|c: char| c.is_ascii_digit()) {
            self.instead("a test", "changes by");
            self.advance();
            return Ok(Some(Test::ChangesBy(self.amount()?).to_string()));
        }
        if self.moves_in_words() {
            return Ok(None);
        }
        if self.take("changes") {
            let help = "write `changes by 10 %` or `changes by 5`";
            if self.slice().starts_with(|c: char| c.is_ascii_digit()) {
                self.expected_here("`by`", help, " by");
            } else {
                self.expect("by", help)?;
            }
            self.by_at_least();
            let start = self.place();
            let least = self.amount()?;
            if least.number <= Decimal::default() {
                let place = self.since(start);
                let help = "write how much is enough: `changes by 10 %`";
                self.sink.value(place, "a change is by more than zero", help);
            }
            return Ok(Some(Test::ChangesBy(least).to_string()));
        }
        Ok(None)
    }

    /// `increases`, `goes down`, `changes` after a value, and no bound.
    fn moves_in_words(&mut self) -> bool {
        let goes = ["goes", "moves", "is"];
        let ways = [
            "increases",
            "increased",
            "decreases",
            "decreased",
            "rises",
            "falls",
            "drops",
            "dropped",
            "grows",
            "changes",
            "changed",
            "lower",
            "higher",
            "up",
            "down",
        ];
        let count = 1 + usize::from(self.is_any(&goes));
        let is_way = ways.contains(&&*self.word_at(count - 1));
        let ends = self.tokens.get(self.at + count).is_none_or(|next| {
            let word = self.text_at(next.place);
            next.kind != Kind::Word
                || self.is_clause_word(word)
                || ["and", "or", "create"].iter().any(|end| word.eq_ignore_ascii_case(end))
        });
        if !is_way || !ends {
            return false;
        }
        let start = self.place();
        (0..count).for_each(|_| self.advance());
        let place = self.since(start);
        let message = format!("expected a test, found `{}`", self.text_at(place));
        let help = "write `updated` for each change of the number, up and down; a bound tells one \
                    way: `< 40`, `> 40`";
        self.cure_with(place, &message, help, "updated");
        true
    }

    /// Whether a test stands here.
    pub(super) fn at_test(&self) -> bool {
        self.is("changes") || self.kind() == Kind::Word && self.slice().starts_with(['<', '>', '='])
    }

    /// `40`, `-2.5`, with `%` or a currency after it.
    pub(super) fn amount(&mut self) -> Parsed<Amount> {
        let help = "write a number such as `40` or `0.5`, and `%` or a currency after it";
        let slice = self.slice();
        if self.kind() != Kind::Word {
            return Err(self.expected("a number", help));
        }
        let length = slice.find(|c: char| !(c.is_ascii_digit() || "-.".contains(c)));
        let length = length.unwrap_or(slice.len());
        if length == 0 && self.currency_first() {
            return Err(Failed);
        }
        if length == 0 {
            let sign = slice.trim_end_matches(|c: char| c.is_ascii_digit() || ".-".contains(c));
            let number = &slice[sign.len()..];
            let help = match currency(sign) {
                Some(code) if Decimal::parse(number).is_some() => {
                    let message = format!("expected a number, found `{}`", shortened(slice));
                    let right = format!("{number} {code}");
                    let help = format!("write the currency after the number: `{right}`");
                    self.cure_with(self.place(), &message, &help, &right);
                    return Err(Failed);
                }
                _ => help.to_owned(),
            };
            return Err(self.expected("a number", &help));
        }
        let Some(number) = Decimal::parse(&slice[..length]) else {
            let message = format!("`{}` is no number of the language", shortened(slice));
            let help = "write `1299` or `1299.5`: a point before the fraction, nothing else";
            self.sink.syntax(self.place(), message, help);
            return Err(Failed);
        };
        let (_, whole) = self.take_prefix(length);
        self.number_in_short(whole);
        let is_cut = self.kind() == Kind::Comma && self.place().start == self.end_of_last;
        if is_cut && self.next_is_number() {
            let place = self.place();
            self.advance();
            let rest = self.slice();
            let digits = rest.find(|c: char| !"0123456789.".contains(c)).unwrap_or(rest.len());
            self.take_prefix(digits);
            let message = "a number of the language has no comma";
            let help = "write `1299` or `1299.5`: a point before the fraction, nothing else";
            let whole = Place::new(whole.start, self.end_of_last);
            match meant::number(self.text_at(whole)) {
                Some(right) => self.cure(whole, message, &right),
                None => self.sink.syntax(place, message, help),
            }
        }
        Ok(Amount { number, unit: self.unit()?.map(Into::into) })
    }

    fn next_is_number(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        let slice = next.map_or("", |token| &self.text[token.place.start..token.place.end]);
        slice.starts_with(|c: char| c.is_ascii_digit())
    }

    /// `%` or a currency, by its code; a word that is none is left where it is, unless it touches
    /// the number.
    fn unit(&mut self) -> Parsed<Option<&'static str>> {
        if self.kind() != Kind::Word {
            return Ok(None);
        }
        let slice = self.slice();
        let touches = self.place().start == self.end_of_last;
        let upper = slice.to_uppercase();
        let code = currency(slice).or_else(|| currency(&upper).filter(|_| !self.is_keyword()));
        let unit = if slice == "%" { Some("%") } else { code };
        if unit.is_some() {
            self.advance();
            return Ok(unit);
        }
        if let Some(right) = meant::of(&meant::UNITS, slice) {
            self.instead("`%`, a currency, or nothing", right);
            self.advance();
            return Ok(None);
        }
        let is_sign = slice.starts_with(|c: char| !c.is_alphanumeric());
        let is_word = slice.chars().all(char::is_alphabetic) && !self.is_keyword();
        if touches || is_sign || is_word && !self.at_clause() && !self.at_modifier() {
            let help = "write `%` or the code of a currency, as in `40 EUR`; other units are left \
                        out";
            if is_word {
                let (place, message) = self.unexpected("`%`, a currency, or nothing");
                self.leave_out(place, &message, help);
                self.advance();
                return Ok(None);
            }
            return Err(self.expected("`%`, a currency, or nothing", help));
        }
        Ok(None)
    }

    fn is_keyword(&self) -> bool {
        crate::vocabulary::is_reserved(self.slice())
    }

    pub(super) fn at_modifier(&self) -> bool {
        self.is_any(&["inside", "outside", "ignoring", "tag", "ignore", "excluding", "without"])
    }
}
