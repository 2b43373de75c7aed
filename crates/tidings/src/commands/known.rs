//! What a command that asks no server knows all the same: the settings, and the store beside them
//! with its sentinels, rules and channels.

use crate::book::Book;
use crate::clock::Clock;
use crate::launch;
use crate::settings::Settings;
use anyhow::Result;
use chronon::{Instant, OwnerId};
use kernel::{Definitions, Occasion, Purpose, Rules};
use sentinel::{Checked, Parsed, Redefine};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What texts are checked against.
pub struct Known {
    definitions: Definitions,
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
            definitions: Definitions::default(),
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
        (self.definitions, self.unknown) = match stored(&self.database) {
            Ok(stored) => (stored, None),
            Err(why) => (Definitions::default(), Some(why)),
        };
    }

    /// Reads again what is stored, if something was written since. The channels stay as they were.
    pub fn renew(&mut self) {
        if self.written != written(&self.database) {
            self.read();
        }
    }

    /// Checks a text as `apply` would.
    pub fn check(&self, text: &str) -> Checked {
        let purpose = Purpose::Check(Redefine::Replace);
        let owner = OwnerId::FIRST;
        let occasion = Occasion { owner, purpose, now: self.clock.now() };
        let standing = |name: &str| self.definitions.standing(owner, name, &self.rules);
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
        // Another page makes a new generation; the earlier one keeps its row for a while.
        let anew = "create sentinel news using https://e.example/";
        call("PUT", "/sentinels/news", anew).await;
        call("DELETE", "/sentinels/gone", "").await;
        api.close().await.expect("nothing stood in its way");
        crate::commands::settings(&common, &[]).expect("the defaults")
    }

    #[tokio::test]
    async fn what_is_read_by_name_is_what_a_kernel_knows() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = kept(folder.path()).await;
        let known = Known::of(&settings).expect("read");
        assert_eq!(known.unknown, None);
        let snapshot: Snapshot =
            store_sqlite::reader(&known.database).snapshot().expect("it is there");
        let kernel = Kernel::load(known.config.clone(), snapshot, known.now);
        let mut found = 0;
        for name in ["News", "été", "over", "gone", "both", "hears", "alarm", "nobody"] {
            let owner = OwnerId::FIRST;
            let slow = kernel
                .standing(owner, name)
                .map(|standing| kernel::vetting::Standing { hangs_on: Box::default(), ..standing });
            assert_eq!(known.definitions.standing(owner, name, &known.rules), slow, "{name}");
            found += u32::from(slow.is_some());
        }
        assert_eq!(found, 6, "one is removed, and one never was");
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
    }
}
