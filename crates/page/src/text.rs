//! Plain text: one block per line, or per paragraph that is wrapped.

use crate::gather::Gather;
use crate::{Extract, Kind, Limits, prose};

pub(crate) fn read(text: &str, limits: &Limits) -> Extract {
    let mut gather = Gather::new(Kind::Text, limits);
    for block in prose::blocks(text) {
        if gather.is_full() {
            gather.leave_out(&block);
            break;
        }
        gather.block(&block);
    }
    gather.finish()
}
