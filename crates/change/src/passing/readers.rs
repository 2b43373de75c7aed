//! How many readers a page had, where a text says nothing else.

use super::BYTES_MAX;
use regex::{Regex, RegexBuilder};
use std::sync::LazyLock;

/// What says how many readers a page had, with `COUNT` for the number.
const READERS_SAID: [&str; 21] = [
    r"(?:page )?views(?: today)?: COUNT",
    r"COUNT page views",
    r"(?:this page (?:was|has been) )?viewed COUNT times",
    r"(?:cette page a été )?(?:vue|lue|consultée) COUNT fois",
    r"(?:esta página ha sido )?(?:vista|visitada|leída) COUNT veces",
    r"(?:questa pagina è stata )?(?:vist[ao]|visitat[ao]|lett[ao]) COUNT volte",
    r"(?:deze pagina is )?COUNT keer (?:bekeken|gelezen|bezocht)",
    r"(?:strona )?wyświetlon[ao] COUNT raz[y]?",
    r"(?:(?:den här )?sidan har )?visats COUNT gånger",
    r"(?:esta página foi )?(?:vista|visitada|lida) COUNT vezes",
    r"you are visitor (?:number|no\.?|#) ?COUNT",
    r"あなたは ?COUNT ?人目の ?(?:お客様|訪問者|訪問客)(?:です)?",
    r"sie sind (?:der )?COUNT\. besucher",
    r"diese seite wurde COUNT ?(?:mal|×) (?:aufgerufen|besucht)",
    r"(?:seiten)?aufrufe: COUNT",
    r"(?:アクセス数|閲覧数|浏览量)[::] ?COUNT",
    r"(?:liczba )?(?:odsłon|odwiedzin|wyświetleń): COUNT",
    r"visualizzazioni: COUNT",
    r"visualizações: COUNT",
    r"(?:오늘|어제|전체|총) ?방문자(?: ?수)? ?:? ?COUNT명?",
    r"(?:pregleda|zobrazení|megtekintések(?: száma)?|просмотров|просмотры): COUNT",
];

static READERS: LazyLock<Regex> = LazyLock::new(|| {
    let count = r"(?:\d{1,3}(?:[., \u{a0}\u{202f}]\d{3})+|\d+)";
    let all = format!(r"^(?:{})\.?$", READERS_SAID.join("|").replace("COUNT", count));
    RegexBuilder::new(&all).case_insensitive(true).build().expect("a regex that a test compiles")
});

/// Words that count readers, and other things as well: goals of the visitors, entries of a ticket.
/// Readers are many, and become more.
static MANY: LazyLock<Regex> = LazyLock::new(|| {
    let words = "visto|vistas|visitas|lecturas|acessos|zugriffe|affichages ?|visite|gelezen|hits";
    let all = format!(r"^(?:{words}): (\d{{3,}}|\d{{1,3}}(?:[., ]\d{{3}})+)$");
    RegexBuilder::new(&all).case_insensitive(true).build().expect("a regex that a test compiles")
});

fn are_of_many(old: &str, new: &str) -> bool {
    let count = |text: &str| -> Option<u64> {
        let digits =
            MANY.captures(text)?[1].chars().filter(char::is_ascii_digit).collect::<String>();
        digits.parse().ok()
    };
    count(old).zip(count(new)).is_some_and(|(was, is)| was < is && is < 2 * was)
}

/// Counts of a topic of a forum, in a line with others: `3 replies · 1.2k views · 3 users`.
static TOPIC: LazyLock<Regex> = LazyLock::new(|| {
    let readers = "replies|views|reads|watching|watchers|consultations|lectures";
    let all = format!(
        r"^\d[\d., \u{{a0}}\u{{202f}}]*[km]? (?:(?P<readers>{readers})|users|participants|posters|posts|likes|links)$"
    );
    RegexBuilder::new(&all).case_insensitive(true).build().expect("a regex that a test compiles")
});

/// Whether two parts of a line count the same of a topic. A plan has users, too: beside these the
/// line has a count of readers.
fn are_of_topic(old: &str, new: &str, line: &[&str]) -> bool {
    let noun = |text: &'_ str| text.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let has_readers = || {
        line.iter()
            .any(|part| TOPIC.captures(part).is_some_and(|one| one.name("readers").is_some()))
    };
    TOPIC.is_match(old) && TOPIC.is_match(new) && noun(old) == noun(new) && has_readers()
}

/// What stands between the parts of a line.
const BETWEEN: [&str; 2] = [" · ", " • "];

/// Two counts of the readers of a page; or two lines of which nothing else differs.
pub(super) fn are_of_readers(old: &str, new: &str) -> bool {
    if [old, new].iter().any(|text| text.len() > BYTES_MAX) {
        return false;
    }
    let are_counts = |old: &str, new: &str| {
        READERS.is_match(old) && READERS.is_match(new) || are_of_many(old, new)
    };
    let are_parts = |between: &&str| {
        let [old, new] = [old, new].map(|text| text.split(*between).collect::<Vec<_>>());
        let line = new.clone();
        let mut both = old.iter().zip(&new);
        old.len() > 1
            && old.len() == new.len()
            && both.all(|(old, new)| {
                let (was, is) = (super::masked(old), super::masked(new));
                was == is || are_counts(old, new) || are_of_topic(old, new, &line)
            })
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
            ["Cette page a été vue 12 804 fois", "Cette page a été vue 12 951 fois"],
            ["Deze pagina is 98 keer bekeken.", "Deze pagina is 104 keer bekeken."],
            [
                "오늘 방문자 128명 · 전체 방문자 1,204,553명",
                "오늘 방문자 342명 · 전체 방문자 1,204,895명",
            ],
            [
                "Publiée le 10/02/2026 · 1 118 consultations",
                "Publiée le 10/02/2026 · 4 902 consultations",
            ],
            ["Visto: 55120", "Visto: 55388"],
            [
                "di Nerina · 3 commenti · Letta 84.911 volte",
                "di Nerina · 4 commenti · Letta 85.640 volte",
            ],
            ["Liczba odsłon: 10 432", "Liczba odsłon: 10 477"],
            [
                "1 June · 3 replies · 1.2k views · 3 users",
                "1 June · 5 replies · 1.5k views · 4 users",
            ],
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
            ["Hits: 300", "Hits: 200"],
            ["Locales: 1 · Visitas: 2", "Locales: 1 · Visitas: 3"],
            ["Plan Pro · Visitas: 1000", "Plan Pro · Visitas: 5000"],
            ["By Jan · Page views: 98", "By Ola · Page views: 104"],
            ["本日 3人目の お客様", "本日 5人目の お客様"],
        ] {
            assert!(!are_of_readers(old, new), "{old}");
        }
    }
}
