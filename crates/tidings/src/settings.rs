//! Configuration: `tidings.toml`, then `TIDINGS_*`, then flags; one table of keys for all of it.

mod keys;
mod value;

use address::{AllowList, ChannelKind, ContactForm, Reach, Receivers, Whom};
use anyhow::{Context, Result, anyhow, bail};
pub use keys::Settings;
use keys::{KEYS, Key, Kind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Value;
pub use value::parse_budget;

/// A configured channel.
#[derive(Clone, PartialEq)]
pub struct Channel {
    pub kind: ChannelKind,
    /// Webhook: where to; email: to whom.
    pub contact: Option<String>,
    /// `whsec_…`
    pub secret: Option<String>,
}

impl Channel {
    /// One that says nothing besides its kind.
    pub fn plain(kind: ChannelKind) -> Channel {
        Channel { kind, contact: None, secret: None }
    }

    /// The contact without what may be a token: of a webhook's URL that is all but the host.
    fn shown_contact(&self) -> Option<String> {
        let contact = self.contact.as_deref()?;
        if self.kind != ChannelKind::Webhook {
            return Some(contact.to_owned());
        }
        let Ok(url) = url::Url::parse(contact) else { return Some("…".to_owned()) };
        let origin = url.origin().ascii_serialization();
        Some(if url.as_str() == format!("{origin}/") { origin } else { format!("{origin}/…") })
    }
}

/// What file, environment and flags say so far; every key is there.
struct Draft {
    values: BTreeMap<&'static str, Value>,
    channels: BTreeMap<String, Channel>,
}

impl Draft {
    fn read_toml(&mut self, text: &str) -> Result<()> {
        let table: toml::Table = text.parse().map_err(|error| not_toml(text, &error))?;
        for (name, value) in table {
            match (name.as_str(), value) {
                ("channels", Value::Table(channels)) => {
                    for (name, channel) in channels {
                        let parsed = parse_channel(&channel)
                            .with_context(|| format!("in [channels.{name}]"))?;
                        self.channels.insert(name, parsed);
                    }
                }
                (section, Value::Table(fields)) => {
                    for (field, value) in fields {
                        self.set(&format!("{section}.{field}"), value)?;
                    }
                }
                (name, value) => self.set(name, value)?,
            }
        }
        Ok(())
    }

    fn read_environment(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<()> {
        for (variable, text) in variables {
            let Some(rest) = variable.strip_prefix("TIDINGS_") else { continue };
            if rest == "CONFIG" || rest == "LOG" {
                continue;
            }
            let wanted = |key: &&Key| key.name.replace('.', "_").to_uppercase() == rest;
            let Some(key) = KEYS.iter().find(wanted) else {
                bail!(
                    "{variable} in the environment is not a setting; `tidings config` lists them"
                );
            };
            self.set_text(key.name, &text).with_context(|| format!("in {variable}"))?;
        }
        Ok(())
    }

    /// Sets a key from plain text, read as the key's kind.
    fn set_text(&mut self, name: &str, text: &str) -> Result<()> {
        let key = find(name)?;
        let value = match key.kind {
            Kind::Flag => Value::Boolean(text.parse().context("expected true or false")?),
            Kind::Integer(..) => Value::Integer(text.parse().context("expected a whole number")?),
            Kind::Seconds | Kind::Number(..) => {
                Value::Float(text.parse().context("expected a number")?)
            }
            Kind::List => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                Value::Array(parts.map(|part| Value::String(part.into())).collect())
            }
            Kind::Text | Kind::Secret => Value::String(text.into()),
        };
        self.set(name, value)
    }

    fn set(&mut self, name: &str, value: Value) -> Result<()> {
        let key = find(name)?;
        (key.check)(key.kind, &value).with_context(|| format!("`{name}`"))?;
        self.values.insert(key.name, value);
        Ok(())
    }

    fn finish(self) -> Result<Settings> {
        let settings = Settings::read(self.values, self.channels)?;
        settings.check()?;
        Ok(settings)
    }
}

impl Settings {
    /// Reads the file (if any), lays the environment over it, then the flags (`key`, text).
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
        flags: &[(&str, String)],
    ) -> Result<Settings> {
        let mut draft = Draft::default();
        if let Some(path) = file {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read the configuration {}", path.display()))?;
            draft.read_toml(&text).with_context(|| format!("in {}", path.display()))?;
        }
        draft.read_environment(environment)?;
        for (name, text) in flags {
            draft.set_text(name, text).with_context(|| format!("for --{name}"))?;
        }
        draft.finish()
    }

    /// What settings say together.
    fn check(&self) -> Result<()> {
        let channel = self.default_channel.as_str();
        let ready = |c: &Channel| c.contact.is_some() || !c.kind.needs_contact();
        let built_in = ChannelKind::named(channel).is_some_and(|kind| !kind.needs_contact());
        if !built_in && !self.channels.get(channel).is_some_and(ready) {
            bail!(
                "`default_channel` is `{channel}`; it must be interactive, terminal, or a channel of \
                 this configuration that says where to"
            );
        }
        if self.interval_min_seconds > self.interval_max_seconds {
            bail!("`interval_min_seconds` is above `interval_max_seconds`");
        }
        if self.deliver_retry_first_seconds > self.deliver_retry_max_seconds {
            bail!("`deliver.retry_first_seconds` is above `deliver.retry_max_seconds`");
        }
        Ok(())
    }

    /// Probes per chronon.
    pub fn probes_per_chronon(&self) -> f64 {
        self.budget.0 * self.chronon_seconds.as_secs_f64()
    }

    /// Whom this instance may ask and tell.
    pub fn reach(&self) -> Reach {
        let receivers = if self.deliver_allow_private {
            Receivers::PublicAndPrivate
        } else {
            Receivers::Public
        };
        Reach { sources: AllowList::new(&self.fetch_allow_addresses), receivers }
    }

    pub fn data_folder(&self) -> PathBuf {
        match self.data_dir.as_str() {
            "" => default_data_dir(),
            path => path.into(),
        }
    }

    /// Every key with what holds, secrets hidden; for `tidings config`.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = serde_json::Map::new();
        for key in KEYS {
            let value = match (key.kind, &self.values[key.name]) {
                (Kind::Secret, Value::String(secret)) if !secret.is_empty() => "…".into(),
                (_, value) => serde_json::to_value(value).unwrap_or_default(),
            };
            json.insert(key.name.into(), value);
        }
        let channels = self.channels.iter().map(|(name, channel)| {
            let secret = channel.secret.as_ref().map(|_| "…");
            let fields = serde_json::json!({
                "kind": channel.kind.name(), "contact": channel.shown_contact(), "secret": secret,
            });
            (name.clone(), fields)
        });
        json.insert("channels".into(), serde_json::Value::Object(channels.collect()));
        serde_json::Value::Object(json)
    }
}

impl Default for Draft {
    fn default() -> Draft {
        let parse = |key: &Key| {
            let table: toml::Table =
                format!("v = {}", key.default).parse().expect("defaults are TOML");
            table["v"].clone()
        };
        let values = KEYS.iter().map(|key| (key.name, parse(key))).collect();
        Draft { values, channels: BTreeMap::new() }
    }
}

/// The sample `tidings.toml`: every key with its default, commented out.
pub fn sample() -> String {
    let mut text = String::from(
        "# Tidings' configuration. Every line is a default: uncomment what you change.\n\
         # The environment (TIDINGS_LISTEN, TIDINGS_SMTP_HOST, …) and flags come after this file.\n",
    );
    let mut section = "";
    for key in KEYS {
        let (own, name) = key.name.split_once('.').unwrap_or(("", key.name));
        if own != section {
            text += &format!("\n[{own}]\n");
            section = own;
        }
        text += &format!("\n# {}\n# {name} = {}\n", key.about, key.default);
    }
    text + "\n# A channel of your own, to be named after `notify by`:\n\
            # [channels.newsroom]\n# kind = \"webhook\"\n# url = \"https://example.org/hook\"\n\
            # secret = \"whsec_…\"\n"
}

/// Says where the text is wrong, without the line itself: it may hold a password.
fn not_toml(text: &str, error: &toml::de::Error) -> anyhow::Error {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    anyhow!("line {line}: {}", error.message().lines().collect::<Vec<_>>().join(", "))
}

fn find(name: &str) -> Result<&'static Key> {
    KEYS.iter().find(|key| key.name == name).ok_or_else(|| {
        let distance = |key: &&Key| strsim(key.name, name);
        let near = KEYS.iter().max_by_key(distance).expect("there are keys");
        anyhow!("`{name}` is not a setting; did you mean `{}`?", near.name)
    })
}

/// How many letters two names share at their beginning and end.
fn strsim(a: &str, b: &str) -> usize {
    let same =
        |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(x, y)| x == y).count();
    same(&mut a.chars().zip(b.chars())) + same(&mut a.chars().rev().zip(b.chars().rev()))
}

fn parse_channel(value: &Value) -> Result<Channel> {
    let Value::Table(fields) = value else { bail!("must be a table with `kind`") };
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let kinds = ChannelKind::all().filter(|kind| kind.row().fields.is_some());
    let names = kinds.clone().map(ChannelKind::name).collect::<Vec<_>>().join(", ");
    let name = text("kind").ok_or_else(|| anyhow!("`kind` is missing; it is one of {names}"))?;
    let Some(kind) = kinds.clone().find(|kind| kind.name() == name) else {
        bail!("`kind` is `{name}`; it must be one of {names}");
    };
    let known: Vec<&str> =
        ["kind"].into_iter().chain(kind.row().fields.into_iter().flatten().copied()).collect();
    if let Some(field) = fields.keys().find(|field| !known.contains(&field.as_str())) {
        bail!("a channel of kind {name} has no `{field}`; it has {}", known.join(", "));
    }
    let (contact, form) = match kind.row().whom {
        Whom::Place(_) => (None, None),
        Whom::Contact { field, form, .. } => (text(field), Some(form)),
    };
    if let Some(url) = contact.as_deref().filter(|_| form == Some(ContactForm::Url)) {
        let is_web = |url: &url::Url| matches!(url.scheme(), "http" | "https");
        if !url::Url::parse(url).is_ok_and(|url| is_web(&url)) {
            bail!("`url` must be an http or https URL, as https://hooks.example/tidings");
        }
    }
    Ok(Channel { kind, contact, secret: text("secret") })
}

fn default_data_dir() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let data = std::env::var_os("XDG_DATA_HOME").filter(|path| !path.is_empty());
    let base = data.map(PathBuf::from).or_else(home);
    base.unwrap_or_else(|| PathBuf::from(".")).join("tidings")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(toml: &str, environment: &[(&str, &str)]) -> Result<Settings, String> {
        let read = || {
            let mut draft = Draft::default();
            draft.read_toml(toml)?;
            draft.read_environment(environment.iter().map(|&(k, v)| (k.into(), v.into())))?;
            draft.finish()
        };
        read().map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn the_environment_comes_after_the_file() {
        let settings = load("listen = \"127.0.0.1:1\"", &[("TIDINGS_LISTEN", "127.0.0.1:2")]);
        assert_eq!(settings.expect("valid").listen.port(), 2);
        let settings = load("", &[("TIDINGS_FETCH_ALLOW_ADDRESSES", "10.0.0.0/8, ::1")]);
        assert_eq!(settings.expect("valid").fetch_allow_addresses.len(), 2);
    }

    #[test]
    fn a_budget_is_a_rate_in_words() {
        let settings = load("budget = \"8640 per day\"\nchronon_seconds = 10", &[]);
        assert!((settings.expect("valid").probes_per_chronon() - 1.0).abs() < 1e-9);
        assert!(load("budget = \"many\"", &[]).is_err());
        assert!(load("budget = \"0 per day\"", &[]).is_err());
    }

    #[test]
    fn what_is_wrong_is_said_with_what_to_write() {
        let error = |toml| load(toml, &[]).err().expect("refused");
        assert!(error("lissten = 1").contains("did you mean `listen`?"));
        assert!(error("host_in_flight = 0").contains("from 1 to 64"));
        assert!(
            error("[channels.x]\nkind = \"pigeon\"").contains("one of terminal, email, webhook")
        );
        let mistyped = "[channels.x]\nkind = \"webhook\"\nurl = \"htp://a.example/\"";
        assert!(error(mistyped).contains("http or https URL"));
        assert!(error("timezone = \"Mars\"").contains("Europe/Lisbon"));
        assert!(error("fetch.allow_addresses = [\"home\"]").contains("192.168.1.0/24"));
        assert!(load("", &[("TIDINGS_NONSENSE", "1")]).is_err());
    }

    #[test]
    fn secrets_are_never_printed() {
        let toml = "[smtp]\npassword = \"hunter2\"\n[channels.a]\nkind = \"webhook\"\nsecret = \"whsec_x\"";
        let json = load(toml, &[]).expect("valid").to_json().to_string();
        assert!(!json.contains("hunter2") && !json.contains("whsec_x"));
        let toml =
            "[channels.a]\nkind = \"webhook\"\nurl = \"https://u:pw@hooks.example/T0/K7?k=9\"";
        let json = load(toml, &[]).expect("valid").to_json();
        assert_eq!(json["channels"]["a"]["contact"], "https://hooks.example/…");
        let unclosed = load("[smtp]\nhost = \"x\"\npassword = \"hunter2\n", &[]);
        let error = unclosed.err().expect("refused");
        assert!(error.contains("line 3") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn the_sample_is_toml_that_changes_nothing_even_uncommented() {
        let sample = sample();
        load(&sample, &[]).expect("the sample is valid");
        let lines =
            sample.lines().filter(|line| !line.contains("newsroom") && !line.contains("example"));
        let bare: String = lines
            .map(|line| line.strip_prefix("# ").filter(|l| l.contains(" = ")).unwrap_or(line))
            .filter(|line| !line.starts_with("kind") && !line.starts_with("secret"))
            .fold(String::new(), |all, line| all + line + "\n");
        let uncommented = load(&bare, &[]).expect("its defaults are valid");
        assert_eq!(uncommented.to_json(), load("", &[]).expect("valid").to_json());
    }
}
