//! What of a JSON document is worth watching: members whose names say so, and its first list.

use crate::Proposal;
use crate::find::cut;

/// Members beyond these are not looked at.
const MEMBERS_MAX: usize = 2_000;
/// Longer values are texts, and no states.
const STATE_BYTES_MAX: usize = 40;

/// What the name of a member says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Price,
    Stock,
    State,
    Version,
}

impl Sort {
    const ALL: [Sort; 4] = [Sort::Price, Sort::Stock, Sort::State, Sort::Version];

    /// Words of names.
    fn words(self) -> &'static [&'static str] {
        match self {
            Sort::Price => &["price", "cost", "fare", "amount"],
            Sort::Stock => &["stock", "available", "availability", "inventory", "quantity"],
            Sort::State => &["status", "state", "health", "indicator"],
            Sort::Version => &["version", "tag", "latest"],
        }
    }

    /// What names its sentinel.
    fn ending(self) -> &'static str {
        match self {
            Sort::Price => "price",
            Sort::Stock => "stock",
            Sort::State => "status",
            Sort::Version => "version",
        }
    }

    fn takes(self, value: &str) -> bool {
        let has_digit = value.contains(|c: char| c.is_ascii_digit());
        match self {
            Sort::Price => is_number(value),
            Sort::Stock => value.len() <= STATE_BYTES_MAX,
            Sort::State => value.len() <= STATE_BYTES_MAX && !has_digit && value != "null",
            Sort::Version => value.len() <= STATE_BYTES_MAX && has_digit,
        }
    }
}

/// A number, with a currency or not.
fn is_number(value: &str) -> bool {
    let rest = value.trim_matches(|c: char| c.is_alphabetic() || " €$£¥₹".contains(c));
    rest.contains(|c: char| c.is_ascii_digit())
        && rest.chars().all(|c| c.is_ascii_digit() || ".,-".contains(c))
        && value.len() <= STATE_BYTES_MAX
}

/// A place in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step<'t> {
    Key(&'t str),
    Member,
}

struct Member<'t> {
    path: Vec<Step<'t>>,
    value: &'t str,
}

impl<'t> Member<'t> {
    /// A block as `page` writes it: `packages[0].price: 40`. `None`: its path has a key in quotes,
    /// or there is no path.
    fn of(text: &'t str) -> Option<Member<'t>> {
        let (mut path, mut rest) = (Vec::new(), text);
        loop {
            if let Some(value) = rest.strip_prefix(": ").filter(|_| !path.is_empty()) {
                return Some(Member { path, value });
            }
            if let Some(number) = rest.strip_prefix('[') {
                let (number, after) = number.split_once(']')?;
                number.parse::<usize>().ok()?;
                path.push(Step::Member);
                rest = after;
                continue;
            }
            let key = rest.strip_prefix('.').unwrap_or(rest);
            let end = key.find(['.', '[', ':'])?;
            path.push(Step::Key(Some(&key[..end]).filter(|key| !key.is_empty())?));
            rest = &key[end..];
        }
    }

    fn name(&self) -> Option<&'t str> {
        match self.path.last()? {
            Step::Key(key) => Some(key),
            Step::Member => None,
        }
    }

    fn is_in_list(&self) -> bool {
        self.path.contains(&Step::Member)
    }

    fn sort(&self) -> Option<Sort> {
        let words = words(self.name()?);
        // An id, an address or a time of something is another thing.
        if matches!(words.last()?.as_str(), "id" | "url" | "at" | "date" | "link" | "time") {
            return None;
        }
        let says = |sort: &Sort| sort.words().iter().any(|word| words.iter().any(|w| w == word));
        Sort::ALL.into_iter().find(|sort| says(sort) && sort.takes(self.value))
    }
}

/// The words of a name, however it joins them: `tag_name`, `inStock`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        let last = words.last_mut().expect("there is always one word");
        last.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
    }
    words
}

/// The path as JSONPath writes it, of every member of its lists.
fn jsonpath(path: &[Step<'_>]) -> String {
    path.iter().fold("$".to_owned(), |text, step| match step {
        Step::Member => text + "[*]",
        Step::Key(key) if is_plain(key) => format!("{text}.{key}"),
        Step::Key(key) => format!("{text}['{key}']"),
    })
}

fn is_plain(key: &str) -> bool {
    !key.starts_with(|c: char| c.is_ascii_digit())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn label(path: &[Step<'_>]) -> String {
    let keys = path.iter().filter_map(|step| match step {
        Step::Key(key) => Some(*key),
        Step::Member => None,
    });
    keys.collect::<Vec<_>>().join(".")
}

/// Proposals for a document, best first: the first member of each sort, new members of its first
/// list, and the prices in it. `own` makes one of sentence, ending, clauses and preview.
pub(crate) fn proposals<'e>(
    texts: impl Iterator<Item = &'e str>,
    own: &impl Fn(String, &str, &str, Vec<String>) -> Proposal,
) -> Vec<Proposal> {
    let members: Vec<Member<'_>> = texts.take(MEMBERS_MAX).filter_map(Member::of).collect();
    let mut offers = Vec::new();
    for sort in Sort::ALL {
        let mut single = members.iter().filter(|member| !member.is_in_list());
        let Some(member) = single.find(|member| member.sort() == Some(sort)) else { continue };
        let label = label(&member.path);
        let what = if is_number(member.value) && sort != Sort::Version { "value" } else { "text" };
        offers.push(own(
            format!("Tell me when “{label}”, now {}, changes", cut(member.value)),
            sort.ending(),
            &format!("monitor {what} of jsonpath \"{}\"", jsonpath(&member.path)),
            vec![format!("{label}: {}", cut(member.value))],
        ));
    }
    offers.extend(list(&members, own));
    let is_price = |member: &&Member<'_>| member.is_in_list() && member.sort() == Some(Sort::Price);
    if let Some((price, name)) =
        members.iter().find(is_price).and_then(|one| Some((one, one.name()?)))
    {
        let alike = members.iter().filter(|member| member.path == price.path);
        offers.push(own(
            format!("Tell me when a “{name}” changes, such as {}", cut(price.value)),
            "prices",
            &format!("monitor any change updated matching \"[.]{name}: \""),
            alike.take(4).map(|member| format!("{name}: {}", cut(member.value))).collect(),
        ));
    }
    offers
}

/// What names a member of a list, best first.
const NAMES: [&str; 7] = ["name", "title", "tag_name", "summary", "slug", "url", "id"];

/// New members of the first list, by what names them.
fn list(
    members: &[Member<'_>],
    own: &impl Fn(String, &str, &str, Vec<String>) -> Proposal,
) -> Option<Proposal> {
    let first = members.iter().find(|member| member.is_in_list())?;
    let depth = first.path.iter().position(|step| *step == Step::Member)?;
    let list = &first.path[..=depth];
    let of_list = || {
        let inner = members.iter().filter(|member| member.path.len() <= depth + 2);
        inner.filter(|member| member.path.starts_with(list))
    };
    let called = |name: &str| of_list().find(|member| member.name() == Some(name));
    let named = NAMES.iter().find_map(|name| called(name)).or_else(|| {
        // A list of plain values names its members by these.
        of_list().find(|member| member.path.len() == depth + 1)
    })?;
    let all: Vec<&Member<'_>> = of_list().filter(|member| member.path == named.path).collect();
    let label = label(&list[..depth]);
    let label = if label.is_empty() { "the list".to_owned() } else { format!("“{label}”") };
    Some(own(
        format!("Tell me what is new in {label}; now it has {}", all.len()),
        "new",
        &format!("monitor text of jsonpath \"{}\" added", jsonpath(&named.path)),
        all.iter().take(4).map(|member| cut(member.value)).collect(),
    ))
}
