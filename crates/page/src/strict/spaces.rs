//! Prefixes of names, and what they stand for (Namespaces in XML 1.0).

use super::scan::is_name_start;
use super::{Checked, wrong};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

#[derive(Default)]
pub(super) struct Spaces {
    /// What each prefix stands for, the innermost last.
    uris: BTreeMap<String, Vec<String>>,
    /// The prefixes that each open element declares.
    open: Vec<Vec<String>>,
}

impl Spaces {
    /// Opens an element.
    pub(super) fn open(&mut self, name: &str, attributes: &BTreeMap<&str, &str>) -> Checked {
        self.hold();
        for (key, value) in attributes {
            match key.strip_prefix("xmlns") {
                Some("") => self.declare("", value)?,
                Some(prefix) if prefix.starts_with(':') => self.declare(&prefix[1..], value)?,
                _ => {}
            }
        }
        self.uri(name)?;
        let mut names = BTreeSet::new();
        let has_prefix = |key: &&&str| key.contains(':') && !key.starts_with("xmlns:");
        for key in attributes.keys().filter(has_prefix) {
            let local = key.split(':').next_back().unwrap_or_default();
            if !names.insert((self.uri(key)?, local)) {
                return wrong(format!("two attributes `{local}` of one name space"));
            }
        }
        Ok(())
    }

    /// Opens what declares nothing.
    pub(super) fn hold(&mut self) {
        self.open.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        for prefix in self.open.pop().unwrap_or_default() {
            if let Some(uris) = self.uris.get_mut(&prefix) {
                uris.pop();
            }
        }
    }

    fn declare(&mut self, prefix: &str, value: &str) -> Checked {
        let uri = quick_xml::escape::unescape(value).unwrap_or(Cow::Borrowed(value));
        let is_right = match prefix {
            "" => uri != XML && uri != XMLNS,
            "xml" => uri == XML,
            "xmlns" => false,
            _ => is_local(prefix) && !uri.is_empty() && uri != XML && uri != XMLNS,
        };
        if !is_right {
            return wrong(format!("the prefix `{prefix}` may not be declared as `{uri}`"));
        }
        self.uris.entry(prefix.to_owned()).or_default().push(uri.into_owned());
        if let Some(declared) = self.open.last_mut() {
            declared.push(prefix.to_owned());
        }
        Ok(())
    }

    /// What a name's prefix stands for.
    fn uri(&self, name: &str) -> Checked<&str> {
        qualified(name)?;
        let Some((prefix, _)) = name.split_once(':') else { return Ok("") };
        match self.uris.get(prefix).and_then(|uris| uris.last()) {
            Some(uri) => Ok(uri),
            None if prefix == "xml" => Ok(XML),
            None => wrong(format!("the prefix of `{name}` is not declared")),
        }
    }
}

/// A name, or two with a colon between.
pub(super) fn qualified(name: &str) -> Checked {
    let (prefix, local) = name.split_once(':').unwrap_or(("_", name));
    if is_local(prefix) && is_local(local) {
        return Ok(());
    }
    wrong(format!("`{name}` is no name with a prefix"))
}

fn is_local(name: &str) -> bool {
    name.starts_with(is_name_start) && !name.contains(':')
}
