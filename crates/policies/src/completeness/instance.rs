//! An instance: profiles, their CEIs, and the EIs these are made of.

use core::ops::Range;

/// An execution interval: one source, to be probed in one of the chronons `start..=finish`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ei {
    /// Index of its CEI.
    pub cei: u32,
    /// Dense index of the source, in the order of the sources' numbers.
    pub source: u32,
    /// First chronon.
    pub start: u32,
    /// Last chronon.
    pub finish: u32,
}

impl Ei {
    /// Chronons of the interval, at least 1.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.finish - self.start + 1
    }

    /// Whether a probe in this chronon captures it.
    #[must_use]
    pub fn is_active(&self, chronon: u32) -> bool {
        self.start <= chronon && chronon <= self.finish
    }
}

/// A complex execution interval: captured when every one of its EIs is.
#[derive(Debug, Clone, PartialEq)]
pub struct Cei {
    /// Index of its profile.
    pub profile: u32,
    /// What capturing it is worth; ≥ 0.
    pub utility: f64,
    /// First and one past the last of its EIs.
    pub first: u32,
    /// One past the last of its EIs.
    pub end: u32,
    /// The chronon in which it becomes known: the first start among its EIs.
    pub known: u32,
}

impl Cei {
    /// The CEI's EIs, as indices.
    #[must_use]
    pub fn eis(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }

    /// Number of its EIs.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.end - self.first
    }
}

/// What a client asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The number the client gave it.
    pub id: u64,
    /// Size of its largest CEI. Known from the beginning: it is part of what the client asked.
    pub rank: u32,
}

/// What there is to capture, and with what.
///
/// EIs stand in the order in which ties are broken: profile id, place of the CEI, place of the EI.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    pub(crate) budget: Vec<f64>,
    pub(crate) costs: Vec<f64>,
    pub(crate) numbers: Vec<u64>,
    pub(crate) profiles: Vec<Profile>,
    pub(crate) ceis: Vec<Cei>,
    pub(crate) eis: Vec<Ei>,
    /// EIs by start, ties in their order.
    pub(crate) by_start: Vec<u32>,
    /// CEIs by the chronon in which they become known, ties in their order.
    pub(crate) by_known: Vec<u32>,
}

/// Why there is no such instance. Places count from 0, as in the file.
#[derive(Debug, Clone, PartialEq)]
// The fields are named after what they hold.
#[allow(missing_docs)]
pub enum Malformed {
    /// Two profiles have this id.
    DuplicateProfile { id: u64 },
    /// A utility is no number ≥ 0.
    Utility { profile: u64, utility: f64 },
    /// A CEI has no EIs.
    EmptyCei { profile: u64, cei: usize },
    /// An EI finishes before it starts.
    Backwards { profile: u64, cei: usize, ei: usize },
    /// An EI does not end within the chronons.
    Outside { profile: u64, cei: usize, ei: usize, chronons: usize },
    /// A budget is no number ≥ 0.
    Budget { chronon: usize, budget: f64 },
    /// A cost is no number > 0.
    Cost { source: u64, cost: f64 },
    /// A source has no cost.
    NoCost { source: u64, costs: usize },
    /// More EIs than can be numbered.
    TooLarge,
}

impl core::error::Error for Malformed {}

impl core::fmt::Display for Malformed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::DuplicateProfile { id } => {
                write!(f, "profiles: two have the id {id}; expected a different one for each")
            }
            Self::Utility { profile, utility } => write!(
                f,
                "profile {profile}: utility is {utility}; expected a finite number, at least 0"
            ),
            Self::EmptyCei { profile, cei } => write!(
                f,
                "profile {profile}, CEI {cei}: it has no EIs; expected at least one \
                 [source, start, finish]"
            ),
            Self::Backwards { profile, cei, ei } => write!(
                f,
                "profile {profile}, CEI {cei}, EI {ei}: it finishes before it starts; \
                 expected start ≤ finish"
            ),
            Self::Outside { profile, cei, ei, chronons } => write!(
                f,
                "profile {profile}, CEI {cei}, EI {ei}: it finishes outside the {chronons} \
                 chronons; expected finish < {chronons}"
            ),
            Self::Budget { chronon, budget } => write!(
                f,
                "budget of chronon {chronon} is {budget}; expected a finite number, at least 0"
            ),
            Self::Cost { source, cost } => {
                write!(f, "costs: source {source} costs {cost}; expected a finite number above 0")
            }
            Self::NoCost { source, costs } => write!(
                f,
                "costs: there are {costs}, none for source {source}; expected one for each \
                 source from 0"
            ),
            Self::TooLarge => write!(f, "profiles: more than 2^31 EIs; expected fewer"),
        }
    }
}

/// An EI as a file names it: number of the source, start, finish.
pub type RawEi = (u64, u64, u64);

/// Puts an instance together.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    profiles: Vec<RawProfile>,
    costs: Option<Vec<f64>>,
}

#[derive(Debug, Clone)]
struct RawProfile {
    id: u64,
    utility: f64,
    ceis: Vec<Vec<RawEi>>,
}

impl Builder {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What a probe of each source costs, by number; 1 each if not called.
    pub fn costs(&mut self, costs: Vec<f64>) -> &mut Self {
        self.costs = Some(costs);
        self
    }

    /// A profile; each of its CEIs is worth `utility`.
    pub fn profile(&mut self, id: u64, utility: f64, ceis: Vec<Vec<RawEi>>) -> &mut Self {
        self.profiles.push(RawProfile { id, utility, ceis });
        self
    }

    /// The instance, with a budget for each chronon.
    ///
    /// # Errors
    /// [`Malformed`]: the first thing found that cannot be.
    pub fn build(mut self, budget: Vec<f64>) -> Result<Instance, Malformed> {
        self.profiles.sort_by_key(|profile| profile.id);
        self.check(&budget)?;
        let (numbers, costs) = self.sources()?;
        let mut instance = Instance {
            budget,
            costs,
            numbers,
            profiles: Vec::new(),
            ceis: Vec::new(),
            eis: Vec::new(),
            by_start: Vec::new(),
            by_known: Vec::new(),
        };
        for profile in &self.profiles {
            instance.push_profile(profile)?;
        }
        instance.put_in_order();
        Ok(instance)
    }

    fn check(&self, budget: &[f64]) -> Result<(), Malformed> {
        if let Some(pair) = self.profiles.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(Malformed::DuplicateProfile { id: pair[0].id });
        }
        let wrong = budget.iter().position(|b| !(b.is_finite() && *b >= 0.0));
        if let Some(chronon) = wrong {
            return Err(Malformed::Budget { chronon, budget: budget[chronon] });
        }
        let eis: usize = self.profiles.iter().flat_map(|p| &p.ceis).map(Vec::len).sum();
        if eis > 1 << 31 || budget.len() > 1 << 31 {
            return Err(Malformed::TooLarge);
        }
        self.profiles.iter().try_for_each(|profile| check_profile(profile, budget.len()))
    }

    /// The sources that occur, ascending, and what each costs.
    fn sources(&self) -> Result<(Vec<u64>, Vec<f64>), Malformed> {
        let all = self.profiles.iter().flat_map(|p| &p.ceis).flatten();
        let mut numbers: Vec<u64> = all.map(|&(source, _, _)| source).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let Some(given) = &self.costs else {
            let costs = vec![1.0; numbers.len()];
            return Ok((numbers, costs));
        };
        if let Some(at) = given.iter().position(|c| !(c.is_finite() && *c > 0.0)) {
            return Err(Malformed::Cost { source: at as u64, cost: given[at] });
        }
        let cost = |&source: &u64| {
            let found = usize::try_from(source).ok().and_then(|at| given.get(at).copied());
            found.ok_or(Malformed::NoCost { source, costs: given.len() })
        };
        let costs = numbers.iter().map(cost).collect::<Result<_, _>>()?;
        Ok((numbers, costs))
    }
}

fn check_profile(profile: &RawProfile, chronons: usize) -> Result<(), Malformed> {
    let (id, utility) = (profile.id, profile.utility);
    if !(utility.is_finite() && utility >= 0.0) {
        return Err(Malformed::Utility { profile: id, utility });
    }
    for (cei, eis) in profile.ceis.iter().enumerate() {
        if eis.is_empty() {
            return Err(Malformed::EmptyCei { profile: id, cei });
        }
        for (ei, &(_, start, finish)) in eis.iter().enumerate() {
            if finish < start {
                return Err(Malformed::Backwards { profile: id, cei, ei });
            }
            if finish >= chronons as u64 {
                return Err(Malformed::Outside { profile: id, cei, ei, chronons });
            }
        }
    }
    Ok(())
}

impl Instance {
    fn push_profile(&mut self, raw: &RawProfile) -> Result<(), Malformed> {
        let narrow = |n: usize| u32::try_from(n).map_err(|_| Malformed::TooLarge);
        let profile = narrow(self.profiles.len())?;
        let rank = narrow(raw.ceis.iter().map(Vec::len).max().unwrap_or(0))?;
        self.profiles.push(Profile { id: raw.id, rank });
        for eis in &raw.ceis {
            let (cei, first) = (narrow(self.ceis.len())?, narrow(self.eis.len())?);
            for &(number, start, finish) in eis {
                let at = self.numbers.binary_search(&number).expect("every source was gathered");
                self.eis.push(Ei {
                    cei,
                    source: narrow(at)?,
                    start: start as u32,
                    finish: finish as u32,
                });
            }
            let end = narrow(self.eis.len())?;
            let own = &self.eis[first as usize..];
            let known = own.iter().map(|ei| ei.start).min().expect("a CEI has an EI");
            self.ceis.push(Cei { profile, utility: raw.utility, first, end, known });
        }
        Ok(())
    }

    /// Number of chronons.
    #[must_use]
    pub fn chronons(&self) -> u32 {
        self.budget.len() as u32
    }

    /// What may be spent in each chronon.
    #[must_use]
    pub fn budget(&self) -> &[f64] {
        &self.budget
    }

    /// What a probe of each source costs, by dense index.
    #[must_use]
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// The sources' numbers in the file, by dense index; ascending.
    #[must_use]
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// By id.
    #[must_use]
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    /// Profile by profile.
    #[must_use]
    pub fn ceis(&self) -> &[Cei] {
        &self.ceis
    }

    /// CEI by CEI.
    #[must_use]
    pub fn eis(&self) -> &[Ei] {
        &self.eis
    }

    /// Sum of all utilities.
    #[must_use]
    pub fn utility(&self) -> f64 {
        self.ceis.iter().map(|cei| cei.utility).sum()
    }

    /// Whether every EI is one chronon long (`P[1]`).
    #[must_use]
    pub fn is_unit(&self) -> bool {
        self.eis.iter().all(|ei| ei.start == ei.finish)
    }

    /// Whether two EIs of one source overlap.
    #[must_use]
    pub fn has_intra_resource_overlap(&self) -> bool {
        let mut spans: Vec<_> =
            self.eis.iter().map(|ei| (ei.source, ei.start, ei.finish)).collect();
        spans.sort_unstable();
        spans.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[1].1 <= pair[0].2)
    }

    /// What an onlooker knows at the end of `chronon`: only CEIs known by then, in profiles of
    /// the same rank.
    #[must_use]
    pub fn known_by(&self, chronon: u32) -> Self {
        let mut cut = Self { ceis: Vec::new(), eis: Vec::new(), ..self.clone() };
        for cei in self.ceis.iter().filter(|cei| cei.known <= chronon) {
            let (id, first) = (cut.ceis.len() as u32, cut.eis.len() as u32);
            cut.eis.extend(self.eis[cei.eis()].iter().map(|ei| Ei { cei: id, ..*ei }));
            cut.ceis.push(Cei { first, end: cut.eis.len() as u32, ..cei.clone() });
        }
        cut.put_in_order();
        cut
    }

    /// The same, where every CEI becomes known the given number of chronons before its first EI
    /// starts.
    #[must_use]
    pub fn with_foresight(&self, chronons: u32) -> Self {
        let mut told = self.clone();
        for cei in &mut told.ceis {
            cei.known = cei.known.saturating_sub(chronons);
        }
        told.put_in_order();
        told
    }

    fn put_in_order(&mut self) {
        self.by_start = (0..self.eis.len() as u32).collect();
        self.by_start.sort_by_key(|&ei| self.eis[ei as usize].start);
        self.by_known = (0..self.ceis.len() as u32).collect();
        self.by_known.sort_by_key(|&cei| self.ceis[cei as usize].known);
    }
}
