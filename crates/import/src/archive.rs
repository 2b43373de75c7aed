//! Archives: a backup of changedetection.io, or an export of FreshRSS.

use crate::limits::{MEMBER_BYTES_MAX, MEMBERS_BYTES_MAX, MEMBERS_MAX};
use crate::{Import, ImportError, changedetection, readers};
use serde_json::{Map, Value};
use std::io::{Cursor, Read};
use zip::ZipArchive;

pub(crate) fn read(bytes: &[u8]) -> Result<Import, ImportError> {
    let broken = |error: zip::result::ZipError| ImportError::Archive(error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > MEMBERS_MAX {
        return Err(ImportError::Archive(format!("it holds more than {MEMBERS_MAX} files")));
    }
    let mut names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    names.sort();
    let mut members = Members { archive: &mut archive, left: MEMBERS_BYTES_MAX };
    if let Some(name) = names.iter().find(|name| name.contains(".opml")) {
        let text = crate::decoded(&members.read(name)?)?.into_owned();
        return readers::opml(&text);
    }
    let backup = backup(&names, &mut members)?;
    changedetection::read(&backup).ok_or(ImportError::EmptyArchive)
}

/// The files of a backup as one value, in the form of the older `url-watches.json`.
fn backup(names: &[String], members: &mut Members<'_>) -> Result<Value, ImportError> {
    let mut whole = Value::Null;
    for settings in ["url-watches.json", "changedetection.json"] {
        if whole.is_null() && names.iter().any(|name| name == settings) {
            whole = members.json(settings)?;
        }
    }
    let (mut watches, mut tags) = (Map::new(), Map::new());
    for name in names {
        let Some((id, file)) = name.split_once('/') else { continue };
        let list = match file {
            "watch.json" => &mut watches,
            "tag.json" => &mut tags,
            _ => continue,
        };
        list.insert(id.to_owned(), members.json(name)?);
    }
    if !watches.is_empty() {
        map(&mut whole).insert("watching".to_owned(), Value::Object(watches));
    }
    let settings = object(object(map(&mut whole), "settings"), "application");
    object(settings, "tags").extend(tags);
    Ok(whole)
}

/// A value as a map; whatever else it was is replaced by an empty one.
fn map(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("it was made one where it was none")
}

/// The map under `name`.
fn object<'v>(within: &'v mut Map<String, Value>, name: &str) -> &'v mut Map<String, Value> {
    map(within.entry(name).or_insert(Value::Null))
}

/// The files of an archive, as far as they may be unpacked.
struct Members<'a> {
    archive: &'a mut ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

impl Members<'_> {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, ImportError> {
        let broken = |error: String| ImportError::Archive(format!("{name}: {error}"));
        let member = self.archive.by_name(name).map_err(|error| broken(error.to_string()))?;
        let most = MEMBER_BYTES_MAX.min(self.left);
        let mut bytes = Vec::new();
        let read = member.take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| broken(error.to_string()))?;
        if bytes.len() as u64 > most {
            return Err(broken("it is too large".to_owned()));
        }
        self.left -= bytes.len() as u64;
        Ok(bytes)
    }

    fn json(&mut self, name: &str) -> Result<Value, ImportError> {
        let bytes = self.read(name)?;
        serde_json::from_slice(&bytes)
            .map_err(|error| ImportError::Archive(format!("{name} is no JSON: {error}")))
    }
}
