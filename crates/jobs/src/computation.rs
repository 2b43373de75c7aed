//! Computations: from what the kernel asks for to what it is told.

use crate::{compare, compose, judge, look, reextract};
use chronon::BlobId;
use kernel::Input;
use kernel::io::{Computation, Done, Ticket};
use page::Limits;
use store::{Blob, Reader, StoreError};

/// What a computation came to.
#[derive(Debug, Clone)]
pub struct Finished {
    /// What to tell the kernel.
    pub input: Input,
    /// The bytes that its records will name.
    pub blobs: Vec<Blob>,
}

/// Computes. A body whose parts are gone or damaged is told as one that cannot be made.
///
/// # Errors
/// What the store says if it may pass: try again, since the intent stays open in the kernel.
pub fn run(
    reader: &dyn Reader,
    computation: &Computation,
    limits: &Limits,
) -> Result<Finished, StoreError> {
    match *computation {
        Computation::Compare { ticket, source, ref request, .. } => {
            let compared = compare(reader, source, request)?;
            Ok(finished(
                ticket,
                Done::Compared(compared.outline, compared.habits),
                vec![compared.result_blob],
            ))
        }
        Computation::Compose { ticket, notification } => match compose(reader, notification) {
            Ok(body) => Ok(finished(ticket, Done::Composed { body: body.0 }, vec![body])),
            Err(error @ StoreError::Damaged(_)) => {
                let reason = error.to_string().into();
                Ok(finished(ticket, Done::NotComposed { reason }, Vec::new()))
            }
            Err(error) => Err(error),
        },
        Computation::Reextract { ticket, source, version } => {
            let again = reextract(reader, source, version, limits)?;
            let (row, blobs) = match again {
                Some(again) => (Some(Box::new(again.row)), again.extract_blobs),
                None => (None, Vec::new()),
            };
            Ok(finished(ticket, Done::Reextracted(row), blobs))
        }
        Computation::Look { ticket, source, version, ref views } => {
            let missing = look(reader, source, version, views)?;
            Ok(finished(ticket, Done::Seen(missing), Vec::new()))
        }
        Computation::Judge { ticket, ref question } => {
            let holds = judge(reader, question)?;
            Ok(finished(ticket, Done::Judged(holds), Vec::new()))
        }
        Computation::LoadDue { channel, limit } => {
            let rows = reader.due(channel, limit as usize)?;
            Ok(Finished { input: Input::DueLoaded { channel, rows }, blobs: Vec::new() })
        }
    }
}

/// What the kernel is told of a computation that panicked: nothing of the round is evaluated, the
/// bytes count as unreadable. `None`: the kernel knows no failure of it.
pub fn broken(computation: &Computation) -> Option<Input> {
    let (ticket, done) = match computation {
        Computation::Compare { ticket, request, .. } => {
            let comparisons = vec![None; request.comparisons.len()];
            // No detection comes of it, so nothing names the result.
            (*ticket, Done::Compared(graph::Outline { result: BlobId([0; 32]), comparisons }, None))
        }
        Computation::Reextract { ticket, .. } => (*ticket, Done::Reextracted(None)),
        Computation::Compose { ticket, .. } => {
            (*ticket, Done::NotComposed { reason: "the composer failed on it".into() })
        }
        Computation::Look { ticket, .. } => (*ticket, Done::Seen(Vec::new())),
        Computation::Judge { ticket, question } => {
            (*ticket, Done::Judged(vec![false; question.tests.len()]))
        }
        Computation::LoadDue { .. } => return None,
    };
    Some(Input::Done { ticket, done })
}

fn finished(ticket: Ticket, done: Done, blobs: Vec<Blob>) -> Finished {
    Finished { input: Input::Done { ticket, done }, blobs }
}
