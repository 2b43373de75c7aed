//! What a page shows to somebody who sees it for the first time, and what to ask of it.
//!
//! Comes in: a [`page::Extract`], the bytes it was made of and their address. Goes out:
//! [`Findings`] for people, and [`Proposal`]s, each a sentinel in the language with the sentence
//! it stands for. Shells call after a look. Promises: pure; linear in the extract; every proposal
//! is accepted by the language.
//!
//! Start reading at [`propose`].

mod find;
mod member;
mod name;
mod offer;
mod price;
mod trouble;

pub use find::{Findings, Notable, What, findings};
pub use name::name_of;
pub use offer::{Part, Proposal, of_part, propose};
pub use price::{Price, price};
pub use trouble::{Doubt, cure, doubt, may_be_in_doubt};
