//! The router against an engine of its own: a real kernel and a store in memory.

mod adding;
mod api;
pub(crate) mod bench;
mod compare;
mod conditions;
mod contract;
mod crowd;
mod door;
mod editing;
mod feeds;
mod letters;
mod lists;
mod named;
mod narrow;
mod pages;
mod picking;
mod places;
mod proxies;
mod quiet;
mod rules;
mod sessions;
mod settings;
mod shapes;
mod stream;
mod upgrade;
mod values;
mod why;
