//! Keys that every `[channels.NAME]` may have: when it wants to be told, and who stands in for it.

use address::MANNERS;
use chronon::{Span, Zone};
use toml::Value;

/// How a configured channel wants to be told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manners {
    pub quiet_hours: Option<Hours>,
    /// The zone of the quiet hours; the server's where none is given.
    pub timezone: Option<Zone>,
    /// Between two messages, by `rate`.
    pub pause: Option<Span>,
    pub fallback: Option<String>,
    rate: Option<String>,
}

/// Two times of day, as minutes since midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours {
    pub from: u16,
    pub to: u16,
}

impl Manners {
    /// Takes a key, if it is one of these; what is wrong completes a sentence that begins with it.
    pub(super) fn read(&mut self, name: &str, value: &Value) -> Option<Result<(), String>> {
        let (_, example, _) = MANNERS.iter().find(|(key, ..)| *key == name)?;
        let wrong = || format!("must read like \"{example}\"");
        let Some(text) = value.as_str() else { return Some(Err(wrong())) };
        let done = match name {
            "quiet_hours" => hours(text).map(|hours| self.quiet_hours = Some(hours)),
            "timezone" => Zone::parse(text).ok().map(|zone| self.timezone = Some(zone)),
            "rate" => pause(text).map(|pause| {
                self.pause = Some(pause);
                self.rate = Some(text.to_owned());
            }),
            _ => (!text.is_empty()).then(|| self.fallback = Some(text.to_owned())),
        };
        Some(done.ok_or_else(wrong))
    }

    /// Each key that is set, as it may be written.
    pub(super) fn shown(&self) -> impl Iterator<Item = (&'static str, String)> {
        let clock = |minutes: u16| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        let hours = self.quiet_hours.map(|h| format!("{}-{}", clock(h.from), clock(h.to)));
        let zone = self.timezone.as_ref().map(|zone| zone.name().to_owned());
        let all = [hours, zone, self.rate.clone(), self.fallback.clone()];
        MANNERS.iter().zip(all).filter_map(|((key, ..), value)| Some((*key, value?)))
    }
}

/// `22:00-07:00`
fn hours(text: &str) -> Option<Hours> {
    let clock = |text: &str| {
        let (hour, minute) = text.trim().split_once(':')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let fits = digits(hour) && digits(minute) && hour.len() <= 2 && minute.len() == 2;
        let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
        (fits && hour < 24 && minute < 60).then_some(hour * 60 + minute)
    };
    let (from, to) = text.split_once('-')?;
    let (from, to) = (clock(from)?, clock(to)?);
    (from != to).then_some(Hours { from, to })
}

/// `10 per hour`: six minutes.
fn pause(text: &str) -> Option<Span> {
    let per_second = super::parse_budget(text).ok()?;
    let millis = 1_000.0 / per_second;
    // At least a message a day is sent.
    (millis <= Span::DAY.as_millis() as f64).then(|| Span::from_millis(millis.ceil() as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Manners, String> {
        let mut manners = Manners::default();
        manners.read(name, &text.into()).expect("a key")?;
        Ok(manners)
    }

    #[test]
    fn each_key_is_read_as_its_example_and_shown_as_it_was_written() {
        for (name, example, _) in MANNERS {
            let shown: Vec<_> = read(name, example).expect(name).shown().collect();
            assert_eq!(shown, [(name, example.to_owned())]);
        }
        assert_eq!(read("rate", "10 per hour").expect("read").pause, Some(Span::MINUTE.times(6)));
        let hours = read("quiet_hours", "9:30 - 17:05").expect("read").quiet_hours;
        assert_eq!(hours, Some(Hours { from: 570, to: 1_025 }));
        assert!(Manners::default().read("url", &"x".into()).is_none());
    }

    #[test]
    fn what_is_no_time_and_no_rate_says_what_to_write() {
        for (name, text) in [
            ("quiet_hours", "22-7"),
            ("quiet_hours", "24:00-07:00"),
            ("quiet_hours", "07:00-07:00"),
            ("quiet_hours", "+7:00-08:00"),
            ("timezone", "Berlin"),
            ("rate", "often"),
            ("rate", "0.5 per day"),
            ("fallback", ""),
        ] {
            let said = read(name, text).expect_err(text);
            assert!(said.starts_with("must read like \""), "{said}");
        }
    }
}
