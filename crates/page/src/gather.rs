//! Gathers blocks, links and images in document order, in canonical form and within limits.

use crate::row::{BETWEEN, Begun, Row, Span, Spanned};
use crate::{Block, Extract, Image, Item, Kind, Limits, Link, Part, names, struck};
use chronon::Instant;
use rustc_hash::FxHashSet;
use url::{Position, Url};

mod bold;
mod stands;
mod visit;

pub(crate) use stands::{Origin, Stand, Standing, Stands};
pub(crate) use visit::without as without_visit;

/// Text being put into canonical form: runs of white space become one space, none at either end;
/// characters nobody sees (soft hyphen, zero-width space, byte order mark, controls) are dropped.
#[derive(Debug, Default)]
pub(crate) struct Line {
    text: String,
    space: bool,
    /// How many elements that strike out are open.
    struck: u32,
    /// The text ends within what is struck out.
    is_struck: bool,
}

impl Line {
    /// Adds `text` and says how many bytes the line grew by.
    pub(crate) fn push(&mut self, text: &str) -> usize {
        let before = self.text.len();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let plain = plain(rest);
            if c.is_whitespace() {
                self.space = !self.text.is_empty();
            } else if !is_unseen(c) {
                let is_struck = self.struck > 0;
                if self.is_struck && !is_struck {
                    self.end_struck();
                }
                if std::mem::take(&mut self.space) {
                    self.text.push(' ');
                }
                if is_struck && !self.is_struck {
                    self.text.push_str(struck::MARK);
                    self.is_struck = true;
                }
                self.text.push_str(&rest[..plain.max(c.len_utf8())]);
            }
            rest = &rest[plain.max(c.len_utf8())..];
        }
        self.text.len() - before
    }

    /// What comes now is struck out.
    pub(crate) fn open_struck(&mut self) {
        self.struck = self.struck.saturating_add(1);
    }

    /// It is not any more.
    pub(crate) fn close_struck(&mut self) {
        self.struck = self.struck.saturating_sub(1);
    }

    fn end_struck(&mut self) {
        self.text.push_str(struck::MARK);
        self.is_struck = false;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn take(&mut self) -> String {
        if self.is_struck {
            self.end_struck();
        }
        self.space = false;
        std::mem::take(&mut self.text)
    }
}

/// How many bytes at the beginning of `text` are words with one space between them already, as far
/// as they are ASCII: they are copied at once.
fn plain(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_graphic);
    let goes_on = |at: usize| is_word(at) || (at > 0 && bytes[at] == b' ' && is_word(at + 1));
    (0..bytes.len()).find(|&at| !goes_on(at)).unwrap_or(bytes.len())
}

/// `text` in canonical form.
pub(crate) fn collapse(text: &str) -> String {
    let mut line = Line::default();
    line.push(text);
    line.take()
}

fn is_unseen(c: char) -> bool {
    c.is_control() || matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Announced feeds that are kept.
const FEEDS_MAX: usize = 20;

/// Bytes that a heading of a column takes beside its text.
const BOX_BYTES: usize = 16;

/// How much of the open block is said in a control, or in links within the page.
struct Within {
    stand: Option<Stand>,
    bytes: usize,
    is_open: bool,
}

/// A row of a table whose cells are still coming.
struct OpenRow {
    headings: u32,
    cells: Vec<Begun>,
    spanned: Box<[Spanned]>,
}

/// The extract as it grows.
pub(crate) struct Gather<'a> {
    limits: &'a Limits,
    line: Line,
    text_bytes: usize,
    /// Where what comes now stands.
    stand: Stand,
    /// The level of the heading that the open block is, or 0.
    heading: u8,
    /// How many elements in bold are open, and how much of the open block stands in one.
    bold: u32,
    bold_bytes: usize,
    /// How many lists are open.
    list: u8,
    /// The innermost has no block yet.
    begins_list: bool,
    /// What names the blocks that end now; empty: nothing does.
    key: String,
    key_bytes: usize,
    /// When the entry was published that the blocks that end now are of.
    at: Option<Instant>,
    /// The row of a table that the open block is.
    row: Option<OpenRow>,
    heading_bytes: usize,
    extract: Extract,
    block_stands: Vec<Stand>,
    links: Vec<Place>,
    images: Vec<Place>,
    within: Option<Within>,
    /// Blocks that are links within the page.
    contents: Vec<usize>,
    /// Entries of a feed, apart from the extract of the whole page.
    items: Vec<Item>,
}

/// Signs that some pages write before each item of a list, and others leave to the browser. Circles
/// and squares are none: they may say what is taken and what is free.
const BULLETS: [char; 5] = ['•', '‣', '◦', '▪', '∙'];

/// A text without the bullet in front; one that is nothing else keeps it, and so does a row.
fn without_bullet(text: String) -> String {
    let Some(rest) = text.strip_prefix(BULLETS).map(str::trim_start) else { return text };
    if rest.is_empty() || rest.starts_with(BULLETS) || rest.starts_with('|') {
        text
    } else {
        rest.to_owned()
    }
}

/// Signs that end a heading, of the link to itself which is seen under a pointer alone.
const ANCHORS: [char; 3] = ['¶', '\u{1f517}', '\u{f0c1}'];

fn without_anchor(mut text: String) -> String {
    let rest = text.trim_end_matches(|c: char| ANCHORS.contains(&c) || c.is_whitespace()).len();
    text.truncate(if rest == 0 { text.len() } else { rest });
    text
}

impl<'a> Gather<'a> {
    pub(crate) fn new(kind: Kind, limits: &'a Limits) -> Gather<'a> {
        let extract = Extract::empty(kind);
        let line = Line::default();
        Gather {
            limits,
            line,
            text_bytes: 0,
            stand: Stand::PAGE,
            heading: 0,
            bold: 0,
            bold_bytes: 0,
            list: 0,
            begins_list: false,
            key: String::new(),
            key_bytes: 0,
            at: None,
            row: None,
            heading_bytes: 0,
            extract,
            block_stands: Vec::new(),
            links: Vec::new(),
            images: Vec::new(),
            within: None,
            contents: Vec::new(),
            items: Vec::new(),
        }
    }

    /// The page shows a field for a password.
    pub(crate) fn asks_password(&mut self) {
        self.extract.asks_password = true;
    }

    /// What comes from now on stands there.
    pub(crate) fn enter(&mut self, stand: Stand) {
        self.stand = stand;
    }

    /// Something begins that a block may be made of: one that says nothing else stands there;
    /// `None`: it is an entry of a table of contents, if a heading says the same.
    pub(crate) fn open_within(&mut self, stand: Option<Stand>) {
        self.within.get_or_insert(Within { stand, bytes: 0, is_open: true }).is_open = true;
    }

    /// It ends.
    pub(crate) fn close_within(&mut self) {
        if let Some(within) = &mut self.within {
            within.is_open = false;
        }
    }

    /// How many blocks there are, the open one not among them.
    pub(crate) fn blocks(&self) -> u32 {
        self.extract.blocks.len() as u32
    }

    /// The text of the open block, if what comes now touches it.
    pub(crate) fn touching(&self) -> &str {
        if self.line.space { "" } else { &self.line.text }
    }

    /// The open block is a heading of this level; 0: none.
    pub(crate) fn heading(&mut self, level: u8) {
        self.heading = level;
    }

    /// What comes now is in bold.
    pub(crate) fn open_bold(&mut self) {
        self.bold = self.bold.saturating_add(1);
    }

    /// What comes now is not in bold any more.
    pub(crate) fn close_bold(&mut self) {
        self.bold = self.bold.saturating_sub(1);
    }

    /// What comes now is struck out.
    pub(crate) fn open_struck(&mut self) {
        self.line.open_struck();
    }

    /// It is not any more.
    pub(crate) fn close_struck(&mut self) {
        self.line.close_struck();
    }

    /// A list begins, around what comes now.
    pub(crate) fn open_list(&mut self) {
        self.list = self.list.saturating_add(1);
        self.begins_list = true;
    }

    /// It ends.
    pub(crate) fn close_list(&mut self) {
        self.list = self.list.saturating_sub(1);
        self.begins_list = false;
    }

    /// Blocks that end from now on have this name; empty: none.
    pub(crate) fn name(&mut self, key: &str) {
        self.key.clear();
        if key.len() <= names::KEY_BYTES_MAX {
            self.key.push_str(key);
        }
    }

    /// Blocks that end from now on are of an entry of that time.
    pub(crate) fn dated(&mut self, at: Option<Instant>) {
        self.at = at;
    }

    /// The name of a block that ends now, while there is room for names.
    fn key(&mut self) -> Option<Box<str>> {
        let bytes = self.key_bytes + self.key.len();
        if self.key.is_empty() || bytes > self.limits.text_bytes_max {
            return None;
        }
        self.key_bytes = bytes;
        Some(self.key.as_str().into())
    }

    /// Nothing more will be taken of blocks: a caller may stop looking.
    pub(crate) fn is_full(&self) -> bool {
        // A space and the longest character may not fit any more.
        self.text_bytes + 5 > self.limits.text_bytes_max
            || self.extract.blocks.len() >= self.limits.blocks_max
    }

    /// Adds text to the open block, as far as the budget goes.
    pub(crate) fn push_text(&mut self, text: &str) {
        if self.is_full() {
            return self.leave_out(text);
        }
        let fits = self.within_budget(text);
        let taken = self.line.push(fits);
        self.text_bytes += taken;
        self.bold_bytes += if self.bold > 0 { taken } else { 0 };
        if let Some(within) = self.within.as_mut().filter(|within| within.is_open) {
            within.bytes += taken;
        }
        self.leave_out(&text[fits.len()..]);
    }

    /// Notes that this text is not taken.
    pub(crate) fn leave_out(&mut self, text: &str) {
        self.extract.left_out.text |= text.contains(|c: char| !c.is_whitespace());
    }

    /// Notes that some markup is not read.
    pub(crate) fn leave_out_markup(&mut self) {
        self.extract.left_out.markup = true;
    }

    /// Notes a link that is not taken.
    pub(crate) fn leave_out_link(&mut self) {
        self.extract.left_out.links += 1;
    }

    /// Notes an image that is not taken.
    pub(crate) fn leave_out_image(&mut self) {
        self.extract.left_out.images += 1;
    }

    /// Closes the open block, if it has any text.
    pub(crate) fn end_block(&mut self) {
        if !self.line.is_empty() && self.extract.blocks.len() < self.limits.blocks_max {
            let Gather { stand, heading, list, .. } = *self;
            let whole = self.line.take();
            let row = self.row.take().map(|OpenRow { headings, cells, spanned }| {
                Row::of(headings, &cells, spanned, &whole)
            });
            let bytes = whole.len();
            let text = without_bullet(whole);
            let text = if heading > 0 { without_anchor(text) } else { text };
            let row = row.filter(|row| !row.is_bare() && text.len() == bytes).map(Box::new);
            let key = self.key();
            let begins_list = std::mem::take(&mut self.begins_list);
            let is_all = |within: &&Within| within.bytes >= text.len() && heading == 0;
            let within = self.within.as_ref().filter(is_all).map(|within| within.stand);
            if within == Some(None) {
                self.contents.push(self.extract.blocks.len());
            }
            self.block_stands.push(within.flatten().unwrap_or(stand));
            self.extract.blocks.push(Block {
                heading,
                heads: self.bold_bytes >= text.len(),
                list,
                begins_list,
                key,
                at: self.at,
                row,
                ..Block::plain(text)
            });
        }
        self.row = None;
        self.bold_bytes = 0;
        self.within = self.within.take().filter(|within| within.is_open);
        if let Some(within) = &mut self.within {
            within.bytes = 0;
        }
        let rest = self.line.take();
        self.leave_out(&rest);
    }

    /// A cell of a row begins: what stands in the block already is apart from it.
    pub(crate) fn end_cell(&mut self, span: Option<Span>) {
        if !self.line.is_empty() {
            self.push_text(BETWEEN);
        }
        let start = self.line.text.len() + usize::from(self.line.space);
        if let (Some(row), Some(span)) = (&mut self.row, span) {
            row.cells.push((start, span));
        }
    }

    /// The open block is a row of a table.
    pub(crate) fn open_row(&mut self, headings: u32, spanned: Box<[Spanned]>) {
        self.row = Some(OpenRow { headings, cells: Vec::new(), spanned });
    }

    /// The number by which rows refer to what their columns are called; 0: there is no room for it.
    pub(crate) fn headings(&mut self, headings: Vec<Box<str>>) -> u32 {
        let known = &mut self.extract.headings;
        if known.last().is_none_or(|last| **last != *headings) {
            self.heading_bytes += headings.iter().map(|name| name.len() + BOX_BYTES).sum::<usize>();
            if self.heading_bytes > self.limits.text_bytes_max {
                return 0;
            }
            known.push(headings.into());
        }
        known.len() as u32
    }

    /// A term ends, and what is said of it follows in the same block.
    pub(crate) fn end_term(&mut self) {
        if !self.line.is_empty() {
            self.push_text(if self.line.text.ends_with(':') { " " } else { ": " });
        }
    }

    /// What names the block that ended last.
    pub(crate) fn last_name(&self) -> Option<&str> {
        self.extract.blocks.last()?.key.as_deref()
    }

    /// The text of the block that ended last.
    pub(crate) fn last(&self) -> Option<&str> {
        self.extract.blocks.last().map(|block| &*block.text)
    }

    /// A whole block.
    pub(crate) fn block(&mut self, text: &str) {
        self.end_block();
        self.push_text(text);
        self.end_block();
    }

    /// A list of texts in canonical form; each is a block, empty ones too.
    pub(crate) fn list(&mut self, texts: Vec<String>) {
        self.extract.blocks.extend(texts.into_iter().map(Block::plain));
        self.block_stands.resize(self.extract.blocks.len(), Stand::PAGE);
    }

    /// Whether another link will be taken: resolving it costs more than asking.
    pub(crate) fn takes_links(&self) -> bool {
        self.extract.links.len() < self.limits.links_max
            && self.text_bytes < self.limits.text_bytes_max
    }

    /// Whether another image will be taken.
    pub(crate) fn takes_images(&self) -> bool {
        self.extract.images.len() < self.limits.links_max
            && self.text_bytes < self.limits.text_bytes_max
    }

    /// No image was taken so far.
    pub(crate) fn has_no_image(&self) -> bool {
        self.extract.images.is_empty()
    }

    /// Whether another announced feed will be taken.
    pub(crate) fn takes_feeds(&self) -> bool {
        self.extract.feeds.len() < FEEDS_MAX
    }

    /// Where what comes now stands.
    pub(crate) fn place(&self) -> Place {
        Place { block: self.blocks(), stand: self.stand }
    }

    /// A link that stands here; `text` must be in canonical form.
    pub(crate) fn link(&mut self, href: String, text: String) {
        let place = self.place();
        self.link_at(href, text, place);
    }

    /// A link that began elsewhere.
    pub(crate) fn link_at(&mut self, href: String, text: String, place: Place) {
        if self.takes_links() {
            self.text_bytes += href.len() + text.len();
            self.links.push(place);
            self.extract.links.push(Link::plain(href, text));
        } else {
            self.leave_out_link();
        }
    }

    /// An image; `stand`: it belongs there, wherever it is.
    pub(crate) fn image(&mut self, src: String, alt: &str, stand: Option<Stand>) {
        if self.takes_images() {
            let alt = collapse(self.within_budget(alt));
            self.text_bytes += src.len() + alt.len();
            let stand = stand.unwrap_or(self.stand);
            self.images.push(Place { stand, ..self.place() });
            self.extract.images.push(Image::plain(src, alt));
        } else {
            self.leave_out_image();
        }
    }

    /// A feed the page announces.
    pub(crate) fn feed(&mut self, href: String, title: &str) {
        if self.takes_feeds() {
            self.extract.feeds.push(Link::plain(href, collapse(clip(title, 1_000))));
        }
    }

    /// An entry of a feed, whose texts were taken as blocks and link.
    pub(crate) fn item(&mut self, item: Item) {
        self.items.push(item);
    }

    /// The entries of a feed so far.
    pub(crate) fn take_items(&mut self) -> Vec<Item> {
        std::mem::take(&mut self.items)
    }

    /// The first title wins.
    pub(crate) fn title(&mut self, title: &str) {
        if self.extract.title.is_none() {
            let title = collapse(clip(title, 1_000));
            self.extract.title = (!title.is_empty()).then_some(title);
        }
    }

    pub(crate) fn finish(self) -> Extract {
        self.finish_in(&Stands::default()).0
    }

    /// The same, of a page with these parts, and the number of the heading in its header that is
    /// content once the frames are known.
    pub(crate) fn finish_in(mut self, stands: &Stands) -> (Extract, Option<usize>) {
        self.end_block();
        let Gather { mut extract, block_stands, links, images, contents, .. } = self;
        if matches!(extract.kind, Kind::Json | Kind::Xml) {
            names::settle(&mut extract, self.limits.text_bytes_max);
        }
        let mut title = None;
        let blocks = &mut extract.blocks;
        if extract.kind == Kind::Html {
            let linked = linked_in(blocks.len(), &links, &extract.links);
            let looks = blocks.iter().zip(&block_stands).zip(&linked);
            let parts = stands.settle(looks.map(|((block, &stand), &linked)| Standing {
                stand,
                bytes: block.text.len(),
                linked,
                heading: block.heading,
            }));
            for (block, &stand) in blocks.iter_mut().zip(&block_stands) {
                block.part = parts.of_block(stand, block.heading);
                if block.part == Part::Frame && parts.is_lede(stand, &block.text) {
                    block.part = Part::Main;
                }
            }
            title =
                (0..blocks.len()).find(|&at| parts.is_title(block_stands[at], blocks[at].heading));
            let headings = blocks.iter().filter(|block| block.heading > 0);
            let headings = headings.filter(|_| !contents.is_empty());
            let headings: FxHashSet<String> = headings.map(|block| block.text.clone()).collect();
            for at in contents {
                if headings.contains(&blocks[at].text) {
                    blocks[at].part = Part::Frame;
                }
            }
            for (link, place) in extract.links.iter_mut().zip(&links) {
                link.part = parts.of(place.stand);
            }
            for (image, place) in extract.images.iter_mut().zip(&images) {
                image.part = parts.of(place.stand);
            }
        }
        count_in(blocks, &links, |block| &mut block.links);
        count_in(blocks, &images, |block| &mut block.images);
        bold::settle(blocks);
        (extract, title)
    }

    fn within_budget<'t>(&self, text: &'t str) -> &'t str {
        // There must be room for the space before the text, and for marks of what is struck out.
        let besides = 1 + 2 * struck::MARK.len();
        clip(text, self.limits.text_bytes_max.saturating_sub(self.text_bytes + besides))
    }
}

/// Where something stands on a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The number of the block that is open, or comes next.
    pub(crate) block: u32,
    pub(crate) stand: Stand,
}

/// How many bytes the links say in each block.
fn linked_in(blocks: usize, places: &[Place], links: &[Link]) -> Vec<usize> {
    let mut linked = vec![0; blocks];
    for (place, link) in places.iter().zip(links) {
        if let Some(linked) = linked.get_mut(place.block as usize) {
            *linked += link.text.len();
        }
    }
    linked
}

/// Counts in each block what stands there. What ends out of its order stands where the one before
/// it does.
fn count_in(blocks: &mut [Block], places: &[Place], count: fn(&mut Block) -> &mut u32) {
    let Some(last) = blocks.len().checked_sub(1) else { return };
    let mut at = 0;
    for place in places {
        at = at.max((place.block as usize).min(last));
        *count(&mut blocks[at]) += 1;
    }
}

/// At most `bytes_max` bytes of `text`, cut between characters.
pub(crate) fn clip(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

/// Resolves a reference against `base`. `None`: it leads nowhere (empty, a script, a place on the
/// same page). What names a visit and no place (a session, a campaign) is left out. A `data:`
/// URL is reduced to its media type and a hash of the whole; of an overlong
/// URL the start and a hash are kept. A reference that no URL parser accepts stays as it is.
pub(crate) fn resolve(reference: &str, base: &Url, limits: &Limits) -> Option<String> {
    let reference = reference.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\0');
    if reference.is_empty() || reference.starts_with('#') {
        return None;
    }
    if starts_with_ignore_case(reference, "data:") {
        let media = reference[5..].split([';', ',']).next().unwrap_or_default();
        return Some(format!("data:{};blake3={}", clip(media, 100), hash(reference)));
    }
    let url = joined(reference, base);
    if starts_with_ignore_case(&url, "javascript:") {
        return None;
    }
    if let Some(address) = protected_address(&url) {
        return Some(format!("mailto:{address}"));
    }
    let url = visit::without(url);
    if url.len() > limits.url_bytes_max {
        return Some(format!("{}…blake3={}", clip(&url, limits.url_bytes_max), hash(&url)));
    }
    Some(url)
}

/// A reference resolved by the rules of browsers; one that no parser accepts as it is.
fn joined(reference: &str, base: &Url) -> String {
    if is_plain_path(reference) && matches!(base.scheme(), "http" | "https") {
        return format!("{}{reference}", &base[..Position::BeforePath]);
    }
    base.join(reference).map_or_else(|_| reference.to_owned(), String::from)
}

/// Whether a reference is a path from the root of a host that no parser changes a character of.
/// Most links of most pages are.
fn is_plain_path(reference: &str) -> bool {
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.?=&".contains(&byte);
    reference.starts_with('/')
        && !reference.starts_with("//")
        && reference.bytes().all(stays)
        && !reference.contains("/.")
}

/// The mail address that a well-known proxy hides in the links of the pages it passes on, under
/// another key each time: hexadecimal bytes, each XORed with the first.
fn protected_address(url: &str) -> Option<String> {
    // Few addresses have a fragment.
    let (start, hidden) = url.split_once('#')?;
    if !start.ends_with("/cdn-cgi/l/email-protection") {
        return None;
    }
    let digits: Option<Vec<u8>> = hidden.chars().map(|c| Some(c.to_digit(16)? as u8)).collect();
    let bytes: Vec<u8> = digits?.chunks_exact(2).map(|pair| pair[0] * 16 + pair[1]).collect();
    let (key, rest) = bytes.split_first()?;
    let address = rest.iter().map(|byte| byte ^ key).collect();
    String::from_utf8(address).ok().filter(|address| !address.contains(char::is_control))
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

pub(crate) fn starts_with_ignore_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The slow twin is the parser of browsers.
        #[test]
        fn a_plain_path_is_joined_as_the_parser_does(
            reference in "[/a-zA-Z0-9.?=&%#:@ _~\\\\-]{0,12}",
            path in "/[/a-zA-Z0-9.?=&-]{1,12}",
        ) {
            for base in [
                "http://a.example/b/c?d#e",
                "https://me:word@A.example:8443/b",
                "http://[::1]:80",
                "file:///C:/b",
                "data:text/html,b",
            ] {
                let base = Url::parse(base).unwrap();
                for reference in [&reference, &path] {
                    let slow = base.join(reference).map_or(reference.clone(), String::from);
                    prop_assert_eq!(joined(reference, &base), slow);
                }
            }
        }
    }
}
