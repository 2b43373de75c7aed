//! Every story in `/cases`, each against its expectation; `UPDATE_EXPECT=1` rewrites them.

use sim::cores::on_all_cores;
use sim::story::{self, Moment, Told};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    story::all(&folder).expect("the folder of cases")
}

#[test]
fn every_story_goes_as_it_is_told() {
    let cases = cases();
    assert!(!cases.is_empty(), "there are no cases");
    let rewrites = std::env::var_os("UPDATE_EXPECT").is_some();
    let wrong = on_all_cores(&cases, |path| {
        let name = path.file_name().expect("a file").to_string_lossy();
        if rewrites && let Err(error) = story::rewrite(path) {
            return format!("--- {name}\n{error}\n");
        }
        let text = std::fs::read_to_string(path).expect("a readable case");
        match story::run(&text) {
            Ok(Told::AsExpected) => String::new(),
            Ok(Told::Otherwise(difference)) => format!("--- {name}\n{difference}"),
            Err(error) => format!("--- {name}\n{error}\n"),
        }
    })
    .concat();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn no_two_stories_share_a_name() {
    let mut names = BTreeSet::new();
    for path in cases() {
        let name = path.file_name().expect("a file").to_owned();
        assert!(names.insert(name), "{} has a namesake in another folder", path.display());
    }
}

#[test]
fn a_story_is_told_in_the_order_of_time_each_line_with_its_meaning() {
    let path = cases().into_iter().find(|path| path.ends_with("changes/a-phrase-appears.case"));
    let text = std::fs::read_to_string(path.expect("the first story")).expect("a readable case");
    let telling = story::tell(&text).expect("a story that can be told");
    assert_eq!(telling.title, "A phrase that appears is told once, with both versions.");
    assert_eq!(telling.told, Told::AsExpected);
    assert_eq!(telling.sources, [("u1".to_owned(), "https://air.example/deals".to_owned())]);
    let told: Vec<&str> = (telling.lines.iter())
        .map(|moment| match moment {
            Moment::Event(text) => text.as_str(),
            Moment::Line { text, meaning } => {
                assert!(!meaning.is_empty(), "{text}");
                text.as_str()
            }
        })
        .collect();
    let page = "* https://air.example/deals shows";
    assert_eq!(told[0], format!("00:00  {page} <p>Porto 30</p>"));
    assert_eq!(told[1], "00:00  * somebody applies the text of lisbon");
    assert_eq!(told[2], "00:00  probe   u1 -> v1");
    let at = |line: &str| told.iter().position(|told| *told == line).expect(line);
    let changed = at(&format!("00:15  {page} <p>Porto 30</p><p>Lisbon 40</p>"));
    assert!(
        at("00:13  probe   u1 not modified") < changed && changed < at("00:20  probe   u1 -> v2")
    );
    assert_eq!(told.last(), Some(&"completeness 3/3   delay 5 min"));
}
