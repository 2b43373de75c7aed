//! What an editor asks while a text is being written: which words fit, and what a word means.
//!
//! Both read the tokens before the cursor only, so a text that breaks off is no trouble.

use crate::lexer::{Kind, Token, is_closed, lex};
use crate::limits::FILE_BYTES_MAX;
use crate::place::Sink;
use crate::vocabulary::{CLAUSE_WORDS, ClauseWord, LEAF_WORDS, TAG, UNIT_WORDS, is_plain_name};
use aspect::{Aspect, Terms};

/// A word that may be written next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub text: String,
    /// What it is for, in a few words.
    pub meaning: String,
}

/// What the word at a place means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
    pub text: String,
}

/// Suggestions of one answer.
const SUGGESTIONS_MAX: usize = 200;

/// What may be written at the byte `at`, where `channels` are known; the word that is begun there
/// counts as not written. O(text).
pub fn suggest(text: &str, at: usize, channels: &[String]) -> Vec<Suggestion> {
    let Some(words) = Words::before(text, at) else { return Vec::new() };
    let mut found = match words.clause() {
        None => in_header(&words),
        Some(clause) => in_clause(clause, &words, channels),
    };
    found.truncate(SUGGESTIONS_MAX);
    found
}

fn said(list: &[(&str, &str)]) -> Vec<Suggestion> {
    list.iter().map(|&(text, meaning)| suggestion(text, meaning)).collect()
}

/// What may stand before the first clause of a sentinel, or instead of one.
fn in_header(words: &Words) -> Vec<Suggestion> {
    match &*words.last() {
        "create" => said(&[("sentinel", "a page to watch, and whom to tell")]),
        "using" => {
            let meaning = "inherits what this sentinel does not say";
            words.names().into_iter().map(|name| suggestion(&name, meaning)).collect()
        }
        "sentinel" => Vec::new(),
        _ if words.in_header() && words.has("using") => clauses(),
        _ if words.in_header() => said(&[("using", "the address of a page, or another sentinel")]),
        _ => said(&[("create sentinel", "begins a sentinel")]),
    }
}

/// What may stand in `clause`, or begin the next one.
fn in_clause(clause: &str, words: &Words, channels: &[String]) -> Vec<Suggestion> {
    let last = words.last();
    match (clause, &*last) {
        ("monitor", last) => in_monitor(last),
        ("fetch", "fetch") => said(&[
            ("on change", "Tidings decides when to look"),
            ("every", "looks come again and again"),
        ]),
        ("then", "then") => said(&[("probe", "what is looked at once it finds something")]),
        ("then", "probe" | ",") => Vec::new(),
        ("notify", "notify") => said(&[("by", "which way you are told")]),
        ("notify", "by") => by_channels(channels),
        ("compare", "compare") => said(&[
            ("pairwise", "each version with the last"),
            ("moving", "each version with the one n − 1 before it"),
            ("every", "the first with the last of every n versions"),
        ]),
        ("presentation", "presentation") => said(&[
            ("only change", "what came and what went"),
            ("dual frame", "old and new side by side"),
            ("merged", "one text with marks"),
        ]),
        ("from" | "to", "from" | "to") => said(&[
            ("now", "when the text is applied"),
            ("start(", "when another sentinel begins"),
            ("end(", "when another sentinel ends"),
        ]),
        ("from" | "to", "(") | ("during", "during") => {
            let meaning = "the sentinel that it begins or ends with";
            words.names().into_iter().map(|name| suggestion(&name, meaning)).collect()
        }
        ("fetch" | "notify" | "then", "every" | "within") => said(UNIT_WORDS),
        (_, last) if last.bytes().all(|b| b.is_ascii_digit()) => {
            [said(UNIT_WORDS), clauses()].concat()
        }
        (clause, last) if clause == last => Vec::new(),
        ("notify", _) => {
            let ways = [
                ("immediately", "on detection"),
                ("best effort", "at once, merged under load"),
                ("every", "one digest per period"),
            ];
            [said(&ways), clauses()].concat()
        }
        ("then", _) if !words.has("within") => said(&[("within", "how long those looks have")]),
        ("fetch", _) => [said(&[("within", "how late a look may be")]), clauses()].concat(),
        _ => clauses(),
    }
}

fn in_monitor(last: &str) -> Vec<Suggestion> {
    match last {
        "monitor" | "and" | "or" | "not" | "(" => leaves(),
        "except" | "keyword" | "keywords" | "phrase" | "phrases" | "," => Vec::new(),
        "all" => {
            let takes_all = |leaf: &Suggestion| {
                Aspect::all().any(|aspect| {
                    aspect.head() == leaf.text && aspect.row().written[0].starts_with("all ")
                })
            };
            leaves().into_iter().filter(takes_all).collect()
        }
        _ => [said(LEAF_WORDS), clauses()].concat(),
    }
}

fn by_channels(channels: &[String]) -> Vec<Suggestion> {
    let named = channels.iter().map(|name| suggestion(&crate::print::name(name), "a channel"));
    let others = named.filter(|one| one.text != "`interactive`");
    std::iter::once(suggestion("interactive", "the dashboard")).chain(others).collect()
}

/// What the word at the byte `at` means; `None` where no word of the language stands. O(text).
pub fn meaning(text: &str, at: usize) -> Option<Meaning> {
    if text.len() > FILE_BYTES_MAX {
        return None;
    }
    let tokens = lex(text, &mut Sink::default()).tokens;
    let place = tokens.iter().position(|token| {
        token.kind == Kind::Word && (token.place.start..=token.place.end).contains(&at)
    })?;
    let slice = |token: &Token| &text[token.place.start..token.place.end];
    let token = &tokens[place];
    let word = slice(token).to_lowercase();
    let before = Words { text, tokens: tokens[..place].to_vec() };
    let is_name = matches!(&*before.last(), "sentinel" | "using" | "by" | "tag");
    if is_name && is_plain_name(&word) {
        return None;
    }
    let clause = CLAUSE_WORDS.iter().find(|clause| clause.word == word);
    let clause = clause.filter(|_| {
        let next = tokens.get(place + 1).map(slice).unwrap_or_default();
        word != TAG || is_plain_name(next) || next.starts_with('`')
    });
    let leaf = || {
        let mut leaves = Aspect::all().map(Aspect::row);
        leaves.find(|row| {
            row.written.iter().any(|form| form.split(' ').any(|part| part == word && part != "all"))
        })
    };
    let other = || {
        LEAF_WORDS.iter().chain(UNIT_WORDS).find(|(written, _)| {
            written.split(' ').next() == Some(&*word) || written.strip_suffix('s') == Some(&*word)
        })
    };
    let said = match (clause, leaf()) {
        (Some(ClauseWord { form, meaning, .. }), _) => format!("`{form}`: {meaning}"),
        (None, Some(row)) if before.clause() == Some("monitor") => {
            format!("`{}`: {}", row.aspect.example(), row.meaning)
        }
        _ => {
            let (written, meaning) = other()?;
            format!("`{written}`: {meaning}")
        }
    };
    Some(Meaning { start: token.place.start, end: token.place.end, text: said })
}

fn suggestion(text: &str, meaning: &str) -> Suggestion {
    Suggestion { text: text.to_owned(), meaning: meaning.to_owned() }
}

fn clauses() -> Vec<Suggestion> {
    CLAUSE_WORDS.iter().map(|clause| suggestion(clause.begins, clause.meaning)).collect()
}

fn leaves() -> Vec<Suggestion> {
    let leaf = |aspect: Aspect| {
        let row = aspect.row();
        let text = if row.terms == Terms::Phrases {
            format!("{} \"\"", aspect.head())
        } else {
            aspect.head().to_owned()
        };
        Suggestion { text, meaning: row.meaning.to_owned() }
    };
    let not = suggestion("not", "holds where the page changed, but this did not");
    Aspect::all().map(leaf).chain([not]).collect()
}

/// Tokens before a place.
struct Words<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

impl<'t> Words<'t> {
    /// What stands before `at`; `None` inside a comment or a text in quotes, or where the text is
    /// too long to be read.
    fn before(text: &'t str, at: usize) -> Option<Words<'t>> {
        let before = text.get(..at).filter(|_| text.len() <= FILE_BYTES_MAX)?;
        let lexed = lex(before, &mut Sink::default());
        if lexed.comments.last().is_some_and(|last| last.place.end == before.trim_end().len())
            && !before.ends_with('\n')
        {
            return None;
        }
        let mut tokens = lexed.tokens;
        tokens.pop();
        if let Some(last) = tokens.last().copied() {
            let slice = &before[last.place.start..last.place.end];
            let is_open = match last.kind {
                Kind::Quoted => !is_closed(slice),
                Kind::Backquoted => slice.len() < 2 || !slice.ends_with('`'),
                _ => false,
            };
            let touches = last.place.end == at;
            let is_quoted = matches!(last.kind, Kind::Quoted | Kind::Backquoted);
            if is_open || is_quoted && touches {
                return None;
            }
            if touches && matches!(last.kind, Kind::Word | Kind::Url) {
                tokens.pop();
            }
        }
        Some(Words { text: before, tokens })
    }

    fn slice(&self, token: &Token) -> &str {
        &self.text[token.place.start..token.place.end]
    }

    fn is(&self, token: &Token, word: &str) -> bool {
        token.kind == Kind::Word && self.slice(token).eq_ignore_ascii_case(word)
    }

    /// The last token in small letters; empty if there is none.
    fn last(&self) -> String {
        self.tokens.last().map(|last| self.slice(last).to_lowercase()).unwrap_or_default()
    }

    /// The tokens of the statement that is being written.
    fn statement(&self) -> &[Token] {
        let begins = |token: &Token| self.is(token, "create");
        match self.tokens.iter().rposition(begins) {
            Some(at) => &self.tokens[at..],
            None => &[],
        }
    }

    fn in_header(&self) -> bool {
        !self.statement().is_empty() && self.last() != ";"
    }

    fn has(&self, word: &str) -> bool {
        self.statement().iter().any(|token| self.is(token, word))
    }

    /// The clause that is being written.
    fn clause(&self) -> Option<&'static str> {
        if self.last() == ";" {
            return None;
        }
        let known = |token: &Token| CLAUSE_WORDS.iter().find(|clause| self.is(token, clause.word));
        self.statement().iter().skip(3).rev().find_map(known).map(|clause| clause.word)
    }

    /// The names of the statements before this one.
    fn names(&self) -> Vec<String> {
        let pairs = self.tokens.windows(2).filter(|pair| self.is(&pair[0], "sentinel"));
        let names = pairs.map(|pair| self.slice(&pair[1]).to_owned());
        let mut names: Vec<String> = names.collect();
        names.pop();
        names
    }
}
