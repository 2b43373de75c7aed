//! The kernel as a whole: what goes in, and what comes out.

mod channels;
mod dates;
mod digests;
mod doubt;
mod extracting_again;
mod glance;
mod holds;
mod lost;
mod missed;
mod owners;
mod redirects;
mod retention;
mod rules;
mod set_aside;
mod spread;
mod texts;
mod ways;
mod week;
mod wrong_clock;

use chronon::BlobId;
use kernel::io::{ProbeEnd, Shown};
use kernel::record::{ExtractRef, VersionFacts};

/// A page whose body is this one's.
fn content(body: u8) -> ProbeEnd {
    let facts = VersionFacts {
        fingerprint: [body; 32],
        kind: page::Kind::Html,
        odd: None,
        body: BlobId([body; 32]),
        extracts: ExtractRef { extractor: page::EXTRACTOR, blob: BlobId([body; 32]) }.of_page(),
        status: 200,
        media_type: "text/html".into(),
        final_url: "https://a.example/".into(),
        etag: None,
        last_modified: None,
        modified_at: None,
        summary: "page".into(),
    };
    ProbeEnd::Content(Box::new(facts), Shown::default())
}
