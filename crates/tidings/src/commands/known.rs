//! What a command that asks no server knows all the same: the settings, and the store beside them
//! with its sentinels, rules and channels.

use crate::book::Book;
use crate::clock::Clock;
use crate::launch;
use crate::settings::Settings;
use anyhow::Result;
use chronon::{Instant, OwnerId};
use kernel::{Defined, Definitions, Occasion, Purpose, Rules};
use sentinel::{Checked, Parsed, Redefine};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What texts are checked against.
pub struct Known {
    defined: Defined,
    rules: Rules,
    pub config: kernel::Config,
    clock: Clock,
    pub now: Instant,
    database: PathBuf,
    /// When the files of the store were written last, as it was read.
    written: [Option<SystemTime>; 2],
    /// Why nothing that is stored is known, where that is so.
    unknown: Option<String>,
}

impl Known {
    pub fn of(settings: &Settings) -> Result<Known> {
        let mut config = launch::kernel_config(settings)?;
        Book::tell_of(settings, &mut config);
        let clock = Clock::start();
        let mut known = Known {
            defined: Defined::default(),
            rules: Rules::of(&config),
            config,
            now: clock.now(),
            clock,
            database: settings.data_folder().join("tidings.db"),
            written: [None; 2],
            unknown: None,
        };
        known.read();
        Ok(known)
    }

    fn read(&mut self) {
        self.written = written(&self.database);
        (self.defined, self.unknown) = match stored(&self.database) {
            Ok(stored) => (stored.into(), None),
            Err(why) => (Defined::default(), Some(why)),
        };
    }

    /// Reads again what is stored, if something was written since, or it could not be read. The
    /// channels stay as they were.
    pub fn renew(&mut self) {
        if self.unknown.is_some() || self.written != written(&self.database) {
            self.read();
        }
    }

    /// Checks a text as `apply` would.
    pub fn check(&self, text: &str) -> Checked {
        let purpose = Purpose::Check(Redefine::Replace);
        let owner = OwnerId::FIRST;
        let occasion = Occasion { owner, purpose, now: self.clock.now() };
        let standing = |name: &str| self.defined.standing(owner, name, &self.rules);
        let vetted = self.rules.vet_with(Parsed::of(text).compiled(), occasion, standing);
        let mut checked = vetted.checked;
        let Some(why) = &self.unknown else { return checked };
        let unknown = |message: &str| message.starts_with("there is no sentinel `");
        for one in checked.diagnostics.iter_mut().filter(|one| unknown(&one.message)) {
            let here = format!("a server may have it: {why}");
            one.help = Some(match one.help.take() {
                Some(help) => format!("{help}; {here}"),
                None => here,
            });
        }
        checked
    }
}

/// When the store was written last, and its log.
fn written(database: &Path) -> [Option<SystemTime>; 2] {
    let log = database.with_extension("db-wal");
    [database, &log].map(|file| std::fs::metadata(file).and_then(|file| file.modified()).ok())
}

/// What is stored, whoever writes it; or why that is not known.
fn stored(database: &Path) -> Result<Definitions, String> {
    let store = database.display();
    match database.try_exists() {
        Ok(true) => store_sqlite::reader(database)
            .definitions()
            .map_err(|error| format!("the store at {store} cannot be read: {error}")),
        Ok(false) => Err(format!("there is no store at {store} to ask; name its --data-dir")),
        Err(error) => Err(format!("the store at {store} cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Common;
    use crate::client::Api;
    use chronon::SentinelId;
    use kernel::record::SentinelState;
    use kernel::{Kernel, Snapshot};

    /// A data directory with sentinels, a rule and an event.
    async fn kept(folder: &Path) -> Settings {
        let data_dir = Some(folder.join("data"));
        let common = Common { config: None, data_dir, json: false };
        let api = Api::open(&common).await.expect("nobody has it");
        let texts = "create sentinel news using https://a.example/ monitor links\n\
                     create sentinel `Été` using https://b.example/ \n\
                     create sentinel over using https://c.example/ from now to now + 1 day\n\
                     create sentinel gone using https://d.example/\n\
                     create rule hears on event alarm do notify by interactive\n\
                     create rule both on news and over do raise alarm";
        let call = async |method: &str, path: &str, text: &str| {
            let answer = api.call(method, path, Some(text.to_owned())).await.expect("asked");
            assert!((200..300).contains(&answer.status), "{path}: {}", answer.json);
        };
        call("POST", "/sentinels?mode=upsert", texts).await;
        // Another page makes a new generation.
        let anew = "create sentinel news using https://e.example/";
        call("PUT", "/sentinels/news", anew).await;
        call("DELETE", "/sentinels/gone", "").await;
        api.close().await.expect("nothing stood in its way");
        crate::commands::settings(&common, &[]).expect("the defaults")
    }

    /// Which of the names stand, once it is held that a kernel says the same of each.
    fn standing(known: &Known, snapshot: &Snapshot) -> Vec<&'static str> {
        let kernel = Kernel::load(known.config.clone(), snapshot.clone(), known.now);
        let defined = Defined::from(Definitions::from(snapshot.clone()));
        let mut names = vec!["News", "été", "over", "gone", "both", "hears", "alarm", "nobody"];
        names.retain(|name| {
            let of_kernel = kernel.standing(OwnerId::FIRST, name);
            let of_kernel =
                of_kernel.map(|one| kernel::vetting::Standing { hangs_on: Box::default(), ..one });
            let found = defined.standing(OwnerId::FIRST, name, &known.rules);
            assert_eq!(found, of_kernel, "{name}");
            found.is_some()
        });
        names
    }

    #[tokio::test]
    async fn what_is_read_by_name_is_what_a_kernel_knows() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = kept(folder.path()).await;
        let known = Known::of(&settings).expect("read");
        assert_eq!(known.unknown, None);
        let reader = store_sqlite::reader(&known.database);
        let mut snapshot: Snapshot = reader.snapshot().expect("it is there");
        let all = ["News", "été", "over", "both", "hears", "alarm"];
        assert_eq!(standing(&known, &snapshot), all);
        // An earlier generation whose windows are still open.
        let news = snapshot.sentinels.iter().find(|(row, _)| &*row.name == "news");
        let (mut row, mut life) = news.expect("it stands").clone();
        row.id = SentinelId::of(OwnerId::FIRST, 99);
        row.generation -= 1;
        (life.id, life.state, life.until) = (row.id, SentinelState::Ended, Some(known.now));
        snapshot.sentinels.push((row, life));
        assert_eq!(standing(&known, &snapshot), all);
        // Lives that are over, one of them without its end, and texts that cannot be read back.
        for (row, life) in &mut snapshot.sentinels {
            match &*row.name {
                "over" => life.state = SentinelState::Ended,
                "Été" => (life.state, life.until) = (SentinelState::Ended, Some(known.now)),
                _ => row.text = "create nothing".into(),
            }
        }
        for (row, _) in snapshot.rules.iter_mut().filter(|(row, _)| &*row.name == "hears") {
            row.text = "create nothing".into();
        }
        assert_eq!(standing(&known, &snapshot), ["été", "over", "both", "alarm"]);
        let defined = Defined::from(Definitions::from(snapshot));
        let ended = |name: &str| {
            defined.standing(OwnerId::FIRST, name, &known.rules).and_then(|one| one.ended)
        };
        assert_eq!(ended("été"), Some(known.now));
        assert!(ended("over") > Some(known.now), "when its text says");
    }

    #[tokio::test]
    async fn names_that_are_stored_later_are_known_once_it_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = Some(folder.path().join("data"));
        let common = Common { config: None, data_dir, json: false };
        let settings = crate::commands::settings(&common, &[]).expect("the defaults");
        let mut known = Known::of(&settings).expect("there is none yet");
        let text = "create sentinel a using news monitor images";
        let before = known.check(text).diagnostics;
        assert!(before[0].help.as_ref().is_some_and(|help| help.contains("there is no store")));
        kept(folder.path()).await;
        assert!(!known.check(text).is_ok());
        known.renew();
        assert_eq!(known.check(text).diagnostics, []);
        let missing = known.check("create sentinel a using gone").diagnostics;
        assert!(missing[0].message.starts_with("there is no sentinel `gone`"), "{missing:?}");
        // What could not be read is tried again, though nothing was written since.
        (known.defined, known.unknown) = (Defined::default(), Some("it was locked".to_owned()));
        known.renew();
        assert!(known.check(text).is_ok());
    }
}
