//! Named channels: those of the configuration, and those that people made while the server ran.
//!
//! What was made is in the store: when it wants to be told as it is, whom it tells and with what
//! sealed by [`Vault`]. The store's row decides what there is; everything else is told after it.

use crate::channels::{Configured, Way};
use crate::settings::{Channel, Settings, is_secret};
use crate::vault::Vault;
use address::ChannelKind;
use chronon::{Instant, Zone};
use kernel::ChannelBook;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use store::{Access, MadeChannel, StoreError};
use url::Url;
use web::{ChannelWish, NamedChannel, Refused};

/// Channels that were made; another one is refused.
const MADE_MAX: usize = 200;
/// Characters of a name, and of a value.
const NAME_CHARS_MAX: usize = 40;
const VALUE_CHARS_MAX: usize = 4_000;

/// Every named channel of a server.
pub struct Book {
    configured: Configured,
    access: Arc<dyn Access>,
    vault: Vault,
    made: RwLock<BTreeMap<Box<str>, Made>>,
    /// By whose clock messages tell times.
    pub zone: Zone,
    /// Who wants to hear of channels that can be read again.
    listener: OnceLock<Listener>,
}

/// Is told the name of a channel.
type Listener = Box<dyn Fn(&str) + Send + Sync>;

/// A channel that was made, as far as it can be read.
struct Made {
    row: MadeChannel,
    /// Without its fields where they cannot be read; `None`: a newer Tidings knows the kind.
    channel: Option<Channel>,
    /// Why it cannot be used, and what to do.
    trouble: Option<Box<str>>,
    way: Arc<Way>,
}

impl Made {
    fn of(vault: &Vault, row: MadeChannel) -> Made {
        let read = read(vault, &row).and_then(|channel| {
            let way = Way::of(&channel).map_err(|error| format!("{error:#}"))?;
            Ok((channel, way))
        });
        match read {
            Ok((channel, way)) => {
                Made { row, channel: Some(channel), trouble: None, way: Arc::new(way) }
            }
            Err(why) => {
                let why = format!("what `{}` tells with cannot be read: {why}", row.name);
                let channel = ChannelKind::named(&row.kind)
                    .map(|kind| Channel::of_manners(kind, &manners(&row)));
                let (trouble, way) = (Some(why.clone().into()), Way::Locked(why.into()));
                Made { row, channel, trouble, way: Arc::new(way) }
            }
        }
    }
}

/// What binds the sealed part of a row to its place.
fn about(name: &str, kind: &str) -> String {
    format!("tidings channel {kind} {name}")
}

fn manners(row: &MadeChannel) -> Map<String, Value> {
    serde_json::from_str(&row.manners).unwrap_or_default()
}

/// The whole of a stored channel; or why not, as a clause.
fn read(vault: &Vault, row: &MadeChannel) -> Result<Channel, String> {
    let opened = vault.open(&about(&row.name, &row.kind), &row.sealed);
    let opened = opened.map_err(|error| format!("{error:#}"))?;
    let mut said: Map<String, Value> =
        serde_json::from_slice(&opened).map_err(|error| error.to_string())?;
    said.extend(manners(row));
    said.insert("kind".to_owned(), (*row.kind).into());
    Channel::of_json(&said).map_err(|error| format!("{error:#}"))
}

impl Book {
    /// The channels of a configuration, and those in its store.
    ///
    /// # Errors
    /// What the store says.
    pub fn open(settings: &Settings, access: Arc<dyn Access>) -> Result<Book, StoreError> {
        let vault = Vault::of(&settings.data_folder());
        let rows = access.made_channels()?.into_iter();
        let made = rows.map(|row| (row.name.clone(), Made::of(&vault, row))).collect();
        let configured = Configured::of(settings);
        let zone = crate::commands::zone_of(Some(settings));
        Ok(Book {
            configured,
            access,
            vault,
            made: RwLock::new(made),
            zone,
            listener: OnceLock::new(),
        })
    }

    /// Lets a kernel's configuration know the channels of the settings, and of their store where
    /// there is one that can be read: for commands that ask no server.
    pub fn tell_of(settings: &Settings, config: &mut kernel::Config) {
        let database = settings.data_folder().join("tidings.db");
        if !database.exists() {
            return;
        }
        match Book::open(settings, store_sqlite::access(&database)) {
            Ok(book) => config.know_channels(book.known()),
            Err(error) => tracing::debug!(%error, "channels that were made are not known here"),
        }
    }

    /// What the kernel is to know.
    pub fn known(&self) -> ChannelBook {
        let mut book = self.configured.known();
        for (name, made) in &*self.read() {
            if self.configured.channel(name).is_some() {
                continue;
            }
            let Some(channel) = &made.channel else { continue };
            let trouble = made.trouble.clone();
            self.configured.add(&mut book, name, channel, trouble);
        }
        book
    }

    /// How a channel that was made is told.
    pub fn way(&self, name: &str) -> Option<Arc<Way>> {
        self.try_again();
        self.read().get(name).map(|made| Arc::clone(&made.way))
    }

    /// Reads once more what could not be read: its key may have been put back.
    fn try_again(&self) {
        let is_locked = |made: &&Made| made.trouble.is_some();
        let locked: Vec<_> =
            self.read().values().filter(is_locked).map(|made| made.row.clone()).collect();
        for row in locked {
            let again = Made::of(&self.vault, row);
            let name = again.row.name.clone();
            if again.trouble.is_none()
                && self.unlock(again)
                && let Some(tell) = self.listener.get()
            {
                tell(&name);
            }
        }
    }

    /// Puts what can be read into the place of what could not; whether it stood there still.
    fn unlock(&self, again: Made) -> bool {
        let mut all = self.write();
        let made = all.get_mut(&again.row.name);
        let Some(made) = made.filter(|made| made.trouble.is_some() && made.row == again.row) else {
            return false;
        };
        *made = again;
        true
    }

    /// Tells `listener` of each channel that can be read again. The first one stays.
    pub fn listen(&self, listener: impl Fn(&str) + Send + Sync + 'static) {
        // There is one server to a book.
        let _ = self.listener.set(Box::new(listener));
    }

    /// Every named channel, by name, without secrets.
    pub fn all(&self) -> Vec<NamedChannel> {
        self.try_again();
        let mut all: BTreeMap<String, NamedChannel> = BTreeMap::new();
        for (name, made) in &*self.read() {
            let settings = match &made.channel {
                Some(channel) => channel.shown(),
                None => [("kind".to_owned(), (*made.row.kind).into())].into_iter().collect(),
            };
            let of_kind = || self.configured.trouble(made.channel.as_ref()?.kind);
            let trouble = made.trouble.clone().or_else(of_kind).map(String::from);
            let (name, changed_at) = (name.to_string(), Some(made.row.changed_at));
            let one = NamedChannel { name, settings, is_made: true, changed_at, trouble };
            all.insert(one.name.clone(), one);
        }
        for (name, channel) in self.configured.channels() {
            let settings = channel.shown();
            let shadowed = all.contains_key(name);
            let trouble = shadowed.then(|| {
                "a channel of this name was made here, too; the configuration's is used".to_owned()
            });
            let trouble =
                trouble.or_else(|| self.configured.trouble(channel.kind).map(String::from));
            let (name, changed_at) = (name.clone(), None);
            let one = NamedChannel { name, settings, is_made: false, changed_at, trouble };
            all.insert(one.name.clone(), one);
        }
        all.into_values().collect()
    }

    /// Makes or changes a channel; whether there was none. It is durable on return.
    pub fn put(&self, wish: &ChannelWish, now: Instant) -> Result<bool, Refused> {
        let name = self.name_of(wish)?;
        let channel = self.wished(&name, &wish.settings)?;
        self.check_fallback(&name, &channel)?;
        if !says_where_to(&channel)
            && let Some(other) = self.leaning_on(&name)
        {
            let why = format!(
                "`{other}` has `{name}` as its fallback, which must say where to; give `{other}` \
                 another first."
            );
            return Err(Refused::Unable(why));
        }
        let way = Way::of(&channel).map_err(|error| Refused::Wrong(format!("{error:#}.")))?;
        let fields: Map<String, Value> =
            channel.texts().map(|(field, value)| (field.to_owned(), value.into())).collect();
        let kind = channel.kind.name();
        let sealed = self.vault.seal(&about(&name, kind), &bytes(&fields));
        let sealed = sealed.map_err(|error| Refused::Unable(format!("{error:#}")))?;
        let mut manners = channel.saying();
        manners.retain(|name, _| name != "kind" && !fields.contains_key(name));
        let row = MadeChannel {
            name: name.clone().into(),
            kind: kind.into(),
            manners: Value::Object(manners).to_string().into(),
            sealed: sealed.into(),
            changed_at: now,
        };
        self.access.put_made_channel(&row).map_err(failed)?;
        let made = Made { row, channel: Some(channel), trouble: None, way: Arc::new(way) };
        Ok(self.write().insert(name.into(), made).is_none())
    }

    /// Removes a channel that was made.
    pub fn remove(&self, name: &str) -> Result<(), Refused> {
        let name = name.to_lowercase();
        if !self.read().contains_key(&*name) {
            if self.configured.channel(&name).is_some() {
                return Err(Refused::Unable(of_configuration(&name)));
            }
            return Err(Refused::Unknown);
        }
        if let Some(other) = self.leaning_on(&name) {
            let why = format!("`{other}` has `{name}` as its fallback; give it another first.");
            return Err(Refused::Unable(why));
        }
        self.access.remove_made_channel(&name).map_err(failed)?;
        self.write().remove(&*name);
        Ok(())
    }

    /// A channel that was made and has this one as its fallback.
    fn leaning_on(&self, name: &str) -> Option<String> {
        let made = self.read();
        let leans = |(other, made): &(&str, &Made)| {
            let manners = made.channel.as_ref().map(|channel| &channel.manners);
            let fallback = manners.and_then(|manners| manners.fallback.as_deref());
            *other != name && fallback.is_some_and(|fallback| fallback.to_lowercase() == name)
        };
        made.iter()
            .map(|(other, made)| (&**other, made))
            .find(leans)
            .map(|(other, _)| other.to_owned())
    }

    fn name_of(&self, wish: &ChannelWish) -> Result<String, Refused> {
        let name = wish.name.trim().to_lowercase();
        if !sentinel::is_plain_name(&name) || name.chars().count() > NAME_CHARS_MAX {
            return Err(Refused::Wrong(format!(
                "A channel's name is a letter, then letters, digits, `_` and `-`, at most \
                 {NAME_CHARS_MAX} together, and no word of the language."
            )));
        }
        if ChannelKind::named(&name).is_some() {
            let why = format!("`{name}` is a kind of channel; choose another name.");
            return Err(Refused::Unable(why));
        }
        if self.configured.channel(&name).is_some() {
            return Err(Refused::Unable(of_configuration(&name)));
        }
        let made = self.read();
        let is_there = made.contains_key(&*name);
        if is_there && wish.is_new {
            let why = format!("There is a channel `{name}` already; choose another name.");
            return Err(Refused::Unable(why));
        }
        if !is_there && made.len() >= MADE_MAX {
            let why = format!("There are {MADE_MAX} channels; remove one first.");
            return Err(Refused::Unable(why));
        }
        Ok(name)
    }

    /// The channel that is wished for. What it says as it is shown stays as it is stored, but is
    /// sent to no other server.
    fn wished(&self, name: &str, said: &Map<String, Value>) -> Result<Channel, Refused> {
        let wrong = |text: String| Refused::Wrong(text);
        let long = |value: &Value| {
            value.as_str().is_some_and(|text| text.chars().count() > VALUE_CHARS_MAX)
        };
        if let Some((field, _)) = said.iter().find(|(_, value)| long(value)) {
            let text = format!("`{field}` has more than {VALUE_CHARS_MAX} characters.");
            return Err(wrong(text));
        }
        if let Some(kind) = said.get("kind").and_then(Value::as_str)
            && ChannelKind::named(kind).is_some()
            && !ChannelKind::makeable().any(|one| one.name() == kind)
        {
            let text = format!("A channel of kind {kind} is made in the configuration alone.");
            return Err(wrong(text));
        }
        let made = self.read();
        let stored = made.get(name).filter(|made| made.trouble.is_none());
        let stored = stored.and_then(|made| made.channel.as_ref());
        let mut said = said.clone();
        let kept = stored.map(|stored| keep(stored, &mut said)).unwrap_or_default();
        let masked = said.iter().find(|(_, value)| is_masked(value));
        if let Some((field, _)) = masked {
            return Err(wrong(format!("`{field}` is not given in full; write all of it.")));
        }
        let channel = Channel::of_json(&said).map_err(|error| wrong(format!("{error:#}.")))?;
        if !ChannelKind::makeable().any(|kind| kind == channel.kind) {
            let kind = channel.kind.name();
            let text = format!("A channel of kind {kind} is made in the configuration alone.");
            return Err(wrong(text));
        }
        if stored.is_some_and(|stored| server(stored) != server(&channel))
            && let Some(field) = kept.first()
        {
            let text = format!("`url` is another server now: give `{field}` again.");
            return Err(wrong(text));
        }
        Ok(channel)
    }

    fn check_fallback(&self, name: &str, channel: &Channel) -> Result<(), Refused> {
        let Some(fallback) = &channel.manners.fallback else { return Ok(()) };
        let fallback = fallback.to_lowercase();
        let made = self.read();
        let other = self.configured.channel(&fallback);
        let other = other.or_else(|| made.get(&*fallback)?.channel.as_ref());
        let fits = match other {
            Some(other) => says_where_to(other),
            None => ChannelKind::named(&fallback)
                .is_some_and(|kind| kind.is_built_in() && !kind.needs_contact()),
        };
        if fits && fallback != name {
            return Ok(());
        }
        Err(Refused::Wrong(format!(
            "`fallback` is `{fallback}`; it must be another channel that says where to, or \
             interactive."
        )))
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<Box<str>, Made>> {
        // The map is whole after every statement that can panic.
        self.made.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<Box<str>, Made>> {
        self.made.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether it can be told without a contact of a sentinel.
fn says_where_to(channel: &Channel) -> bool {
    channel.contact.is_some() || !channel.kind.needs_contact()
}

fn of_configuration(name: &str) -> String {
    format!("`{name}` is a channel of the configuration; change it in tidings.toml.")
}

fn failed(error: StoreError) -> Refused {
    Refused::Failed(format!("This could not be stored: {error}."))
}

fn bytes(fields: &Map<String, Value>) -> Vec<u8> {
    serde_json::to_vec(fields).expect("texts are JSON")
}

/// Puts back what is stored where `said` says it as it is shown; gives the secrets among that.
fn keep(stored: &Channel, said: &mut Map<String, Value>) -> Vec<String> {
    let same = said.get("kind").and_then(Value::as_str) == Some(stored.kind.name());
    let mut kept = Vec::new();
    for (name, shown) in stored.shown().iter().filter(|_| same) {
        let Some(value) = said.get_mut(name).filter(|value| *value == shown) else { continue };
        if !is_masked(shown) {
            continue;
        }
        *value = stored.saying()[name].clone();
        if is_secret(stored.kind, name) {
            kept.push(name.clone());
        }
    }
    kept
}

/// Whether a value is what is shown in the place of a secret.
fn is_masked(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text == "…" || text.ends_with("/…"))
}

/// Where a channel's requests go, as far as it says.
fn server(channel: &Channel) -> Option<(String, Option<String>, Option<u16>)> {
    let url = channel.texts().find(|(name, _)| *name == "url")?.1;
    let url = Url::parse(&url).ok()?;
    let host = url.host_str().map(str::to_owned);
    Some((url.scheme().to_owned(), host, url.port_or_known_default()))
}

#[cfg(test)]
mod tests;
