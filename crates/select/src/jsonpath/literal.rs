//! Texts in quotes, and numbers.

use super::parse::{Parsed, Parser};
use serde_json::Value;

impl Parser<'_> {
    /// A text in single or double quotes.
    pub fn string(&mut self) -> Parsed<String> {
        let quote = self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return self.wrong("the text has no closing quote"),
                end if end == quote => return Ok(text),
                Some('\\') => {
                    let escaped = self.next();
                    let c = match escaped {
                        Some('b') => '\u{8}',
                        Some('f') => '\u{c}',
                        Some('n') => '\n',
                        Some('r') => '\r',
                        Some('t') => '\t',
                        Some(c @ ('/' | '\\')) => c,
                        Some(c) if escaped == quote => c,
                        Some('u') => self.unicode()?,
                        _ => return self.wrong("no such escape; a backslash itself is `\\\\`"),
                    };
                    text.push(c);
                }
                Some(c) if c < ' ' => {
                    return self.wrong("a control character is written as an escape, as in \\n");
                }
                Some(c) => text.push(c),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// What follows `\u`: four digits, or twice as many for what is beyond them.
    fn unicode(&mut self) -> Parsed<char> {
        let first = self.four_digits()?;
        let code = match first {
            0xd800..=0xdbff if self.take("\\u") => match self.four_digits()? {
                second @ 0xdc00..=0xdfff => 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                _ => first,
            },
            _ => first,
        };
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.wrong("half of a surrogate pair; write both, as in \\uD83D\\uDE00"),
        }
    }

    fn four_digits(&mut self) -> Parsed<u32> {
        let digits = self.rest().get(..4);
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => self.wrong("expected four hexadecimal digits"),
        }
    }

    /// A number as JSON writes it.
    pub fn number(&mut self) -> Parsed<Value> {
        let rest = self.rest();
        let is_in_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let end = rest.find(|c| !is_in_number(c)).unwrap_or(rest.len());
        match serde_json::from_str::<Value>(&rest[..end]) {
            Ok(number) => {
                self.at += end;
                Ok(number)
            }
            Err(_) => self.wrong("expected a number as JSON writes it, such as -1.5e3"),
        }
    }
}
