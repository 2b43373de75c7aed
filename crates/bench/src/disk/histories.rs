//! Histories of real pages: archives with a file for each version, and `times.csv`.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Folders of archives, and the media type of what they hold.
pub const KINDS: [(&str, &str); 3] =
    [("html", "text/html"), ("xml", "application/xml"), ("json", "application/json")];

/// A page and its versions, oldest first.
pub struct Page {
    pub media: &'static str,
    pub versions: Vec<Arc<[u8]>>,
}

/// Unpacks the archives of a kind; none, if the folder is not there.
pub fn read(folder: &Path, kind: &str, media: &'static str) -> Result<Vec<Page>> {
    let Ok(entries) = std::fs::read_dir(folder.join(kind)) else { return Ok(Vec::new()) };
    let mut archives: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    archives.sort();
    let scratch = tempfile::tempdir()?;
    let page = |archive: &PathBuf| {
        let versions = unpack(archive, scratch.path())?;
        Ok(Page { media, versions })
    };
    archives.iter().map(page).collect()
}

fn unpack(archive: &Path, scratch: &Path) -> Result<Vec<Arc<[u8]>>> {
    let mut zstd = Command::new("zstd")
        .args(["-dq", "--long=27", "-c"])
        .arg(archive)
        .stdout(Stdio::piped())
        .spawn()?;
    let packed = zstd.stdout.take().context("zstd has an output")?;
    let tar = Command::new("tar").arg("x").arg("-C").arg(scratch).stdin(packed).status()?;
    if !zstd.wait()?.success() || !tar.success() {
        bail!("{} cannot be unpacked", archive.display());
    }
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let folder = scratch.join(name.trim_end_matches(".tar.zst"));
    let rows = std::fs::read_to_string(folder.join("times.csv"))?;
    let files = rows.lines().skip(1).filter_map(|row| row.split(',').next());
    files.map(|file| Ok(std::fs::read(folder.join(file))?.into())).collect()
}
