//! Alerts: what was told, each of them once for all the channels it goes by.

use super::NOTIFICATIONS;
use super::home::Card;
use super::shown::plain;
use super::told::Room;
use crate::App;
use crate::look::{self, Loaded};
use crate::problem::Problem;
use crate::wire::delivery_words;
use crate::words::Wall;
use chronon::NotificationId;
use outbox::Row;

/// Channels that each alert of a full page may go by.
pub(super) const CHANNELS: usize = 4;

/// A card for all channels that an alert goes by.
pub(super) struct Alert {
    pub(super) card: Card,
    /// What it is called on a page; stays the same when the alert goes by one more channel.
    pub(super) key: u64,
    /// Those that a press of “Read” is for, as in `13,12`.
    pub(super) ids: String,
}

/// Those of one moment that say the same, each list with the newest of them in front.
pub(super) fn by_alert<'l>(loaded: impl Iterator<Item = &'l Loaded>) -> Vec<Vec<&'l Loaded>> {
    let mut alerts: Vec<Vec<&Loaded>> = Vec::new();
    for one in loaded {
        let is_of_then = |alert: &&mut Vec<&Loaded>| {
            alert[0].notification.created() == one.notification.created()
        };
        let mut of_then = alerts.iter_mut().rev().take_while(is_of_then);
        let same = |alert: &&mut Vec<&Loaded>| {
            alert.iter().all(|other| other.notification.says_the_same(&one.notification))
        };
        match of_then.find(same) {
            Some(alert) => alert.push(one),
            None => alerts.push(vec![one]),
        }
    }
    alerts
}

/// The newest alerts, of them those that one of these ids belongs to.
pub(super) async fn newest(
    app: &App,
    is_wanted: impl Fn(u64) -> bool,
    wall: &Wall,
) -> Result<Vec<Alert>, Problem> {
    let loaded = look::notifications(app, None, None, NOTIFICATIONS * CHANNELS).await?;
    let mut alerts = by_alert(loaded.iter());
    alerts.truncate(NOTIFICATIONS);
    alerts.retain(|all| all.iter().any(|one| is_wanted(one.notification.id)));
    cards(app, &alerts, wall).await
}

/// The cards of alerts, with what the newest notification of each says.
pub(super) async fn cards(
    app: &App,
    alerts: &[Vec<&Loaded>],
    wall: &Wall,
) -> Result<Vec<Alert>, Problem> {
    let ids: Vec<u64> = alerts.iter().map(|all| speaker(all).notification.id).collect();
    let shown = look::notifications_in_full(app, move |reader| {
        let rows = ids.iter().map(|&id| reader.notification(NotificationId(id)));
        Ok(rows.collect::<Result<Vec<Option<Row>>, _>>()?.into_iter().flatten().collect())
    });
    let shown = shown.await?;
    let cards = alerts.iter().filter_map(|all| {
        let id = speaker(all).notification.id;
        let shown = shown.iter().find(|one| one.notification.id == id)?;
        Some(Alert::of(Card::of(shown, Room::LIST, wall), all))
    });
    Ok(cards.collect())
}

/// The newest notification of an alert that says what was found. A channel that gathers says it
/// later.
fn speaker<'a>(all: &[&'a Loaded]) -> &'a Loaded {
    all.iter().find(|one| !one.notification.is_gathering()).unwrap_or(&all[0])
}

impl Alert {
    /// The card of one, with what is said of the others, too.
    fn of(card: Card, all: &[&Loaded]) -> Alert {
        let delivery = plain(&delivery_words(all.iter().map(|one| &one.notification)));
        let is_news = all.iter().any(|one| one.notification.is_news());
        let ids: Vec<String> = all.iter().map(|one| one.notification.id.to_string()).collect();
        let key = all.last().map_or(card.id, |one| one.notification.id);
        Alert { card: Card { delivery, is_news, ..card }, key, ids: ids.join(",") }
    }
}
