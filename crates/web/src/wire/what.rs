//! What a difference of two versions is of.

use change::Aspect;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// An aspect that says something without words of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct What(pub(crate) Aspect);

/// Those that no difference of two whole pages shows: items are in a view of their own, and a
/// status is of no version.
const NOT_OF_PAGES: [Aspect; 2] = [Aspect::Items, Aspect::Status];

impl What {
    fn names() -> impl Iterator<Item = &'static str> {
        let of_pages = Aspect::all().filter(|aspect| !NOT_OF_PAGES.contains(aspect));
        let rows = of_pages.map(Aspect::row);
        rows.filter(|row| !row.terms.are_needed()).map(|row| row.name)
    }
}

impl Default for What {
    fn default() -> What {
        What(Aspect::Any)
    }
}

impl Serialize for What {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.row().name)
    }
}

impl<'de> Deserialize<'de> for What {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<What, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = What::names().find(|known| *known == name).and_then(Aspect::named);
        known.map(What).ok_or_else(|| {
            let names: Vec<String> = What::names().map(|name| format!("`{name}`")).collect();
            let names = names.join(", ");
            D::Error::custom(format!("unknown variant `{name}`, expected one of {names}"))
        })
    }
}

impl PartialSchema for What {
    fn schema() -> RefOr<Schema> {
        let names: Vec<&str> = What::names().collect();
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).build().into()
    }
}

impl ToSchema for What {}
