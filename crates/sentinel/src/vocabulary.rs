//! The words of the language, and what to say about words that are nearly one.

use aspect::Aspect;

/// Words that cannot be names without backquotes. A word that the language learns later is not one
/// of them: a stored sentinel may have it as its name.
#[rustfmt::skip]
pub(crate) const RESERVED: &[&str] = &[
    "added", "all", "and", "any", "anychange", "as", "at", "best", "between", "by", "change",
    "changehistory", "changes", "chronicle", "chronon", "chronons", "collect", "compare",
    "content", "context", "continuous", "count", "coupling", "create", "css", "cumulative", "day",
    "days", "deferred", "detached", "disable", "do", "dual", "during", "each", "effort", "enable",
    "enabled", "end", "event", "every", "except", "failed", "fetch", "fetched", "frame", "from",
    "hour", "hours", "images", "immediate", "immediately", "in", "interactive", "items",
    "jsonpath", "keyword", "keywords", "links", "matches", "matching", "merged", "minute",
    "minutes", "monitor", "moved", "moving", "new", "not", "notify", "now", "of", "on", "only",
    "or", "pairwise", "phrase", "phrases", "presentation", "priority", "probe", "raise", "recent",
    "removed", "rule", "second", "seconds", "sentinel", "start", "status", "text", "then", "time",
    "to", "updated", "using", "value", "week", "weeks", "weight", "when", "within", "words",
    "xpath",
];

/// The words a clause begins with that are no names.
pub(crate) const CLAUSES: &[&str] = &[
    "monitor",
    "fetch",
    "from",
    "to",
    "during",
    "notify",
    "compare",
    "changehistory",
    "presentation",
    "weight",
    "then",
];

/// A word a clause begins with since the second release: a name elsewhere.
pub(crate) const TAG: &str = "tag";

/// Every word a clause begins with.
pub(crate) fn clauses() -> impl Iterator<Item = &'static str> {
    CLAUSES.iter().copied().chain([TAG])
}

/// A clause that this version carries out, for those who write one.
pub(crate) struct ClauseWord {
    pub(crate) word: &'static str,
    /// What is written first.
    pub(crate) begins: &'static str,
    /// The whole clause.
    pub(crate) form: &'static str,
    pub(crate) meaning: &'static str,
}

const fn clause_word(
    word: &'static str,
    begins: &'static str,
    form: &'static str,
    meaning: &'static str,
) -> ClauseWord {
    ClauseWord { word, begins, form, meaning }
}

#[rustfmt::skip]
pub(crate) const CLAUSE_WORDS: &[ClauseWord] = &[
    clause_word("monitor", "monitor", "monitor links and not images", "what counts as a change"),
    clause_word("fetch", "fetch", "fetch on change, fetch every 10 minutes within 2 minutes", "when to look"),
    clause_word("from", "from", "from 2027-01-31 09:00 Europe/Lisbon, end(auction) + 1 day", "when it begins"),
    clause_word("to", "to", "to 2027-12-31, end(auction)", "when it ends"),
    clause_word("then", "then probe", "then probe https://example.org/b within 10 minutes", "what is looked at, too, once it finds something"),
    clause_word("during", "during", "during auction", "begins and ends with another sentinel"),
    clause_word("notify", "notify by", "notify by email you@example.org every 1 day", "whom to tell, and how often"),
    clause_word("compare", "compare", "compare pairwise, moving 3, every 3", "which versions are compared"),
    clause_word("changehistory", "changehistory", "changehistory 10", "how many versions are kept at least"),
    clause_word("presentation", "presentation", "presentation only change, dual frame, merged", "how changes are shown"),
    clause_word("weight", "weight", "weight 2", "how much its looks are worth beside others"),
    clause_word(TAG, TAG, "tag prices, home", "names that sentinels share"),
];

/// What follows a leaf.
pub(crate) const LEAF_WORDS: &[(&str, &str)] = &[
    ("added", "only what came"),
    ("removed", "only what went"),
    ("updated", "only what became something else"),
    ("moved", "only what moved"),
    ("matching", "only changes whose text matches a regular expression"),
    ("ignoring", "what matches is taken away before comparing"),
    ("inside", "only what a selector finds"),
    ("outside", "all but what a selector finds"),
    ("and", "both hold"),
    ("or", "one of them holds"),
    ("not", "holds where the page changed, but this did not"),
];

/// Units of time, written out.
pub(crate) const UNIT_WORDS: &[(&str, &str)] = &[
    ("seconds", "also `s`, `sec`"),
    ("minutes", "also `m`, `min`"),
    ("hours", "also `h`, `hr`"),
    ("days", "also `d`; a day of the calendar"),
    ("weeks", "also `w`; seven days of the calendar"),
    ("chronons", "the server's unit of time"),
];

/// The clauses this version carries out, as a sentence lists them.
pub(crate) fn clauses_help() -> String {
    let clauses = CLAUSE_WORDS.iter().map(|clause| format!("`{}`", clause.begins));
    format!("the clauses are {}", listed(&clauses.collect::<Vec<_>>(), "and"))
}

/// What a condition may be made of.
pub(crate) fn leaves_help() -> String {
    let examples: Vec<String> =
        Aspect::all().map(|aspect| format!("`{}`", aspect.example())).collect();
    format!("write {}, joined by `and`, `or`, `not` and parentheses", listed(&examples, "or"))
}

/// `a, b and c`.
pub(crate) fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

pub(crate) const DURATION_HELP: &str =
    "write a whole number and a unit: `10 minutes`, `1 hour`, `2 days`, `1 week`";

pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}

/// A word that a name may be without backquotes.
pub fn is_plain_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphabetic)
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        && !is_reserved(text)
}

/// Characters that cannot be seen or that change how the text around them is shown. The two joiners
/// U+200C and U+200D are not among them: words of several languages are written with them.
#[rustfmt::skip]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The same number of characters, none of which a terminal obeys.
pub(crate) fn visible(text: &str) -> String {
    let shown = |c| match c {
        '\n' => '\n',
        '\t' | '\r' => ' ',
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Whether `text` begins like a URL: a scheme and `://`.
pub(crate) fn begins_like_url(text: &str) -> bool {
    let scheme = text.find(|c: char| !(c.is_ascii_alphanumeric() || "+.-".contains(c)));
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.is_some_and(|at| text[at..].starts_with("://"))
}

/// Languages by their codes in ISO 639-1, and a few that have three letters alone.
#[rustfmt::skip]
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce \
    ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv \
    ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr \
    ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn \
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn \
    so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo \
    xh yi yo za zh zu ast ceb ckb fil fur gsw haw hsb dsb kab kok lij mai nds nap pap pms sah sat \
    scn smn szl vec wae yue zgh";

/// Whether it is the code of a language, in any case.
pub(crate) fn is_language(code: &str) -> bool {
    LANGUAGES.split_whitespace().any(|language| language.eq_ignore_ascii_case(code))
}

/// The known word nearest to `word` by letters changed, if near enough to be a slip.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 40 {
        return None;
    }
    let word: Vec<char> = word.to_lowercase().chars().collect();
    let allowed = (word.len() / 3).clamp(1, 3);
    let distances = known.into_iter().map(|one| (edits(&word, one), one));
    // One letter in the place of another is another name.
    let is_near = |edits: usize| edits <= allowed && edits < word.len();
    distances.filter(|&(edits, _)| is_near(edits)).min().map(|(_, one)| one)
}

/// Letters to insert, delete or replace (neighbours exchanged count one). O(|a|·|b|).
fn edits(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().take(80).collect();
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_another_word_is_not() {
        assert_eq!(nearest("montior", CLAUSES.iter().copied()), Some("monitor"));
        assert_eq!(nearest("NOTFY", CLAUSES.iter().copied()), Some("notify"));
        assert_eq!(nearest("banana", CLAUSES.iter().copied()), None);
    }

    #[test]
    fn the_words_of_the_language_are_no_plain_names() {
        for clause in CLAUSES {
            assert!(is_reserved(clause), "{clause}");
        }
        for ClauseWord { word, begins, form, .. } in CLAUSE_WORDS {
            assert!(clauses().any(|clause| clause == *word), "{word}");
            assert!(begins.starts_with(word) && form.starts_with(begins), "{form}");
        }
        assert!(is_plain_name("news-2_b") && is_plain_name("Ação"));
        assert!(!is_plain_name("Links") && !is_plain_name("2b") && !is_plain_name(""));
    }
}
