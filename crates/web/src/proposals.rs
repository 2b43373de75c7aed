//! From an address to what is there and what to ask of it.

use crate::diff;
use crate::glances::Glance;
use crate::looker::{Content, Seen, Unseen};
use crate::problem::Problem;
use crate::rehearsal::{self, Trial};
use crate::{App, api, words};
use address::SourceUrl;
use chronon::{Instant, OwnerId, SourceId};
use kernel::Kernel;
use kernel::record::SentinelState;
use propose::{Doubt, Findings, Proposal};
use sentinel::Canonical;

/// Bytes of an address.
const URL_BYTES_MAX: usize = 8_192;
/// Names tried before a proposal keeps one that is taken.
const NAMES_MAX: usize = 50;
/// Sentinels of a page that may tell a proposal already.
const WATCHERS_MAX: usize = 200;

/// What is said of an address.
pub(crate) struct Proposed {
    /// As it will be watched.
    pub(crate) url: String,
    pub(crate) at: Instant,
    pub(crate) found: Result<Findings, Unseen>,
    /// The page has next to no text, or asks for a login.
    pub(crate) doubt: Option<Doubt>,
    pub(crate) offers: Vec<Offered>,
    /// Where a part of the page can be picked, below our own address.
    pub(crate) pick: Option<String>,
}

/// Where a page that somebody looked at is, for as long as it is kept.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// In the memory of looks for people.
    Glance(String),
    /// In the store.
    Source(u32),
}

impl Place {
    fn pick(&self) -> String {
        match self {
            Place::Glance(key) => format!("/pick/{key}"),
            Place::Source(id) => format!("/sources/{id}/pick"),
        }
    }
}

/// A proposal under a name of its own.
pub(crate) struct Offered {
    pub(crate) offer: Proposal,
    /// The sentinel's text.
    pub(crate) text: String,
    /// The sentinel that tells it already.
    pub(crate) told_by: Option<String>,
    pub(crate) past: Option<Past>,
}

/// What a proposal would have told, had it stood.
pub(crate) struct Past {
    /// Those that are stored, the newest of them.
    pub(crate) versions: usize,
    pub(crate) told: usize,
}

impl Past {
    /// `None`: nothing was stored to compare, or it cannot be known here.
    async fn of(app: &App, owner: OwnerId, url: &str, text: &str) -> Option<Past> {
        app.config.rehearsal.as_ref()?;
        let tried = rehearsal::rehearse(app, owner, Trial::of_few(url, text)).await;
        let tried = tried.ok().filter(|tried| tried.versions > 1)?;
        Some(Past { versions: tried.versions, told: tried.told.len() })
    }

    pub(crate) fn says(&self) -> String {
        let told = rehearsal::times(self.told);
        format!("Of the last {} versions it would have told you {told}.", self.versions)
    }
}

/// Looks at an address, or at the newest version of it that is stored, and says what to ask of it.
///
/// # Errors
/// The text is no address that can be watched; nobody can look.
pub(crate) async fn of_address(
    app: &App,
    owner: OwnerId,
    typed: &str,
) -> Result<Proposed, Problem> {
    let (url, seen) = look(app, owner, typed).await?;
    proposed(app, owner, url, seen).await
}

/// The same, where a page that is there is looked for again under its place.
///
/// # Errors
/// As those of [`of_address`].
pub(crate) async fn seen_or_why_not(
    app: &App,
    owner: OwnerId,
    typed: &str,
) -> Result<Result<Place, Proposed>, Problem> {
    let (url, seen) = look(app, owner, typed).await?;
    match seen {
        Ok(stood) => Ok(Ok(stood.place)),
        unseen => Ok(Err(proposed(app, owner, url, unseen).await?)),
    }
}

/// What to ask of a page that is still at this place. Nobody looks at it.
///
/// # Errors
/// It is not kept any more.
pub(crate) async fn of_place(app: &App, owner: OwnerId, place: Place) -> Result<Proposed, Problem> {
    let (url, stood) = match place {
        Place::Source(id) => {
            let id = SourceId(id);
            let look = app.desk.look(move |kernel| kernel.source_url(id).cloned());
            let url = look.await?.ok_or_else(|| Problem::not_found(format!("source {}", id.0)))?;
            let url = url.reveal().to_owned();
            let stood = stored(app, owner, &url).await?;
            (url, stood.ok_or_else(|| Problem::not_found("version of this page"))?)
        }
        Place::Glance(key) => {
            let glance = app.glances.find(owner, &key, app.now()).ok_or_else(gone)?;
            let (url, at, content) = (glance.url.to_string(), glance.at, glance.content.clone());
            let read = content.clone();
            let read = tokio::task::spawn_blocking(move || whole(&read)).await;
            let extract = read.ok().flatten().ok_or_else(gone)?;
            let content = Some(content);
            (url, Stood { extract, at, place: Place::Glance(key), content })
        }
    };
    proposed(app, owner, url, Ok(stood)).await
}

/// A look for a person is not remembered any more.
pub(crate) fn gone() -> Problem {
    Problem::not_found("page that was looked at in the last half hour; paste its address again")
}

/// What is read of a whole page.
fn whole(content: &Content) -> Option<page::Extract> {
    let url = url::Url::parse(&content.final_url).ok()?;
    let hints = page::Hints { content_type: content.said_type(), url: &url };
    let limits = page::Limits::default();
    let mut read = page::extract(&content.body, &hints, &limits, [page::View::Page]).ok()?;
    read.remove(&page::View::Page)
}

/// The address in full, and what is there.
async fn look(
    app: &App,
    owner: OwnerId,
    typed: &str,
) -> Result<(String, Result<Stood, Unseen>), Problem> {
    let url = address_of(typed)?;
    let seen = match stored(app, owner, &url).await? {
        Some(stood) => Ok(stood),
        None => glanced(app, owner, &url).await?,
    };
    Ok((url, seen))
}

async fn proposed(
    app: &App,
    owner: OwnerId,
    url: String,
    seen: Result<Stood, Unseen>,
) -> Result<Proposed, Problem> {
    let at = seen.as_ref().map_or(app.now(), |seen| seen.at);
    let pick = seen.as_ref().ok().filter(|seen| seen.extract.kind == page::Kind::Html);
    let pick = pick.map(|seen| seen.place.pick());
    let (found, offers) = match seen {
        Ok(Stood { extract, content, .. }) => {
            let url = url.clone();
            // A large page takes a moment.
            let read = tokio::task::spawn_blocking(move || {
                let price = content.as_ref().and_then(price);
                (propose::findings(&extract), propose::propose(&url, &extract, price.as_ref()))
            });
            let (found, offers) = read.await.map_err(|_| {
                let detail = "The page could not be read; the server's log says why.";
                Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, detail)
            })?;
            (Ok(found), offers)
        }
        Err(unseen) => (Err(unseen), Vec::new()),
    };
    let doubt = found.as_ref().ok().and_then(propose::doubt);
    let offers = named(app, owner, offers).await?;
    Ok(Proposed { url, at, found, doubt, offers, pick })
}

/// A page as it stands somewhere: in the store, or in the memory of looks for people.
struct Stood {
    extract: page::Extract,
    at: Instant,
    place: Place,
    /// What it was read from; `None`: that is not kept any more.
    content: Option<Content>,
}

/// The price that a page is about.
fn price(content: &Content) -> Option<propose::Price> {
    let url = url::Url::parse(&content.final_url).ok()?;
    let hints = page::Hints { content_type: content.said_type(), url: &url };
    propose::price(&content.body, &hints, &page::Limits::default())
}

/// Looks, and remembers for a while what was seen.
async fn glanced(app: &App, owner: OwnerId, url: &str) -> Result<Result<Stood, Unseen>, Problem> {
    let looker = app.config.looker.as_ref().ok_or_else(|| {
        Problem::conflict("Nobody can look at a page now; start `tidings serve`.")
    })?;
    let seen = looker.look(SourceUrl::from(url)).await;
    Ok(seen.map(|Seen { extract, at, content }| {
        let glance = Glance { owner, url: url.into(), at, content: content.clone() };
        let key = app.glances.keep(glance, app.now());
        Stood { extract, at, place: Place::Glance(key), content: Some(content) }
    }))
}

/// What somebody typed, as an address: `shop.example/kettle` is one, too. A machine without a name
/// of its own hardly has a certificate.
fn address_of(typed: &str) -> Result<String, Problem> {
    let typed = typed.trim();
    let wrong = || {
        let shown: String = address::without_credentials(typed).chars().take(100).collect();
        Problem::bad_request(format!(
            "`{shown}` is no address of a page; paste one as https://shop.example/kettle."
        ))
    };
    if typed.is_empty() {
        return Err(Problem::bad_request("Paste the address of a page."));
    }
    let mail = typed.strip_prefix("mailto:").unwrap_or(typed);
    if address::is_mail(mail) {
        return Err(Problem::bad_request(format!(
            "`{mail}` is an email address, not a page. Paste the address of a page; to be told by \
             email, write `notify by email {mail}` into what watches it."
        )));
    }
    if typed.len() > URL_BYTES_MAX || typed.contains(char::is_whitespace) {
        return Err(wrong());
    }
    let is_nameless = |url: &url::Url| match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(_) | url::Host::Ipv6(_)) => true,
        None => false,
    };
    let secure = format!("https://{typed}");
    let full = if typed.contains("://") {
        typed.to_owned()
    } else if url::Url::parse(&secure).is_ok_and(|url| is_nameless(&url)) {
        format!("http://{typed}")
    } else {
        secure
    };
    let url = url::Url::parse(&full).map_err(|_| wrong())?;
    let is_web = matches!(url.scheme(), "http" | "https");
    let named = url.host_str().is_some_and(|host| host.contains(['.', ':']) || host == "localhost");
    if is_web && named { Ok(full) } else { Err(wrong()) }
}

/// The newest version of a page that is watched already.
async fn stored(app: &App, owner: OwnerId, url: &str) -> Result<Option<Stood>, Problem> {
    let (wanted, now) = (url.to_owned(), app.now());
    let view = app.desk.look(move |kernel| {
        let id = kernel.source_by_url(owner, &wanted)?;
        kernel.source(id, now)
    });
    let Some(view) = view.await? else { return Ok(None) };
    let place = Place::Source(view.row.id.0);
    let loaded = app.desk.read(move |reader| {
        let Some(row) = api::current_version(reader, &view)? else { return Ok(None) };
        let Some(bytes) = diff::extract_of(reader, &row)? else { return Ok(None) };
        let body = reader.blob(row.facts.body)?;
        let content = body.map(|body| Content {
            body,
            content_type: Some(row.facts.media_type.into()),
            final_url: row.facts.final_url.into(),
        });
        Ok(Some((bytes, row.fetched_at, content)))
    });
    let Some((bytes, at, content)) = loaded.await? else { return Ok(None) };
    Ok(Some(Stood { extract: diff::decode_extract(&bytes)?, at, place, content }))
}

/// What of the kernel decides about a proposal.
struct Standing {
    /// A name that nobody has.
    free: Option<String>,
    /// The names of those who watch the page and tell, with their texts.
    watchers: Vec<(String, Canonical)>,
}

impl Standing {
    fn of(kernel: &Kernel, owner: OwnerId, now: Instant, (name, url): (&str, &str)) -> Standing {
        let numbered = (2..=NAMES_MAX).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free = names.find(|name| kernel.standing(owner, name).is_none());
        let source = kernel.source_by_url(owner, url).and_then(|id| kernel.source(id, now));
        let ids = source.map(|source| source.sentinels).unwrap_or_default();
        let own = ids.into_iter().filter(|id| id.owner() == owner).take(WATCHERS_MAX);
        let watchers = own.filter_map(|id| kernel.sentinel_by_id(id, now)).filter(|view| {
            let tells = matches!(view.life.state, SentinelState::Active | SentinelState::Pending);
            tells && view.life.going.is_none()
        });
        let watchers = watchers.map(|view| (view.row.name.into_string(), view.row.text));
        Standing { free, watchers: watchers.collect() }
    }
}

/// The proposals under names that nobody has, and by whom each is told already.
pub(crate) async fn named(
    app: &App,
    owner: OwnerId,
    offers: Vec<Proposal>,
) -> Result<Vec<Offered>, Problem> {
    let now = app.now();
    let wanted: Vec<(String, String)> =
        offers.iter().map(|offer| (offer.name.clone(), offer.url.clone())).collect();
    let standing = app.desk.look(move |kernel| {
        let one = |(name, url): &(String, String)| Standing::of(kernel, owner, now, (name, url));
        wanted.iter().map(one).collect::<Vec<Standing>>()
    });
    let standing = standing.await?;
    let named = offers.into_iter().zip(standing);
    let tried = named.map(async |(offer, standing)| {
        let named = offered(offer, standing);
        let past = Past::of(app, owner, &named.offer.url, &named.text).await;
        Offered { past, ..named }
    });
    Ok(futures_util::future::join_all(tried).await)
}

/// Whoever monitors the same of a page tells the same, whatever its name, tags and channels are.
fn offered(offer: Proposal, Standing { free, watchers }: Standing) -> Offered {
    let name = free.unwrap_or_else(|| offer.name.clone());
    let text = offer.text(&name);
    let own = sentinel::format(&text).unwrap_or_default();
    let tells = |(_, text): &(String, Canonical)| {
        !own.is_empty() && words::monitored(text.reveal()) == words::monitored(&own)
    };
    let told_by = watchers.into_iter().find(tells).map(|(name, _)| name);
    Offered { offer: Proposal { name, ..offer }, text, told_by, past: None }
}

#[cfg(test)]
mod tests {
    use super::address_of;

    #[test]
    fn an_address_may_leave_out_its_scheme_and_nothing_else_is_one() {
        for (typed, address) in [
            (" https://shop.example/kettle ", "https://shop.example/kettle"),
            ("shop.example/kettle", "https://shop.example/kettle"),
            ("http://localhost:8080/", "http://localhost:8080/"),
            ("http://[::1]/", "http://[::1]/"),
            ("127.0.0.1:8080/a", "http://127.0.0.1:8080/a"),
            ("localhost:8080", "http://localhost:8080"),
            ("shop.example:8443/", "https://shop.example:8443/"),
        ] {
            assert_eq!(address_of(typed).ok().as_deref(), Some(address));
        }
        for typed in ["", "kettle", "ftp://a.example/", "two words.example", "javascript:alert(1)"]
        {
            assert!(address_of(typed).is_err(), "{typed}");
        }
    }
}
