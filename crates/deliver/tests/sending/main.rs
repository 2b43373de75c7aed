//! What `deliver` puts on the wire, and how it takes the answers.

#![expect(clippy::unwrap_used, reason = "in a test, a surprise should stop it")]

mod fixture;
mod local;
mod mail;
mod services;
mod templates;
mod webhooks;
