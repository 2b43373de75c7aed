//! A sentinel as fields of a form, for who writes no language; and back.
//!
//! A form holds what its fields can say. Clauses without a field stay as they are written, and so
//! does a condition that is more than one of the common ones.

use crate::ast::{Direction, Expr, Leaf};
use crate::limits::NAME_CHARS_MAX;
use crate::parser::{File, parse};
use crate::place::Sink;
use crate::syntax::{ClauseKind, Statement, Target};
use crate::{format, print};
use aspect::Aspect;
use select::Language;

/// What counts as a change, among what most people want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    AnyChange,
    Everything,
    NewLinks,
    NewEntries,
    Words,
    Phrases,
    Text,
    Number,
    Status,
    /// A condition in the language.
    Written,
}

impl What {
    pub const ALL: [What; 10] = [
        What::AnyChange,
        What::NewLinks,
        What::NewEntries,
        What::Words,
        What::Phrases,
        What::Number,
        What::Text,
        What::Status,
        What::Everything,
        What::Written,
    ];

    /// The value of a form's field.
    pub fn name(self) -> &'static str {
        match self {
            What::AnyChange => "any",
            What::Everything => "everything",
            What::NewLinks => "links",
            What::NewEntries => "entries",
            What::Words => "words",
            What::Phrases => "phrases",
            What::Text => "text",
            What::Number => "number",
            What::Status => "status",
            What::Written => "written",
        }
    }

    /// Whether the condition is made of [`Form::terms`].
    fn has_terms(self) -> bool {
        matches!(self, What::Words | What::Phrases | What::Text | What::Number | What::Written)
    }

    /// For people.
    pub fn says(self) -> &'static str {
        match self {
            What::AnyChange => "any change of the text",
            What::Everything => "everything, however little it counts",
            What::NewLinks => "new links",
            What::NewEntries => "new entries of a feed",
            What::Words => "these words come or go",
            What::Phrases => "these phrases come or go",
            What::Text => "the text of a part changes",
            What::Number => "the number in a part changes",
            What::Status => "the page goes down, moves, or is up again",
            What::Written => "a condition in the language",
        }
    }

    /// The choice with this [`What::name`].
    pub fn named(name: &str) -> Option<What> {
        What::ALL.into_iter().find(|what| what.name() == name)
    }
}

/// One sentinel as fields of text. Fields may hold anything; the checker says what is wrong with
/// the text that comes of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub name: String,
    pub url: String,
    pub what: What,
    /// Words or phrases with commas between them, a selector, or a condition.
    pub terms: String,
    /// What the number must do: `< 40 EUR`, `changes by 10 %`; empty: become another.
    pub test: String,
    /// `10 minutes`; empty: Tidings decides.
    pub every: String,
    /// `email me@example.org`, one a line.
    pub notify: String,
    /// With commas between them.
    pub tags: String,
    /// Clauses that have no field, each as it is written.
    pub rest: Vec<String>,
}

impl Form {
    /// The form in which nothing is written yet.
    pub fn empty() -> Form {
        Form {
            name: String::new(),
            url: String::new(),
            what: What::AnyChange,
            terms: String::new(),
            test: String::new(),
            every: String::new(),
            notify: String::new(),
            tags: String::new(),
            rest: Vec::new(),
        }
    }

    /// The fields of a text.
    ///
    /// # Errors
    /// Why the text does not fit, as a sentence.
    pub fn of(text: &str) -> Result<Form, &'static str> {
        let mut sink = Sink::default();
        let file = parse(text, &mut sink);
        let statement = alone(&file)?;
        let form = fields(statement)?;
        // What the fields say is what the text says, or it is left alone.
        match (format(&form.text()), format(text)) {
            (Ok(written), Ok(stands)) if same(&written, &stands) => Ok(form),
            (_, Err(_)) => Err("The text has an error; mend it first."),
            _ => Err("The text says more than the form can show."),
        }
    }

    /// The text that the fields say, a clause a line.
    pub fn text(&self) -> String {
        let target = print::targets(std::iter::once((self.url.trim(), None)));
        let mut lines = vec![print::header_of(self.name.trim(), &target)];
        lines.push(format!("monitor {}", self.condition()));
        if !self.every.trim().is_empty() {
            lines.push(format!("fetch every {}", one_line(&self.every)));
        }
        let ways = self.notify.lines().map(str::trim).filter(|way| !way.is_empty());
        lines.extend(ways.map(|way| format!("notify by {way}")));
        let tags: Vec<String> = pieces(&self.tags).map(print::name).collect();
        if !tags.is_empty() {
            lines.push(format!("tag {}", tags.join(", ")));
        }
        lines.extend(self.rest.iter().map(|clause| one_line(clause)));
        lines.join("\n  ") + "\n"
    }

    /// The field that this place of [`Form::text`] comes from; `None`: it has none. Lines and
    /// columns count from 1.
    pub fn field_at(&self, line: u32, column: u32) -> Option<&'static str> {
        let ways = self.notify.lines().filter(|way| !way.trim().is_empty());
        let rest = std::iter::once("monitor")
            .chain((!self.every.trim().is_empty()).then_some("every"))
            .chain(ways.map(|_| "notify"))
            .chain(pieces(&self.tags).next().map(|_| "tags"));
        let field = match line {
            0 | 1 => Some("name"),
            _ => rest.into_iter().nth(line as usize - 2),
        };
        // The last of the line is another field.
        let ends_with = |what: &str| {
            let text = self.text();
            let length = text.lines().nth(line.max(1) as usize - 1).unwrap_or_default();
            let length = length.chars().count();
            !what.is_empty() && column as usize > length.saturating_sub(what.chars().count())
        };
        match field {
            Some("name") if ends_with(&print::targets([(self.url.trim(), None)].into_iter())) => {
                Some("url")
            }
            Some("monitor") if self.what == What::Number && ends_with(&one_line(&self.test)) => {
                Some("test")
            }
            Some("monitor") => Some("terms"),
            other => other,
        }
    }

    /// Fields that say something which the text leaves out, because it is no part of what is
    /// chosen; and what to do, as a sentence. What `stood` there already is a leftover of another
    /// choice, and nobody wrote it for this one.
    pub fn unused(&self, stood: &Form) -> Vec<(&'static str, String)> {
        let is_new = |now: &str, then: &str| {
            let now = one_line(now);
            !now.is_empty() && now != one_line(then)
        };
        let says = self.what.says();
        let mut unused = Vec::new();
        if !self.what.has_terms() && is_new(&self.terms, &stood.terms) {
            let why = format!("“{says}” has no words and no part. Choose another, or empty this.");
            unused.push(("terms", why));
        }
        if self.what != What::Number && is_new(&self.test, &stood.test) {
            let number = What::Number.says();
            let why = format!("This is for “{number}” alone. Choose that, or empty this.");
            unused.push(("test", why));
        }
        unused
    }

    fn condition(&self) -> String {
        let words: Vec<&str> = pieces(&self.terms).collect();
        match self.what {
            What::AnyChange => "any change".to_owned(),
            What::Everything => "everything".to_owned(),
            What::NewLinks => "links added".to_owned(),
            What::NewEntries => "new items".to_owned(),
            What::Status => "status".to_owned(),
            What::Words => Aspect::Keywords.write(words, print::string),
            What::Phrases => Aspect::Phrases.write(words, print::string),
            What::Text => format!("text of {}", selector(&self.terms)),
            What::Number => {
                let test = one_line(&self.test);
                format!("value of {} {test}", selector(&self.terms)).trim_end().to_owned()
            }
            What::Written => one_line(&self.terms),
        }
    }
}

/// The name of the first sentinel in a text.
pub fn named(text: &str) -> Option<String> {
    let file = parse(text, &mut Sink::default());
    file.statements.first().map(|statement| statement.name.text.clone())
}

/// Why this can be no name, as a clause.
pub fn wrong_name(name: &str) -> Option<String> {
    let chars = name.chars().count();
    if chars > NAME_CHARS_MAX {
        return Some(format!("the name has {chars} characters; {NAME_CHARS_MAX} are allowed"));
    }
    let (mut sink, text) = (Sink::default(), print::header_of(name, "https://a.example/"));
    let file = parse(&text, &mut sink);
    let is_it =
        sink.findings.is_empty() && matches!(&file.statements[..], [one] if one.name.text == name);
    (!is_it).then(|| format!("`{name}` cannot be a name; use letters, digits, `-` and `_`"))
}

/// The one sentinel of a file.
fn alone(file: &File) -> Result<&Statement, &'static str> {
    match (&file.statements[..], file.rules.is_empty(), file.comments.is_empty()) {
        ([one], true, true) if !one.broken => Ok(one),
        ([_], true, true) => Err("The text has an error; mend it first."),
        ([_], true, false) => Err("The text has comments, which the form would lose."),
        _ => Err("The form is for one sentinel."),
    }
}

fn fields(statement: &Statement) -> Result<Form, &'static str> {
    let url = match &statement.target {
        Some(Target::Sources(sources)) if sources.len() == 1 && sources[0].called.is_none() => {
            sources[0].url.text.clone()
        }
        Some(Target::Sources(_)) => return Err("The text watches several pages together."),
        Some(Target::Parent(_)) => return Err("The text builds on another sentinel."),
        None => return Err("The text has an error; mend it first."),
    };
    let mut form = Form { name: statement.name.text.clone(), url, ..Form::empty() };
    for clause in &statement.clauses {
        let written = print::clause(&clause.kind);
        match &clause.kind {
            ClauseKind::Monitor { expr, .. } => form.take_condition(expr),
            ClauseKind::Fetch(_) if written.starts_with("fetch every ") => {
                form.every = written.trim_start_matches("fetch every ").to_owned();
            }
            ClauseKind::Notify(_) => {
                form.notify.push_str(written.trim_start_matches("notify by "));
                form.notify.push('\n');
            }
            ClauseKind::Tag { names } => {
                let names: Vec<&str> = names.iter().map(|name| &*name.text).collect();
                form.tags = names.join(", ");
            }
            _ => form.rest.push(written),
        }
    }
    Ok(form)
}

impl Form {
    fn take_condition(&mut self, expr: &Expr) {
        if let Expr::Leaf(leaf) = expr
            && self.take_leaf(leaf).is_some()
        {
            return;
        }
        self.what = What::Written;
        self.terms = print::expression(expr);
    }

    /// `None`: no field says this.
    fn take_leaf(&mut self, leaf: &Leaf) -> Option<()> {
        let region = &leaf.primitive.region;
        let is_bare = leaf.of.is_none()
            && leaf.matching.is_none()
            && region.modifiers(print::string).is_empty();
        let is_added = leaf.directions == [Direction::Added];
        let terms = &leaf.primitive.terms;
        if !is_bare || !(leaf.directions.is_empty() || is_added) {
            return None;
        }
        let selected = region.selector.as_ref().map(|selector| selector.written(print::string));
        let (what, list) = match (leaf.primitive.aspect, is_added) {
            (Aspect::Any, false) => (What::AnyChange, String::new()),
            (Aspect::Everything, false) => (What::Everything, String::new()),
            (Aspect::Links, true) => (What::NewLinks, String::new()),
            (Aspect::Items, true) => (What::NewEntries, String::new()),
            (Aspect::Status, false) => (What::Status, String::new()),
            (Aspect::Keywords, false) => (What::Words, terms.join(", ")),
            (Aspect::Phrases, false) if !terms.iter().any(|term| term.contains(',')) => {
                (What::Phrases, terms.join(", "))
            }
            (Aspect::Text, false) => (What::Text, selected?),
            (Aspect::Value, false) => {
                self.test = terms.first().cloned().unwrap_or_default();
                (What::Number, selected?)
            }
            _ => return None,
        };
        (self.what, self.terms) = (what, list);
        Some(())
    }
}

/// Whether two formatted texts have the same clauses; their order says nothing.
fn same(one: &str, other: &str) -> bool {
    let clauses = |text: &str| {
        let lines = text.lines().map(|line| line.trim().to_owned());
        let mut lines: Vec<String> = lines.filter(|line| line != "monitor any change").collect();
        lines.sort();
        lines
    };
    clauses(one) == clauses(other)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn pieces(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|piece| !piece.is_empty())
}

/// A selector as the language writes it; of one without its word, the word is guessed.
fn selector(text: &str) -> String {
    let text = text.trim();
    let first = text.split([' ', '"']).next().unwrap_or_default();
    if Language::ALL.iter().any(|language| language.word() == first) {
        return one_line_outside(text);
    }
    let word = match text.chars().next() {
        Some('/' | '(') => "xpath",
        Some('$') => "jsonpath",
        _ => "css",
    };
    format!("{word} {}", print::string(text))
}

/// Line breaks end no clause; those inside a text in quotes are written as such already.
fn one_line_outside(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filled(clauses: &str) -> Form {
        Form::of(&format!("create sentinel a using https://a.example/\n  {clauses}")).unwrap()
    }

    #[test]
    fn the_common_conditions_have_fields() {
        for (written, what, terms, test) in [
            ("any change", What::AnyChange, "", ""),
            ("links added", What::NewLinks, "", ""),
            ("new items", What::NewEntries, "", ""),
            ("keywords oil, gas", What::Words, "oil, gas", ""),
            ("phrases \"in stock\", \"sold out\"", What::Phrases, "in stock, sold out", ""),
            ("value of css \".price\" < 40 EUR", What::Number, "css \".price\"", "< 40 EUR"),
            ("value of title", What::Number, "title", ""),
            ("text of xpath \"//p[1]\"", What::Text, "xpath \"//p[1]\"", ""),
            ("status", What::Status, "", ""),
            ("links and not images", What::Written, "all links and not all images", ""),
            ("any change inside css \"main\"", What::Written, "any change inside css \"main\"", ""),
        ] {
            let form = filled(&format!("monitor {written}"));
            assert_eq!((form.what, &*form.terms, &*form.test), (what, terms, test), "{written}");
        }
    }

    #[test]
    fn each_place_of_the_text_comes_from_a_field() {
        let form = Form {
            test: "< x".to_owned(),
            every: "1 hour".to_owned(),
            tags: "a".to_owned(),
            ..filled("monitor value of css \".p\"\n  notify by email a@b.example")
        };
        let text = form.text();
        let place = |what: &str| {
            let line = text.lines().position(|line| line.contains(what)).expect("it is there");
            let at = text.lines().nth(line).expect("a line").find(what).expect("it is there");
            form.field_at(line as u32 + 1, at as u32 + 1)
        };
        let fields = [
            ("a using", "name"),
            ("https", "url"),
            (".p", "terms"),
            ("< x", "test"),
            ("1 hour", "every"),
            ("email", "notify"),
            ("tag a", "tags"),
        ];
        for (what, field) in fields {
            assert_eq!(place(what), Some(field), "{what} in {text}");
        }
        assert_eq!(form.field_at(9, 1), None);
    }

    #[test]
    fn a_field_that_the_choice_has_no_use_for_is_named_unless_it_stood_there() {
        let stood = filled("monitor value of css \".price\" < 40 EUR");
        let fields = |form: &Form, stood: &Form| {
            form.unused(stood).into_iter().map(|(field, _)| field).collect::<Vec<_>>()
        };
        assert!(fields(&stood, &stood).is_empty());
        // Another choice alone: what it has no use for is left over.
        let any = Form { what: What::AnyChange, ..stood.clone() };
        assert!(fields(&any, &stood).is_empty());
        let plain = filled("monitor any change");
        assert_eq!(fields(&any, &plain), ["terms", "test"]);
        let words = Form { what: What::Words, terms: "oil".to_owned(), ..any.clone() };
        assert_eq!(fields(&words, &plain), ["test"]);
        let blank = Form { terms: " ".to_owned(), test: "\n".to_owned(), ..any };
        assert!(fields(&blank, &plain).is_empty());
        for what in What::ALL {
            let form = Form { what, terms: "x".to_owned(), ..plain.clone() };
            let is_said = form.text() != Form { terms: "y".to_owned(), ..form.clone() }.text();
            assert_eq!(form.unused(&plain).is_empty(), is_said, "{what:?}");
        }
    }

    #[test]
    fn what_can_be_no_name_says_why() {
        assert_eq!(wrong_name("deals of air"), None);
        let long = wrong_name(&"a".repeat(NAME_CHARS_MAX + 1));
        assert!(long.is_some_and(|why| why.ends_with("are allowed")));
        assert!(wrong_name("a`b").is_some_and(|why| why.contains("cannot be a name")));
    }

    #[test]
    fn clauses_without_a_field_stay() {
        let form = filled("weight 3\n  fetch every 2 hours\n  tag a, `b c`\n  compare moving 3");
        assert_eq!((&*form.every, &*form.tags), ("2 hours", "a, b c"));
        assert_eq!(form.rest, ["weight 3", "compare moving 3"]);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        for (text, why) in [
            ("create sentinel a using https://a.example/, https://b.example/", "several pages"),
            ("create sentinel a using b", "builds on"),
            ("create sentinel a using https://a.example/ -- why", "comments"),
            ("create sentinel a using https://a.example/ monitor", "error"),
            ("", "one sentinel"),
        ] {
            let said = Form::of(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn a_selector_may_leave_out_its_word() {
        let number = |terms: &str| Form {
            what: What::Number,
            terms: terms.to_owned(),
            ..filled("monitor status")
        };
        assert!(number(".price").text().contains("value of css \".price\"\n"));
        assert!(number("//p[@id=\"x\"]").text().contains(r#"value of xpath "//p[@id=\"x\"]""#));
        assert!(number("$.price").text().contains("value of jsonpath \"$.price\"\n"));
        assert!(number("jsonld \"$.price\"").text().contains("value of jsonld \"$.price\"\n"));
    }

    proptest! {
        /// A form says what the text said, or the text does not fit.
        #[test]
        fn the_fields_say_what_the_text_said(
            url in prop::sample::select(&["https://a.example/", "\"https://a.example/x y\""][..]),
            monitor in prop::sample::select(&["", "monitor any change", "monitor links",
                "monitor links added", "monitor phrases \"a, b\", \"c\"", "monitor keyword a*",
                "monitor value of css \"a[b='c']\" changes by 10 %", "monitor text of title removed",
                "monitor not (links or images) and words except a", "monitor status or any change"][..]),
            others in prop::sample::subsequence(&["fetch every 10 minutes within 2 minutes",
                "notify by email a@example.org every 1 day", "notify by interactive", "weight 2",
                "tag x, `y z`", "to 2099-01-01", "changehistory 4", "presentation merged"][..], 0..8),
        ) {
            let text = format!("create sentinel `a b` using {url}\n{monitor}\n{}", others.join("\n"));
            let form = Form::of(&text).unwrap();
            prop_assert!(same(&format(&form.text()).unwrap(), &format(&text).unwrap()), "{form:?}");
            prop_assert_eq!(Form::of(&form.text()), Ok(form));
        }

        /// Whatever the fields hold, the text has no statement but one.
        #[test]
        fn fields_cannot_add_a_clause_of_their_own_line(terms in "[ -~\n]{0,20}") {
            let form = Form { what: What::Text, terms, ..filled("monitor status") };
            let lines = form.text().lines().count();
            prop_assert_eq!(lines, 2, "{}", form.text());
        }
    }
}
