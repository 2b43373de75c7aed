//! What a comparison looks for.

use crate::{Aspect, Change, Terms, Thing, View};
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;

/// What a comparison looks for: an aspect of a view, with its words where it has some.
///
/// Words are patterns as the language writes them: a whole word without case, `*` allowed at
/// either end. Phrases are matched without case, white space collapsed. As JSON it is
/// `{"type": "keywords", "words": ["oil"]}`, the list under the name of [`Terms::key`]; `view` has
/// the selector where it is not the whole page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeType {
    pub view: View,
    pub aspect: Aspect,
    pub terms: BTreeSet<String>,
}

impl ChangeType {
    /// An aspect of the whole page of which nothing more is said.
    pub fn plain(aspect: Aspect) -> ChangeType {
        ChangeType { view: View::Page, aspect, terms: BTreeSet::new() }
    }

    /// An aspect of the whole page with its words; one that takes none has none.
    pub fn of<T: Into<String>>(aspect: Aspect, terms: impl IntoIterator<Item = T>) -> ChangeType {
        if aspect.row().terms.key().is_none() {
            return ChangeType::plain(aspect);
        }
        let terms = terms.into_iter().map(Into::into).collect();
        ChangeType { view: View::Page, aspect, terms }
    }

    /// The same of another view.
    pub fn in_view(self, view: View) -> ChangeType {
        ChangeType { view, ..self }
    }

    /// As which type one of its changes is told, so that each type keeps its fields: where a link
    /// leads, found by `any`, is told as one of `links`, and a picture as one of `images`.
    pub fn told_as(&self, change: &Change) -> &'static str {
        match (self.aspect, change.new.as_ref().or(change.old.as_ref())) {
            (Aspect::Any, Some(Thing::Link { .. })) => Aspect::Links.row().name,
            (Aspect::Any, Some(Thing::Image { .. })) => Aspect::Images.row().name,
            _ => self.name(),
        }
    }

    /// The name that a body gives it (`docs/formats.md`, Webhook).
    pub fn name(&self) -> &'static str {
        self.aspect.row().name
    }

    /// Whether one comparison can serve both: the same aspect of the same view.
    pub fn is_akin(&self, other: &ChangeType) -> bool {
        (&self.view, self.aspect) == (&other.view, other.aspect)
    }

    /// Becomes wide enough for another that is akin, too: exceptions are those of both, words those
    /// of either.
    pub fn widen(&mut self, other: &ChangeType) {
        match self.aspect.row().terms {
            Terms::Except => self.terms.retain(|term| other.terms.contains(term)),
            _ => self.terms.extend(other.terms.iter().cloned()),
        }
    }
}

impl Serialize for ChangeType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.name())?;
        if self.view != View::Page {
            map.serialize_entry("view", self.view.key())?;
        }
        if let Some(key) = self.aspect.row().terms.key() {
            map.serialize_entry(key, &self.terms)?;
        }
        map.end()
    }
}

/// The JSON of a change type.
#[derive(Deserialize)]
struct Stored {
    #[serde(rename = "type")]
    name: String,
    #[serde(default)]
    view: String,
    except: Option<BTreeSet<String>>,
    words: Option<BTreeSet<String>>,
    phrases: Option<BTreeSet<String>>,
    tests: Option<BTreeSet<String>>,
}

impl<'de> Deserialize<'de> for ChangeType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ChangeType, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let unknown = || D::Error::custom(format!("unknown change type `{}`", stored.name));
        let aspect = Aspect::named(&stored.name).ok_or_else(unknown)?;
        let shape = aspect.row().terms;
        let terms = match shape {
            Terms::None | Terms::Pointed => Some(BTreeSet::new()),
            Terms::Except => stored.except,
            Terms::Words => stored.words,
            Terms::Phrases => stored.phrases,
            Terms::Tests => stored.tests,
        };
        let missing = || D::Error::missing_field(shape.key().unwrap_or_default());
        let terms = terms.ok_or_else(missing)?;
        Ok(ChangeType { view: View::of_key(&stored.view), aspect, terms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_results_keep_their_form() {
        for (change_type, json) in [
            (ChangeType::plain(Aspect::Any), r#"{"type":"any"}"#),
            (ChangeType::plain(Aspect::Links), r#"{"type":"links"}"#),
            (ChangeType::plain(Aspect::Images), r#"{"type":"images"}"#),
            (ChangeType::plain(Aspect::Words), r#"{"type":"words","except":[]}"#),
            (ChangeType::of(Aspect::Words, ["the"]), r#"{"type":"words","except":["the"]}"#),
            (
                ChangeType::of(Aspect::Keywords, ["oil", "gas"]),
                r#"{"type":"keywords","words":["gas","oil"]}"#,
            ),
            (ChangeType::of(Aspect::Phrases, ["a b"]), r#"{"type":"phrases","phrases":["a b"]}"#),
            (
                ChangeType::of(Aspect::Value, ["< 40 EUR"])
                    .in_view(View::Selected("css \".price\"".into())),
                r#"{"type":"value","view":"css \".price\"","tests":["< 40 EUR"]}"#,
            ),
            (
                ChangeType {
                    view: View::Selected("css \"main\"".into()),
                    ..ChangeType::plain(Aspect::Links)
                },
                r#"{"type":"links","view":"css \"main\""}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&change_type).unwrap(), json);
            assert_eq!(serde_json::from_str::<ChangeType>(json).unwrap(), change_type);
        }
        for wrong in [r#"{"type":"colours"}"#, r#"{"type":"words"}"#, r#"{"words":["oil"]}"#] {
            assert!(serde_json::from_str::<ChangeType>(wrong).is_err(), "{wrong}");
        }
    }
}
