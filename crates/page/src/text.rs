//! Plain text: one block per line.

use crate::gather::Gather;
use crate::{Extract, Kind, Limits};

pub(crate) fn read(text: &str, limits: &Limits) -> Extract {
    let mut gather = Gather::new(Kind::Text, limits);
    for line in text.lines() {
        if gather.is_full() {
            gather.leave_out(line);
            break;
        }
        gather.block(line);
    }
    gather.finish()
}
