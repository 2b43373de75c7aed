//! A list of addresses: one a line, whatever follows it on the line is its name.

use crate::{Entry, Import, Left, Tool, Wish};

/// Reads the list; none where a line is neither empty, nor a comment, nor begins with an address.
pub(crate) fn read(text: &str) -> Option<Import> {
    let mut entries = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (address, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !is_address(address) {
            return None;
        }
        let mut wish = Wish::of(address);
        // changedetection.io writes the ids of an address's tags behind it.
        let name = name.trim();
        if !name.is_empty() && !name.starts_with('[') {
            wish.name = name.to_owned();
        }
        entries.push(Entry { place: format!("line {number}"), wish: Some(wish), left: vec![] });
    }
    (!entries.is_empty()).then_some(Import { tool: Tool::Addresses, entries })
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
