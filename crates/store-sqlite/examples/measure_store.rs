//! Measures the store on this machine's disk: `cargo run --release -p store-sqlite --example
//! measure [FOLDER] [SOURCES]`.

use chronon::{Instant, SentinelId, SourceId, Span, StreamId, VersionNo};
use kernel::Record;
use kernel::record::{
    ExtractRef, KeptValidators, ProbeOutcome, ProbeRow, SentinelLife, SentinelRow, SentinelState,
    SourceRow, Strand, StreamRow, StreamSpec, VersionFacts, VersionRow,
};
use std::path::Path;
use std::time::Instant as Clock;
use store::{Batch, Store, StoreError, blob};
use store_sqlite::SqliteStore;

const AT: Instant = Instant::from_millis(1_800_000_000_000);

fn source(id: u32) -> Record {
    let url = format!("https://host{}.example/some/path/of/a/page/{id}", id % 5_000);
    Record::Source(Box::new(SourceRow {
        next_stream: 2,
        version: 1,
        newest: 1,
        fingerprint: [id as u8; 32],
        extractor: 1,
        last_success: Some(AT),
        last_unconditional: Some(AT),
        validators: KeptValidators::new(Some("\"5f3e-1a2b3c4d5e\""), None, ""),
        ..SourceRow::new(SourceId(id), url.as_str().into(), AT)
    }))
}

fn learned(id: u32) -> Record {
    Record::Schedule(schedule::SourceRecord {
        source: SourceId(id),
        learned: schedule::rate::Learner::from_numbers([1.2, 5e4, 7.9, 3e5, 0.1, 6.3]),
        score: 0.0,
        last_probe: Some(AT),
        last_success: Some(AT),
        failures: 0,
        probes: 1,
        changes: 1,
        company: Vec::new(),
        dates: 0,
    })
}

/// What one sentinel on a source of its own leaves behind.
fn watched(id: u32) -> Vec<Record> {
    let sentinel = SentinelRow {
        id: SentinelId(id.into()),
        name: format!("sentinel{id}").into(),
        generation: 1,
        text: format!(
            "create sentinel sentinel{id} using https://host.example/{id} monitor all \
            links and keywords oil, gas fetch on change notify by webhook immediately"
        )
        .into(),
        others: Box::default(),
        source: SourceId(id),
        created_at: AT,
        defined_at: AT,
    };
    let life = SentinelLife {
        id: SentinelId(id.into()),
        state: SentinelState::Active,
        since: Some(AT),
        until: None,
        stream: Some(StreamId::of(SourceId(id), 1)),
        first_index: 1,
        seq: 0,
        not_evaluated: "".into(),
        blind: None,
        worry: None,
        started: None,
        from: None,
        to: None,
        others: Box::default(),
        snoozed: None,
        going: None,
    };
    let place = graph::Position::Within { history: 0, nth: 1 };
    let element = graph::Element { index: 1, version: VersionNo(1), fetched_at: AT, place };
    let strand = Strand { kind: page::Kind::Html, fingerprint: [id as u8; 32] };
    let stream = StreamRow {
        id: StreamId::of(SourceId(id), 1),
        source: SourceId(id),
        spec: StreamSpec::OnChange,
        elements: vec![element],
        strands: vec![strand],
        shown: 0,
        captures: None,
        next_ei: 0,
    };
    let (sentinel, stream) = (Record::Sentinel(Box::new(sentinel)), Record::Stream(stream));
    vec![sentinel, Record::SentinelLife(life), stream, source(id), learned(id)]
}

/// What a probe leaves behind that found nothing new.
fn unchanged(id: u32, number: u64) -> Vec<Record> {
    let probe = ProbeRow {
        source: SourceId(id),
        number,
        start: AT,
        took: Span::from_millis(120),
        body_bytes: 0,
        wire_bytes: 0,
        led_to: None,
        outcome: ProbeOutcome::NotModified,
        reason: schedule::Reason::Freshness { interval: Span::HOUR },
    };
    vec![Record::Probe(probe), source(id), learned(id)]
}

/// A page of about 80 kB whose `number` % 50-th item is new.
fn page_text(id: u32, number: u32) -> Vec<u8> {
    let item = |n: u32| {
        let word = blake3::hash(&(u64::from(id) << 32 | u64::from(n)).to_le_bytes()).to_hex();
        let news = if n == number % 400 { number } else { 0 };
        format!(
            "<li class=\"item\"><a href=\"/news/{n}/{}\">{} {news}</a> <p>{word}</p></li>\n",
            &word[..12],
            &word[12..40]
        )
    };
    (0..500).flat_map(|n| item(n).into_bytes()).collect()
}

fn version(id: u32, number: u32) -> Batch {
    let text = page_text(id, number);
    let extract: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'<').collect();
    let (body, extract) = (blob(text), blob(extract));
    let facts = VersionFacts {
        fingerprint: [number as u8; 32],
        kind: page::Kind::Html,
        odd: None,
        body: body.0,
        extracts: ExtractRef { extractor: 1, blob: extract.0 }.of_page(),
        status: 200,
        media_type: "text/html; charset=utf-8".into(),
        final_url: "https://host.example/".into(),
        etag: None,
        last_modified: None,
        modified_at: None,
        summary: "page, 500 words, 500 links".into(),
    };
    let row = VersionRow {
        source: SourceId(id),
        number: VersionNo(number),
        fetched_at: AT,
        held: false,
        facts,
    };
    let mut records = unchanged(id, u64::from(number));
    records.push(Record::Version(Box::new(row)));
    Batch { records, blobs: vec![body, extract] }
}

fn plain(records: Vec<Record>) -> Batch {
    Batch { records, blobs: Vec::new() }
}

fn measure(folder: &Path, sources: u32) -> Result<(), StoreError> {
    let path = folder.join("measured.db");
    let mut store = SqliteStore::open(&path, [1; 16])?;
    let timed = |what: &str, count: u32, start: Clock| {
        let seconds = start.elapsed().as_secs_f64();
        println!("{what:<52} {seconds:>8.2} s  {:>9.0} /s", f64::from(count) / seconds);
    };
    let start = Clock::now();
    for first in (1..=sources).step_by(2_000) {
        let ids = first..=sources.min(first + 1_999);
        store.append(&plain(ids.flat_map(watched).collect()))?;
    }
    timed("sentinels with source and stream, 2,000 a batch", sources, start);
    let start = Clock::now();
    let snapshot = store.reader().snapshot()?;
    assert_eq!(snapshot.sentinels.len(), sources as usize);
    timed("of them loaded in a snapshot", sources, start);
    let start = Clock::now();
    (1..=300).try_for_each(|n| store.append(&plain(unchanged(n, 1))))?;
    timed("unchanged probes, one a batch (one sync each)", 300, start);
    let start = Clock::now();
    for batch in 0..20u32 {
        let ids = batch * 1_000 + 1..=batch * 1_000 + 1_000;
        store.append(&plain(ids.flat_map(|id| unchanged(1 + id % sources, 2)).collect()))?;
    }
    timed("unchanged probes, 1,000 a batch", 20_000, start);
    versions(&mut store, &timed)?;
    let size = std::fs::metadata(&path).map_or(0, |file| file.len());
    println!("file {} MB", size >> 20);
    Ok(())
}

fn versions(store: &mut SqliteStore, timed: &dyn Fn(&str, u32, Clock)) -> Result<(), StoreError> {
    let batches: Vec<Batch> =
        (1..=50).flat_map(|number| (1..=20).map(move |id| version(id, number))).collect();
    let bytes: usize = batches.iter().flat_map(|batch| &batch.blobs).map(|(_, b)| b.len()).sum();
    let start = Clock::now();
    for batch in batches.chunks(20) {
        let mut whole = Batch::default();
        for one in batch {
            whole.records.extend(one.records.iter().cloned());
            whole.blobs.extend(one.blobs.iter().cloned());
        }
        store.append(&whole)?;
    }
    timed(
        &format!("versions with extract, {} kB each, 20 a batch", bytes / 1_000_000),
        batches.len() as u32,
        start,
    );
    let start = Clock::now();
    let reader = store.reader();
    for (id, _) in batches.iter().flat_map(|batch| &batch.blobs) {
        assert!(reader.blob(*id)?.is_some());
    }
    timed("blobs read back", 2 * batches.len() as u32, start);
    Ok(())
}

fn main() -> Result<(), StoreError> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map_or_else(std::env::temp_dir, Into::into);
    let sources = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let folder = folder.join(format!("tidings-measure-{}", std::process::id()));
    let failed = |error: std::io::Error| StoreError::Failed(error.to_string());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let measured = measure(&folder, sources);
    std::fs::remove_dir_all(&folder).map_err(failed)?;
    measured
}
