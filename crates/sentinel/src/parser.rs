//! Recursive descent over the tokens, with recovery at the next clause or statement.
//!
//! What the grammar has but this version does not carry out is read to its end, and named in one
//! diagnostic. The rest of the file is still checked.

mod clause;
mod meant;
mod modifiers;
mod monitor;
mod rule;
mod slips;
mod source;
mod time;
mod value_test;

pub(crate) use meant::write_it;

use crate::Cure;
use crate::lexer::{Comment, Kind, Token, is_closed, lex};
use crate::limits::{FILE_BYTES_MAX, NAME_CHARS_MAX, STATEMENTS_MAX};
use crate::place::{Place, Sink};
use crate::syntax::rule::Rule;
use crate::syntax::{Name, Statement, Target, Time};
use crate::vocabulary::{
    CLAUSES, TAG, clauses, clauses_help, is_hidden, is_plain_name, is_reserved, nearest,
};

/// What a text holds.
pub(crate) struct File {
    pub(crate) statements: Vec<Statement>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) comments: Vec<Comment>,
    /// The index of the token at which the text ends.
    pub(crate) end_token: usize,
}

/// Reads a whole file; everything wrong with it goes into `sink`. O(text).
pub(crate) fn parse(text: &str, sink: &mut Sink) -> File {
    if text.len() > FILE_BYTES_MAX {
        let message = format!("this file has {} bytes; {FILE_BYTES_MAX} are allowed", text.len());
        sink.syntax(Place::default(), message, "split it into several files");
        return File {
            statements: Vec::new(),
            rules: Vec::new(),
            comments: Vec::new(),
            end_token: 0,
        };
    }
    let lexed = lex(text, sink);
    let end_token = lexed.tokens.len() - 1;
    let mut parser = Parser::new(text, lexed.tokens, sink);
    let (statements, rules) = parser.file();
    File { statements, rules, comments: lexed.comments, end_token }
}

/// Reads a time alone.
pub(crate) fn parse_time(text: &str, sink: &mut Sink) -> Option<Time> {
    let lexed = lex(text, sink);
    let mut parser = Parser::new(text, lexed.tokens, sink);
    let time = parser.absolute_time().ok()?;
    if parser.kind() != Kind::End {
        parser.expected("the end of the time", "leave out what follows it");
        return None;
    }
    Some(time)
}

/// The diagnostic has been given; go on at the next clause.
#[derive(Debug, Clone, Copy)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'t, 's> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    sink: &'s mut Sink,
    /// Open parentheses and `not`s of the expression being read.
    depth: usize,
    /// Leaves of the expression being read.
    leaves: usize,
    /// Where the token taken last ended.
    end_of_last: usize,
    /// The value that was tested last.
    tested: Option<Place>,
    /// A rule is being read.
    is_rule: bool,
    /// Where the sources of the last `probe` end, and its `within`.
    probed: Option<(usize, Place)>,
}

impl<'t, 's> Parser<'t, 's> {
    fn new(text: &'t str, tokens: Vec<Token>, sink: &'s mut Sink) -> Parser<'t, 's> {
        Parser {
            text,
            tokens,
            at: 0,
            sink,
            depth: 0,
            leaves: 0,
            end_of_last: 0,
            tested: None,
            is_rule: false,
            probed: None,
        }
    }

    fn file(&mut self) -> (Vec<Statement>, Vec<Rule>) {
        let (mut statements, mut rules) = (Vec::new(), Vec::new());
        loop {
            while self.kind() == Kind::Semicolon {
                self.advance();
            }
            if self.kind() == Kind::End {
                return (statements, rules);
            }
            if statements.len() + rules.len() == STATEMENTS_MAX {
                let message = format!("a file may have {STATEMENTS_MAX} statements; more follow");
                self.sink.syntax(self.place(), message, "split it into several files");
                return (statements, rules);
            }
            let first_token = self.at;
            match self.kind_of_statement() {
                Some(SENTINEL) => statements.push(self.sentinel(first_token)),
                Some(_) => rules.push(self.rule(first_token)),
                None => {}
            }
        }
    }

    /// `create sentinel` or `create rule`, also where one of the words is missing; `None`: the
    /// statement is skipped.
    fn kind_of_statement(&mut self) -> Option<&'static str> {
        let kind = |parser: &Self| [SENTINEL, RULE].into_iter().find(|kind| parser.is(kind));
        if self.is_bare_at(self.at) {
            self.insert("`create`", "create ");
        } else if self.at_create_meant() {
            let message = format!("expected `create`, found `{}`", shortened(self.slice()));
            self.sink.near(self.place(), message, "create");
            self.advance();
        } else if self.kind() == Kind::Url {
            self.address_alone();
            return None;
        } else if self.removal_meant() || self.other_tool() {
            return None;
        } else if !self.take("create") {
            self.expected_statement();
            self.skip_statement();
            return None;
        } else if kind(self).is_none() {
            return self.kind_after_create();
        }
        let found = kind(self);
        self.advance();
        found
    }

    /// What `create NAME using` and `create NAME on` mean.
    fn kind_after_create(&mut self) -> Option<&'static str> {
        let meant = match () {
            () if self.next_is_any(&["using"]) => Some(SENTINEL),
            () if self.next_is_any(&["on"]) => Some(RULE),
            () if self.kind_meant("using") => Some(SENTINEL),
            () if self.kind_meant("on") => Some(RULE),
            () => None,
        };
        let is_slip = nearest(self.slice(), [SENTINEL, RULE]).is_some();
        if let Some(kind) = meant.filter(|_| !is_slip) {
            if self.kind_meant("using") || self.kind_meant("on") {
                self.instead(&format!("`{kind}` after `create`"), kind);
                self.advance();
                return Some(kind);
            }
            self.insert(&format!("`{kind}` after `create`"), &format!("{kind} "));
            return Some(kind);
        }
        let help = "write `create sentinel NAME using …` or `create rule NAME on …`";
        self.expected_among("`sentinel` or `rule` after `create`", [SENTINEL, RULE], help);
        self.skip_statement();
        None
    }

    fn sentinel(&mut self, first_token: usize) -> Statement {
        let before = self.sink.errors();
        self.is_rule = false;
        let help = "write `create sentinel NAME using …`";
        let named = match self.spaced_name("using") {
            None if self.is("using") && self.next_kind() == Kind::Url => {
                let text = name_for(self.next_slice());
                self.insert("the name of the sentinel", &format!("{text} "));
                Ok(Name { text, place: self.place() })
            }
            Some(name) => Ok(name),
            None => self.name("the name of the sentinel", help),
        };
        let name = named.unwrap_or_else(|Failed| {
            if !self.is("using") && !self.at_clause() && !self.at_statement() {
                self.advance();
            }
            Name { text: String::new(), place: self.place() }
        });
        let target = self.target().ok();
        if target.is_none() {
            self.skip_clause();
        }
        let mut clauses = Vec::new();
        while !self.at_statement() {
            if self.kind() == Kind::Semicolon {
                let semicolon = self.place();
                self.advance();
                if !self.at_clause() {
                    break;
                }
                let help = "move it to the end of the statement, or remove it";
                self.leave_out(semicolon, "`;` ends a statement, but this one goes on", help);
                continue;
            }
            match self.clause() {
                Ok(clause) => clauses.push(clause),
                Err(Failed) => self.skip_clause(),
            }
        }
        Statement { name, target, clauses, first_token, broken: self.sink.errors() > before }
    }

    fn target(&mut self) -> Parsed<Target> {
        let help = "write `using https://example.org/page`, or `using NAME` to inherit";
        if self.kind() == Kind::Url {
            self.insert("`using`", "using ");
        } else if self.kind() == Kind::Word && !self.is("using") && self.next_kind() == Kind::Url {
            let is_slip = nearest(self.slice(), ["using"]).is_some();
            let message = format!("expected `using`, found `{}`", shortened(self.slice()));
            let help = if is_slip { "did you mean `using`?" } else { "write `using`" };
            self.cure_with(self.place(), &message, help, "using");
            self.advance();
        } else {
            self.expect("using", help)?;
        }
        if self.kind() == Kind::Backquoted
            || self.kind() == Kind::Word && is_plain_name(self.slice())
        {
            let name = self.name("a name", help)?;
            if self.kind() == Kind::Comma {
                let help = "a sentinel inherits from one other; write `using NAME`";
                self.sink.syntax(self.place(), "expected the end of the target", help);
                return Err(Failed);
            }
            return Ok(Target::Parent(name));
        }
        self.sources().map(Target::Sources)
    }

    fn name(&mut self, what: &str, help: &str) -> Parsed<Name> {
        if let Some(name) = self.quoted_name() {
            return Ok(name);
        }
        let (place, slice) = (self.place(), self.slice());
        let text = match self.kind() {
            Kind::Backquoted if slice.len() < 2 || !slice.ends_with('`') => {
                self.advance();
                return Err(Failed);
            }
            Kind::Backquoted => slice.trim_matches('`'),
            Kind::Word if is_plain_name(slice) => slice,
            _ if self.at_new_statement() => return Err(self.expected(what, help)),
            Kind::Word if is_reserved(slice) => {
                let message = format!("expected {what}, found `{slice}`, a word of the language");
                let help = format!("write it as `` `{slice}` ``; {help}");
                if what.starts_with("the name of the") || what.ends_with("tag") {
                    self.cure_with(place, &message, &help, &format!("`{slice}`"));
                } else {
                    self.sink.syntax(place, message, &help);
                }
                // The statement goes on, so that this word is its name.
                if !self.next_is_any(&["using", "on"]) {
                    return Err(Failed);
                }
                self.advance();
                return Ok(Name { text: slice.to_owned(), place });
            }
            Kind::Word if is_plain_name(slice.trim_end_matches(':')) => {
                let message = format!("`{}` is not a name", shortened(slice));
                let name = slice.trim_end_matches(':');
                self.cure(place, &message, name);
                self.advance();
                return Ok(Name { text: name.to_owned(), place });
            }
            Kind::Word if slice.starts_with(char::is_alphanumeric) => {
                let message = format!("`{}` is not a name", shortened(slice));
                let help = "a name is a letter, then letters, digits, `_` and `-`; \
                            anything else goes between backquotes";
                self.cure_with(place, &message, help, &format!("`{slice}`"));
                return Err(Failed);
            }
            _ => return Err(self.expected(what, help)),
        };
        let chars = text.chars().count();
        if text.trim().is_empty() {
            self.sink.value(place, "this name is empty", "write a name between the backquotes");
        } else if matches!(text, "." | "..") {
            let help =
                "write a letter, too: in an address of the API dots alone mean another place";
            self.sink.value(place, "this name is only dots", help);
        } else if chars > NAME_CHARS_MAX {
            let message = format!("this name has {chars} characters; {NAME_CHARS_MAX} are allowed");
            self.sink.value(place, message, "choose a shorter one");
        } else if text.chars().any(is_hidden) {
            let help = "leave out control and invisible characters";
            self.sink.value(place, "this name has characters nobody can see", help);
        }
        self.advance();
        Ok(Name { text: text.to_owned(), place })
    }
}

/// Where the parser stands.
impl<'t> Parser<'t, '_> {
    fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn place(&self) -> Place {
        self.tokens[self.at].place
    }

    fn slice(&self) -> &'t str {
        let Place { start, end } = self.place();
        &self.text[start..end]
    }

    fn is(&self, keyword: &str) -> bool {
        self.kind() == Kind::Word && self.slice().eq_ignore_ascii_case(keyword)
    }

    fn is_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(keyword))
    }

    fn next_is_any(&self, keywords: &[&str]) -> bool {
        let Some(token) = self.tokens.get(self.at + 1) else { return false };
        let slice = &self.text[token.place.start..token.place.end];
        token.kind == Kind::Word && keywords.iter().any(|word| slice.eq_ignore_ascii_case(word))
    }

    fn is_clause_word(&self, word: &str) -> bool {
        CLAUSES.iter().any(|clause| word.eq_ignore_ascii_case(clause))
    }

    fn at_clause(&self) -> bool {
        self.is_any(CLAUSES) || self.at_tag()
    }

    /// Where a name or a word of another kind may stand: `tag` before a name begins a clause.
    fn at_tag(&self) -> bool {
        let is_name = |token: &Token| match token.kind {
            Kind::Backquoted => true,
            Kind::Word => is_plain_name(&self.text[token.place.start..token.place.end]),
            _ => false,
        };
        self.is(TAG) && self.tokens.get(self.at + 1).is_some_and(is_name)
    }

    /// At the end of the text, or where another statement begins.
    fn at_statement(&self) -> bool {
        self.kind() == Kind::End || self.is("create") || self.at_bare_statement()
    }

    /// At `sentinel NAME using` or `rule NAME on`, without `create` or after a slip of it.
    fn at_bare_statement(&self) -> bool {
        self.is_bare_at(self.at) || self.at_create_meant()
    }

    fn is_bare_at(&self, at: usize) -> bool {
        let Some([kind, _, joint]) = self.tokens.get(at..at + 3) else { return false };
        let is = |token: &Token, word: &str| self.text_at(token.place).eq_ignore_ascii_case(word);
        is(kind, SENTINEL) && is(joint, "using") || is(kind, RULE) && is(joint, "on")
    }

    /// At a word that is nearly `create`, or means it.
    fn at_create_meant(&self) -> bool {
        self.kind() == Kind::Word
            && self.is_bare_at(self.at + 1)
            && !self.is("create")
            && (self.is_any(&["new", "add", "define", "make", "update", "change"])
                || nearest(self.slice(), ["create"]).is_some())
    }

    fn advance(&mut self) {
        self.end_of_last = self.place().end;
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Takes the first `length` bytes of the token, leaving the rest as a token of its own.
    fn take_prefix(&mut self, length: usize) -> (&'t str, Place) {
        let whole = self.place();
        let place = Place::new(whole.start, (whole.start + length).min(whole.end));
        if place.end == whole.end {
            self.advance();
        } else {
            self.tokens[self.at].place.start = place.end;
            self.end_of_last = place.end;
        }
        (&self.text[place.start..place.end], place)
    }

    fn take(&mut self, keyword: &str) -> bool {
        let found = self.is(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn take_kind(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, keyword: &str, help: &str) -> Parsed<()> {
        match self.take(keyword) {
            true => Ok(()),
            false => Err(self.expected_among(&format!("`{keyword}`"), [keyword], help)),
        }
    }

    /// From `start` to the end of the token taken last.
    fn since(&self, start: Place) -> Place {
        Place::new(start.start, self.end_of_last.max(start.start))
    }
}

/// When something else stands there.
impl Parser<'_, '_> {
    fn expected(&mut self, what: &str, help: &str) -> Failed {
        // What the lexer complained about already.
        if self.kind() != Kind::Quoted || is_closed(self.slice()) {
            let (place, message) = self.unexpected(what);
            self.sink.syntax(place, message, help);
        }
        Failed
    }

    /// As `expected`, where `missing` is left out before what stands here.
    fn expected_here(&mut self, what: &str, help: &str, missing: &str) {
        let (place, message) = self.unexpected(what);
        let (start, end) = (self.end_of_last, self.end_of_last);
        let cure = Cure { start, end, text: missing.to_owned() };
        self.sink.curable(place, message, help, cure);
    }

    /// What stands here and is not `what`.
    fn unexpected(&self, what: &str) -> (Place, String) {
        if !self.at_new_statement() {
            let found = shortened(self.slice());
            return (self.place(), format!("expected {what}, found `{found}`"));
        }
        let place = Place::new(self.end_of_last, self.end_of_last);
        let ended = if self.kind() == Kind::End { "text" } else { "statement" };
        (place, format!("expected {what}, but the {ended} ends here"))
    }

    /// As `expected`, where one of `known` belongs: "did you mean" if the word here is nearly it.
    fn expected_among<'a>(
        &mut self,
        what: &str,
        known: impl IntoIterator<Item = &'a str>,
        help: &str,
    ) -> Failed {
        let is_word = self.kind() == Kind::Word && !self.at_new_statement();
        // The word itself stands in the wrong place.
        let is_slip = |near: &&str| is_word && !near.eq_ignore_ascii_case(self.slice());
        let Some(near) = nearest(self.slice(), known).filter(is_slip) else {
            return self.expected(what, help);
        };
        let message = format!("expected {what}, found `{}`", shortened(self.slice()));
        self.sink.near(self.place(), message, near);
        Failed
    }

    fn expected_clause(&mut self) -> Failed {
        if is_comment(self.slice()) {
            return self.expected("a clause", COMMENT_HELP);
        }
        self.expected_among("a clause", clauses().chain(["create"]), &clauses_help())
    }

    /// An address where a statement is expected: a sentinel on it.
    fn address_alone(&mut self) {
        let url = self.slice();
        let message = format!("expected `create sentinel`, found `{}`", shortened(url));
        self.cure(
            self.place(),
            &message,
            &format!("create sentinel {} using {url}", name_for(url)),
        );
        self.advance();
        while !self.at_new_statement() && self.kind() != Kind::Url {
            self.advance();
        }
    }

    /// Something else begins a statement.
    fn expected_statement(&mut self) -> Failed {
        let what = "`create sentinel`";
        if is_comment(self.slice()) {
            return self.expected(what, COMMENT_HELP);
        }
        self.expected_among(what, ["create"], "a file is a list of `create sentinel` …")
    }

    /// A name with blanks in it, if words follow each other here up to `end`.
    fn spaced_name(&mut self, end: &str) -> Option<Name> {
        let slice = |token: &Token| &self.text[token.place.start..token.place.end];
        let is_part = |token: &Token| {
            let word = slice(token);
            let is_other = self.is_clause_word(word)
                || ["create", end].iter().any(|other| word.eq_ignore_ascii_case(other));
            token.kind == Kind::Word && !is_other
        };
        let after = &self.tokens[self.at + 1..];
        let words = after.iter().take(NAME_WORDS_MAX).take_while(|token| is_part(token)).count();
        let ends = after.get(words).is_some_and(|token| slice(token).eq_ignore_ascii_case(end));
        let begins = self.kind() == Kind::Word && !self.is(end);
        if words == 0 || !ends || !begins || self.slice().contains('`') {
            return None;
        }
        let place = self.place().until(after[words - 1].place);
        let written = self.text[place.start..place.end].split_whitespace();
        let whole = written.collect::<Vec<_>>().join(" ");
        let help = format!("write it between backquotes: `` `{}` ``", shortened(&whole));
        self.cure_with(place, "this name has blanks in it", &help, &format!("`{whole}`"));
        (0..=words).for_each(|_| self.advance());
        Some(Name { text: whole, place })
    }

    /// To the next clause, `;` or statement.
    fn skip_clause(&mut self) {
        // What an open parenthesis holds is one part with it.
        let is_open = std::mem::take(&mut self.depth) > 0;
        let is_end = |parser: &Self| !is_open && parser.kind() == Kind::Semicolon;
        while !self.at_clause() && !is_end(self) && !self.at_new_statement() {
            self.advance();
        }
    }

    /// To the next statement.
    fn skip_statement(&mut self) {
        while !self.at_new_statement() {
            self.advance();
        }
    }

    fn at_new_statement(&self) -> bool {
        let begins = self.is("create") && self.next_is_any(&["sentinel", "rule"]);
        self.kind() == Kind::End || begins || self.at_bare_statement()
    }
}

const SENTINEL: &str = "sentinel";
const RULE: &str = "rule";

/// Words that a name with blanks may have.
const NAME_WORDS_MAX: usize = 12;

const COMMENT_HELP: &str = "a comment begins with `--`";

/// Whether it begins a comment of other languages.
fn is_comment(slice: &str) -> bool {
    slice.starts_with('#') || slice.starts_with("//")
}

/// A name for a sentinel on this URL: its host, in letters a name may have.
fn name_for(url: &str) -> String {
    let host = address::without_credentials(url);
    let host = host.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.split(['/', ':', '?', '#']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let name: String = host.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    if is_plain_name(&name) && name.len() <= NAME_CHARS_MAX { name } else { "page".to_owned() }
}

/// The first forty characters, for a message.
pub(crate) fn shortened(text: &str) -> String {
    shortened_to(text, 40)
}

fn shortened_to(text: &str, chars_max: usize) -> String {
    let text = address::without_credentials(text);
    let shown = |c: char| if is_hidden(c) { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(chars_max).map(shown).collect();
    if text.chars().nth(chars_max).is_some() {
        short.push('…');
    }
    short
}
