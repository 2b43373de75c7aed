//! Notifications as people see them: rows of the store with names and channels of the live state.

use crate::App;
use crate::problem::Problem;
use crate::wire::{Channel, Notification};
use chronon::{NotificationId, RuleId, SentinelId};
use outbox::Row;
use std::collections::HashMap;
use store::{Reader, StoreError};

/// A notification with its body, if it is composed.
pub(crate) struct Loaded {
    pub(crate) notification: Notification,
    /// As it is sent.
    pub(crate) body: Option<Vec<u8>>,
}

/// Newest first, below `before`; with summaries, without bodies.
pub(crate) async fn notifications(
    app: &App,
    sentinel: Option<SentinelId>,
    before: Option<NotificationId>,
    limit: usize,
) -> Result<Vec<Loaded>, Problem> {
    load(app, move |reader| reader.notifications(sentinel, before, limit), Bodies::Summary).await
}

/// The same with bodies; for short lists.
pub(crate) async fn notifications_in_full(
    app: &App,
    rows: impl FnOnce(&dyn Reader) -> Result<Vec<Row>, StoreError> + Send + 'static,
) -> Result<Vec<Loaded>, Problem> {
    load(app, rows, Bodies::Whole).await
}

/// One notification with its body.
pub(crate) async fn notification(app: &App, id: NotificationId) -> Result<Loaded, Problem> {
    let one = move |reader: &dyn Reader| Ok(reader.notification(id)?.into_iter().collect());
    let found = notifications_in_full(app, one).await?.pop();
    found.ok_or_else(|| Problem::not_found(format!("notification {}", id.0)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bodies {
    Summary,
    Whole,
}

async fn load(
    app: &App,
    rows: impl FnOnce(&dyn Reader) -> Result<Vec<Row>, StoreError> + Send + 'static,
    bodies: Bodies,
) -> Result<Vec<Loaded>, Problem> {
    let rows = app.desk.read(rows).await?;
    let mut wanted: Vec<_> = rows.iter().map(|row| row.channel).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let now = app.now();
    let channels = app.desk.look(move |kernel| {
        let shown = |id| Some((id, Channel::of(kernel, kernel.channel(id)?, now)));
        wanted.into_iter().filter_map(shown).collect::<HashMap<_, _>>()
    });
    let channels = channels.await?;
    let loaded = app.desk.read(move |reader| {
        let mut names = HashMap::new();
        let one = |row: &Row| {
            let mut notification = Notification::of(row);
            notification.channel = channels.get(&row.channel).cloned();
            notification.sentinel = name_of(reader, &mut names, row.sentinel)?;
            if notification.sentinel.is_none()
                && let Some(id) = row.sentinel
            {
                // Rules are numbered with sentinels.
                let rule = reader.rule(RuleId(id.0))?;
                notification.rule = rule.map(|row| row.name.into_string());
            }
            let bytes = match row.body {
                Some(body) => reader.blob(body)?,
                None => None,
            };
            let head = bytes.as_deref().and_then(notice::Head::of);
            (notification.summary, notification.called) =
                head.map_or((None, None), |head| (Some(head.summary), head.sentinel));
            let body = bytes.filter(|_| bodies == Bodies::Whole);
            let body = body.map(|bytes| notice::as_sent(&bytes).into_owned());
            Ok(Loaded { notification, body })
        };
        rows.iter().map(one).collect::<Result<Vec<_>, StoreError>>()
    });
    Ok(loaded.await?)
}

fn name_of(
    reader: &dyn Reader,
    names: &mut HashMap<SentinelId, Option<String>>,
    id: Option<SentinelId>,
) -> Result<Option<String>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    if let Some(name) = names.get(&id) {
        return Ok(name.clone());
    }
    let name = reader.sentinel(id)?.map(|row| row.name.into_string());
    names.insert(id, name.clone());
    Ok(name)
}
