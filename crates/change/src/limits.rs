//! What keeps one comparison from costing more than a comparison.

use crate::Weight;

/// Bounds of a comparison and of its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Changes in one result; the totals count all. Default 1,000. A leaf that holds keeps its
    /// first change in any case.
    pub changes_max: usize,
    /// Bytes of one text, reference or word in a change. In a longer one `…` stands for the rest;
    /// of two texts what differs is kept. Default 8,192.
    pub text_bytes_max: usize,
    /// Bytes of all texts of one result together. Default 1 MiB; beyond it only the first change
    /// of each leaf is kept, shortened.
    pub result_bytes_max: usize,
    /// Bytes of text kept on each side of a change. Default 120.
    pub context_bytes_max: usize,
    /// Blocks common to both versions that are aligned with the least possible moves; above it
    /// equal blocks are paired in order of occurrence. Default 4,000.
    pub aligned_blocks_max: usize,
    /// Occurrences in one version whose places are kept: the sum over all phrases and compound
    /// keywords of a comparison, in equal shares. One that occurs more often is only counted.
    /// Default 200,000.
    pub occurrences_max: usize,
    /// Bytes of one compiled `matching` expression. Default 1 MiB.
    pub regex_bytes_max: usize,
    /// What a change must weigh to be told by a type that weighs. Default [`Weight::ENOUGH`].
    pub weight_min: Weight,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            changes_max: 1_000,
            text_bytes_max: 8_192,
            result_bytes_max: 1 << 20,
            context_bytes_max: 120,
            aligned_blocks_max: 4_000,
            occurrences_max: 200_000,
            regex_bytes_max: 1 << 20,
            weight_min: Weight::ENOUGH,
        }
    }
}
