//! Reading the fields of an entry: whatever they hold, somebody may have written by hand.

use serde_json::Value;

/// The text of a field, without white space around it; none where it is missing, empty or no text.
pub(crate) fn text<'v>(entry: &'v Value, name: &str) -> Option<&'v str> {
    entry[name].as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// The texts of a field that holds one or a list; empty ones are passed over.
pub(crate) fn texts(entry: &Value, name: &str) -> Vec<String> {
    let field = &entry[name];
    let list = match field {
        Value::Array(list) => list.iter().collect(),
        other => vec![other],
    };
    let texts = list.into_iter().filter_map(|value| match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    });
    texts.filter(|text| !text.is_empty()).collect()
}

/// Whether a field says yes: true, a number but 0, a list or object that holds something.
pub(crate) fn is_set(entry: &Value, name: &str) -> bool {
    match &entry[name] {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

/// A number, also where it is written as a text.
pub(crate) fn number(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    number.is_finite().then_some(number)
}
