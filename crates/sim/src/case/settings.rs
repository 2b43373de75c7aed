//! The keys of a case's `config` section: those of `tidings.toml` that make sense, and some limits
//! that only a case wants smaller.

use chronon::{Span, Zone};
use kernel::{ChannelInfo, Config};

/// Sets one key; a sentence says what is wrong with it.
pub(super) fn set(config: &mut Config, key: &str, value: &str) -> Result<(), String> {
    let value = value.trim().trim_matches('"');
    let wrong = || format!("`{key}` cannot be `{value}`");
    let number = || value.parse::<i64>().ok().filter(|n| *n >= 0).ok_or_else(wrong);
    let seconds = || {
        let seconds = value.parse::<f64>().ok().filter(|s| *s >= 0.0).ok_or_else(wrong)?;
        Ok::<Span, String>(Span::from_millis((seconds * 1_000.0) as i64))
    };
    let schedule = &mut config.schedule;
    match key {
        "timezone" => config.zone = Zone::parse(value).map_err(|error| error.to_string())?,
        "chronon_seconds" => schedule.chronon = seconds()?,
        "budget" => schedule.budget = budget(value, schedule.chronon)?,
        "host_interval_seconds" => schedule.host_interval = seconds()?,
        "host_in_flight" => schedule.host_in_flight = number()? as u32,
        "interval_initial_seconds" => schedule.interval_initial = seconds()?,
        "interval_min_seconds" => schedule.interval_min = seconds()?,
        "interval_max_seconds" => schedule.interval_max = seconds()?,
        "yield_min" => {
            let number = value.parse::<f64>().ok().filter(|n| *n >= 0.0);
            schedule.yield_min = number.ok_or_else(wrong)?;
        }
        "capture_worth_seconds" => schedule.capture_worth = seconds()?,
        "in_flight_max" => schedule.in_flight_max = number()? as u32,
        "default_channel" => config.default_channel = value.to_lowercase(),
        "retention_days" => config.retention = Span::DAY.times(number()?),
        "retention_versions" => config.retention_versions = number()? as u32,
        "outbox_rows_max" => config.outbox.outbox_rows_max = number()? as u32,
        "members_max" => config.outbox.members_max = number()? as u32,
        "rows_loaded_per_channel" => config.outbox.rows_loaded_per_channel = number()? as u32,
        "comparisons_max" => config.comparisons_max = number()? as u32,
        "rounds_waiting_max" => config.rounds_waiting_max = number()? as usize,
        "revalidate_after_seconds" => config.revalidate_after = seconds()?,
        "failing_tries" => config.failing_tries = number()? as u32,
        "failing_after_seconds" => config.failing_after = seconds()?,
        "host_hold_first_seconds" => config.host_hold_first = seconds()?,
        _ => match key.strip_prefix("channels.") {
            Some(name) => config.channels.push(ChannelInfo {
                name: name.to_lowercase(),
                kind: None,
                contact_needed: false,
                trouble: None,
            }),
            None => return Err(format!("there is no key `{key}`; cases/README.md lists them")),
        },
    }
    Ok(())
}

/// "10 per second", as probes per chronon.
pub(super) fn budget(text: &str, chronon: Span) -> Result<f64, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [number, "per", unit] = words[..] else {
        return Err(format!("`{text}` is no budget; write it as `10 per second`"));
    };
    let unit = match unit {
        "second" => 1.0,
        "minute" => 60.0,
        "hour" => 3_600.0,
        "day" => 86_400.0,
        _ => return Err(format!("a budget is per second, minute, hour or day, not {unit}")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    Ok(number / unit * chronon.as_secs_f64())
}
