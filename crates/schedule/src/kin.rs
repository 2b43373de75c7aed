//! Company from finds alone: sources that change together tell of each other.
//!
//! A source keeps the windows of its last [`FINDS`] finds: from the look before to the look that
//! found, or, where the content tells times, a few minutes around them. Two sources whose windows
//! meet more often than strangers' would are linked. A find at one makes a change at the other
//! likely ("told"); a look at one that finds nothing makes less likely what the other changes only
//! in its company ("covered").
//!
//! For finds of A, and B at a rate λ: of strangers a share p of A's windows meets one of B's, λ
//! times the length of both, on the pattern of the week. Where B comes along with chance θ, a
//! meeting is 1 − θ + θ/p times as likely, and a miss 1 − θ times. Four θ are weighed. All of it is
//! worked out anew from the windows kept, whenever one of the two has a find: what is no longer
//! true is forgotten.

use crate::hours::Gap;
use crate::pattern::DAY;
use crate::rows::{Row, Rows};
use crate::week::seconds;
use chronon::{Instant, SourceId};
use std::sync::LazyLock;

/// Windows kept of a source.
const FINDS: usize = 5;
/// Links kept of a source.
const LINKS: usize = 32;
/// Finds of all sources that a new one is compared with.
const RECENT: usize = 256;
/// Comparisons that each look pays for, and most that are saved.
const PAID: f64 = 1.5;
const SAVED_MAX: f64 = 256.0;
/// Changes this near are together, seconds.
const TOGETHER: f64 = 900.0;
/// Longer windows say nothing, seconds.
const WINDOW_MAX: f64 = 21.0 * 86_400.0;
/// The chances that are weighed.
const CHANCES: [f64; 4] = [0.1, 0.3, 0.6, 0.9];
/// Companions that a source has before anything is known, over all chances.
const COMPANIONS: f64 = 0.9;
/// As much is company believed at least when two are compared, so that it can be found again.
const TRUST_MIN: f64 = 0.05;
/// A link is kept from this chance on.
const CHANCE_MIN: f64 = 0.004;
/// Steps in which a chance halves; there are 128.
const STEPS: f64 = 12.0;
/// Steps in which the length of a window, and a second, doubles.
const LENGTH_STEPS: f64 = 1_000.0;
/// The bit that tells a link from a window.
const LINK: u16 = 1 << 15;
/// Bins of the table of what was said against what was found, each a doubling.
const BINS: usize = 12;
/// What the table takes as said before, in a bin and in all, and the share that came of it; and
/// the most that it remembers of a bin.
const BIN_DOUBT: f64 = 2.0;
const DOUBT: f64 = 4.0;
const FIRST: f64 = 0.3;
const BIN_MAX: f64 = 500.0;
/// Numbers that are stored of all that.
pub(crate) const STORED: usize = 2 * BINS + 2;
/// Finds that are taken as both expected and found before there are any.
const UNSAID_DOUBT: f64 = 20.0;

/// Looks of which nothing was said: how many should have found something by the rates of their
/// sources alone, and how many did. Changes that come in bursts are found by fewer looks.
#[derive(Debug, Clone, Copy, Default)]
struct Unsaid {
    expected: f64,
    found: f64,
}

impl Unsaid {
    fn note(&mut self, expected: f64, found: bool) {
        self.expected += expected;
        self.found += f64::from(u8::from(found));
        if self.expected > BIN_MAX {
            self.expected /= 2.0;
            self.found /= 2.0;
        }
    }

    /// The share of what was expected that was found, up to 1.
    fn share(self) -> f64 {
        let [found, expected] = [self.found, self.expected].map(|sum| sum.max(0.0) + UNSAID_DOUBT);
        (found / expected).min(1.0)
    }
}

/// The chance that a Poisson process with this many expected changes has at least one.
fn chance_of_any(expected: f64) -> f64 {
    1.0 - libm::exp(-expected.max(0.0))
}

/// A time in which a source changed, seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Window {
    fn length(self) -> f64 {
        self.to - self.from
    }

    fn wide(self) -> Window {
        Window { from: self.from - TOGETHER / 2.0, to: self.to + TOGETHER / 2.0 }
    }

    fn meets(self, other: Window) -> bool {
        self.from <= other.to + TOGETHER && other.from <= self.to + TOGETHER
    }

    /// The share of it that is later than `time`.
    pub(crate) fn after(self, time: f64) -> f64 {
        if self.length() <= 0.0 {
            return if self.to > time { 1.0 } else { 0.0 };
        }
        ((self.to - time) / self.length()).clamp(0.0, 1.0)
    }
}

/// When a source changed that a look at the end of `gap` found to have. One of `times`, which lie
/// in the gap, counts in each quarter of an hour; if there are none, or they are all midnights, it
/// may have been at any time.
pub(crate) fn windows(times: &[Instant], gap: Gap) -> Vec<Window> {
    let whole = Window { from: seconds(gap.from), to: seconds(gap.to) };
    let mut at: Vec<f64> = times.iter().map(|&time| seconds(time)).collect();
    if at.iter().all(|at| at.rem_euclid(DAY) == 0.0) {
        return vec![whole];
    }
    at.sort_by(f64::total_cmp);
    at.dedup_by(|later, earlier| *later - *earlier < TOGETHER);
    at.iter().map(|&at| Window { from: at, to: at }).collect()
}

/// A link to another source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Link {
    /// The other's slot; in records the id.
    pub(crate) other: u32,
    /// The chance that the other changes with a change of this one.
    pub(crate) tells: f64,
    /// The chance that this one changes with a change of the other.
    pub(crate) is_told: f64,
}

/// A window or a link: 6 bytes.
type Cell = [u16; 3];
/// Bytes that are stored of a window or a link.
pub(crate) const CELL: usize = size_of::<Cell>();

fn cell(number: u32, code: u16) -> Cell {
    [number as u16, (number >> 16) as u16, code]
}

fn number(cell: Cell) -> u32 {
    u32::from(cell[0]) | u32::from(cell[1]) << 16
}

fn is_link(cell: Cell) -> bool {
    cell[2] & LINK != 0
}

impl Window {
    fn cell(self) -> Cell {
        let code = libm::ceil(libm::log2(1.0 + self.length().max(0.0)) * LENGTH_STEPS);
        cell(self.to.clamp(0.0, f64::from(u32::MAX)) as u32, (code as u16).min(LINK - 1))
    }

    fn of(cell: Cell) -> Window {
        let length = libm::exp2(f64::from(cell[2]) / LENGTH_STEPS) - 1.0;
        let to = f64::from(number(cell));
        Window { from: to - length, to }
    }
}

/// The windows kept of a source, oldest first.
pub(crate) struct Windows {
    all: [Window; FINDS],
    len: usize,
}

impl Windows {
    fn kept(&self) -> &[Window] {
        &self.all[..self.len]
    }
}

/// The chance of each step.
static CHANCE_OF: LazyLock<[f64; 128]> =
    LazyLock::new(|| std::array::from_fn(|step| libm::exp2(-(step as f64) / STEPS)));

impl Link {
    fn cell(self) -> Cell {
        let step = |chance: f64| {
            libm::round(-libm::log2(chance.clamp(1e-6, 1.0)) * STEPS).min(127.0) as u16
        };
        cell(self.other, LINK | step(self.tells) << 7 | step(self.is_told))
    }

    fn of(cell: Cell) -> Link {
        let chance = |step: u16| CHANCE_OF[usize::from(step & 127)];
        Link { other: number(cell), tells: chance(cell[2] >> 7), is_told: chance(cell[2]) }
    }

    /// The same link as the other has it.
    fn back(self, own: u32) -> Link {
        Link { other: own, tells: self.is_told, is_told: self.tells }
    }

    fn worth(self) -> f64 {
        self.tells.max(self.is_told)
    }
}

/// What of two sources is weighed.
#[derive(Clone, Copy)]
pub(crate) struct Party {
    /// Changes a second.
    pub(crate) rate: f64,
    /// The last look that succeeded, seconds.
    pub(crate) seen: f64,
}

/// All sources' company: per source 12 bytes, 6 for each window and link, and room to grow.
#[derive(Debug, Clone)]
pub(crate) struct Kin {
    /// Windows, the newest last, and then links.
    members: Vec<Row>,
    cells: Rows<Cell>,
    /// The last finds of all, and where the next goes.
    recent: Vec<(u32, Window)>,
    next: usize,
    paid: f64,
    said: [f64; BINS],
    came: [f64; BINS],
    unsaid: Unsaid,
    /// Nobody is compared with anybody.
    #[cfg(test)]
    pub(crate) is_deaf: bool,
}

impl Kin {
    pub(crate) fn new() -> Kin {
        Kin {
            #[cfg(test)]
            is_deaf: false,
            members: Vec::new(),
            cells: Rows::new(),
            recent: Vec::new(),
            next: 0,
            paid: 0.0,
            said: [0.0; BINS],
            came: [0.0; BINS],
            unsaid: Unsaid::default(),
        }
    }

    fn row(&self, slot: u32) -> Row {
        self.members.get(slot as usize).copied().unwrap_or_default()
    }

    fn list(&self, slot: u32) -> &[Cell] {
        self.cells.of(self.row(slot))
    }

    fn windows_of(&self, slot: u32) -> impl DoubleEndedIterator<Item = Window> + Clone {
        self.list(slot)[..self.finds(slot)].iter().map(|&cell| Window::of(cell))
    }

    /// The windows of a source at hand: to read one takes a power.
    pub(crate) fn windows(&self, slot: u32) -> Windows {
        let mut all = [Window { from: 0.0, to: 0.0 }; FINDS];
        let mut len = 0;
        for (place, window) in all.iter_mut().zip(self.windows_of(slot)) {
            *place = window;
            len += 1;
        }
        Windows { all, len }
    }

    fn finds(&self, slot: u32) -> usize {
        self.list(slot).iter().take(FINDS).take_while(|&&cell| !is_link(cell)).count()
    }

    /// The links of the source at `slot`.
    pub(crate) fn links(&self, slot: u32) -> impl Iterator<Item = Link> {
        self.list(slot)[self.finds(slot)..].iter().map(|&cell| Link::of(cell))
    }

    pub(crate) fn links_len(&self, slot: u32) -> usize {
        self.list(slot).len() - self.finds(slot)
    }

    pub(crate) fn link_at(&self, slot: u32, at: usize) -> Option<Link> {
        self.list(slot).get(self.finds(slot) + at).map(|&cell| Link::of(cell))
    }

    /// Fetches what is kept of these, all at once: what it is does not matter.
    pub(crate) fn fetch(&self, slots: &[u32]) -> u32 {
        let rows = slots.iter().map(|&slot| self.list(slot));
        let ends = rows.filter_map(|row| Some(row.first()?[2] ^ row.last()?[2]));
        ends.fold(0, |sum, end| sum ^ u32::from(end))
    }

    fn push(&mut self, slot: u32, cell: Cell) {
        let slot = slot as usize;
        if slot >= self.members.len() {
            self.members.resize(slot + 1, Row::default());
        }
        self.cells.push(&mut self.members[slot], cell);
        if self.cells.is_loose() {
            self.cells.pack(self.members.iter_mut());
        }
    }

    /// Forgets all of a source that leaves; `others` were linked to it.
    pub(crate) fn forget(&mut self, slot: u32, others: &mut Vec<u32>) {
        others.extend(self.links(slot).map(|link| link.other));
        for &other in others.iter() {
            self.unlink_one(other, slot);
        }
        while self.row(slot).len() > 0 {
            self.cells.pop(&mut self.members[slot as usize]);
        }
        // The oldest first, as where the ring is not full yet.
        let oldest = self.next.min(self.recent.len());
        self.recent.rotate_left(oldest);
        self.recent.retain(|recent| recent.0 != slot);
        self.next = self.recent.len() % RECENT;
    }

    /// A look ended: it pays for comparisons.
    pub(crate) fn pay(&mut self) {
        self.paid = (self.paid + PAID).min(SAVED_MAX);
    }

    /// Keeps a window, and answers with whom the source is to be compared: those it is linked to,
    /// and as many of the newest finds that met it as looks have paid for.
    pub(crate) fn find(&mut self, slot: u32, window: Window) -> Vec<u32> {
        #[cfg(test)]
        if self.is_deaf {
            return Vec::new();
        }
        if window.length() > WINDOW_MAX {
            return Vec::new();
        }
        self.keep(slot, window);
        let mut others: Vec<u32> = self.links(slot).map(|link| link.other).collect();
        let linked = others.len();
        let newest = self.recent[..self.next].iter().rev();
        let newest = newest.chain(self.recent[self.next..].iter().rev());
        for &(other, met) in newest {
            if others.len() as f64 - linked as f64 >= self.paid {
                break;
            }
            if other != slot && met.meets(window) && !others.contains(&other) {
                others.push(other);
            }
        }
        self.paid = (self.paid - (others.len() - linked) as f64).max(0.0);
        if self.recent.len() < RECENT {
            self.recent.push((slot, window));
        } else {
            self.recent[self.next] = (slot, window);
        }
        self.next = (self.next + 1) % RECENT;
        others
    }

    fn keep(&mut self, slot: u32, window: Window) {
        let finds = self.finds(slot);
        let last = self.windows_of(slot).next_back();
        if let Some(last) = last
            && window.to - last.to < TOGETHER
            && last.length() < 2.0 * TOGETHER
        {
            let both = Window { from: last.from.min(window.from), to: window.to.max(last.to) };
            let row = self.members[slot as usize];
            self.cells.of_mut(row)[finds - 1] = both.cell();
            return;
        }
        if finds == FINDS {
            let row = self.members[slot as usize];
            let list = self.cells.of_mut(row);
            list[..FINDS].rotate_left(1);
            list[FINDS - 1] = window.cell();
        } else {
            self.push(slot, window.cell());
            let row = self.members[slot as usize];
            self.cells.of_mut(row)[finds..].rotate_right(1);
        }
    }

    /// Notes how far two are linked. Those whose links changed by it join `changed`: the two, and
    /// others that had to make room.
    pub(crate) fn link(&mut self, own: u32, link: Link, changed: &mut Vec<u32>) {
        let at = self.at_of(own, link.other);
        if link.worth() < CHANCE_MIN {
            if at.is_some() {
                self.unlink(own, link.other);
                changed.extend([own, link.other]);
            }
            return;
        }
        if let Some(at) = at {
            let row = self.members[own as usize];
            if self.cells.of(row)[at] != link.cell() {
                self.cells.of_mut(row)[at] = link.cell();
                let back = link.back(own).cell();
                if let Some(at) = self.at_of(link.other, own) {
                    let row = self.members[link.other as usize];
                    self.cells.of_mut(row)[at] = back;
                }
                changed.extend([own, link.other]);
            }
            return;
        }
        for (one, other) in [(own, link.other), (link.other, own)] {
            if self.links_len(one) < LINKS {
                continue;
            }
            let least = self.links(one).min_by(|a, b| a.worth().total_cmp(&b.worth()));
            match least.filter(|least| least.worth() < link.worth()) {
                Some(least) => {
                    self.unlink(one, least.other);
                    changed.extend([one, least.other]);
                }
                None => return,
            }
            debug_assert_ne!(one, other);
        }
        self.push(own, link.cell());
        self.push(link.other, link.back(own).cell());
        changed.extend([own, link.other]);
    }

    fn at_of(&self, own: u32, other: u32) -> Option<usize> {
        let finds = self.finds(own);
        let links = self.list(own)[finds..].iter();
        links.enumerate().find(|(_, cell)| number(**cell) == other).map(|(at, _)| finds + at)
    }

    fn unlink(&mut self, a: u32, b: u32) {
        self.unlink_one(a, b);
        self.unlink_one(b, a);
    }

    fn unlink_one(&mut self, own: u32, other: u32) {
        let Some(at) = self.at_of(own, other) else { return };
        let row = self.members[own as usize];
        let list = self.cells.of_mut(row);
        let last = list.len() - 1;
        list.swap(at, last);
        self.cells.pop(&mut self.members[own as usize]);
    }

    /// The chances that each of two changes with a change of the other, by what is kept of both.
    /// `came` is the integral of the pattern between two times.
    pub(crate) fn weigh(
        &self,
        own: (&Windows, Party),
        other: (u32, Party),
        odds: f64,
        came: &impl Fn(f64, f64) -> f64,
    ) -> Link {
        let (others, own) = ((&self.windows(other.0), other.1), own);
        let chance = |tells: &Windows, (is_told, party): (&Windows, Party)| {
            let known = is_told.kept().first().filter(|_| is_told.len == FINDS).copied();
            let pair = Pair { tells: tells.kept(), is_told: is_told.kept(), party, known };
            chance(pair, odds, came)
        };
        Link { other: other.0, tells: chance(own.0, others), is_told: chance(others.0, own) }
    }

    /// What is left of something said once it is compared with what came of such sayings.
    pub(crate) fn believed(&self, said: f64) -> f64 {
        let bin = bin(said);
        let came = (self.came[bin] + FIRST * BIN_DOUBT).max(0.0);
        (said * came / (self.said[bin] + BIN_DOUBT)).min(1.0)
    }

    /// How far company is believed in general, up to 1: the share that came of all that was said.
    pub(crate) fn trust(&self) -> f64 {
        let (said, came): (f64, f64) = (self.said.iter().sum(), self.came.iter().sum());
        ((came + FIRST * DOUBT).max(0.0) / (said + DOUBT)).min(1.0)
    }

    /// The odds that one of `sources` is a companion, before anything is known of the two.
    pub(crate) fn odds(&self, sources: u32) -> f64 {
        (self.trust().max(TRUST_MIN) * COMPANIONS / f64::from(sources.max(2))).min(0.25)
    }

    /// A look ended of which this was `said`; as many changes were expected `alone`, without
    /// company. Only what came beyond the chance of any change is left of what was said: looks that
    /// found nothing count against it as far as one was expected, or strangers would be believed
    /// wherever pages change often.
    pub(crate) fn judge(&mut self, said: f64, alone: f64, any: bool) {
        let bin = bin(said);
        let chance = self.unsaid.share() * chance_of_any(alone);
        self.said[bin] += said * (1.0 - chance);
        self.came[bin] += f64::from(u8::from(any)) - chance;
        if self.said[bin] > BIN_MAX {
            self.said[bin] /= 2.0;
            self.came[bin] /= 2.0;
        }
    }

    /// A look ended of which nothing was said; as many changes were expected `alone`.
    pub(crate) fn judge_unsaid(&mut self, alone: f64, any: bool) {
        self.unsaid.note(chance_of_any(alone), any);
    }

    /// What was said and what came of it, to store.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        let Unsaid { expected, found } = self.unsaid;
        self.said.into_iter().chain(self.came).chain([expected, found])
    }

    /// Takes them over; where there are fewer (an earlier release kept fewer), the rest begins
    /// anew.
    pub(crate) fn recall_numbers(&mut self, numbers: &[f32]) {
        let Unsaid { expected, found } = &mut self.unsaid;
        let kept = self.said.iter_mut().chain(&mut self.came).chain([expected, found]);
        for (kept, &number) in kept.zip(numbers) {
            *kept = f64::from(number).clamp(-2.0 * BIN_MAX, 2.0 * BIN_MAX);
        }
    }

    /// What is kept of a source, to store: cells of six bytes, links by `id` and in their order.
    pub(crate) fn record(&self, slot: u32, id: impl Fn(u32) -> SourceId) -> Vec<u8> {
        let finds = self.finds(slot);
        let mut cells = self.list(slot).to_vec();
        for at in &mut cells[finds..] {
            *at = cell(id(number(*at)).0, at[2]);
        }
        cells[finds..].sort_unstable_by_key(|&cell| number(cell));
        cells.iter().flatten().flat_map(|part| part.to_le_bytes()).collect()
    }

    /// Takes over what an earlier life kept of the source at `slot`, a new one, as far as the
    /// others are there: those that come later bring their links with them. What no source has (a
    /// store may be damaged) is left out.
    pub(crate) fn recall(
        &mut self,
        slot: u32,
        bytes: &[u8],
        find: impl Fn(SourceId) -> Option<u32>,
    ) {
        for part in bytes.as_chunks::<CELL>().0.iter().take(FINDS + LINKS) {
            let at = |i: usize| u16::from_le_bytes([part[2 * i], part[2 * i + 1]]);
            let kept = [at(0), at(1), at(2)];
            let finds = self.finds(slot);
            if !is_link(kept) {
                if finds < FINDS && finds == self.list(slot).len() {
                    self.push(slot, kept);
                }
                continue;
            }
            let Some(other) = find(SourceId(number(kept))).filter(|&other| other != slot) else {
                continue;
            };
            let is_new = self.at_of(slot, other).is_none();
            if is_new && self.links_len(slot) < LINKS && self.links_len(other) < LINKS {
                let link = Link { other, ..Link::of(kept) };
                self.push(slot, link.cell());
                self.push(other, link.back(slot).cell());
            }
        }
    }
}

fn bin(said: f64) -> usize {
    (-libm::log2(said.clamp(1e-9, 1.0))).clamp(0.0, BINS as f64 - 1.0) as usize
}

/// Two sources beside each other: the first tells of its changes, the second is told.
struct Pair<'w> {
    tells: &'w [Window],
    is_told: &'w [Window],
    /// The second.
    party: Party,
    /// All windows of the second are kept that are later than this one, if there is one.
    known: Option<Window>,
}

/// The chance that a source changes with a change of another, by the windows of both.
fn chance(pair: Pair<'_>, odds: f64, came: &impl Fn(f64, f64) -> f64) -> f64 {
    let Pair { tells, is_told, party, known } = pair;
    let mut likely = [1.0_f64; CHANCES.len()];
    for &window in tells {
        let wide = window.wide();
        let met = is_told.iter().filter(|other| other.meets(window)).map(|other| other.wide());
        match met.min_by(|x, y| x.length().total_cmp(&y.length())) {
            Some(other) => {
                let length = came(wide.from, wide.to) + came(other.from, other.to);
                let p = (party.rate * length).clamp(1e-9, 1.0);
                for (likely, theta) in likely.iter_mut().zip(CHANCES) {
                    *likely *= 1.0 - theta + theta / p;
                }
            }
            None if party.seen > wide.to && known.is_none_or(|known| window.from > known.from) => {
                for (likely, theta) in likely.iter_mut().zip(CHANCES) {
                    *likely *= 1.0 - theta;
                }
            }
            None => {}
        }
    }
    let each = odds / CHANCES.len() as f64;
    let all: f64 = likely.iter().map(|likely| each * likely).sum();
    let mean: f64 = likely.iter().zip(CHANCES).map(|(likely, theta)| each * likely * theta).sum();
    mean / (1.0 - odds + all)
}

#[cfg(test)]
mod tests;
