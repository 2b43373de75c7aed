//! What a command that asks no server knows all the same: the settings, and the store beside them
//! with its sentinels, rules and channels.

use crate::book::Book;
use crate::clock::Clock;
use crate::launch;
use crate::settings::Settings;
use anyhow::Result;
use chronon::{Instant, OwnerId};
use kernel::{Kernel, Occasion, Purpose, Snapshot};
use sentinel::{Checked, Parsed, Redefine};
use std::path::{Path, PathBuf};

/// What texts are checked against.
pub struct Known {
    kernel: Kernel,
    pub config: kernel::Config,
    pub now: Instant,
    /// Where there is no store that can be read: its names are not known.
    missing: Option<PathBuf>,
}

impl Known {
    pub fn of(settings: &Settings) -> Result<Known> {
        let mut config = launch::kernel_config(settings)?;
        Book::tell_of(settings, &mut config);
        let now = Clock::start().now();
        let database = settings.data_folder().join("tidings.db");
        let stored = stored(&database);
        let missing = stored.is_none().then_some(database);
        let kernel = Kernel::load(config.clone(), stored.unwrap_or_default(), now);
        Ok(Known { kernel, config, now, missing })
    }

    /// Checks a text as `apply` would.
    pub fn check(&self, text: &str) -> Checked {
        let purpose = Purpose::Check(Redefine::Replace);
        let occasion = Occasion { owner: OwnerId::FIRST, purpose, now: self.now };
        let mut checked = self.kernel.vet(Parsed::of(text).compiled(), occasion).checked;
        let Some(missing) = &self.missing else { return checked };
        let unknown = |message: &str| message.starts_with("there is no sentinel `");
        for one in checked.diagnostics.iter_mut().filter(|one| unknown(&one.message)) {
            let store = missing.display();
            let here = format!(
                "a server may have it: there is no store at {store} to ask; name its --data-dir"
            );
            one.help = Some(match one.help.take() {
                Some(help) => format!("{help}; {here}"),
                None => here,
            });
        }
        checked
    }
}

/// What is stored, whoever writes it; nothing where it cannot be read.
fn stored(database: &Path) -> Option<Snapshot> {
    let reader = database.exists().then(|| store_sqlite::reader(database))?;
    match reader.snapshot() {
        Ok(snapshot) => Some(snapshot),
        Err(error) => {
            tracing::debug!(%error, "what is stored is not known here");
            None
        }
    }
}
