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
        choice in any::<u8>(),
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..80),
    ) {
        page::fuzz(&[&[choice], pieces.concat().as_bytes()].concat());
    }
}
