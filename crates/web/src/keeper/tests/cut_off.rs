//! Log-ins that are cut off while their session is being stored.

use super::*;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use store::{FeedRow, MadeChannel, SessionRow, TokenRow, Upgrade};
use tokio::sync::mpsc;

/// What becomes of a session that is to be stored.
enum Fate {
    Fails,
    /// It is stored, and whoever asked does not hear of it.
    StoredUnheard,
    /// It waits: says that it does, then is stored when told to, and says that it is.
    Waits {
        says: mpsc::UnboundedSender<()>,
        go: Mutex<Receiver<()>>,
    },
}

/// A store whose sessions have a fate.
struct Slow {
    inner: Arc<dyn Access>,
    fate: Fate,
}

fn failed() -> StoreError {
    StoreError::Failed("cut off".into())
}

impl Access for Slow {
    fn put_session(&self, session: &SessionRow) -> Result<(), StoreError> {
        match &self.fate {
            Fate::Fails => Err(failed()),
            Fate::StoredUnheard => {
                self.inner.put_session(session)?;
                Err(failed())
            }
            Fate::Waits { says, go } => {
                says.send(()).expect("the test listens");
                go.lock().expect("whole").recv().expect("the test says when");
                self.inner.put_session(session)?;
                says.send(()).expect("the test listens");
                Ok(())
            }
        }
    }

    fn tokens(&self) -> Result<Vec<TokenRow>, StoreError> {
        self.inner.tokens()
    }

    fn sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        self.inner.sessions()
    }

    fn put_token(&self, token: &TokenRow) -> Result<(), StoreError> {
        self.inner.put_token(token)
    }

    fn remove_token(&self, id: u64) -> Result<(), StoreError> {
        self.inner.remove_token(id)
    }

    fn remove_session(&self, id: u64) -> Result<(), StoreError> {
        self.inner.remove_session(id)
    }

    fn feeds(&self) -> Result<Vec<FeedRow>, StoreError> {
        self.inner.feeds()
    }

    fn put_feed(&self, feed: &FeedRow) -> Result<(), StoreError> {
        self.inner.put_feed(feed)
    }

    fn remove_feed(&self, id: u64) -> Result<(), StoreError> {
        self.inner.remove_feed(id)
    }

    fn upgrade(&self) -> Result<Option<Upgrade>, StoreError> {
        self.inner.upgrade()
    }

    fn put_upgrade(&self, upgrade: Option<Upgrade>) -> Result<(), StoreError> {
        self.inner.put_upgrade(upgrade)
    }

    fn made_channels(&self) -> Result<Vec<MadeChannel>, StoreError> {
        self.inner.made_channels()
    }

    fn put_made_channel(&self, channel: &MadeChannel) -> Result<(), StoreError> {
        self.inner.put_made_channel(channel)
    }

    fn remove_made_channel(&self, name: &str) -> Result<(), StoreError> {
        self.inner.remove_made_channel(name)
    }

    fn note_use(&self, holder: Holder, at: Instant) -> Result<(), StoreError> {
        self.inner.note_use(holder, at)
    }
}

fn shared(access: Arc<dyn Access>) -> Arc<Keeper> {
    Arc::new(Keeper::open(access, "t", entropy()).expect("no faults"))
}

fn knows(keeper: &Keeper, secret: &str) -> bool {
    keeper.recognise(&headers(keeper, secret), NOW).is_some()
}

/// A keeper whose sessions wait to be stored: what says that one does, and what lets it go on.
fn waiting(store: &MemoryStore) -> (Arc<Keeper>, mpsc::UnboundedReceiver<()>, Sender<()>) {
    let (says, said) = mpsc::unbounded_channel();
    let (tell, go) = channel();
    let fate = Fate::Waits { says, go: Mutex::new(go) };
    (shared(Arc::new(Slow { inner: store.access(), fate })), said, tell)
}

#[tokio::test]
async fn a_server_that_dies_while_a_session_is_stored_knows_all_of_it_or_nothing() {
    for (fate, stored) in [(Fate::Fails, 0), (Fate::StoredUnheard, 1)] {
        let store = MemoryStore::new([1; 16]);
        let dying = shared(Arc::new(Slow { inner: store.access(), fate }));
        let link = dying.new_link(NOW).expect("entropy");
        assert!(dying.log_in_by_token("t", somebody(), NOW).await.is_err());
        assert!(dying.log_in_by_link(&link, somebody(), NOW).await.is_err());
        assert!(dying.sessions(NOW).is_empty() && dying.is_link(&link, NOW));
        drop(dying);
        let next = shared(store.access());
        assert_eq!(next.sessions(NOW), store.access().sessions().expect("no faults"));
        assert_eq!(next.sessions(NOW).len(), 2 * stored);
        let opened = next.log_in_by_token("t", somebody(), NOW).await.expect("stored");
        assert!(knows(&next, &opened.expect("known")), "the same person logs in again");
    }
}

#[tokio::test]
async fn a_browser_that_hangs_up_while_its_session_is_stored_leaves_one_that_can_be_ended() {
    let store = MemoryStore::new([1; 16]);
    let (keeper, mut said, tell) = waiting(&store);
    let browser = Arc::clone(&keeper);
    let opening = tokio::spawn(async move { browser.log_in_by_token("t", somebody(), NOW).await });
    said.recv().await.expect("it is being stored");
    opening.abort();
    assert!(opening.await.is_err(), "nobody waits for it any more");
    tell.send(()).expect("it waits");
    said.recv().await.expect("it is stored");
    let held = keeper.sessions(NOW);
    assert_eq!(held, store.access().sessions().expect("no faults"));
    let [ref one] = held[..] else { panic!("one session: {held:?}") };
    assert!(keeper.end_session(one.id).await.expect("no faults"));
    assert_eq!(store.access().sessions().expect("no faults"), []);
}

#[tokio::test]
async fn a_token_revoked_while_its_session_is_stored_leaves_none() {
    let store = MemoryStore::new([1; 16]);
    let (keeper, mut said, tell) = waiting(&store);
    let (token, row) = keeper.new_token("t".into(), Scope::Read.into(), NOW).await.expect("made");
    let browser = Arc::clone(&keeper);
    let opening =
        tokio::spawn(async move { browser.log_in_by_token(&token, somebody(), NOW).await });
    said.recv().await.expect("it is being stored");
    assert!(keeper.revoke_token(row.id).await.expect("no faults"));
    tell.send(()).expect("it waits");
    let secret = opening.await.expect("no panic").expect("stored").expect("known then");
    assert!(!knows(&keeper, &secret));
    assert_eq!(store.access().sessions().expect("no faults"), []);
}

#[tokio::test]
async fn a_link_whose_log_in_is_cut_off_is_good_still() {
    let store = MemoryStore::new([1; 16]);
    let (keeper, mut said, tell) = waiting(&store);
    let link = keeper.new_link(NOW).expect("entropy");
    let (browser, key) = (Arc::clone(&keeper), link.clone());
    let opening = tokio::spawn(async move { browser.log_in_by_link(&key, somebody(), NOW).await });
    said.recv().await.expect("it is being stored");
    assert!(!keeper.is_link(&link, NOW), "nobody else may use it meanwhile");
    opening.abort();
    assert!(opening.await.is_err(), "nobody waits for it any more");
    assert!(keeper.is_link(&link, NOW));
    (0..2).for_each(|_| tell.send(()).expect("it waits"));
    let opened = keeper.log_in_by_link(&link, somebody(), NOW).await;
    assert!(opened.expect("stored").is_some() && !keeper.is_link(&link, NOW));
}
