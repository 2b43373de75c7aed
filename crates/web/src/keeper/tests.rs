mod cut_off;

use super::*;
use crate::tests::bench::entropy;
use store::{MemoryStore, Store};

const NOW: Instant = Instant::from_millis(1_798_761_600_000);

fn keeper(store: &MemoryStore, token: &str) -> Keeper {
    Keeper::open(store.access(), token, entropy()).expect("no faults")
}

fn somebody() -> Newcomer {
    Newcomer { agent: "a".repeat(1_000), address: "192.0.2.1".into() }
}

fn headers(keeper: &Keeper, secret: &str) -> HeaderMap {
    let cookie = format!("{}={secret}", keeper.cookie_name());
    HeaderMap::from_iter([(header::COOKIE, cookie.parse().expect("a header"))])
}

#[tokio::test]
async fn an_empty_token_lets_nobody_in() {
    let store = MemoryStore::new([1; 16]);
    let keeper = keeper(&store, "");
    assert_eq!(keeper.by_token("", NOW), None);
    let opened = keeper.log_in_by_token("", somebody(), NOW).await;
    assert!(opened.expect("no faults").is_none());
}

#[tokio::test]
async fn another_token_of_the_data_directory_ends_what_was_made_with_the_old_one() {
    let store = MemoryStore::new([1; 16]);
    let old = keeper(&store, "old");
    let (token, _) = old.new_token("t".into(), Scope::Read.into(), NOW).await.expect("made");
    let secret = old.log_in_by_token("old", somebody(), NOW).await.expect("stored").expect("known");
    assert!(keeper(&store, "old").by_token(&token, NOW).is_some());
    let new = keeper(&store, "new");
    assert_eq!(new.by_token(&token, NOW), None);
    assert_eq!(new.recognise(&headers(&new, &secret), NOW), None);
    assert_eq!(store.access().tokens().expect("no faults"), []);
    assert_eq!(store.access().sessions().expect("no faults"), []);
}

#[tokio::test]
async fn a_use_is_stored_once_an_hour() {
    let store = MemoryStore::new([1; 16]);
    let keeper = keeper(&store, "t");
    let secret =
        keeper.log_in_by_token("t", somebody(), NOW).await.expect("stored").expect("known");
    let headers = headers(&keeper, &secret);
    let minute = Span::from_secs(60);
    let use_at = async |at: Instant| {
        assert!(keeper.recognise(&headers, at).is_some());
        // Notes are written in their order by threads of this runtime.
        tokio::task::spawn_blocking(|| ()).await.expect("no panic");
        store.access().sessions().expect("no faults")[0].used_at
    };
    assert_eq!(use_at(NOW + minute.times(59)).await, NOW);
    assert_eq!(keeper.sessions(NOW)[0].used_at, NOW + minute.times(59));
    let mut stored = use_at(NOW + minute.times(60)).await;
    while stored == NOW {
        tokio::task::yield_now().await;
        stored = store.access().sessions().expect("no faults")[0].used_at;
    }
    assert_eq!(stored, NOW + minute.times(60));
    assert_eq!(use_at(NOW + minute.times(61)).await, stored);
}

#[tokio::test]
async fn one_session_too_many_ends_the_one_unused_for_longest() {
    let store = MemoryStore::new([1; 16]);
    let keeper = keeper(&store, "t");
    let open = async |at: i64| {
        let now = NOW + Span::SECOND.times(at);
        let opened = keeper.log_in_by_token("t", somebody(), now).await;
        opened.expect("stored").expect("known")
    };
    let (first, second) = (open(0).await, open(1).await);
    for n in 2..SESSIONS_MAX as i64 {
        open(n).await;
    }
    let later = NOW + Span::SECOND.times(2_000);
    assert!(keeper.recognise(&headers(&keeper, &first), later).is_some());
    open(2_001).await;
    assert_eq!(keeper.sessions(later).len(), SESSIONS_MAX);
    assert!(keeper.recognise(&headers(&keeper, &first), later).is_some());
    assert_eq!(keeper.recognise(&headers(&keeper, &second), later), None);
    assert_eq!(store.access().sessions().expect("no faults").len(), SESSIONS_MAX);
}

#[tokio::test]
async fn what_a_browser_says_of_itself_is_kept_in_part() {
    let store = MemoryStore::new([1; 16]);
    let keeper = keeper(&store, "t");
    keeper.log_in_by_token("t", somebody(), NOW).await.expect("stored");
    assert_eq!(keeper.sessions(NOW)[0].agent.len(), 200);
}

#[tokio::test]
async fn links_are_few_and_the_oldest_goes_first() {
    let store = MemoryStore::new([1; 16]);
    let keeper = keeper(&store, "t");
    let link = |n: i64| keeper.new_link(NOW + Span::from_millis(n)).expect("entropy");
    let links: Vec<String> = (0..=LINKS_MAX as i64).map(link).collect();
    assert!(!keeper.is_link(&links[0], NOW) && keeper.is_link(&links[1], NOW));
}

#[tokio::test]
async fn who_holds_a_token_ends_no_session_but_those_opened_with_it() {
    let store = MemoryStore::new([1; 16]);
    let keeper = keeper(&store, "t");
    let given = async |name: &str| {
        let made = keeper.new_token(name.into(), Scope::Read.into(), NOW).await;
        made.expect("made").0
    };
    let (reader, other) = (given("reader").await, given("other").await);
    let open = async |token: &str, at: i64| {
        let now = NOW + Span::SECOND.times(at);
        keeper.log_in_by_token(token, somebody(), now).await.expect("stored").expect("known")
    };
    let (owners, others) = (open("t", 0).await, open(&other, 1).await);
    let first = open(&reader, 2).await;
    for at in 0..SESSIONS_MAX as i64 {
        open(&reader, 3 + at).await;
    }
    let later = NOW + Span::SECOND.times(2_000);
    assert_eq!(keeper.sessions(later).len(), 2 + SESSIONS_OF_TOKEN_MAX);
    let known = |secret: &str| keeper.recognise(&headers(&keeper, secret), later).is_some();
    assert!(known(&owners) && known(&others) && !known(&first));
}

#[tokio::test]
async fn where_all_places_are_taken_a_token_ends_sessions_of_tokens_first() {
    let store = MemoryStore::new([1; 16]);
    let keeper = keeper(&store, "t");
    let (token, _) = keeper.new_token("t".into(), Scope::Read.into(), NOW).await.expect("made");
    let (other, _) = keeper.new_token("o".into(), Scope::Read.into(), NOW).await.expect("made");
    let open = async |token: &str, at: i64| {
        let now = NOW + Span::SECOND.times(at);
        keeper.log_in_by_token(token, somebody(), now).await.expect("stored").expect("known")
    };
    let first = open("t", 0).await;
    for at in 1..SESSIONS_MAX as i64 - 1 {
        open("t", at).await;
    }
    let others = open(&other, 1_000).await;
    open(&token, 1_001).await;
    let later = NOW + Span::SECOND.times(2_000);
    let known = |secret: &str| keeper.recognise(&headers(&keeper, secret), later).is_some();
    assert!(known(&first) && !known(&others));
}
