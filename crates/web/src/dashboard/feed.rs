//! What was told, as Atom and as JSON Feed, for whoever has a feed's address.
//!
//! An entry is what a sentinel told once, whatever channels it went out on: digests are taken
//! apart, and the same news on two channels is one entry, which keeps its name in every feed.

use super::shown::plain;
use super::told::{self, Room, Section};
use crate::App;
use crate::conditional::Validator;
use crate::problem::Problem;
use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chronon::{Instant, NotificationId, SentinelId, Zone};
use notice::{Kind, LinkKey, Notice};
use outbox::Row;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use store::{FeedOf, FeedRow, Reader, StoreError};

/// Feeds that are made at a time; more wait for their turn.
pub(crate) const READERS: usize = 2;
/// Entries of a feed; the last digest among them is there whole.
const ENTRIES: usize = 50;
/// Notifications that are looked through for them, and at a time.
const LOOKED_THROUGH: usize = 1_000;
const AT_A_TIME: usize = 100;
/// Bytes of bodies that are read for them; a digest is one body.
const BODIES_BYTES_MAX: usize = 16 << 20;

/// How a feed is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Atom,
    Json,
}

/// What a sentinel told once.
struct Entry {
    /// `urn:uuid:…`
    id: String,
    title: String,
    sentinel: Option<String>,
    /// RFC 3339.
    at: String,
    /// The page it is about, or where the notification is shown.
    link: String,
    html: String,
}

/// `/f/SECRET.atom` and `/f/SECRET.json`.
pub(super) async fn feed(
    State(app): State<App>,
    address: Result<Path<String>, axum::extract::rejection::PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let missing = || Problem::not_found("such feed; it may have been revoked");
    let Path(address) = address.map_err(|_| missing())?;
    let key = app.config.links.clone().ok_or_else(missing)?;
    let (secret, format) = read(&address).ok_or_else(missing)?;
    let row = app.keeper.feed(&key, secret).ok_or_else(missing)?;
    let _seat = app.feeds.acquire().await.expect("nobody closes it");
    let gathered = Gathering::new(&app, key, &row).await?.run(&app).await?;
    let (bytes, kind) = match format {
        Format::Atom => (gathered.atom(&app, secret)?, "application/atom+xml; charset=utf-8"),
        Format::Json => (gathered.json(&app, secret), "application/feed+json; charset=utf-8"),
    };
    let validator = Validator::of(bytes.as_bytes());
    let mut response = if validator.is_known(&headers) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(bytes).into_response()
    };
    let said = response.headers_mut();
    said.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    said.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    validator.write(said);
    Ok(response)
}

/// What an address says: 32 hexadecimal digits and a format.
fn read(address: &str) -> Option<([u8; 16], Format)> {
    let (secret, format) = address.rsplit_once('.')?;
    let format = match format {
        "atom" => Format::Atom,
        "json" => Format::Json,
        _ => return None,
    };
    let digits = secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit());
    let secret = u128::from_str_radix(secret, 16).ok().filter(|_| digits)?;
    Some((secret.to_be_bytes(), format))
}

/// Entries as they are gathered.
struct Gathering {
    key: LinkKey,
    home: String,
    of: FeedOf,
    title: String,
    /// Newest last.
    entries: BTreeMap<(String, SentinelId, u64), Entry>,
    told: BTreeSet<(SentinelId, u64)>,
    bytes: usize,
    /// When the newest of what was told was composed; before that, when the feed was made.
    updated: Instant,
    id: String,
    zone: Zone,
}

impl Gathering {
    async fn new(app: &App, key: LinkKey, row: &FeedRow) -> Result<Gathering, Problem> {
        let title = match &row.of {
            FeedOf::All => "Tidings".to_owned(),
            FeedOf::Tag(tag) => format!("Tidings: {tag}"),
            FeedOf::Sentinel(id) => {
                let (id, now) = (*id, app.now());
                let view = app.desk.look(move |kernel| kernel.sentinel_by_id(id, now)).await?;
                let name = view.map(|view| view.row.name.to_string());
                let gone = "This sentinel is no more; its feed tells nothing.";
                let name = name.ok_or_else(|| Problem::new(StatusCode::GONE, gone))?;
                format!("Tidings: {name}")
            }
        };
        Ok(Gathering {
            home: app.config.home(),
            of: row.of.clone(),
            title: xml(&title),
            entries: BTreeMap::new(),
            told: BTreeSet::new(),
            bytes: 0,
            updated: row.made_at,
            id: urn(&row.nonce),
            zone: app.config.zone.clone(),
            key,
        })
    }

    /// The last to be told first, until there are enough: a digest has the number of the day on
    /// which it began to gather.
    async fn run(mut self, app: &App) -> Result<Gathering, Problem> {
        let sentinel = match &self.of {
            FeedOf::Sentinel(id) => Some(*id),
            FeedOf::All | FeedOf::Tag(_) => None,
        };
        let (mut before, mut all): (Option<NotificationId>, _) = (None, Vec::new());
        for _ in 0..LOOKED_THROUGH / AT_A_TIME {
            let rows =
                app.desk.read(move |reader| reader.notifications(sentinel, before, AT_A_TIME));
            let rows = rows.await?;
            before = rows.last().map(|row| row.id);
            let is_last = rows.len() < AT_A_TIME;
            all.extend(self.wanted(app, rows).await?);
            if is_last {
                break;
            }
        }
        all.sort_unstable_by_key(|row| (row.closed_at, row.id));
        while !all.is_empty() && !self.is_full() {
            let next = all.split_off(all.len().saturating_sub(ENTRIES));
            self = app.desk.read(move |reader| self.take_all(reader, &next)).await?;
        }
        Ok(self)
    }

    fn is_full(&self) -> bool {
        self.entries.len() >= ENTRIES || self.bytes >= BODIES_BYTES_MAX
    }

    /// Those that are composed, of sentinels that the feed is of.
    async fn wanted(&self, app: &App, rows: Vec<Row>) -> Result<Vec<Row>, Problem> {
        let composed = |row: &Row| row.body.is_some() && row.kind != Kind::ChannelTest;
        let mut rows: Vec<Row> = rows.into_iter().filter(composed).collect();
        let FeedOf::Tag(tag) = &self.of else { return Ok(rows) };
        let (tag, now) = (tag.to_lowercase(), app.now());
        let ids: BTreeSet<SentinelId> = rows.iter().filter_map(|row| row.sentinel).collect();
        let tagged = app.desk.look(move |kernel| {
            let has = |id: &SentinelId| {
                let view = kernel.sentinel_by_id(*id, now);
                view.is_some_and(|view| view.tags.iter().any(|own| own.to_lowercase() == tag))
            };
            ids.into_iter().filter(has).collect::<BTreeSet<_>>()
        });
        let tagged = tagged.await?;
        rows.retain(|row| row.sentinel.is_some_and(|id| tagged.contains(&id)));
        Ok(rows)
    }

    fn take_all(mut self, reader: &dyn Reader, rows: &[Row]) -> Result<Gathering, StoreError> {
        for row in rows.iter().rev() {
            if self.is_full() {
                break;
            }
            let body = row.body.map(|body| reader.blob(body)).transpose()?.flatten();
            let Some(bytes) = body else { continue };
            self.bytes += bytes.len();
            let Some(read) = Notice::read(&bytes) else { continue };
            let notice = read.by_clock(&self.zone).unwrap_or(read);
            self.updated = self.updated.max(row.closed_at.unwrap_or(row.created_at));
            match (notice.kind, &notice.notifications) {
                (Kind::ChannelTest, _) => {}
                (Kind::Digest, Some(members)) => {
                    for member in members {
                        self.take(row, member);
                    }
                    let total = notice.notifications_total.unwrap_or_default();
                    if total > members.len() as u64 {
                        self.take(row, &notice);
                    }
                }
                _ => self.take(row, &notice),
            }
        }
        Ok(self)
    }

    fn take(&mut self, row: &Row, notice: &Notice) {
        let Some(sentinel) = row.sentinel else { return };
        let key = (sentinel, notice.seq);
        if !self.told.insert(key) {
            return;
        }
        // The same whichever message tells it: a digest of the night must not make the day's new.
        let at = match notice.detected_at.as_str() {
            "" => row.created_at.to_string(),
            at => xml(at),
        };
        let name = notice.rule.as_ref().or(notice.sentinel.as_ref());
        let title = match name {
            Some(name) => format!("{name}: {}", notice.summary),
            None => notice.summary.clone(),
        };
        let pages = notice.sources.iter().flat_map(|one| one.final_url.iter().chain([&one.url]));
        let page = pages.filter_map(|url| told::web_address(url)).next();
        let (sections, left_out) = told::sections(notice, Room::LIST);
        let note = notice.note.as_deref().map(plain);
        let html = Content { note, sections, left_out }.render();
        let entry = Entry {
            id: urn(&self.key.entry(sentinel, notice.seq)),
            title: xml(&plain(&title)),
            sentinel: name.map(|name| xml(&plain(name))),
            link: xml(&page.unwrap_or_else(|| format!("{}notifications/{}", self.home, row.id.0))),
            // Writing to a string cannot fail, and no filter of ours does.
            html: xml(&html.unwrap_or_default()),
            at,
        };
        self.entries.insert((entry.at.clone(), key.0, key.1), entry);
    }

    fn atom(&self, app: &App, secret: [u8; 16]) -> Result<String, Problem> {
        let page = Atom {
            id: &self.id,
            title: &self.title,
            updated: self.updated.to_string(),
            own: app.config.feed(secret, "atom"),
            home: &self.home,
            entries: self.entries.values().rev().collect(),
        };
        page.render().map_err(|error| {
            tracing::error!(%error, "a feed could not be rendered");
            let detail = "The feed could not be made; the server's log says why.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
        })
    }

    fn json(&self, app: &App, secret: [u8; 16]) -> String {
        let item = |entry: &Entry| {
            json!({
                "id": entry.id,
                "url": entry.link,
                "title": entry.title,
                "content_html": entry.html,
                "date_published": entry.at,
                "tags": entry.sentinel.iter().collect::<Vec<_>>(),
            })
        };
        let feed = json!({
            "version": "https://jsonfeed.org/version/1.1",
            "title": self.title,
            "home_page_url": self.home,
            "feed_url": app.config.feed(secret, "json"),
            "authors": [{"name": "Tidings"}],
            "items": self.entries.values().rev().map(item).collect::<Vec<_>>(),
        });
        feed.to_string()
    }
}

#[derive(Template)]
#[template(path = "feed.xml")]
struct Atom<'a> {
    id: &'a str,
    title: &'a str,
    updated: String,
    own: String,
    home: &'a str,
    entries: Vec<&'a Entry>,
}

/// What an entry says, as HTML of our own with texts escaped.
#[derive(Template)]
#[template(path = "entry.html")]
struct Content {
    note: Option<String>,
    sections: Vec<Section>,
    left_out: usize,
}

/// 128 bits as a UUID of version 8 (RFC 9562).
fn urn(bits: &[u8; 16]) -> String {
    let mut bytes = *bits;
    bytes[6] = 0x80 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    format!("urn:uuid:{}", parts.join("-"))
}

/// Without the characters that XML 1.0 cannot hold.
fn xml(text: &str) -> String {
    let holds = |c: &char| {
        matches!(c, '\t' | '\n' | '\r') || (*c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
    };
    text.chars().filter(holds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_128_bits_and_a_format() {
        let digits = "00112233445566778899aabbccddeeff";
        let (secret, format) = read(&format!("{digits}.atom")).expect("an address");
        assert_eq!((secret[1], secret[15], format), (0x11, 0xff, Format::Atom));
        for wrong in ["", ".atom", "x.json", digits, &format!("{digits}.rss"), "+1.atom"] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
        assert!(read(&format!("+{}.atom", &digits[1..])).is_none());
    }

    #[test]
    fn names_of_entries_are_uuids() {
        assert_eq!(urn(&[0xff; 16]), "urn:uuid:ffffffff-ffff-8fff-bfff-ffffffffffff");
    }

    #[test]
    fn what_xml_cannot_hold_is_left_out() {
        assert_eq!(xml("a\u{0}\u{b}b\u{fffe}\tc"), "ab\tc");
    }
}
