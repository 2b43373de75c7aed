//! The graph against the papers' figures, the thesis' races and its slow twin.

mod bench;
mod figures;
mod races;
mod rounds;
mod twin;
