//! Selectors of styles, as far as they say which elements of a page they are of.
//!
//! Understood are elements, classes, ids and `[hidden]`, and what they stand in (`main .x`,
//! `main > .x`). What an element must have to be one of another selector's is kept.

use super::super::blocks::attr;
use super::CLASSES_MAX;
use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;
use std::cell::Cell;

/// Bytes of one selector; a longer one is of any element.
const BYTES_MAX: usize = 2_000;
/// Elements around an element that one selector may name.
const AROUND_MAX: usize = 3;
/// What frameworks write for `[hidden]`.
const SEARCHABLE: &str = ":where(:not([hidden=until-found]))";
/// Names of the boxes that are drawn beside an element's own.
const DRAWN: [&str; 4] = ["before", "after", "first-line", "first-letter"];
/// What an element becomes by the hand of a reader.
const STATES: [&str; 6] = ["hover", "active", "focus", "focus-within", "focus-visible", "target"];

/// How strong a selector is: its ids, its classes and the like, its elements.
pub(super) type Strength = (u32, u32, u32);

/// No browser reads a rule with such a selector.
pub(super) struct Invalid;

/// What an element must have.
#[derive(Debug, Default)]
pub(super) struct Compound {
    /// In lower case; empty: any.
    pub(super) tag: String,
    pub(super) ids: Vec<String>,
    pub(super) classes: Vec<String>,
    attributes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Within,
    Child,
}

#[derive(Debug, Default)]
pub(super) struct Selector {
    pub(super) last: Compound,
    /// What it stands in, outermost first, and how it does.
    around: Vec<(Compound, Joint)>,
    pub(super) strength: Strength,
    /// Some of it is not understood: not all that the rest is of need be its elements.
    pub(super) is_doubtful: bool,
    has_state: bool,
}

/// The selectors of a rule.
pub(super) fn list(head: &str) -> Vec<&str> {
    let (mut list, mut from, mut depth, mut is_escaped) = (Vec::new(), 0, 0_u32, false);
    for (at, byte) in head.bytes().enumerate() {
        match byte {
            _ if std::mem::take(&mut is_escaped) => {}
            b'\\' => is_escaped = true,
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                list.push(&head[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    list.push(&head[from..]);
    list
}

impl Selector {
    /// `None`: it is of no element of a page, but of what is drawn beside one, or of one that a
    /// reader's hand is on.
    pub(super) fn read(text: &str) -> Result<Option<Selector>, Invalid> {
        let plain;
        let mut rest = text.trim();
        if rest.ends_with(')') && rest.contains("until-found") {
            plain = rest.replace(['"', '\''], "");
            rest = plain.strip_suffix(SEARCHABLE).unwrap_or(rest);
        }
        let mut selector = Selector::default();
        if rest.len() > BYTES_MAX {
            (selector.is_doubtful, selector.strength) = (true, (u32::MAX, 0, 0));
            return Ok(Some(selector));
        }
        loop {
            let Some(compound) = selector.compound(&mut rest)? else { return Ok(None) };
            let after = rest.trim_start();
            let Some(sign) = after.chars().next() else {
                selector.last = compound;
                break;
            };
            let joint = match sign {
                '>' => Joint::Child,
                _ => Joint::Within,
            };
            let is_sign = matches!(sign, '>' | '+' | '~');
            if !is_sign && after.len() == rest.len() {
                return Err(Invalid);
            }
            rest = if is_sign { after[1..].trim_start() } else { after };
            selector.around.push((compound, joint));
            selector.is_doubtful |= matches!(sign, '+' | '~');
            selector.is_doubtful |= selector.around.len() > AROUND_MAX;
        }
        let is_named = |last: &Compound| !(last.ids.is_empty() && last.classes.is_empty());
        Ok(Some(selector).filter(|one| !one.has_state || is_named(&one.last)))
    }

    /// What one element must have; `None`: it is of what is drawn beside one.
    fn compound(&mut self, rest: &mut &str) -> Result<Option<Compound>, Invalid> {
        let (mut compound, before) = (Compound::default(), rest.len());
        self.has_state = false;
        while let Some(sign) = rest.chars().next() {
            match sign {
                '*' => *rest = &rest[1..],
                '&' => (*rest, self.is_doubtful) = (&rest[1..], true),
                '.' => {
                    *rest = &rest[1..];
                    compound.classes.push(name(rest)?);
                    self.strength.1 += 1;
                }
                '#' => {
                    *rest = &rest[1..];
                    compound.ids.push(name(rest)?);
                    self.strength.0 = self.strength.0.saturating_add(1);
                }
                '[' => {
                    let (inside, after) = rest[1..].split_once(']').ok_or(Invalid)?;
                    let mut inside = inside.trim();
                    self.is_doubtful |= !inside.eq_ignore_ascii_case("hidden");
                    compound.attributes.push(name(&mut inside)?.to_ascii_lowercase());
                    *rest = after;
                    self.strength.1 += 1;
                }
                ':' if is_root(rest) => {
                    *rest = &rest[":root".len()..];
                    compound.tag = "html".to_owned();
                    self.strength.1 += 1;
                }
                ':' => {
                    if !self.pseudo(rest)? {
                        return Ok(None);
                    }
                }
                sign if rest.len() == before && (is_of_name(sign) || sign == '\\') => {
                    compound.tag = name(rest)?.to_ascii_lowercase();
                    self.strength.2 += 1;
                }
                _ => break,
            }
        }
        if rest.len() == before { Err(Invalid) } else { Ok(Some(compound)) }
    }

    /// What follows a colon; false: a box that is drawn beside an element's own.
    fn pseudo(&mut self, rest: &mut &str) -> Result<bool, Invalid> {
        *rest = &rest[1..];
        if rest.starts_with(':') {
            return Ok(false);
        }
        let word = name(rest)?.to_ascii_lowercase();
        if DRAWN.contains(&&*word) || word == "host" {
            return Ok(false);
        }
        self.is_doubtful = true;
        self.has_state |= STATES.contains(&&*word);
        self.strength.1 += 1;
        if !rest.starts_with('(') {
            return Ok(true);
        }
        if !word.starts_with("nth-") {
            // As strong as what stands in it.
            self.strength.0 = u32::MAX;
        }
        let mut depth = 0_u32;
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                *rest = &rest[at + 1..];
                return Ok(true);
            }
        }
        Err(Invalid)
    }

    /// Whether it names what scripts take away at once.
    pub(super) fn is_without_scripts(&self) -> bool {
        let compounds = self.around.iter().map(|(compound, _)| compound).chain([&self.last]);
        compounds.flat_map(|compound| &compound.classes).any(|class| {
            matches!(&*class.to_ascii_lowercase(), "no-js" | "nojs" | "no_js" | "no-javascript")
        })
    }

    /// Whether an element that its last part is of stands in the others; never, where no steps are
    /// left.
    pub(super) fn stands(&self, node: NodeRef<'_, Node>, steps_left: &Cell<u32>) -> bool {
        stands_in(&self.around, node, steps_left)
    }
}

fn stands_in(
    around: &[(Compound, Joint)],
    node: NodeRef<'_, Node>,
    steps_left: &Cell<u32>,
) -> bool {
    let Some(((compound, joint), others)) = around.split_last() else { return true };
    let reach = if *joint == Joint::Child { 1 } else { usize::MAX };
    node.ancestors().take(reach).any(|outer| {
        let Some(left) = steps_left.get().checked_sub(1) else { return false };
        steps_left.set(left);
        outer.value().as_element().is_some_and(|element| compound.is_of(element))
            && stands_in(others, outer, steps_left)
    })
}

impl Compound {
    pub(super) fn is_of(&self, element: &Element) -> bool {
        (self.tag.is_empty() || self.tag.eq_ignore_ascii_case(element.name()))
            && self.ids.iter().all(|id| attr(element, "id") == Some(id))
            && self
                .classes
                .iter()
                .all(|class| element.classes().take(CLASSES_MAX).any(|one| one == class))
            && self.attributes.iter().all(|name| attr(element, name).is_some())
    }
}

/// Whether it begins with `:root`, which is the element `html`.
fn is_root(rest: &str) -> bool {
    let root = rest.get(..":root".len()).filter(|word| word.eq_ignore_ascii_case(":root"));
    root.is_some_and(|word| !rest[word.len()..].starts_with(is_of_name))
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii()
}

/// The name at the start of a text, which goes on behind it.
fn name(rest: &mut &str) -> Result<String, Invalid> {
    let mut name = String::new();
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            name.push(escaped(rest)?);
        } else if is_of_name(c) {
            name.push(c);
            *rest = &rest[c.len_utf8()..];
        } else {
            break;
        }
    }
    if name.is_empty() { Err(Invalid) } else { Ok(name) }
}

/// A character behind a backslash, as itself or by its number.
fn escaped(rest: &mut &str) -> Result<char, Invalid> {
    let after = &rest[1..];
    let digits = after.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if let Ok(number) = u32::from_str_radix(&after[..digits], 16) {
        let after = &after[digits..];
        *rest = after.strip_prefix(|c: char| c.is_ascii_whitespace()).unwrap_or(after);
        return Ok(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    let c = after.chars().next().ok_or(Invalid)?;
    *rest = &after[c.len_utf8()..];
    Ok(c)
}
