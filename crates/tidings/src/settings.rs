//! Configuration: `tidings.toml`, then `TIDINGS_*`, then flags; one table of keys for all of it.

mod keys;

use address::{AllowList, Reach, Receivers};
use anyhow::{Context, Result, anyhow, bail};
use chronon::{Span, Zone};
pub use keys::{CHANNEL_FIELDS, KEYS, Key, Kind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Value;

/// A configured channel.
#[derive(Clone, PartialEq)]
pub struct Channel {
    pub kind: String,
    /// Webhook: where to; email: to whom.
    pub contact: Option<String>,
    /// `whsec_…`
    pub secret: Option<String>,
}

impl Channel {
    /// The contact without what may be a token: of a webhook's URL that is all but the host.
    fn shown_contact(&self) -> Option<String> {
        let contact = self.contact.as_deref()?;
        if self.kind != "webhook" {
            return Some(contact.to_owned());
        }
        let Ok(url) = url::Url::parse(contact) else { return Some("…".to_owned()) };
        let origin = url.origin().ascii_serialization();
        Some(if url.as_str() == format!("{origin}/") { origin } else { format!("{origin}/…") })
    }
}

/// What holds, by key; every key is there.
#[derive(Clone)]
pub struct Settings {
    values: BTreeMap<&'static str, Value>,
    pub channels: BTreeMap<String, Channel>,
}

impl Settings {
    /// Reads the file (if any), lays the environment over it, then the flags (`key`, text).
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
        flags: &[(&str, String)],
    ) -> Result<Settings> {
        let mut settings = Settings::default();
        if let Some(path) = file {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read the configuration {}", path.display()))?;
            settings.read_toml(&text).with_context(|| format!("in {}", path.display()))?;
        }
        settings.read_environment(environment)?;
        for (name, text) in flags {
            settings.set_text(name, text).with_context(|| format!("for --{name}"))?;
        }
        settings.validate()?;
        Ok(settings)
    }

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
                    "the environment has {variable}, which is no setting; `tidings config` lists them"
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
            Kind::Positive | Kind::Number(..) => {
                Value::Float(text.parse().context("expected a number")?)
            }
            Kind::List => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                Value::Array(parts.map(|part| Value::String(part.into())).collect())
            }
            _ => Value::String(text.into()),
        };
        self.set(name, value)
    }

    fn set(&mut self, name: &str, value: Value) -> Result<()> {
        let key = find(name)?;
        check_value(key, &value).with_context(|| format!("`{name}`"))?;
        self.values.insert(key.name, value);
        Ok(())
    }

    fn validate(&self) -> Result<()> {
        let channel = self.text("default_channel");
        let built_in = ["interactive", "terminal"];
        let ready = |c: &Channel| c.contact.is_some() || c.kind == "terminal";
        if !built_in.contains(&channel) && !self.channels.get(channel).is_some_and(ready) {
            bail!(
                "`default_channel` is `{channel}`; it must be interactive, terminal, or a channel of \
                 this configuration that says where to"
            );
        }
        if !["starttls", "tls", "none"].contains(&self.text("smtp.tls")) {
            bail!("`smtp.tls` must be starttls, tls or none");
        }
        if self.seconds("interval_min_seconds") > self.seconds("interval_max_seconds") {
            bail!("`interval_min_seconds` is above `interval_max_seconds`");
        }
        if self.seconds("deliver.retry_first_seconds") > self.seconds("deliver.retry_max_seconds") {
            bail!("`deliver.retry_first_seconds` is above `deliver.retry_max_seconds`");
        }
        for key in ["fetch.allow_addresses", "trusted_proxies"] {
            for network in self.list(key) {
                network_of(&network).with_context(|| format!("`{key}`"))?;
            }
        }
        self.public_url()?;
        self.listen()?;
        Ok(())
    }

    pub fn text(&self, name: &'static str) -> &str {
        self.values[name].as_str().expect("checked by its kind")
    }

    pub fn flag(&self, name: &'static str) -> bool {
        self.values[name].as_bool().expect("checked by its kind")
    }

    pub fn integer(&self, name: &'static str) -> i64 {
        self.values[name].as_integer().expect("checked by its kind")
    }

    pub fn list(&self, name: &'static str) -> Vec<String> {
        let values = self.values[name].as_array().expect("checked by its kind");
        values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
    }

    /// A number of seconds, to the millisecond.
    pub fn seconds(&self, name: &'static str) -> Span {
        let seconds = number(&self.values[name]).expect("checked by its kind");
        Span::from_millis(((seconds * 1_000.0) as i64).max(1))
    }

    pub fn number(&self, name: &'static str) -> f64 {
        number(&self.values[name]).expect("checked by its kind")
    }

    pub fn zone(&self) -> Zone {
        Zone::parse(self.text("timezone")).expect("checked by its kind")
    }

    /// Probes per chronon.
    pub fn budget(&self) -> f64 {
        let per_second = parse_budget(self.text("budget")).expect("checked by its kind");
        per_second * self.seconds("chronon_seconds").as_secs_f64()
    }

    pub fn listen(&self) -> Result<std::net::SocketAddr> {
        self.text("listen")
            .parse()
            .map_err(|_| anyhow!("`listen` must be an address and a port, as 127.0.0.1:7780"))
    }

    /// The address by which people reach the server; `None`: the one it listens on.
    pub fn public_url(&self) -> Result<Option<web::PublicUrl>> {
        let text = Some(self.text("public_url")).filter(|text| !text.is_empty());
        let url = text.map(web::PublicUrl::parse).transpose();
        url.map_err(|wrong| anyhow!("`public_url` {wrong}"))
    }

    /// Networks of proxies that are believed.
    pub fn trusted_proxies(&self) -> Vec<ipnet::IpNet> {
        let networks = self.list("trusted_proxies");
        networks.iter().filter_map(|network| network_of(network).ok()).collect()
    }

    /// Networks the address guard lets through.
    pub fn allow_addresses(&self) -> Vec<ipnet::IpNet> {
        let networks = self.list("fetch.allow_addresses");
        networks.iter().filter_map(|network| network_of(network).ok()).collect()
    }

    /// Whom this instance may ask and tell.
    pub fn reach(&self) -> Reach {
        let receivers = match self.flag("deliver.allow_private") {
            true => Receivers::PublicAndPrivate,
            false => Receivers::Public,
        };
        Reach { sources: AllowList::new(&self.allow_addresses()), receivers }
    }

    pub fn data_dir(&self) -> PathBuf {
        match self.text("data_dir") {
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
                "kind": channel.kind, "contact": channel.shown_contact(), "secret": secret,
            });
            (name.clone(), fields)
        });
        json.insert("channels".into(), serde_json::Value::Object(channels.collect()));
        serde_json::Value::Object(json)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        let parse = |key: &Key| {
            let table: toml::Table =
                format!("v = {}", key.default).parse().expect("defaults are TOML");
            table["v"].clone()
        };
        let values = KEYS.iter().map(|key| (key.name, parse(key))).collect();
        Settings { values, channels: BTreeMap::new() }
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
        anyhow!("`{name}` is no setting; did you mean `{}`?", near.name)
    })
}

/// How many letters two names share at their beginning and end.
fn strsim(a: &str, b: &str) -> usize {
    let same =
        |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(x, y)| x == y).count();
    same(&mut a.chars().zip(b.chars())) + same(&mut a.chars().rev().zip(b.chars().rev()))
}

fn check_value(key: &Key, value: &Value) -> Result<()> {
    match (key.kind, value) {
        (Kind::Text | Kind::Secret, Value::String(_)) | (Kind::Flag, Value::Boolean(_)) => Ok(()),
        (Kind::Integer(min, max), Value::Integer(n)) if (min..=max).contains(n) => Ok(()),
        (Kind::Integer(min, max), _) => bail!("must be a whole number from {min} to {max}"),
        (Kind::Positive, value) => match number(value) {
            Some(n) if n > 0.0 && n <= 1e9 => Ok(()),
            _ => bail!("must be a number above 0"),
        },
        (Kind::Number(min, max), value) => match number(value) {
            Some(n) if (min..=max).contains(&n) => Ok(()),
            _ => bail!("must be a number from {min} to {max}"),
        },
        (Kind::List, Value::Array(parts)) if parts.iter().all(Value::is_str) => Ok(()),
        (Kind::Budget, Value::String(text)) => parse_budget(text).map(|_| ()),
        (Kind::Zone, Value::String(text)) => Ok(Zone::parse(text).map(|_| ())?),
        (Kind::Flag, _) => bail!("must be true or false"),
        (Kind::List, _) => bail!("must be a list of texts"),
        _ => bail!("must be a text"),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Float(n) => Some(*n),
        _ => None,
    }
}

/// "10 per second", "5000 per day" as probes per second.
pub fn parse_budget(text: &str) -> Result<f64> {
    let wrong = || anyhow!("must read like \"10 per second\" or \"5000 per day\"");
    let words: Vec<&str> = text.split_whitespace().collect();
    let [count, "per", unit] = words[..] else { return Err(wrong()) };
    let count: f64 = count.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "second" => 1.0,
        "minute" => 60.0,
        "hour" => 3_600.0,
        "day" => 86_400.0,
        _ => return Err(wrong()),
    };
    if !(count > 0.0 && count.is_finite()) {
        return Err(wrong());
    }
    Ok(count / seconds)
}

fn network_of(text: &str) -> Result<ipnet::IpNet> {
    let address = || text.parse::<std::net::IpAddr>().map(ipnet::IpNet::from);
    text.parse()
        .or_else(|_| address())
        .map_err(|_| anyhow!("`{text}` is no network; write it as 192.168.1.0/24"))
}

fn parse_channel(value: &Value) -> Result<Channel> {
    let Value::Table(fields) = value else { bail!("must be a table with `kind`") };
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let kind =
        text("kind").ok_or_else(|| anyhow!("`kind` is missing: webhook, email or terminal"))?;
    let Some((_, known)) = CHANNEL_FIELDS.iter().find(|(name, _)| *name == kind) else {
        bail!("`kind` is `{kind}`; it must be webhook, email or terminal");
    };
    if let Some(field) = fields.keys().find(|field| !known.contains(&field.as_str())) {
        bail!("`{field}` means nothing to a channel of kind {kind}; it knows {}", known.join(", "));
    }
    let contact = text(if kind == "webhook" { "url" } else { "to" });
    if let Some(url) = contact.as_deref().filter(|_| kind == "webhook") {
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
            let mut settings = Settings::default();
            settings.read_toml(toml)?;
            settings.read_environment(environment.iter().map(|&(k, v)| (k.into(), v.into())))?;
            settings.validate()?;
            anyhow::Ok(settings)
        };
        read().map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn the_environment_comes_after_the_file() {
        let settings = load("listen = \"127.0.0.1:1\"", &[("TIDINGS_LISTEN", "127.0.0.1:2")]);
        assert_eq!(settings.expect("valid").text("listen"), "127.0.0.1:2");
        let settings = load("", &[("TIDINGS_FETCH_ALLOW_ADDRESSES", "10.0.0.0/8, ::1")]);
        assert_eq!(settings.expect("valid").allow_addresses().len(), 2);
    }

    #[test]
    fn a_budget_is_a_rate_in_words() {
        let settings = load("budget = \"8640 per day\"\nchronon_seconds = 10", &[]);
        assert!((settings.expect("valid").budget() - 1.0).abs() < 1e-9);
        assert!(load("budget = \"many\"", &[]).is_err());
        assert!(load("budget = \"0 per day\"", &[]).is_err());
    }

    #[test]
    fn what_is_wrong_is_said_with_what_to_write() {
        let error = |toml| load(toml, &[]).err().expect("refused");
        assert!(error("lissten = 1").contains("did you mean `listen`?"));
        assert!(error("host_in_flight = 0").contains("from 1 to 64"));
        assert!(error("[channels.x]\nkind = \"pigeon\"").contains("webhook, email or terminal"));
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
        assert_eq!(uncommented.to_json(), Settings::default().to_json());
    }
}
