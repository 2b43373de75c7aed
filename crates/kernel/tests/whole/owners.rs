//! Two owners on one server.

use chronon::{Instant, NotificationId, OwnerId, SentinelId};
use kernel::io::{Actor, Answer, AppliedWhat, ApplyMode, By, Command, Effect, RequestId, Subject};
use kernel::{Config, Input, Kernel, Proposal, Snapshot};

pub(crate) const NOW: Instant = Instant::from_millis(1_800_000_000_000);
pub(crate) const ANA: Actor = Actor { owner: OwnerId::FIRST, by: By::Root };
pub(crate) const BEN: Actor = Actor { owner: OwnerId(2), by: By::Token(7) };

pub(crate) struct Desk {
    pub(crate) kernel: Kernel,
}

impl Desk {
    pub(crate) fn new() -> Desk {
        let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), NOW);
        kernel.step(NOW, Input::Started);
        Desk { kernel }
    }

    pub(crate) fn step(&mut self, input: Input) -> Answer {
        let output = self.kernel.step(NOW, input);
        let answer = |effect| match effect {
            Effect::Answer { answer, .. } => Some(answer),
            _ => None,
        };
        output.effects.into_iter().find_map(answer).expect("an answer")
    }

    pub(crate) fn ask(&mut self, actor: Actor, command: Command) -> Answer {
        self.step(Input::Command { request: RequestId(1), actor, command })
    }

    fn apply(&mut self, actor: Actor, text: &str, mode: ApplyMode) -> (SentinelId, AppliedWhat) {
        let proposal = Proposal { actor, text, mode };
        let input = self.kernel.application(NOW, RequestId(1), proposal);
        match self.step(input) {
            Answer::Applied(applied) => (sentinel_of(applied[0].id), applied[0].what),
            other => panic!("{other:?}"),
        }
    }

    fn names(&self, owner: OwnerId) -> Vec<SentinelId> {
        let views = self.kernel.sentinels(owner, None, 100, NOW);
        views.into_iter().map(|view| view.row.id).collect()
    }
}

fn sentinel_of(subject: Subject) -> SentinelId {
    match subject {
        Subject::Sentinel(id) => id,
        Subject::Rule(id) => panic!("{id} is a rule"),
    }
}

fn news(page: &str) -> String {
    format!("create sentinel news using https://{page}.example/ notify by terminal")
}

#[test]
fn two_owners_use_the_same_name_and_neither_touches_the_others() {
    let mut desk = Desk::new();
    let (anas, bens) = (SentinelId(1), SentinelId::of(BEN.owner, 1));
    let made = |id| (id, AppliedWhat::Created);
    assert_eq!(desk.apply(ANA, &news("a"), ApplyMode::Create), made(anas));
    assert_eq!(desk.apply(BEN, &news("b"), ApplyMode::Create), made(bens), "no conflict");
    let replaced = (bens, AppliedWhat::Replaced);
    assert_eq!(desk.apply(BEN, &news("c"), ApplyMode::Upsert), replaced);
    assert_eq!((desk.names(ANA.owner), desk.names(BEN.owner)), (vec![anas], vec![bens]));
    let text = |desk: &Desk, owner| {
        let standing = desk.kernel.standing(owner, "NEWS").expect("it stands");
        (standing.id, standing.text.reveal().contains("https://a.example/"))
    };
    assert_eq!(text(&desk, ANA.owner), (anas, true));
    assert_eq!(text(&desk, BEN.owner), (bens, false));
    let remove = || Command::Remove { name: "News".into() };
    assert_eq!(desk.ask(ANA, remove()), Answer::Done);
    assert!(matches!(desk.ask(ANA, remove()), Answer::NotFound { .. }), "Ben's is not Ana's");
    let disable = Command::Enable { name: "news".into(), enabled: false };
    assert!(matches!(desk.ask(ANA, disable.clone()), Answer::NotFound { .. }));
    assert_eq!((desk.names(ANA.owner), desk.names(BEN.owner)), (vec![], vec![bens]));
    assert_eq!(desk.ask(BEN, disable), Answer::Done);
    assert_eq!(desk.kernel.sizes().0, 1);
}

#[test]
fn a_text_inherits_from_its_owners_names_alone() {
    let mut desk = Desk::new();
    desk.apply(ANA, &news("a"), ApplyMode::Create);
    let child = "create sentinel child using news";
    let proposal = Proposal { actor: BEN, text: child, mode: ApplyMode::Create };
    let input = desk.kernel.application(NOW, RequestId(1), proposal);
    assert!(matches!(desk.step(input), Answer::Refused(_)), "Ben has no `news`");
    assert_eq!(desk.apply(ANA, child, ApplyMode::Create).1, AppliedWhat::Created);
}

#[test]
fn owners_reach_the_same_contact_by_channels_of_their_own() {
    let mut desk = Desk::new();
    desk.apply(ANA, &news("a"), ApplyMode::Create);
    desk.apply(BEN, &news("a"), ApplyMode::Create);
    let channels = desk.kernel.channels();
    let owners: Vec<OwnerId> = channels.iter().map(|row| row.id.owner()).collect();
    assert_eq!(owners, [ANA.owner, BEN.owner]);
    assert!(channels.iter().all(|row| row.id.number() == 1 && &*row.name == "terminal"));
}

#[test]
fn a_notification_is_its_owners_to_send_again_and_to_read() {
    let mut desk = Desk::new();
    let test = || Command::TestChannel { name: "terminal".into(), contact: None };
    let bens = NotificationId::of(BEN.owner, 1);
    assert_eq!(desk.ask(ANA, test()), Answer::Queued(NotificationId(1)));
    assert_eq!(desk.ask(BEN, test()), Answer::Queued(bens));
    let read = Command::ReadNotification { notification: bens, row: None };
    let resend = Command::ResendNotification { notification: bens, row: None };
    for command in [read, resend] {
        assert!(matches!(desk.ask(ANA, command.clone()), Answer::NotFound { .. }));
        assert_eq!(desk.ask(BEN, command), Answer::Done);
    }
}

#[test]
fn what_a_crash_cuts_short_goes_to_its_end_for_whom_it_was() {
    let mut desk = Desk::new();
    let many: String = (0..200)
        .map(|n| format!("create sentinel s{n} using https://{n}.example/ monitor links\n"))
        .collect();
    let proposal = Proposal { actor: BEN, text: &many, mode: ApplyMode::Create };
    let input = desk.kernel.application(NOW, RequestId(1), proposal);
    desk.kernel.step(NOW, input);
    assert!(desk.kernel.is_changing_names(), "one step is not enough");
    let mut kernel = Kernel::load(Config::new(1), desk.kernel.fold(NOW), NOW);
    kernel.step(NOW, Input::Started);
    while kernel.is_changing_names() {
        kernel.step(NOW, Input::Tick);
    }
    assert_eq!(kernel.sentinels(BEN.owner, None, 1_000, NOW).len(), 200);
    assert_eq!(kernel.sentinels(ANA.owner, None, 1_000, NOW).len(), 0);
}
