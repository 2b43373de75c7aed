//! One line about an extract, for people.

use crate::{Extract, Kind, LeftOut};

/// What was found, as in `page, 214 words, 37 links, a feed at https://example.org/rss`.
pub fn summary(extract: &Extract) -> String {
    let kind = match extract.kind {
        Kind::Html => "page",
        Kind::Feed => "feed",
        Kind::Xml => "XML document",
        Kind::Json => "JSON document",
        Kind::Text => "text",
    };
    if extract.kind == Kind::Feed && extract.blocks.is_empty() && extract.left_out.is_nothing() {
        return "feed, no entries".to_owned();
    }
    let words = extract.blocks.iter().map(|block| words(&block.text)).sum();
    let mut parts = vec![kind.to_owned(), counted(words, "word")];
    if matches!(extract.kind, Kind::Html | Kind::Feed) && extract.left_out.links == 0 {
        parts.push(counted(extract.links.len(), "link"));
    }
    if !extract.images.is_empty() && extract.left_out.images == 0 {
        parts.push(counted(extract.images.len(), "image"));
    }
    parts.extend(parts_read(extract, &extract.left_out));
    match extract.feeds.as_slice() {
        [] => {}
        [feed] => parts.push(format!("a feed at {}", feed.href)),
        [first, ..] => parts.push(format!("{} feeds, one at {}", extract.feeds.len(), first.href)),
    }
    parts.join(", ")
}

/// What was read where a limit kept the rest out, as in `only the first 20,000 of 21,005 links`.
pub fn parts_read(extract: &Extract, left_out: &LeftOut) -> Vec<String> {
    let first = |read: usize, more: u32, noun: &str| {
        let all = read as u64 + u64::from(more);
        let (read, all) = (grouped(read as u64), grouped(all));
        (more > 0).then(|| format!("only the first {read} of {all} {noun}"))
    };
    let lists = [
        first(extract.links.len(), left_out.links, "links"),
        first(extract.images.len(), left_out.images, "images"),
        left_out.text.then(|| "only the start of its text".to_owned()),
        left_out.markup.then(|| "only a part of its markup".to_owned()),
    ];
    lists.into_iter().flatten().collect()
}

/// `21,005`.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Words of a text. A script that has no blanks between them takes about two characters for one.
pub fn words(text: &str) -> usize {
    let words = text.split(' ').filter(|word| word.contains(char::is_alphanumeric));
    words.map(|word| word.chars().filter(is_unspaced).count().div_ceil(2).max(1)).sum()
}

/// Thai, Lao, Burmese and Khmer; kana, and the characters of Chinese.
fn is_unspaced(c: &char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        || matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
        || matches!(c, '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3fffd}')
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
