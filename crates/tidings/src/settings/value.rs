//! How a value of the configuration is read.

use super::keys::Kind;
use anyhow::{Result, anyhow, bail};
use chronon::{Span, Zone};
use deliver::SmtpTls;
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use toml::Value;
use web::PublicUrl;

/// What a setting is read as.
pub trait Setting: Sized {
    /// # Errors
    /// What to write instead.
    fn read(kind: Kind, value: &Value) -> Result<Self>;
}

/// Probes per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget(pub f64);

fn text(value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| anyhow!("must be a string"))
}

fn list(value: &Value) -> Result<Vec<&str>> {
    let texts = value.as_array().and_then(|parts| parts.iter().map(Value::as_str).collect());
    texts.ok_or_else(|| anyhow!("must be a list of strings"))
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64))
}

impl Setting for String {
    fn read(_: Kind, value: &Value) -> Result<String> {
        text(value).map(str::to_owned)
    }
}

impl Setting for bool {
    fn read(_: Kind, value: &Value) -> Result<bool> {
        value.as_bool().ok_or_else(|| anyhow!("must be true or false"))
    }
}

impl Setting for i64 {
    fn read(kind: Kind, value: &Value) -> Result<i64> {
        let (min, max) = match kind {
            Kind::Integer(min, max) => (min, max),
            _ => (i64::MIN, i64::MAX),
        };
        match value.as_integer() {
            Some(n) if (min..=max).contains(&n) => Ok(n),
            _ => bail!("must be a whole number from {min} to {max}"),
        }
    }
}

macro_rules! whole {
    ($($type:ty),+) => {$(
        impl Setting for $type {
            fn read(kind: Kind, value: &Value) -> Result<$type> {
                Ok(<$type>::try_from(i64::read(kind, value)?)?)
            }
        }
    )+};
}

whole!(u16, u32, u64);

impl Setting for f64 {
    fn read(kind: Kind, value: &Value) -> Result<f64> {
        let (min, max) = match kind {
            Kind::Number(min, max) => (min, max),
            _ => (f64::MIN, f64::MAX),
        };
        match number(value) {
            Some(n) if (min..=max).contains(&n) => Ok(n),
            _ => bail!("must be a number from {min} to {max}"),
        }
    }
}

/// A number of seconds, or a duration in words; to the millisecond.
impl Setting for Span {
    fn read(_: Kind, value: &Value) -> Result<Span> {
        let seconds = number(value).or_else(|| seconds_of(value.as_str()?));
        match seconds {
            Some(n) if n > 0.0 && n <= 1e9 => Ok(Span::from_millis(((n * 1_000.0) as i64).max(1))),
            _ => bail!("must be seconds above 0, or a duration as 10m, 1h30m, 90 s or 2d"),
        }
    }
}

/// `1h30m`, `90 s`: numbers with units, the largest first.
fn seconds_of(text: &str) -> Option<f64> {
    let (mut rest, mut sum, mut last) = (text.trim(), 0.0, f64::INFINITY);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (count, behind) = rest.split_at(digits);
        let behind = behind.trim_start();
        let letters = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(letters);
        let unit = match unit {
            "s" | "sec" | "second" | "seconds" => 1.0,
            "m" | "min" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3_600.0,
            "d" | "day" | "days" => 86_400.0,
            "w" | "week" | "weeks" => 604_800.0,
            _ => return None,
        };
        if unit >= last {
            return None;
        }
        sum += count.parse::<f64>().ok()? * unit;
        (rest, last) = (behind.trim_start(), unit);
    }
    Some(sum)
}

impl Setting for Vec<String> {
    fn read(_: Kind, value: &Value) -> Result<Vec<String>> {
        Ok(list(value)?.into_iter().map(str::to_owned).collect())
    }
}

impl Setting for Vec<IpNet> {
    fn read(_: Kind, value: &Value) -> Result<Vec<IpNet>> {
        list(value)?.into_iter().map(network_of).collect()
    }
}

impl Setting for Zone {
    fn read(_: Kind, value: &Value) -> Result<Zone> {
        Ok(Zone::parse(text(value)?)?)
    }
}

impl Setting for SocketAddr {
    fn read(_: Kind, value: &Value) -> Result<SocketAddr> {
        let written = match value {
            Value::Integer(port) => port.to_string(),
            _ => text(value)?.to_owned(),
        };
        written.parse().map_err(|_| anyhow!(address_lacks(&written)))
    }
}

/// The port of the server, where nobody says another.
const PORT: u16 = 7780;

/// What an address to listen on lacks, and what to write.
fn address_lacks(text: &str) -> String {
    let here = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
    let bare = text.trim_matches(['[', ']']);
    if let Ok(address) = bare.parse::<IpAddr>() {
        return format!("a port is missing: write \"{}\"", SocketAddr::new(address, PORT));
    }
    if let Ok(port) = text.trim_start_matches(':').parse() {
        return format!("an address is missing: write \"{}\"", here(port));
    }
    let port = text.rsplit_once(':').map(|(_, port)| port.trim_end_matches('/').parse());
    let meant = match port {
        Some(Ok(port)) => here(port),
        _ => here(PORT),
    };
    format!("must be an address in digits and a port, no names: write \"{meant}\"")
}

/// `None`: empty.
impl Setting for Option<PublicUrl> {
    fn read(_: Kind, value: &Value) -> Result<Option<PublicUrl>> {
        let text = Some(text(value)?).filter(|text| !text.is_empty());
        text.map(PublicUrl::parse).transpose().map_err(|wrong| anyhow!(wrong))
    }
}

impl Setting for SmtpTls {
    fn read(_: Kind, value: &Value) -> Result<SmtpTls> {
        match text(value)? {
            "starttls" => Ok(SmtpTls::StartTls),
            "tls" => Ok(SmtpTls::Implicit),
            "none" => Ok(SmtpTls::None),
            _ => bail!("must be starttls, tls or none"),
        }
    }
}

impl Setting for Budget {
    fn read(_: Kind, value: &Value) -> Result<Budget> {
        // A number alone is no rate.
        parse_budget(value.as_str().unwrap_or_default()).map(Budget)
    }
}

/// "10 per second", "5000 per day" as probes per second.
pub fn parse_budget(text: &str) -> Result<f64> {
    let wrong = || anyhow!("must read like \"10 per second\" or \"5000 per day\"");
    let words: Vec<&str> = text.split_whitespace().collect();
    let [count, "per", unit] = words[..] else { return Err(wrong()) };
    let count: f64 = count.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "second" => 1.0,
        "minute" => 60.0,
        "hour" => 3_600.0,
        "day" => 86_400.0,
        _ => return Err(wrong()),
    };
    if !(count > 0.0 && count.is_finite()) {
        return Err(wrong());
    }
    Ok(count / seconds)
}

fn network_of(text: &str) -> Result<IpNet> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse()
        .or_else(|_| address())
        .map_err(|_| anyhow!("`{text}` is not a network; write it as 192.168.1.0/24"))
}
