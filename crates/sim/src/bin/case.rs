//! `case NAME`: plays one story of `/cases` and tells it, each line with what it means.

use sim::story::{self, Moment, Told};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where a line's meaning begins, unless the line is longer.
const MEANING_COLUMN: usize = 52;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name] = &arguments[..] else {
        eprintln!("usage: case NAME");
        return ExitCode::from(2);
    };
    match find(name).and_then(|path| tell(&path)) {
        Ok(Told::AsExpected) => ExitCode::SUCCESS,
        Ok(Told::Otherwise(difference)) => {
            println!("\nThe story expects otherwise (-), this happened (+):\n\n{difference}");
            ExitCode::FAILURE
        }
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}

/// The story of this name, with or without its folder and `.case`.
fn find(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let paths = story::all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let short = |path: &Path| {
        let inside = path.strip_prefix(&folder).unwrap_or(path);
        inside.with_extension("").to_string_lossy().into_owned()
    };
    let wanted = name.trim_start_matches("cases/").trim_end_matches(".case");
    let is_it = |path: &&PathBuf| {
        let short = short(path);
        short == wanted || short.split('/').next_back() == Some(wanted)
    };
    if let Some(path) = paths.iter().find(is_it) {
        return Ok(path.clone());
    }
    let near = paths.iter().map(|path| short(path)).filter(|short| short.contains(wanted));
    let near: Vec<String> = near.collect();
    Err(match &near[..] {
        [] => format!("there is no story `{wanted}`; `ls cases/*` lists all"),
        near => format!("there is no story `{wanted}`, but there are:\n{}", near.join("\n")),
    })
}

fn tell(path: &Path) -> Result<Told, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let telling = story::tell(&text)?;
    println!("{}\n", telling.title);
    for (name, url) in &telling.sources {
        println!("{name} stands for {url}");
    }
    println!("\n`*` is what the story does; the other lines are what came of it.\n");
    for moment in telling.lines {
        match moment {
            Moment::Event(text) => println!("{text}"),
            Moment::Line { text, meaning } => {
                println!("{text:<MEANING_COLUMN$}  | {meaning}");
            }
        }
    }
    Ok(telling.told)
}
