//! Real pages over time. Reads `shared/data/histories` beside the project where present.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use page::{Extract, Hints, Limits, View, decode, encode, extract_dated, fingerprint, read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use url::Url;

/// Versions read of each history; all of them take minutes in a debug build.
const VERSIONS_READ: usize = 5;

/// The first versions of a history: what `content_hash` says of each, and its bytes.
fn versions(archive: &Path, scratch: &Path) -> Option<Vec<(String, Vec<u8>)>> {
    let mut zstd = Command::new("zstd")
        .args(["-dq", "--long=27", "-c"])
        .arg(archive)
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let packed = zstd.stdout.take().unwrap();
    let unpacked =
        Command::new("tar").arg("x").arg("-C").arg(scratch).stdin(packed).status().ok()?;
    assert!(zstd.wait().unwrap().success() && unpacked.success(), "{}", archive.display());
    let name = archive.file_name().unwrap().to_str().unwrap().trim_end_matches(".tar.zst");
    let folder = scratch.join(name);
    let times = std::fs::read_to_string(folder.join("times.csv")).unwrap();
    let rows = times.lines().skip(1).take(VERSIONS_READ).map(|row| {
        let fields: Vec<&str> = row.split(',').collect();
        (fields[6].to_owned(), std::fs::read(folder.join(fields[0])).unwrap())
    });
    let rows = rows.collect();
    std::fs::remove_dir_all(folder).unwrap();
    Some(rows)
}

fn extract(body: &[u8], media: &str) -> Extract {
    let url = Url::parse("https://site.example/page").unwrap();
    let hints = Hints { content_type: Some(media), url: &url };
    let first = read(body, &hints, &Limits::default()).unwrap();
    let again = read(body, &hints, &Limits::default()).unwrap();
    assert_eq!(first, again, "extraction is deterministic");
    assert_eq!(decode(&encode(&first)).unwrap(), first, "an extract survives the store");
    first
}

/// Whether a page is known to show what the one before it shows, without being read.
fn needs_no_reading(before: &[u8], after: &[u8], media: &str) -> bool {
    let (url, limits) = (Url::parse("https://site.example/page").unwrap(), Limits::default());
    let hints = Hints { content_type: Some(media), url: &url };
    let read = extract_dated(before, &hints, &limits, [View::Page]).unwrap();
    read.unread.is_some_and(|unread| unread.is_all_that_differs(after, &hints, &limits))
}

/// Successive pairs, by what `content_hash` (the visible text of a page, the keys of a feed's
/// entries) and this extractor say of them.
#[derive(Default, Debug)]
struct Pairs {
    still: usize,
    still_same_blocks: usize,
    still_same_fingerprint: usize,
    changed: usize,
    changed_told: usize,
    /// Those that need no reading: they differ where nothing is read.
    unread: usize,
}

fn measure(kind: &str, media: &str) -> Option<Pairs> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/histories");
    let folder = root.join(kind);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("not run: {} is absent", folder.display());
        return None;
    };
    let mut archives: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    archives.sort();
    let scratch = tempfile::tempdir().unwrap();
    let mut pairs = Pairs::default();
    for archive in &archives {
        let Some(versions) = versions(archive, scratch.path()) else {
            println!("not run: no zstd or tar program");
            return None;
        };
        let seen: Vec<(&String, Extract)> =
            versions.iter().map(|(hash, body)| (hash, extract(body, media))).collect();
        for (pair, bodies) in seen.windows(2).zip(versions.windows(2)) {
            if needs_no_reading(&bodies[0].1, &bodies[1].1, media) {
                pairs.unread += 1;
                assert_eq!(pair[0].1, pair[1].1, "{}", archive.display());
            }
            let same = fingerprint(&pair[0].1) == fingerprint(&pair[1].1);
            if pair[0].0 == pair[1].0 {
                pairs.still += 1;
                pairs.still_same_blocks += usize::from(pair[0].1.blocks == pair[1].1.blocks);
                pairs.still_same_fingerprint += usize::from(same);
            } else {
                pairs.changed += 1;
                pairs.changed_told += usize::from(!same);
            }
        }
    }
    println!("{kind}: {pairs:?}");
    Some(pairs)
}

/// Links and images may differ where the text does not: tokens in their addresses. Over all 40
/// versions 68 % of the pairs with equal text have equal fingerprints, and of those that have, days
/// and releases of their sites apart, 31 % need no reading.
#[test]
fn pages_with_equal_visible_text_have_equal_blocks() {
    if let Some(pairs) = measure("html", "text/html") {
        assert!(pairs.still_same_blocks * 20 >= pairs.still * 19, "{pairs:?}");
        assert!(pairs.still_same_fingerprint * 5 >= pairs.still * 2, "{pairs:?}");
        assert!(pairs.changed_told * 10 >= pairs.changed * 9, "{pairs:?}");
        assert!(pairs.unread > 0, "{pairs:?}");
    }
}

/// The entries' order and summaries may differ where their keys do not.
#[test]
fn feeds_with_equal_entries_mostly_have_equal_fingerprints() {
    if let Some(pairs) = measure("xml", "application/xml") {
        assert!(pairs.still_same_fingerprint * 10 >= pairs.still * 8, "{pairs:?}");
        assert_eq!(pairs.changed, pairs.changed_told, "{pairs:?}");
    }
}

#[test]
fn json_documents_differ_when_their_members_do() {
    if let Some(pairs) = measure("json", "application/json") {
        assert_eq!(pairs.changed, pairs.changed_told, "{pairs:?}");
    }
}
