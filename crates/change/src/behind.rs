//! What became of a link or a picture, in a few words: `link “Download”: /v1.zip → /v2.zip`.

use crate::{Change, ChangeKind, Thing};

/// Characters shown of a name, and of an address.
const NAME_CHARS_MAX: usize = 60;
const ADDRESS_CHARS_MAX: usize = 60;

/// Something that stands behind the text of a page, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    /// What comes first: `link “Download”: `, `new picture: Kettle (`.
    pub lead: String,
    /// Where it led, or which it was; empty: it came.
    pub old: String,
    /// Where it leads, or which it is; empty: it went.
    pub new: String,
    /// What comes last.
    pub tail: &'static str,
    /// A link came or went at a text that stays.
    pub text_stays: bool,
}

impl Behind {
    /// What is said of a change of a link's address or of a picture. `None`: it is of something
    /// else, or of what a link says. `is_any`: `any change` tells it. A link that comes or goes
    /// with its text is told by that there, so the text of one that is told stays.
    pub fn of(
        kind: ChangeKind,
        old: Option<&Thing>,
        new: Option<&Thing>,
        is_any: bool,
    ) -> Option<Behind> {
        match (kind, old, new) {
            (
                ChangeKind::Update,
                Some(Thing::Link { href: before, text: was }),
                Some(Thing::Link { href: after, text }),
            ) if was == text || before != after => {
                let (old, new) = addresses(before, after);
                let is_other = was != text && !was.is_empty();
                let on_words =
                    if is_other { format!(" (was{})", quoted(was)) } else { String::new() };
                let lead = format!("link{}{on_words}: ", quoted(text));
                Some(Behind { lead, old, new, tail: "", text_stays: false })
            }
            (
                ChangeKind::Update,
                Some(Thing::Image { src: before, alt: was }),
                Some(Thing::Image { src: after, alt }),
            ) => Some(picture((before, was), (after, alt))),
            (ChangeKind::Insert, _, Some(thing)) => {
                let text_stays = is_any && is_named(thing);
                let (lead, new, tail) = one("new ", thing, text_stays)?;
                Some(Behind { lead, old: String::new(), new, tail, text_stays })
            }
            (ChangeKind::Delete, Some(thing), _) => {
                let text_stays = is_any && is_named(thing);
                let (lead, old, tail) = one("gone: ", thing, text_stays)?;
                Some(Behind { lead, old, new: String::new(), tail, text_stays })
            }
            _ => None,
        }
    }

    /// [`Behind::of`] a change of a comparison.
    pub fn of_change(change: &Change, is_any: bool) -> Option<Behind> {
        Behind::of(change.kind, change.old.as_ref(), change.new.as_ref(), is_any)
    }

    /// All of it in one line.
    pub fn line(&self) -> String {
        let Behind { lead, old, new, tail, .. } = self;
        let is_other = !old.is_empty() && !new.is_empty();
        format!("{lead}{old}{}{new}{tail}", if is_other { " → " } else { "" })
    }
}

fn picture((before, was): (&str, &str), (after, alt): (&str, &str)) -> Behind {
    let is_same = file(before) == file(after);
    if is_same && was != alt {
        let lead = format!("picture {}: ", clipped(&file(after), ADDRESS_CHARS_MAX));
        let name = |name: &str| match name {
            "" => "without a name".to_owned(),
            name => format!("“{}”", clipped(name, NAME_CHARS_MAX)),
        };
        return Behind { lead, old: name(was), new: name(alt), tail: "", text_stays: false };
    }
    let name = if was == alt || was.is_empty() || alt.is_empty() {
        quoted(if alt.is_empty() { was } else { alt })
    } else {
        String::new()
    };
    let shown = |src: &str, alt: &str| {
        let file = clipped(&file(src), ADDRESS_CHARS_MAX);
        if name.is_empty() && !alt.is_empty() {
            format!("{} ({file})", clipped(alt, NAME_CHARS_MAX))
        } else {
            file
        }
    };
    let (mut old, mut new) = (shown(before, was), shown(after, alt));
    if old == new {
        (old, new) = addresses(before, after);
    }
    Behind { lead: format!("picture{name}: "), old, new, tail: "", text_stays: false }
}

/// What came or went: before its address, that, and behind it.
fn one(said: &str, thing: &Thing, text_stays: bool) -> Option<(String, String, &'static str)> {
    match thing {
        Thing::Link { href, text } => {
            let lead = match (text_stays, said.starts_with("new")) {
                (false, _) => format!("{said}link{}: ", quoted(text)),
                (true, true) => format!("{} is a link now, to ", quoted(text).trim_start()),
                (true, false) => format!("{} is no longer a link to ", quoted(text).trim_start()),
            };
            Some((lead, clipped(without_scheme(href), ADDRESS_CHARS_MAX), ""))
        }
        Thing::Image { src, alt } if alt.is_empty() => {
            Some((format!("{said}picture: "), clipped(&file(src), ADDRESS_CHARS_MAX), ""))
        }
        Thing::Image { src, alt } => {
            let lead = format!("{said}picture: {} (", clipped(alt, NAME_CHARS_MAX));
            Some((lead, clipped(&file(src), ADDRESS_CHARS_MAX), ")"))
        }
        _ => None,
    }
}

/// A link with words.
fn is_named(thing: &Thing) -> bool {
    matches!(thing, Thing::Link { text, .. } if !text.is_empty())
}

fn quoted(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(" “{}”", clipped(text, NAME_CHARS_MAX))
    }
}

/// Two addresses as far as they differ: of one site only their paths.
fn addresses(old: &str, new: &str) -> (String, String) {
    let sites = site(old).zip(site(new));
    let [old, new] = match sites.filter(|(old, new)| old.0 == new.0) {
        Some(((_, old), (_, new))) => [old, new],
        None => [old, new].map(without_scheme),
    };
    // Who looks, and from where, says nothing where the page is another.
    let [old, new] = match [old, new].map(|address| address.split(['?', '#']).next()) {
        [Some(was), Some(is)] if was != is && !was.is_empty() && !is.is_empty() => [was, is],
        _ => [old, new],
    };
    let (old, new) = from_where_they_differ(old, new);
    (clipped(&old, ADDRESS_CHARS_MAX), clipped(&new, ADDRESS_CHARS_MAX))
}

/// Scheme and host of an address, and its path.
fn site(address: &str) -> Option<(&str, &str)> {
    let start = address.find("://")? + 3;
    let end = address[start..].find('/')?;
    Some(address.split_at(start + end))
}

/// The ends of two long texts, from the segment on in which they differ.
fn from_where_they_differ(old: &str, new: &str) -> (String, String) {
    let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b);
    let bytes: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let start = old[..bytes].rfind('/').unwrap_or(0);
    let is_long = |text: &str| text.chars().count() > ADDRESS_CHARS_MAX;
    if start > 0 && (is_long(old) || is_long(new)) {
        (format!("…{}", &old[start..]), format!("…{}", &new[start..]))
    } else {
        (old.to_owned(), new.to_owned())
    }
}

fn without_scheme(address: &str) -> &str {
    let rest = ["https://", "http://"].iter().find_map(|scheme| address.strip_prefix(scheme));
    rest.map_or(address, |rest| rest.strip_suffix('/').filter(|r| !r.contains('/')).unwrap_or(rest))
}

/// The name of a picture's file.
fn file(src: &str) -> String {
    let path = src.split(['?', '#']).next().unwrap_or(src).trim_end_matches('/');
    let name = path.rsplit('/').next().filter(|name| !name.is_empty());
    name.unwrap_or(src).to_owned()
}

fn clipped(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(text: &str, href: &str) -> Thing {
        Thing::Link { href: href.into(), text: text.into() }
    }

    fn image(alt: &str, src: &str) -> Thing {
        Thing::Image { src: src.into(), alt: alt.into() }
    }

    fn update(old: &Thing, new: &Thing) -> String {
        Behind::of(ChangeKind::Update, Some(old), Some(new), true).unwrap().line()
    }

    #[test]
    fn a_link_is_said_by_its_text_and_where_it_led_and_leads() {
        let at = |href: &str| link("Download", href);
        assert_eq!(
            update(&at("https://a.example/v1.zip"), &at("https://a.example/v2.zip")),
            "link “Download”: /v1.zip → /v2.zip"
        );
        assert_eq!(
            update(&at("https://a.example/"), &at("https://b.example/x")),
            "link “Download”: a.example → b.example/x"
        );
        let words = link("The portal", "https://a.example/p");
        assert_eq!(
            update(&at("https://a.example/v1.zip"), &words),
            "link “The portal” (was “Download”): /v1.zip → /p"
        );
        let long = |end: &str| format!("https://a.example/{}/{end}", "very-long/".repeat(9));
        assert_eq!(update(&at(&long("1")), &at(&long("2"))), "link “Download”: …/1 → …/2");
        let one = |kind, old, new| Behind::of(kind, old, new, true).unwrap().line();
        let here = at("https://a.example/x");
        let came = Behind::of(ChangeKind::Insert, None, Some(&here), false).unwrap().line();
        assert_eq!(came, "new link “Download”: a.example/x", "with its text");
        assert_eq!(
            one(ChangeKind::Insert, None, Some(&here)),
            "“Download” is a link now, to a.example/x"
        );
        assert_eq!(
            one(ChangeKind::Delete, Some(&here), None),
            "“Download” is no longer a link to a.example/x"
        );
        assert_eq!(
            update(&at("https://a.example/old?from=3"), &at("https://a.example/new?from=4")),
            "link “Download”: /old → /new"
        );
        assert_eq!(
            update(&at("https://a.example/x?page=3"), &at("https://a.example/x?page=4")),
            "link “Download”: /x?page=3 → /x?page=4"
        );
    }

    #[test]
    fn a_picture_is_said_by_its_name_and_its_file() {
        let at = |alt, file: &str| image(alt, &format!("https://a.example/i/{file}?w=3"));
        let (red, blue) = (at("Kettle", "red.png"), at("Kettle", "blue.png"));
        assert_eq!(update(&red, &blue), "picture “Kettle”: red.png → blue.png");
        assert_eq!(
            update(&red, &at("Pot", "blue.png")),
            "picture: Kettle (red.png) → Pot (blue.png)"
        );
        assert_eq!(update(&red, &at("Sold", "red.png")), "picture red.png: “Kettle” → “Sold”");
        assert_eq!(update(&at("", "1.png"), &at("", "2.png")), "picture: 1.png → 2.png");
        let one = |kind, old, new| Behind::of(kind, old, new, true).unwrap().line();
        assert_eq!(one(ChangeKind::Insert, None, Some(&red)), "new picture: Kettle (red.png)");
        assert_eq!(one(ChangeKind::Delete, Some(&red), None), "gone: picture: Kettle (red.png)");
        assert_eq!(one(ChangeKind::Insert, None, Some(&at("", "1.png"))), "new picture: 1.png");
    }

    #[test]
    fn what_is_no_address_is_said_as_it_is() {
        let odd = ["", "/", "é…", "data:image/png;blake3=0", "https://", "…"];
        for old in odd {
            for new in odd {
                assert!(update(&image("", old), &image("é", new)).starts_with("picture"));
                assert!(update(&link("", old), &link("", new)).starts_with("link"));
            }
        }
        let text = Thing::Text { text: "x".into() };
        assert_eq!(Behind::of(ChangeKind::Insert, None, Some(&text), true), None);
    }
}
