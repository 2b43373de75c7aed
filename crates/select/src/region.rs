//! What of a page one looks at: a selector, scopes, and what is ignored; as text that keys it.

use crate::{Css, Found, JsonPath, Limits, Markup, Wrong, XPath};
use std::fmt;

/// The kinds of selectors, in the order in which help lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Css,
    XPath,
    JsonPath,
    /// The name, property or itemprop of a `<meta>`.
    Meta,
    /// A JSONPath from each object that a page embeds as JSON-LD.
    JsonLd,
    /// The title of a page or feed.
    Title,
    /// The entries of a feed. Nobody writes it: a leaf of its own asks for it.
    Items,
}

impl Language {
    pub const ALL: [Language; 7] = [
        Language::Css,
        Language::XPath,
        Language::JsonPath,
        Language::Meta,
        Language::JsonLd,
        Language::Title,
        Language::Items,
    ];

    /// The word that it is written with.
    pub fn word(self) -> &'static str {
        match self {
            Language::Css => "css",
            Language::XPath => "xpath",
            Language::JsonPath => "jsonpath",
            Language::Meta => "meta",
            Language::JsonLd => "jsonld",
            Language::Title => "title",
            Language::Items => "items",
        }
    }

    /// Whether a text in quotes follows the word.
    pub fn has_text(self) -> bool {
        !matches!(self, Language::Title | Language::Items)
    }

    /// Whether it can bound what a leaf looks at.
    pub fn is_scope(self) -> bool {
        matches!(self, Language::Css | Language::XPath | Language::JsonPath)
    }

    fn named(word: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.word() == word)
    }
}

/// A selector as it is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selector {
    pub language: Language,
    /// Empty where [`Language::has_text`] is not.
    pub text: Box<str>,
}

/// On which side of what a selector finds to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Inside,
    Outside,
}

impl Side {
    /// The word that it is written with.
    pub fn word(self) -> &'static str {
        match self {
            Side::Inside => "inside",
            Side::Outside => "outside",
        }
    }
}

/// A part of a page. The default is all of it.
///
/// The text of one is what the language writes: `css ".price" inside css "main" ignoring "[0-9]+ views"
/// in de`. Equal regions have equal texts: scopes are sorted and stand once.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    /// What is looked at; `None`: whatever is there.
    pub selector: Option<Selector>,
    /// All of them bound it.
    scopes: Vec<(Side, Selector)>,
    /// A regular expression: text that matches it is taken away.
    pub ignoring: Option<Box<str>>,
    /// The language that numbers are written in; `None`: that of the page.
    pub language: Option<Box<str>>,
}

impl Region {
    /// What a selector finds on the whole page.
    pub fn of(language: Language, text: &str) -> Region {
        let selector = Some(Selector { language, text: text.into() });
        Region { selector, ..Region::default() }
    }

    /// Whether it is the whole page, as it is.
    pub fn is_whole(&self) -> bool {
        *self == Region::default()
    }

    /// What bounds it, sorted, each once.
    pub fn scopes(&self) -> &[(Side, Selector)] {
        &self.scopes
    }

    /// Bounds it by one more scope.
    pub fn bound(&mut self, side: Side, selector: Selector) {
        let scope = (side, selector);
        if let Err(place) = self.scopes.binary_search(&scope) {
            self.scopes.insert(place, scope);
        }
    }

    /// All selectors in it.
    pub fn selectors(&self) -> impl Iterator<Item = &Selector> {
        self.selector.iter().chain(self.scopes.iter().map(|(_, selector)| selector))
    }

    /// The inverse of its text; `None`: the text is none of a region.
    pub fn of_text(text: &str) -> Option<Region> {
        let mut region = Region::default();
        let mut rest = text;
        while !rest.is_empty() {
            let word = word(&mut rest);
            match word {
                "inside" => region.bound(Side::Inside, selector(&mut rest)?),
                "outside" => region.bound(Side::Outside, selector(&mut rest)?),
                "ignoring" => region.ignoring = Some(quoted(&mut rest)?.into()),
                "in" => region.language = Some(self::word(&mut rest).into()),
                _ => {
                    let language = Language::named(word)?;
                    region.selector = Some(selector_in(language, &mut rest)?);
                }
            }
        }
        Some(region)
    }

    /// What of its text goes after the selector, each part with its blank before it; `quote`
    /// writes a text in quotes.
    pub fn modifiers(&self, quote: impl Fn(&str) -> String) -> String {
        let mut text = String::new();
        for (side, selector) in &self.scopes {
            text.push_str(&format!(" {} {}", side.word(), selector.written(&quote)));
        }
        if let Some(pattern) = &self.ignoring {
            text.push_str(&format!(" ignoring {}", quote(pattern)));
        }
        if let Some(language) = &self.language {
            text.push_str(&format!(" in {language}"));
        }
        text
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selector = self.selector.as_ref().map(Selector::to_string).unwrap_or_default();
        let text = selector + &self.modifiers(quote);
        f.write_str(text.trim_start())
    }
}

impl Selector {
    /// As the language writes it; `quote` writes a text in quotes.
    pub fn written(&self, quote: impl Fn(&str) -> String) -> String {
        if self.language.has_text() {
            format!("{} {}", self.language.word(), quote(&self.text))
        } else {
            self.language.word().to_owned()
        }
    }

    /// Compiles it.
    ///
    /// # Errors
    /// The text is no selector of its language, or exceeds a limit.
    pub fn compile(&self, limits: &Limits) -> Result<Compiled, Wrong> {
        let text = &*self.text;
        Ok(match self.language {
            Language::Css => Compiled::Css(Css::parse(text, limits)?),
            Language::XPath => Compiled::XPath(XPath::parse(text, limits)?),
            Language::JsonPath => Compiled::JsonPath(JsonPath::parse(text, limits)?),
            Language::JsonLd => Compiled::JsonLd(JsonPath::parse(text, limits)?),
            Language::Meta => Compiled::Meta(text.trim().into()),
            Language::Title => Compiled::Title,
            Language::Items => Compiled::Items,
        })
    }

    /// Looks whether it can find anything at all: it compiles, and what it calls is there.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn check(&self, limits: &Limits) -> Result<(), String> {
        match self.compile(limits).map_err(|wrong| wrong.to_string())? {
            Compiled::XPath(xpath) => {
                let page = scraper::Html::parse_document("<p>1</p>");
                let markup = Markup { tree: &page.tree, is_html: true };
                let found: Result<Found, _> = xpath.find(&markup, limits);
                found.map(drop).map_err(|spent| spent.to_string())
            }
            Compiled::Meta(name) if name.is_empty() => {
                Err("the name of the <meta> is empty".to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(quote))
    }
}

/// A selector that is ready to look.
#[derive(Debug, Clone)]
pub enum Compiled {
    Css(Css),
    XPath(XPath),
    JsonPath(JsonPath),
    Meta(Box<str>),
    JsonLd(JsonPath),
    Title,
    Items,
}

/// The next word; the blanks after it are taken, too.
fn word<'t>(rest: &mut &'t str) -> &'t str {
    let (word, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
    *rest = after.trim_start();
    word
}

fn selector(rest: &mut &str) -> Option<Selector> {
    let language = Language::named(word(rest))?;
    selector_in(language, rest)
}

fn selector_in(language: Language, rest: &mut &str) -> Option<Selector> {
    let text = if language.has_text() { quoted(rest)? } else { String::new() };
    Some(Selector { language, text: text.into() })
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// The next text in quotes, as [`quote`] wrote it.
fn quoted(rest: &mut &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = rest.strip_prefix('"')?.char_indices();
    loop {
        match chars.next()? {
            (at, '"') => {
                *rest = rest[1 + at + 1..].trim_start();
                return Some(text);
            }
            (_, '\\') => match chars.next()?.1 {
                'n' => text.push('\n'),
                c => text.push(c),
            },
            (_, c) => text.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_region_reads_as_the_language_writes_it() {
        let mut region = Region::of(Language::Css, ".price");
        let main = Selector { language: Language::XPath, text: "//*[@id=\"x\"]".into() };
        region.bound(Side::Outside, main.clone());
        region.bound(Side::Outside, main);
        region.ignoring = Some("a\\d".into());
        region.language = Some("de".into());
        let text = r#"css ".price" outside xpath "//*[@id=\"x\"]" ignoring "a\\d" in de"#;
        assert_eq!(region.to_string(), text);
        assert_eq!(Region::of_text(text), Some(region));
        assert_eq!(Region::of_text("title"), Some(Region::of(Language::Title, "")));
        assert_eq!(Region::of_text(""), Some(Region::default()));
        for wrong in ["colour \"x\"", "css", "css \"x", "inside", "ignoring x"] {
            assert_eq!(Region::of_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_cannot_find_anything_is_refused() {
        let check = |language, text: &str| {
            Selector { language, text: text.into() }.check(&Limits::default())
        };
        assert!(check(Language::Css, "main > p:nth-child(2)").is_ok());
        assert!(check(Language::Css, "main >").unwrap_err().contains("CSS"));
        assert!(check(Language::XPath, "count(//p)").is_ok());
        assert!(check(Language::XPath, "matches(//p, 'x')").unwrap_err().contains("matches()"));
        assert!(check(Language::JsonLd, "$.offers.price").is_ok());
        assert!(check(Language::JsonPath, "offers.price").is_err());
        assert!(check(Language::Meta, " ").is_err());
    }

    proptest! {
        #[test]
        fn of_text_inverts_the_text(
            selector in prop::option::of((0..6usize, "[ -~é\n]{0,12}")),
            scopes in prop::collection::vec((any::<bool>(), 0..3usize, "[ -~]{0,8}"), 0..4),
            ignoring in prop::option::of("[ -~\n]{0,8}"),
            language in prop::option::of("[a-z]{2}"),
        ) {
            let made = |at: usize, text: &str| {
                let language = Language::ALL[at];
                let text = if language.has_text() { text } else { "" };
                Selector { language, text: text.into() }
            };
            let mut region = Region {
                selector: selector.map(|(at, text)| made(at, &text)),
                ignoring: ignoring.map(Into::into),
                language: language.map(Into::into),
                ..Region::default()
            };
            for (is_inside, at, text) in scopes {
                let side = if is_inside { Side::Inside } else { Side::Outside };
                region.bound(side, made(at, &text));
            }
            prop_assert_eq!(Region::of_text(&region.to_string()), Some(region));
        }
    }
}
