//! What pages say of when they changed, on its way to the scheduler.

use super::content;
use chronon::{BlobId, Instant, Span};
use graph::Outline;
use kernel::io::{
    ApplyMode, Computation, Done, Effect, Fetched, Input, Probe, ProbeEnd, RequestId, Shown, Task,
};
use kernel::record::Snapshot;
use kernel::{Config, Kernel, Proposal};
use page::Kind;
use schedule::SourceRecord;

const START: Instant = Instant::from_millis(1_800_000_000_000);
const TEXT: &str = "create sentinel s using https://a.example/ monitor links fetch every 2 hours";

/// What a look's content says of times, by when the look began.
type Says = fn(Instant) -> Vec<Instant>;

/// A server whose page changes for every look, and tells somebody if `is_told`, after a day; what
/// it learned of the page.
fn learned(kind: Kind, says: Says, modified: Option<Span>, is_told: bool) -> SourceRecord {
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), START);
    kernel.step(START, Input::Started);
    let apply =
        kernel.application(START, RequestId(1), Proposal::of_system(TEXT, ApplyMode::Upsert));
    let (mut now, mut inputs, mut looks) = (START, vec![apply], 0_u8);
    while now < START + Span::DAY {
        let output = kernel.step(now, inputs.pop().unwrap_or(Input::Tick));
        for effect in output.effects {
            inputs.extend(match effect {
                Effect::Start(Task::Probe(Probe { ticket, start, .. })) => {
                    looks += 1;
                    let ProbeEnd::Content(mut facts, _) = content(looks) else { unreachable!() };
                    facts.kind = kind;
                    facts.modified_at = modified.map(|ago| start - ago);
                    let shown = Shown { dates: says(start), ..Shown::default() };
                    let outcome = ProbeEnd::Content(facts, shown).into();
                    let (body_bytes, wire_bytes, took) = (1, 1, Span::ZERO);
                    let fetched = Fetched { outcome, body_bytes, wire_bytes, took };
                    Some(Input::Done { ticket, done: Done::Fetched(fetched) })
                }
                Effect::Start(Task::Compute(Computation::Compare { ticket, request, .. })) => {
                    let hits = request
                        .comparisons
                        .iter()
                        .map(|c| Some(vec![u32::from(is_told); c.leaves.len()]));
                    let outline = Outline { result: BlobId([9; 32]), comparisons: hits.collect() };
                    Some(Input::Done { ticket, done: Done::Compared(outline, None) })
                }
                _ => None,
            });
        }
        if inputs.is_empty() {
            now = kernel.next_deadline().expect("there is always a next look").max(now);
        }
    }
    let folded = kernel.fold(now).schedule.pop().expect("a source is known");
    assert!(folded.probes >= 10, "{}", folded.probes);
    folded
}

/// Two entries since the look before, and an old one.
fn two(start: Instant) -> Vec<Instant> {
    [Span::DAY, Span::HOUR, Span::MINUTE].map(|ago| start - ago).to_vec()
}

#[test]
fn entries_of_a_feed_are_counted_by_their_dates() {
    let [dated, plain] = [two as Says, |_| Vec::new()].map(|says| {
        let record = learned(Kind::Feed, says, None, true);
        (record.learned.numbers()[0], record.dates & 15, record.dates >> 4)
    });
    assert!(dated.1 > 0 && dated.2 == 0 && (plain.1, plain.2) == (0, 0));
    assert!(dated.0 > 1.5 * plain.0, "{dated:?} {plain:?}");
}

#[test]
fn dates_ahead_are_wrong_and_those_of_the_look_itself_say_nothing() {
    let ahead = learned(Kind::Html, |start| vec![start + Span::HOUR], None, true).dates;
    assert!(ahead >> 4 > 0 && ahead & 15 == 0);
    assert_eq!(learned(Kind::Html, |start| vec![start], None, true).dates, 0);
}

#[test]
fn last_modified_speaks_where_the_content_does_not() {
    let says = |ago| learned(Kind::Html, |_| Vec::new(), Some(ago), true).dates;
    assert!(says(Span::MINUTE) & 15 > 0);
    assert_eq!((says(Span::ZERO), says(Span::DAY)), (0, 0));
}

#[test]
fn what_nobody_is_told_of_has_no_times() {
    assert_eq!(learned(Kind::Feed, two, None, false).dates, 0);
}
