//! What is answered against the schemas of the document.

use serde_json::{Map, Value, json};

/// A schema with what it refers to and is put together from.
fn whole(document: &Value, schema: &Value) -> Value {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/components/schemas/");
        return whole(document, &document["components"]["schemas"][name]);
    }
    let Some(parts) = schema["allOf"].as_array() else { return schema.clone() };
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts {
        let part = whole(document, part);
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    json!({"type": "object", "properties": properties, "required": required})
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Where a value is not what its schema says, each with the path to it.
fn misfits(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let schema = whole(document, schema);
    if let Some(ways) = schema["oneOf"].as_array() {
        let ways = ways.iter().map(|way| misfits(document, way, value, at));
        return ways.min_by_key(Vec::len).unwrap_or_default();
    }
    let (kind, wanted) = (kind_of(value), &schema["type"]);
    let fits = |wanted: &Value| wanted == kind || (kind == "integer" && wanted == "number");
    let fits_one = wanted.as_array().is_some_and(|all| all.iter().any(fits));
    if !wanted.is_null() && !fits(wanted) && !fits_one {
        return vec![format!("{at} is {kind}, not {wanted}")];
    }
    let mut wrong = Vec::new();
    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
        wrong.extend(misfits(document, &schema["items"], item, &format!("{at}[{n}]")));
    }
    if let (Some(known), Some(value)) = (schema["properties"].as_object(), value.as_object()) {
        let required = schema["required"].as_array().into_iter().flatten();
        let lacks = required.filter(|name| !value.contains_key(name.as_str().expect("a name")));
        wrong.extend(lacks.map(|name| format!("{at} lacks {name}")));
        for (name, part) in value {
            match known.get(name) {
                Some(of) => wrong.extend(misfits(document, of, part, &format!("{at}.{name}"))),
                None => wrong.push(format!("{at}.{name} is not documented")),
            }
        }
    }
    wrong
}

#[tokio::test]
async fn what_is_read_has_the_shape_that_the_document_gives_it() {
    let bench = super::places::troubled().await;
    let document = bench.get("/api/v1/openapi.json").await.json();
    let (mut wrong, mut read) = (Vec::new(), 0);
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let documented = &operations["get"]["responses"]["200"]["content"]["application/json"];
        let asked = path.replace("{name}", "both").replace("{id}", "1").replace("{n}", "1");
        let answer = match documented {
            Value::Null => continue,
            _ => bench.get(&format!("/api/v1{asked}")).await,
        };
        if answer.status == 200 {
            read += 1;
            wrong.extend(misfits(&document, &documented["schema"], &answer.json(), &asked));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read >= 15, "only {read} answers were read");
}
