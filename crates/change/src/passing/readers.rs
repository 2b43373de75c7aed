//! How many readers a page had, where a text says nothing else.

use super::BYTES_MAX;
use regex::{Regex, RegexBuilder};
use std::sync::LazyLock;

static READERS: LazyLock<Regex> = LazyLock::new(|| {
    let count = r"(?:\d{1,3}(?:[., \u{a0}\u{202f}]\d{3})+|\d+)";
    let all = format!(
        r"^(?:(?:page )?views(?: today)?: {count}|{count} page views|(?:this page (?:was|has been) )?viewed {count} times|you are visitor (?:number|no\.?|#) ?{count}|あなたは ?{count} ?人目の ?(?:お客様|訪問者|訪問客)(?:です)?|sie sind (?:der )?{count}\. besucher|diese seite wurde {count} ?(?:mal|×) (?:aufgerufen|besucht)|(?:seiten)?aufrufe: {count}|(?:アクセス数|閲覧数|浏览量)[::] ?{count}|(?:liczba )?(?:odsłon|odwiedzin|wyświetleń|wejść): {count}|visualizzazioni: {count}|(?:visitas|lecturas|visualizações|acessos): {count}|(?:pregleda|zobrazení|megtekintések(?: száma)?|просмотров|просмотры): {count})\.?$"
    );
    RegexBuilder::new(&all).case_insensitive(true).build().expect("a regex that a test compiles")
});

/// What stands between the parts of a line.
const BETWEEN: [&str; 3] = [" · ", " | ", " • "];

/// Two counts of the readers of a page; or two lines of which nothing else differs.
pub(super) fn are_of_readers(old: &str, new: &str) -> bool {
    if [old, new].iter().any(|text| text.len() > BYTES_MAX) {
        return false;
    }
    let are_counts = |old: &str, new: &str| READERS.is_match(old) && READERS.is_match(new);
    let are_parts = |between: &&str| {
        let [old, new] = [old, new].map(|text| text.split(*between).collect::<Vec<_>>());
        let mut both = old.iter().zip(&new);
        old.len() > 1
            && old.len() == new.len()
            && both.all(|(old, new)| old == new || are_counts(old, new))
    };
    are_counts(old, new) || BETWEEN.iter().any(are_parts)
}

#[cfg(test)]
mod tests {
    use super::super::are_alike;
    use super::*;

    #[test]
    fn counts_of_readers_pass_where_a_text_says_nothing_else() {
        for [old, new] in [
            ["You are visitor number 120349", "You are visitor number 120383"],
            ["Page views: 1,204", "Page views: 1,311"],
            ["44 120 page views", "44 139 page views"],
            ["This page was viewed 998 times.", "This page was viewed 1,002 times."],
            [
                "Diese Seite wurde 44.120 mal aufgerufen.",
                "Diese Seite wurde 44.139 mal aufgerufen.",
            ],
            ["アクセス数:300161", "アクセス数:300202"],
            ["あなたは 218,402人目の お客様です", "あなたは 218,517人目の お客様です"],
            ["Sie sind der 4402. Besucher", "Sie sind der 4419. Besucher"],
            ["Liczba odsłon: 10 432", "Liczba odsłon: 10 477"],
            ["By Jan · 16.04.2026 · Page views: 98", "By Jan · 16.04.2026 · Page views: 104"],
        ] {
            assert!(are_of_readers(old, new) && are_alike(old, new), "{old}");
        }
        for [old, new] in [
            ["Besucher: 10:00", "Besucher: 11:00"],
            ["10,000 page views per month", "5,000 page views per month"],
            ["Up to 10,000 page views", "Up to 5,000 page views"],
            ["Page views: 1.2", "Page views: 1.3"],
            ["Page views: 10h", "Page views: 12h"],
            ["Page views: €10", "Page views: €12"],
            ["Visites: 12 par guide", "Visites: 14 par guide"],
            ["Downloads: 2.4.1", "Downloads: 2.4.2"],
            ["Hits: 3", "Hits: 4"],
            ["By Jan · Page views: 98", "By Ola · Page views: 104"],
            ["本日 3人目の お客様", "本日 5人目の お客様"],
        ] {
            assert!(!are_of_readers(old, new), "{old}");
        }
    }
}
