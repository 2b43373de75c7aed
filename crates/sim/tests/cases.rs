//! Every story in `/cases`, each against its expectation; `UPDATE_EXPECT=1` rewrites them.

use sim::story::{self, Told};
use std::path::PathBuf;

fn cases() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let entries = std::fs::read_dir(folder).expect("the folder of cases");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "case")).collect();
    paths.sort();
    paths
}

#[test]
fn every_story_goes_as_it_is_told() {
    let (cases, mut wrong) = (cases(), String::new());
    assert!(!cases.is_empty(), "there are no cases");
    let rewrites = std::env::var_os("UPDATE_EXPECT").is_some();
    for path in cases {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        if rewrites && let Err(error) = story::rewrite(&path) {
            wrong.push_str(&format!("--- {name}\n{error}\n"));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable case");
        match story::run(&text) {
            Ok(Told::AsExpected) => {}
            Ok(Told::Otherwise(difference)) => {
                wrong.push_str(&format!("--- {name}\n{difference}"));
            }
            Err(error) => wrong.push_str(&format!("--- {name}\n{error}\n")),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
