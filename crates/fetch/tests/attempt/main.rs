//! The promises of `fetch`, kept against servers that do not keep theirs.

#![expect(clippy::unwrap_used, reason = "in a test, a surprise should stop it")]

mod address;
mod answers;
mod body;
mod fixture;
mod limits;
mod redirects;
mod secure;
