//! The graph against the papers' figures, the thesis' races and its slow twin.

mod figures;
mod races;
mod rounds;
mod twin;
mod world;
