//! What people ask about notifications and channels.

use super::Notices;
use crate::io::Answer;
use address::Contact;
use chronon::{Instant, NotificationId, OwnerId};
use outbox::{Resent, Row};

impl Notices {
    pub(crate) fn read(&mut self, owner: OwnerId, id: NotificationId, row: Option<Row>) -> Answer {
        let is_read = id.owner() == owner && self.outbox.read(id, row);
        if is_read { Answer::Done } else { no_notification(id) }
    }

    pub(crate) fn resend(
        &mut self,
        now: Instant,
        owner: OwnerId,
        id: NotificationId,
        row: Option<Row>,
    ) -> Answer {
        if id.owner() != owner {
            return no_notification(id);
        }
        match self.outbox.resend(now, id, row) {
            Resent::Queued | Resent::OnItsWay => Answer::Done,
            Resent::Cancelled => {
                Answer::Unable("it was cancelled: its sentinel was removed".into())
            }
            Resent::ChannelDisabled(reason) => {
                let sentence = format!("its channel is disabled: {reason}; test the channel first");
                Answer::Unable(sentence.into())
            }
            Resent::NotFound => no_notification(id),
        }
    }

    pub(crate) fn test(
        &mut self,
        now: Instant,
        ids: &mut dyn outbox::Ids,
        name: &str,
        contact: Option<&Contact>,
    ) -> Answer {
        let Some(info) = self.config.channels.iter().find(|info| info.name == name) else {
            let known: Vec<&str> = self.config.channels.iter().map(|c| c.name.as_str()).collect();
            let what = format!("channel `{name}`; there are: {}", known.join(", "));
            return Answer::NotFound { what: what.into() };
        };
        if info.contact_needed && contact.is_none() {
            return Answer::Unable(format!("`{name}` needs a contact: say whom to reach").into());
        }
        let channel = self.outbox.channel(ids, name, contact);
        Answer::Queued(self.outbox.test(now, ids, channel))
    }
}

fn no_notification(id: NotificationId) -> Answer {
    Answer::NotFound { what: format!("notification {}", id.0).into() }
}
