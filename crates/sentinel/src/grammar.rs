//! A TextMate grammar, for editors that colour by patterns.

use crate::vocabulary::{CLAUSES, RESERVED, TAG, UNIT_WORDS};
use serde_json::{Value, json};

/// The grammar in JSON, made from the words of the language; ends with a line's end.
pub fn text_mate() -> String {
    let words = |words: &[&str]| format!("(?i)(?<![\\w/.-])({})(?![\\w/.-])", words.join("|"));
    let clauses: Vec<&str> =
        CLAUSES.iter().copied().chain(["create", "sentinel", "using"]).collect();
    let joints = vec!["and", "or", "not"];
    let others = RESERVED.iter().copied();
    let is_other = |word: &&str| !clauses.contains(word) && !joints.contains(word);
    let others: Vec<&str> = others.filter(is_other).collect();
    let long = UNIT_WORDS.iter().map(|(unit, _)| unit.trim_end_matches('s'));
    let long = long.collect::<Vec<_>>().join("|");
    let unit = format!("((?:{long})s?|secs?|mins?|hrs?|[smhdw])");
    let rule = |name: &str, pattern: String| json!({"name": name, "match": pattern});
    let patterns: Vec<Value> = vec![
        rule("comment.line.double-dash.tidings", "(?:^|(?<=\\s))--.*$".to_owned()),
        json!({"name": "string.quoted.double.tidings", "begin": "\"", "end": "\"",
            "patterns": [rule("constant.character.escape.tidings",
                "\\\\(?:[\"\\\\n]|u\\{[0-9A-Fa-f]{1,6}\\})".to_owned())]}),
        rule("entity.name.tidings", "`[^`]*`".to_owned()),
        rule("markup.underline.link.tidings", "[A-Za-z][A-Za-z0-9+.-]*://\\S+".to_owned()),
        rule(
            "constant.numeric.date.tidings",
            "\\b(?:\\d{4}-\\d{2}-\\d{2}|\\d{2}/\\d{2}/\\d{2,4}|\\d{2}:\\d{2}(?::\\d{2})?)"
                .to_owned(),
        ),
        rule("constant.numeric.duration.tidings", format!("(?i)\\b\\d+\\s*{unit}(?![A-Za-z])")),
        rule("constant.numeric.tidings", "\\b\\d+(?:\\.\\d+)?\\b".to_owned()),
        rule("keyword.control.tidings", words(&clauses)),
        rule("keyword.control.tidings", format!("(?i)(?<![\\w/.-]){TAG}(?=\\s+[\\p{{L}}`])")),
        rule("keyword.operator.tidings", words(&joints)),
        rule("keyword.other.tidings", words(&others)),
    ];
    let grammar = json!({
        "$schema":
            "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Tidings",
        "scopeName": "source.tidings",
        "fileTypes": ["sentinel", "tidings"],
        "patterns": patterns,
    });
    format!("{grammar:#}\n")
}
