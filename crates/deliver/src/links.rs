//! Where messages lead: to what changed, to the dashboard, and, signed, to stop or snooze.

use chronon::Instant;
use notice::{Act, Link, LinkKey, Notice};

/// Where the dashboard is, with a slash at its end, and what signs links to it.
#[derive(Clone, Copy)]
pub(crate) struct Home<'a> {
    pub(crate) url: &'a str,
    pub(crate) key: Option<&'a LinkKey>,
}

/// What a message is about, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject<'a> {
    Sentinel(&'a str),
    Rule(&'a str),
    Nothing,
}

impl<'a> Subject<'a> {
    pub(crate) fn of(notice: &'a Notice) -> Subject<'a> {
        match (notice.sentinel.as_deref(), notice.rule.as_deref()) {
            (Some(name), _) if !name.is_empty() => Subject::Sentinel(name),
            (_, Some(name)) if !name.is_empty() => Subject::Rule(name),
            _ => Subject::Nothing,
        }
    }
}

/// What a message links to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Links {
    /// The whole page with its changes marked.
    pub(crate) compared: Option<String>,
    pub(crate) dashboard: Option<String>,
    /// Signed: whoever has them may follow them.
    pub(crate) snooze: Option<String>,
    pub(crate) stop: Option<String>,
}

impl Links {
    pub(crate) fn of(home: Home<'_>, notice: &Notice, now: Instant) -> Links {
        let subject = Subject::of(notice);
        let is_of_rule = notice.sentinel.is_none();
        let dashboard = place_of(home.url, subject);
        let first = notice.sources.first();
        let versions = first.and_then(|source| Some((source.from_version?, source.to_version?)));
        // A page that answers otherwise shows the version that it showed.
        let differing = versions.filter(|(from, to)| from != to && !is_of_rule);
        let compared = dashboard.as_ref().zip(differing);
        let key = home.key.zip(notice.sentinel_id.filter(|_| !is_of_rule));
        let signed = |act| {
            key.map(|(key, id)| format!("{}l/{}", home.url, key.sign(&Link::new(act, id, now))))
        };
        Links {
            compared: compared
                .map(|(place, (from, to))| format!("{place}/compare?from={from}&to={to}")),
            snooze: signed(Act::Snooze),
            stop: signed(Act::Stop),
            dashboard,
        }
    }
}

/// The page of a sentinel, or the first one, on the dashboard at `home`.
pub(crate) fn place_of(home: &str, subject: Subject<'_>) -> Option<String> {
    let mut url = url::Url::parse(home).ok()?;
    let place = match subject {
        Subject::Sentinel(name) => ["sentinels", name],
        Subject::Rule(name) => ["rules", name],
        Subject::Nothing => return Some(url.into()),
    };
    url.path_segments_mut().ok()?.pop_if_empty().extend(place);
    Some(url.into())
}
