//! What templates may not write: whatever makes lists of lists.
//!
//! The fuel of a template counts its steps and the texts it makes. A list that holds another one
//! twice is a small step; forty such steps make a list that no memory holds once it is shown. So
//! templates make no lists: they show, choose and join what a notification says. Expressions are
//! short, so that reading one never goes deep.

use minijinja::machinery::{Token, tokenize};
use minijinja::{Environment, Error, ErrorKind};

/// Words and signs of one `{{ … }}` or `{% … %}`.
const TOKENS_MAX: usize = 200;
/// Filters and functions that make lists of lists.
const FILTERS: [&str; 5] = ["zip", "chain", "groupby", "batch", "slice"];
const FUNCTIONS: [&str; 2] = ["dict", "namespace"];
/// Words after which an expression begins.
const KEYWORDS: [&str; 8] = ["in", "not", "and", "or", "if", "elif", "else", "is"];

/// Takes away what makes lists of lists.
pub(crate) fn forbid(environment: &mut Environment<'_>) {
    FILTERS.iter().for_each(|name| environment.remove_filter(name));
    let refuse = || -> Result<(), Error> { Err(Error::new(ErrorKind::UnknownFunction, NO_LISTS)) };
    FUNCTIONS.iter().for_each(|name| environment.add_function(*name, refuse));
}

/// What a template writes that it may not, as the end of a sentence; O(n).
pub(crate) fn fault(source: &str) -> Option<String> {
    let mut block: Vec<Token<'_>> = Vec::new();
    for token in tokenize(source, false, Default::default()) {
        // The parser says it better.
        let Ok((token, span)) = token else { return None };
        match token {
            Token::TemplateData(_) => {}
            Token::VariableStart | Token::BlockStart => block.clear(),
            Token::VariableEnd | Token::BlockEnd => {
                if let Some(why) = fault_of(&block) {
                    return Some(format!("in line {}: {why}", span.start_line));
                }
            }
            _ if block.len() >= TOKENS_MAX => {
                return Some(format!("in line {}: an expression is too long", span.start_line));
            }
            token => block.push(token),
        }
    }
    None
}

fn fault_of(block: &[Token<'_>]) -> Option<&'static str> {
    // What each open bracket is: whether commas separate arguments in it.
    let mut open: Vec<bool> = Vec::new();
    // Names of a loop stand before `in`.
    let mut is_target = matches!(block, [Token::Ident("for"), ..]);
    for (at, token) in block.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &block[at]);
        let after = block.get(at + 1);
        let is_value = |token: Option<&Token<'_>>| match token {
            Some(Token::Ident(word)) => !KEYWORDS.contains(word),
            Some(Token::ParenClose | Token::BracketClose | Token::Str(_) | Token::String(_)) => {
                true
            }
            _ => false,
        };
        let is_literal = |token: Option<&Token<'_>>| {
            use Token::{Float, Int, Str, String};
            matches!(token, Some(Int(_) | Float(_) | Str(_) | String(_)))
        };
        match token {
            Token::BraceOpen => return Some(NO_LISTS),
            Token::BracketOpen if is_value(before) => open.push(false),
            Token::BracketOpen if !is_plain(&block[at + 1..]) => return Some(NO_LISTS),
            Token::BracketOpen => open.push(true),
            Token::ParenOpen => open.push(is_value(before) || is_plain(&block[at + 1..])),
            Token::ParenClose | Token::BracketClose => drop(open.pop()),
            Token::Ident("in") => is_target = false,
            Token::Comma if !is_target && open.last() != Some(&true) => return Some(NO_LISTS),
            Token::Plus if !is_literal(before) && !is_literal(after) => return Some(NO_SUMS),
            Token::Mul if !is_literal(before) || !is_literal(after) => return Some(NO_PRODUCTS),
            Token::Ident("map") if !has_plain_arguments(&block[at + 1..]) => return Some(NO_MAP),
            _ => {}
        }
    }
    None
}

const NO_LISTS: &str = "a template makes no lists; use those of the notification";
const NO_SUMS: &str = "`+` adds a number or a text that is written there; write `~` to join texts";
const NO_PRODUCTS: &str = "`*` multiplies what is written there only";
const NO_MAP: &str = "`map` takes texts and numbers only, as in `map(attribute=\"kind\")`";

/// Whether a list that opens here holds texts and numbers only, all of them written there.
fn is_plain(rest: &[Token<'_>]) -> bool {
    let ends = |token: &Token<'_>| matches!(token, Token::BracketClose | Token::ParenClose);
    rest.iter().take_while(|token| !ends(token)).all(|token| {
        use Token::{Comma, Float, Int, Str, String};
        matches!(token, Comma | Int(_) | Float(_) | Str(_) | String(_))
    })
}

/// Whether what follows `map` in its parentheses is written there: texts, numbers, names of
/// arguments.
fn has_plain_arguments(rest: &[Token<'_>]) -> bool {
    let [Token::ParenOpen, inside @ ..] = rest else { return true };
    let end = inside.iter().position(|token| matches!(token, Token::ParenClose));
    let inside = &inside[..end.unwrap_or(inside.len())];
    inside.iter().enumerate().all(|(at, token)| match token {
        Token::Ident(_) => matches!(inside.get(at + 1), Some(Token::Assign)),
        Token::Str(_) | Token::String(_) | Token::Int(_) | Token::Comma | Token::Assign => true,
        _ => false,
    })
}
