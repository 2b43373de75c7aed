//! Configuration: `tidings.toml`, then `TIDINGS_*`, then flags; one table of keys for all of it.

mod channel;
mod file;
mod keys;
mod manners;
mod value;

use address::{AllowList, ChannelKind, Reach, Receivers};
use anyhow::{Context, Result, anyhow};
pub use channel::{Channel, is_secret};
pub use keys::Settings;
use keys::{KEYS, Key, Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::Value;
pub use value::parse_budget;

/// What file, environment and flags say so far; every key is there.
struct Draft {
    values: BTreeMap<&'static str, Value>,
    channels: BTreeMap<String, Channel>,
    /// Names of channels that are there and cannot be read.
    broken: BTreeSet<String>,
    /// Keys that somebody set, and where it was said last: of channels, too, as
    /// `channels.NAME.KEY`.
    said: BTreeMap<String, String>,
    /// Where the next one is said.
    place: String,
}

impl Draft {
    /// Each variable that is wrong is said with its name.
    fn read_environment(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<(), Vec<String>> {
        let mut wrong = Vec::new();
        for (variable, text) in variables {
            let Some(rest) = variable.strip_prefix("TIDINGS_") else { continue };
            match rest {
                // What clients of the API hold; a command has that of the data directory.
                "CONFIG" | "TOKEN" => continue,
                "LOG" => {
                    wrong.extend(wrong_log(&text));
                    continue;
                }
                _ => {}
            }
            let as_variable = |key: &Key| key.name.replace('.', "_").to_uppercase();
            let Some(key) = KEYS.iter().find(|key| as_variable(key) == rest) else {
                let known: Vec<String> =
                    KEYS.iter().map(|key| as_variable(key).to_lowercase()).collect();
                let near = nearest(rest, known.iter().map(String::as_str));
                let help = match near {
                    Some(near) => format!("did you mean `TIDINGS_{}`?", near.to_uppercase()),
                    None => "`tidings config` lists them".to_owned(),
                };
                wrong.push(format!("{variable} in the environment is not a setting; {help}"));
                continue;
            };
            self.place = format!("by {variable} in the environment");
            if let Err(error) = self.set_text(key.name, &text) {
                wrong.push(format!("in {variable}: {error:#}"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Sets a key from plain text, read as the key's kind.
    fn set_text(&mut self, name: &str, text: &str) -> Result<()> {
        let key = find(name)?;
        let value = match key.kind {
            Kind::Flag => Value::Boolean(text.parse().context("expected true or false")?),
            Kind::Integer(..) => Value::Integer(text.parse().context("expected a whole number")?),
            Kind::Number(..) => Value::Float(text.parse().context("expected a number")?),
            // A number of seconds, or a duration in words.
            Kind::Seconds => match text.trim().parse() {
                Ok(number) => Value::Float(number),
                Err(_) => Value::String(text.into()),
            },
            Kind::List => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                Value::Array(parts.map(|part| Value::String(part.into())).collect())
            }
            Kind::Text | Kind::Secret => Value::String(text.into()),
        };
        let said = self.place.clone();
        self.set(name, value, said)
    }

    fn set(&mut self, name: &str, value: Value, said: String) -> Result<()> {
        let key = find(name)?;
        (key.check)(key.kind, &value).with_context(|| format!("`{name}`"))?;
        self.said.insert(key.name.to_owned(), said);
        self.values.insert(key.name, value);
        Ok(())
    }

    /// What holds, unless something is wrong: what was found already, or what does not go together.
    fn finish(self, mut wrong: Vec<String>) -> Result<Settings, Vec<String>> {
        let settings = Settings::read(self.values, self.channels);
        let mut settings = settings.map_err(|error| vec![format!("{error:#}")])?;
        settings.said = self.said;
        wrong.extend(settings.wrong_channels(&self.broken));
        wrong.extend(settings.wrong_sender().filter(|_| !settings.smtp_host.is_empty()));
        if wrong.is_empty() {
            wrong.extend(settings.wrong());
        }
        if wrong.is_empty() { Ok(settings) } else { Err(wrong) }
    }
}

/// One sentence, or a list of them.
fn all_of(wrong: &[String]) -> anyhow::Error {
    match wrong {
        [one] => anyhow!("{one}"),
        many => anyhow!("{} things are wrong:\n  {}", many.len(), many.join("\n  ")),
    }
}

impl Settings {
    /// Whether somebody set this key; else its default holds.
    pub fn says(&self, name: &str) -> bool {
        self.said.contains_key(name)
    }

    /// Reads the file (if any), lays the environment over it, then the flags (`key`, text).
    ///
    /// # Errors
    ///
    /// Everything that is wrong with any of them.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
        flags: &[(&str, String)],
    ) -> Result<Settings> {
        let mut draft = Draft::default();
        let mut wrong = Vec::new();
        if let Some(path) = file {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read the configuration {}", path.display()))?;
            draft.place = format!("in {}", path.display());
            let found = draft.read_toml(&text).err().unwrap_or_default();
            let file = path.display();
            wrong.extend(found.into_iter().map(|what| format!("in {file}, {what}")));
        }
        wrong.extend(draft.read_environment(environment).err().unwrap_or_default());
        draft.place = "by the command that started the server".to_owned();
        for (name, text) in flags {
            if let Err(error) = draft.set_text(name, text) {
                wrong.push(format!("for --{}: {error:#}", name.replace('_', "-")));
            }
        }
        draft.finish(wrong).map_err(|wrong| all_of(&wrong))
    }

    /// Why nothing can be told by `default_channel`, and by what it can.
    fn wrong_default(&self) -> Option<String> {
        let wanted = self.default_channel.as_str();
        let built_in = ChannelKind::built_in().filter(|kind| !kind.needs_contact());
        let built_in: Vec<&str> = built_in.map(ChannelKind::name).collect();
        let known = self.channels.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        let is_built_in = known.is_none() && built_in.contains(&&*wanted.to_lowercase());
        if is_built_in || known.is_some_and(|(_, channel)| channel.is_ready()) {
            return None;
        }
        let configured = self.channels.iter().filter(|(_, channel)| channel.is_ready());
        let all: Vec<&str> =
            built_in.iter().copied().chain(configured.map(|(name, _)| &**name)).collect();
        let why = match known {
            Some((name, _)) => format!("[channels.{name}] does not say where to"),
            None => "this configuration has no channel of that name".to_owned(),
        };
        let near = nearest(wanted, all.iter().copied());
        let meant = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        let all = all.join(", ");
        let place = self.place("default_channel");
        Some(format!(
            "{place}`default_channel` is `{wanted}`, and {why}; write one of {all}{meant}. A channel that \
             was made on the dashboard cannot be the default: write it below [channels.NAME]"
        ))
    }

    /// Channels that are named and cannot be told. Those that are broken have their own sentence.
    fn wrong_channels(&self, broken: &BTreeSet<String>) -> Vec<String> {
        let is_broken = |name: &str| broken.contains(&name.to_lowercase());
        let mut wrong = Vec::new();
        if !is_broken(&self.default_channel) {
            wrong.extend(self.wrong_default());
        }
        for (name, channel) in &self.channels {
            let Some(fallback) = &channel.manners.fallback else { continue };
            if is_broken(fallback) {
                continue;
            }
            let is_other = !fallback.eq_ignore_ascii_case(name);
            let known = self.channels.iter().find(|(n, _)| n.eq_ignore_ascii_case(fallback));
            let built_in = ChannelKind::named(fallback).is_some_and(|kind| !kind.needs_contact());
            let fits = known.map_or(built_in, |(_, channel)| channel.is_ready());
            if !is_other || !fits {
                let place = self.place(&format!("channels.{name}.fallback"));
                wrong.push(format!(
                    "{place}`fallback` of [channels.{name}] is `{fallback}`; it must be another channel \
                     of this configuration that says where to, or interactive"
                ));
            }
        }
        wrong
    }

    /// Why mail cannot be from whom it says; nothing where nobody says.
    fn wrong_sender(&self) -> Option<String> {
        let from = self.smtp_from.as_str();
        let is_wrong = !from.is_empty() && !deliver::is_sender(from);
        is_wrong.then(|| {
            let place = self.place("smtp.from");
            let example = "Tidings <tidings@example.org>";
            format!("{place}`smtp.from`: must be a mail address, as \"{example}\"")
        })
    }

    /// What of these settings does not go together.
    fn wrong(&self) -> Vec<String> {
        let pairs = [
            (self.interval_min_seconds > self.interval_max_seconds)
                .then_some(["interval_min_seconds", "interval_max_seconds"]),
            (self.deliver_retry_first_seconds > self.deliver_retry_max_seconds)
                .then_some(["deliver.retry_first_seconds", "deliver.retry_max_seconds"]),
        ];
        pairs.into_iter().flatten().map(|pair| self.in_disorder(pair)).collect()
    }

    /// One key is above another, and may not be: at the line of the first that somebody set.
    fn in_disorder(&self, [low, high]: [&str; 2]) -> String {
        let default = |name: &str| {
            let key = KEYS.iter().find(|key| key.name == name);
            key.map(|key| format!(", {} by default", key.default)).unwrap_or_default()
        };
        let place = self.place(if self.says(low) { low } else { high });
        let [of_low, of_high] = match (self.says(low), self.said.get(high)) {
            (true, Some(said)) => [String::new(), format!(" ({said})")],
            (true, None) => [String::new(), default(high)],
            (false, _) => [format!("{},", default(low)), String::new()],
        };
        format!("{place}`{low}`{of_low} is above `{high}`{of_high}")
    }

    /// Where a key was said, to begin a sentence with.
    fn place(&self, name: &str) -> String {
        self.said.get(name).map(|place| format!("{place}: ")).unwrap_or_default()
    }

    /// What can be used, and hardly does what is meant.
    pub fn doubts(&self) -> Vec<String> {
        let programs = self.channels.iter().filter_map(|(name, channel)| {
            let program = channel.words.first().filter(|program| !can_be_found(program))?;
            Some(format!(
                "`command` of [channels.{name}] is `{program}`, which cannot be found; nothing \
                 can be told by it until it is there"
            ))
        });
        let unsent = self.wrong_sender().filter(|_| self.smtp_host.is_empty());
        let unsent = unsent.map(|wrong| format!("{wrong}, once `smtp.host` names a mail server"));
        programs.chain(unsent).collect()
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

    /// What holds for a key, without what is secret.
    fn shown(&self, key: &Key) -> Value {
        match (key.kind, &self.values[key.name]) {
            (Kind::Secret, Value::String(secret)) if !secret.is_empty() => "…".into(),
            (_, value) => value.clone(),
        }
    }

    /// Every key with what holds and where that was said, for the dashboard.
    pub fn listed(&self) -> Vec<web::Setting> {
        let setting = |key: &Key| web::Setting {
            name: key.name,
            about: key.about,
            value: self.shown(key).to_string(),
            default: key.default,
            said_in: self.said.get(key.name).cloned(),
        };
        KEYS.iter().map(setting).collect()
    }

    /// Every key with what holds, secrets hidden; for `tidings config`.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = serde_json::Map::new();
        for key in KEYS {
            let value = serde_json::to_value(self.shown(key)).unwrap_or_default();
            json.insert(key.name.into(), value);
        }
        let channels =
            self.channels.iter().map(|(name, channel)| (name.clone(), channel.to_json()));
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
        let (said, place) = (BTreeMap::new(), String::new());
        Draft { values, channels: BTreeMap::new(), broken: BTreeSet::new(), said, place }
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
    text + &channel::sample()
}

/// What people call a setting that has another name.
const MEANT: [(&str, &str); 3] = [
    ("allow_private", "fetch.allow_addresses"),
    ("fetch.allow_private", "fetch.allow_addresses"),
    ("fetch.allow_private_addresses", "fetch.allow_addresses"),
];

fn find(name: &str) -> Result<&'static Key> {
    KEYS.iter().find(|key| key.name == name).ok_or_else(|| {
        let meant = MEANT.iter().find(|(said, _)| *said == name).map(|(_, meant)| *meant);
        match meant.or_else(|| nearest(name, KEYS.iter().map(|key| key.name))) {
            Some(near) => anyhow!("`{name}` is not a setting; did you mean `{near}`?"),
            None => anyhow!("`{name}` is not a setting; `tidings config` lists them"),
        }
    })
}

/// The known name that is nearest to what was written, if one is near enough to be meant: a third
/// of its letters may differ, or one is the other's end, or begins it nearly so.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let last = |text: &str| text.rsplit('.').next().unwrap_or_default().to_owned();
    let edits = known.map(|one| {
        let edits = strsim::damerau_levenshtein(one, &lower);
        // `smtp_host`, or `host` outside its section.
        let same = last(one) == last(&lower) || one.replace('.', "_") == lower.replace('-', "_");
        let meant = if begins_so(&last(one), &last(&lower)) { 1 } else { edits };
        (if same { 0 } else { meant.min(edits) }, one)
    });
    let (edits, near) = edits.min()?;
    (edits <= (near.len() / 3).clamp(1, 4)).then_some(near)
}

/// The first words of `name` are those written, but for a fourth of their letters.
fn begins_so(name: &str, written: &str) -> bool {
    let words = written.split('_').count();
    let first: Vec<&str> = name.split('_').take(words).collect();
    strsim::damerau_levenshtein(&first.join("_"), written) <= written.len() / 4
}

/// What is wrong with what TIDINGS_LOG says. A word alone is the name of a part.
fn wrong_log(text: &str) -> Option<String> {
    tracing_subscriber::EnvFilter::try_new(text).is_err().then(|| {
        format!(
            "in TIDINGS_LOG: `{text}` cannot be read; write off, error, warn, info, debug or \
             trace, or as info,fetch=debug for a part"
        )
    })
}

/// Whether a program is where it says, or on the path.
fn can_be_found(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
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
        let mut draft = Draft::default();
        let mut wrong = draft.read_toml(toml).err().unwrap_or_default();
        let environment = environment.iter().map(|&(k, v)| (k.into(), v.into()));
        wrong.extend(draft.read_environment(environment).err().unwrap_or_default());
        draft.finish(wrong).map_err(|wrong| wrong.join("\n"))
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
        let private = error("[fetch]\nallow_private = true");
        assert!(private.contains("did you mean `fetch.allow_addresses`?"), "{private}");
        let all = error(
            "default_channel = \"phne\"\n[channels.phone]\nkind = \"ntfy\"\n\
                         url = \"https://ntfy.sh/x\"\n[channels.mute]\nkind = \"webhook\"",
        );
        for part in ["`phne`", "interactive, terminal, phone (did you mean `phone`?)", "dashboard"]
        {
            assert!(all.contains(part), "{part}: {all}");
        }
        assert!(!all.contains("mute"), "it does not say where to: {all}");
        assert!(error("default_channel = \"email\"").contains("no channel of that name"));
        let phone = "[channels.Phone]\nkind = \"ntfy\"\nurl = \"https://ntfy.sh/x\"";
        assert!(load(&format!("default_channel = \"phone\"\n{phone}"), &[]).is_ok(), "any case");
        assert!(error("lissten = 1").contains("did you mean `listen`?"));
        assert!(error("inteval = 1").contains("did you mean `interval_"));
        assert!(error("pigeon = 1").contains("`tidings config` lists them"));
        assert!(error("host_in_flight = 0").contains("from 1 to 64"));
        assert!(
            error("[channels.x]\nkind = \"pigeon\"").contains("one of terminal, email, webhook,")
        );
        let mistyped = "[channels.x]\nkind = \"webhook\"\nurl = \"htp://a.example/\"";
        assert!(error(mistyped).contains("http or https URL"));
        assert!(error("timezone = \"Mars\"").contains("Europe/Lisbon"));
        assert!(error("fetch.allow_addresses = [\"home\"]").contains("192.168.1.0/24"));
        assert!(load("", &[("TIDINGS_NONSENSE", "1")]).is_err());
    }

    #[test]
    fn everything_that_is_wrong_with_a_file_is_said_at_once_with_its_line_and_what_was_meant() {
        let file = "listen = 127.0.0.1\n\nlissten = 1 # a comment\nhost_interval_seconds = 90 s\n\
                    [smtp]\nhost = mail.example.org\nport = 99999\npassword = hunter2 x\n\
                    [channels.a]\nkind = \"nfty\"\n";
        let said = load(file, &[]).err().expect("refused");
        let lines: Vec<&str> = said.lines().collect();
        let expected = [
            "line 1: `listen`: a port is missing: write \"127.0.0.1:7780\"; text needs quotes",
            "line 3: `lissten` is not a setting; did you mean `listen`?",
            "line 4: `host_interval_seconds` is text, which needs quotes: \
             host_interval_seconds = \"90 s\"",
            "line 6: `smtp.host` is text, which needs quotes: host = \"mail.example.org\"",
            "line 7: `smtp.port`: must be a whole number from 1 to 65535",
        ];
        assert_eq!(lines[..5], expected, "{said}");
        assert!(lines[5].starts_with("line 8: ") && !said.contains("hunter2"), "{said}");
        assert!(lines[6].starts_with("line 10: in [channels.a]: `kind` is `nfty`"), "{said}");
        assert_eq!(lines.len(), 7, "{said}");
    }

    #[test]
    fn what_is_wrong_with_a_channel_is_said_at_its_key_and_what_it_lacks_at_its_name() {
        let file = "[channels.room]\nkind = \"webhook\"\n\nurl = \"htp://x/\"\nsecret = \"abc\"\n\n\
                    [channels.two]\nkind = \"sms\"\nrate = \"often\"\n[channels.three]\npriority = 9\n\
                    kind = \"pushover\"\nquiet_hours = \"22-7\"\n[channels.four]\n\
                    kind = \"matrix\"\n";
        let said = load(file, &[]).err().expect("refused");
        let begin = [
            "line 4: in [channels.room]: `url` must be an http or https URL",
            "line 5: in [channels.room]: `secret`: a webhook secret starts with whsec_",
            "line 8: in [channels.two]: `kind` is `sms`; it must be one of",
            "line 9: in [channels.two]: `rate` must read like",
            "line 10: in [channels.three]: `token` is missing",
            "line 11: in [channels.three]: `priority` must be a whole number",
            "line 13: in [channels.three]: `quiet_hours` must read like",
            "line 14: in [channels.four]: `url` is missing",
        ];
        let lines: Vec<&str> = said.lines().collect();
        let fits = lines.iter().zip(begin).all(|(line, begin)| line.starts_with(begin));
        assert!(fits && lines.len() == begin.len(), "{said}");
        assert!(lines[7].contains("; `token` is missing"), "{said}");
        let file = "listen = \"[::1]:1\"\n[channels.a]\nkind = \"ntfy\"\n\
                    url = \"https://ntfy.sh/x\"\nfallback = \"b\"\n";
        let said = load(file, &[]).err().expect("refused");
        assert!(said.starts_with("line 5: `fallback` of [channels.a] is `b`"), "{said}");
    }

    #[test]
    fn two_keys_that_do_not_go_together_are_said_at_a_line_of_theirs() {
        let wrong = |file: &str, environment: &[(&str, &str)]| {
            load(file, environment).err().expect("refused")
        };
        let (low, high) = ("interval_min_seconds", "interval_max_seconds");
        let both = format!("\n{low} = \"90m\"\n{high} = 60");
        assert_eq!(wrong(&both, &[]), format!("line 2: `{low}` is above `{high}` (line 3)"));
        let said = wrong(&format!("{low} = \"2d\""), &[]);
        assert_eq!(said, format!("line 1: `{low}` is above `{high}`, 86400 by default"));
        let said = wrong(&format!("\n{high} = 1"), &[]);
        assert_eq!(said, format!("line 2: `{low}`, 30 by default, is above `{high}`"));
        let environment = [("TIDINGS_INTERVAL_MAX_SECONDS", "60")];
        let said = wrong(&format!("{low} = \"90m\""), &environment);
        let by = "by TIDINGS_INTERVAL_MAX_SECONDS in the environment";
        assert_eq!(said, format!("line 1: `{low}` is above `{high}` ({by})"));
        let said = wrong("\ndefault_channel = \"nosuch\"", &[]);
        assert!(said.starts_with("line 2: `default_channel` is `nosuch`"), "{said}");
    }

    #[test]
    fn what_a_server_would_refuse_at_its_start_is_said_at_once_with_the_rest() {
        let toml = "budget = 0\ndefault_channel = \"hook\"\n[smtp]\nhost = \"a\"\nfrom = \"me\"\n\
                    [channels.hook]\nkind = \"webhook\"\nurl = \"https://a.example/\"\n\
                    secret = \"hunter2\"\n[channels.bare]\nkind = \"webhook\"\n\
                    secret = \"whsec_?\"\n[channels.chat]\nkind = \"ntfy\"\n\
                    url = \"https://ntfy.sh/x\"\nfallback = \"nosuch\"";
        let said = load(toml, &[("TIDINGS_LOG", "fetch=loud")]).err().expect("refused");
        for part in [
            "`budget`: must read like \"10 per second\"",
            "`smtp.from`: must be a mail address, as \"Tidings <tidings@example.org>\"",
            "in [channels.hook]: `secret`: a webhook secret starts with whsec_",
            "in [channels.bare]: `secret`: after whsec_ a webhook secret is base64",
            "`fallback` of [channels.chat] is `nosuch`",
            "in TIDINGS_LOG: `fetch=loud` cannot be read; write off, error",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(!said.contains("default_channel") && !said.contains("hunter2"), "{said}");
        for fine in ["debug", "info,fetch=debug", "WARN", "warn,[step]=trace", ""] {
            assert!(load("", &[("TIDINGS_LOG", fine)]).is_ok(), "{fine}");
        }
        assert!(load("", &[("TIDINGS_LOG", "info,fetch=loud")]).is_err());
    }

    #[test]
    fn who_mail_is_from_is_asked_where_there_is_a_mail_server() {
        let without = load("[smtp]\nfrom = \"me\"", &[]).expect("nothing is sent");
        let doubt = "`smtp.from`: must be a mail address, as \"Tidings <tidings@example.org>\", \
                     once `smtp.host` names a mail server";
        let doubts = without.doubts();
        assert!(doubts.len() == 1 && doubts[0].ends_with(doubt), "{doubts:?}");
        let with = load("[smtp]\nfrom = \"me\"\nhost = \"mail.example.org\"", &[]);
        assert!(with.err().expect("refused").contains("`smtp.from`: must be a mail address"));
        let fine = load("[smtp]\nfrom = \"me@example.org\"", &[]).expect("valid");
        assert_eq!(fine.doubts(), Vec::<String>::new());
    }

    #[test]
    fn a_program_that_is_not_there_is_doubted() {
        let of = |program: &str| {
            let toml = format!("[channels.a]\nkind = \"command\"\ncommand = [\"{program}\"]");
            load(&toml, &[]).expect("valid").doubts()
        };
        assert_eq!((of("/bin/sh"), of("sh")), (Vec::new(), Vec::new()));
        assert!(of("/nonexistent/prog")[0].contains("`/nonexistent/prog`, which cannot be found"));
        assert_eq!(of("no-such-program-anywhere").len(), 1);
    }

    #[test]
    fn the_token_of_clients_is_no_setting() {
        assert!(load("", &[("TIDINGS_TOKEN", "x")]).is_ok());
    }

    #[test]
    fn an_address_to_listen_on_says_what_it_lacks() {
        let said = |value: &str| load(&format!("listen = {value}"), &[]).err().expect("refused");
        assert!(said("\"127.0.0.1\"").ends_with("a port is missing: write \"127.0.0.1:7780\""));
        assert!(said("\"::1\"").ends_with("a port is missing: write \"[::1]:7780\""));
        assert!(said("\":80\"").ends_with("an address is missing: write \"127.0.0.1:80\""));
        assert!(said("7781").ends_with("an address is missing: write \"127.0.0.1:7781\""));
        assert!(said("\"localhost:7780\"").contains("no names: write \"127.0.0.1:7780\""));
    }

    #[test]
    fn a_duration_is_a_number_of_seconds_or_has_units() {
        let seconds = |value: &str| {
            let settings = load(&format!("host_interval_seconds = {value}"), &[]);
            settings.map(|settings| settings.host_interval_seconds.as_millis() as f64 / 1_000.0)
        };
        for (written, expected) in [
            ("7", 7.0),
            ("0.5", 0.5),
            ("\"10m\"", 600.0),
            ("\"1h30m\"", 5_400.0),
            ("\"90 s\"", 90.0),
            ("\"2d\"", 172_800.0),
            ("\"1 hour 30 minutes\"", 5_400.0),
        ] {
            assert_eq!(seconds(written), Ok(expected), "{written}");
        }
        for wrong in ["\"\"", "\"m\"", "\"30m1h\"", "\"1h1h\"", "\"10 x\"", "\"1e9 d\"", "-1"] {
            let said = seconds(wrong).expect_err(wrong);
            assert!(said.contains("10m, 1h30m, 90 s or 2d"), "{said}");
        }
        let from = |text: &str| load("", &[("TIDINGS_HOST_INTERVAL_SECONDS", text)]);
        assert_eq!(from("1m").expect("valid").host_interval_seconds.as_millis(), 60_000);
        assert_eq!(from("2.5").expect("valid").host_interval_seconds.as_millis(), 2_500);
        assert!(load("", &[("TIDINGS_LISEN", "x")]).err().expect("refused").contains("_LISTEN`?"));
    }

    #[test]
    fn the_dashboard_is_told_what_holds_and_where_it_was_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("tidings.toml");
        let toml = "listen = \"127.0.0.1:1\"\nhost_in_flight = 2\n[smtp]\npassword = \"hunter2\"";
        std::fs::write(&file, toml).expect("written");
        let environment = [("TIDINGS_HOST_IN_FLIGHT".to_owned(), "3".to_owned())].into_iter();
        let flags = [("budget", "5 per minute".to_owned())];
        let all = Settings::load(Some(&file), environment, &flags).expect("valid").listed();
        let one = |name: &str| all.iter().find(|one| one.name == name).expect("a setting");
        let said = |name: &str| (one(name).value.clone(), one(name).said_in.clone());
        let in_file = |line: u32| Some(format!("in {}, line {line}", file.display()));
        assert_eq!(said("listen"), ("\"127.0.0.1:1\"".to_owned(), in_file(1)));
        assert_eq!(said("smtp.password"), ("\"…\"".to_owned(), in_file(4)));
        let by = |what: &str| Some(format!("by {what}"));
        let variable = by("TIDINGS_HOST_IN_FLIGHT in the environment");
        assert_eq!(said("host_in_flight"), ("3".to_owned(), variable));
        let command = by("the command that started the server");
        assert_eq!(said("budget"), ("\"5 per minute\"".to_owned(), command));
        assert_eq!(said("smtp.port"), ("587".to_owned(), None));
    }

    #[test]
    fn secrets_are_never_printed() {
        let toml = "[smtp]\npassword = \"hunter2\"\n[channels.a]\nkind = \"webhook\"\nsecret = \"whsec_eHh4eA\"";
        let json = load(toml, &[]).expect("valid").to_json().to_string();
        assert!(!json.contains("hunter2") && !json.contains("whsec_e"));
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
        let (keys, _) = sample.split_once(channel::SAMPLE_BEGINS).expect("channels come last");
        let bare = uncommented(keys);
        let uncommented = load(&bare, &[]).expect("its defaults are valid");
        assert_eq!(uncommented.to_json(), load("", &[]).expect("valid").to_json());
    }

    #[test]
    fn the_sample_has_a_channel_of_each_kind_that_can_be_configured() {
        let sample = sample();
        let (_, channels) = sample.split_once(channel::SAMPLE_BEGINS).expect("channels come last");
        // What stands for a secret is none.
        let channels = uncommented(channels).replace("whsec_…", "whsec_eHh4eA");
        let settings = load(&channels, &[]).expect("the channels are valid");
        let kinds = ChannelKind::all().filter(|kind| kind.row().fields.is_some());
        let configured = settings.channels.values().map(|channel| channel.kind);
        let (mut kinds, mut configured) =
            (kinds.collect::<Vec<_>>(), configured.collect::<Vec<_>>());
        kinds.sort();
        configured.sort();
        assert_eq!(configured, kinds);
        let shown = settings.to_json().to_string();
        for secret in ["whsec_", "tk_", "syt_", "123456:", "hooks/"] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }

    fn uncommented(sample: &str) -> String {
        let lines = sample.lines().map(|line| {
            let bare = line.strip_prefix("# ");
            bare.filter(|bare| bare.contains(" = ") || bare.starts_with('[')).unwrap_or(line)
        });
        lines.fold(String::new(), |all, line| all + line + "\n")
    }
}
