//! Maps of very many.

use std::collections::BTreeMap;

/// Makes a map anew, with nothing between its entries. Nodes of a map that was filled in order are
/// half empty. O(n).
pub(crate) fn pack<K: Ord, V>(map: &mut BTreeMap<K, V>) {
    *map = std::mem::take(map).into_iter().collect();
}
