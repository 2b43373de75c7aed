//! What must hold for any bytes; called by the fuzz target and, bounded, by tests.

use crate::{
    Dated, Extract, Hints, Limits, View, XmlNames, decode, encode, extract_dated, fingerprint,
    gather, read, summary, well_formed,
};
use url::Url;

const MEDIA: [Option<&str>; 8] = [
    None,
    Some("text/html"),
    Some("text/xml"),
    Some("application/rss+xml"),
    Some("application/json"),
    Some("text/plain; charset=shift_jis"),
    Some("application/xhtml+xml; charset=utf-16le"),
    Some("text/html; charset=utf-8"),
];

/// What stands at the start of a document, and on some pages once more where it must not.
const PROLOGUES: [&str; 7] = [
    "<?xml version='1.0'?>",
    "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
    "<?xml version='1.0' encoding='windows-1252' standalone='yes'?>\n",
    "<?xml encoding='iso-2022-jp'?><?xml encoding='gbk'?>",
    "<!DOCTYPE rss [<!ENTITY a '<?xml encoding=\"utf-16\"?>'>]>",
    "\u{feff}",
    "<?xml-stylesheet href='a.xsl'?>",
];

/// Reads `bytes` after the first two, under usual and tight limits. The first chooses the media
/// type and a prologue, the second how far into the body this one is spliced; or none is.
///
/// # Panics
/// When the same bytes give two extracts, or a page is not read the same that was said to be. When
/// an extract is not in canonical form, exceeds a limit, or does not survive the store.
pub fn fuzz(bytes: &[u8]) {
    let [choice, place, body @ ..] = bytes else { return };
    let (media, prologue) = (*choice as usize % MEDIA.len(), *choice as usize / MEDIA.len());
    let spliced = PROLOGUES.get(prologue % (PROLOGUES.len() + 1)).map(|prologue| {
        let (before, after) = body.split_at(body.len() * usize::from(*place) / 255);
        [before, prologue.as_bytes(), after].concat()
    });
    let body = spliced.as_deref().unwrap_or(body);
    let url = Url::parse("https://site.example/a/b?c").expect("a URL written here");
    let hints = Hints { content_type: MEDIA[media], url: &url };
    let tight = Limits {
        depth_max: 8,
        nodes_max: 200,
        attributes_max: 4,
        blocks_max: 20,
        links_max: 5,
        text_bytes_max: 500,
        url_bytes_max: 64,
        ..Limits::default()
    };
    let strictly = |names| well_formed(body, names, &Limits::default()).is_ok();
    assert!(
        strictly(XmlNames::Plain) || !strictly(XmlNames::InNamespaces),
        "name spaces only add rules"
    );
    for limits in [Limits::default(), tight] {
        let result = read(body, &hints, &limits);
        assert_eq!(result, read(body, &hints, &limits), "the same bytes give the same extract");
        if let Ok(extract) = result {
            check(&extract, &limits);
        }
        check_unread(body, *place, &hints, &limits);
    }
}

/// Whoever differs where nothing is read is read the same.
fn check_unread(body: &[u8], place: u8, hints: &Hints<'_>, limits: &Limits) {
    let mut other = body.to_vec();
    let at = body.len() * usize::from(place) / 256;
    let Some(byte) = other.get_mut(at) else { return };
    *byte = body[body.len() - 1 - at];
    let of_page = |body: &[u8]| extract_dated(body, hints, limits, [View::Page]);
    let Ok(Dated { extracts, unread: Some(unread), .. }) = of_page(body) else { return };
    if unread.is_all_that_differs(&other, hints, limits) {
        let read = of_page(&other).map(|read| read.extracts);
        assert_eq!(read, Ok(extracts), "it was said to be read the same");
    }
}

fn check(extract: &Extract, limits: &Limits) {
    assert!(extract.blocks.len() <= limits.blocks_max, "blocks_max holds");
    assert!(extract.links.len() <= limits.links_max, "links_max holds");
    assert!(extract.images.len() <= limits.links_max, "links_max holds for images");
    let texts = extract.blocks.iter().map(|block| &block.text);
    assert!(texts.clone().all(|text| !text.is_empty()), "a block is never empty");
    for (count, all) in [
        (extract.blocks.iter().map(|block| block.links).sum::<u32>(), extract.links.len()),
        (extract.blocks.iter().map(|block| block.images).sum::<u32>(), extract.images.len()),
    ] {
        let is_all = count as usize == all;
        assert!(is_all || extract.blocks.is_empty(), "each link and image stands at a block");
    }
    let others = extract.links.iter().map(|link| &link.text);
    let others = others.chain(extract.images.iter().map(|image| &image.alt));
    for text in texts.clone().chain(others) {
        assert_eq!(*text, gather::collapse(text), "texts are in canonical form");
    }
    let bytes: usize = texts.map(String::len).sum();
    assert!(bytes <= limits.text_bytes_max, "text_bytes_max holds");
    let copy = decode(&encode(extract)).expect("what was encoded decodes");
    assert_eq!(&copy, extract, "an extract survives the store");
    assert_eq!(fingerprint(&copy), fingerprint(extract), "a fingerprint survives the store");
    assert!(!summary(extract).is_empty(), "there is always something to say");
}
