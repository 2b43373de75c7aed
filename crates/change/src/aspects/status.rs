//! Aspect `status`: no version says how a page answers; see [`crate::StatusChange`].

use super::Comparer;
use crate::Limits;
use crate::found::{Found, Pair};
use std::collections::BTreeSet;

pub(crate) struct Status;

impl Comparer for Status {
    fn compare(
        &self,
        _: &Pair<'_>,
        _: &BTreeSet<String>,
        _: &Limits,
    ) -> Result<Vec<Found>, String> {
        Ok(Vec::new())
    }
}
