//! Times in texts of a body, by the clock of those who read them.

use crate::body::{Change, Notice};
use change::{Aspect, Thing};
use chronon::Zone;

const SINCE: &str = ", since ";

impl Notice {
    /// The body with times by the clock of `zone`; nothing where none is told in a text.
    pub fn by_clock(&self, zone: &Zone) -> Option<Notice> {
        let says = |changes: &[Change]| changes.iter().any(|one| is_status(&one.change_type));
        let mut members = self.notifications.iter().flatten();
        if !says(&self.changes) && !members.any(|member| says(&member.changes)) {
            return None;
        }
        let mut told = self.clone();
        let members = told.notifications.iter_mut().flatten();
        let own = told.changes.iter_mut().chain(members.flat_map(|member| &mut member.changes));
        let mut is_other = false;
        for change in own {
            let old = change.old.as_ref().and_then(|old| by_clock(&change.change_type, old, zone));
            is_other |= old.is_some();
            change.old = old.or(change.old.take());
        }
        is_other.then_some(told)
    }
}

fn is_status(change_type: &str) -> bool {
    change_type == Aspect::Status.row().name
}

/// How long a page had been as it was is told with a time of the world's clock; here with one of
/// the zone's. Nothing where no such time is told.
pub fn by_clock(change_type: &str, old: &Thing, zone: &Zone) -> Option<Thing> {
    if !is_status(change_type) {
        return None;
    }
    let Thing::Text { text } = old else { return None };
    let (before, since) = text.rsplit_once(SINCE)?;
    let text = format!("{before}{SINCE}{}", zone.moment(chronon::rfc3339(since)?));
    Some(Thing::Text { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_when_a_page_was_as_it_was_is_told_by_the_readers_clock() {
        let zone = Zone::parse("Asia/Kathmandu").expect("a zone");
        let of = |change_type: &str, text: &str| Notice {
            changes: vec![Change {
                change_type: change_type.to_owned(),
                old: Some(Thing::Text { text: text.to_owned() }),
                ..Change::default()
            }],
            ..Notice::default()
        };
        let down = "down for 1 min, since 2027-01-31T06:27:17Z";
        let digest = Notice { notifications: Some(vec![of("status", down)]), ..of("any", down) };
        let told = digest.by_clock(&zone).expect("a time is told");
        let said = |notice: &Notice| notice.changes[0].old.clone().expect("text").text().to_owned();
        assert_eq!(said(&told), down, "the text of a page is its own");
        let member = &told.notifications.as_ref().expect("a digest")[0];
        assert_eq!(said(member), "down for 1 min, since 2027-01-31 12:12:17 Asia/Kathmandu");
        assert_eq!(told.by_clock(&zone), None, "once");
        assert_eq!(of("status", "down").by_clock(&zone), None);
    }
}
