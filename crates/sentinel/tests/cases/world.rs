//! A small world to check against.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use address::ChannelKind;
use chronon::{Instant, Span, Zone};
use sentinel::{Existing, Knowledge, Redefine};

pub struct Surroundings {
    pub now: Instant,
    pub zone: Zone,
    pub chronon: Span,
    pub redefine: Redefine,
    pub refuse_past: bool,
    pub default_channel: &'static str,
}

/// A stored sentinel with three secrets.
pub const GUARDED: &str = "create sentinel Guarded using https://ana:p%40ss@a.example/page?x=1
  monitor phrase \"‹secret 1›\"
  notify by webhook https://hooks.example:8443/T00/B00
  notify by email ana@example.org every 1 day
  notify by ops https://ops.example/?token=abc
";

/// A stored rule with secrets.
pub const STANDING: &str = "\
create rule standing
  on existing or event alarm
  do notify by webhook https://ops.example/hook/s3cret, \
probe https://ana:pw@intern.example/status within 10 minutes
";

/// 2027-01-01T00:00Z in Lisbon; `existing` is defined, with a channel `ops`,
/// and [`GUARDED`] and [`STANDING`], which listens to the event `alarm`.
impl Default for Surroundings {
    fn default() -> Surroundings {
        Surroundings {
            now: Instant::from_millis(1_798_761_600_000),
            zone: Zone::parse("Europe/Lisbon").expect("a zone"),
            chronon: Span::SECOND,
            redefine: Redefine::Replace,
            refuse_past: false,
            default_channel: "terminal",
        }
    }
}

impl Surroundings {
    pub fn with_world<T>(&self, body: impl FnOnce(&Knowledge) -> T) -> T {
        let channels = ["interactive", "terminal", "email", "webhook", "discord", "ops", "Pager"];
        let named = ["post", "chat", "topics", "script"];
        let channels: Vec<String> = channels.into_iter().chain(named).map(String::from).collect();
        let reach = address::Reach::default();
        let then = Instant::from_millis(1_790_000_000_000);
        let existing = |name: &str| {
            if name == "guarded" {
                return Some(Existing::Sentinel(GUARDED.into(), then));
            }
            match name {
                "standing" => return Some(Existing::Rule(STANDING.into())),
                "alarm" => return Some(Existing::Event),
                _ => {}
            }
            if name == "ended" {
                let text = "create sentinel Ended using https://old.example/\n  notify by ops\n";
                return Some(Existing::Sentinel(text.into(), then));
            }
            let text = "create sentinel Existing using https://old.example/\n  all links\n";
            let text = text.replace("all links", "monitor all links\n  notify by ops\n  weight 3");
            (name == "existing").then(|| Existing::Sentinel(text.into(), then))
        };
        body(&Knowledge {
            now: self.now,
            zone: self.zone.clone(),
            chronon: self.chronon,
            host_interval: Span::from_secs(5),
            reach: &reach,
            channels: &channels,
            default_channel: self.default_channel,
            contact_needed: &|channel| matches!(channel, "email" | "webhook" | "discord" | "Pager"),
            kind: &|channel| match channel {
                "post" => Some(ChannelKind::Email),
                "chat" => Some(ChannelKind::Telegram),
                "topics" => Some(ChannelKind::Mqtt),
                "script" => Some(ChannelKind::Command),
                other => ChannelKind::named(other),
            },
            trouble: &|channel| (channel == "Pager").then(|| "its battery is flat".into()),
            existing: &existing,
            taken: &|name| match existing(name)? {
                Existing::Sentinel(..) => None,
                Existing::Rule(_) => Some("a rule"),
                Existing::Event => Some("an event"),
            },
            ended: &|name| (name == "ended").then(|| Instant::from_millis(1_795_000_000_000)),
            redefine: self.redefine,
            refuse_past: self.refuse_past,
        })
    }
}
