//! `[channels.NAME]`: read, checked, shown and sampled by the table of kinds.

use super::manners::Manners;
use address::{ChannelKind, Contact, Field, Form, MANNERS, Pasted, TEMPLATE, Whom};
use anyhow::{Result, anyhow};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use toml::{Table, Value};
use url::Url;

/// A configured channel.
#[derive(Clone, PartialEq)]
pub struct Channel {
    pub kind: ChannelKind,
    /// Whom it tells, unless a sentinel says.
    pub contact: Option<String>,
    /// The other fields, by the table's names.
    fields: BTreeMap<&'static str, String>,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The message in a person's own words: a template that can be read.
    pub template: Option<String>,
    pub manners: Manners,
}

/// What is wrong with a `[channels.NAME]`.
#[derive(Debug)]
pub(super) struct Fault {
    /// The key it is about; `None`: the table.
    pub(super) key: Option<String>,
    /// With what to write instead.
    pub(super) what: String,
}

impl Fault {
    fn of_table(what: impl Into<String>) -> Fault {
        Fault { key: None, what: what.into() }
    }

    fn of(key: &str, what: impl Into<String>) -> Fault {
        Fault { key: Some(key.to_owned()), what: what.into() }
    }
}

/// Where the channels of the sample begin.
pub(super) const SAMPLE_BEGINS: &str = "\n# Channels of your own, to be named after `notify by`.";

impl Channel {
    /// It says where to, or needs not.
    pub fn is_ready(&self) -> bool {
        self.contact.is_some() || !self.kind.needs_contact()
    }

    /// One that says nothing besides its kind.
    pub fn plain(kind: ChannelKind) -> Channel {
        let (fields, words, template, manners) = Default::default();
        Channel { kind, contact: None, fields, words, template, manners }
    }

    /// A field that is not its contact.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// Every field that is a text, the contact too.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, String)> {
        let contact = self.kind.contact_field().zip(self.contact.clone());
        let others = self.fields.iter().map(|(name, value)| (*name, value.clone()));
        others.chain(contact)
    }

    /// Reads a `[channels.NAME]`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub(super) fn read(value: &Value) -> Result<Channel, Vec<Fault>> {
        let Value::Table(table) = value else {
            return Err(vec![Fault::of_table("it must be a table with `kind`")]);
        };
        let pasted = table.get("url").and_then(Value::as_str).and_then(Pasted::read);
        let kind = kind_of(table, pasted.as_ref()).map_err(|fault| {
            // What is of every kind is read all the same.
            let mut manners = Manners::default();
            let wrong = table.iter().filter_map(|(name, value)| {
                let what = manners.read(name, value)?.err()?;
                Some(Fault::of(name, format!("`{name}` {what}")))
            });
            [fault].into_iter().chain(wrong).collect::<Vec<_>>()
        })?;
        let mut channel = Channel::plain(kind);
        let mut wrong = Vec::new();
        if let Some(pasted) = pasted.as_ref().filter(|pasted| pasted.kind == kind) {
            wrong.extend(pasted.refusal().map(|why| Fault::of("url", format!("`url` {why}"))));
            for (name, value) in &pasted.fields {
                channel.set(name, value.clone());
            }
        }
        for (name, value) in table.iter().filter(|(name, _)| *name != "kind") {
            let Some(field) = kind.fields().iter().find(|field| field.name == *name) else {
                match channel.read_common(name, value) {
                    None => wrong.push(Fault::of(name, unknown(kind, name))),
                    Some(Err(what)) => wrong.push(Fault::of(name, format!("`{name}` {what}"))),
                    Some(Ok(())) => {}
                }
                continue;
            };
            // A pasted address has become what it says.
            if name == "url" && pasted.as_ref().is_some_and(|pasted| pasted.kind == kind) {
                continue;
            }
            match read_field(field, value) {
                Ok(Read::Text(text)) => match wrong_secret(kind, field, &text) {
                    Some(what) => wrong.push(Fault::of(name, format!("`{name}`: {what}"))),
                    None => channel.set(field.name, text),
                },
                Ok(Read::Words(words)) => channel.words = words,
                Err(what) => wrong.push(Fault::of(name, format!("`{name}` {what}"))),
            }
        }
        for field in kind.fields().iter().filter(|field| field.needed) {
            let is_there = match field.form {
                Form::Words => !channel.words.is_empty(),
                _ => channel.fields.contains_key(field.name),
            };
            if !is_there && !table.contains_key(field.name) {
                let (name, about) = (field.name, field.about);
                let what = format!("`{name}` is missing: {about}, as {}", example(field));
                wrong.push(Fault::of_table(what));
            }
        }
        if wrong.is_empty() { Ok(channel) } else { Err(wrong) }
    }

    /// Reads what [`Channel::saying`] says, or a form whose values are all texts.
    ///
    /// # Errors
    ///
    /// As of [`Channel::read`], in one sentence.
    pub fn of_json(said: &Map<String, Json>) -> Result<Channel> {
        let kind = said.get("kind").and_then(Json::as_str).and_then(ChannelKind::named);
        let form = |name: &str| {
            let field = kind?.fields().iter().find(|field| field.name == name)?;
            Some(field.form)
        };
        let value = |(name, value): (&String, &Json)| {
            let value = match (value, form(name)) {
                (Json::String(text), Some(Form::Whole(..))) => match text.trim().parse() {
                    Ok(number) => Value::Integer(number),
                    Err(_) => Value::String(text.clone()),
                },
                (Json::String(text), _) => Value::String(text.trim().to_owned()),
                (Json::Number(number), _) => match number.as_i64() {
                    Some(number) => Value::Integer(number),
                    None => Value::String(number.to_string()),
                },
                (Json::Bool(flag), _) => Value::Boolean(*flag),
                (Json::Null | Json::Array(_) | Json::Object(_), _) => Value::Array(Vec::new()),
            };
            (name.clone(), value)
        };
        let read = Channel::read(&Value::Table(said.iter().map(value).collect()));
        read.map_err(|wrong| anyhow!("{}", joined(&wrong)))
    }

    /// One that says nothing besides its kind and its manners; what cannot be read of them is left
    /// out.
    pub fn of_manners(kind: ChannelKind, said: &Map<String, Json>) -> Channel {
        let mut channel = Channel::plain(kind);
        for (name, value) in said {
            let value = Value::String(value.as_str().unwrap_or_default().to_owned());
            // An unknown key, or a value of a newer Tidings.
            let _ = channel.read_common(name, &value);
        }
        channel
    }

    /// What it says, in the names of `[channels.NAME]`, but for a command's words.
    pub fn saying(&self) -> Map<String, Json> {
        let kind = [("kind", self.kind.name().to_owned())].into_iter();
        let template = self.template.clone().map(|source| (TEMPLATE.0, source));
        let common = self.manners.shown().chain(template);
        let all = kind.chain(self.texts()).chain(common);
        all.map(|(name, value)| (name.to_owned(), value.into())).collect()
    }

    /// The same without what is secret: with `…` in the place of it.
    pub fn shown(&self) -> Map<String, Json> {
        let mut said = self.saying();
        for (name, value) in self.texts() {
            said[name] = self.masked(name, &value).into();
        }
        if let Some(program) = self.words.first() {
            // Arguments may be secrets.
            said.insert("command".to_owned(), program.as_str().into());
        }
        said
    }

    fn masked(&self, name: &str, value: &str) -> String {
        if is_secret(self.kind, name) {
            return "…".to_owned();
        }
        Contact::from(value).shown().into_owned()
    }

    /// Takes a key that is of no one kind; what is wrong completes a sentence that begins with it.
    fn read_common(&mut self, name: &str, value: &Value) -> Option<Result<(), String>> {
        if name != TEMPLATE.0 || !self.kind.has_template() {
            return self.manners.read(name, value);
        }
        let source = value.as_str().filter(|text| !text.trim().is_empty());
        let Some(source) = source else {
            return Some(Err(format!("must be a string, as \"{}\"", TEMPLATE.1)));
        };
        let read = deliver::Template::parse(source).map_err(|error| error.to_string());
        Some(read.map(|_| self.template = Some(source.to_owned())))
    }

    fn set(&mut self, name: &'static str, value: String) {
        if self.kind.contact_field() == Some(name) {
            self.contact = Some(value);
        } else {
            self.fields.insert(name, value);
        }
    }

    /// What it says, secrets hidden.
    pub(super) fn to_json(&self) -> serde_json::Value {
        let kind = self.kind;
        let contact = kind.contact_field().zip(self.contact.as_deref());
        let contact = contact.map(|(field, contact)| self.masked(field, contact));
        let mut json = serde_json::json!({"kind": kind.name(), "contact": contact});
        // Scripts may look for it since the first release.
        json["secret"] = self.field("secret").map(|_| "…").into();
        for (name, value) in &self.fields {
            json[*name] = self.masked(name, value).into();
        }
        for (name, value) in self.manners.shown() {
            json[name] = value.into();
        }
        if let Some(source) = &self.template {
            json[TEMPLATE.0] = source.as_str().into();
        }
        if let Some(program) = self.words.first() {
            // Arguments may be secrets.
            json["command"] = program.as_str().into();
        }
        json
    }
}

/// Whether nothing of a field's value is shown.
pub fn is_secret(kind: ChannelKind, name: &str) -> bool {
    kind.fields().iter().any(|field| field.name == name && field.secret)
}

/// All of it, one after the other.
fn joined(wrong: &[Fault]) -> String {
    let all: Vec<&str> = wrong.iter().map(|fault| fault.what.as_str()).collect();
    all.join("; ")
}

fn kind_of(table: &Table, pasted: Option<&Pasted>) -> Result<ChannelKind, Fault> {
    let kinds = ChannelKind::all().filter(|kind| kind.row().fields.is_some());
    let names = kinds.clone().map(ChannelKind::name).collect::<Vec<_>>().join(", ");
    let kind = match (table.get("kind"), pasted) {
        (None, Some(pasted)) => return Ok(pasted.kind),
        (None, None) => {
            return Err(Fault::of_table(format!("`kind` is missing; it is one of {names}")));
        }
        (Some(Value::String(name)), _) => {
            kinds.clone().find(|kind| kind.name() == name).ok_or(name.as_str())
        }
        (Some(_), _) => Err("not a string"),
    };
    let kind = match (kind, pasted) {
        (Ok(kind), Some(pasted)) if pasted.kind != kind => {
            let (title, lines) = (pasted.kind.row().title, pasted.lines());
            let what = format!("`url` is an address of {title}; write {lines}");
            return Err(Fault::of("url", what));
        }
        (Ok(kind), _) => kind,
        (Err(name), _) => {
            let near = super::nearest(name, kinds.map(ChannelKind::name));
            let meant = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let what = format!("`kind` is `{name}`; it must be one of {names}{meant}");
            return Err(Fault::of("kind", what));
        }
    };
    Ok(kind)
}

enum Read {
    Text(String),
    Words(Vec<String>),
}

/// What is wrong completes a sentence that begins with the field's name.
fn read_field(field: &Field, value: &Value) -> Result<Read, String> {
    let example = example(field);
    let text = || value.as_str().ok_or(format!("must be a string, as {example}"));
    match field.form {
        Form::Text => {
            let text = match value {
                // A chat or a thread is easily written as a number.
                Value::Integer(number) => number.to_string(),
                _ => text()?.to_owned(),
            };
            if text.is_empty() { Err("is empty".to_owned()) } else { Ok(Read::Text(text)) }
        }
        Form::Url | Form::Broker => {
            let text = text()?;
            let (schemes, said): (&[&str], _) = match field.form {
                Form::Broker => (&["mqtt", "mqtts"], "an mqtt or mqtts URL"),
                _ => (&["http", "https"], "an http or https URL"),
            };
            let fits = |url: &Url| schemes.contains(&url.scheme()) && url.host_str().is_some();
            match Url::parse(text) {
                Ok(url) if fits(&url) => Ok(Read::Text(text.to_owned())),
                _ => Err(format!("must be {said}, as {example}")),
            }
        }
        Form::Mail => {
            let text = text()?;
            let bare = text.strip_suffix('>').and_then(|named| Some(named.rsplit_once('<')?.1));
            if address::is_mail(bare.unwrap_or(text)) {
                Ok(Read::Text(text.to_owned()))
            } else {
                Err(format!("must be one email address, as {example}"))
            }
        }
        Form::Words => {
            let words: Option<Vec<String>> = match value {
                Value::Array(words) => {
                    words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
                }
                Value::String(program) => Some(vec![program.clone()]),
                _ => None,
            };
            match words {
                Some(words) if words.first().is_some_and(|word| !word.is_empty()) => {
                    Ok(Read::Words(words))
                }
                _ => Err(format!("must be a list of words, as {example}")),
            }
        }
        Form::Whole(min, max) => match value.as_integer() {
            Some(number) if (min..=max).contains(&number) => Ok(Read::Text(number.to_string())),
            _ => Err(format!("must be a whole number from {min} to {max}")),
        },
        Form::OneOf(words) => match value.as_str() {
            Some(word) if words.contains(&word) => Ok(Read::Text(word.to_owned())),
            _ => Err(format!("must be {}", words.join(" or "))),
        },
    }
}

/// Why a webhook cannot be signed with what stands there.
fn wrong_secret(kind: ChannelKind, field: &Field, text: &str) -> Option<String> {
    let signs = kind == ChannelKind::Webhook && field.name == "secret";
    let parsed = signs.then(|| deliver::WebhookSecret::parse(text))?;
    parsed.err().map(|error| error.to_string())
}

fn unknown(kind: ChannelKind, name: &str) -> String {
    let template = Some(TEMPLATE.0).filter(|_| kind.has_template());
    let common = MANNERS.iter().map(|(name, ..)| *name).chain(template);
    let known = kind.fields().iter().map(|field| field.name).chain(common);
    let near = super::nearest(name, known.clone());
    let meant = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let all = ["kind"].into_iter().chain(known).collect::<Vec<_>>().join(", ");
    format!("a channel of kind {} has no `{name}`; it has {all}{meant}", kind.name())
}

/// As TOML.
fn example(field: &Field) -> String {
    match field.form {
        Form::Whole(..) => field.example.to_owned(),
        Form::Words => format!("[\"{}\"]", field.example),
        _ => format!("\"{}\"", field.example),
    }
}

/// A channel of each kind, commented out.
pub(super) fn sample() -> String {
    let mut text = format!("{SAMPLE_BEGINS}\n# `…` stands for what is yours.\n");
    for kind in ChannelKind::all() {
        let Some(fields) = kind.row().fields else { continue };
        let name = kind.name();
        text += &format!("\n# {}:\n# [channels.my-{name}]\n# kind = \"{name}\"\n", capital(kind));
        for field in fields {
            let needed = if field.needed { "needed; " } else { "" };
            let about = format!("{needed}{}", field.about);
            text += &format!("# {} = {}  # {about}\n", field.name, example(field));
        }
        if kind == ChannelKind::Ntfy {
            text += &manners();
        }
    }
    text
}

/// What every channel may have, in the table that comes before it.
fn manners() -> String {
    let line = |(name, example, about)| format!("# {name} = \"{example}\"  # {about}\n");
    let (lines, template) = (MANNERS.map(line), line(TEMPLATE));
    let all = lines.concat();
    format!(
        "# Every channel may have these, too:\n{all}# All but webhooks and the terminal:\n{template}"
    )
}

fn capital(kind: ChannelKind) -> String {
    let title = kind.row().title;
    let mut chars = title.chars();
    // `ntfy` is written small.
    match chars.next() {
        Some(first) if matches!(kind.row().whom, Whom::Place(_)) || title.contains(' ') => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str) -> Result<Channel, String> {
        let table: Table = toml.parse().expect("TOML");
        Channel::read(&Value::Table(table)).map_err(|wrong| joined(&wrong))
    }

    fn wrong(toml: &str) -> String {
        read(toml).err().expect("refused")
    }

    #[test]
    fn a_pasted_address_is_a_channel() {
        let channel = read("url = \"tgram://12:AB/-100/\"").expect("read");
        assert_eq!(
            (channel.kind, channel.contact.as_deref()),
            (ChannelKind::Telegram, Some("-100"))
        );
        assert_eq!(channel.field("token"), Some("12:AB"));
        let channel = read("url = \"https://discord.com/api/webhooks/1/x\"").expect("read");
        assert_eq!(channel.kind, ChannelKind::Discord);
        let said = wrong("kind = \"webhook\"\nurl = \"https://discord.com/api/webhooks/1/x\"");
        assert!(said.contains("address of Discord; write kind = \"discord\""), "{said}");
        assert!(!said.contains("1/x"), "{said}");
    }

    #[test]
    fn the_login_of_a_brokers_address_is_its_login() {
        let channel = read("kind = \"mqtt\"\nurl = \"mqtt://ana:p%40ss@b.example:1883\"");
        let channel = channel.expect("read");
        let field = |name: &str| channel.field(name).unwrap_or_default().to_owned();
        assert_eq!((field("user"), field("password")), ("ana".to_owned(), "p@ss".to_owned()));
        assert_eq!(field("url"), "mqtt://b.example:1883");
        assert!(!channel.to_json().to_string().contains("p@ss"));
    }

    #[test]
    fn an_address_of_several_recipients_is_no_one_channel() {
        let said = wrong("url = \"tgram://12:AB/-100/-200/-300\"");
        assert!(said.contains("a channel of its own for `-200` and 1 more"), "{said}");
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once_with_what_to_write() {
        let said = wrong("kind = \"matrix\"\nurl = \"matrix.example.org\"\nrom = \"!x:y\"");
        assert!(said.contains("`url` must be an http or https URL, as \"https://"), "{said}");
        assert!(said.contains(
            "no `rom`; it has kind, url, token, room, quiet_hours, timezone, \
             rate, fallback, template; did you mean `room`?"
        ));
        assert!(said.contains("`token` is missing: an access token, as \"syt_…\""), "{said}");
        assert!(wrong("kind = \"nfty\"").ends_with("did you mean `ntfy`?"));
        assert!(wrong("kind = \"ntfy\"\npriority = 9").contains("from 1 to 5"));
        assert!(wrong("kind = \"command\"").contains("`command` is missing: the program"));
        assert!(wrong("kind = \"command\"\ncommand = []").contains("a list of words"));
        let mqtt = "kind = \"mqtt\"\nurl = \"http://x/\"\nformat = \"xml\"";
        let said = wrong(mqtt);
        assert!(said.contains("an mqtt or mqtts URL") && said.contains("json or text"), "{said}");
    }

    #[test]
    fn what_it_says_is_shown_without_its_secrets() {
        let toml = "kind = \"pushover\"\ntoken = \"hunter2\"\nuser = \"hunter2\"\npriority = 1";
        let json = read(toml).expect("read").to_json();
        assert!(!json.to_string().contains("hunter2"), "{json}");
        assert_eq!((&json["priority"], &json["token"]), (&"1".into(), &"…".into()));
    }
}
