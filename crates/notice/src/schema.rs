//! The JSON Schema of a body, from the types.

use crate::Notice;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;

/// The schema of what [`crate::compose`] writes (JSON Schema 2020-12). Later releases may add
/// fields, so it allows others than those it names.
pub fn schema() -> Schema {
    // Defaults are for reading what is missing, and bodies lack nothing.
    let without_defaults = RecursiveTransform(|schema: &mut Schema| drop(schema.remove("default")));
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(without_defaults);
    settings.into_generator().into_root_schema_for::<Notice>()
}
