//! The fuzz target, bounded: bytes at random, and pieces of markup in random order.

use proptest::prelude::*;

const PIECES: [&str; 56] = [
    "<",
    ">",
    "</",
    "/>",
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<a href='",
    "'>",
    "</a>",
    "\"",
    "=",
    " ",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<template>",
    "</template>",
    "<svg>",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE html>",
    "<br>",
    "<img src=x alt=y>",
    "<base href=",
    "<select><option>",
    "<pre>\n",
    "<textarea>",
    "&amp;",
    "&#x0;",
    "&nope;",
    "\0",
    "\u{fe0f}",
    "é",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"a\"",
    "1e5",
    "<?xml version='1.0'?>",
    "<rss version='2.0'><channel>",
    "<item>",
    "</item>",
    "</channel></rss>",
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry>",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        page::fuzz(&bytes);
    }

    #[test]
    fn any_markup_is_read_or_refused(
        choice in any::<[u8; 2]>(),
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..80),
    ) {
        page::fuzz(&[&choice, pieces.concat().as_bytes()].concat());
    }

    #[test]
    fn a_feed_with_any_prologue_anywhere_is_read_or_refused(
        choice in any::<[u8; 2]>(),
        entries in 0..20usize,
    ) {
        let feed = format!("{FEED_START}{}</channel></rss>", ENTRY.repeat(entries));
        page::fuzz(&[&choice, feed.as_bytes()].concat());
    }
}

const FEED_START: &str = "<?xml version='1.0'?><rss version='2.0'><channel><title>News</title>";
const ENTRY: &str = "<item><title>Porto</title><link>https://a.example/1</link></item>";

/// What once went wrong, kept for the fuzzer to start from.
#[test]
fn every_seed_is_read_or_refused() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/page");
    let mut count = 0;
    for seed in std::fs::read_dir(seeds).expect("the seeds are in the repository") {
        let path = seed.expect("the folder can be listed").path();
        page::fuzz(&std::fs::read(path).expect("a seed is a file"));
        count += 1;
    }
    assert!(count > 0);
}
