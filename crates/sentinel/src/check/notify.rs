//! Whom a sentinel tells.

use super::Checker;
use crate::ast::{self, Frequency};
use crate::draft::{Draft, NotifyDraft};
use crate::place::Place;
use crate::vocabulary::nearest;
use address::{ChannelKind, Contact, Whom};
use std::rc::Rc;

impl Checker<'_> {
    pub(super) fn tell_by_default(&mut self, draft: &mut Draft, blame: Place) {
        let channel = self.world.default_channel;
        if (self.world.contact_needed)(channel) {
            let message = format!("the default channel, `{channel}`, needs a contact");
            let help = format!("write {}", contact_example(channel));
            self.sink.value(blame, message, &help);
            return;
        }
        draft.notify = Rc::new(vec![NotifyDraft {
            notify: ast::Notify {
                channel: channel.to_owned(),
                contact: None,
                frequency: Frequency::Immediately,
            },
            channel_place: blame,
            contact_place: blame,
        }]);
    }

    pub(super) fn check_notifies(&mut self, draft: &mut Draft) {
        let mut notify = draft.notify.to_vec();
        for at in 0..notify.len() {
            let (before, rest) = notify.split_at_mut(at);
            self.check_notify(&mut rest[0]);
            let twice = before.iter().any(|other| say_the_same(&other.notify, &rest[0].notify));
            if twice {
                let message = "this `notify` says the same as one before";
                self.sink.value(rest[0].channel_place, message, "leave one of the two out");
            }
        }
        draft.notify = Rc::new(notify);
    }

    pub(super) fn check_notify(&mut self, one: &mut NotifyDraft) {
        let channel = &one.notify.channel;
        let lower = channel.to_lowercase();
        let dashboard = ChannelKind::Interactive.name();
        let mut known = self.world.channels.iter().map(String::as_str).chain([dashboard]);
        let Some(spelled) = known.find(|known| known.to_lowercase() == lower) else {
            let mut all: Vec<&str> = self.world.channels.iter().map(String::as_str).collect();
            all.push(dashboard);
            let message = format!("there is no channel `{channel}`");
            let place = one.channel_place;
            match nearest(channel, all.iter().copied()) {
                _ if lower == "dashboard" => {
                    self.sink.near_name(place, message, dashboard);
                }
                _ if ChannelKind::named(&lower).is_some() => {
                    self.sink.value(place, message, &unconfigured(&lower));
                }
                Some(near) => self.sink.near_name(place, message, near),
                None => {
                    all.sort_unstable();
                    all.dedup();
                    let all = all.join(", ");
                    let help = format!("there are {all}; others are configured in `[channels]`");
                    self.sink.value(place, message, &help);
                }
            }
            return;
        };
        one.notify.channel = spelled.to_owned();
        if let Some(trouble) = (self.world.trouble)(spelled) {
            let message = format!("nothing can be sent by `{spelled}`: {trouble}");
            let help = "change the configuration, or tell by another channel";
            self.sink.warn(one.channel_place, message, help);
        }
        match one.notify.contact.take() {
            Some(contact) => {
                let place = one.contact_place;
                let channel = crate::urls::Channel {
                    name: spelled,
                    kind: (self.world.kind)(spelled),
                    is_inherited: place == one.channel_place,
                };
                let contact = crate::urls::contact(channel, contact.reveal(), place, self.sink);
                if let Some(contact) = &contact {
                    let allowed = self.world.reach.receivers;
                    crate::reach::check_contact(contact, allowed, place, self.sink);
                }
                one.notify.contact = contact.map(Contact::from);
            }
            None if (self.world.contact_needed)(spelled) => {
                let message = format!("`{spelled}` needs to know whom to tell");
                self.sink.value(
                    one.channel_place,
                    message,
                    &format!("write {}", contact_example(spelled)),
                );
            }
            None => {}
        }
    }
}

pub(super) fn contact_example(channel: &str) -> String {
    let example = match ChannelKind::named(channel).map(|kind| kind.row().whom) {
        Some(Whom::Contact { example, .. }) => crate::print::contact(example),
        _ => "CONTACT".to_owned(),
    };
    format!("`notify by {channel} {example}`")
}

/// What a kind that needs more than a contact wants in the configuration.
pub(super) fn unconfigured(kind: &str) -> String {
    let fields = ChannelKind::named(kind).map(ChannelKind::fields).unwrap_or_default();
    let needed = fields.iter().filter(|field| field.needed);
    let needed: String = needed.map(|field| format!(" and `{}`", field.name)).collect();
    format!("write a `[channels.{kind}]` with `kind = \"{kind}\"`{needed} in the configuration")
}

/// Same channel, same contact, and either both at once or both in the same digest.
fn say_the_same(a: &ast::Notify, b: &ast::Notify) -> bool {
    let digest = |notify: &ast::Notify| match notify.frequency {
        Frequency::Every(period) => Some(period),
        Frequency::Immediately | Frequency::BestEffort => None,
    };
    a.channel == b.channel && a.contact == b.contact && digest(a) == digest(b)
}
