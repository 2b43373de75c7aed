//! Bytes become text: what the first bytes show, then Content-Type, then what the document
//! declares, then a guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use std::borrow::Cow;

/// How far into a document a declaration may stand (HTML, "prescan a byte stream").
const PRESCAN_BYTES: usize = 1_024;

/// Malformed sequences become U+FFFD; never fails.
pub(crate) fn decode<'b>(body: &'b [u8], from_header: Option<&str>) -> Cow<'b, str> {
    if let Some(wide) = Wide::of(body) {
        return Cow::Owned(wide.signs(body).map(|sign| sign.unwrap_or('\u{fffd}')).collect());
    }
    let (encoding, mark) = encoding(body, from_header);
    encoding.decode_without_bom_handling(&body[mark..]).0
}

/// The name of what a body is decoded from.
pub(crate) fn name(body: &[u8], from_header: Option<&str>) -> &'static str {
    match Wide::of(body) {
        Some(wide) if wide.is_big => "UTF-32BE",
        Some(_) => "UTF-32LE",
        None => encoding(body, from_header).0.name(),
    }
}

/// Whether the first bytes show the encoding.
pub(crate) fn is_shown(body: &[u8]) -> bool {
    Wide::of(body).is_some() || shown(body).is_some()
}

/// UTF-32, as its byte order mark shows it, or a first `<` (XML, appendix F). Browsers do not have
/// it; feeds may.
struct Wide {
    is_big: bool,
    mark: usize,
}

impl Wide {
    fn of(body: &[u8]) -> Option<Wide> {
        let (is_big, mark) = match body {
            [0, 0, 0xfe, 0xff, ..] => (true, 4),
            [0xff, 0xfe, 0, 0, ..] => (false, 4),
            [0, 0, 0, b'<', ..] => (true, 0),
            [b'<', 0, 0, 0, ..] => (false, 0),
            _ => return None,
        };
        Some(Wide { is_big, mark })
    }

    /// The signs; `None` for four bytes, or fewer at the end, that are none.
    fn signs(&self, body: &[u8]) -> impl Iterator<Item = Option<char>> {
        let is_big = self.is_big;
        body[self.mark..].chunks(4).map(move |bytes| {
            let bytes: [u8; 4] = bytes.try_into().ok()?;
            let number = if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
            char::from_u32(number)
        })
    }
}

/// What a body is decoded from, and the length of its byte order mark.
pub(crate) fn encoding(body: &[u8], from_header: Option<&str>) -> (&'static Encoding, usize) {
    shown(body).unwrap_or_else(|| {
        let prefix = &body[..body.len().min(PRESCAN_BYTES)];
        let declared = from_header
            .and_then(|label| Encoding::for_label(label.as_bytes()))
            .or_else(|| declared(prefix));
        (declared.unwrap_or_else(|| guess(body)), 0)
    })
}

/// The encoding that the first bytes show, and the length of the byte order mark: that mark, or
/// `<?` in UTF-16, as XML (appendix F) and HTML have it.
fn shown(body: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(body).or(match body {
        [0, b'<', 0, b'?', ..] => Some((encoding_rs::UTF_16BE, 0)),
        [b'<', 0, b'?', 0, ..] => Some((encoding_rs::UTF_16LE, 0)),
        _ => None,
    })
}

/// The text of XML, by what its first bytes show, or what it declares; else UTF-8. Bytes
/// that are no text in it, or a declaration that they contradict, are what is wrong.
pub(crate) fn decode_xml(body: &[u8]) -> Result<Cow<'_, str>, String> {
    if let Some(wide) = Wide::of(body) {
        let text: Option<String> = wide.signs(body).collect();
        return text.map(Cow::Owned).ok_or_else(|| "bytes that are no UTF-32".to_owned());
    }
    let (encoding, mark) = shown(body).unwrap_or((encoding_rs::UTF_8, 0));
    let is_utf8 = encoding == encoding_rs::UTF_8;
    let prefix = String::from_utf8_lossy(&body[..body.len().min(PRESCAN_BYTES)]);
    let said = declared_label(&prefix).filter(|_| is_utf8);
    let encoding = match said {
        None => encoding,
        Some(label) => match Encoding::for_label(label.as_bytes()) {
            Some(found) if found.is_ascii_compatible() && (mark == 0 || found == encoding) => found,
            _ => return Err(format!("its bytes are not in the encoding `{label}`")),
        },
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(&body[mark..]);
    text.ok_or_else(|| format!("bytes that are no {}", encoding.name()))
}

/// The encoding that an XML declaration names, as it is written.
fn declared_label(text: &str) -> Option<&str> {
    let declaration = text.trim_start_matches('\u{feff}').strip_prefix("<?xml")?;
    let rest = declaration.split_once("?>")?.0.split_once("encoding")?.1.trim_start();
    let rest = rest.strip_prefix('=')?.trim_start();
    rest.strip_prefix(['"', '\''])?.split(['"', '\'']).next()
}

/// What `<meta charset>`, `<meta http-equiv>` or the XML declaration says. As HTML demands, a
/// declared UTF-16 means UTF-8: the declaration could not have been read otherwise.
fn declared(prefix: &[u8]) -> Option<&'static Encoding> {
    let text = String::from_utf8_lossy(prefix).to_ascii_lowercase();
    let xml = text.trim_start().strip_prefix("<?xml").and_then(|rest| {
        let declaration = rest.split('>').next()?;
        label_after(declaration, "encoding")
    });
    let meta = || {
        let mut tags = text.split("<meta").skip(1);
        tags.find_map(|tag| label_after(tag.split('>').next()?, "charset"))
    };
    let encoding = xml.or_else(meta)?;
    let utf16 = encoding == encoding_rs::UTF_16BE || encoding == encoding_rs::UTF_16LE;
    Some(if utf16 { encoding_rs::UTF_8 } else { encoding })
}

/// The encoding named in `name = "label"`, quotes optional.
fn label_after(text: &str, name: &str) -> Option<&'static Encoding> {
    let rest = text[text.find(name)? + name.len()..].trim_start().strip_prefix('=')?.trim_start();
    let rest = rest.trim_start_matches(['"', '\'']);
    let label = rest.split(|c: char| c.is_whitespace() || "\"';/?".contains(c)).next()?;
    Encoding::for_label(label.as_bytes())
}

fn guess(body: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(body).is_ok() {
        return encoding_rs::UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(body, true);
    detector.guess(None, Utf8Detection::Allow)
}
