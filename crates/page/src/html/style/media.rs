//! Which screens a part of a style is for.
//!
//! A page is seen on a desktop, in a window of about 1,280 pixels.

/// Pixels that a window surely has, and that it has at most.
const SURE_PIXELS: f32 = 1_024.0;
const WIDE_PIXELS: f32 = 1_280.0;
/// Pixels of what is measured by the size of letters.
const LETTER_PIXELS: f32 = 16.0;

/// Whether a list of media is for the window that a page is seen in; `None`: it may be.
pub(super) fn applies(media: &str) -> Option<bool> {
    let lower = media.to_ascii_lowercase();
    let mut is_doubtful = false;
    for query in lower.split(',') {
        match is_met(query.trim()) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => is_doubtful = true,
        }
    }
    if is_doubtful { None } else { Some(false) }
}

/// The same of one query, in lower case: `screen and (min-width: 40em)`.
fn is_met(query: &str) -> Option<bool> {
    let query = query.strip_prefix("only ").unwrap_or(query);
    if query.starts_with("not") || query.contains(" or ") {
        return None;
    }
    let mut is_doubtful = false;
    for part in query.replace(")and", ") and").split(" and ").map(str::trim) {
        let is_met = match part.strip_prefix('(').and_then(|part| part.strip_suffix(')')) {
            Some(feature) => has(feature),
            None => kind(part),
        };
        match is_met {
            Some(false) => return Some(false),
            Some(true) => {}
            None => is_doubtful = true,
        }
    }
    if is_doubtful { None } else { Some(true) }
}

fn kind(name: &str) -> Option<bool> {
    match name {
        "" | "screen" | "all" => Some(true),
        "print" | "speech" | "aural" | "braille" | "embossed" | "handheld" | "projection"
        | "tty" | "tv" => Some(false),
        _ => None,
    }
}

/// Whether the window has a feature: `min-width: 600px`, `width >= 40em`.
fn has(feature: &str) -> Option<bool> {
    let (name, value) = feature.split_once([':', '<', '>'])?;
    let is_more = feature[name.len()..].starts_with('>');
    let is_colon = feature[name.len()..].starts_with(':');
    let is_least = match (name.trim(), is_colon) {
        ("min-width", true) => true,
        ("max-width", true) => false,
        ("width", false) => is_more,
        _ => return None,
    };
    let pixels = pixels(value.trim_start_matches('=').trim())?;
    if is_least {
        (pixels <= SURE_PIXELS).then_some(true)
    } else {
        (pixels < WIDE_PIXELS).then_some(false)
    }
}

fn pixels(length: &str) -> Option<f32> {
    let letters = length.strip_suffix("rem").or_else(|| length.strip_suffix("em"));
    let (number, unit) = match letters {
        Some(number) => (number, LETTER_PIXELS),
        None if length == "0" => (length, 1.0),
        None => (length.strip_suffix("px")?, 1.0),
    };
    let number: f32 = number.trim().parse().ok()?;
    number.is_finite().then_some(number * unit)
}

#[cfg(test)]
mod tests {
    use super::applies;

    #[test]
    fn a_page_is_seen_on_a_desktop() {
        for media in [
            "",
            "screen",
            "ALL",
            "only screen and (min-width: 768px)",
            "(min-width:48em) and (min-width:0)",
            "(width >= 64rem)",
            "print, screen",
            "screen and (min-width:40.5em)",
        ] {
            assert_eq!(applies(media), Some(true), "{media}");
        }
        for media in [
            "print",
            "(max-width: 600px)",
            "screen and (max-width:1279.98px)",
            "(width < 48rem)",
            "(min-width: 600px) and (max-width: 900px)",
            "(prefers-color-scheme: dark) and (max-width: 900px)",
            "handheld, print",
        ] {
            assert_eq!(applies(media), Some(false), "{media}");
        }
        for media in [
            "(min-width: 1200px)",
            "(max-width: 1400px)",
            "not print",
            "(hover: none)",
            "(400px <= width <= 700px)",
            "(min-width: 10cm)",
            "((min-width: 600px))",
            "(min-width: NaNpx)",
            "screen and",
            "print, (orientation: landscape)",
        ] {
            assert_eq!(applies(media), None, "{media}");
        }
    }
}
