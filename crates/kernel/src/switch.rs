//! What one owner says reaches the others.

use crate::flights::Flight;
use crate::io::{Computation, Effect, Probe, Task};
use crate::kernel::Kernel;
use crate::{hear, watch};

impl Kernel {
    pub(crate) fn tell_watch(&mut self, input: watch::In) {
        self.watch.handle(self.now, input);
        self.settle();
    }

    pub(crate) fn tell_hear(&mut self, input: hear::In) {
        self.hear.handle(self.now, input);
        self.settle();
    }

    /// Hands on what was said until nobody says anything more.
    pub(crate) fn settle(&mut self) {
        loop {
            if let Some(out) = self.watch.poll() {
                self.watch_said(out);
            } else if let Some(out) = self.hear.poll() {
                self.hear_said(out);
            } else {
                return;
            }
        }
    }

    fn watch_said(&mut self, out: watch::Out) {
        let now = self.now;
        match out {
            watch::Out::Record(record) => self.out.records.push(record),
            watch::Out::Announce(what) => self.out.effects.push(Effect::Announce(what)),
            watch::Out::Warning(said) => self.warnings.push(said),
            watch::Out::Ask(asked) => self.ask(*asked),
            watch::Out::Reextract(stale) => {
                let ticket = self.flights.start(Flight::Reextract(stale));
                let watch::Stale { source, version } = stale;
                self.compute(Computation::Reextract { ticket, source, version });
            }
            watch::Out::Outdated(outdated) => self.prune_source(outdated),
            watch::Out::Opened { stream, source } => {
                self.hear.handle(now, hear::In::Opened { stream, source });
            }
            watch::Out::Closed { stream, source } => {
                self.waiting.remove(&stream);
                self.hear.handle(now, hear::In::Closed { stream, source });
            }
            watch::Out::Entered(entered) => self.hear.handle(now, hear::In::Entered(entered)),
            watch::Out::Decided { stream, source } => {
                if !self.hear.is_open(source, stream) {
                    self.settle_windows(stream);
                }
            }
            watch::Out::Looked { source, start } => {
                self.hear.handle(now, hear::In::Looked { source, start });
            }
            watch::Out::Still(source) => self.leave_when_quiet(source),
            watch::Out::Failing { source, since, why } => self.tell_failing(source, since, &why),
            watch::Out::Answers(source) => self.tell_recovered(source),
            watch::Out::BeginsAnew(source) => self.start_streams_anew(source),
        }
    }

    fn hear_said(&mut self, out: hear::Out) {
        let now = self.now;
        match out {
            hear::Out::Record(record) => self.out.records.push(record),
            hear::Out::Compare(compare) => {
                let hear::Compare { compared, request } = *compare;
                let (source, round) = (compared.source, compared.ticket.round);
                let ticket = self.flights.start(Flight::Compare(compared));
                self.compute(Computation::Compare { ticket, source, round, request });
            }
            hear::Out::Heard(heard) => self.detect(heard),
            hear::Out::NotEvaluated(sentinel) => {
                let note = "a version could not be read; its last round was not evaluated";
                self.note_evaluation(sentinel, note);
            }
            hear::Out::Full { source, is_full } => {
                self.watch.handle(now, watch::In::Full { source, is_full });
            }
            hear::Out::Settled(stream) => self.settle_windows(stream),
            hear::Out::Quiet(source) => self.leave_when_quiet(source),
            hear::Out::Judged { source, start, is_told } => {
                self.watch.handle(now, watch::In::Judged { source, start, is_told });
            }
        }
    }

    fn ask(&mut self, asked: watch::Asked) {
        let watch::Asked { probed, url, source_url, validators, time_max } = asked;
        let watch::Probed { source, start, reason, .. } = probed;
        let ticket = self.flights.start(Flight::Probe(probed));
        self.out.effects.push(Effect::Start(Task::Probe(Probe {
            ticket,
            source,
            url,
            source_url,
            validators,
            time_max,
            reason,
            start,
        })));
    }

    fn compute(&mut self, computation: Computation) {
        self.out.effects.push(Effect::Start(Task::Compute(computation)));
    }
}
