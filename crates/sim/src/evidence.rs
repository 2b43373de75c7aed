//! A machine whose pages flicker, for tests of what the evidence of it costs in memory.

use crate::disk::{Disk, Medium};
use crate::pace::Pace;
use crate::shell::{Shell, Wish};
use crate::web::{self, Reply};
use chronon::{Instant, OwnerId, Span};
use kernel::Kernel;

/// Between two looks at a page.
const INTERVAL: Span = Span::from_secs(600);

/// The server's own kernel, and its store in a file, after many looks. The simulated web is gone.
pub struct Machine {
    pub kernel: Kernel,
    /// `None`: closed. What it keeps at hand of blobs has budgets of its own.
    disk: Option<Disk>,
    urls: Vec<String>,
}

/// Watches `sources` pages for any change, and looks at each `looks` times; `page` gives what one
/// shows at a look. Nothing is told, so that machines differ in what they learned alone.
///
/// # Errors
/// The store fails, or the kernel asks again and again at one instant.
pub fn machine(
    sources: u32,
    looks: u32,
    page: impl Fn(u32, u32) -> String,
) -> Result<Machine, String> {
    let begin = Instant::from_millis(1_800_000_000_000);
    let mut config = kernel::Config::new(2);
    config.schedule.budget = f64::from(sources);
    config.schedule.host_interval = Span::ZERO;
    let disk = Disk::new(Medium::Sqlite)?;
    let mut shell = Shell::with_disk(config, Pace::Instant, begin, disk);
    let url = |source: u32| format!("https://h{source}.example/");
    for source in 0..sources {
        for look in 0..looks {
            shell.web.show(
                &url(source),
                begin + INTERVAL.times(look.into()),
                reply(page(source, look)),
            );
        }
        let text = format!(
            "create sentinel s{source} using {} monitor any change matching \"no page says so\" from 2027-01-15 08:00 fetch every 10 minutes notify by interactive",
            url(source)
        );
        shell.wish(begin, Wish::Apply { name: format!("s{source}").into(), text: text.into() });
    }
    let end = begin + INTERVAL.times(looks.into()) - Span::from_secs(1);
    while shell.advance(end)? {
        drop(shell.take_seen());
    }
    let (kernel, disk) = shell.into_parts().ok_or("the machine is down")?;
    Ok(Machine { kernel, disk: Some(disk), urls: (0..sources).map(url).collect() })
}

fn reply(body: String) -> Reply {
    Reply::Page(web::Page {
        status: 200,
        media_type: "text/html".into(),
        etag: None,
        last_modified: None,
        retry_after: None,
        body: body.as_bytes().into(),
    })
}

/// What the store has of all sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    pub versions: u64,
    /// Bytes of evidence.
    pub evidence: u64,
}

impl Machine {
    /// Closes the store, and forgets which pages there are: only the kernel is left.
    pub fn close(&mut self) {
        (self.disk, self.urls) = (None, Vec::new());
    }

    /// # Errors
    /// The store is closed, or cannot be read.
    pub fn stored(&self) -> Result<Stored, String> {
        let reader = self.disk.as_ref().ok_or("the store is closed")?.reader();
        let mut stored = Stored { versions: 0, evidence: 0 };
        for url in &self.urls {
            let source = self.kernel.source_by_url(OwnerId::FIRST, url).ok_or("not watched")?;
            let habits = reader.habits(source).map_err(|error| error.to_string())?;
            stored.evidence += habits.map_or(0, |row| row.learned.len() as u64);
            let newest = reader.versions(source, None, 1).map_err(|error| error.to_string())?;
            stored.versions += newest.first().map_or(0, |row| u64::from(row.number.0));
        }
        Ok(stored)
    }
}
