//! Regular expressions of sentinel texts, compiled in turns: two thousand hostile ones keep a core
//! busy for seconds, and nobody else is to wait for that.

use crate::desk::Unanswered;
use sentinel::Patterns;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Expressions compiled at a time.
const COMPILERS: usize = 1;
/// Texts whose expressions are being compiled; more are refused.
pub(crate) const TEXTS_MAX: usize = 32;

#[derive(Clone)]
pub(crate) struct Compilers {
    /// First come first served, so that texts take turns.
    turns: Arc<Semaphore>,
    texts: Arc<Semaphore>,
}

impl Default for Compilers {
    fn default() -> Compilers {
        let seats = |count| Arc::new(Semaphore::new(count));
        Compilers { turns: seats(COMPILERS), texts: seats(TEXTS_MAX) }
    }
}

impl Compilers {
    /// Compiles what `text` has, one expression per turn: whoever has few waits, for each of
    /// them, for one of each other text. A text that has none waits for nobody. It ends after the
    /// expression at hand when whoever asks goes away.
    pub(crate) async fn compile(&self, text: &str) -> Result<Patterns, Unanswered> {
        let text = text.to_owned();
        let listed = tokio::task::spawn_blocking(move || Patterns::listed(&text)).await;
        // Whoever gets none has them compiled by the engine: slower, and as right.
        let listed = listed.unwrap_or_default();
        let mut patterns = Patterns::default();
        if listed.is_empty() {
            return Ok(patterns);
        }
        let _seat = self.texts.try_acquire().map_err(|_| Unanswered::Busy)?;
        for pattern in listed {
            let turn = Arc::clone(&self.turns).acquire_owned().await;
            let compiled = tokio::task::spawn_blocking(move || {
                let _held_while_compiling = turn;
                patterns.add(&pattern);
                patterns
            });
            patterns = compiled.await.unwrap_or_default();
        }
        Ok(patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(patterns: usize) -> String {
        let one = |n| format!("create sentinel s{n} using a monitor links matching \"a{n}\" ");
        (0..patterns).map(one).collect()
    }

    #[tokio::test]
    async fn a_small_text_overtakes_a_large_one_that_came_before() {
        let compilers = Compilers::default();
        let (large, small) = (text(1_500), text(2));
        tokio::select! {
            biased;
            _ = compilers.compile(&large) => panic!("the small text waited for the large one"),
            compiled = compilers.compile(&small) => {
                let compiled = compiled.expect("there is room");
                assert!(compiled.knows("a0") && compiled.knows("a1"));
            }
        }
    }

    #[tokio::test]
    async fn too_many_texts_are_refused_unless_they_have_no_expression() {
        let compilers = Compilers::default();
        let _all = compilers.texts.try_acquire_many(TEXTS_MAX as u32).expect("nobody asked yet");
        let said = compilers.compile(&text(1)).await.expect_err("there is no room");
        assert!(said.to_string().starts_with("32 other texts with regular expressions"), "{said}");
        assert_eq!(compilers.compile("create sentinel a using b").await, Ok(Patterns::default()));
    }
}
