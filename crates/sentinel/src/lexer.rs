//! Text becomes tokens; comments are kept beside them for the formatter.
//!
//! A token is cut so that every place in the grammar can still read it its own way: a `Word` is
//! all up to white space or one of `, ; ( ) " \``, and the parser cuts dates, clocks, signs and
//! colons out of it where it expects them.

use crate::Cure;
use crate::place::{Place, Sink};
use crate::vocabulary::begins_like_url;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// Unquoted: scheme `://` up to white space, without one final comma or semicolon.
    Url,
    /// With its quotes.
    Quoted,
    /// Between quotation marks of other languages, on one line, with them.
    Foreign,
    /// With its backquotes.
    Backquoted,
    Comma,
    Semicolon,
    Open,
    Close,
    End,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) place: Place,
}

/// `-- …` up to the end of its line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comment {
    pub(crate) place: Place,
    /// The index of the token that follows.
    pub(crate) next_token: usize,
    /// No token stands before it on its line.
    pub(crate) own_line: bool,
    /// An empty line follows.
    pub(crate) blank_after: bool,
}

#[derive(Debug)]
pub(crate) struct Lexed {
    /// The last is `End`.
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
}

/// O(text).
pub(crate) fn lex(text: &str, sink: &mut Sink) -> Lexed {
    let mut lexed = Lexed { tokens: Vec::new(), comments: Vec::new() };
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (mut after_white_space, mut line_is_empty) = (true, true);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            line_is_empty |= c == '\n';
            after_white_space = true;
            at += c.len_utf8();
            continue;
        }
        if after_white_space && rest.starts_with("--") {
            let end = at + rest.find('\n').unwrap_or(rest.len());
            let next_token = lexed.tokens.len();
            let blank_after = followed_by_empty_line(&text[end..]);
            let place = Place::new(at, at + text[at..end].trim_end().len());
            lexed.comments.push(Comment {
                place,
                next_token,
                own_line: line_is_empty,
                blank_after,
            });
            at = end;
            continue;
        }
        if after_white_space && let Some(length) = foreign_comment(rest, line_is_empty) {
            report_comment(Place::new(at, at + length), text, sink);
            at += length;
            continue;
        }
        let (kind, length) = token(rest);
        let place = Place::new(at, at + length);
        report(kind, place, &rest[..length], sink);
        lexed.tokens.push(Token { kind, place });
        (after_white_space, line_is_empty) = (false, false);
        at += length;
    }
    lexed.tokens.push(Token { kind: Kind::End, place: Place::new(text.len(), text.len()) });
    lexed
}

/// The kind and length of the token at the beginning of `rest`, which is neither empty nor begins
/// with white space.
fn token(rest: &str) -> (Kind, usize) {
    match rest.as_bytes()[0] {
        b',' => (Kind::Comma, 1),
        b';' => (Kind::Semicolon, 1),
        b'(' => (Kind::Open, 1),
        b')' => (Kind::Close, 1),
        b'"' => (Kind::Quoted, quoted_length(rest)),
        _ if foreign_length(rest).is_some() => (Kind::Foreign, foreign_length(rest).unwrap_or(1)),
        b'`' => (Kind::Backquoted, backquoted_length(rest)),
        _ if begins_like_url(rest) => {
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let separated = rest[..length].ends_with([',', ';']);
            (Kind::Url, length - usize::from(separated))
        }
        _ => {
            let ends =
                |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '"' | '`');
            (Kind::Word, rest.find(ends).unwrap_or(rest.len()))
        }
    }
}

fn quoted_length(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return rest[..at].trim_end().len(),
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    rest.trim_end().len()
}

fn backquoted_length(rest: &str) -> usize {
    match rest[1..].find(['`', '\n']) {
        Some(at) if rest[1 + at..].starts_with('`') => at + 2,
        Some(at) => rest[..1 + at].trim_end().len(),
        None => rest.trim_end().len(),
    }
}

/// The length of a comment as other languages write it, if `rest` begins with one: up to the end of
/// its line, or to `*/`.
fn foreign_comment(rest: &str, is_alone: bool) -> Option<usize> {
    let line = rest.find('\n').unwrap_or(rest.len());
    if rest.starts_with("/*") {
        return Some(rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    let after = rest.strip_prefix("//").or_else(|| rest.strip_prefix('#'))?;
    let is_comment = is_alone || after.is_empty() || after.starts_with(char::is_whitespace);
    is_comment.then(|| rest[..line].trim_end().len())
}

fn report_comment(place: Place, text: &str, sink: &mut Sink) {
    let written = &text[place.start..place.end];
    let inner = written.strip_prefix("/*").map(|inner| inner.strip_suffix("*/").unwrap_or(inner));
    let (sign, right) = match inner {
        None => {
            let said = written.trim_start_matches(['/', '#']).trim_start();
            (if written.starts_with('#') { "#" } else { "//" }, format!("-- {said}"))
        }
        Some(inner) => {
            let lines = inner.trim().lines().map(|line| format!("-- {}", line.trim()));
            let lines = lines.collect::<Vec<_>>().join("\n");
            let line_ends = text[place.end..].trim_start_matches([' ', '\t', '\r']);
            let goes_on = !line_ends.is_empty() && !line_ends.starts_with('\n');
            ("/*", lines + if goes_on { "\n" } else { "" })
        }
    };
    let begins = Place::new(place.start, place.start + sign.len());
    let cure = Cure { start: place.start, end: place.end, text: right };
    let message = format!("`{sign}` begins no comment");
    sink.curable(begins, message, "a comment begins with `--`, and ends with its line", cure);
}

/// The length of a text between quotation marks of other languages, if `rest` begins with one.
fn foreign_length(rest: &str) -> Option<usize> {
    let open = rest.chars().next()?;
    let close = match open {
        '\'' => "'",
        '‘' | '‚' => "’‘'",
        '“' | '„' | '”' => "”“\"",
        '«' => "»",
        '»' => "«",
        _ => return None,
    };
    let line = rest.split('\n').next().unwrap_or_default();
    let inside = &line[open.len_utf8()..];
    let ends =
        |after: &str| after.chars().next().is_none_or(|c| c.is_whitespace() || ",;()".contains(c));
    let mut marks = inside.char_indices().filter(|&(_, c)| close.contains(c));
    let (at, mark) = marks.find(|&(at, c)| ends(&inside[at + c.len_utf8()..]))?;
    Some(open.len_utf8() + at + mark.len_utf8())
}

/// What stands between quotation marks of other languages.
pub(crate) fn inside_foreign(token: &str) -> &str {
    let mut chars = token.chars();
    chars.next();
    chars.next_back();
    chars.as_str().trim_matches('\u{a0}').trim_matches('\u{202f}').trim()
}

fn report(kind: Kind, place: Place, token: &str, sink: &mut Sink) {
    match kind {
        Kind::Quoted if !is_closed(token) => {
            sink.syntax(place, "this text is not closed", "end it with `\"` on the same line");
        }
        Kind::Backquoted if token.len() < 2 || !token.ends_with('`') => {
            sink.syntax(place, "this name is not closed", "end it with a backquote");
        }
        _ => {}
    }
}

/// Whether a quoted token ends with a quote that is not escaped.
pub(crate) fn is_closed(token: &str) -> bool {
    let Some(inside) = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return false;
    };
    let backslashes = inside.bytes().rev().take_while(|&byte| byte == b'\\').count();
    backslashes % 2 == 0
}

fn followed_by_empty_line(after: &str) -> bool {
    let mut lines = after.split('\n').skip(1);
    lines.next().is_some_and(|line| line.trim().is_empty()) && lines.next().is_some()
}
