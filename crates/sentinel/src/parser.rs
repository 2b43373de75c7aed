//! Recursive descent over the tokens, with recovery at the next clause or statement.
//!
//! What the grammar has but this version does not carry out is read to its end, and named in one
//! diagnostic. The rest of the file is still checked.

mod clause;
mod cursor;
mod duration;
mod meant;
mod modifiers;
mod monitor;
mod name;
mod notify;
mod rule;
mod slips;
mod source;
mod time;
mod unexpected;
mod value_test;

pub(crate) use meant::adverb;
use name::name_for;
pub(crate) use unexpected::{shortened, write_it};

use crate::lexer::{Comment, Kind, Token, lex};
use crate::limits::{FILE_BYTES_MAX, STATEMENTS_MAX};
use crate::place::{Place, Sink};
use crate::syntax::rule::Rule;
use crate::syntax::{Name, Statement, Target, Time};
use crate::vocabulary::{is_plain_name, nearest};

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
        } else if self.removal_meant() || self.other_tool() || self.statement_meant() {
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
        if self.name_before_url().is_none()
            && (self.kind() == Kind::Backquoted
                || self.kind() == Kind::Word && is_plain_name(self.slice()))
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
}

const SENTINEL: &str = "sentinel";
const RULE: &str = "rule";
