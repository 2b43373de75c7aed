//! The zone of whoever reads: `timezone` where the configuration says one, else the system's.

use super::settings;
use crate::cli::Common;
use crate::settings::Settings;
use chronon::Zone;
use std::path::Path;
use std::sync::OnceLock;

/// Settled once, before anything is printed.
static ZONE: OnceLock<Zone> = OnceLock::new();

/// The zone of times in what this process prints; UTC before it is settled.
pub fn zone() -> &'static Zone {
    ZONE.get_or_init(Zone::utc)
}

/// Finds the zone. What is wrong with the configuration is said by whoever needs it.
pub fn settle(common: &Common) {
    // Only the first counts, and there is one.
    let _ = ZONE.set(zone_of(settings(common, &[]).ok().as_ref()));
}

/// The zone of whoever reads what these settings make.
pub fn zone_of(settings: Option<&Settings>) -> Zone {
    match settings.filter(|settings| settings.says("timezone")) {
        Some(settings) => settings.timezone.clone(),
        None => of_system(std::env::var("TZ").ok(), Path::new("/etc/localtime")),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
