//! Feeds a tokenizer, leaving out the attributes of a tag beyond a limit.
//!
//! The tokenizer looks for duplicates among all attributes of a tag whenever one ends: a tag with
//! 100,000 of them costs 10^10 comparisons. So tags are found here first, by the tokenizer's own
//! rules, and what exceeds the limit is not fed.

use super::tree::{Gate, Raw};
use super::unread::{self, Attribute, Fill, Places};
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TokenSink, Tokenizer};

/// Feeds a text; gives the places of it from which nothing will be read.
pub(super) fn feed(
    tokenizer: &Tokenizer<Gate>,
    text: &StrTendril,
    attributes_max: usize,
) -> Places {
    let (queue, places) = (BufferQueue::default(), Places::default());
    let mut feeder = Feeder { tokenizer, text, queue, fed: 0, attributes_max, places };
    let bytes = text.as_bytes();
    let mut at = 0;
    // A text is searched by words, bytes one at a time.
    while let Some(found) = text[at..].find('<') {
        at += found;
        at = match (bytes.get(at + 1), bytes.get(at + 2)) {
            (Some(b'!'), _) => feeder.markup(at),
            (Some(b'?'), _) => past(bytes, at, b">"),
            (Some(b'/'), Some(next)) if next.is_ascii_alphabetic() => feeder.tag(at),
            (Some(b'/'), _) => past(bytes, at, b">"),
            (Some(next), _) if next.is_ascii_alphabetic() => feeder.tag(at),
            _ => at + 1,
        };
    }
    feeder.feed_to(bytes.len());
    feeder.places
}

struct Feeder<'t> {
    tokenizer: &'t Tokenizer<Gate>,
    text: &'t StrTendril,
    queue: BufferQueue,
    /// Everything before was fed, or left out.
    fed: usize,
    attributes_max: usize,
    places: Places,
}

impl Feeder<'_> {
    fn feed_to(&mut self, end: usize) {
        // A chunk bounds what one tendril may hold.
        const CHUNK_BYTES: usize = 1 << 20;
        while self.fed < end {
            let upto = end.min(self.text.floor_char_boundary(self.fed + CHUNK_BYTES));
            let chunk = StrTendril::from(&self.text[self.fed..upto]);
            self.fed = upto;
            self.push(chunk);
        }
    }

    fn push(&self, chunk: StrTendril) {
        self.queue.push_back(chunk);
        while !matches!(self.tokenizer.feed(&self.queue), TokenizerResult::Done) {}
    }

    /// A comment, document type or CDATA section at `at`; gives where it ends.
    fn markup(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let rest = &bytes[at + 2..];
        if rest.starts_with(b"[CDATA[") {
            self.feed_to(at);
            if self.tokenizer.sink.adjusted_current_node_present_but_not_in_html_namespace() {
                return past(bytes, at, b"]]>");
            }
        }
        if !rest.starts_with(b"--") {
            return past(bytes, at, b">");
        }
        let content = at + 4;
        match &bytes[content..] {
            [b'>', ..] => content + 1,
            [b'-', b'>', ..] => content + 2,
            _ => {
                self.places.push(content, Fill::Comment);
                past_comment(bytes, content)
            }
        }
    }

    /// A tag at `at`, and the raw text it may open; gives where it ends.
    fn tag(&mut self, at: usize) -> usize {
        let mut end = self.one_tag(at);
        if !may_be_raw(&self.text.as_bytes()[at + 1..]) {
            return end;
        }
        self.feed_to(end);
        let mut is_script_text = true;
        loop {
            let name = match self.tokenizer.sink.raw() {
                Raw::No => return end,
                Raw::Forever => return self.text.len(),
                Raw::Until(name) => name,
            };
            if std::mem::take(&mut is_script_text) && &*name == "script" {
                self.places.push(end, Fill::Script);
            }
            let Some(close) = find_end_tag(self.text.as_bytes(), end, name.as_bytes()) else {
                return self.text.len();
            };
            end = self.one_tag(close);
            self.feed_to(end);
        }
    }

    /// Scans a tag; if it has too many attributes, feeds it without them.
    fn one_tag(&mut self, at: usize) -> usize {
        let (bytes, mut attributes) = (self.text.as_bytes(), Vec::new());
        let element = unread::element(&bytes[at + 1..]);
        let scanned = scan_tag(bytes, at, self.attributes_max, |attribute| {
            if element.is_some() {
                attributes.push(attribute);
            }
        });
        for (start, fill) in element.into_iter().flat_map(|name| unread::of_tag(name, &attributes))
        {
            self.places.push(start, fill);
        }
        if let Some(cut) = scanned.cut {
            self.feed_to(cut);
            if scanned.closed {
                self.push(StrTendril::from_char('>'));
            }
            self.fed = scanned.end;
        }
        scanned.end
    }
}

/// The elements that may switch the tokenizer away from markup.
fn may_be_raw(tag: &[u8]) -> bool {
    const NAMES: [&[u8]; 10] = [
        b"script",
        b"style",
        b"textarea",
        b"title",
        b"xmp",
        b"iframe",
        b"noembed",
        b"noframes",
        b"noscript",
        b"plaintext",
    ];
    NAMES
        .iter()
        .any(|name| tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
}

/// The position after `needle`, searched from `at`; the end if there is none.
fn past(bytes: &[u8], at: usize, needle: &[u8]) -> usize {
    let found = bytes[at..].windows(needle.len()).position(|window| window == needle);
    found.map_or(bytes.len(), |found| at + found + needle.len())
}

fn past_comment(bytes: &[u8], content: usize) -> usize {
    let mut at = content;
    loop {
        at = past(bytes, at, b"--");
        match &bytes[at..] {
            [] => return at,
            [b'>', ..] => return at + 1,
            [b'!', b'>', ..] => return at + 2,
            // Three dashes: the last two may be the ones.
            _ => at -= 1,
        }
    }
}

fn find_end_tag(bytes: &[u8], from: usize, name: &[u8]) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == b'<')?;
        let start = bytes.get(at + 2..at + 2 + name.len());
        let ends = matches!(
            bytes.get(at + 2 + name.len()),
            Some(b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'>')
        );
        let named = start.is_some_and(|start| start.eq_ignore_ascii_case(name));
        if bytes.get(at + 1) == Some(&b'/') && named && ends {
            return Some(at);
        }
        at += 1;
    }
}

struct Scanned {
    /// After the `>`, or the end of the text.
    end: usize,
    /// Where the first attribute beyond the limit starts.
    cut: Option<usize>,
    /// The tag has its `>`.
    closed: bool,
}

/// The position of the first byte from `from` on that is not one of these.
fn skip(bytes: &[u8], from: usize, is_one: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|&byte| !is_one(byte)).map_or(bytes.len(), |n| from + n)
}

/// Finds the end of the tag that starts at `at` (HTML, "tag name state" and those after it).
fn scan_tag<'t>(
    bytes: &'t [u8],
    at: usize,
    attributes_max: usize,
    mut tell: impl FnMut(Attribute<'t>),
) -> Scanned {
    let is_space = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ');
    let mut cut = None;
    let mut count = 0;
    let mut at = skip(bytes, at + 1, |byte| !is_space(byte) && byte != b'>' && (byte != b'/'));
    if bytes.get(at) == Some(&b'/') && bytes[at - 1] == b'<' {
        at = skip(bytes, at + 1, |byte| !is_space(byte) && byte != b'>' && byte != b'/');
    }
    loop {
        at = skip(bytes, at, |byte| is_space(byte) || byte == b'/');
        match bytes.get(at) {
            None => return Scanned { end: bytes.len(), cut, closed: false },
            Some(b'>') => return Scanned { end: at + 1, cut, closed: true },
            Some(_) => {}
        }
        count += 1;
        if count > attributes_max && cut.is_none() {
            cut = Some(at);
        }
        // The first character belongs to the name, even if it is `=`.
        let named = |byte: u8| !is_space(byte) && byte != b'/' && byte != b'>' && byte != b'=';
        let start = at;
        at = skip(bytes, at + 1, named);
        let name = &bytes[start..at];
        let value = skip(bytes, at, is_space);
        if bytes.get(value) != Some(&b'=') {
            continue;
        }
        at = skip(bytes, value + 1, is_space);
        let quote = bytes.get(at).copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let start = at + usize::from(quote.is_some());
        let end = match quote {
            Some(quote) => skip(bytes, start, |byte| byte != quote),
            None => skip(bytes, start, |byte| !is_space(byte) && byte != b'>'),
        };
        tell(Attribute { name, value: &bytes[start..end], start, quote });
        at = (end + usize::from(quote.is_some())).min(bytes.len());
    }
}
