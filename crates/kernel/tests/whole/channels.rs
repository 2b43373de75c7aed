//! Channels that come to be known, and go, while the kernel runs.

use crate::owners::{ANA, Desk, NOW};
use chronon::Zone;
use kernel::io::{Answer, ApplyMode, Command, RequestId};
use kernel::view::{Health, Mute, Silence};
use kernel::{ChannelBook, ChannelInfo, Config, Kernel, Proposal};
use outbox::{Manners, Quiet};

fn applied(desk: &mut Desk, text: &str) -> Answer {
    let proposal = Proposal { actor: ANA, text, mode: ApplyMode::Upsert };
    let input = desk.kernel.application(NOW, RequestId(1), proposal);
    desk.step(input)
}

#[test]
fn a_channel_is_named_from_when_it_is_known_and_a_text_that_names_it_outlives_it() {
    let mut desk = Desk::new();
    let text = |page: &str| {
        format!("create sentinel {page} using https://{page}.example/ notify by phone")
    };
    let test = || Command::TestChannel { name: "phone".into(), contact: None };
    let first = applied(&mut desk, &text("a"));
    assert!(matches!(first, Answer::Refused(_)), "{first:?}");
    assert!(matches!(desk.ask(ANA, test()), Answer::NotFound { .. }));
    let before = Config::new(1).channels;
    let mut book = ChannelBook { infos: before.clone(), manners: [].into(), renewed: vec![] };
    book.infos.push(ChannelInfo {
        name: "phone".into(),
        kind: None,
        contact_needed: false,
        trouble: None,
    });
    let quiet = Quiet::new(Zone::utc(), 0, 23 * 60 + 59);
    book.manners.insert("phone".into(), Manners { quiet, ..Manners::default() });
    assert_eq!(desk.ask(ANA, Command::KnowChannels(Box::new(book))), Answer::Done);
    let second = applied(&mut desk, &text("a"));
    assert!(matches!(second, Answer::Applied(_)), "{second:?}");
    assert!(matches!(desk.ask(ANA, test()), Answer::Queued(_)));
    let phone = desk.kernel.channels()[0].id;
    assert!(desk.kernel.channel_waits(phone, NOW).is_some(), "it keeps to its hours");
    let view = desk.kernel.sentinel(ANA.owner, "a", NOW).expect("it is there");
    assert_eq!((view.health, view.mute), (Health::New, None));
    let before_it_went = desk.kernel.mark();
    let none = ChannelBook { infos: before, manners: [].into(), renewed: vec![] };
    assert_eq!(desk.ask(ANA, Command::KnowChannels(Box::new(none))), Answer::Done);
    assert!(desk.kernel.channel_waits(phone, NOW).is_none());
    assert!(matches!(applied(&mut desk, &text("b")), Answer::Refused(_)));
    let view = desk.kernel.sentinel(ANA.owner, "a", NOW).expect("it is there");
    let (channel, why) = ("phone".into(), "there is no such channel any more".into());
    let mute = Mute { channel, silence: Silence::Unable, why, others: 0 };
    assert_eq!((view.health, view.mute), (Health::Failing, Some(mute)));
    assert_eq!(desk.kernel.changed_since(before_it_went), None, "lists are read anew");
    // Nothing of it is in the records: who starts again says what there is.
    let again = Kernel::load(Config::new(1), desk.kernel.fold(NOW), NOW);
    assert!(again.sentinel(ANA.owner, "a", NOW).is_some());
}
