//! `docs/formats.md` names every policy that a command line takes.

use clap::ValueEnum;
use lab::completeness::Policy;

const FORMATS: &str = include_str!("../../../docs/formats.md");

#[test]
fn the_formats_name_every_policy_of_each_command() {
    let section = |title: &str| {
        let after = FORMATS.split(&format!("## {title}\n")).nth(1).expect("a section");
        after.split("\n## ").next().expect("its text")
    };
    let completeness = Policy::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    for policy in completeness {
        let name = policy.get_name();
        assert!(section("Completeness").contains(&format!("`{name}`")), "{name}");
    }
    for (name, _) in policies::probing::NAMES {
        assert!(section("Probing cost").contains(&format!("`{name}`")), "{name}");
    }
    for (name, _) in policies::delay::NAMES {
        assert!(section("Delay").contains(&format!("`{name}`")), "{name}");
    }
}
