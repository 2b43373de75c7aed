//! Cards: the goods of a shop, the offers of a list, whatever they are made of. They are elements
//! that stand beside others of their kind and hold several texts each.

use super::blocks::heading;
use crate::{Block, Card, Extract};
use ego_tree::{NodeId, NodeRef};
use rustc_hash::{FxHashMap, FxHasher};
use scraper::Node;
use scraper::node::Element;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Blocks of a card.
const BLOCKS_MIN: usize = 2;
const BLOCKS_MAX: usize = 40;
/// Elements of a kind side by side that are cards, and of those that say nothing of their kind.
const CARDS_MIN: usize = 2;
const PLAIN_MIN: usize = 3;
/// Bytes of a text that is more than the name of something.
const NAME_BYTES_MAX: usize = 100;

/// The elements that may be cards, inner ones first.
#[derive(Default)]
pub(super) struct Cards(Vec<Candidate>);

struct Candidate {
    /// The element that it stands in, and its kind.
    group: u64,
    is_plain: bool,
    blocks: Range<usize>,
}

impl Cards {
    /// An element ends that holds these blocks.
    pub(super) fn close(&mut self, node: NodeRef<'_, Node>, element: &Element, blocks: Range<u32>) {
        let blocks = blocks.start as usize..blocks.end as usize;
        if !(BLOCKS_MIN..=BLOCKS_MAX).contains(&blocks.len()) || is_below_heading(node, element) {
            return;
        }
        let class = element.classes().next();
        let mut hasher = FxHasher::default();
        let parent: Option<NodeId> = node.parent().map(|parent| parent.id());
        (parent, element.name(), class).hash(&mut hasher);
        let is_plain = class.is_none() && !matches!(element.name(), "li" | "article");
        self.0.push(Candidate { group: hasher.finish(), is_plain, blocks });
    }

    fn groups(&self) -> FxHashMap<u64, Vec<&Candidate>> {
        let mut groups: FxHashMap<u64, Vec<&Candidate>> = FxHashMap::default();
        for one in &self.0 {
            groups.entry(one.group).or_default().push(one);
        }
        groups.retain(|_, all| all.len() >= if all[0].is_plain { PLAIN_MIN } else { CARDS_MIN });
        groups
    }
}

/// Marks the cards of a page by their first blocks. An element that holds several cards of one kind
/// is none, unless others beside it hold cards of the same names: these are what is said of it.
/// O(n log n).
pub(super) fn mark(extract: &mut Extract, cards: &Cards) {
    let mut groups: Vec<_> = cards.groups().into_iter().collect();
    // Inner ones come first.
    let size = |all: &[&Candidate]| all.iter().map(|one| one.blocks.len()).max();
    groups.sort_by_key(|(group, all)| (size(all), all[0].blocks.start, *group));
    let mut found: BTreeMap<usize, Found> = BTreeMap::new();
    for (group, all) in groups {
        let is_outline = |card: &&&Candidate| is_outline(&extract.blocks[card.blocks.clone()]);
        if 2 * all.iter().filter(is_outline).count() > all.len() {
            continue;
        }
        let names = names(&extract.blocks, &all);
        let within = |card: &Candidate| found.range(card.blocks.clone());
        let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
        for (_, inner) in all.iter().flat_map(|card| within(card)) {
            *uses.entry(&extract.blocks[inner.name].text).or_default() += 1;
        }
        let holds_cards = |card: &Candidate| {
            let groups = || within(card).map(|(_, inner)| inner.group);
            let is_said_of_others =
                |inner: &Found| uses.get(&*extract.blocks[inner.name].text) > Some(&1);
            let (all, others) =
                (groups().count(), within(card).filter(|it| is_said_of_others(it.1)));
            let are_several =
                groups().enumerate().any(|(n, one)| groups().take(n).any(|it| it == one));
            are_several && others.count() * 2 < all
        };
        let kept = all.iter().zip(names).filter(|(card, _)| !holds_cards(card));
        let kept: Vec<_> = kept.filter_map(|(card, name)| Some((&card.blocks, name?))).collect();
        for (blocks, name) in kept {
            let inner: Vec<usize> = found.range(blocks.clone()).map(|(start, _)| *start).collect();
            for start in inner {
                found.remove(&start);
            }
            found.insert(blocks.start, Found { group, blocks: blocks.len(), name });
        }
    }
    for (start, Found { blocks, name, .. }) in found {
        let [blocks, name] = [blocks, name - start].map(|number| number as u16);
        extract.blocks[start].card = Some(Card { blocks, name });
    }
}

/// Elements of entries: below a heading each has those of one section.
const LISTS: [&str; 5] = ["table", "ul", "ol", "dl", "menu"];

/// Whether an element is a list or a table that a heading names.
fn is_below_heading(node: NodeRef<'_, Node>, element: &Element) -> bool {
    if !LISTS.contains(&element.name()) {
        return false;
    }
    let before = node.prev_siblings().find_map(|one| one.value().as_element());
    let behind = node.next_siblings().find_map(|one| one.value().as_element());
    let is_like = |one: &Element| {
        one.name() == element.name() && one.classes().next() == element.classes().next()
    };
    before.is_some_and(|one| heading(one.name()).is_some()) && !behind.is_some_and(is_like)
}

/// A card by its first block.
struct Found {
    group: u64,
    /// How many blocks it has.
    blocks: usize,
    /// The block that names it.
    name: usize,
}

/// Texts in a list of what is no name, and no price, at least.
const CLAUSE_BYTES_MIN: usize = 120;

/// Whether blocks are a clause with others below it, as in terms: "You may not:", and a list of
/// what. It is named by nothing in that.
fn is_outline(blocks: &[Block]) -> bool {
    let first = &blocks[0];
    let has_heading = blocks.iter().any(|block| (1..Block::BOLD).contains(&block.level()));
    let below = || blocks.iter().filter(|block| block.list > first.list);
    let is_clause = |block: &Block| block.text.len() >= CLAUSE_BYTES_MIN;
    !has_heading
        && below().next().is_some()
        && (first.text.ends_with(':') || is_clause(first) || below().any(is_clause))
}

/// The block that names each of some cards: its heading; where none has one, a short text that no
/// other of them has.
fn names(blocks: &[Block], cards: &[&Candidate]) -> Vec<Option<usize>> {
    let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
    for block in cards.iter().flat_map(|card| &blocks[card.blocks.clone()]) {
        *uses.entry(&block.text).or_default() += 1;
    }
    let is_own = |at: usize| uses.get(&*blocks[at].text) == Some(&1) && blocks[at].part.is_main();
    let level =
        |at: &usize| Some(blocks[*at].level()).filter(|level| (1..Block::BOLD).contains(level));
    let heading = |card: &&Candidate| {
        let least = card.blocks.clone().filter_map(|at| level(&at)).min()?;
        let mut all = card.blocks.clone().filter(|at| level(at) == Some(least));
        all.next().filter(|at| is_own(*at) && all.next().is_none())
    };
    if cards.iter().any(|card| card.blocks.clone().any(|at| level(&at).is_some())) {
        return cards.iter().map(heading).collect();
    }
    at_one_place(cards, |at| is_own(at) && may_name(&blocks[at]))
}

/// What may name cards, at one place from the start or the end in as many of them as can be; of the
/// best of these the first. So a badge that one of them has in front names none. O(blocks).
fn at_one_place(cards: &[&Candidate], may: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let most = cards.iter().map(|card| card.blocks.len()).max().unwrap_or(0);
    let places = (0..most).map(|n| (true, n)).chain((0..most).rev().map(|n| (false, n)));
    let named = |(is_from_start, n): (bool, usize)| -> Vec<Option<usize>> {
        let at = |card: &&Candidate| {
            let blocks = &card.blocks;
            let at = if is_from_start {
                blocks.start.checked_add(n)
            } else {
                blocks.end.checked_sub(n + 1)
            };
            at.filter(|at| blocks.contains(at) && may(*at))
        };
        cards.iter().map(at).collect()
    };
    let count = |names: &Vec<Option<usize>>| names.iter().flatten().count();
    let best = places.map(named).rev().max_by_key(count);
    // What one of many has alone is not what they are called.
    best.filter(|names| count(names) >= CARDS_MIN && 2 * count(names) >= cards.len())
        .unwrap_or_default()
}

/// Words of badges, of what can be had, and of prices and days: a text of nothing else names
/// nothing. Sorted.
#[rustfmt::skip]
const BADGES: [&str; 88] = [
    "apr", "april", "aug", "august", "ausverkauft", "available", "bestseller", "booked", "chf",
    "closed", "comments", "dec", "december", "dollars", "eur", "euro", "euros", "featured", "feb",
    "february", "fri", "friday", "from", "fully", "gbp", "hot", "in", "jan", "january", "jul",
    "july", "jun", "june", "kr", "kč", "left", "like", "likes", "limited", "mar", "march", "may",
    "mon", "monat", "monday", "month", "neu", "new", "night", "nov", "november", "now", "oct",
    "october", "only", "open", "out", "pcm", "per", "points", "popular", "read", "reads", "replies",
    "reply", "reserved", "sale", "sat", "saturday", "sep", "september", "sold", "sqm", "stock",
    "sun", "sunday", "thu", "thursday", "tue", "tuesday", "usd", "views", "votes", "wed",
    "wednesday", "week", "year", "zł",
];

/// Whether a text may be what something is called: short, with letters, no row that says more, and
/// no sentence.
fn may_name(block: &Block) -> bool {
    let text = block.text.as_str();
    let is_sentence = text.ends_with(['.', ':', ';', ',']);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_price = digits > 0 && text.contains(['€', '$', '£', '¥', '₹']);
    // What is counted or dated is another in its time.
    let is_value =
        text.rsplit_once(": ").is_some_and(|(_, value)| value.contains(char::is_numeric));
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let says = |word: &str| {
        let word = word.to_lowercase();
        word.len() > 1 && BADGES.binary_search(&word.as_str()).is_err()
    };
    text.len() <= NAME_BYTES_MAX
        && block.row.is_none()
        && !is_sentence
        && !is_price
        && !is_value
        && letters > digits
        && words.into_iter().any(says)
}

#[cfg(test)]
mod tests {
    use crate::{Extract, Hints, Limits, read};

    fn page(body: &str) -> Extract {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        read(body.as_bytes(), &hints, &Limits::default()).expect("it can be read")
    }

    /// The cards of a page: what names each, and the count of its blocks.
    fn cards(body: &str) -> Vec<(String, u16)> {
        let blocks = page(body).blocks;
        let card = |(at, block): (usize, &crate::Block)| {
            let card = block.card?;
            Some((blocks[at + card.name as usize].text.clone(), card.blocks))
        };
        blocks.iter().enumerate().filter_map(card).collect()
    }

    fn named(names: &[(&str, u16)]) -> Vec<(String, u16)> {
        names.iter().map(|(name, blocks)| ((*name).to_owned(), *blocks)).collect()
    }

    #[test]
    fn what_stands_side_by_side_with_its_like_is_a_card() {
        let job = |title, place| {
            format!(
                "<div class='job x'><p>New<div>{title}</div><div>{place}</div><b>Apply</b></div>"
            )
        };
        let jobs = [job("Designer", "Lisbon"), job("Analyst", "Porto")].concat();
        assert_eq!(cards(&jobs), named(&[("Designer", 4), ("Analyst", 4)]));
        assert_eq!(cards(&job("Designer", "Lisbon")), [], "one alone");
        let goods = "<ul><li><p>3 May<h3>Kettle</h3><p>40 €<li><p>4 May<h3>Pot</h3><p>9 €</ul>";
        assert_eq!(cards(goods), named(&[("Kettle", 3), ("Pot", 3)]), "by their headings");
        let plain = |count| "<div><p>Aa</p><p>1</p></div>".repeat(count);
        assert_eq!(cards(&plain(4)), [], "nothing tells them apart");
    }

    #[test]
    fn a_badge_a_price_and_a_day_name_nothing() {
        let good = |texts: &[&str]| {
            let texts: String = texts.iter().map(|text| format!("<div>{text}</div>")).collect();
            format!("<div class=g>{texts}</div>")
        };
        let page = |goods: &[&[&str]]| goods.iter().map(|texts| good(texts)).collect::<String>();
        let badge = page(&[&["Sold out", "Kettle", "€40"], &["Pot", "€9"], &["Mug", "€5"]]);
        assert_eq!(cards(&badge), named(&[("Kettle", 3), ("Pot", 2), ("Mug", 2)]));
        let behind = page(&[&["Kettle", "€40", "Sold out"], &["Pot", "€9"], &["Mug", "€5"]]);
        assert_eq!(cards(&behind), named(&[("Kettle", 3), ("Pot", 2), ("Mug", 2)]));
        let days = page(&[&["12 May", "Ceilidh"], &["13 May", "Open Mic"]]);
        assert_eq!(cards(&days), named(&[("Ceilidh", 2), ("Open Mic", 2)]));
        let counts = page(&[&["Signed up: 3", "Ann"], &["Signed up: 7", "Bo"]]);
        assert_eq!(cards(&counts), named(&[("Ann", 2), ("Bo", 2)]));
        let prices = page(&[&["40 EUR", "茶壺"], &["EUR 9", "鍋子"]]);
        assert_eq!(cards(&prices), named(&[("茶壺", 2), ("鍋子", 2)]));
        assert!(super::BADGES.is_sorted());
    }

    #[test]
    fn clauses_with_a_list_below_are_none() {
        let clause = |lead: &str, items: [&str; 2]| {
            let items = items.map(|item| format!("<li><p>{item}</p></li>")).concat();
            format!("<li><p>{lead}</p><ul>{items}</ul></li>")
        };
        let harm = clause("Causing harm, including by:", ["Spamming", "Stalking or doxing"]);
        let law = clause("Breaking the law, including by:", ["Acting for others", "Fraud"]);
        assert_eq!(cards(&format!("<ul>{harm}{law}</ul>")), []);
    }

    #[test]
    fn the_sign_of_a_link_to_itself_is_no_part_of_a_heading() {
        let all = page("<h2>Fixed<a href=#f>¶</a></h2><p>Two¶</p><h2>¶</h2>").blocks;
        let texts: Vec<&str> = all.iter().map(|block| &*block.text).collect();
        assert_eq!(texts, ["Fixed", "Two¶", "¶"]);
    }

    #[test]
    fn a_table_or_a_list_below_a_heading_is_none() {
        let row = |name| format!("<tr><td>10:00</td><td>{name} v Crown</td></tr>");
        let table =
            |court, name| format!("<h2>{court}</h2><table class=t>{}</table>", row(name).repeat(2));
        assert_eq!(cards(&[table("Court 1", "Osei"), table("Court 2", "Pell")].concat()), []);
        let list = |day, name| format!("<h3>{day}</h3><ul><li>{name}<li>Tea</ul>");
        assert_eq!(cards(&[list("Monday", "Chess"), list("Friday", "Choir")].concat()), []);
        let good = |name| format!("<ul class=o><li>{name}<li>9 €</ul>");
        let first = format!("<h2>Offers</h2>{}{}", good("Kettle"), good("Pot"));
        assert_eq!(cards(&first), named(&[("Kettle", 2), ("Pot", 2)]), "others stand beside it");
        let goods = |name| format!("<ul class=good><li>{name}<li>9 €</ul>");
        let both = named(&[("Kettle", 2), ("Pot", 2)]);
        assert_eq!(cards(&[goods("Kettle"), goods("Pot")].concat()), both, "a list is a card");
    }

    #[test]
    fn what_holds_cards_is_none() {
        let card = |name: &str| format!("<div class=card><div>{name}</div><div>9 €</div></div>");
        let row = |a, b| format!("<div class=row>{}{}</div>", card(a), card(b));
        let rows = [row("Kettle", "Pot"), row("Mug", "Pan")].concat();
        let all = named(&[("Kettle", 2), ("Pot", 2), ("Mug", 2), ("Pan", 2)]);
        assert_eq!(cards(&rows), all);
        let section = |name, goods| format!("<section class=s><h2>{name}</h2>{goods}</section>");
        let others = [row("Cup", "Jug"), row("Lid", "Wok")].concat();
        let sections = cards(&[section("One", rows), section("Two", others)].concat());
        let more = named(&[("Cup", 2), ("Jug", 2), ("Lid", 2), ("Wok", 2)]);
        assert_eq!(sections, [all, more].concat(), "a section is none");
        // What is said of a card in pairs is no card, where others say the same.
        let spec = |name, of: u32| {
            let pair = |what, n| format!("<div class=p><div>{what}</div><div>{n}</div></div>");
            let pairs = [pair("Weight of it", of), pair("Width of it", of + 1)].concat();
            format!("<li><div>{name}</div>{pairs}</li>")
        };
        let goods = format!("<ul>{}{}</ul>", spec("Kettle", 1), spec("Pot", 5));
        assert_eq!(cards(&goods), named(&[("Kettle", 5), ("Pot", 5)]));
    }
}
