//! Sentinel texts, checked in turns and away from the engine: a hostile one keeps a core busy for
//! seconds, and nobody else is to wait for that.

use crate::desk::{Desk, Unanswered};
use chronon::OwnerId;
use kernel::vetting::{Names, Occasion, Rules, Vetted};
use sentinel::Parsed;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Texts up to this many bytes are small.
const SMALL_BYTES_MAX: usize = 16 << 10;
/// Texts that are being checked or wait for it; more are refused.
const SMALL_TEXTS_MAX: usize = 256;
const LARGE_TEXTS_MAX: usize = 32;
/// Names the engine looks up at a time.
const NAMES_PER_LOOK: usize = 256;

#[derive(Clone)]
pub(crate) struct Checkers {
    small: Lane,
    large: Lane,
    /// Regular expressions are compiled one at a time, first come first served, so that texts take
    /// turns.
    compiling: Arc<Semaphore>,
}

/// Texts of a size wait for texts of that size only.
#[derive(Clone)]
struct Lane {
    places: Arc<Semaphore>,
    /// One is checked at a time.
    turns: Arc<Semaphore>,
}

impl Lane {
    fn new(texts: usize) -> Lane {
        Lane { places: Arc::new(Semaphore::new(texts)), turns: Arc::new(Semaphore::new(1)) }
    }
}

impl Default for Checkers {
    fn default() -> Checkers {
        let compiling = Arc::new(Semaphore::new(1));
        Checkers { small: Lane::new(SMALL_TEXTS_MAX), large: Lane::new(LARGE_TEXTS_MAX), compiling }
    }
}

impl Checkers {
    /// Checks `text` against the names that `desk` finds live. A client that goes away stops what
    /// is left of it after the piece at hand.
    pub(crate) async fn vet(
        &self,
        desk: &Desk,
        text: &Arc<str>,
        occasion: Occasion,
    ) -> Result<Vetted, Unanswered> {
        let lane = if text.len() <= SMALL_BYTES_MAX { &self.small } else { &self.large };
        let _place = lane.places.try_acquire().map_err(|_| Unanswered::Busy)?;
        let parsed = self.compile(lane, text).await?;
        let names = in_turn(&lane.turns, move || (parsed.mentioned(), parsed));
        let (mentioned, parsed) = names.await?;
        let (rules, names) = standing(desk, occasion.owner, mentioned).await?;
        in_turn(&lane.turns, move || rules.vet(parsed, occasion, &names)).await
    }

    /// Parses `text` and compiles what it has, one expression per turn: a text with few waits, for
    /// each of them, for one of each other text. A text that has none waits for nobody.
    async fn compile(&self, lane: &Lane, text: &Arc<str>) -> Result<Parsed, Unanswered> {
        let own = Arc::clone(text);
        let read = in_turn(&lane.turns, move || {
            let parsed = Parsed::of(own);
            (parsed.patterns(), parsed)
        });
        let (patterns, mut parsed) = read.await?;
        for pattern in patterns {
            let compiled = in_turn(&self.compiling, move || {
                parsed.compile(&pattern);
                parsed
            });
            parsed = compiled.await?;
        }
        Ok(parsed)
    }
}

/// Runs `work` on a thread of its own, once it is its turn.
async fn in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unanswered> {
    let turn = Arc::clone(turns).acquire_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        // Also when the client has gone meanwhile.
        let _held_while_working = turn;
        work()
    });
    done.await.map_err(|error| {
        tracing::error!(%error, "a text could not be checked");
        Unanswered::CutOff
    })
}

/// What stands under these names of an owner now, looked up a piece at a time.
async fn standing(
    desk: &Desk,
    owner: OwnerId,
    mentioned: Vec<String>,
) -> Result<(Arc<Rules>, Names), Unanswered> {
    let mut names = Names::new();
    let mut asked: BTreeSet<String> = mentioned.iter().cloned().collect();
    let mut mentioned = VecDeque::from(mentioned);
    loop {
        let piece = mentioned.drain(..mentioned.len().min(NAMES_PER_LOOK)).collect::<Vec<_>>();
        let (rules, found) = desk
            .look(move |kernel| {
                let stand = |name: String| Some((kernel.standing(owner, &name)?, name));
                (kernel.rules(), piece.into_iter().filter_map(stand).collect::<Vec<_>>())
            })
            .await?;
        for (standing, name) in found {
            // Lives that hang on each other are checked as far as they do.
            let more = standing.hangs_on.iter().filter(|name| asked.insert(name.to_string()));
            mentioned.extend(more.cloned());
            names.insert(name.into(), standing);
        }
        if mentioned.is_empty() {
            return Ok((rules, names));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(patterns: usize) -> Arc<str> {
        let one = |n| format!("create sentinel s{n} using a monitor links matching \"a{n}\" ");
        (0..patterns).map(one).collect::<String>().into()
    }

    #[tokio::test]
    async fn a_small_text_overtakes_a_large_one_that_came_before() {
        let checkers = Checkers::default();
        let (large, small) = (text(1_500), text(2));
        assert!(large.len() > SMALL_BYTES_MAX);
        tokio::select! {
            biased;
            _ = checkers.compile(&checkers.large, &large) => {
                panic!("the small text waited for the large one")
            }
            compiled = checkers.compile(&checkers.small, &small) => {
                let compiled = compiled.expect("there is room");
                assert!(compiled.is_compiled("a0") && compiled.is_compiled("a1"));
            }
        }
    }
}
