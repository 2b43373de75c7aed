//! The seam to whoever can look at a page that nobody watches.

use address::SourceUrl;
use chronon::Instant;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// Looks at pages for people, within budget and politeness.
pub trait Looker: Send + Sync {
    /// One look, redirects included. Ends within a minute; the engine is asked, and never held.
    fn look(&self, url: SourceUrl) -> Looking;
}

/// A look under way.
pub type Looking = Pin<Box<dyn Future<Output = Result<Seen, Unseen>> + Send>>;

/// What a look found.
#[derive(Debug, Clone)]
pub struct Seen {
    pub extract: page::Extract,
    pub at: Instant,
    pub content: Content,
}

/// The answer itself.
#[derive(Debug, Clone)]
pub struct Content {
    pub body: Arc<[u8]>,
    pub content_type: Option<String>,
    /// Where redirects led.
    pub final_url: String,
}

impl Content {
    /// The media type, if the answer named one.
    pub(crate) fn said_type(&self) -> Option<&str> {
        self.content_type.as_deref().filter(|said| !said.is_empty())
    }
}

/// Why a look found nothing: a clause for people, and the status of the answer if there was one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    pub status: Option<u16>,
    pub reason: String,
}

impl Unseen {
    /// What to do about the page at this address.
    pub(crate) fn cure(&self, url: &str) -> &'static str {
        let named = address::without_credentials(url) != url;
        propose::cure(self.status, &self.reason, named)
    }
}
