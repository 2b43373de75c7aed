//! Bodies of requests: small ones of strangers, all of them within one budget, and none that drips.

use crate::App;
use crate::keeper::Known;
use crate::places::Lease;
use crate::problem::Problem;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Bytes, Frame};
use std::error::Error;
use std::future::Future;
use std::iter::successors;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// Bytes of bodies that are being received or worked on, of all requests together.
const IN_FLIGHT_BYTES_MAX: usize = 64 << 20;
/// How long a body may take before its rate counts.
const GRACE: Duration = Duration::from_secs(10);
/// Bytes a second that a body must come with, on average.
const BYTES_PER_SECOND_MIN: u64 = 1_024;

/// Bytes that bodies may take together.
#[derive(Clone)]
pub(crate) struct BodyBudget(Arc<Semaphore>);

impl Default for BodyBudget {
    fn default() -> BodyBudget {
        BodyBudget(Arc::new(Semaphore::new(IN_FLIGHT_BYTES_MAX)))
    }
}

/// Bytes that the body of this request may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyMax(pub(crate) usize);

/// Takes the body's bytes out of the budget before it is read. A known sender waits for them;
/// strangers, who may send little, are told to come again.
pub(crate) async fn bodies(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let limits = &app.config.limits;
    let is_known = request.extensions().get::<Known>().is_some();
    let max = if is_known { limits.body_bytes_max } else { limits.stranger_body_bytes_max };
    if is_known && let Some(place) = request.extensions().get::<Arc<Lease>>() {
        place.recognise();
    }
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > max) {
        return too_large(max).into_response();
    }
    let wanted = if request.body().is_end_stream() { 0 } else { length.unwrap_or(max) };
    let held = if is_known { app.bodies.wait_for(wanted).await } else { app.bodies.take(wanted) };
    let Some(_held) = held else {
        let detail = "Too many requests are being received; try again in a moment.";
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response();
    };
    request.extensions_mut().insert(BodyMax(max));
    let request = request.map(|body| Body::new(Paced::new(body, GRACE)));
    next.run(request).await
}

/// A body has more bytes than it may.
fn too_large(max: usize) -> Problem {
    let detail = format!("The body is larger than {max} bytes, or was cut off.");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

/// The whole of a body that may have `max` bytes.
///
/// # Errors
/// What is wrong with it.
pub(crate) async fn whole(body: Body, max: usize) -> Result<Bytes, Problem> {
    to_bytes(body, max).await.map_err(|error| {
        let mut causes = successors(Some(&error as &dyn Error), |one| (*one).source());
        if causes.any(|cause| cause.is::<TooSlow>()) {
            let detail =
                format!("The body came at less than {BYTES_PER_SECOND_MIN} bytes a second.");
            return Problem::new(StatusCode::REQUEST_TIMEOUT, detail);
        }
        too_large(max)
    })
}

impl BodyBudget {
    async fn wait_for(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).acquire_many_owned(u32::try_from(bytes).ok()?).await.ok()
    }

    fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).try_acquire_many_owned(u32::try_from(bytes).ok()?).ok()
    }
}

/// A body that fails when it comes too slowly.
struct Paced {
    body: Body,
    began: Instant,
    grace: Duration,
    bytes: u64,
    deadline: Pin<Box<Sleep>>,
}

impl Paced {
    fn new(body: Body, grace: Duration) -> Paced {
        let deadline = Box::pin(tokio::time::sleep(grace));
        Paced { body, began: Instant::now(), grace, bytes: 0, deadline }
    }

    fn received(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        let paid = Duration::from_millis(self.bytes * 1_000 / BYTES_PER_SECOND_MIN);
        self.deadline.as_mut().reset(self.began + self.grace + paid);
    }
}

/// The body came at less than the least rate.
#[derive(Debug, thiserror::Error)]
#[error("the body comes at less than {BYTES_PER_SECOND_MIN} bytes a second")]
struct TooSlow;

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                self.received(frame.data_ref().map_or(0, Bytes::len));
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Pending if self.deadline.as_mut().poll(context).is_ready() => {
                Poll::Ready(Some(Err(axum::Error::new(TooSlow))))
            }
            other => other,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use futures_util::{FutureExt, stream};

    /// A body of one chunk, and then a pause.
    fn body(bytes: usize, pause: Duration) -> Body {
        Body::from_stream(stream::unfold(0, move |sent| async move {
            let chunk = Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; bytes]));
            match sent {
                0 => Some((chunk, 1)),
                _ => {
                    tokio::time::sleep(pause).await;
                    None
                }
            }
        }))
    }

    #[tokio::test]
    async fn a_body_that_drips_is_cut_off_and_one_that_has_paid_for_its_pause_is_not() {
        let soon = Duration::from_millis(5);
        let drip = body(1, Duration::from_secs(3_600));
        let drip = to_bytes(Body::new(Paced::new(drip, soon)), usize::MAX).await;
        assert!(drip.is_err_and(|error| error.to_string().contains("1024 bytes a second")));
        // A mebibyte may take seventeen minutes.
        let paid = body(1 << 20, soon * 10);
        let paid = to_bytes(Body::new(Paced::new(paid, soon)), usize::MAX).await;
        assert_eq!(paid.expect("it comes fast enough").len(), 1 << 20);
    }

    #[tokio::test]
    async fn a_body_that_stalls_is_told_so_and_one_that_is_too_long_that() {
        let drip = body(1, Duration::from_secs(3_600));
        let stalled = whole(Body::new(Paced::new(drip, Duration::from_millis(5))), 100).await;
        assert_eq!(stalled.expect_err("it stalls").status(), StatusCode::REQUEST_TIMEOUT);
        let long = whole(Body::new(Paced::new(Body::from("x".repeat(101)), GRACE)), 100).await;
        assert_eq!(long.expect_err("it is long").status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[tokio::test]
    async fn a_known_sender_waits_for_the_budget_and_strangers_do_not() {
        let budget = BodyBudget(Arc::new(Semaphore::new(10)));
        let all = budget.take(10);
        assert!(all.is_some() && budget.take(1).is_none());
        let waiting = budget.wait_for(1);
        tokio::pin!(waiting);
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(all);
        assert!(waiting.await.is_some());
    }
}
