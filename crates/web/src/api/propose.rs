//! POST /propose: what is at an address, and what to ask of it.

use crate::App;
use crate::extract::Text;
use crate::keeper::Known;
use crate::problem::Problem;
use crate::proposals::{self, Offered, Proposed};
use crate::wire::Time;
use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;
use utoipa::ToSchema;

/// What a look at an address came to.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Outlook {
    /// As it would be watched, without user and password.
    url: String,
    /// When the page was as is said here.
    at: Time,
    /// Null where the look found nothing.
    found: Option<Found>,
    /// Null where all is well.
    problem: Option<Trouble>,
    /// The best guess first; none where the look found nothing.
    proposals: Vec<Offer>,
}

/// What a page shows.
#[derive(Debug, Serialize, ToSchema)]
struct Found {
    title: String,
    /// `html`, `feed`, `xml`, `json` or `text`.
    #[schema(value_type = String)]
    kind: page::Kind,
    blocks: usize,
    words: usize,
    links: usize,
    feeds: Vec<String>,
    notable: Vec<Notable>,
}

/// A text of a sort that people watch.
#[derive(Debug, Serialize, ToSchema)]
struct Notable {
    /// `price`, `stock`, `version` or `date`.
    what: &'static str,
    text: String,
    around: String,
}

/// Why a page cannot be watched as it is, and what to do.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OutlookTrouble)]
struct Trouble {
    status: Option<u16>,
    reason: String,
    cure: &'static str,
}

/// A sentinel to take: send `text` to `POST /sentinels`.
#[derive(Debug, Serialize, ToSchema)]
struct Offer {
    says: String,
    /// Nobody has it yet.
    name: String,
    text: String,
    /// A sentinel tells it already.
    watched: bool,
    /// The name of that sentinel.
    watched_by: Option<String>,
    preview: Vec<String>,
    /// Null where fewer than two versions of its page are stored.
    past: Option<Past>,
}

/// What the sentinel would have told, had it stood.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PastOffer)]
struct Past {
    /// The newest that are stored, 20 at most.
    versions: usize,
    /// Notifications.
    told: usize,
}

/// Looks at an address for a person and proposes sentinels for it. Creates nothing. An address that
/// is watched already is not asked again: its newest version counts.
#[utoipa::path(post, path = "/propose", tag = "sentinels",
    request_body(content = String, content_type = "text/plain"), security(("token" = [])),
    responses(
        (status = OK, body = Outlook),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn propose(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Text(address): Text,
) -> Result<Json<Outlook>, Problem> {
    let proposed = proposals::of_address(&app, known.actor().owner, &address).await?;
    Ok(Json(Outlook::of(proposed)))
}

impl Outlook {
    fn of(proposed: Proposed) -> Outlook {
        let problem = match &proposed.found {
            Err(unseen) => Some(Trouble {
                status: unseen.status,
                reason: unseen.reason.clone(),
                cure: unseen.cure(&proposed.url),
            }),
            Ok(_) => proposed.doubt.map(|doubt| Trouble {
                status: None,
                reason: doubt.reason.to_owned(),
                cure: doubt.cure,
            }),
        };
        let offer = |Offered { offer, text, told_by, past }| Offer {
            past: past.map(|past| Past { versions: past.versions, told: past.told }),
            says: offer.says,
            name: offer.name,
            text,
            watched: told_by.is_some(),
            watched_by: told_by,
            preview: offer.preview,
        };
        Outlook {
            url: address::without_credentials(&proposed.url).into_owned(),
            at: Time(proposed.at),
            problem,
            found: proposed.found.ok().map(Found::of),
            proposals: proposed.offers.into_iter().map(offer).collect(),
        }
    }
}

impl Found {
    fn of(found: ::propose::Findings) -> Found {
        let notable = |one: ::propose::Notable| Notable {
            what: one.what.name(),
            text: one.text,
            around: one.around,
        };
        Found {
            title: found.title,
            kind: found.kind,
            blocks: found.blocks,
            words: found.words,
            links: found.links,
            feeds: found.feeds,
            notable: found.notable.into_iter().map(notable).collect(),
        }
    }
}
