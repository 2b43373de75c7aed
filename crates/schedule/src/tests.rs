//! Tests that look inside the scheduler. Those that need not are in `tests/`.

pub(crate) mod draws;
mod inside;
mod lives;
mod weeks;
