//! Watches pages until each has shown all its versions, and everything is told.

use super::histories::Page;
use anyhow::{Context, Result, bail};
use chronon::{Instant, Span};
use kernel::io::{ApplyMode, Delivery, Done, Effect, Fetched, Probe, ProbeEnd, RequestId, Task};
use kernel::record::VersionFacts;
use kernel::{Config, Input, Kernel, Proposal};
use outbox::DeliveryResult;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use store::{Batch, Blob, Reader, Store};
use store_sqlite::SqliteStore;

const NOW: Instant = Instant::from_millis(1_800_000_000_000);

/// Writes a store that has seen each version of each page, one at each look.
pub fn watch(pages: &[Page], monitored: &str, path: &Path) -> Result<()> {
    let mut server = Server::start(pages, path)?;
    let text: String = (0..pages.len())
        .map(|n| {
            format!(
                "create sentinel s{n} using {} monitor {monitored} notify by terminal\n",
                address(n)
            )
        })
        .collect();
    let proposal = Proposal::of_system(&text, ApplyMode::Create);
    let apply = server.kernel.application(NOW, RequestId(0), proposal);
    server.take(apply, Vec::new())?;
    while !server.is_done() {
        let next = server.kernel.next_deadline().context("a page is looked at again")?;
        server.now = server.now.max(next);
        server.take(Input::Tick, Vec::new())?;
    }
    Ok(())
}

fn address(n: usize) -> String {
    format!("https://host{n}.example/page/{n}")
}

struct Server<'p> {
    pages: &'p [Page],
    /// Versions that each page has shown.
    shown: Vec<usize>,
    kernel: Kernel,
    store: SqliteStore,
    reader: Arc<dyn Reader>,
    now: Instant,
    waiting: VecDeque<Task>,
}

impl<'p> Server<'p> {
    fn start(pages: &'p [Page], path: &Path) -> Result<Server<'p>> {
        let store = SqliteStore::open(path, [1; 16])?;
        let reader = store.reader();
        let mut config = Config::new(2);
        config.schedule.budget = 1e6;
        let kernel = Kernel::load(config, reader.snapshot()?, NOW);
        let (shown, waiting) = (vec![0; pages.len()], VecDeque::new());
        let mut server = Server { pages, shown, kernel, store, reader, now: NOW, waiting };
        server.take(Input::Started, Vec::new())?;
        Ok(server)
    }

    /// Each page was looked at once more after its last version.
    fn is_done(&self) -> bool {
        self.pages.iter().zip(&self.shown).all(|(page, shown)| *shown > page.versions.len())
    }

    /// One step, and all that follows from it.
    fn take(&mut self, input: Input, blobs: Vec<Blob>) -> Result<()> {
        self.step(input, blobs)?;
        while let Some(task) = self.waiting.pop_front() {
            let (input, blobs) = self.work(task)?;
            self.step(input, blobs)?;
        }
        Ok(())
    }

    fn step(&mut self, input: Input, blobs: Vec<Blob>) -> Result<()> {
        let output = self.kernel.step(self.now, input);
        if !output.records.is_empty() {
            self.store.append(&Batch { records: output.records, blobs })?;
        }
        for effect in output.effects {
            match effect {
                Effect::Start(task) => self.waiting.push_back(task),
                Effect::Prune(prune) => {
                    self.store.prune(&prune)?;
                    self.store.sweep(1_000)?;
                }
                Effect::Answer { .. } | Effect::Announce(_) => {}
            }
        }
        Ok(())
    }

    fn work(&mut self, task: Task) -> Result<(Input, Vec<Blob>)> {
        match task {
            Task::Probe(probe) => self.look(probe),
            Task::Deliver(Delivery { ticket, .. }) => {
                let done = Done::Delivered(DeliveryResult::Delivered);
                Ok((Input::Done { ticket, done }, Vec::new()))
            }
            Task::Compute(computation) => {
                let limits = page::Limits::default();
                let done = jobs::run(&*self.reader, &computation, &limits)?;
                Ok((done.input, done.blobs))
            }
        }
    }

    /// The next version of a page; the last one again, where it has shown all.
    fn look(&mut self, probe: Probe) -> Result<(Input, Vec<Blob>)> {
        let Probe { ticket, source, url, views, .. } = probe;
        let number: usize = url.rsplit('/').next().context("a number")?.parse()?;
        let (page, shown) = (&self.pages[number], &mut self.shown[number]);
        let body = &page.versions[(*shown).min(page.versions.len() - 1)];
        *shown += 1;
        let content = jobs::Content { body, content_type: Some(page.media), final_url: &url };
        let limits = page::Limits::default();
        let beside = jobs::Beside { reader: &*self.reader, source, known: None };
        let (end, blobs) = match jobs::read(beside, content, views, &limits) {
            Ok(jobs::Read::Same(standing)) => {
                (ProbeEnd::Content(Box::new(standing.facts), standing.shown), vec![])
            }
            Ok(jobs::Read::Fresh(read)) => {
                let shown = read.shown();
                let (facts, blobs) = read.into_facts();
                let facts = VersionFacts {
                    status: 200,
                    media_type: page.media.into(),
                    final_url: url.clone(),
                    ..facts
                };
                (ProbeEnd::Content(Box::new(facts), shown), blobs)
            }
            Err(why) => bail!("{url} cannot be read: {why}"),
        };
        let (body_bytes, took) = (body.len() as u64, Span::from_millis(100));
        let fetched = Fetched { outcome: end.into(), body_bytes, wire_bytes: body_bytes, took };
        Ok((Input::Done { ticket, done: Done::Fetched(fetched) }, blobs))
    }
}
