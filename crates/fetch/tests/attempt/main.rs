//! The promises of `fetch`, kept against servers that do not keep theirs.

mod address;
mod answers;
mod body;
mod fixture;
mod limits;
mod redirects;
mod secure;
