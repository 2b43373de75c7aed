//! Makes a failing world smaller: piece by piece is left out, as long as it still fails.

use crate::clocks::Clock;
use crate::disk::Medium;
use crate::moment;
use crate::shell::Wish;
use crate::world::World;
use chronon::Span;
use std::fmt;

/// Rounds over all pieces; each leaves out what the one before made superfluous.
const ROUNDS: usize = 2;

/// The kinds of pieces of a world.
const KINDS: [fn(&mut World, usize) -> bool; 6] = [
    |world, at| {
        let mut crashes = world.crashes.iter_mut();
        let wrong = crashes.by_ref().filter(|crash| crash.clock != Clock::Right).nth(at);
        wrong.map(|crash| crash.clock = Clock::Right).is_some()
    },
    |world, at| take(&mut world.crashes, at),
    |world, at| take(&mut world.faults, at),
    |world, at| take(&mut world.moods, at),
    |world, at| take(&mut world.wishes, at),
    |world, at| {
        // Without its first page a URL would answer 404, which is another story.
        let later: Vec<usize> =
            (0..world.shown.len()).filter(|&one| world.shown[one].1 > world.start).collect();
        later.get(at).is_some_and(|&one| take(&mut world.shown, one))
    },
];

fn take<T>(list: &mut Vec<T>, at: usize) -> bool {
    let there = at < list.len();
    if there {
        list.remove(at);
    }
    there
}

/// A smallest world that still fails, in the order in which pieces are tried.
pub(crate) fn smallest(mut world: World, fails: &dyn Fn(&World) -> bool) -> World {
    let in_memory: fn(&mut World) = |world| world.medium = Medium::Memory;
    let at_once: fn(&mut World) = |world| world.is_instant = true;
    let on_time: fn(&mut World) = |world| world.wakes_late = Span::ZERO;
    for calm_down in [in_memory, at_once, on_time] {
        let mut calm = world.clone();
        calm_down(&mut calm);
        if fails(&calm) {
            world = calm;
        }
    }
    for _ in 0..ROUNDS {
        for leave_out in KINDS {
            let mut at = 0;
            loop {
                let mut smaller = world.clone();
                if !leave_out(&mut smaller, at) {
                    break;
                }
                if fails(&smaller) {
                    world = smaller;
                } else {
                    at += 1;
                }
            }
        }
    }
    world
}

/// Much like a case; what a case cannot say is said in words.
impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |at| moment::show(at - self.start);
        let pace = if self.is_instant { "at once" } else { "after a random while" };
        let late = self.wakes_late;
        writeln!(f, "# seed {}; works are done {pace}, wakes are up to {late} late", self.seed)?;
        writeln!(f, "it begins at {}, in {}", self.start, self.place.wall.name)?;
        writeln!(f, "{:?}", self.config.schedule)?;
        writeln!(f, "{:?}", self.config.outbox)?;
        for (when, wish) in &self.wishes {
            match wish {
                Wish::Apply { name, text } => {
                    writeln!(f, "-- sentinel {name} @ {} --\n{text}", at(*when))?;
                }
                other => writeln!(f, "-- {other:?} @ {} --", at(*when))?,
            }
        }
        for (url, when, reply) in &self.shown {
            match reply {
                crate::web::Reply::Page(page) => {
                    let body = String::from_utf8_lossy(&page.body);
                    writeln!(f, "-- page {url} @ {} ({when}) --\n{body}", at(*when))?;
                }
                crate::web::Reply::Redirect { to, .. } => {
                    writeln!(f, "-- redirect {url} @ {} to {to} --", at(*when))?;
                }
            }
        }
        for fault in &self.faults {
            writeln!(
                f,
                "fault {}..{} {:?} {:?}",
                at(fault.from),
                at(fault.to),
                fault.url,
                fault.what
            )?;
        }
        for mood in &self.moods {
            writeln!(
                f,
                "deliver {:?} {}..{} {:?}",
                mood.who,
                at(mood.from),
                at(mood.to),
                mood.answer
            )?;
        }
        for crash in &self.crashes {
            let (from, until) = (at(crash.at), at(crash.until));
            writeln!(f, "crash {from} {:?} until {until}{}", crash.point, crash.clock)?;
        }
        Ok(())
    }
}
