//! `tidings.toml`: all that is wrong with it at once, each with its line and what was meant.

use super::channel::Fault;
use super::keys::{KEYS, Kind};
use super::{Channel, Draft};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Value;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// Sentences about lines of the file, by line: what is said first of one is what is wrong with it.
struct Wrong<'a> {
    text: &'a str,
    lines: BTreeMap<usize, String>,
}

impl Wrong<'_> {
    /// The number of a place's line, from 1.
    fn line(&self, place: &Range<usize>) -> usize {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        before.matches('\n').count() + 1
    }

    fn say(&mut self, place: &Range<usize>, what: impl Into<String>) {
        let line = self.line(place);
        self.lines.entry(line).or_insert_with(|| what.into());
    }
}

impl Draft {
    /// Reads a file; what is right of it counts.
    ///
    /// # Errors
    ///
    /// A sentence for every line that is wrong, in their order.
    pub(super) fn read_toml(&mut self, text: &str) -> Result<(), Vec<String>> {
        let mut wrong = Wrong { text, lines: BTreeMap::new() };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            // Only the parser's words: the line itself may hold a password.
            let place = error.span().unwrap_or(0..0);
            let said = error.message().lines().collect::<Vec<_>>().join(", ");
            let meant = meant(text, wrong.line(&place));
            wrong.say(&place, meant.unwrap_or(said));
        }
        for (name, value) in table.into_inner() {
            let (place, span) = (name.span(), value.span());
            match (name.get_ref().as_ref(), value.into_inner()) {
                ("channels", DeValue::Table(channels)) => self.read_channels(channels, &mut wrong),
                (section, DeValue::Table(fields)) => {
                    for (field, value) in fields {
                        let name = format!("{section}.{}", field.get_ref());
                        let (span, value) = (value.span(), value.into_inner());
                        self.read_value(&name, (value, span), &field.span(), &mut wrong);
                    }
                }
                (name, value) => self.read_value(name, (value, span), &place, &mut wrong),
            }
        }
        let lines = wrong.lines.into_iter().map(|(line, what)| format!("line {line}: {what}"));
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() { Ok(()) } else { Err(lines) }
    }

    fn read_channels(&mut self, channels: DeTable<'_>, wrong: &mut Wrong<'_>) {
        for (name, channel) in channels {
            let (place, span) = (name.span(), channel.span());
            let broken = wrong.lines.range(wrong.line(&place)..=wrong.line(&(span.end..span.end)));
            if broken.count() > 0 {
                self.broken.insert(name.get_ref().to_lowercase());
                continue;
            }
            let channel = channel.into_inner();
            let keys = keys_of(&channel);
            let read = value_of(channel, span)
                .map_err(|error| vec![Fault { key: None, what: format!("{error:#}") }]);
            match read.and_then(|value| Channel::read(&value)) {
                Ok(channel) => {
                    for (key, place) in &keys {
                        let said = self.place_of(wrong.line(place));
                        self.said.insert(format!("channels.{}.{key}", name.get_ref()), said);
                    }
                    self.channels.insert(name.get_ref().to_string(), channel);
                }
                Err(faults) => {
                    self.broken.insert(name.get_ref().to_lowercase());
                    // Each at its key; what is missing at the table's name, in one sentence.
                    let mut places = BTreeMap::<usize, (Range<usize>, Vec<String>)>::new();
                    for Fault { key, what } in faults {
                        let place = key.and_then(|key| keys.get(&key)).unwrap_or(&place);
                        let at = places.entry(wrong.line(place));
                        at.or_insert((place.clone(), Vec::new())).1.push(what);
                    }
                    for (place, what) in places.into_values() {
                        let what = what.join("; ");
                        wrong.say(&place, format!("in [channels.{}]: {what}", name.get_ref()));
                    }
                }
            }
        }
    }

    /// A line of the file that is read.
    fn place_of(&self, line: usize) -> String {
        if self.place.is_empty() {
            format!("line {line}")
        } else {
            format!("{}, line {line}", self.place)
        }
    }

    fn read_value(
        &mut self,
        name: &str,
        (value, span): (DeValue<'_>, Range<usize>),
        place: &Range<usize>,
        wrong: &mut Wrong<'_>,
    ) {
        // One line is complained of once.
        if wrong.lines.contains_key(&wrong.line(place)) {
            return;
        }
        let said = self.place_of(wrong.line(place));
        let set = value_of(value, span).and_then(|value| self.set(name, value, said));
        if let Err(error) = set {
            wrong.say(place, format!("{error:#}"));
        }
    }
}

/// Where each key of a table is.
fn keys_of(table: &DeValue<'_>) -> BTreeMap<String, Range<usize>> {
    let DeValue::Table(table) = table else { return BTreeMap::new() };
    table.iter().map(|(key, _)| (key.get_ref().to_string(), key.span())).collect()
}

fn value_of(value: DeValue<'_>, span: Range<usize>) -> anyhow::Result<Value> {
    let value = toml::Spanned::new(span, value);
    let value = Value::deserialize(ValueDeserializer::from(value));
    value.map_err(|error| anyhow::anyhow!("{}", error.message()))
}

/// What a line was meant to say whose value is no TOML: most often text without its quotes. Nothing
/// is said of a secret.
fn meant(text: &str, number: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().take(number).collect();
    let (name, raw) = lines.last()?.split_once('=')?;
    let header = |line: &&str| line.trim().starts_with('[');
    let section = lines.iter().rev().find(|line| header(line));
    let section = section.map(|line| line.trim().trim_matches(['[', ']']));
    let name = name.trim();
    let full = section.map_or(name.to_owned(), |section| format!("{section}.{name}"));
    let key = KEYS.iter().find(|key| key.name == full)?;
    let raw = raw.split(" #").next().unwrap_or_default().trim();
    let quoted = Value::String(raw.to_owned());
    let is_text = matches!(key.kind, Kind::Text | Kind::Seconds);
    if !is_text || raw.is_empty() || raw.starts_with(['"', '\'', '[', '{']) {
        return None;
    }
    Some(match (key.check)(key.kind, &quoted) {
        Ok(()) => format!("`{full}` is text, which needs quotes: {name} = {quoted}"),
        Err(error) => format!("`{full}`: {error:#}; text needs quotes"),
    })
}
