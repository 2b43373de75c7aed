//! Bytes become text: byte order mark, then Content-Type, then what the document declares, then a
//! guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use std::borrow::Cow;

/// How far into a document a declaration may stand (HTML, "prescan a byte stream").
const PRESCAN_BYTES: usize = 1_024;

/// Malformed sequences become U+FFFD; never fails.
pub(crate) fn decode<'b>(body: &'b [u8], from_header: Option<&str>) -> Cow<'b, str> {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return encoding.decode_with_bom_removal(body).0;
    }
    let prefix = &body[..body.len().min(PRESCAN_BYTES)];
    let declared = from_header
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(|| declared(prefix));
    let encoding = declared.unwrap_or_else(|| guess(body));
    encoding.decode_without_bom_handling(body).0
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
