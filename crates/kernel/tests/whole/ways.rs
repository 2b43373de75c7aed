//! What makes a source: a URL, a way of looking at it, and whose secrets it takes.

use crate::owners::{ANA, BEN, Desk, NOW};
use address::{Particulars, Way};
use chronon::SourceId;
use kernel::io::{Actor, Answer, AppliedWhat, ApplyMode, Command, RequestId};
use kernel::{Config, Input, Kernel, Occasion, Purpose};
use sentinel::Parsed;

const PAGE: &str = "https://a.example/";
const SECRET: &str = "https://ana:hush@a.example/";

/// A sentinel that looks at a page in a way for which the language has no clause yet.
fn apply(desk: &mut Desk, actor: Actor, (name, url): (&str, &str), way: Way) -> SourceId {
    let text = format!("create sentinel {name} using {url} monitor links");
    let occasion = Occasion { owner: actor.owner, purpose: Purpose::Apply, now: NOW };
    let mut text = Box::new(desk.kernel.vet(Parsed::of(text.as_str()), occasion));
    text.checked.statements[0].sentinel.sources[0].way = way;
    let command = Command::Apply { text, mode: ApplyMode::Upsert };
    let answer = desk.step(Input::Command { request: RequestId(1), actor, command });
    let Answer::Applied(applied) = answer else { panic!("{answer:?}") };
    assert_eq!(applied[0].what, AppliedWhat::Created);
    desk.kernel.sentinel(actor.owner, name, NOW).expect("it is there").row.source
}

fn in_german() -> Way {
    let headers = vec![("Accept-Language".into(), "de".into())];
    Way::of(Particulars { headers, ..Particulars::default() })
}

fn with_token() -> Way {
    let credentials = Some("Bearer hush".into());
    Way::of(Particulars { credentials, ..Particulars::default() })
}

#[test]
fn two_ways_of_one_url_are_two_sources_and_whoever_looks_the_same_way_shares_one() {
    let mut desk = Desk::new();
    let plain = apply(&mut desk, ANA, ("a", PAGE), Way::default());
    let german = apply(&mut desk, ANA, ("b", PAGE), in_german());
    assert_ne!(plain, german);
    assert_eq!(apply(&mut desk, ANA, ("c", PAGE), in_german()), german);
    assert_eq!(apply(&mut desk, BEN, ("a", PAGE), Way::default()), plain);
    assert_eq!(apply(&mut desk, BEN, ("b", PAGE), in_german()), german);
    assert_eq!(desk.kernel.sizes().1, 2);
    let row = desk.kernel.source(german, NOW).expect("it is there").row;
    assert_eq!((row.way, row.owner), (in_german(), None));
    assert_eq!(desk.kernel.source_by_url(ANA.owner, PAGE), Some(plain), "the plain way is meant");
}

#[test]
fn a_source_that_takes_credentials_is_its_owners() {
    let mut desk = Desk::new();
    for (name, url, way) in [("a", SECRET, Way::default()), ("b", PAGE, with_token())] {
        let anas = apply(&mut desk, ANA, (name, url), way.clone());
        let bens = apply(&mut desk, BEN, (name, url), way);
        assert_ne!(anas, bens);
        let owner = |id| desk.kernel.source(id, NOW).expect("it is there").row.owner;
        assert_eq!((owner(anas), owner(bens)), (Some(ANA.owner), Some(BEN.owner)));
        let probe = Command::ProbeNow { source: anas };
        assert!(matches!(desk.ask(BEN, probe.clone()), Answer::NotFound { .. }));
        assert_eq!(desk.ask(ANA, probe), Answer::Done);
    }
    let bens = desk.kernel.sentinel(BEN.owner, "a", NOW).expect("it is there").row.source;
    for url in [SECRET, PAGE] {
        assert_eq!(desk.kernel.source_by_url(BEN.owner, url), Some(bens), "{url}");
    }
}

#[test]
fn a_restart_finds_every_source_by_what_makes_it() {
    let mut desk = Desk::new();
    let made = [("a", PAGE, in_german()), ("b", SECRET, Way::default()), ("c", PAGE, with_token())];
    let before = made.clone().map(|(name, url, way)| apply(&mut desk, BEN, (name, url), way));
    desk.kernel = Kernel::load(Config::new(1), desk.kernel.fold(NOW), NOW);
    desk.kernel.step(NOW, Input::Started);
    let names = ["x", "y", "z"].into_iter().zip(made);
    let after: Vec<_> =
        names.map(|(name, (_, url, way))| apply(&mut desk, BEN, (name, url), way)).collect();
    assert_eq!(after, before);
}
