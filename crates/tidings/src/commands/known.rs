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
use std::path::Path;

/// What texts are checked against.
pub struct Known {
    kernel: Kernel,
    pub config: kernel::Config,
    pub now: Instant,
    /// Why nothing that is stored is known, where that is so.
    unknown: Option<String>,
}

impl Known {
    pub fn of(settings: &Settings) -> Result<Known> {
        let mut config = launch::kernel_config(settings)?;
        Book::tell_of(settings, &mut config);
        let now = Clock::start().now();
        let database = settings.data_folder().join("tidings.db");
        let (stored, unknown) = match stored(&database) {
            Ok(stored) => (stored, None),
            Err(why) => (Snapshot::default(), Some(why)),
        };
        let kernel = Kernel::load(config.clone(), stored, now);
        Ok(Known { kernel, config, now, unknown })
    }

    /// Checks a text as `apply` would.
    pub fn check(&self, text: &str) -> Checked {
        let purpose = Purpose::Check(Redefine::Replace);
        let occasion = Occasion { owner: OwnerId::FIRST, purpose, now: self.now };
        let mut checked = self.kernel.vet(Parsed::of(text).compiled(), occasion).checked;
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

/// What is stored, whoever writes it; or why that is not known.
fn stored(database: &Path) -> Result<Snapshot, String> {
    let store = database.display();
    match database.try_exists() {
        Ok(true) => store_sqlite::reader(database)
            .snapshot()
            .map_err(|error| format!("the store at {store} cannot be read: {error}")),
        Ok(false) => Err(format!("there is no store at {store} to ask; name its --data-dir")),
        Err(error) => Err(format!("the store at {store} cannot be read: {error}")),
    }
}
