//! The prices: of a probe anywhere, and at each host that is wanted more often than it may be.

use super::asker::{Asker, Crowd, Floors, Look, Yield};
use super::{DAY, DOUBT, Limit, Mean, SHARE_MET, Shortage, Totals, Unmet, Watched, Workload};
use crate::Experience;
use chronon::Span;
use rustc_hash::FxHashMap;

/// Steps of a bisection: prices are found to 10⁻⁸ of themselves, and shared between two.
const STEPS: u32 = 36;
/// Prices are sought between these.
const PRICES: (f64, f64) = (1e-12, 1e36);
/// What is believed of experience: a server that was asleep says nothing of one that is awake.
const FORESIGHT: (f64, f64) = (0.05, 2.0);

/// Everybody who asks, by host.
pub(super) struct Market {
    askers: Vec<Asker>,
    hosts: Vec<HostMarket>,
    chronon: f64,
    /// What each costs a second as long as its host's price is above that of all, by [`Floors`].
    held: Vec<[f64; 2]>,
    /// Cost a second of all deadlines.
    pressing: f64,
    /// The share of the delay by rates alone that is expected to come.
    foresight: f64,
}

/// A price of the budget, and whether floors are kept at it.
#[derive(Debug, Clone, Copy)]
struct Offer {
    price: f64,
    floors: Floors,
}

/// [`Asker::outcome`], or [`Asker::probing`].
type Ask = fn(&Asker, f64, Floors, Crowd) -> Yield;

struct HostMarket {
    /// Places of its sources.
    askers: Vec<u32>,
    /// Deadlines a second, and the demands that ask for them.
    pressing: f64,
    demands: usize,
    /// Requests a second, and the seconds that one stands in the way of the next.
    allowed: f64,
    wait: f64,
    kept: PriceStep,
    dropped: PriceStep,
}

impl HostMarket {
    fn price(&self, floors: Floors) -> PriceStep {
        match floors {
            Floors::Kept => self.kept,
            Floors::Dropped => self.dropped,
        }
    }
}

/// A price, or two next to each other: `low` for a share of the time, `high` for the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PriceStep {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) share: f64,
    pub(super) floors: Floors,
}

impl PriceStep {
    fn free(floors: Floors) -> PriceStep {
        PriceStep { low: 0.0, high: 0.0, share: 1.0, floors }
    }

    /// The lowest at which `wanted`, which never rises with the price, is `allowed`; `None` if that
    /// is too much at any price.
    fn find(allowed: f64, floors: Floors, wanted: impl Fn(f64) -> f64) -> Option<PriceStep> {
        if wanted(0.0) <= allowed {
            return Some(PriceStep::free(floors));
        }
        if wanted(PRICES.1) > allowed {
            return None;
        }
        let (mut low, mut high) = (libm::log2(PRICES.0), libm::log2(PRICES.1));
        for _ in 0..STEPS {
            let middle = (low + high) / 2.0;
            if wanted(libm::exp2(middle)) > allowed { low = middle } else { high = middle }
        }
        let (low, high) = (libm::exp2(low), libm::exp2(high));
        let (more, less) = (wanted(low), wanted(high));
        let share = ((allowed - less) / (more - less).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        Some(PriceStep { low, high, share, floors })
    }
}

/// What was found for one budget.
pub(super) struct Book {
    /// Cost per second.
    allowed: f64,
    price: PriceStep,
    /// Cost per second that is worth it where the budget has no limit.
    wanted: f64,
    /// Probes per second of each host, of all, and their cost.
    hosts: Vec<f64>,
    probes: f64,
    cost: f64,
    /// Seconds until the budget has the next probe.
    wait: f64,
}

impl Market {
    pub(super) fn of(world: &Workload) -> Market {
        let chronon = world.config.chronon.as_secs_f64().max(1e-3);
        let mut places = FxHashMap::default();
        let mut hosts: Vec<HostMarket> = Vec::new();
        let mut askers = Vec::new();
        for watched in &world.sources {
            let host = *places.entry(watched.host).or_insert(hosts.len());
            if host == hosts.len() {
                // A bucket fills when it fills, not when the next chronon starts.
                let wait = watched.host_interval.as_secs_f64().max(0.0);
                let price = PriceStep::free(Floors::Kept);
                hosts.push(HostMarket {
                    askers: Vec::new(),
                    pressing: 0.0,
                    demands: 0,
                    allowed: 1.0 / wait,
                    wait,
                    kept: price,
                    dropped: price,
                });
            }
            hosts[host].askers.push(askers.len() as u32);
            let asker = Asker::new(watched, host, &world.config);
            hosts[host].pressing += asker.pressing;
            hosts[host].demands += asker.looks.len();
            askers.push(asker);
        }
        for host in &mut hosts {
            let wanted = |price: f64, floors: Floors| -> f64 {
                let probes = |&at: &u32| {
                    askers[at as usize].probing(price, floors, Crowd::default()).probes()
                };
                host.askers.iter().map(probes).sum()
            };
            let find =
                |floors| PriceStep::find(host.allowed, floors, |price| wanted(price, floors));
            let dropped = find(Floors::Dropped).unwrap_or(PriceStep::free(Floors::Dropped));
            host.kept = find(Floors::Kept).unwrap_or(dropped);
            host.dropped = dropped;
        }
        let pressing = askers.iter().map(|asker| asker.pressing * asker.cost).sum();
        let mut market =
            Market { askers, hosts, chronon, held: Vec::new(), pressing, foresight: 1.0 };
        let held = |asker: &Asker| {
            [Floors::Kept, Floors::Dropped].map(|floors| {
                asker_cost(
                    asker,
                    &market.at(
                        asker,
                        Offer { price: 0.0, floors },
                        Asker::probing,
                        Crowd::default(),
                    ),
                )
            })
        };
        market.held = market.askers.iter().map(held).collect();
        market.foresight = market.compare(world);
        market
    }

    /// The delay that came of late, divided by what as many probes would have brought if nothing
    /// but rates were known.
    fn compare(&self, world: &Workload) -> f64 {
        let Experience { found, waited, cost, lived } = world.experience;
        if found <= 0.0 || lived <= 0.0 {
            return 1.0;
        }
        let book = self.settle(cost / lived * self.chronon);
        let mut mean = Mean::default();
        for (asker, watched) in self.askers.iter().zip(&world.sources) {
            let delay = self.outcome(&book, asker).delay;
            if delay.is_finite() && !watched.is_down() {
                mean.add(delay, asker.stake);
            }
        }
        let by_rates = mean.mean().unwrap_or(0.0);
        let came = (waited + DOUBT * by_rates) / (found + DOUBT);
        if by_rates > 0.0 { (came / by_rates).clamp(FORESIGHT.0, FORESIGHT.1) } else { 1.0 }
    }

    /// The share of the delay by rates alone that is expected to come.
    pub(super) fn foresight(&self) -> f64 {
        self.foresight
    }

    pub(super) fn askers(&self) -> &[Asker] {
        &self.askers
    }

    /// Cost per second that a budget per chronon pays.
    fn allowed(&self, per_chronon: f64) -> f64 {
        let budget = if per_chronon.is_finite() { per_chronon.clamp(0.0, 1e8) } else { 0.0 };
        budget / self.chronon
    }

    /// The prices at a budget per chronon.
    pub(super) fn settle(&self, per_chronon: f64) -> Book {
        let allowed = self.allowed(per_chronon);
        let cost = |price: f64, floors: Floors| -> f64 {
            let askers = self.askers.iter().zip(&self.held);
            askers.fold(0.0, |sum, (asker, held)| {
                sum + match self.hosts[asker.host].price(floors) {
                    own if own.high <= 0.0 || price > own.high => {
                        asker_cost(asker, &asker.probing(price, floors, Crowd::default()))
                    }
                    _ => held[floors as usize],
                }
            })
        };
        let find = |floors| PriceStep::find(allowed, floors, |price| cost(price, floors));
        let price = find(Floors::Kept).or_else(|| find(Floors::Dropped));
        let price = price.unwrap_or(PriceStep {
            low: PRICES.1,
            high: PRICES.1,
            share: 1.0,
            floors: Floors::Dropped,
        });
        let wait = if per_chronon < 1.0 { self.chronon / per_chronon.max(1e-9) } else { 0.0 };
        let mut book = Book {
            allowed,
            price,
            wanted: cost(0.0, Floors::Kept),
            hosts: vec![0.0; self.hosts.len()],
            probes: 0.0,
            cost: 0.0,
            wait,
        };
        let (mut probes, mut sum) = (0.0, 0.0);
        for asker in &self.askers {
            let outcome = self.mixed(&book, asker, Asker::probing, Crowd::default());
            book.hosts[asker.host] += outcome.probes();
            probes += outcome.probes();
            sum += asker_cost(asker, &outcome);
        }
        (book.probes, book.cost) = (probes, sum);
        book
    }

    /// What comes of a price of all, or of the higher one of its host.
    fn at(&self, asker: &Asker, offer: Offer, ask: Ask, crowd: Crowd) -> Yield {
        let Offer { price, floors } = offer;
        let own = self.hosts[asker.host].price(floors);
        if own.high <= 0.0 || price > own.high {
            return ask(asker, price, floors, crowd);
        }
        let low = ask(asker, own.low, own.floors, crowd);
        if own.share >= 1.0 {
            return low;
        }
        low.mixed(ask(asker, own.high, own.floors, crowd), own.share)
    }

    fn mixed(&self, book: &Book, asker: &Asker, ask: Ask, crowd: Crowd) -> Yield {
        let PriceStep { low, high, share, floors } = book.price;
        let outcome = self.at(asker, Offer { price: low, floors }, ask, crowd);
        if share >= 1.0 {
            return outcome;
        }
        outcome.mixed(self.at(asker, Offer { price: high, floors }, ask, crowd), share)
    }

    pub(super) fn outcome(&self, book: &Book, asker: &Asker) -> Yield {
        self.mixed(book, asker, Asker::outcome, self.crowd(book, asker))
    }

    fn crowd(&self, book: &Book, asker: &Asker) -> Crowd {
        let host = &self.hosts[asker.host];
        Crowd { host: (book.hosts[asker.host], host.wait), budget: (book.probes, book.wait) }
    }

    /// The price of its host if that is above the one of all, else that.
    fn scarce(&self, book: &Book, asker: &Asker) -> (PriceStep, Limit) {
        let host = &self.hosts[asker.host];
        let own = host.price(book.price.floors);
        if own.high > book.price.high { (own, Limit::Host) } else { (book.price, Limit::Budget) }
    }

    pub(super) fn limit(&self, book: &Book, asker: &Asker, outcome: &Yield) -> Limit {
        let (price, scarce) = self.scarce(book, asker);
        let limit = asker.limit(price.high, price.floors, scarce);
        let pressed = outcome.for_freshness < 0.01 * outcome.for_deadlines;
        if pressed && !matches!(limit, Limit::Host | Limit::Budget) {
            return Limit::Deadlines;
        }
        limit
    }

    pub(super) fn totals(&self, book: &Book) -> Totals {
        Totals {
            allowed_per_day: book.allowed * DAY,
            wanted_per_day: book.wanted * DAY,
            probes_per_day: book.probes * DAY,
            cost_per_day: book.cost * DAY,
            price: book.price.high,
            ..Totals::default()
        }
    }

    /// What will happen in a second: probes, and looks that open.
    pub(super) fn events(&self, book: &Book) -> f64 {
        let looks: f64 = self.hosts.iter().map(|host| host.pressing).sum();
        book.probes + looks
    }

    /// The share of each demand's looks that are made: as they were played, else as the price says.
    pub(super) fn told(&self, book: &Book, asker: &Asker, played: &[Option<f64>]) -> Vec<f64> {
        let looks = asker.looks.iter().zip(played);
        looks
            .map(|(look, played)| played.unwrap_or_else(|| self.priced(book, asker, look)))
            .collect()
    }

    /// The share of a demand's looks that are made if none are due together.
    fn priced(&self, book: &Book, asker: &Asker, look: &Look) -> f64 {
        let (price, _) = self.scarce(book, asker);
        let taken = asker.share_taken(look, price);
        taken * look.free(self.crowd(book, asker)) * look.success
    }

    /// The demands of a source that are not met, by the shares of their looks made.
    pub(super) fn unmet(
        &self,
        book: &Book,
        watched: &Watched,
        asker: &Asker,
        told: &[f64],
    ) -> Vec<Unmet> {
        let mut unmet = Vec::new();
        for (look, &captured) in asker.looks.iter().zip(told) {
            if captured < SHARE_MET {
                let missed = 1.0 - self.priced(book, asker, look);
                let shortage = if missed * 2.0 < 1.0 - captured {
                    self.crowded(asker, look)
                } else {
                    self.shortage(book, watched, asker, look)
                };
                let demand = look.demand;
                unmet.push(Unmet { source: watched.source, demand, captured, shortage });
            }
        }
        unmet
    }

    /// What has no room for a demand whose looks are due with others: its host, if all that ask for
    /// it at once would be too many, else the budget.
    fn crowded(&self, asker: &Asker, look: &Look) -> Shortage {
        let host = &self.hosts[asker.host];
        let room = 1.0 + look.demand.slack.as_secs_f64() * host.allowed;
        if host.demands as f64 > room {
            return Shortage::HostCrowd { wait: span(host.wait) };
        }
        Shortage::Crowd
    }

    /// What costs most captures of a demand.
    fn shortage(&self, book: &Book, watched: &Watched, asker: &Asker, look: &Look) -> Shortage {
        if watched.is_down() {
            return Shortage::Failures { success: 0.0 };
        }
        let (step, scarce) = self.scarce(book, asker);
        let taken = asker.share_taken(look, step);
        let [host, budget] = look.waits(self.crowd(book, asker));
        let own = &self.hosts[asker.host];
        let price = match scarce {
            Limit::Host => {
                Shortage::Host { needed: own.pressing * DAY, allowed: own.allowed * DAY }
            }
            _ => Shortage::Budget { needed: self.pressing * DAY, allowed: book.allowed * DAY },
        };
        let all = [
            (1.0 - taken, price),
            (host, Shortage::HostWait { wait: span(own.wait) }),
            (budget, Shortage::BudgetWait { wait: span(book.wait) }),
            (1.0 - look.success, Shortage::Failures { success: watched.success }),
        ];
        let most = all.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        most.map_or(price, |(_, shortage)| *shortage)
    }
}

fn span(seconds: f64) -> Span {
    Span::from_millis(libm::round(seconds * 1000.0) as i64)
}

fn asker_cost(asker: &Asker, outcome: &Yield) -> f64 {
    outcome.probes() * asker.cost
}
