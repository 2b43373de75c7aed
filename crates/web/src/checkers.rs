//! Sentinel texts, checked in turns and away from the engine: a hostile one keeps a core busy for
//! seconds, and nobody else is to wait for that.

use crate::desk::{Desk, Unanswered};
use chronon::OwnerId;
use kernel::vetting::{Names, Occasion, Rules, Vetted};
use sentinel::Patterns;
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
        let patterns = self.compile(lane, text).await?;
        let own = Arc::clone(text);
        let mentioned = in_turn(&lane.turns, move || sentinel::mentioned(&own)).await?;
        let (rules, names) = standing(desk, occasion.owner, mentioned).await?;
        let own = Arc::clone(text);
        in_turn(&lane.turns, move || rules.vet(&own, patterns, occasion, &names)).await
    }

    /// Compiles what `text` has, one expression per turn: a text with few waits, for each of
    /// them, for one of each other text. A text that has none waits for nobody.
    async fn compile(&self, lane: &Lane, text: &Arc<str>) -> Result<Patterns, Unanswered> {
        let own = Arc::clone(text);
        let listed = in_turn(&lane.turns, move || Patterns::listed(&own)).await?;
        let mut patterns = Patterns::default();
        for pattern in listed {
            let compiled = in_turn(&self.compiling, move || {
                patterns.add(&pattern);
                patterns
            });
            patterns = compiled.await?;
        }
        Ok(patterns)
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
    let mut mentioned = mentioned.into_iter();
    loop {
        let piece: Vec<String> = mentioned.by_ref().take(NAMES_PER_LOOK).collect();
        let is_last = piece.len() < NAMES_PER_LOOK;
        let (rules, found) = desk
            .look(move |kernel| {
                let stand = |name: String| Some((kernel.standing(owner, &name)?, name));
                (kernel.rules(), piece.into_iter().filter_map(stand).collect::<Vec<_>>())
            })
            .await?;
        names.extend(found.into_iter().map(|(standing, name)| (name.into(), standing)));
        if is_last {
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
                assert!(compiled.knows("a0") && compiled.knows("a1"));
            }
        }
    }
}
