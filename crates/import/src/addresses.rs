//! A list of addresses: one a line, whatever follows it on the line is its name.

use crate::{Entry, Import, Left, Tool, Wish};

/// Reads the list; none where its first line, but for comments, does not begin with an address.
pub(crate) fn read(text: &str) -> Option<Import> {
    let blank = |c: char| c.is_whitespace() || sentinel::is_hidden(c);
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim_matches(blank), number));
    let mut lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).peekable();
    let (first, _) = lines.peek()?;
    if !is_address(first.split(blank).next()?) {
        return None;
    }
    let entries = lines.map(|(line, number)| {
        let (address, name) = line.split_once(blank).unwrap_or((line, ""));
        entry(address, name.trim_matches(blank), format!("line {number}"))
    });
    Some(Import { tool: Tool::Addresses, entries: entries.collect() })
}

fn entry(address: &str, name: &str, place: String) -> Entry {
    if !is_address(address) {
        return Entry { place, wish: None, left: vec![refused(address)] };
    }
    let mut wish = Wish::of(address);
    // changedetection.io writes the ids of an address's tags behind it.
    if !name.is_empty() && !name.starts_with('[') {
        wish.name = name.to_owned();
    }
    Entry { place, wish: Some(wish), left: vec![] }
}

/// Whether it can be asked.
pub(crate) fn is_address(text: &str) -> bool {
    let scheme = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    (scheme("http://") || scheme("https://")) && url::Url::parse(text).is_ok()
}

/// Why an address cannot be watched.
pub(crate) fn refused(url: &str) -> Left {
    match url {
        "" => Left::new("it has no address", "write one with `tidings add URL`"),
        _ => Left::new(
            format!("`{url}` is not an address that can be asked"),
            "Tidings asks http and https; put the content on a web server",
        ),
    }
}
