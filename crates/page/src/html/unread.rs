//! Places of a page from which nothing is read: comments, scripts, and what some attributes say.
//!
//! Many pages send other bytes at every look and show the same: a comment with the time, a nonce at
//! each script, a token in a hidden field. Comes in: those places, as the parser's feeder finds
//! them, and the text. Goes out: whether another text differs there alone. Such a text would be
//! read the same, and need not be parsed. Promises: never yes where the whole pages are read apart
//! (the tests read both); linear in the text, without a tree.
//!
//! No second parser is at work. Up to a place both texts are the same, so that the tokenizer stands
//! there in the same state. What a place may hold is what cannot end it by the rules of that state,
//! and where that is in doubt the answer is no.

use crate::media::{Guess, Media, guess};
use crate::{Hints, Limits, cost, view};
use memchr::memmem;

/// Places of one page that are kept; what comes after them is compared as it is.
const PLACES_MAX: usize = 256;
/// Tokens that the tokenizer makes of one `<`, line break or NUL of a script, at most, and of the
/// rest of it.
const TOKENS_A_BREAK: u64 = 4;
const TOKENS_A_SCRIPT: u64 = 2;

/// By what a place ends, and what it cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// Before `-->`.
    Comment,
    /// Before `</script`.
    Script,
    /// Before this quote.
    Quoted(u8),
}

impl Fill {
    /// The length of a place at the start of `rest`; `None` where that is in doubt.
    fn length(self, rest: &[u8]) -> Option<usize> {
        match self {
            Fill::Quoted(quote) => memchr::memchr(quote, rest),
            Fill::Comment => {
                let end = memmem::find(rest, b"--")?;
                let closes = rest[end..].starts_with(b"-->");
                let ends_at_once = rest.starts_with(b">") || rest.starts_with(b"->");
                (closes && !ends_at_once).then_some(end)
            }
            Fill::Script => {
                let is_end = |at: &usize| {
                    let tag = rest.get(at + 1..at + 8);
                    tag.is_some_and(|tag| tag.eq_ignore_ascii_case(b"/script"))
                };
                let end = memchr::memchr_iter(b'<', rest).find(is_end)?;
                // From there on a script may go on beyond its end tag.
                memmem::find(&rest[..end], b"<!--").is_none().then_some(end)
            }
        }
    }
}

/// The places that were found while a text was parsed, in their order, and what is left of limits.
#[derive(Debug, Default)]
pub(super) struct Places {
    list: Vec<(usize, Fill)>,
    pub(super) nodes: u32,
    pub(super) steps_left: u64,
}

impl Places {
    /// A place begins here.
    pub(super) fn push(&mut self, start: usize, fill: Fill) {
        if self.list.len() < PLACES_MAX {
            self.list.push((start, fill));
        }
    }

    /// What is kept of a page that was read in full.
    pub(super) fn of(&self, text: &str, limits: &Limits) -> Option<Unread> {
        let (bytes, mut at, mut tags) = (text.as_bytes(), 0, 0);
        let (mut hasher, mut places) = (blake3::Hasher::new(), Vec::new());
        let mut literal = |piece: &[u8]| {
            hasher.update(piece);
            tags += memchr::memchr_iter(b'<', piece).count();
            u32::try_from(piece.len()).ok()
        };
        for &(start, fill) in &self.list {
            if let Some(length) = fill.length(&bytes[start..]) {
                places.push((literal(bytes.get(at..start)?)?, fill));
                at = start + length;
            }
        }
        let last = literal(&bytes[at..])?;
        (!places.is_empty()).then(|| Unread {
            places: places.into(),
            last,
            rest: *hasher.finalize().as_bytes(),
            // Only a `<` outside counts: the next page has it, too.
            nodes_left: cost::nodes_max(tags, limits).saturating_sub(self.nodes),
            steps_left: self.steps_left,
        })
    }
}

/// Places of an HTML page from which nothing is read, and a hash of the rest. 8 bytes a place, of
/// which there are 256 at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Bytes between the place before and this one.
    places: Box<[(u32, Fill)]>,
    /// Bytes after the last.
    last: u32,
    rest: [u8; 32],
    nodes_left: u32,
    steps_left: u64,
}

impl Unread {
    /// Whether a body differs from the one that these places are of in nothing else, so that
    /// [`crate::read`] gives the same of both. The hints and limits are those of then. Linear in
    /// the body.
    #[must_use]
    pub fn is_all_that_differs(&self, body: &[u8], hints: &Hints<'_>, limits: &Limits) -> bool {
        let media = Media::parse(hints.content_type);
        let Ok(text) = view::decoded(body, &media, limits) else { return false };
        let text = text.trim_start_matches('\u{feff}');
        guess(text, &media, hints.url.path()) == Guess::Html && self.fits(text.as_bytes(), limits)
    }

    fn fits(&self, bytes: &[u8], limits: &Limits) -> bool {
        let (mut at, mut tokens) = (0, 0);
        let mut hasher = blake3::Hasher::new();
        for &(before, fill) in &self.places {
            let start = at + before as usize;
            let Some(piece) = bytes.get(at..start) else { return false };
            hasher.update(piece);
            let Some(length) = fill.length(&bytes[start..]) else { return false };
            at = start + length;
            if fill == Fill::Script {
                let is_break = |byte: &&u8| matches!(byte, b'<' | b'\n' | b'\r' | 0);
                let breaks = bytes[start..at].iter().filter(is_break).count() as u64;
                tokens += TOKENS_A_BREAK * breaks + TOKENS_A_SCRIPT;
            }
        }
        let rest = &bytes[at..];
        rest.len() == self.last as usize
            && self.has_room(tokens + (bytes.len() >> 20) as u64, limits)
            && *hasher.update(rest).finalize().as_bytes() == self.rest
    }

    /// Whether nothing is left out of the page where its scripts come in this many tokens: each
    /// makes a node, and takes steps by its depth.
    fn has_room(&self, tokens: u64, limits: &Limits) -> bool {
        let steps = 4 * (1 + u64::from(limits.depth_max));
        tokens < u64::from(self.nodes_left) && tokens.saturating_mul(steps) < self.steps_left
    }
}

/// An attribute, as it stands in a tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attribute<'t> {
    pub(super) name: &'t [u8],
    pub(super) value: &'t [u8],
    /// Where the value begins in the text, and its quote.
    pub(super) start: usize,
    pub(super) quote: Option<u8>,
}

impl Attribute<'_> {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }
}

/// The name of an element of which some attributes may say what they like, at the start of its tag.
pub(super) fn element(tag: &[u8]) -> Option<&'static str> {
    const NAMES: [&str; 5] = ["script", "style", "link", "meta", "input"];
    NAMES.into_iter().find(|name| {
        let ends = matches!(tag.get(name.len()), Some(b'\t' | b'\n' | b'\x0c' | b'\r' | b' '));
        ends && tag[..name.len()].eq_ignore_ascii_case(name.as_bytes())
    })
}

/// Those of the attributes of such an element from which nothing is read.
pub(super) fn of_tag<'a>(
    element: &'static str,
    attributes: &'a [Attribute<'a>],
) -> impl Iterator<Item = (usize, Fill)> + 'a {
    // References are not resolved here.
    let may_be_feed = |rel: &Attribute<'_>| {
        let mut parts = rel.value.windows(b"alternate".len());
        rel.value.contains(&b'&') || parts.any(|part| part.eq_ignore_ascii_case(b"alternate"))
    };
    let free: &[&str] = match element {
        "script" => &["nonce", "integrity", "src"],
        "style" => &["nonce"],
        "link" => {
            let mut rels = attributes.iter().filter(|attribute| attribute.is("rel"));
            if rels.any(may_be_feed) { &["nonce"] } else { &["nonce", "integrity", "href"] }
        }
        "meta" => &["content"],
        "input" => {
            let kind = attributes.iter().find(|attribute| attribute.is("type"));
            let is_hidden = kind.is_some_and(|kind| kind.value.eq_ignore_ascii_case(b"hidden"));
            if is_hidden { &["value"] } else { &[] }
        }
        _ => &[],
    };
    let is_free = move |attribute: &&Attribute<'_>| free.iter().any(|name| attribute.is(name));
    let free = attributes.iter().filter(is_free);
    free.filter_map(|attribute| Some((attribute.start, Fill::Quoted(attribute.quote?))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dated, View};
    use proptest::prelude::*;
    use url::Url;

    fn read(page: &str, limits: &Limits) -> Option<Dated> {
        let url = Url::parse("https://site.example/a/b").unwrap();
        let hints = Hints { content_type: Some("text/html"), url: &url };
        crate::extract_dated(page.as_bytes(), &hints, limits, [View::Page]).ok()
    }

    /// Whether `after` is known to show what `before` shows, without being read.
    fn is_same(before: &str, after: &str, limits: &Limits) -> bool {
        let url = Url::parse("https://site.example/a/b").unwrap();
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let unread = read(before, limits).and_then(|read| read.unread);
        unread.is_some_and(|unread| unread.is_all_that_differs(after.as_bytes(), &hints, limits))
    }

    #[test]
    fn comments_scripts_and_tokens_may_say_what_they_like() {
        for (before, after) in [
            ("<!-- 1 --><p>a", "<!-- made in 0.3 s, <b> --><p>a"),
            ("<p>a<!---->", "<p>a<!-- x > y -> z -->"),
            ("<script>let t = 1;</script>a", "<script>let t = '</p><p>';\n</script>a"),
            (
                "<script src='a.js?v=1' nonce=\"x\"></script>a",
                "<script src='b.js' nonce=\"\"></script>a",
            ),
            ("<link rel=stylesheet href='a.css'>a", "<link rel=stylesheet href='b.css'>a"),
            ("<meta name=csrf content='12'>a", "<meta name=csrf content='>3'>a"),
            ("<input TYPE='hidden' value='12'>a", "<input TYPE='hidden' value='\n'>a"),
            (
                "<style nonce='1'>.a{display:none}</style>a",
                "<style nonce='2'>.a{display:none}</style>a",
            ),
        ] {
            assert!(is_same(before, after, &Limits::default()), "{before} → {after}");
        }
    }

    #[test]
    fn what_may_be_read_is_read() {
        for (before, after) in [
            ("<p>a<!-- 1 -->", "<p>b<!-- 1 -->"),
            ("<p>a<!-- 1 -->b", "<p>a<!-- 1 --> -->b"),
            ("<p>a<!-- 1 -->b", "<p>a<!--> 1 -->b"),
            ("<p>a<!-- 1 -->b", "<p>a<!-- 1 --!>b"),
            ("<p>a<!-- 1 -->b", "<p>a<!-- 1 -- >b"),
            ("<script>1</script>a", "<script>1</script>b</script>a"),
            ("<script>1</script>a", "<script><!--<script></script>a"),
            ("<script>1</script>a", "<script src>1</script>a"),
            ("<svg><script>a</script></svg>", "<svg><script>b</script></svg>"),
            ("<textarea><!-- 1 --></textarea>", "<textarea><!-- 2 --></textarea>"),
            ("<input value='1' type=submit>", "<input value='2' type=submit>"),
            (
                "<link rel='x Alternate' type='application/rss+xml' href='1'>",
                "<link rel='x Alternate' type='application/rss+xml' href='2'>",
            ),
            ("<meta content='1'>a", "<meta content='1' x='2'>a"),
            ("<meta content=1>a", "<meta content=2>a"),
            ("<p title='1'>a<!---->", "<p title='2'>a<!---->"),
            ("<!-- 1 --><html><p>a", "<!-- 1 --><rss><p>a"),
        ] {
            assert!(!is_same(before, after, &Limits::default()), "{before} → {after}");
        }
    }

    #[test]
    fn scripts_that_may_reach_a_limit_are_read() {
        let page = |lines: usize| format!("<p>a<script>{}</script>b", "x\n".repeat(lines));
        let tight = Limits { nodes_max: 100, ..Limits::default() };
        assert!(is_same(&page(1), &page(9), &tight));
        assert!(!is_same(&page(1), &page(200), &tight));
        assert!(is_same(&page(1), &page(200), &Limits::default()));
    }

    /// Pieces of pages, each in several ways.
    const PIECES: [&[&str]; 18] = [
        &["<!--1-->", "<!--2 -->", "<!-->", "<!--->", "<!---->", "<!-- a -- b -->", "<!-- --!>"],
        &["<!--", "<!--x", "<!-"],
        &["-->", "--!>", "->"],
        &[
            "<script>",
            "<SCRIPT src='a'>",
            "<script src='b' nonce='1'>",
            "<script src='c' nonce=\"2\">",
        ],
        &["</script>", "</script >", "</SCRIPT>", "</scrip>"],
        &["x = 1;", "x = '<p>';", "x = \"</scrip\";", "<!-- <script>", "-->"],
        &["<meta content='a'>", "<meta content='b' content=\"c\">", "<meta content='>'>"],
        &["<link rel='alternate' type='application/rss+xml' href='f'>", "<link rel='x' href='g'>"],
        &["<link rel='x' href='1'>", "<link rel='x' href='2'>"],
        &["<input type='hidden' value='a'>", "<input type='hidden' value='b'>"],
        &["<input type='submit' value='a'>", "<input type='submit' value='b'>"],
        &["<style nonce='1'>.a{display:none}</style>", "<style nonce='2'>.a{display:none}</style>"],
        &["<p class=a>", "<p>", "<a href='x'>", "<a href='y'>"],
        &["</p>", "</a>", "<b>", "</b>", "<br>"],
        &["text ", "other "],
        &["<svg>", "</svg>", "<textarea>", "</textarea>", "<title>", "</title>"],
        &["<noscript>", "</noscript>", "<template>", "</template>", "<select>", "<table>"],
        &["'", "\"", "<", ">", "<![CDATA[", "]]>", "<plaintext>", "<rss>"],
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        /// The slow twin reads both pages.
        #[test]
        fn what_differs_in_nothing_else_is_read_the_same(
            pieces in prop::collection::vec(
                (0..PIECES.len(), 0_usize..9, 0_usize..9, 0_u8..5),
                1..14,
            ),
            nodes_max in prop::sample::select(&[10_u32, 20, 500_000][..]),
        ) {
            let limits = Limits { nodes_max, ..Limits::default() };
            let page = |is_after: bool| -> String {
                let piece = |&(kind, one, other, stays): &(usize, usize, usize, u8)| {
                    let ways = PIECES[kind];
                    let way = if is_after && stays == 0 { other } else { one };
                    ways[way % ways.len()]
                };
                pieces.iter().map(piece).collect()
            };
            let (before, after) = (page(false), page(true));
            if is_same(&before, &after, &limits) {
                let read = |page: &str| read(page, &limits).map(|read| (read.extracts, read.dates));
                prop_assert_eq!(read(&before), read(&after), "{} → {}", before, after);
            }
        }
    }
}
