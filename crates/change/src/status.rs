//! Aspect `status`: how a page answers, from one look to another. It needs no version.

use crate::found::Found;
use crate::{Compared, Thing};
use chronon::Instant;
use page::Odd;
use serde::{Deserialize, Serialize};

/// How a page answered a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// With content that counts.
    Up,
    /// So, at another address than before.
    Moved,
    /// With nothing to be read; the status code, if there was one, else 0.
    Down(u16),
    /// With content that is none, seen twice.
    Odd(Odd),
}

impl Status {
    /// Whether both are of one class: what changes between them is told of by nobody.
    pub fn is_like(self, other: Status) -> bool {
        matches!((self, other), (Status::Down(_), Status::Down(_))) || self == other
    }

    fn text(self) -> String {
        match self {
            Status::Up => "up".to_owned(),
            Status::Moved => format!("moved: redirects lead to {ELSEWHERE}"),
            Status::Down(0) => "down: no answer".to_owned(),
            Status::Down(code) => format!("down: the server answered {code}"),
            Status::Odd(Odd::Wall) => "login wall: a login or captcha page".to_owned(),
            Status::Odd(Odd::Error) => "soft 404: an error page that says it is none".to_owned(),
            Status::Odd(odd @ (Odd::Foreign | Odd::Small)) => odd.name().to_owned(),
            Status::Odd(Odd::Empty) => "empty shell: a page without content".to_owned(),
        }
    }
}

/// Where a page has moved to, as long as nobody says more.
const ELSEWHERE: &str = "another address";
/// Characters of an address that is said.
const ADDRESS_CHARS_MAX: usize = 500;

/// Says where a page has moved to, in a comparison of statuses.
pub fn say_where(compared: &mut Compared, address: &str) {
    let address: String = address.chars().take(ADDRESS_CHARS_MAX).collect();
    for change in &mut compared.changes {
        if let Some(Thing::Text { text }) = &mut change.new
            && let Some(said) = text.strip_suffix(ELSEWHERE)
        {
            let said = format!("{said}{address}");
            change.spans = match &change.old {
                Some(Thing::Text { text: old }) => crate::spans(old, &said),
                _ => change.spans.clone(),
            };
            *text = said;
        }
    }
}

/// A page answers otherwise than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StatusChange {
    pub before: Status,
    pub after: Status,
    /// Since when it had been as before, where that is known.
    pub since: Option<Instant>,
    /// When the look began that found it.
    pub at: Instant,
}

impl StatusChange {
    /// As one change of a comparison: what it was, how long, and what it is.
    pub(crate) fn found(&self) -> Found {
        let text = |text| Thing::Text { text };
        let before = self.before.text();
        let mut before = before.split(':').next().unwrap_or_default().to_owned();
        if let Some(since) = self.since {
            let whole = Instant::from_millis(since.as_millis().div_euclid(1_000) * 1_000);
            let to_seconds = whole.to_string().replace(".000Z", "Z");
            before.push_str(&format!(" for {}, since {to_seconds}", self.at - since));
        }
        Found::update(text(before), text(self.after.text()))
    }
}
