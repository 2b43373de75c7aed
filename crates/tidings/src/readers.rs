//! Who reads a page, and when: a hostile one takes hundreds of megabytes and a second, cannot be
//! stopped, and 256 may arrive at once.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Pages read at a time on a machine of one core.
const READERS_MIN: usize = 2;
/// Larger bodies leave one reader to the others: what a page may cost grows with its bytes.
const ORDINARY_BYTES_MAX: usize = 256 << 10;

/// The seats: one for each page that is read at a time.
pub struct Readers {
    all: Arc<Semaphore>,
    /// One fewer; whoever reads a large page has one of these as well.
    large: Arc<Semaphore>,
}

/// Held while a page is read.
pub struct Seat {
    _seats: [Option<OwnedSemaphorePermit>; 2],
}

impl Readers {
    /// As many as there are cores.
    pub fn new(cores: usize) -> Readers {
        let readers = cores.max(READERS_MIN);
        let seats = |count| Arc::new(Semaphore::new(count));
        Readers { all: seats(readers), large: seats(readers - 1) }
    }

    /// Waits for a seat, first come first served among pages of a kind. However many large pages
    /// wait, an ordinary one waits for ordinary ones only.
    pub async fn seat(&self, body_bytes: usize) -> Seat {
        let take = async |seats: &Arc<Semaphore>| {
            Arc::clone(seats).acquire_owned().await.expect("seats are never closed")
        };
        let large = match body_bytes > ORDINARY_BYTES_MAX {
            true => Some(take(&self.large).await),
            false => None,
        };
        Seat { _seats: [large, Some(take(&self.all).await)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn ordinary_pages_are_read_however_many_hostile_ones_wait() {
        let readers = Readers::new(2);
        let _hostile = readers.seat(8 << 20).await;
        tokio::select! {
            biased;
            _ = readers.seat(8 << 20) => panic!("both readers read hostile pages"),
            _ordinary = readers.seat(40 << 10) => {}
            () = tokio::task::yield_now() => panic!("an ordinary page waits for a hostile one"),
        }
    }
}
