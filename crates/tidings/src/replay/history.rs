//! Page histories on disk: a folder with `times.csv`, the files it names, and `page.json`.

use anyhow::{Context, Result, bail};
use chronon::Instant;
use sim::replay::{Recorded, RecordedVersion};
use std::path::{Path, PathBuf};

/// Bytes of one version, and of `times.csv` or `page.json`.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Versions of all pages together.
const VERSIONS_MAX: usize = 100_000;
/// Bytes of all pages together: they are held in memory.
const BYTES_MAX: u64 = 4 << 30;

/// Reads the history in `folder`, or those in the folders of it.
pub fn read(folder: &Path) -> Result<Vec<Recorded>> {
    let mut folders = vec![folder.to_owned()];
    if !folder.join("times.csv").is_file() {
        folders = below(folder)?;
        if folders.is_empty() {
            bail!(
                "{} has no times.csv, nor has a folder in it; a history is a folder with \
                 times.csv (`version,unix_time,file`), the files it names, and page.json",
                folder.display()
            );
        }
    }
    let (mut pages, mut versions, mut bytes) = (Vec::new(), 0, 0);
    for folder in folders {
        let page = page(&folder)?;
        versions += page.versions.len();
        bytes += page.versions.iter().map(|version| version.body.len() as u64).sum::<u64>();
        if versions > VERSIONS_MAX || bytes > BYTES_MAX {
            bail!(
                "{} makes more than {VERSIONS_MAX} versions or 4 GiB; replay fewer pages at once",
                folder.display()
            );
        }
        pages.push(page);
    }
    Ok(pages)
}

/// Folders of `folder` with a history, by name.
fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.join("times.csv").is_file() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

fn page(folder: &Path) -> Result<Recorded> {
    let about = match folder.join("page.json") {
        path if path.is_file() => serde_json::from_slice(&bytes(&path)?)
            .with_context(|| format!("{} is not JSON", path.display()))?,
        _ => serde_json::Value::Null,
    };
    let times = folder.join("times.csv");
    let text = String::from_utf8(bytes(&times)?)
        .with_context(|| format!("{} is not UTF-8", times.display()))?;
    let media_type = about["media_type"].as_str();
    let versions =
        versions(folder, &text, media_type).with_context(|| format!("in {}", times.display()))?;
    let url = match about["url"].as_str() {
        Some(url) => url.to_owned(),
        None => format!("https://{}.example/", host(folder)),
    };
    Ok(Recorded { url, versions })
}

/// A host name for a page that does not say its address: the folder's name.
fn host(folder: &Path) -> String {
    let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = name.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let label: String = name
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .take(63)
        .collect();
    let label = label.trim_matches('-');
    if label.is_empty() { "page".to_owned() } else { label.to_owned() }
}

/// The rows of `times.csv`, whatever the order of its columns, sorted by time.
fn versions(folder: &Path, text: &str, media_type: Option<&str>) -> Result<Vec<RecordedVersion>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').map(str::trim).collect();
    let column = |name: &str| {
        let at = header.iter().position(|column| *column == name);
        at.with_context(|| format!("the first line names no column `{name}`"))
    };
    let (file, time) = (column("file")?, column("unix_time")?);
    let mut versions = Vec::new();
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line_number = number + 2;
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let at = instant(cell(time)).with_context(|| {
            format!("line {line_number}: `{}` is no Unix time between 1970 and 2200", cell(time))
        })?;
        let path = inside(folder, cell(file)).with_context(|| format!("line {line_number}"))?;
        let media_type = media_type.unwrap_or_else(|| media_type_of(&path)).to_owned();
        versions.push(RecordedVersion { at, media_type, body: bytes(&path)? });
    }
    if versions.is_empty() {
        bail!("no version is listed");
    }
    versions.sort_by_key(|version| version.at);
    Ok(versions)
}

/// Seconds since 1970, integer or decimal.
fn instant(text: &str) -> Option<Instant> {
    let seconds: f64 = text.parse().ok()?;
    let sensible = (0.0..7_258_118_400.0).contains(&seconds);
    sensible.then(|| Instant::from_millis((seconds * 1_000.0) as i64))
}

/// The file of that name in the folder; a name that leads elsewhere is refused.
fn inside(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = Path::new(name);
    let plain = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if name.is_empty() || !plain {
        bail!("`{name}` does not name a file in the folder");
    }
    Ok(folder.join(path))
}

fn media_type_of(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => "text/html",
        Some("xml" | "rss" | "atom") => "application/xml",
        Some("json") => "application/json",
        _ => "text/plain",
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    use std::io::Read;
    let file =
        std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", path.display()))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        bail!("{} is longer than 64 MiB", path.display());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        folder
    }

    #[test]
    fn a_history_is_read_by_the_names_of_its_columns_and_in_the_order_of_time() {
        let folder = folder(&[
            ("times.csv", "unix_time,version,file\n1700000060.5,2,b.html\n1700000000,1,a.html\n"),
            ("a.html", "<p>a</p>"),
            ("b.html", "<p>b</p>"),
            ("page.json", r#"{"url": "https://news.example/", "media_type": "text/html"}"#),
        ]);
        let pages = read(folder.path()).expect("a history");
        assert_eq!(pages[0].url, "https://news.example/");
        let times: Vec<i64> = pages[0].versions.iter().map(|v| v.at.as_millis()).collect();
        assert_eq!(times, [1_700_000_000_000, 1_700_000_060_500]);
        assert_eq!(pages[0].versions[1].body, b"<p>b</p>");
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_line() {
        let refused = |times: &str| {
            let folder = folder(&[("times.csv", times), ("a.html", "a")]);
            format!("{:#}", read(folder.path()).expect_err("refused"))
        };
        assert!(refused("time,file\n1,a.html\n").contains("no column `unix_time`"));
        assert!(refused("unix_time,file\nsoon,a.html\n").contains("line 2: `soon`"));
        assert!(refused("unix_time,file\n1,../a.html\n").contains("line 2: `../a.html`"));
        assert!(refused("unix_time,file\n1,b.html\n").contains("cannot open"));
        assert!(refused("unix_time,file\n").contains("no version is listed"));
        let empty = tempfile::tempdir().expect("a folder");
        assert!(read(empty.path()).expect_err("refused").to_string().contains("times.csv"));
    }
}
