//! Between detections and the outbox: whom to tell, and the outbox's works as effects.

use crate::flights::Flight;
use crate::io::{Announcement, Answer, Computation, Delivery, Effect, Task};
use crate::kernel::Kernel;
use crate::owners;
use crate::state::Recipient;
use address::Contact;
use chronon::{NotificationId, OwnerId};
use outbox::{DeliveryResult, Detection, Job, Resent, Row, Whom};
use sentinel::ast;

impl Kernel {
    /// The outbox, and what it draws the ids of `owner` from.
    pub(crate) fn outbox(&mut self, owner: OwnerId) -> (&mut outbox::Outbox, owners::Ids<'_>) {
        (&mut self.outbox, self.owners.ids(owner))
    }

    pub(crate) fn recipients_of(&mut self, owner: OwnerId, ast: &ast::Sentinel) -> Vec<Recipient> {
        let (outbox, mut ids) = self.outbox(owner);
        let recipient = |notify: &ast::Notify| Recipient {
            channel: outbox.channel(&mut ids, &notify.channel, notify.contact.as_ref()),
            frequency: notify.frequency,
        };
        ast.notify.iter().map(recipient).collect()
    }

    pub(crate) fn tell_detection(&mut self, detection: &Detection, whom: &[Whom]) {
        let (outbox, mut ids) = self.outbox(detection.id.owner());
        outbox.detected(&mut ids, detection, whom);
    }

    pub(crate) fn read_notification(
        &mut self,
        owner: OwnerId,
        id: NotificationId,
        row: Option<Row>,
    ) -> Answer {
        let is_read = id.owner() == owner && self.outbox.read(id, row);
        if is_read { Answer::Done } else { no_notification(id) }
    }

    pub(crate) fn resend_notification(
        &mut self,
        owner: OwnerId,
        id: NotificationId,
        row: Option<Row>,
    ) -> Answer {
        if id.owner() != owner {
            return no_notification(id);
        }
        match self.outbox.resend(self.now, id, row) {
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

    pub(crate) fn test_channel(
        &mut self,
        owner: OwnerId,
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
        let now = self.now;
        let (outbox, mut ids) = self.outbox(owner);
        let channel = outbox.channel(&mut ids, name, contact);
        Answer::Queued(outbox.test(now, &mut ids, channel))
    }

    pub(crate) fn delivered(&mut self, id: NotificationId, result: DeliveryResult) {
        match result {
            DeliveryResult::Delivered => self.counts.delivered += 1,
            DeliveryResult::Failed { .. } => self.counts.delivery_failures += 1,
            DeliveryResult::Gone => self.counts.delivery_failures += 1,
        }
        self.outbox.delivered(self.now, id, result);
        let announcement = Announcement::Notification { notification: id, at: self.now };
        self.out.effects.push(Effect::Announce(announcement));
    }

    /// What the outbox wants done within its limits becomes effects.
    pub(crate) fn start_deliveries(&mut self) {
        let mut jobs = Vec::new();
        self.outbox.poll(self.now, &mut jobs);
        for job in jobs {
            let task = match job {
                Job::Compose(notification) => {
                    let ticket = self.flights.start(Flight::Compose(notification));
                    Task::Compute(Computation::Compose { ticket, notification })
                }
                Job::Deliver { notification, channel, key, body, number } => {
                    let Some(row) = self.outbox.channel_row(channel) else { continue };
                    let (name, contact) = (row.name.clone(), row.contact.clone());
                    let ticket = self.flights.start(Flight::Deliver(notification));
                    let attempt = number;
                    Task::Deliver(Delivery {
                        ticket,
                        notification,
                        channel,
                        name,
                        contact,
                        key,
                        body,
                        attempt,
                    })
                }
                Job::LoadDue { channel } => {
                    let limit = self.config.outbox.rows_loaded_per_channel;
                    Task::Compute(Computation::LoadDue { channel, limit })
                }
            };
            self.out.effects.push(Effect::Start(task));
        }
    }
}

fn no_notification(id: NotificationId) -> Answer {
    Answer::NotFound { what: format!("notification {}", id.0).into() }
}
