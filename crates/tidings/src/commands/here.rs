//! The zone of whoever reads: `timezone` where the configuration says one, else the system's.

use super::settings;
use crate::cli::Common;
use chronon::{Instant, Zone};
use std::path::Path;
use std::sync::OnceLock;

/// Settled once, before anything is printed.
static ZONE: OnceLock<Zone> = OnceLock::new();

/// The zone of times in what this process prints; UTC before it is settled.
pub(super) fn zone() -> &'static Zone {
    ZONE.get_or_init(Zone::utc)
}

/// Finds the zone. What is wrong with the configuration is said by whoever needs it.
pub fn settle(common: &Common) {
    let written = settings(common, &[]).ok().filter(|settings| settings.says("timezone"));
    let zone = match written {
        Some(settings) => settings.timezone,
        None => of_system(std::env::var("TZ").ok(), Path::new("/etc/localtime")),
    };
    // Only the first counts, and there is one.
    let _ = ZONE.set(zone);
}

/// As the C library finds it: by `TZ`, else by where the link at `file` leads. What has no name
/// that we know is UTC.
fn of_system(tz: Option<String>, file: &Path) -> Zone {
    let name = match tz.filter(|tz| !tz.is_empty()) {
        Some(tz) => Some(tz.trim_start_matches(':').to_owned()),
        None => std::fs::read_link(file).ok().and_then(|to| to.to_str().map(str::to_owned)),
    };
    let name = name.unwrap_or_default();
    let name = name.rsplit_once("zoneinfo/").map_or(&*name, |(_, name)| name);
    // By its usual name.
    let name = if name == "Etc/UTC" { "UTC" } else { name };
    Zone::parse(name).unwrap_or_else(|_| Zone::utc())
}

/// `2027-01-31 10:00:00 Europe/Berlin`.
pub(super) fn moment(at: Instant, zone: &Zone) -> String {
    let local = zone.local(at);
    let (hour, minute, second) = local.time_of_day();
    format!("{} {hour:02}:{minute:02}:{second:02} {}", local.date(), zone.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_the_readers_wall_shows_it() {
        let at = chronon::stamp("2027-07-31T22:30:05.123Z").expect("a time");
        let berlin = Zone::parse("Europe/Berlin").expect("a zone");
        assert_eq!(moment(at, &berlin), "2027-08-01 00:30:05 Europe/Berlin");
        assert_eq!(moment(at, &Zone::utc()), "2027-07-31 22:30:05 UTC");
    }

    #[test]
    fn the_system_says_its_zone_by_a_variable_or_a_link() {
        let nowhere = Path::new("/nowhere/localtime");
        let named = |tz: &str| of_system(Some(tz.to_owned()), nowhere).name().to_owned();
        for (tz, name) in [
            ("Europe/Berlin", "Europe/Berlin"),
            (":America/New_York", "America/New_York"),
            ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
            ("/usr/share/zoneinfo/Etc/UTC", "UTC"),
            ("Mars/Base", "UTC"),
            ("", "UTC"),
        ] {
            assert_eq!(named(tz), name, "{tz}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("localtime");
        std::os::unix::fs::symlink("../usr/share/zoneinfo/Europe/Lisbon", &link).expect("a link");
        assert_eq!(of_system(None, &link).name(), "Europe/Lisbon");
        assert_eq!(of_system(None, nowhere).name(), "UTC");
    }
}
