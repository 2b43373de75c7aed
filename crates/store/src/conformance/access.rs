//! Who may come in.

use super::Bench;
use super::samples::{at, every_kind};
use crate::{Batch, FeedOf, FeedRow, Holder, MadeChannel, Scope, SessionRow, TokenRow, Upgrade};
use chronon::SentinelId;

fn token(id: u64, version: u8) -> TokenRow {
    TokenRow {
        id,
        hash: [id as u8; 32],
        lineage: [version; 32],
        name: format!("grafana {version}").into(),
        scope: if version == 1 { Scope::Read } else { Scope::Write },
        tag: (version > 1).then(|| "prices ‹1›".into()),
        made_at: at(u64::from(version)),
        used_at: (version > 1).then(|| at(99)),
    }
}

fn session(id: u64, token: Option<u64>) -> SessionRow {
    SessionRow {
        id,
        hash: [id as u8 + 100; 32],
        lineage: [1; 32],
        token,
        scope: Scope::Write,
        opened_at: at(5),
        used_at: at(6),
        agent: "Fenster ‹1.0›".into(),
        address: "2001:db8::7".into(),
    }
}

pub fn tokens_and_sessions_read_back_as_they_were_put(bench: &mut dyn Bench) {
    let access = bench.open().access();
    assert_eq!((access.tokens().unwrap(), access.sessions().unwrap()), (vec![], vec![]));
    for row in [token(2, 1), token(1, 1), token(2, 2)] {
        access.put_token(&row).unwrap();
    }
    for row in [session(7, Some(2)), session(3, None)] {
        access.put_session(&row).unwrap();
    }
    access.remove_session(8).unwrap();
    for access in [access, bench.open().access()] {
        assert_eq!(access.tokens().unwrap(), [token(1, 1), token(2, 2)]);
        assert_eq!(access.sessions().unwrap(), [session(3, None), session(7, Some(2))]);
    }
    bench.open().access().remove_session(3).unwrap();
    assert_eq!(bench.open().access().sessions().unwrap(), [session(7, Some(2))]);
}

pub fn a_token_takes_its_sessions_with_it(bench: &mut dyn Bench) {
    let access = bench.open().access();
    for id in [1, 2] {
        access.put_token(&token(id, 1)).unwrap();
    }
    for (id, token) in [(1, None), (2, Some(1)), (3, Some(2)), (4, Some(1))] {
        access.put_session(&session(id, token)).unwrap();
    }
    access.remove_token(1).unwrap();
    access.remove_token(9).unwrap();
    let access = bench.open().access();
    assert_eq!(access.tokens().unwrap(), [token(2, 1)]);
    assert_eq!(access.sessions().unwrap(), [session(1, None), session(3, Some(2))]);
}

pub fn use_is_noted_of_what_is_there_only(bench: &mut dyn Bench) {
    let access = bench.open().access();
    access.put_token(&token(1, 1)).unwrap();
    access.put_session(&session(1, None)).unwrap();
    for id in [1, 2] {
        access.note_use(Holder::Token(id), at(50)).unwrap();
        access.note_use(Holder::Session(id), at(60)).unwrap();
    }
    let access = bench.open().access();
    assert_eq!(access.tokens().unwrap(), [TokenRow { used_at: Some(at(50)), ..token(1, 1) }]);
    assert_eq!(access.sessions().unwrap(), [SessionRow { used_at: at(60), ..session(1, None) }]);
}

pub fn batches_and_logins_do_not_stand_in_each_others_way(bench: &mut dyn Bench) {
    let mut store = bench.open();
    let access = store.access();
    let batch: Batch = every_kind(1);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            for id in 1..=20 {
                access.put_session(&session(id, None)).unwrap();
            }
        });
        for _ in 0..20 {
            store.append(&batch).unwrap();
        }
    });
    assert_eq!(access.sessions().unwrap().len(), 20);
}

pub fn feeds_read_back_as_they_were_put(bench: &mut dyn Bench) {
    let feed = |id: u64, of: FeedOf| FeedRow {
        id,
        nonce: [id as u8; 16],
        of,
        made_at: at(id),
        token: (id == 7).then_some(5),
    };
    let access = bench.open().access();
    assert_eq!(access.feeds().unwrap(), []);
    let (all, tag) = (feed(3, FeedOf::All), feed(2, FeedOf::Tag("prices ‹1›".into())));
    let one = feed(7, FeedOf::Sentinel(SentinelId(1 << 40)));
    for row in [&feed(2, FeedOf::All), &all, &one, &tag] {
        access.put_feed(row).unwrap();
    }
    access.remove_feed(8).unwrap();
    for access in [access, bench.open().access()] {
        assert_eq!(access.feeds().unwrap(), [tag.clone(), all.clone(), one.clone()]);
    }
    bench.open().access().remove_feed(3).unwrap();
    assert_eq!(bench.open().access().feeds().unwrap(), [tag.clone(), one]);
    // One ends with the token that it was made with.
    bench.open().access().remove_token(5).unwrap();
    assert_eq!(bench.open().access().feeds().unwrap(), [tag]);
}

pub fn made_channels_read_back_as_they_were_put(bench: &mut dyn Bench) {
    let channel = |name: &str, version: u8| MadeChannel {
        name: name.into(),
        kind: "ntfy".into(),
        manners: format!("{{\"rate\":\"{version} per hour ‹1›\"}}").into(),
        sealed: Box::new([version, 0, 255]),
        changed_at: at(u64::from(version)),
    };
    let access = bench.open().access();
    assert_eq!(access.made_channels().unwrap(), []);
    for row in [channel("phone", 1), channel("büro", 1), channel("phone", 2), channel("desk", 1)] {
        access.put_made_channel(&row).unwrap();
    }
    access.remove_made_channel("nobody").unwrap();
    for access in [access, bench.open().access()] {
        let all = [channel("büro", 1), channel("desk", 1), channel("phone", 2)];
        assert_eq!(access.made_channels().unwrap(), all);
    }
    bench.open().access().remove_made_channel("desk").unwrap();
    let left = [channel("büro", 1), channel("phone", 2)];
    assert_eq!(bench.open().access().made_channels().unwrap(), left);
}

pub fn an_upgrade_is_told_until_it_is_dismissed(bench: &mut dyn Bench) {
    assert_eq!(bench.open().access().upgrade().unwrap(), None, "a fresh store");
    for told in [Some(Upgrade::Untold), Some(Upgrade::Told { sentinels: 3 }), None, None] {
        bench.open().access().put_upgrade(told).unwrap();
        assert_eq!(bench.open().access().upgrade().unwrap(), told);
    }
}
