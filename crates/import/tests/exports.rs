//! What exports of other tools become: samples, each beside the sentinels it stands for.
//!
//! `changedetection-*` were made by changedetection.io 0.60.10, `urls.yaml` is read by urlwatch
//! 2.29 and `jobs.yaml` by webchanges 3.37. The others follow the documentation of their tools:
//! FreshRSS (OPML), Miniflux (API), Distill (export).

use import::{Import, ImportError, Tool, read, write_opml};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::path::Path;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

fn sample(name: &str) -> Import {
    let bytes = std::fs::read(folder().join(name)).expect("the sample is beside the test");
    read(&bytes).expect("the sample is an export")
}

/// Everything an import says, for people.
fn told(import: &Import) -> String {
    let mut out = format!("{}\n", import.tool.name());
    for entry in &import.entries {
        writeln!(out, "\n== {}", entry.place).expect("a text takes all");
        if let Some(wish) = &entry.wish {
            let state = if wish.enabled { "" } else { "-- off\n" };
            write!(out, "{}{state}", wish.text(&wish.name, &[])).expect("a text takes all");
        }
        for left in &entry.left {
            writeln!(out, "-- {}: {}", left.what, left.nearest).expect("a text takes all");
        }
    }
    out
}

#[test]
fn outlines_of_a_feed_scheme_are_asked_and_those_without_a_page_are_listed() {
    let told = told(
        &read(
            br#"<opml><body><outline text="folder">
                <outline text="a" xmlUrl="feed://a.example/x"/>
                <outline text="b" xmlUrl="feed:https://b.example/x"/>
                <outline text="c" xmlUrl=""/>
                <outline xmlUrl="ftp://e.example/x"/>
                <outline xmlUrl=""/>
                <outline text="d" type="include" url="https://d.example/more.opml"/>
            </outline></body></opml>"#,
        )
        .expect("OPML"),
    );
    for said in [
        "using \"http://a.example/x\"",
        "using \"https://b.example/x\"",
        "== c\n-- it has no address",
        "== ftp://e.example/x\n-- ",
        "== feed 5\n-- it has no address",
        "== d\n-- the list that `https://d.example/more.opml` holds: `tidings import`",
    ] {
        assert!(told.contains(said), "{said}\n{told}");
    }
}

#[test]
fn settings_of_a_job_that_nothing_stands_for_are_listed() {
    let told = told(
        &read(
            b"url: https://a.example/\nparams: {q: 1}\ndiff_filters: [grep: x]\nretries: 3\n\
              wait_for: main\nno_redirects: false\nguid: x\n",
        )
        .expect("a job"),
    );
    for said in [
        "-- what is appended to the address: write it into the address",
        "-- a filter of the differences: ",
        "-- of the job: `retries`, `wait_for`: none",
    ] {
        assert!(told.contains(said), "{said}\n{told}");
    }
}

#[test]
fn every_sample_becomes_what_stands_beside_it() {
    for (name, tool) in [
        ("changedetection-0.60.10.zip", Tool::Changedetection),
        ("changedetection-api.json", Tool::Changedetection),
        ("changedetection-api-list.json", Tool::Changedetection),
        ("urls.yaml", Tool::Urlwatch),
        ("jobs.yaml", Tool::Urlwatch),
        ("freshrss.opml", Tool::Opml),
        ("miniflux.json", Tool::Miniflux),
        ("distill.json", Tool::Distill),
        ("list.txt", Tool::Addresses),
    ] {
        let import = sample(name);
        assert_eq!(import.tool, tool, "{name}");
        let expected = folder().join(format!("{name}.told"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected, told(&import)).expect("the samples can be written");
        }
        let expected = std::fs::read_to_string(&expected).expect("what it becomes is beside it");
        assert_eq!(told(&import), expected, "{name}");
    }
}

#[test]
fn what_is_no_export_is_refused_with_a_sentence() {
    let refused = |bytes: &[u8]| read(bytes).expect_err("this is no export");
    for bytes in [&b"hello"[..], b"", b"{}", b"[1]", b"<html></html>", b"- a\n- b", b"{\"a\": {}}"]
    {
        let error = refused(bytes);
        assert!(matches!(error, ImportError::Unknown), "{bytes:?} {error}");
    }
    assert!(matches!(refused(b"PK\x03\x04rest"), ImportError::Archive(_)));
    assert!(matches!(refused(b"\x80abc"), ImportError::NotText("UTF-8")));
    assert!(matches!(refused(b"url: [\n"), ImportError::Yaml(_)));
    assert!(matches!(refused(b"<opml><body><outline"), ImportError::Opml(_)));
}

#[test]
fn aliases_of_yaml_do_not_multiply() {
    let mut bomb = String::from("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (name, before) in ('b'..='k').zip('a'..='j') {
        let aliases = vec![format!("*{before}"); 9].join(", ");
        bomb.push_str(&format!("{name}: &{name} [{aliases}]\n"));
    }
    assert!(matches!(read(bomb.as_bytes()), Err(ImportError::Yaml(_))));
}

#[test]
fn what_is_written_as_opml_is_read_back() {
    let pairs = [("A & <b> \"c\"", "https://example.org/?a=1&b=2"), ("d", "http://example.net/")];
    let written = write_opml(pairs.map(|(name, url)| (name.to_owned(), url.to_owned())));
    let read = read(written.as_bytes()).expect("it is OPML");
    let wishes = read.entries.iter().map(|entry| entry.wish.as_ref().expect("it has an address"));
    let read: Vec<_> = wishes.map(|wish| (wish.name.as_str(), wish.url.as_str())).collect();
    assert_eq!(read, pairs);
}

#[test]
fn what_is_written_is_read_by_the_language() {
    let samples = ["changedetection-0.60.10.zip", "urls.yaml", "jobs.yaml", "freshrss.opml"];
    for name in samples.into_iter().chain(["miniflux.json", "distill.json", "list.txt"]) {
        for entry in sample(name).entries {
            let Some(wish) = entry.wish else { continue };
            let text = wish.text(&wish.name, &[]);
            if let Err(diagnostics) = sentinel::format(&text) {
                panic!("{name}: {text}\n{diagnostics:#?}");
            }
        }
    }
}

/// The names and addresses of what can be watched.
fn wishes(bytes: &[u8]) -> Vec<(String, String)> {
    let import = read(bytes).expect("it can be read");
    let wishes = import.entries.into_iter().filter_map(|entry| entry.wish);
    wishes.map(|wish| (wish.name, wish.url)).collect()
}

#[test]
fn text_is_read_in_the_encoding_that_it_says() {
    let text = "<?xml version=\"1.0\" encoding=\"E\"?><opml><body>\
                <outline text=\"Ü\" xmlUrl=\"https://a.example/\"/></body></opml>";
    let expected = [("Ü".to_owned(), "https://a.example/".to_owned())];
    let wide = text.encode_utf16().collect::<Vec<_>>();
    let little = wide.iter().flat_map(|unit| unit.to_le_bytes());
    let big = wide.iter().flat_map(|unit| unit.to_be_bytes());
    assert_eq!(wishes(&[0xff, 0xfe].into_iter().chain(little).collect::<Vec<_>>()), expected);
    assert_eq!(wishes(&[0xfe, 0xff].into_iter().chain(big).collect::<Vec<_>>()), expected);
    let latin = text.replace("\"E\"", "'ISO-8859-1'");
    let latin: Vec<u8> = latin.chars().map(|c| u8::try_from(c).expect("it is Latin")).collect();
    assert_eq!(wishes(&latin), expected);
}

#[test]
fn one_odd_line_and_what_nobody_can_see_stop_no_list() {
    let list = "\u{200b}https://a.example/\u{200b}  One\u{202e}\n\
                example.net\nhttps://b.example/\u{feff}\n";
    let read = read(list.as_bytes()).expect("it is a list");
    let texts = read.entries.iter().filter_map(|entry| entry.wish.as_ref());
    let texts = texts.map(|wish| wish.text(&wish.name, &[])).collect::<Vec<_>>();
    assert_eq!(texts.len(), 2, "{read:#?}");
    for text in &texts {
        assert!(sentinel::format(text).is_ok(), "{text}");
    }
    assert!(texts[0].starts_with("create sentinel `One` using \"https://a.example/\""));
    assert!(read.entries[1].left[0].what.contains("`example.net`"), "{read:#?}");
    let named = "name: \"a\\u200bb\"\nurl: https://c.example/\n";
    let read = import::read(named.as_bytes()).expect("it is a job");
    let wish = read.entries[0].wish.as_ref().expect("it has an address");
    assert!(wish.text(&wish.name, &[]).starts_with("create sentinel `ab` "), "{wish:?}");
}

/// In urlwatch a second selector looks into what the first one found; with `or` it would tell more.
#[test]
fn of_selectors_one_within_another_the_first_is_kept_and_the_others_are_listed() {
    let job = "url: https://a.example/\nfilter: [element-by-id: main, css: .price, pdf2text]\n";
    let told = told(&read(job.as_bytes()).expect("a job"));
    assert!(told.contains("monitor text of css \"[id=\\\"main\\\"]\"\n"), "{told}");
    assert!(told.contains("-- `.price` within what the selector before it finds: "), "{told}");
    assert!(told.contains("`pdf2text`: Tidings reads a PDF document"), "{told}");
}

#[test]
fn a_file_may_hold_thousands_of_jobs() {
    let job = |n: u32| format!("name: j{n}\nurl: https://{n}.example/\n---\n");
    let jobs: String = (0..3_000).map(job).collect();
    assert_eq!(wishes(jobs.as_bytes()).len(), 3_000);
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = read(&[b"PK\x03\x04", &bytes[..]].concat());
    }

    #[test]
    fn no_part_of_a_sample_makes_it_panic(name in 0usize..9, from in 0usize..400, to in 0..4000) {
        let to = usize::try_from(to).unwrap_or_default();
        let files = std::fs::read_dir(folder()).expect("the samples are there");
        let mut files: Vec<_> = files.flatten().map(|file| file.path()).collect();
        files.sort();
        let bytes = std::fs::read(&files[name]).expect("a sample can be read");
        let (from, to) = (from.min(bytes.len()), to.min(bytes.len()));
        let _ = read(&[&bytes[..from.min(to)], &bytes[to.max(from)..]].concat());
    }
}

#[test]
fn what_a_changedetection_watch_asks_beyond_its_page_is_listed() {
    let backup = r#"{"settings": {"application": {"tags": {"g": {"title": "Home",
        "notification_urls": ["discord://1/2"]}}}}, "watching": {"w": {
        "url": "https://a.example/?day={{ now }}", "tags": ["g"], "include_filters": [],
        "browser_steps": [{"operation": "Click element", "selector": "a"}],
        "track_ldjson_price_data": "accepted"}}}"#;
    let told = told(&read(backup.as_bytes()).expect("an export"));
    for left in [
        "-- a template in the address:",
        "-- notification addresses of the group `Home`:",
        "-- rendering in a browser, and steps in it:",
        "-- the price that the page gives to search engines:",
    ] {
        assert!(told.contains(left), "{left} is not in {told}");
    }
}

#[test]
fn a_file_of_sentinels_is_sent_to_where_they_are_applied() {
    let error =
        read(b"# Mine.\ncreate sentinel a using https://a.example/\n  monitor any change\n");
    let said = error.expect_err("it is no export").to_string();
    assert!(said.contains("tidings apply"), "{said}");
}
