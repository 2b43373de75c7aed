//! Phrases of several words that people write, and what the language has for them.
//!
//! As in `meant.rs`, each is one error with its cure. The words are taken, and what they stand for
//! is left out of what is read.

mod clauses;
mod events;
mod leaves;
mod phrases;
mod rules;
mod sources;
mod times;
pub(super) mod words;

pub(super) use rules::FAR_AHEAD;

use super::Parser;
use crate::lexer::Kind;

impl Parser<'_, '_> {
    /// Whether another word for a sentinel or a rule stands before a name and `joint`.
    pub(super) fn kind_meant(&self, joint: &str) -> bool {
        let words = [
            "watch", "monitor", "watcher", "alert", "job", "page", "tracker", "check", "trigger",
            "event", "action",
        ];
        self.is_any(&words) && self.name_at(1).is_some() && self.word_at(2) == joint
    }

    /// `previous`, `last version` and the like after `compare`.
    pub(super) fn pairwise_meant(&mut self) -> bool {
        let with = usize::from(self.is_any(&["with", "to", "against"]));
        let article = usize::from(self.word_at(with) == "the");
        let known = ["previous", "last", "latest", "before", "prior", "newest", "each"];
        if !known.contains(&&*self.word_at(with + article)) {
            // The words are one slip.
            (1..with + article + 1).for_each(|_| self.advance());
            return false;
        }
        let version = self.word_at(with + article + 1);
        let noun = usize::from(matches!(&*version, "version" | "versions" | "one" | "other"));
        self.take_as(with + article + 1 + noun, "`pairwise`, `moving` or `every`", "pairwise");
        true
    }

    /// `delete sentinel a` where a statement is expected.
    pub(super) fn removal_meant(&mut self) -> bool {
        let verb = match &*self.word_at(0) {
            "delete" | "remove" | "drop" => "remove",
            "disable" | "pause" | "stop" => "disable",
            "enable" | "resume" => "enable",
            _ => return false,
        };
        let noun = usize::from(matches!(&*self.word_at(1), "sentinel" | "rule"));
        let Some(name) = self.name_at(1 + noun).map(str::to_owned) else { return false };
        let start = self.place();
        while !self.at_new_statement() && self.kind() != Kind::Semicolon {
            self.advance();
        }
        self.take_kind(Kind::Semicolon);
        let message = "a file says what is to be watched, and not what is to be done";
        let help = format!("leave it out, and run `tidings {verb} {name}`");
        self.leave_out(self.since(start), message, &help);
        true
    }

    /// `first`, `with the original` after `compare`.
    pub(super) fn first_meant(&mut self) -> bool {
        let with = usize::from(self.is_any(&["with", "to", "against"]));
        let article = usize::from(self.word_at(with) == "the");
        let known = ["first", "original", "initial", "baseline", "oldest"];
        if !known.contains(&&*self.word_at(with + article)) {
            return false;
        }
        let noun = usize::from(self.word_at(with + article + 1) == "version");
        let start = self.place();
        (0..with + article + 1 + noun).for_each(|_| self.advance());
        let place = self.since(start);
        let found = self.text_at(place);
        let message = format!("expected `pairwise`, `moving` or `every`, found `{found}`");
        let help = "write `every 3`: the first of three versions with the third, and so on; \
                    `pairwise` compares each with the last";
        self.cure_with(place, &message, help, "every 3");
        true
    }
}
