//! What tests ask of two pages.

use crate::{Aspect, Change, ChangeType, Limits, Thing, Weight, compare};

/// A page of HTML.
pub(super) fn read(body: &str) -> page::Extract {
    let url = url::Url::parse("https://site.example/x").unwrap();
    let hints = page::Hints { content_type: Some("text/html"), url: &url };
    page::read(body.as_bytes(), &hints, &page::Limits::default()).unwrap()
}

/// Each change that counts, as `old -> new`, of two pages of HTML.
pub(super) fn told(old: &str, new: &str) -> Vec<String> {
    let any = ChangeType::plain(Aspect::Any);
    let (changes, _) = compare(&read(old), &read(new), &any, &Limits::default());
    let text = |thing: &Option<Thing>| {
        thing.as_ref().map_or("-".to_owned(), |thing| thing.text().to_owned())
    };
    let line = |change: &Change| format!("{} -> {}", text(&change.old), text(&change.new));
    changes.iter().filter(|change| change.weight >= Weight::ENOUGH).map(line).collect()
}

/// A page of some elements of one kind.
pub(super) fn page_of(element: &str, texts: &[&str]) -> String {
    texts.iter().map(|text| format!("<{element}>{text}</{element}>")).collect()
}
