//! Filters of urlwatch that take a text to a text: lines, paragraphs, patterns, bytes.

use super::sentence;
use regex::{Captures, Regex, RegexBuilder};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The longest pattern, compiled.
const PATTERN_BYTES_MAX: usize = 1 << 20;

/// What the filter `kind` makes of a text; `None` where it is none of these.
pub(super) fn of(kind: &str, settings: &Value, input: &str) -> Option<Result<String, String>> {
    let named = |key: &str| settings.as_str().or_else(|| settings[key].as_str());
    let separator = named("separator").unwrap_or("\n");
    let pattern = || read_pattern(named("pattern").or(named("re")), kind == "grepi");
    let repl = settings["repl"].as_str();
    Some(match kind {
        "strip" => Ok(input.trim().to_owned()),
        "striplines" => Ok(each_line(input, str::trim)),
        "sort" => Ok(sorted(input, separator, settings["reverse"] == Value::Bool(true))),
        "reverse" => Ok(turned(input, separator)),
        "remove-duplicate-lines" => Ok(without_repetition(input)),
        "grep" | "grepi" => pattern().map(|pattern| kept(input, |line| pattern.is_match(line))),
        "re.sub" => pattern().map(|pattern| substituted(input, &pattern, repl)),
        "re.findall" => pattern().map(|pattern| found(input, &pattern, repl)),
        "format-json" => formatted(input, settings),
        "hexdump" => Ok(dumped(input.as_bytes())),
        _ => return None,
    })
}

fn each_line<'i>(input: &'i str, line: impl Fn(&'i str) -> &'i str) -> String {
    input.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn kept(input: &str, mut keep: impl FnMut(&str) -> bool) -> String {
    input.lines().filter(|line| keep(line)).collect::<Vec<_>>().join("\n")
}

fn without_repetition(input: &str) -> String {
    let mut seen = BTreeSet::new();
    kept(input, |line| seen.insert(line.to_owned()))
}

fn turned(input: &str, separator: &str) -> String {
    let mut parts: Vec<&str> = input.split(separator).collect();
    parts.reverse();
    parts.join(separator)
}

fn sorted(input: &str, separator: &str, is_reverse: bool) -> String {
    let mut parts: Vec<&str> = input.split(separator).collect();
    parts.sort_by_key(|part| part.to_lowercase());
    if is_reverse {
        parts.reverse();
    }
    parts.join(separator)
}

fn read_pattern(written: Option<&str>, is_any_case: bool) -> Result<Regex, String> {
    let written = written.ok_or("the filter has no pattern")?;
    let mut builder = RegexBuilder::new(written);
    let builder = builder.octal(true).size_limit(PATTERN_BYTES_MAX).case_insensitive(is_any_case);
    builder.build().map_err(sentence)
}

/// A replacement as Python writes it, `\1` and `\g<name>`, filled in.
fn filled(found: &Captures<'_>, repl: &str) -> String {
    let (mut text, mut rest) = (String::new(), repl);
    let group = |name: &str| match name.parse::<usize>() {
        Ok(number) => found.get(number),
        Err(_) => found.name(name),
    };
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let digits = escape.len() - escape.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let named = escape.strip_prefix("g<").and_then(|inside| inside.split_once('>'));
        let (name, after) = match named {
            Some((name, after)) => (name, after),
            None if digits > 0 => escape.split_at(digits.min(2)),
            None => {
                let length = escape.chars().next().map_or(0, char::len_utf8);
                text.push_str(match &escape[..length] {
                    "n" => "\n",
                    "t" => "\t",
                    other => other,
                });
                rest = &escape[length..];
                continue;
            }
        };
        text.push_str(group(name).map_or("", |found| found.as_str()));
        rest = after;
    }
    text + rest
}

fn substituted(input: &str, pattern: &Regex, repl: Option<&str>) -> String {
    let repl = repl.unwrap_or_default();
    pattern.replace_all(input, |found: &Captures<'_>| filled(found, repl)).into_owned()
}

fn found(input: &str, pattern: &Regex, repl: Option<&str>) -> String {
    let repl = repl.unwrap_or(r"\g<0>");
    let found = pattern.captures_iter(input).map(|found| filled(&found, repl));
    found.collect::<Vec<_>>().join("\n")
}

fn formatted(input: &str, settings: &Value) -> Result<String, String> {
    let document: Value = serde_json::from_str(input).map_err(sentence)?;
    let width = settings["indentation"].as_u64().or_else(|| settings.as_u64());
    let width = width.or_else(|| settings.as_str()?.parse().ok()).unwrap_or(4).min(16) as usize;
    let indent = " ".repeat(width);
    let style = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
    let mut output = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut output, style);
    serde::Serialize::serialize(&document, &mut writer).map_err(sentence)?;
    String::from_utf8(output).map_err(sentence)
}

/// Sixteen bytes a line, in hexadecimal and as characters.
fn dumped(bytes: &[u8]) -> String {
    let line = |bytes: &[u8]| {
        let mut line = String::new();
        for byte in bytes {
            write!(line, "{byte:02x} ").expect("memory");
        }
        let is_shown = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
        let shown = bytes.iter().map(|byte| if is_shown(byte) { char::from(*byte) } else { '.' });
        format!("{line:<49}{}", shown.collect::<String>())
    };
    bytes.chunks(16).map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn output(kind: &str, settings: Value, input: &str) -> String {
        of(kind, &settings, input).expect("a filter of lines").expect("it can be read")
    }

    #[test]
    fn lines_are_kept_sorted_and_turned_round() {
        assert_eq!(output("sort", Value::Null, "b\nA\nc"), "A\nb\nc");
        assert_eq!(output("sort", json!({"separator": "%", "reverse": true}), "1%3%2"), "3%2%1");
        assert_eq!(output("reverse", json!("\n\n"), "a\nb\n\nc"), "c\n\na\nb");
        assert_eq!(output("striplines", Value::Null, " a \n\n b"), "a\n\nb");
        assert_eq!(output("remove-duplicate-lines", Value::Null, "a\nb\na"), "a\nb");
        assert_eq!(output("grep", json!(r"\054"), "a\nb,\nB,"), "b,\nB,");
        assert_eq!(output("grepi", json!("^b"), "a\nb,\nB,"), "b,\nB,");
    }

    #[test]
    fn patterns_are_filled_in_as_python_does() {
        let turned = json!({"pattern": "(.)-(?P<last>.)", "repl": r"\g<last>\1\n"});
        assert_eq!(output("re.sub", turned.clone(), "a-b, c-d"), "ba\n, dc\n");
        assert_eq!(output("re.findall", turned, "a-b, c-d"), "ba\n\ndc\n");
        assert_eq!(output("re.findall", json!(r"\d+"), "1 and 23"), "1\n23");
        assert!(of("grep", &json!("("), "").expect("a filter of lines").is_err());
    }

    #[test]
    fn bytes_and_json_are_laid_out() {
        let dump = output("hexdump", Value::Null, "Hello, whole world\n");
        assert!(
            dump.starts_with("48 65 6c 6c 6f 2c 20 77 68 6f 6c 65 20 77 6f 72  Hello, whole wor")
        );
        assert!(dump.ends_with("\n6c 64 0a                                         ld."), "{dump}");
        assert_eq!(output("format-json", json!(1), "{\"a\":[1]}"), "{\n \"a\": [\n  1\n ]\n}");
    }
}
