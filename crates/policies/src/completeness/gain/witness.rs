//! What a run through the laboratory's chronons teaches of worth.

use super::super::state::State;
use schedule::worth::Worth;

/// Keeps account of the active EIs of live CEIs, and tells [`Worth`] how they end.
#[derive(Debug, Clone, Default)]
pub(super) struct Witness {
    pub worth: Worth,
    pub waiting: Vec<Waiting>,
    /// EIs captured in the chronon before.
    pub captured: Vec<u32>,
}

/// An active EI of a live CEI.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    pub ei: u32,
    /// EIs its CEI missed when it started, and misses since the chronon `since`.
    at_start: u32,
    pub missing: u32,
    since: u32,
}

impl Witness {
    /// Compares what was waiting with what is, and learns from it. O(live EIs).
    pub fn learn(&mut self, state: &State<'_>) {
        let (instance, now) = (state.instance, state.chronon);
        let Self { worth, waiting, captured } = self;
        captured.clear();
        waiting.retain_mut(|own| {
            let ei = instance.eis[own.ei as usize];
            let missing = state.missing_of(ei.cei);
            let is_captured = state.is_captured(own.ei as usize);
            let gone = is_captured || state.is_dead(ei.cei);
            if gone || missing != own.missing {
                worth.waited(own.missing, now - own.since);
                if is_captured {
                    worth.captured(own.at_start, own.missing);
                    captured.push(own.ei);
                } else if ei.finish < now {
                    worth.lost(own.at_start);
                }
                (own.missing, own.since) = (missing, now);
            }
            !gone
        });
        for at in state.active() {
            let ei = instance.eis[at as usize];
            if ei.start == now && !state.is_dead(ei.cei) {
                let missing = state.missing_of(ei.cei);
                waiting.push(Waiting { ei: at, at_start: missing, missing, since: now });
            }
        }
    }
}
