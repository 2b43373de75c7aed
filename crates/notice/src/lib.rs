//! The body of a notification: JSON as `docs/formats.md`, Webhook.
//!
//! Comes in: [`Facts`], plain data from the store, or the bytes of a body that was frozen. Goes
//! out: the bytes, the [`Notice`] they stand for, and the JSON Schema of it. Shells call
//! [`compose`] on worker threads; senders and the dashboard read what it made. Promises: pure; same
//! facts, same bytes; bodies that earlier releases froze are read, and shown without credentials.
//!
//! Start reading at [`Notice`].

mod above;
mod body;
mod clock;
mod compose;
mod cut;
mod earlier;
mod facts;
mod held;
mod lines;
mod link;
mod number;
mod order;
mod read;
mod schema;
mod summary;

pub use body::{Change, Counted, Dated, Kind, Missed, Notice, Occurrence, Presentation, Source};
pub use clock::by_clock;
pub use compose::compose;
pub use earlier::as_sent;
pub use facts::{
    Body, CameFacts, ChangeFacts, DigestFacts, EvidenceFacts, Facts, FollowedFacts, Happened,
    HealthFacts, HeldFacts, Member, MemberFacts, PartFacts, RuleFacts, SourceFacts,
};
pub use lines::{Line, Lines};
pub use link::{Act, BadLink, Link, LinkKey};
pub use number::grouped;
pub use read::Head;
pub use schema::schema;

/// The changes that a message shows: more are counted.
pub const CHANGES_IN_SIGHT: usize = 12;

/// One or two more are shown, too, where these are all: to count them takes as much room.
const SHOWN_BESIDE: usize = 2;

/// The size of a body, in bytes (`docs/formats.md`, Webhook).
pub const BODY_BYTES_MAX: usize = 256 * 1024;
