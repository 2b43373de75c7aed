//! What holds for every text, and for every meaning however it is spelled.

#[path = "cases/world.rs"]
mod world;

use proptest::prelude::*;
use sentinel::{Checked, Colour, check, explain, format, recall, render};
use world::Surroundings;

/// So many cases, or as many as `PROPTEST_CASES` says.
fn cases(ordinary: u32) -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => default,
        None => ProptestConfig { cases: ordinary, ..default },
    }
}

fn checked(text: &str) -> Checked {
    Surroundings::default().with_world(|world| check(text, world))
}

/// Everything a text may be put through; says what a text that can be formatted must obey.
fn put_through(text: &str) {
    let first = checked(text);
    for one in &first.diagnostics {
        let words = text.get(one.start..one.end);
        assert!(words.is_some(), "{one:?} points into the middle of a character");
        let before = &text[..one.start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        assert_eq!((one.line as usize, one.column as usize), (line, column));
        assert!(!one.message.is_empty());
    }
    let shown = render(text, "a file", &first.diagnostics, Colour::Plain);
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    for statement in &first.statements {
        assert!(explain(&statement.sentinel).ends_with('.'));
        assert_eq!(
            format(statement.canonical.reveal()).as_deref(),
            Ok(statement.canonical.reveal())
        );
    }
    if let Ok(formatted) = format(text) {
        assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "from {text:?}");
        let second = checked(&formatted);
        assert_eq!(first.statements, second.statements, "{text:?} became {formatted:?}");
        // What is written shorter, or with signs that all see, is no slip any more.
        let of_spelling = ["shorter", "nobody can see"];
        let messages = |checked: &Checked| {
            let all = checked.diagnostics.iter();
            all.filter(|one| !of_spelling.iter().any(|said| one.message.contains(said))).count()
        };
        assert_eq!(messages(&first), messages(&second), "{text:?} became {formatted:?}");
        let comments = |text: &str| text.matches("--").count();
        assert!(comments(text) == comments(&formatted), "{text:?} became {formatted:?}");
    }
}

/// Words and half-words that a text of the language is made of.
#[rustfmt::skip]
const SOUP: &[&str] = &[
    "create", "sentinel", "create sentinel a using http://a.example", "create sentinel b using a",
    "a", "B", "using", "rule", "http://a.example/x", "https://é.example,", "www.x.example", "as",
    "monitor", "any change", "anychange", "links", "all", "images", "words", "except", "keyword",
    "keywords oil, gas", "phrase", "phrases \"a b\", \"c\"", "of", "value of", "css", "text of",
    "and", "or", "not", "(", ")", "added", "removed", "moved", "matching", "\"x+\"", "\"(\"",
    "fetch", "on change", "every", "within", "3", "1", "0", "day", "2 hours", "chronon", "10min",
    "from", "to", "now", "2027-02-01", "12/02/02", "13/02/03", "09:00", "09:00Z", "Europe/Lisbon",
    "+02:00", "+", "-", "+1 day", "now+1", "notify", "by", "email", "x@y.example", "terminal",
    "interactive", "immediately", "best effort", "compare", "pairwise", "moving", "moving:3", ":",
    "changehistory", "presentation", "only change", "dual frame", "merged", "tag", "tag x, `y z`", "weight", "0.5", "1000000",
    "then probe", "during", "start(a)", "end", ";", ",", "\"", "\"\\", "`", "`a b`", "\\", "*oil*",
    "\n", "-- c\n", "\n-- own line\n\n", "\u{202e}", "日本語", "\u{feff}", "\r\n", "\u{0}", "'", "é",
    "'x'", "“x y”", "«", "<http://a.example>", "# c\n", "// c\n", "/* c */", "/*", "below 40", "< 40", "&&", "daily",
    "sentinel b using", "rule r on", "until", "at 9:00", "9am", "1.2.2030", "1,5", "when", "if", "do", "email x@y.example, y@y.example",
];

fn soup() -> impl Strategy<Value = String> {
    let words = prop::collection::vec((0..SOUP.len(), any::<bool>()), 0..40);
    words.prop_map(|words| {
        let spaced = |(word, space)| [SOUP[word], if space { "" } else { " " }].concat();
        words.into_iter().map(spaced).collect()
    })
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn a_soup_of_words_harms_nothing(text in soup()) {
        put_through(&text);
    }

    #[test]
    fn random_characters_harm_nothing(text in any::<String>()) {
        put_through(&text);
    }

    #[test]
    fn random_bytes_harm_nothing(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        put_through(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_text_with_something_taken_out_or_put_in_harms_nothing(
        spelling in any::<[u64; 4]>(),
        spec in spec(),
        at in any::<prop::sample::Index>(),
        word in 0..SOUP.len(),
        delete in 0usize..6,
    ) {
        let text = Speller::new(spelling).sentinel(&spec);
        let mut chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len());
        chars.splice(at..(at + delete).min(chars.len()), SOUP[word].chars());
        put_through(&chars.into_iter().collect::<String>());
    }
}

/// What a sentinel of the tests means.
#[derive(Debug, Clone)]
struct Spec {
    source: u8,
    monitor: Cond,
    /// Count, unit, slack in tenths of the period.
    fetch: Option<(u64, usize, Option<u64>)>,
    from: Option<Moment>,
    to: Option<Moment>,
    notify: Vec<(u8, u8)>,
    compare: (u8, u32),
    history: u32,
    weight: u32,
    presentation: u8,
    tags: Vec<u8>,
}

#[derive(Debug, Clone)]
enum Moment {
    /// Plus a number of minutes.
    Now(u32),
    /// Days after 2028-01-01 below 27, hour, zone.
    Date(u8, Option<u8>, u8),
}

#[derive(Debug, Clone)]
enum Cond {
    Leaf { what: u8, words: Vec<u8>, directions: u8, matching: bool },
    Not(Box<Cond>),
    And(Vec<Cond>),
    Or(Vec<Cond>),
}

fn cond() -> impl Strategy<Value = Cond> {
    let words = prop::collection::vec(0u8..6, 1..4);
    let leaf =
        (0u8..6, words, 0u8..16, any::<bool>()).prop_map(|(what, words, directions, matching)| {
            Cond::Leaf { what, words, directions, matching }
        });
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| Cond::Not(Box::new(one))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Cond::And),
            prop::collection::vec(inner, 2..4).prop_map(Cond::Or),
        ]
    })
}

fn moment() -> impl Strategy<Value = Moment> {
    prop_oneof![
        (1u32..5_000).prop_map(Moment::Now),
        (0u8..27, prop::option::of(0u8..24), 0u8..4)
            .prop_map(|(day, hour, zone)| Moment::Date(day, hour, zone)),
    ]
}

fn spec() -> impl Strategy<Value = Spec> {
    let fetch = prop::option::of((1u64..200, 0usize..6, prop::option::of(2u64..9)));
    let times = (prop::option::of(moment()), prop::option::of(moment()));
    let notify = prop::collection::vec((0u8..6, 0u8..4), 1..4);
    let shown = (0u8..4, prop::collection::vec(0u8..4, 0..4));
    let numbers = ((0u8..3, 2u32..50), 1u32..50, 1u32..5_000, shown);
    (0u8..4, cond(), fetch, times, notify, numbers).prop_map(
        |(source, monitor, fetch, (from, to), notify, (compare, history, weight, shown))| Spec {
            source,
            monitor,
            fetch,
            from,
            to,
            notify,
            compare,
            history,
            weight,
            presentation: shown.0,
            tags: shown.1,
        },
    )
}

/// Spells one meaning in many ways; the choices come from a seed.
struct Speller {
    state: [u64; 4],
    turn: usize,
}

impl Speller {
    fn new(state: [u64; 4]) -> Speller {
        Speller { state, turn: 0 }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.turn += 1;
        let word = &mut self.state[self.turn % 4];
        *word =
            word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*word >> 33) as usize % bound
    }

    fn pick<'a>(&mut self, options: &[&'a str]) -> &'a str {
        let at = self.below(options.len());
        options[at]
    }

    fn keyword(&mut self, word: &str) -> String {
        match self.below(3) {
            0 => word.to_uppercase(),
            1 => word[..1].to_uppercase() + &word[1..],
            _ => word.to_owned(),
        }
    }

    fn sentinel(&mut self, spec: &Spec) -> String {
        let url = match spec.source {
            0 => &["http://a.example", "HTTP://A.example:80/#x", "\"http://a.example/\""][..],
            1 => &["https://a.example/x,y", "\"https://a.example/z/../x,y\""],
            2 => &["https://a.example/q?a=1;b", "https://a.example/q?a=1;b#frag"],
            _ => &["https://b.example/caf%C3%A9", "\"https://b.example/café\""],
        };
        let mut text = self.keyword("create") + " " + &self.keyword("sentinel");
        let name = self.pick(&["s-1", "`s-1`"]);
        text += &std::format!(" {name} {} {}", self.keyword("using"), self.pick(url));
        let mut clauses = vec![self.monitor(&spec.monitor)];
        clauses.extend(spec.fetch.map(|fetch| self.fetch(fetch)));
        clauses.extend(spec.from.as_ref().map(|from| self.moment("from", from)));
        clauses.extend(spec.to.as_ref().map(|to| self.moment("to", to)));
        clauses.push(self.compare(spec.compare));
        if spec.history > 1 || self.below(2) == 0 {
            clauses.push(std::format!("{} {}", self.keyword("changehistory"), spec.history));
        }
        let zeros = self.pick(&["", "0"]);
        let weight = std::format!("{}.{:02}{zeros}", spec.weight / 100, spec.weight % 100);
        clauses.push(std::format!("{} {weight}", self.keyword("weight")));
        if let Some(shown) = ["only change", "dual frame", "merged"].get(spec.presentation as usize)
        {
            clauses.push(self.keyword("presentation") + " " + &self.keyword(shown));
        }
        clauses.extend((!spec.tags.is_empty()).then(|| self.tags(&spec.tags)));
        for at in (1..clauses.len()).rev() {
            let other = self.below(at + 1);
            clauses.swap(at, other);
        }
        // The order of several `notify` is kept: it is the order in which they are listed.
        clauses.extend(spec.notify.iter().map(|&notify| self.notify(notify)));
        for clause in clauses {
            text += self.pick(&[" ", "\n", "\n  ", "\r\n\t", " -- a comment\n", "\n\n-- own\n"]);
            text += &clause;
        }
        text + self.pick(&["", ";", " ;\n", "\n"])
    }

    fn tags(&mut self, tags: &[u8]) -> String {
        let names = ["tag", "title", "`at home`", "Ação"];
        let mut written: Vec<&str> = tags.iter().map(|&tag| names[usize::from(tag)]).collect();
        if self.below(2) == 0 {
            written.reverse();
            written.push(written[0]);
        }
        self.keyword("tag") + " " + &written.join(self.pick(&[",", ", ", " ,\n"]))
    }

    fn monitor(&mut self, cond: &Cond) -> String {
        self.keyword("monitor") + " " + &self.cond(cond)
    }

    fn cond(&mut self, cond: &Cond) -> String {
        let inner = |speller: &mut Speller, cond: &Cond| {
            let text = speller.cond(cond);
            let simple = matches!(cond, Cond::Leaf { .. });
            if simple && speller.below(3) > 0 { text } else { std::format!("( {text})") }
        };
        match cond {
            Cond::Leaf { what, words, directions, matching } => {
                let mut text = self.what(*what, words);
                for (bit, word) in ["moved", "updated", "removed", "added"].iter().enumerate() {
                    if directions & (1 << bit) != 0 {
                        text += &std::format!(" {}", self.keyword(word));
                    }
                }
                if *matching {
                    let pattern =
                        self.pick(&["\"\\\\d+ \\\"€\\\"\"", "\"\\\\d+ \\\"\\u{20AC}\\\"\""]);
                    text += &std::format!(" {} {pattern}", self.keyword("matching"));
                }
                text
            }
            Cond::Not(one) => self.keyword("not") + " " + &inner(self, one),
            Cond::And(all) | Cond::Or(all) => {
                let word = if matches!(cond, Cond::And(_)) { "and" } else { "or" };
                let mut parts: Vec<String> = all.iter().map(|one| inner(self, one)).collect();
                // Flattened, and said once, however grouped.
                if self.below(2) == 0 && parts[0].len() < 150 {
                    let first = parts[0].clone();
                    parts[0] = std::format!("({first} {word} {first})");
                }
                parts.join(&std::format!(" {} ", self.keyword(word)))
            }
        }
    }

    fn what(&mut self, what: u8, words: &[u8]) -> String {
        let all = self.pick(&["", "all "]);
        let mut words: Vec<usize> = words.iter().map(|&word| usize::from(word)).collect();
        if self.below(2) == 0 {
            words.reverse();
            words.push(words[0]);
        }
        let plain = ["oil", "GAS", "and", "Ärger*", "*to", "Οδός"];
        let other = ["Oil", "gas", "AND", "ärger*", "*TO", "ΟΔΌΣ"];
        let phrases =
            ["\"Crude  Oil\"", "\"a\"", "\"b \\\" c\"", "\"Ça va\"", "\"d\\ne\"", "\"-- f\""];
        let folded =
            ["\"crude oil\"", "\" A \"", "\"B \\u{22} C\"", "\"ça va\"", "\"d e\"", "\"-- F\""];
        let list = |speller: &mut Speller, one: &[&str; 6], two: &[&str; 6]| {
            let spelled: Vec<&str> =
                words.iter().map(|&word| speller.pick(&[one[word], two[word]])).collect();
            spelled.join(speller.pick(&[",", ", ", " , ", ",\n"]))
        };
        match what {
            0 => self.pick(&["any change", "ANYCHANGE", "Any  Change"]).to_owned(),
            1 => std::format!("{all}links"),
            2 => std::format!("{all}images"),
            3 => std::format!("{all}words except {}", list(self, &plain, &other)),
            4 => {
                let keyword = self.pick(&["keyword", "keywords"]);
                std::format!("{keyword} {}", list(self, &plain, &other))
            }
            _ => {
                let phrase = self.pick(&["phrase", "Phrases"]);
                std::format!("{phrase} {}", list(self, &phrases, &folded))
            }
        }
    }

    /// The same length in one of the units that give a whole number.
    fn duration(&mut self, millis: u64, calendar: bool) -> String {
        let units: &[(&str, u64)] = if calendar {
            &[("day", 86_400_000), ("week", 604_800_000)]
        } else {
            &[("chronon", 1_000), ("second", 1_000), ("minute", 60_000), ("hour", 3_600_000)]
        };
        let fitting: Vec<_> =
            units.iter().filter(|(_, size)| millis.is_multiple_of(*size)).collect();
        let (name, size) = fitting[self.below(fitting.len())];
        let count = millis / size;
        let name = self.keyword(name) + self.pick(&["", "s"]);
        if count == 1 && self.below(2) == 0 { name } else { std::format!("{count} {name}") }
    }

    fn fetch(&mut self, (count, unit, tenths): (u64, usize, Option<u64>)) -> String {
        let size = [10_000, 1_000, 60_000, 3_600_000, 86_400_000, 604_800_000][unit];
        // Tenths of it must be whole seconds.
        let millis = count * size * if unit == 1 { 10 } else { 1 };
        let every = self.pick(&["every ", ""]);
        let mut text = std::format!("fetch {every}{}", self.duration(millis, unit >= 4));
        if let Some(tenths) = tenths {
            text += &std::format!(" within {}", self.duration(millis / 10 * tenths, false));
        } else if self.below(2) == 0 {
            text += &std::format!(" within {}", self.duration(millis / 10, false));
        }
        text
    }

    fn moment(&mut self, keyword: &str, moment: &Moment) -> String {
        let keyword = self.keyword(keyword);
        match moment {
            Moment::Now(minutes) => {
                let plus = self.pick(&[" + ", "+", " +", "+ "]);
                let by = self.duration(u64::from(*minutes) * 60_000, false);
                std::format!("{keyword} {}{plus}{by}", self.keyword("now"))
            }
            Moment::Date(day, hour, zone) => {
                // Two months apart, so that every end is after every start.
                let (month, day) =
                    (if keyword.eq_ignore_ascii_case("to") { 3 } else { 1 }, day + 1);
                let date = match self.below(3) {
                    0 => std::format!("2028-{month:02}-{day:02}"),
                    1 => std::format!("{month:02}/{day:02}/28"),
                    _ => std::format!("{month:02}/{day:02}/2028"),
                };
                let Some(hour) = hour else { return std::format!("{keyword} {date}") };
                let clock = std::format!("{hour:02}:00{}", self.pick(&["", ":00"]));
                let zone = match zone {
                    0 => "",
                    1 => self.pick(&[" UTC", "Z", " z", " +00:00"]),
                    2 => self.pick(&[" Europe/Lisbon", " europe/LISBON"]),
                    _ => self.pick(&[" -03:30", "-03:30"]),
                };
                std::format!("{keyword} {date} {clock}{zone}")
            }
        }
    }

    fn compare(&mut self, (option, n): (u8, u32)) -> String {
        let colon = self.pick(&[" ", ":", ": ", " : ", " :"]);
        let compare = self.keyword("compare");
        match option {
            0 => compare + " " + &self.keyword("pairwise"),
            1 => std::format!("{compare} {}{colon}{n}", self.keyword("moving")),
            _ => std::format!("{compare} {}{colon}{n}", self.keyword("every")),
        }
    }

    fn notify(&mut self, (channel, frequency): (u8, u8)) -> String {
        let to = match channel {
            0 => self.pick(&["interactive", "INTERACTIVE", "`interactive`"]),
            1 => self.pick(&["terminal", "Terminal"]),
            2 => self.pick(&["email a.b@c.example", "Email \"a.b@c.example\""]),
            3 => self.pick(&["webhook https://h.example/x", "webhook \"HTTPS://h.example:443/x\""]),
            4 => self.pick(&["ops", "OPS", "`ops`"]),
            _ => self.pick(&["pager ana", "Pager `ana`", "PAGER \"ana\""]),
        };
        let how = match frequency {
            0 => self.pick(&["", " immediately", " IMMEDIATELY"]),
            1 => self.pick(&[" best effort", " Best  Effort"]),
            2 => self.pick(&[" every day", " every 1 days"]),
            _ => self.pick(&[" every 90 minutes", " Every 5400 seconds"]),
        };
        std::format!("{} {} {to}{how}", self.keyword("notify"), self.keyword("by"))
    }
}

/// Two `notify` that say the same are refused, and so is an end that is not after the start.
fn sensible(mut spec: Spec) -> Spec {
    spec.to = match (&spec.from, spec.to) {
        (Some(Moment::Date(..)), Some(Moment::Now(_))) => None,
        (Some(Moment::Now(from)), Some(Moment::Now(to))) => Some(Moment::Now(from + to)),
        (_, to) => to,
    };
    let mut seen = Vec::new();
    spec.notify.retain(|&(channel, frequency)| {
        let key = (channel, frequency.max(1));
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
    spec
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn one_meaning_has_one_canonical_text_however_it_is_spelled(
        spec in spec().prop_map(sensible),
        spellings in any::<[[u64; 4]; 2]>(),
    ) {
        let surroundings = Surroundings::default();
        let texts = spellings.map(|spelling| Speller::new(spelling).sentinel(&spec));
        let [one, two] = [checked(&texts[0]), checked(&texts[1])];
        let messages: Vec<_> = one.diagnostics.iter().map(|one| &one.message).collect();
        prop_assert!(one.is_ok(), "{}\n{messages:?}", texts[0]);
        prop_assert_eq!(&one.statements, &two.statements, "{}\n{}", &texts[0], &texts[1]);
        let statement = &one.statements[0];
        let recalled = recall(
            &statement.canonical, surroundings.now, &surroundings.zone, surroundings.chronon,
        );
        prop_assert_eq!(recalled.as_ref(), Ok(&statement.sentinel));
        prop_assert_eq!(&checked(statement.canonical.reveal()).statements, &one.statements);
        put_through(&texts[0]);
    }
}
