//! Checking texts against the names as they stand.

use super::Kernel;
use crate::config::ChannelBook;
use crate::io::{Answer, AppliedWhat, Command, Input, RequestId};
use crate::vetting::{Occasion, Proposal, Purpose, Rules, Standing, Vetted};
use chronon::{Instant, OwnerId};
use sentinel::{Canonical, Parsed};
use std::sync::Arc;

impl Kernel {
    /// What texts are checked by.
    pub fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.rules)
    }

    /// Takes over which channels there are.
    pub(super) fn know_channels(&mut self, book: ChannelBook) -> Answer {
        self.config.know_channels(book.clone());
        self.rules = Arc::new(Rules::of(&self.config));
        self.notices.know_channels(book);
        // Whoever tells by them may work now, or not.
        self.journal.forget();
        Answer::Done
    }

    /// What of the owner has this name. O(log n); its text is shared, not copied.
    pub fn standing(&self, owner: OwnerId, name: &str) -> Option<Standing> {
        self.life.standing(owner, name).or_else(|| self.events.standing(owner, name))
    }

    /// What applying the canonical text of one sentinel would do now. O(text).
    pub fn meaning(&self, owner: OwnerId, name: &str, text: &Canonical) -> AppliedWhat {
        self.life.meaning(owner, name, text)
    }

    /// The input that applies what is proposed, checked at `now`: for shells in which nobody waits
    /// meanwhile.
    pub fn application(&self, now: Instant, request: RequestId, proposal: Proposal<'_>) -> Input {
        let Proposal { actor, text, mode } = proposal;
        let occasion = Occasion { owner: actor.owner, purpose: Purpose::Apply, now };
        let text = Box::new(self.vet(Parsed::of(text), occasion));
        Input::Command { request, actor, command: Command::Apply { text, mode } }
    }

    /// Checks a text at once, for shells in which nobody waits meanwhile. Changes nothing.
    pub fn vet(&self, text: Parsed, occasion: Occasion) -> Vetted {
        let standing = |name: &str| self.standing(occasion.owner, name);
        self.rules.vet_with(text, occasion, standing)
    }
}
