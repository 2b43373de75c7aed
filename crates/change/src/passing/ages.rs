//! How long ago something was: "3 hours ago", "vor 5 Min.", "3小时前", and "2h" in a list of such.

use super::{MARK, PASSING, plain};
use regex::{Captures, Regex, RegexBuilder};
use std::sync::LazyLock;

/// How long ago something was, in English.
pub(super) const ENGLISH: &str = r"(?:(?:about|over|almost|less than|more than) )?(?:(?:an?|a few|\d+) ?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|months?|years?|yrs?|mo|[smhdwy])\b\.?,? (?:and )?){1,2}ago\b";

/// The same in other languages.
const OTHERS: [&str; 11] = [
    r"\bvor (?:(?:etwa|über|fast|rund|ca\.) )?(?:eine[rmn]|\d+) ?(?:sekunden?|sek|minuten?|min|stunden?|std|h|tag(?:en?)?|tg|wochen?|wo|monat(?:en)?|mon|jahr(?:en)?)\b\.?",
    r"\bhace (?:una?|unos|unas|\d+) ?(?:segundos?|seg|minutos?|mins?|horas?|hrs?|días?|dias?|semanas?|sem|mes(?:es)?|años?|[smhd])\b\.?",
    r"(?:\bun[oa']?|\b\d+) ?(?:second[oi]|sec|minut[oi]|min|or[ae]|giorn[oi]|gg|settiman[ae]|sett|mes[ei]|ann[oi]|[smhg])\b\.? fa\b",
    r"\b(?:een|\d+) ?(?:seconden?|sec|minuten|minuut|min|uur|u|dag(?:en)?|week|weken|maand(?:en)?|mnd|jaar|[smhd])\b\.? geleden\b",
    r"\b(?:uma?|\d+) ?(?:segundos?|minutos?|min|horas?|dias?|semanas?|mês|meses|anos?|[smhd])\b\.? atrás\b",
    r"\b\d+ ?(?:sekund\p{L}*|sek|minut\p{L}?|min|godz(?:in\p{L}?)?|dni|dzień|tyg(?:odni\p{L}?)?|mies(?:iąc\p{L}*|ięcy)?|lata?|rok|[sh])\b\.? temu\b",
    r"\bför (?:en|ett|\d+) ?(?:sek\p{L}*|min\p{L}*|tim\p{L}*|dag\p{L}*|veck\p{L}*|mån\p{L}*|år|[smhdv])\b\.? sedan\b",
    r"\b(?:for )?(?:en|et|\d+) ?(?:sek\p{L}*|min\p{L}*|tim\p{L}*|dage?r?|uger?|uker?|måneder|måned|mdr|år|[smhdtu])\b\.? siden\b",
    r"\bpřed (?:\d+ )?(?:sek\p{L}*|min\p{L}*|hod\p{L}*|dnem|dny|týdn\p{L}*|měs\p{L}*|rokem|lety|[smhd])\b\.?",
    r"\b(?:\d+ ?)?(?:сек\p{L}*|мин\p{L}*|час\p{L}*|день|дн\p{L}*|нед\p{L}*|мес\p{L}*|год\p{L}*|лет|[счмдг])\b\.? назад\b",
    r"\b\d+ ?(?:saniye|sn|dakika|dk|saat|sa|gün|hafta|ay|yıl) önce\b",
];
/// The same where it may go on otherwise: "il y a 3 heures de retard".
const OPEN: &str = r"\b(?:il y a|há) (?:environ )?(?:une?|uma?|\d+) ?(?:secondes?|sec|segundos?|seg|minutes?|minutos?|mins?|mn|heures?|horas?|jours?|dias?|semaines?|semanas?|sem|mois|mês|meses|ans?|anos?|[smhjd])\b\.?";
/// The same without spaces.
const DENSE: &str = r"\d+ ?(?:秒鐘?|秒钟|分鐘?|分钟|時間|小时|小時|日|天|週間?|周|[かヶカ]月|个月|個月|年)前|\d+ ?(?:초|분|시간|일|주|개월|년) ?전";

/// What such a time is called at first.
const NOW: &str = r"\b(?:just now|(?:just )?a moment ago|moments ago|(?:a few )?seconds ago|gerade eben|soeben|vor wenigen (?:sekunden|minuten)|il y a (?:quelques (?:secondes|instants|minutes)|un instant)|ahora mismo|hace (?:un momento|unos (?:segundos|instantes))|poco fa|pochi secondi fa|proprio ora|zojuist|zonet|agora mesmo|przed chwilą|alldeles nyss|lige nu|akkurat nå|právě teď|az önce|только что)\b|à l['’]instant|たった今|刚刚|剛剛|방금(?: 전)?";
/// The days that it becomes as it passes.
const DAYS: &str = r"\b(?:yesterday|(?:vor)?gestern|(?:avant-)?hier|ayer|anteayer|ieri|l'altro ieri|(?:eer)?gisteren|ontem|anteontem|wczoraj|i går|igår|včera|вчера|(?:this|last) (?:week|month|year)|letzte woche|letzten monat)\b|昨日|昨天|어제";

/// How long ago something was: by a count, or in words.
static AGE: LazyLock<Regex> = LazyLock::new(|| {
    let others = OTHERS.join("|");
    compiled(&format!(
        r"(?P<words>{NOW}|{DAYS})\.?|(?P<apart>{DENSE}|{OPEN})|(?P<counted>{ENGLISH}|{others})"
    ))
});

/// What others did with what is so old.
static DONE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"\b\d[\d.,]*[km]? ?(?:points?|votes?|upvotes?|likes?|answers?|reposts?|retweets?|boosts?|shares?|reactions?|claps?|favou?rites?|bookmarks?|views?|clicks?|punkte|stimmen|réponses?|respuestas?|me gusta|risposte|mi piace|antwoorden|respostas?|curtidas?|komentarz\p{L}*|odpowied\p{L}*|kommentar\p{L}*|svar|komentář\p{L}*|odpověd\p{L}*|комментар\p{L}*|ответ\p{L}*|просмотр\p{L}*|yorum)\b|\d[\d.,]* ?(?:件のコメント|コメント|评论|評論|条评论|回复|댓글)|(?:コメント|评论|댓글) ?\d[\d.,]*",
    )
});

fn compiled(regex: &str) -> Regex {
    RegexBuilder::new(regex).case_insensitive(true).build().expect("a regex that a test compiles")
}

/// A text without counts of what others did, where such a count stands apart: an index that fell by
/// 300 points did not, and neither did what has a score by name.
fn without_done(text: &str) -> String {
    const BESIDE: [&str; 6] = ["by ", "von ", "par ", "por ", "di ", "door "];
    let mask = |found: &Captures<'_>| {
        let all = found.get_match();
        let [before, after] = [text[..all.start()].trim_end(), text[all.end()..].trim_start()];
        let is_apart = !before.ends_with(|c: char| c.is_alphanumeric() || ":：".contains(c))
            && (!after.starts_with(char::is_alphanumeric)
                || BESIDE.iter().any(|word| after.starts_with(word)));
        (if is_apart { MARK } else { all.as_str() }).to_owned()
    };
    DONE.replace_all(text, mask).into_owned()
}

/// A text without its times and what others did.
struct Masked {
    rest: String,
    /// How many times it says, and how many of them are counted.
    times: usize,
    counted: usize,
}

impl Masked {
    fn of(text: &str) -> Masked {
        let (mut times, mut counted) = (0, 0);
        let mask = |found: &Captures<'_>| {
            let all = found.get_match();
            let [before, after] = [&text[..all.start()], &text[all.end()..]];
            let is_apart = || {
                let ends = !before.ends_with(char::is_alphabetic);
                let rest = after.trim_start();
                ends && !rest.starts_with(char::is_alphabetic)
            };
            if found.name("apart").is_some() && !is_apart() {
                return all.as_str().to_owned();
            }
            times += 1;
            counted += usize::from(found.name("words").is_none());
            MARK.to_owned()
        };
        let rest = AGE.replace_all(text, mask).into_owned();
        Masked { rest, times, counted }
    }

    /// What is left without what others did.
    fn plain(&self) -> String {
        plain(&without_done(&PASSING.replace_all(&self.rest, MARK)))
    }
}

/// Two texts that say the same, but how long ago it was, and what others did with it: one of them
/// counts the time.
pub(super) fn are_of_other_ages(old: &str, new: &str) -> bool {
    let [old, new] = [old, new].map(Masked::of);
    old.times == 1 && new.times == 1 && old.counted + new.counted > 0 && old.plain() == new.plain()
}

/// A text that says nothing but how long ago something was, and what others did with it.
pub(super) fn is_age(text: &str) -> bool {
    static AGES: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"^(?:(?:updated|modified|edited|posted|published):? )?\x01(?:[ ·•|,–—-]*\x01)*[.]?$",
        )
    });
    let masked = Masked::of(text);
    masked.times == 1 && AGES.is_match(&masked.plain())
}

/// A time as lists have it, without a word that it is over: "now", "50m", "1 h". Where it stands,
/// nothing else is said: at an end of the text, behind a comma or the like, before what others did.
static SHORT: LazyLock<Regex> = LazyLock::new(|| {
    let units = r"(?P<second>s|secs?|sek)|(?P<minute>m|mins?|mn)|(?P<hour>h|hrs?|std)|(?P<day>d|days?|tg|tage?|j|días?|dias?)|(?P<week>w|wks?|wo|sem)|(?P<month>mo|mon|mois)|(?P<year>y|yrs?)";
    compiled(&format!(
        r"(?:^|[,;·•–—|\x01] ?|\b(?:posted|updated|edited|published|active):? )(?P<time>now|(?P<number>\d{{1,3}}) ?(?:{units})\b\.?)(?: ?[,;·•–—|\x01]|$)"
    ))
});

/// How old something is, in seconds: at least, and less than.
pub(crate) type Age = (i64, i64);

/// The age of a text that has one without a word that it is over, and what else the text says.
pub(crate) fn short(text: &str) -> Option<(Age, String)> {
    /// Longer texts say more.
    const BYTES_MAX: usize = 80;
    if text.len() > BYTES_MAX {
        return None;
    }
    let masked = PASSING.replace_all(text, MARK);
    let masked = without_done(&masked);
    let spaced = masked.replace(&format!(" {MARK}"), MARK);
    let found = SHORT.captures(&spaced)?;
    let time = found.name("time")?;
    // Metres and millions are written otherwise.
    if time.as_str().chars().any(|c| c.is_uppercase()) && time.as_str().ends_with(['M', 'B']) {
        return None;
    }
    let rest = format!("{}\u{2}{}", &spaced[..time.start()], &spaced[time.end()..]);
    let Some(number) = found.name("number") else { return Some(((0, MINUTE), rest)) };
    let number: i64 = number.as_str().parse().ok()?;
    let units = ["second", "minute", "hour", "day", "week", "month", "year"];
    let at = units.iter().position(|unit| found.name(unit).is_some())?;
    // A month may be shorter, and what is said may be rounded up.
    let unit = [1, MINUTE, 60 * MINUTE, DAY, 7 * DAY, 30 * DAY, 365 * DAY][at];
    Some((((number - 1).max(0) * unit, (number + 1) * unit), rest))
}

const MINUTE: i64 = 60;
const DAY: i64 = 24 * 60 * MINUTE;

#[cfg(test)]
mod tests {
    use super::super::are_alike;
    use super::*;

    #[test]
    fn texts_that_say_how_long_ago_by_hours_and_by_the_day_are_alike() {
        for (old, new) in [
            ("3 hours ago", "yesterday"),
            ("Ann · 23 hours ago", "Ann · Yesterday"),
            ("Yesterday", "2 days ago"),
            ("vor 3 Stunden", "vor 4 Stunden"),
            ("vor 3 Stunden", "gestern"),
            ("Von Ada, vor 23 Stunden", "Von Ada, gestern"),
            ("il y a 3 heures", "hier"),
            ("hace 3 horas", "ayer"),
            ("3 ore fa", "ieri"),
            ("3 uur geleden", "gisteren"),
            ("50 min ago", "1 h ago"),
            ("23h ago", "1 d ago"),
            ("1 h 59 min ago", "2 h ago"),
            ("Posted just now", "Posted 5 mins ago"),
            ("just now · 3 comments", "50 minutes ago · 5 comments"),
            ("just now 0 comments", "10 min ago 5 comments"),
            ("34 points · 59 minutes ago · 3 replies", "37 points · 1 hour ago · 4 replies"),
            (
                "34 points by ann 3 hours ago | 9 comments",
                "37 points by ann 4 hours ago | 12 comments",
            ),
            ("vor 50 Min.", "vor 1 Std."),
            ("vor 23 Std. · 3 Kommentare", "vor 1 Tg. · 12 Kommentare"),
            ("gerade eben", "vor 1 Min."),
            ("il y a 50 min", "il y a 2 h"),
            ("il y a 23 h · 3 commentaires", "il y a 1 j · 8 commentaires"),
            ("à l’instant", "il y a 5 min"),
            ("hace 50 min", "hace 2 h"),
            ("50 min fa", "1 h fa"),
            ("50 min geleden", "1 u geleden"),
            ("há 50 min", "há 2 horas"),
            ("5 godz. temu", "6 godz. temu"),
            ("för 5 min sedan", "för 1 tim sedan"),
            ("for 5 min. siden", "for 2 timer siden"),
            ("před 5 min", "před 2 hodinami"),
            ("5 мин назад", "2 ч назад"),
            ("5 dk önce", "2 saat önce"),
            ("5分前", "2時間前"),
            ("3小时前", "昨天"),
            ("5분 전", "2시간 전"),
        ] {
            assert!(are_of_other_ages(old, new), "{old} / {new}");
        }
        for (old, new) in [
            ("Closed yesterday", "Closed today"),
            ("Line 3 closed 3 hours ago", "Line 3 opened yesterday"),
            ("Il y a 3 heures de retard", "Il y a 5 heures de retard"),
            ("Geschlossen seit gestern", "Geschlossen seit heute"),
            ("Delivery in 3 days", "Delivery in 5 days"),
            ("Duration 50 min", "Duration 60 min"),
            ("Open 24 h", "Open 12 h"),
            ("Wait time: 5 min", "Wait time: 50 min"),
            ("Distance 50 m", "Distance 80 m"),
            ("Price 50 M", "Price 1 B"),
            ("34 points", "37 points"),
            ("Dow falls 300 points · 3 h ago", "Dow falls 500 points · 4 h ago"),
            ("Ann sold 50 shares 3 h ago", "Ann sold 90 shares 4 h ago"),
            ("50m", "1h"),
            ("Il y a 5 min d’attente", "Il y a 50 min d’attente"),
            ("発車5分前まで", "発車10分前まで"),
            ("Kettle 49 € · 3 h ago", "Kettle 39 € · 4 h ago"),
            ("Closed · just now", "Open · 3 h ago"),
            ("HSV: 34 Punkte · vor 3 Std.", "HSV: 37 Punkte · vor 4 Std."),
            ("Leeds: 34 points · 3 h ago", "Leeds: 37 points · 4 h ago"),
            ("空室：3件 · 5分前", "空室：0件 · 10分前"),
            ("3件 · 5分前", "0件 · 10分前"),
        ] {
            assert!(!are_alike(old, new), "{old} / {new}");
        }
    }

    #[test]
    fn an_age_says_nothing_else() {
        for text in
            ["just now", "gerade eben", "3 h ago", "Yesterday", "5分前", "1 h ago · 3 comments"]
        {
            assert!(is_age(text), "{text}");
        }
        for text in ["now", "3 h", "Closed 3 h ago", "in 3 h", "today", "3 comments"] {
            assert!(!is_age(text), "{text}");
        }
    }

    #[test]
    fn a_short_age_stands_apart() {
        let seconds = |text| short(text).map(|(age, _)| age);
        assert_eq!(seconds("50m"), Some((49 * MINUTE, 51 * MINUTE)));
        assert_eq!(seconds("1h · 8 comments"), seconds("1 Std."));
        for text in ["by Ann, 10m", "3 j", "now", "10m 8 comments", "8 comments · 10m", "2w"] {
            assert!(short(text).is_some(), "{text}");
        }
        for text in [
            "Distance 50 m",
            "50M",
            "50 M",
            "Wait time: 5 min",
            "5 min read",
            "Price: 50m",
            "Open 24 h",
            "1:50 h",
            "1.5 h",
        ] {
            assert!(short(text).is_none(), "{text}");
        }
    }
}
