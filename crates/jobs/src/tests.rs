use super::{Beside, Content, compare, compose, extract, is_stored, reextract};
use change::{Aspect, ChangeType, Evidence, Leaf, LeafRef, RoundRequest};
use chronon::{Instant, NotificationId, SentinelId, SourceId, VersionNo};
use kernel::Record;
use kernel::record::{
    ExtractRef, Extracts, Meta, SentinelRow, SourceRow, VersionFacts, VersionRow,
};
use outbox::{ChannelId, ChannelRow, Detection, DetectionId, Key, Kind, OutboxRecord, Row, State};
use page::{Limits, View};
use serde_json::{Value, json};
use store::{Batch, Blob, MemoryStore, Reader, Store, StoreError, blob_id};

const URL: &str = "https://air.example/deals";
const OLD: &str = "<p>Deals</p><a href=/porto>Porto 30</a>";
const NEW: &str = "<p>Deals</p><a href=/porto>Porto 30</a><a href=/lisbon>Lisboa \u{e9} 40</a>";

fn at(seconds: i64) -> Instant {
    Instant::from_millis(1_800_000_000_000 + seconds * 1_000)
}

/// The version that a body makes, and its blobs.
fn version(number: u32, body: &[u8], content_type: &str) -> (VersionRow, Vec<Blob>) {
    let header = Some(content_type).filter(|header| !header.is_empty());
    let found = extract(content(body, header), [], &Limits::default()).unwrap();
    let facts = VersionFacts {
        fingerprint: found.fingerprint,
        kind: found.kind,
        odd: found.odd,
        body: found.body.0,
        extracts: found.extracts,
        status: 200,
        media_type: content_type.into(),
        final_url: URL.into(),
        etag: None,
        last_modified: None,
        modified_at: None,
        summary: found.summary,
    };
    let row = VersionRow {
        source: SourceId(1),
        number: VersionNo(number),
        fetched_at: at(i64::from(number)),
        held: false,
        facts,
    };
    (row, [vec![found.body], found.extract_blobs].concat())
}

fn content<'a>(body: &'a [u8], content_type: Option<&'a str>) -> Content<'a> {
    Content { body, content_type, final_url: URL }
}

/// What another extractor made of the whole page.
fn aged(blob: &Blob) -> Extracts {
    ExtractRef { extractor: 0, blob: blob.0 }.of_page()
}

fn put(store: &mut MemoryStore, record: Record, blobs: Vec<Blob>) {
    store.append(&Batch { records: vec![record], blobs }).unwrap();
}

fn put_version(store: &mut MemoryStore, (row, blobs): (VersionRow, Vec<Blob>)) {
    put(store, Record::Version(Box::new(row)), blobs);
}

fn all_links() -> RoundRequest {
    let leaf = Leaf {
        change_type: ChangeType::plain(Aspect::Links),
        directions: Default::default(),
        matching: None,
    };
    let comparison = change::Comparison {
        from: VersionNo(1),
        to: VersionNo(2),
        change_type: ChangeType::plain(Aspect::Links),
        leaves: vec![leaf],
        pairing: change::Pairing::Alike,
        earlier: vec![],
        status: None,
    };
    RoundRequest { comparisons: vec![comparison], sources: vec![] }
}

/// A store with two versions of a page, the second of which has one more link.
fn two_versions() -> MemoryStore {
    let mut store = MemoryStore::new([7; 16]);
    let source = SourceRow {
        version: 2,
        newest: 2,
        extractor: page::EXTRACTOR,
        ..SourceRow::new(SourceId(1), URL.into(), at(0))
    };
    put(&mut store, Record::Source(Box::new(source)), vec![]);
    put_version(&mut store, version(1, OLD.as_bytes(), "text/html; charset=utf-8"));
    put_version(&mut store, version(2, NEW.as_bytes(), "text/html; charset=utf-8"));
    store
}

fn row(id: u64, kind: Kind, members: &[u64]) -> Row {
    Row {
        id: NotificationId(id),
        key: Key(format!("{id:032x}").into()),
        kind,
        sentinel: Some(SentinelId(5)),
        generation: 1,
        channel: ChannelId(1),
        seq: 3,
        members: members.iter().copied().map(DetectionId).collect(),
        more: 0,
        source: None,
        note: "the server answered 503".into(),
        created_at: at(3),
        closed_at: Some(at(4)),
        body: None,
        attempts: 0,
        first_attempt: None,
        effort: outbox::Effort::default(),
        state: State::Closed,
        read: false,
    }
}

/// With a sentinel, a channel, a detection d1 and its result.
fn detected() -> MemoryStore {
    let mut store = two_versions();
    let compared = compare(&*store.reader(), SourceId(1), &all_links()).unwrap();
    let (source, from, to) = (SourceId(1), VersionNo(1), VersionNo(2));
    let detection = Detection {
        id: DetectionId(1),
        sentinel: SentinelId(5),
        generation: 1,
        at: at(3),
        seq: 3,
        evidence: vec![Evidence { source, from, to, result: compared.result_blob.0 }],
        combinations: vec![vec![LeafRef { evidence: 0, comparison: 0, leaf: 0 }]],
        parts: Vec::new(),
        follow: None,
    };
    put(&mut store, Record::Detection(Box::new(detection)), vec![compared.result_blob]);
    let sentinel = SentinelRow {
        id: SentinelId(5),
        name: "deals".into(),
        generation: 1,
        text: "".into(),
        others: Box::default(),
        source: SourceId(1),
        created_at: at(0),
        defined_at: at(0),
    };
    put(&mut store, Record::Sentinel(Box::new(sentinel)), vec![]);
    let (name, contact) = ("webhook".into(), Some("https://home.example/hook".into()));
    let channel =
        ChannelRow { id: ChannelId(1), name, contact, disabled: None, course: Default::default() };
    put(&mut store, Record::Outbox(OutboxRecord::Channel(channel)), vec![]);
    store
}

fn composed(store: &mut MemoryStore, row: Row) -> Value {
    let id = row.id;
    put(store, Record::Outbox(OutboxRecord::Row(Box::new(row))), vec![]);
    let body = compose(&*store.reader(), id).unwrap();
    assert_eq!(compose(&*store.reader(), id).unwrap(), body);
    serde_json::from_slice(&body.1).unwrap()
}

#[test]
fn an_answer_that_is_stored_to_the_byte_needs_no_reading() {
    let (row, _) = version(1, OLD.as_bytes(), "text/html");
    let answer = content(OLD.as_bytes(), Some("text/html"));
    assert!(is_stored(answer, &row.facts));
    assert!(!is_stored(content(NEW.as_bytes(), Some("text/html")), &row.facts));
    assert!(!is_stored(content(OLD.as_bytes(), Some("text/plain")), &row.facts));
    assert!(!is_stored(content(OLD.as_bytes(), None), &row.facts));
    let elsewhere = Content { final_url: "https://air.example/", ..answer };
    assert!(!is_stored(elsewhere, &row.facts), "links are resolved against the address");
    let of_before =
        ExtractRef { extractor: page::EXTRACTOR - 1, ..row.facts.extracts[&View::Page] };
    let old = VersionFacts { extracts: of_before.of_page(), ..row.facts };
    assert!(!is_stored(answer, &old), "an earlier release read it");
}

#[test]
fn a_body_becomes_an_extract_with_its_fingerprint_and_blobs() {
    let found = extract(content(NEW.as_bytes(), Some("text/html")), [], &Limits::default());
    let found = found.unwrap();
    assert_eq!(found.whole().links[1].href, "https://air.example/lisbon");
    assert_eq!(found.fingerprint, page::fingerprint(found.whole()));
    assert_eq!(&*found.body.1, NEW.as_bytes());
    assert_eq!(page::decode(&found.extract_blobs[0].1).as_ref().unwrap(), found.whole());
    let image = content(b"\x89PNG\r\n\x1a\n\0\0", Some("image/png"));
    assert!(extract(image, [], &Limits::default()).is_err());
    let nowhere = Content { final_url: "not a URL", ..content(b"", None) };
    assert!(extract(nowhere, [], &Limits::default()).is_err());
}

#[test]
fn a_round_compares_stored_extracts_and_outlines_the_result() {
    let store = two_versions();
    let compared = compare(&*store.reader(), SourceId(1), &all_links()).unwrap();
    assert_eq!(compared.outline.comparisons, [Some(vec![1])]);
    assert_eq!(change::decode(&compared.result_blob.1).unwrap(), compared.result);
}

#[test]
fn an_extract_of_another_extractor_is_made_anew_for_a_comparison() {
    let mut store = two_versions();
    let (mut old, mut blobs) = version(1, OLD.as_bytes(), "text/html; charset=utf-8");
    let stale = crate::blob(b"in a format of long ago".to_vec());
    old.facts.extracts = aged(&stale);
    blobs.push(stale);
    put_version(&mut store, (old, blobs));
    let compared = compare(&*store.reader(), SourceId(1), &all_links()).unwrap();
    assert_eq!(compared.outline.comparisons, [Some(vec![1])]);
}

#[test]
fn a_view_that_nothing_extracts_fails_its_own_comparison_only() {
    let store = two_versions();
    let mut request = all_links();
    let mut other = request.comparisons[0].clone();
    other.change_type.view = View::Selected("colour \"main\"".into());
    other.leaves[0].change_type.view = other.change_type.view.clone();
    request.comparisons.push(other);
    let compared = compare(&*store.reader(), SourceId(1), &request).unwrap();
    assert_eq!(compared.outline.comparisons, [Some(vec![1]), None]);
    let said = compared.result.comparisons[1].failed.as_deref();
    assert_eq!(said, Some("nothing extracts `colour \"main\"` of v1 of u1"));
}

#[test]
fn a_version_that_is_gone_fails_its_comparison_with_a_sentence() {
    let store = two_versions();
    let mut request = all_links();
    request.comparisons[0].from = VersionNo(9);
    let compared = compare(&*store.reader(), SourceId(1), &request).unwrap();
    assert_eq!(compared.outline.comparisons, [None]);
    let said = compared.result.comparisons[0].failed.as_deref();
    assert!(said.is_some_and(|said| said.contains("v9 of u1 is not stored")), "{said:?}");
}

#[test]
fn extracting_again_gives_the_same_version_a_new_extract() {
    // The charset of the header counts: these bytes are no UTF-8.
    let menu = b"<p>caf\xe9 \xe0 la carte</p>";
    for content_type in ["text/html; charset=windows-1252", "text/html; charset=koi8-r", ""] {
        extracted_again(version(1, menu, content_type));
    }
}

fn extracted_again((fresh, mut blobs): (VersionRow, Vec<Blob>)) {
    let mut store = MemoryStore::new([7; 16]);
    let mut old = fresh.clone();
    let stale = crate::blob(b"in a format of long ago".to_vec());
    (old.facts.extracts, old.facts.fingerprint) = (aged(&stale), [0; 32]);
    blobs.push(stale);
    put_version(&mut store, (old, blobs));
    let limits = Limits::default();
    let again = |number| reextract(&*store.reader(), SourceId(1), VersionNo(number), &limits);
    let made = again(1).unwrap().unwrap();
    assert_eq!(made.row, fresh);
    assert_eq!(Some(made.extract_blobs[0].0), fresh.facts.whole());
    assert!(again(2).unwrap().is_none());
}

#[test]
fn a_change_is_composed_from_its_detection() {
    let body = composed(&mut detected(), row(1, Kind::Change, &[1]));
    assert_eq!(body["type"], "change");
    assert_eq!(body["id"], "00000000000000000000000000000001");
    assert_eq!((&body["sentinel"], &body["sentinel_id"]), (&json!("deals"), &json!(5)));
    assert_eq!(body["detected_at"], at(3).to_string());
    assert_eq!(body["composed_at"], at(4).to_string());
    assert_eq!(body["sources"][0]["url"], URL);
    assert_eq!(body["sources"][0]["from_version"], 1);
    assert_eq!(body["sources"][0]["fetched_at"], at(2).to_string());
    assert_eq!(body["changes"][0]["new"]["href"], "https://air.example/lisbon");
    assert_eq!(body["combinations"], json!([[0]]));
}

#[test]
fn a_detection_on_two_sources_is_composed_from_both() {
    let mut store = detected();
    let reader = store.reader();
    let known = reader.detection(DetectionId(1)).unwrap().unwrap();
    for number in [1, 2] {
        let mut row = reader.version(SourceId(1), VersionNo(number)).unwrap().unwrap();
        (row.source, row.fetched_at) = (SourceId(2), at(10 + i64::from(number)));
        row.facts.final_url = "https://rail.example/".into();
        put(&mut store, Record::Version(Box::new(row)), vec![]);
    }
    let other = Evidence { source: SourceId(2), ..known.evidence[0] };
    let held = |evidence| LeafRef { evidence, comparison: 0, leaf: 0 };
    let both = Detection {
        id: DetectionId(2),
        evidence: vec![known.evidence[0], other],
        combinations: vec![vec![held(0), held(1)]],
        parts: Vec::new(),
        follow: None,
        ..known
    };
    put(&mut store, Record::Detection(Box::new(both)), vec![]);
    let text = "create sentinel deals using https://air.example/ as air, https://rail.example/ as \
                rail\n  notify by webhook https://home.example/hook\n";
    let named = SentinelRow {
        text: text.into(),
        others: [SourceId(2)].into(),
        ..store.reader().sentinel(SentinelId(5)).unwrap().unwrap()
    };
    put(&mut store, Record::Sentinel(Box::new(named)), vec![]);
    let body = composed(&mut store, row(5, Kind::Change, &[2]));
    let of = |field: &str| [&body["sources"][0][field], &body["sources"][1][field]];
    assert_eq!(of("url"), [URL, "https://rail.example/"]);
    assert_eq!(of("name"), ["air", "rail"]);
    assert_eq!(of("fetched_at"), [&json!(at(2).to_string()), &json!(at(12).to_string())]);
    assert_eq!([0, 1].map(|nth| body["changes"][nth]["source"].as_u64()), [Some(0), Some(1)]);
    assert_eq!(body["combinations"], json!([[0, 1]]));
    // In a digest, it is a member like any other.
    let digest = composed(&mut store, row(6, Kind::Digest, &[1, 2]));
    assert_eq!(digest["notifications"][1]["sources"], body["sources"]);
    assert_ne!(digest["notifications"][1]["id"], digest["notifications"][0]["id"]);
}

#[test]
fn a_digest_holds_its_members_and_counts_those_that_are_gone() {
    let body = composed(&mut detected(), row(2, Kind::Digest, &[1, 99]));
    assert_eq!(body["type"], "digest");
    assert_eq!(body["notifications"].as_array().unwrap().len(), 1);
    assert_eq!(body["notifications"][0]["seq"], 3);
    assert_ne!(body["notifications"][0]["id"], body["id"]);
    assert_eq!(body["notifications_total"], 2);
}

#[test]
fn health_and_tests_are_composed_too() {
    let mut store = detected();
    let mut failing = row(3, Kind::SourceFailing, &[]);
    failing.source = Some(SourceId(1));
    let body = composed(&mut store, failing);
    assert_eq!(body["type"], "source.failing");
    assert_eq!((&body["sources"][0]["url"], &body["sentinel"]), (&json!(URL), &json!("deals")));
    let mut test = row(4, Kind::ChannelTest, &[]);
    test.sentinel = None;
    let body = composed(&mut store, test);
    assert_eq!((&body["type"], &body["sentinel"]), (&json!("channel.test"), &Value::Null));
}

#[test]
fn a_notification_outlives_its_sentinel_but_not_its_detection() {
    let mut store = detected();
    put(&mut store, Record::SentinelGone(SentinelId(5)), vec![]);
    put(&mut store, Record::SourceGone(SourceId(1)), vec![]);
    let body = composed(&mut store, row(1, Kind::Change, &[1]));
    assert_eq!((&body["sentinel"], &body["sources"][0]["url"]), (&json!("s5"), &json!(URL)));
    let lost = Record::Outbox(OutboxRecord::Row(Box::new(row(2, Kind::Change, &[99]))));
    put(&mut store, lost, vec![]);
    let error = compose(&*store.reader(), NotificationId(2)).unwrap_err();
    assert!(matches!(error, StoreError::Damaged(_)), "{error}");
    let meta = Meta { instance: [7; 16], ..Meta::default() };
    assert_eq!(store.reader().meta().unwrap(), meta);
}

#[test]
fn other_bytes_that_show_the_same_are_not_encoded_nor_stored() {
    let mut store = MemoryStore::new([7; 16]);
    put_version(&mut store, version(1, OLD.as_bytes(), "text/html"));
    let read = |body: &str| {
        let content = content(body.as_bytes(), Some("text/html"));
        let (reader, limits) = (store.reader(), Limits::default());
        super::read(stored_in(&*reader), content, vec![], &limits).unwrap()
    };
    match read(&format!("<!-- 17 -->{OLD}")) {
        super::Read::Same(standing) => assert_eq!(standing.facts.body, blob_id(OLD.as_bytes())),
        other => panic!("it shows the same: {other:?}"),
    }
    let super::Read::Same(standing) = read(OLD) else { panic!("it is stored to the byte") };
    assert_eq!(standing.facts.body, blob_id(OLD.as_bytes()));
    let super::Read::Fresh(fresh) = read(NEW) else { panic!("it shows more") };
    assert_eq!(fresh.body.0, blob_id(NEW.as_bytes()));
}

#[test]
fn facts_at_hand_are_asked_of_no_store() {
    let mut store = MemoryStore::new([7; 16]);
    let stored = version(1, OLD.as_bytes(), "text/html");
    let known = stored.0.facts.clone();
    let (other, limits) = (format!("<!-- 17 -->{OLD}"), Limits::default());
    let read = |store: &MemoryStore, body: &str, views| {
        let (reader, content) = (store.reader(), content(body.as_bytes(), Some("text/html")));
        let beside = Beside { reader: &*reader, source: SourceId(1), known: Some(&known) };
        super::read(beside, content, views, &limits).unwrap()
    };
    let super::Read::Same(standing) = read(&store, &other, vec![]) else {
        panic!("it shows the same")
    };
    assert_eq!(standing.facts, known);
    assert!(matches!(read(&store, NEW, vec![]), super::Read::Fresh(_)));
    put_version(&mut store, stored);
    assert!(matches!(read(&store, NEW, vec![]), super::Read::Fresh(_)));
    let seen = vec![View::of_key("css \"p\"")];
    assert!(matches!(read(&store, &other, seen), super::Read::Same(_)), "the page shows it");
    let missed = vec![View::of_key("css \"table\"")];
    assert!(matches!(read(&store, &other, missed), super::Read::Fresh(_)), "it finds nothing");
}

#[test]
fn a_part_that_stands_still_is_looked_for_once() {
    let views = [View::of_key("css \"p\""), View::of_key("css \"table\"")];
    let limits = Limits::default();
    let answer = content(OLD.as_bytes(), Some("text/html"));
    let extracted = extract(answer, views.clone(), &limits).unwrap();
    let (missing, (facts, blobs)) = (extracted.missing(), extracted.into_facts());
    let facts = VersionFacts {
        media_type: "text/html".into(),
        final_url: answer.final_url.into(),
        ..facts
    };
    let mut store = MemoryStore::new([7; 16]);
    let (row, _) = version(1, OLD.as_bytes(), "text/html");
    put_version(&mut store, (VersionRow { facts, ..row }, blobs));
    let read = super::read(stored_in(&*store.reader()), answer, views.to_vec(), &limits);
    let super::Read::Same(standing) = read.unwrap() else { panic!("it stands still") };
    assert_eq!((&standing.shown.missing, missing.len()), (&missing, 1));
    assert!(standing.is_shown_by(answer, &views, &limits));
    assert!(!standing.is_shown_by(answer, &views[..1], &limits));
    let new = content(NEW.as_bytes(), Some("text/html"));
    assert!(!standing.is_shown_by(new, &views, &limits));
    let comment = format!("<!-- 17 -->{OLD}");
    let other = content(comment.as_bytes(), Some("text/html"));
    assert!(!standing.is_shown_by(other, &views, &limits), "a selector may see it");
}

#[test]
fn a_page_that_says_the_time_in_a_comment_is_read_once() {
    let page = |time: u32, degrees: u32| format!("<!-- {time} --><p>Lisbon {degrees}</p>");
    let mut store = MemoryStore::new([7; 16]);
    put_version(&mut store, version(1, page(1, 40).as_bytes(), "text/html"));
    let limits = Limits::default();
    let read = super::read(
        stored_in(&*store.reader()),
        content(page(2, 40).as_bytes(), Some("text/html")),
        vec![],
        &limits,
    );
    let super::Read::Same(standing) = read.unwrap() else { panic!("the same") };
    let shows = |body: &str, media_type| {
        standing.is_shown_by(content(body.as_bytes(), Some(media_type)), &[], &limits)
    };
    assert!(shows(&page(3, 40), "text/html"));
    assert!(shows(&page(1, 40), "text/html"), "the stored one, too");
    let title = [View::of_key("title")];
    let again = page(2, 40);
    assert!(!standing.is_shown_by(content(again.as_bytes(), Some("text/html")), &title, &limits));
    assert!(!shows(&page(3, 41), "text/html"));
    assert!(!shows(&page(3, 40), "text/plain"));
    let page = page(3, 40);
    let elsewhere = Content {
        final_url: "https://air.example/",
        ..content(page.as_bytes(), Some("text/html"))
    };
    assert!(!standing.is_shown_by(elsewhere, &[], &limits));
}

/// Beside what is stored of the source, none of which is at hand.
fn stored_in(reader: &dyn Reader) -> Beside<'_> {
    Beside { reader, source: SourceId(1), known: None }
}

/// The fingerprint of what a source shows, as it is read beside what is stored.
fn read_as(store: &MemoryStore, body: &str, media_type: &str, views: Vec<View>) -> [u8; 32] {
    let content = content(body.as_bytes(), Some(media_type));
    let (reader, limits) = (store.reader(), Limits::default());
    match super::read(stored_in(&*reader), content, views, &limits).unwrap() {
        super::Read::Same(standing) => standing.facts.fingerprint,
        super::Read::Fresh(fresh) => fresh.fingerprint,
    }
}

#[test]
fn a_version_that_bears_the_fingerprint_of_one_before_it_is_recognised() {
    let mut store = MemoryStore::new([7; 16]);
    let (mut row, blobs) = version(1, OLD.as_bytes(), "text/html");
    row.facts.fingerprint = [7; 32];
    put_version(&mut store, (row, blobs));
    assert_eq!(read_as(&store, OLD, "text/html", vec![]), [7; 32]);
    assert_ne!(read_as(&store, NEW, "text/html", vec![]), [7; 32]);
}

#[test]
fn behind_many_versions_of_another_kind_the_last_of_its_own_is_recognised() {
    let mut store = MemoryStore::new([7; 16]);
    let (mut text, blobs) = version(1, b"closed today", "text/plain");
    text.facts.fingerprint = [7; 32];
    put_version(&mut store, (text, blobs));
    for number in 2..30 {
        let page = format!("{OLD}<p>{number}</p>");
        put_version(&mut store, version(number, page.as_bytes(), "text/html"));
    }
    assert_eq!(read_as(&store, "closed today", "text/plain", vec![]), [7; 32]);
}
