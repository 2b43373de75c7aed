//! Frames that no markup names, told by what they say: menus, the footer of a site, what it asks
//! about cookies.

use crate::{Block, Extract, Link, Part};
use ego_tree::NodeId;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Links of a menu.
const LINKS_MIN: usize = 8;
/// Links of a menu that only a heading of the whole page follows.
const LINKS_ABOVE_MIN: usize = 4;
/// Links of a menu of the site in one block behind the last text.
const LINKS_ROW_MIN: usize = 4;
/// Links of a footer.
const LINKS_BELOW_MIN: usize = 3;
/// Bytes of a text that is more than the name of something.
const TEXT_BYTES_MIN: usize = 100;
/// Bytes of a name, with a link or without: "Company".
const NAME_BYTES_MAX: usize = 40;
/// The least share of the letters of a block of links that they say, in hundredths.
const LINKED_SHARE_MIN: usize = 80;
/// Networks that the footer of a site links to.
const NETWORKS_MIN: usize = 2;
/// Rows of links that are menus.
const ROWS_MAX: usize = 2;
/// As much as a row of a table counts.
const ROW_WEIGHT: usize = 100;
/// Links of a row.
const ROW_MIN: usize = 3;
/// Columns of links, by their names or as rows.
const COLUMNS_MIN: usize = 2;
/// Texts of a page that is there to be read.
const ARTICLE_TEXTS_MIN: usize = 5;
/// Blocks and links of which it is looked at where they lead.
const LOOKED_AT_MAX: usize = 200;
/// Bytes of a notice of copyright.
const COPYRIGHT_BYTES_MAX: usize = 200;
/// Links of a site, or to networks, that its menus at the end have.
const OF_SITE_MIN: usize = 2;
/// Bytes of all that a site asks about cookies.
const CONSENT_BYTES_MAX: usize = 6_000;

/// Hosts of networks that a site has accounts at, in order.
const NETWORKS: [&str; 12] = [
    "discord.gg",
    "facebook.com",
    "github.com",
    "instagram.com",
    "linkedin.com",
    "mastodon.social",
    "pinterest.com",
    "threads.net",
    "tiktok.com",
    "twitter.com",
    "x.com",
    "youtube.com",
];

/// The elements that hold blocks, by the numbers of these, inner ones first.
#[derive(Default)]
pub(super) struct Boxes {
    open: Vec<(NodeId, u32)>,
    closed: Vec<Range<u32>>,
}

impl Boxes {
    pub(super) fn open(&mut self, node: NodeId, next_block: u32) {
        self.open.push((node, next_block));
    }

    /// The blocks that an element holds which ends, if it is one.
    pub(super) fn close(&mut self, node: NodeId, next_block: u32) -> Option<Range<u32>> {
        let (_, start) = self.open.pop_if(|(open, _)| *open == node)?;
        let blocks = start..next_block;
        if !blocks.is_empty() && self.closed.last() != Some(&blocks) {
            self.closed.push(blocks.clone());
        }
        Some(blocks)
    }

    fn ranges(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + '_ {
        self.closed.iter().map(|range| range.start as usize..range.end as usize)
    }
}

/// Marks what belongs to the frame. Links and images of a menu do; its texts stay where they are,
/// unless a heading of the whole page follows, or it is in the footer of the site. Links to files
/// are no menu's. Where a page names its main content, only what looks like the footer of a site
/// is a menu: it has a copyright, or links to two networks. O(n log n).
pub(super) fn mark(extract: &mut Extract, boxes: &Boxes, names_main: bool) {
    let seen = Seen::of(extract);
    let (menus, is_frame) = (seen.menus(names_main), seen.frames(boxes, names_main));
    let Extract { blocks, links, images, .. } = extract;
    let (mut next_link, mut next_image) = (0, 0);
    for (at, block) in blocks.iter_mut().enumerate() {
        let own_links = next_link..(next_link + block.links as usize).min(links.len());
        let own_images = next_image..(next_image + block.images as usize).min(images.len());
        (next_link, next_image) = (own_links.end, own_images.end);
        if is_frame[at] {
            block.part = Part::Frame;
        }
        if is_frame[at] || menus.iter().any(|menu| menu.contains(&at)) {
            let of_menu = links[own_links].iter_mut().filter(|link| !leads_to_file(&link.href));
            of_menu.for_each(|link| link.part = Part::Frame);
            images[own_images].iter_mut().for_each(|image| image.part = Part::Frame);
        }
    }
}

/// What is looked at of a block.
struct Look<'e> {
    links: &'e [Link],
    /// It is nothing but links.
    is_links: bool,
    /// The same, or a name.
    is_of_menu: bool,
    part: Part,
    count: Count,
}

/// What is counted of blocks.
#[derive(Clone, Copy, Default)]
struct Count {
    bytes: usize,
    /// Blocks of the main content.
    mains: usize,
    links: usize,
    /// Words of links.
    words: usize,
    /// More than the name of something, of the main content, and no notice of copyright.
    texts: usize,
    /// Short texts that lead nowhere, and rows of links.
    columns: usize,
    /// Texts of the main content that are no links and no notice of copyright.
    plain: usize,
    /// Links that a site has at the end of each page: its terms, its press, how to reach it.
    of_site: usize,
    /// Links of a menu at the start of the page: a row counts as many as it has, if it looks like
    /// a menu of the site, else one.
    above: usize,
    copyrights: usize,
    /// Links to each network.
    networks: [u32; NETWORKS.len()],
    page_headings: usize,
    /// Texts that speak of cookies.
    cookies: usize,
    /// Controls that agree to something, or do not.
    answers: usize,
}

impl Count {
    fn each(self, other: Count, with: impl Fn(usize, usize) -> usize) -> Count {
        Count {
            bytes: with(self.bytes, other.bytes),
            mains: with(self.mains, other.mains),
            links: with(self.links, other.links),
            words: with(self.words, other.words),
            texts: with(self.texts, other.texts),
            columns: with(self.columns, other.columns),
            plain: with(self.plain, other.plain),
            of_site: with(self.of_site, other.of_site),
            above: with(self.above, other.above),
            copyrights: with(self.copyrights, other.copyrights),
            networks: std::array::from_fn(|at| {
                with(self.networks[at] as usize, other.networks[at] as usize) as u32
            }),
            page_headings: with(self.page_headings, other.page_headings),
            cookies: with(self.cookies, other.cookies),
            answers: with(self.answers, other.answers),
        }
    }

    /// How many networks links lead to.
    fn networks(&self) -> usize {
        self.networks.iter().filter(|&&links| links > 0).count()
    }

    /// Whether there is what a site has at its end: a copyright, or links to two networks.
    fn is_signed(&self) -> bool {
        self.copyrights > 0 || self.networks() >= NETWORKS_MIN
    }
}

/// The blocks of a page, and the counts over those before each one.
struct Seen<'e> {
    looks: Vec<Look<'e>>,
    before: Vec<Count>,
}

impl Seen<'_> {
    fn of(extract: &Extract) -> Seen<'_> {
        let Extract { blocks, links, .. } = extract;
        let mut next = 0;
        let look = |block: &Block| {
            let own = &links[next..(next + block.links as usize).min(links.len())];
            next += own.len();
            let said: usize = own.iter().map(|link| letters(&link.text)).sum();
            let is_said = said * 100 >= letters(&block.text) * LINKED_SHARE_MIN;
            let is_links = !own.is_empty() && is_said;
            let is_short = block.text.len() <= NAME_BYTES_MAX;
            let is_copyright = block.heading == 0 && is_copyright(&block.text);
            let (is_main, is_long) = (block.part.is_main(), block.text.len() >= TEXT_BYTES_MIN);
            let mut networks = [0; NETWORKS.len()];
            own.iter().filter_map(|link| network(&link.href)).for_each(|at| networks[at] += 1);
            let is_name = own.is_empty() && is_short;
            let answers = block.part == Part::Control && answers(&block.text);
            let of_site = own.iter().filter(|link| is_of_site(&link.text)).count();
            let is_menu = is_links && is_menu_of_site(own, of_site, &block.text);
            let above = if is_menu { own.len() } else { usize::from(is_links) };
            let count = Count {
                bytes: block.text.len(),
                mains: usize::from(is_main),
                links: own.len(),
                words: own.iter().map(|link| link.text.split(' ').count()).sum(),
                texts: usize::from(is_long && is_main && !is_links && !is_copyright),
                // A row of a table is never what a site says at its end.
                plain: usize::from(is_main && !is_links && !is_copyright)
                    * if block.text.contains(" | ") { ROW_WEIGHT } else { 1 },
                of_site,
                above: if is_main { above } else { 0 },
                columns: usize::from(is_main && (is_name || (is_links && own.len() >= ROW_MIN))),
                copyrights: usize::from(is_copyright),
                networks,
                page_headings: usize::from(block.heading == 1),
                cookies: usize::from(is_main && says_cookies(&block.text)),
                answers: usize::from(answers),
            };
            let is_of_menu = is_short || is_said;
            Look { links: own, is_links, is_of_menu, part: block.part, count }
        };
        let looks: Vec<Look<'_>> = blocks.iter().map(look).collect();
        let mut before = vec![Count::default()];
        for look in &looks {
            let all = before.last().copied().unwrap_or_default();
            before.push(all.each(look.count, |all, own| all + own));
        }
        Seen { looks, before }
    }

    fn count(&self, range: &Range<usize>) -> Count {
        self.before[range.end].each(self.before[range.start], |all, before| all - before)
    }

    /// The menu at the start of the page, and the one at its end: blocks of nothing but links and
    /// names, before the first other one and behind the last.
    fn menus(&self, names_main: bool) -> [Range<usize>; 2] {
        let is_text = |look: &Look<'_>| look.count.bytes >= TEXT_BYTES_MIN && !look.is_of_menu;
        if !self.looks.iter().any(is_text) {
            return [0..0, 0..0];
        }
        let is_other = |look: &Look<'_>| !look.is_of_menu;
        let start = self.looks.iter().position(is_other).unwrap_or(0);
        let end = self.looks.iter().rposition(is_other).map_or(0, |last| last + 1);
        let [start, end] = [0..start, end..self.looks.len()]
            .map(|run| if self.count(&run).links >= LINKS_MIN { run } else { 0..0 });
        // Where a page names its main content, what follows in it may be a list.
        if !names_main {
            [start, end]
        } else if self.count(&end).is_signed() {
            [0..0, end]
        } else {
            [0..0, 0..0]
        }
    }

    /// Which blocks are of the frame, by what they say.
    fn frames(&self, boxes: &Boxes, names_main: bool) -> Vec<bool> {
        let mut is_frame: Vec<bool> =
            self.looks.iter().map(|look| look.count.copyrights > 0).collect();
        if let Some(last) = self.looks.iter().rposition(|look| look.count.texts > 0) {
            self.rows(last).into_iter().for_each(|at| is_frame[at] = true);
            for range in self.footers(boxes, last, names_main) {
                is_frame[range].fill(true);
            }
            if !names_main {
                for at in self.above(last) {
                    is_frame[at] |= self.looks[at].is_links;
                }
            }
        }
        if let Some(range) = self.consent(boxes) {
            is_frame[range].fill(true);
        }
        let is_left = |(look, is_frame): (&Look<'_>, &bool)| look.part.is_main() && !is_frame;
        // What is looked at may be the footer itself.
        if !self.looks.iter().zip(&is_frame).any(is_left) {
            is_frame.fill(false);
        }
        is_frame
    }

    /// Menus of the site in one block each, behind the last text of the page. More than two are a
    /// list.
    fn rows(&self, last_text: usize) -> Vec<usize> {
        let is_row = |look: &Look<'_>| {
            look.is_links
                && look.count.links >= LINKS_ROW_MIN
                && has_short_links(&look.count)
                && look.count.of_site >= OF_SITE_MIN
        };
        let rows = (last_text + 1..self.looks.len()).filter(|&at| is_row(&self.looks[at]));
        let rows: Vec<usize> = rows.take(ROWS_MAX + 1).collect();
        if rows.len() <= ROWS_MAX { rows } else { Vec::new() }
    }

    /// The blocks above the heading of the page, if there is a menu among them: a few links, and
    /// all texts below.
    fn above(&self, last_text: usize) -> Range<usize> {
        let is_heading = |look: &Look<'_>| look.count.page_headings > 0 && look.part.is_main();
        let Some(end) = self.looks.iter().position(is_heading) else { return 0..0 };
        let count = self.count(&(0..end));
        let is_first = count.texts == 0 && end < last_text;
        let is_menu = count.above >= LINKS_ABOVE_MIN && has_short_links(&count) && is_first;
        if is_menu { 0..end } else { 0..0 }
    }

    /// The footers of the site: behind the last text of the page. They have a copyright, or links
    /// to two networks, or columns of links. A page of a few texts may well list its links: there
    /// the footer is the smallest element with such a sign, and columns alone are none.
    fn footers(&self, boxes: &Boxes, last_text: usize, names_main: bool) -> Vec<Range<usize>> {
        let is_article = self.count(&(0..self.looks.len())).texts >= ARTICLE_TEXTS_MIN;
        let is_footer = |range: &Range<usize>| {
            let count = self.count(range);
            let has_columns = count.columns >= COLUMNS_MIN && is_menu(&count);
            let is_of_site = count.of_site + count.networks() >= OF_SITE_MIN && !names_main;
            count.page_headings == 0
                && count.plain <= if is_article { (count.links / 2).max(COLUMNS_MIN) } else { 0 }
                && ((count.is_signed() && count.links >= LINKS_BELOW_MIN)
                    || (is_article && has_columns && is_of_site && self.lead_apart(range)))
        };
        let behind = || boxes.ranges().filter(|range| range.start > last_text);
        if !is_article {
            return behind().find(is_footer).into_iter().collect();
        }
        let mut footers: Vec<Range<usize>> = Vec::new();
        for range in behind().rev() {
            let is_new = footers.last().is_none_or(|footer| range.end <= footer.start);
            if is_new && is_footer(&range) {
                footers.push(range);
            }
        }
        footers
    }

    /// Whether links lead to many places: not most of those within a site to one folder of it, as
    /// the entries of a list do.
    fn lead_apart(&self, range: &Range<usize>) -> bool {
        let looks = self.looks[range.clone()].iter().take(LOOKED_AT_MAX);
        let links = looks.flat_map(|look| look.links);
        let mut folders: FxHashMap<&str, usize> = FxHashMap::default();
        let mut all = 0;
        for link in links.take(LOOKED_AT_MAX) {
            let path = link.href.split_once("://").map_or(&*link.href, |(_, rest)| rest);
            // Host and folder.
            let end = path.match_indices('/').nth(1).map_or(path.len(), |(at, _)| at);
            *folders.entry(&path[..end]).or_default() += 1;
            all += 1;
        }
        folders.values().max().is_some_and(|most| most * 3 <= all)
    }

    /// What the site asks about cookies: the smallest element with a text of them and a button that
    /// answers, and what names it.
    fn consent(&self, boxes: &Boxes) -> Option<Range<usize>> {
        let mut found: Option<Range<usize>> = None;
        let all = self.count(&(0..self.looks.len()));
        for range in boxes.ranges() {
            let count = self.count(&range);
            if count.bytes > CONSENT_BYTES_MAX
                || count.mains == all.mains
                || count.page_headings > 0
                || count.cookies == 0
                || count.answers == 0
            {
                continue;
            }
            match &found {
                None => found = Some(range),
                Some(inner) if range.start <= inner.start && inner.end <= range.end => {
                    let before = self.count(&(range.start..inner.start)).bytes;
                    let mut behind = self.looks[inner.end..range.end].iter();
                    if before <= NAME_BYTES_MAX && behind.all(|look| look.part == Part::Control) {
                        found = Some(range);
                    }
                }
                Some(_) => {}
            }
        }
        found
    }
}

/// Many links of a word or two each.
fn is_menu(count: &Count) -> bool {
    count.links >= LINKS_MIN && count.texts == 0 && has_short_links(count)
}

fn has_short_links(count: &Count) -> bool {
    count.words * 2 <= count.links * 5
}

/// What links say that a site has at the end of each page, or begin with, in lower case.
const OF_SITE: [&str; 26] = [
    "about",
    "accessibility",
    "agb",
    "aviso",
    "careers",
    "contact",
    "cookie",
    "datenschutz",
    "disclaimer",
    "help",
    "imprint",
    "impressum",
    "kontakt",
    "legal",
    "mentions",
    "newsroom",
    "note legali",
    "press",
    "privacidad",
    "privacy",
    "security",
    "site map",
    "sitemap",
    "status",
    "terms",
    "trust",
];

/// Signs between the links of a path to the page.
const PATH_SIGNS: [char; 4] = ['>', '›', '»', '→'];

/// Whether a row of links is a menu of the site, and not the subjects of a text, a list of releases
/// or the path to the page: one leads home, or to what each site has.
fn is_menu_of_site(links: &[Link], of_site: usize, text: &str) -> bool {
    let is_path = text.contains(PATH_SIGNS)
        || links.windows(2).all(|pair| pair[1].href.starts_with(&pair[0].href));
    let leads_home = |link: &Link| {
        let rest = link.href.split_once("://").map_or("", |(_, rest)| rest);
        rest.split_once('/').is_some_and(|(_, path)| path.is_empty())
    };
    !is_path && (of_site > 0 || links.iter().any(leads_home))
}

fn is_of_site(text: &str) -> bool {
    let said: String = text.chars().take(NAME_BYTES_MAX).flat_map(char::to_lowercase).collect();
    OF_SITE.iter().any(|one| said.starts_with(one))
}

fn is_copyright(text: &str) -> bool {
    if text.len() > COPYRIGHT_BYTES_MAX {
        return false;
    }
    // Few texts have any of these.
    if !["©", "opyright", "OPYRIGHT", "eserved", "ESERVED"].iter().any(|part| text.contains(part))
    {
        return false;
    }
    let said = text.trim_start().to_lowercase();
    let is_dated = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    // "Acme © 2026", not a photographer's name behind what a picture shows.
    let is_behind_name = |mark: &str| {
        said.split_once(mark)
            .is_some_and(|(name, rest)| name.len() <= NAME_BYTES_MAX && is_dated(rest))
    };
    said.starts_with('©')
        || said.starts_with("copyright (c)")
        || said.starts_with("copyright ©")
        || said.contains("all rights reserved")
        || is_behind_name("©")
        || is_behind_name("copyright")
}

/// A sentence at least: "Cookies" is a heading.
fn says_cookies(text: &str) -> bool {
    text.len() > NAME_BYTES_MAX && (text.contains("cookie") || text.contains("Cookie"))
}

/// What buttons begin with that answer such a question, in lower case.
const ANSWERS: [&str; 21] = [
    "accept",
    "accetta",
    "acepto",
    "aceptar",
    "agree",
    "akzept",
    "allow",
    "annehmen",
    "decline",
    "deny",
    "einverstanden",
    "got it",
    "i accept",
    "i agree",
    "rechazar",
    "refuse",
    "reject",
    "rifiuta",
    "tout accepter",
    "tout refuser",
    "zustimmen",
];

fn answers(text: &str) -> bool {
    let said = text.to_lowercase();
    ANSWERS.iter().any(|answer| said.starts_with(answer))
}

/// The network that an address leads to, if it does.
fn network(href: &str) -> Option<usize> {
    let (_, rest) = href.split_once("://")?;
    let host = rest.split('/').next().unwrap_or(rest);
    let host = host.strip_prefix("www.").unwrap_or(host);
    NETWORKS.binary_search(&host).ok()
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Whether an address ends in the name of a file that is no page: `report.pdf`.
fn leads_to_file(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or(href);
    let path = path.split_once("://").map_or(path, |(_, rest)| rest);
    let Some((_, name)) = path.rsplit_once('/') else { return false };
    let Some((_, end)) = name.rsplit_once('.') else { return false };
    let is_page = ["html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "do", "cgi"]
        .iter()
        .any(|page| end.eq_ignore_ascii_case(page));
    (1..=5).contains(&end.len()) && end.bytes().all(|b| b.is_ascii_alphanumeric()) && !is_page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, Kind, Limits, read};

    fn frames(html: &str) -> (usize, usize) {
        let url = url::Url::parse("https://a.example/").unwrap();
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let extract = read(html.as_bytes(), &hints, &Limits::default()).unwrap();
        assert_eq!(extract.kind, Kind::Html);
        let in_frame = extract.links.iter().filter(|link| !link.part.is_main()).count();
        (in_frame, extract.links.len())
    }

    fn list(count: usize, end: &str) -> String {
        let item = |at| format!("<p><a href=/{at}{end}>Place {at}</a></p>");
        (0..count).map(item).collect()
    }

    #[test]
    fn links_behind_the_last_text_are_a_menu_where_they_are_many() {
        let text = format!("<h1>Terms</h1><p>{}</p>", "These are the terms. ".repeat(10));
        assert_eq!(frames(&format!("{text}<p>Company</p>{}", list(9, ""))), (9, 9));
        assert_eq!(frames(&format!("{}{text}", list(9, ""))), (9, 9));
        assert_eq!(frames(&format!("{text}{}", list(7, ""))), (0, 7));
        assert_eq!(frames(&format!("{text}{}{text}", list(9, ""))), (0, 9));
        assert_eq!(frames(&format!("{text}{}", list(9, ".pdf"))), (0, 9));
        assert_eq!(frames(&format!("<h1>Places</h1>{}", list(9, ""))), (0, 9));
        assert_eq!(frames(&format!("<main>{text}{}</main>", list(9, ""))), (0, 9));
        let footer = format!("<main>{text}{}<p>© Acme<a href=/app></a></main>", list(8, ""));
        assert_eq!(frames(&footer), (9, 9));
        let networks = "<p><a href=//x.com/a>X</a><p><a href=//www.youtube.com/a>YouTube</a>";
        assert_eq!(frames(&format!("<main>{text}{}{networks}</main>", list(7, ""))), (9, 9));
        assert!(NETWORKS.is_sorted());
    }

    #[test]
    fn a_row_of_links_without_a_list_is_a_menu_where_it_is_of_the_site() {
        let text = format!("<h1>Terms</h1><p>{}</p>", "These are the terms. ".repeat(10));
        let row = |names: &[&str], between: &str| {
            let link = |name: &&str| {
                let path = if *name == "Home" { "" } else { name };
                format!("<a href='/{path}'>{name}</a>")
            };
            let links: Vec<String> = names.iter().map(link).collect();
            format!("<div>{}</div>", links.join(between))
        };
        let menu = row(&["Home", "Rooms", "Prices", "Contact"], " | ");
        assert_eq!(frames(&format!("{menu}{text}")), (4, 4));
        let menu = row(&["Rooms", "Prices", "Terms", "Contact"], " ");
        assert_eq!(frames(&format!("{text}{menu}")), (4, 4));
        assert_eq!(frames(&format!("{menu}{text}")), (4, 4));
        for content in [
            row(&["Politics", "Europe", "Trade", "Storms"], ", "),
            row(&["4.2", "4.1", "4.0", "3.9"], " | "),
            row(&["Home", "News", "Europe", "Storms"], " > "),
            row(&["Home", "Contact", "Rooms"], " | "),
        ] {
            let links = content.matches("<a").count();
            assert_eq!(frames(&format!("{content}{text}")), (0, links), "{content}");
            assert_eq!(frames(&format!("{text}{content}")), (0, links), "{content}");
            assert_eq!(frames(&format!("{text}{content}{text}")), (0, links), "{content}");
        }
        // Between texts it may be what the page is there for.
        assert_eq!(frames(&format!("{text}{menu}{text}")), (0, 4));
    }
}
