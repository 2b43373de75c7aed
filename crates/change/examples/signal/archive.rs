//! Histories of real pages: archives with `times.csv`, by kind. Labels that a person gave to some
//! of them stand in `histories/real.labels`.

use crate::replay::Label;
use crate::{History, Look, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The looks of a history that have a label; those that look different and have none are noise.
type Labels = BTreeMap<usize, Label>;

fn labels(text: &str) -> Result<BTreeMap<String, Labels>> {
    let mut all: BTreeMap<String, Labels> = BTreeMap::new();
    let mut name = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some(looks) = line.strip_prefix("  ") else {
            name = line;
            all.entry(name.to_owned()).or_default();
            continue;
        };
        let (word, looks) = looks.split_once(' ').ok_or("a label without looks")?;
        let label = Label::ALL.into_iter().find(|label| label.name() == word);
        let label = label.ok_or(format!("`{word}` is no label"))?;
        for look in looks.split(' ') {
            all.entry(name.to_owned()).or_default().insert(look.parse()?, label);
        }
    }
    Ok(all)
}

/// Unpacks each history in turn.
pub fn each(folder: &Path, see: &mut dyn FnMut(&History) -> Result<()>) -> Result<()> {
    let labels = labels(include_str!("../../histories/real.labels"))?;
    let scratch = std::env::temp_dir().join(format!("tidings-signal-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let kinds = [("html", "text/html"), ("xml", "application/xml"), ("json", "application/json")];
    let result = kinds.iter().try_for_each(|(kind, media)| {
        let Ok(entries) = std::fs::read_dir(folder.join(kind)) else { return Ok(()) };
        let mut archives: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        archives.sort();
        archives.iter().try_for_each(|archive| {
            let (mut looks, name) = unpack(archive, &scratch)?;
            if let Some(labels) = labels.get(&name) {
                for (at, look) in looks.iter_mut().enumerate() {
                    look.label = match (labels.get(&at), look.label) {
                        (Some(&label), _) => label,
                        (None, Label::Unlabelled) => Label::Noise,
                        (None, label) => label,
                    };
                }
            }
            let kind = format!("real {kind}");
            see(&History { name, kind, media: (*media).to_owned(), looks })
        })
    });
    std::fs::remove_dir_all(&scratch)?;
    result
}

fn unpack(archive: &Path, scratch: &Path) -> Result<(Vec<Look>, String)> {
    let mut zstd = Command::new("zstd")
        .args(["-dq", "--long=27", "-c"])
        .arg(archive)
        .stdout(Stdio::piped())
        .spawn()?;
    let packed = zstd.stdout.take().ok_or("zstd has no output")?;
    let tar = Command::new("tar").arg("x").arg("-C").arg(scratch).stdin(packed).status()?;
    if !zstd.wait()?.success() || !tar.success() {
        return Err(format!("{} cannot be unpacked", archive.display()).into());
    }
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(".tar.zst").to_owned();
    let folder = scratch.join(&name);
    let mut looks = Vec::new();
    let mut hash_before = None;
    for row in std::fs::read_to_string(folder.join("times.csv"))?.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let (Some(file), Some(hash)) = (fields.first(), fields.last()) else { continue };
        let label = match hash_before.replace((*hash).to_owned()) {
            None => Label::First,
            Some(before) if before == **hash => Label::Equal,
            Some(_) => Label::Unlabelled,
        };
        looks.push(Look { label, body: std::fs::read(folder.join(file))? });
    }
    std::fs::remove_dir_all(folder)?;
    Ok((looks, name))
}
