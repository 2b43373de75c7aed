//! Menus that no markup names: blocks of nothing but links, one after the other, before the first
//! text of a page or behind its last.

use crate::{Block, Extract, Part};
use std::collections::BTreeSet;
use std::ops::Range;

/// Links of a menu.
const LINKS_MIN: usize = 8;
/// Bytes of a text that is more than the name of something.
const TEXT_BYTES_MIN: usize = 100;
/// Bytes of a name, with a link or without: "Company".
const NAME_BYTES_MAX: usize = 40;
/// The least share of the letters of a block of links that they say, in hundredths.
const LINKED_SHARE_MIN: usize = 80;

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

/// Links and images of such menus belong to the frame; texts stay where they are. Links to files
/// are no menu's. Where a page names its main content, only what looks like the footer of a site
/// is one: it has a copyright, or links to two networks. O(n log n).
pub(super) fn mark(extract: &mut Extract, names_main: bool) {
    let [start, end] = menus(extract);
    let menus = if !names_main {
        [start, end]
    } else if is_footer(extract, &end) {
        [0..0, end]
    } else {
        return;
    };
    let Extract { blocks, links, images, .. } = extract;
    let (mut next_link, mut next_image) = (0, 0);
    for (at, block) in blocks.iter().enumerate() {
        let own_links = next_link..(next_link + block.links as usize).min(links.len());
        let own_images = next_image..(next_image + block.images as usize).min(images.len());
        (next_link, next_image) = (own_links.end, own_images.end);
        if menus.iter().any(|menu| menu.contains(&at)) {
            let of_menu = links[own_links].iter_mut().filter(|link| !leads_to_file(&link.href));
            of_menu.for_each(|link| link.part = Part::Frame);
            images[own_images].iter_mut().for_each(|image| image.part = Part::Frame);
        }
    }
}

/// Whether a menu has what the footers of sites have.
fn is_footer(extract: &Extract, menu: &Range<usize>) -> bool {
    let Extract { blocks, links, .. } = extract;
    let before: usize = blocks[..menu.start].iter().map(|block| block.links as usize).sum();
    let count: usize = blocks[menu.clone()].iter().map(|block| block.links as usize).sum();
    let own = links.iter().skip(before).take(count);
    let networks = own.filter_map(|link| {
        let (_, rest) = link.href.split_once("://")?;
        let host = rest.split('/').next().unwrap_or(rest);
        let host = host.strip_prefix("www.").unwrap_or(host);
        NETWORKS.binary_search(&host).ok()
    });
    let networks: BTreeSet<usize> = networks.collect();
    networks.len() >= 2 || blocks[menu.clone()].iter().any(|block| block.text.contains('©'))
}

/// The blocks of a menu at the start, and of one at the end.
fn menus(extract: &Extract) -> [Range<usize>; 2] {
    let Extract { blocks, links, .. } = extract;
    let is_text = |block: &Block| block.text.len() >= TEXT_BYTES_MIN;
    let mut next = 0;
    let is_of_menu: Vec<bool> = blocks
        .iter()
        .map(|block| {
            let own = next..(next + block.links as usize).min(links.len());
            next = own.end;
            let said: usize = links[own].iter().map(|link| letters(&link.text)).sum();
            let is_name = block.text.len() <= NAME_BYTES_MAX;
            is_name || said * 100 >= letters(&block.text) * LINKED_SHARE_MIN
        })
        .collect();
    let has_text =
        |at: usize| blocks.get(at).is_some_and(|block| is_text(block) && !is_of_menu[at]);
    if !(0..blocks.len()).any(has_text) {
        return [0..0, 0..0];
    }
    let start = is_of_menu.iter().position(|is| !is).unwrap_or(0);
    let end = is_of_menu.iter().rposition(|is| !is).map_or(blocks.len(), |last| last + 1);
    [0..start, end..blocks.len()].map(|run| {
        let count: usize = blocks[run.clone()].iter().map(|block| block.links as usize).sum();
        if count >= LINKS_MIN { run } else { 0..0 }
    })
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
}
