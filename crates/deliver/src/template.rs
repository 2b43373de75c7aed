//! Messages in words of a person's own: Jinja templates over the body of a webhook.
//!
//! What comes out is text: each line is cleaned as text of a page is, nothing in it is markup, and
//! addresses become links. Fuel bounds what a template may do, and with [`frugal`] what it holds.

use crate::frugal;
use crate::render::clean_line;
use chronon::Zone;
use minijinja::{Environment, Error, UndefinedBehavior, Value};
use serde_json::Value as Json;
use std::fmt;

/// Characters of a template.
const SOURCE_CHARS_MAX: usize = 4_000;
/// What one rendering may use: instructions, and 64 bytes for each of them.
const FUEL: u64 = 50_000;
/// Lines of a message, and characters of each.
const LINES_MAX: usize = 200;
const LINE_CHARS_MAX: usize = 2_000;

/// A template that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    source: String,
}

/// Why a template cannot be read; the end of a sentence about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot be read: {0}")]
pub struct BadTemplate(String);

/// What a channel tells of a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wording {
    /// As every channel does.
    Plain,
    /// Lines of a template.
    Own(Vec<String>),
    /// As every channel does, after this sentence.
    Failed(String),
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// What is wrong with it, and in which line.
    pub fn parse(source: &str) -> Result<Template, BadTemplate> {
        if source.chars().count() > SOURCE_CHARS_MAX {
            let why = format!("it has more than {SOURCE_CHARS_MAX} characters");
            return Err(BadTemplate(why));
        }
        if let Some(why) = frugal::fault(source) {
            return Err(BadTemplate(why));
        }
        let environment = environment(&Zone::utc());
        match environment.template_from_str(source) {
            Ok(_) => Ok(Template { source: source.to_owned() }),
            Err(error) => Err(BadTemplate(Said(&error).to_string())),
        }
    }

    /// The lines that it makes of a notification's body; the filter `local` tells a time by the
    /// clock of `zone`.
    ///
    /// # Errors
    /// Why there are none, as a clause.
    pub fn render(&self, body: &[u8], zone: &Zone) -> Result<Vec<String>, String> {
        let body: Json =
            serde_json::from_slice(body).map_err(|_| "the notification is no JSON".to_owned())?;
        let made = environment(zone).render_str(&self.source, value(&body));
        let made = made.map_err(|error| Said(&error).to_string())?;
        let mut lines: Vec<String> =
            made.trim().lines().map(|line| clean_line(line, LINE_CHARS_MAX)).collect();
        if lines.iter().all(String::is_empty) {
            return Err("it leaves nothing of this notification".to_owned());
        }
        if lines.len() > LINES_MAX {
            let more = lines.len() - LINES_MAX;
            lines.truncate(LINES_MAX);
            lines.push(format!("and {more} more lines"));
        }
        Ok(lines)
    }

    /// What is told of a notification on a channel with this template.
    pub(crate) fn wording(template: Option<&Template>, body: &[u8], zone: &Zone) -> Wording {
        let Some(template) = template else { return Wording::Plain };
        match template.render(body, zone) {
            Ok(lines) => Wording::Own(lines),
            Err(why) => Wording::Failed(format!(
                "The template of this channel failed ({why}); this is the message without it."
            )),
        }
    }
}

/// What templates are read by. What is missing is empty; nothing is escaped here.
fn environment(zone: &Zone) -> Environment<'static> {
    let mut environment = Environment::new();
    let zone = zone.clone();
    environment.add_filter("local", move |time: String| {
        chronon::rfc3339(&time).map_or(time, |at| zone.moment(at))
    });
    frugal::forbid(&mut environment);
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(50);
    environment
}

/// JSON as a template sees it; bodies are not deep.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::from(()),
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::from(whole),
            (None, float) => Value::from(float.unwrap_or_default()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(members) => {
            Value::from_pairs(members.iter().map(|(name, json)| (name.as_str(), value(json))))
        }
    }
}

/// An error in a line.
struct Said<'a>(&'a Error);

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.0.line() {
            write!(f, "in line {line}: ")?;
        }
        let what = match self.0.detail() {
            Some(detail) => format!("{}: {detail}", self.0.kind()),
            None => self.0.kind().to_string(),
        };
        f.write_str(&clean_line(&what, 200))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"type": "change", "sentinel": "deals", "summary": "1 link added",
        "detected_at": "2027-07-31T22:30:05.123Z", "changes": [{"kind": "insert", "old": null, "new": {"text": "Rome <b>\u001b[2J"}}]}"#;

    fn made(source: &str) -> Result<Vec<String>, String> {
        Template::parse(source)
            .map_err(|error| error.to_string())?
            .render(BODY, &Zone::parse("Europe/Berlin").expect("a zone"))
    }

    #[test]
    fn a_template_says_what_it_is_told_to_without_controls() {
        let source = "{{ sentinel|upper }}: {{ summary }}\n{% for change in changes %}\
                      * {{ change.new.text }}{{ change.old.text }}{{ nothing.there }}\n{% endfor %}";
        assert_eq!(made(source).expect("made"), ["DEALS: 1 link added", "* Rome <b>[2J"]);
    }

    #[test]
    fn a_time_is_told_by_the_readers_clock_where_it_is_asked_to() {
        let source = "{{ detected_at }}\n{{ detected_at|local }}\n{{ summary|local }}";
        let said =
            ["2027-07-31T22:30:05.123Z", "2027-08-01 00:30:05 Europe/Berlin", "1 link added"];
        assert_eq!(made(source).expect("made"), said);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (source, says) in [
            ("a\n{{ summary", "in line 2"),
            ("{% nonsense %}", "in line 1"),
            ("{{ summary|nonsense }}", "nonsense"),
            ("{{ 1 / 0 }}", "in line 1"),
            ("{% if false %}x{% endif %}\n", "leaves nothing"),
        ] {
            let said = made(source).expect_err(source);
            assert!(said.contains(says), "{source}: {said}");
        }
        assert!(made(&"x".repeat(5_000)).expect_err("too long").contains("4000"));
    }

    #[test]
    fn a_template_that_would_do_or_hold_too_much_ends() {
        let doubling = "{% set x = summary %}".to_owned() + &"{% set x = x ~ x %}".repeat(60);
        let nested = "{% for a in range(9999) %}".repeat(9) + "x" + &"{% endfor %}".repeat(9);
        let many = "{{ 'x' * 100000000 }}".to_owned();
        let joined = "{% set x = summary %}".to_owned() + &"{% set x = x|join(x) %}".repeat(20);
        let replaced = "{{ summary".to_owned() + &"|replace('a', 'aaaaaaaa')".repeat(60) + " }}";
        let deep = "{{ ".to_owned() + &"(".repeat(1_900) + "1" + &")".repeat(1_900) + " }}";
        for source in [doubling, nested, many, joined, replaced, deep] {
            let began = std::time::Instant::now();
            made(&source).expect_err(&source[..20]);
            assert!(began.elapsed().as_secs() < 5, "{}", &source[..20]);
        }
        let listed = "{% set n=namespace(a=[1]) %}{% for i in range(40) %}{% set n.a=[n.a,n.a] %}\
                      {% endfor %}{{ n.a }}";
        let steps =
            |step: &str, show: &str| "{% set a = changes %}".to_owned() + &step.repeat(40) + show;
        for source in [
            listed.to_owned(),
            steps("{% set a = [a, a] %}", "{{ a }}"),
            steps("{% set a = a, a %}", "{{ a|string }}"),
            steps("{% set a = (a, a,) %}", "{{ a == a }}"),
            steps("{% set a = a + a %}", "{{ a|length }}"),
            steps("{% set a = a * 2 %}", "{{ a|length }}"),
            steps("{% set a = {'x': a, 'y': a} %}", "{{ a }}"),
            steps("{% set a = dict(x=a, y=a) %}", "{{ a }}"),
            steps("{% set a = a|zip(a) %}", "{{ a }}"),
            steps("{% set a = a|chain(a) %}", "{{ a|length }}"),
            steps("{% set a = a|batch(2, a) %}", "{{ a }}"),
            steps("{% set a = a|map('default', a) %}", "{{ a }}"),
            steps("{% set a = a|map(attribute='x', default=a) %}", "{{ a }}"),
            steps("{% set a = changes[a, a] %}", "{{ a }}"),
            steps("{% if true and [a, a] %}{% endif %}", "{{ a }}"),
            "{{ ".to_owned() + &"-".repeat(3_000) + "1 }}",
            "{{ 1".to_owned() + &"~1".repeat(1_900) + " }}",
            "{{ a".to_owned() + &".a".repeat(1_900) + " }}",
        ] {
            let began = std::time::Instant::now();
            made(&source).expect_err(&source[..40]);
            assert!(began.elapsed().as_secs() < 5, "{}", &source[..40]);
        }
        let shown = "{% for a in changes if a.kind in ['insert', 'delete'] %}{{ loop.index + 1 }} \
                     {{ a.new.text|replace('e', 'o')|default('-') }}{% endfor %} \
                     {{ changes|map(attribute='kind')|join(', ') }}{% for k, v in \
                     changes[0]|items %} {{ k }}{% endfor %}";
        assert_eq!(made(shown).expect("made"), ["2 Romo <b>[2J insert kind new old"]);
        let lines = made("{% for a in range(999) %}{{ a }}\n{% endfor %}").expect("made");
        assert_eq!((lines.len(), &*lines[200]), (201, "and 799 more lines"));
    }
}
