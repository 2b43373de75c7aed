//! What a store outlives: wrong clocks, upgrades, copies.

use crate::harness::{Home, QUICK, Server};
use crate::page::Page;
use rusqlite::Connection;

/// Seconds of a year, and some.
const FAR_MS: i64 = 40_000_000_000;

fn database(home: &Home) -> Connection {
    Connection::open(home.data().join("tidings.db")).expect("a store")
}

/// The store has seen a later time than this computer's clock says.
fn write_ahead(home: &Home) {
    let ahead = database(home).execute("UPDATE meta SET newest = newest + ?1", [FAR_MS]);
    assert_eq!(ahead.expect("written"), 1);
}

fn looked_at(server: &Server) {
    let events = server.events();
    events.wait_for("probe", |_| true);
}

fn serve(home: &Home, arguments: &[&str]) -> Server {
    Server::start(home.command(&[&["serve"], arguments].concat()), &home.data())
}

#[test]
fn a_clock_behind_the_store_is_waited_for_and_everybody_hears_why() {
    let settings = format!("{QUICK}clock_from_system = false\n");
    let (home, page) = (Home::new(&settings), Page::of("<p>one</p>"));
    home.apply(&format!("create sentinel s using {} to now + 30 days", page.url()));
    let server = home.serve();
    looked_at(&server);
    server.terminate();
    write_ahead(&home);

    let requests = page.requests();
    let server = home.serve();
    let ready = server.page("/readyz");
    let said = String::from_utf8_lossy(&ready.body).into_owned();
    assert_eq!(ready.status, 503);
    assert!(said.contains("clock") && said.contains("--trust-clock"), "{said}");
    let listed = home.run(&["list"]);
    assert!(listed.err.contains("Tidings waits"), "{}", listed.err);
    assert!(listed.out.contains("active"), "{}", listed.out);
    let dashboard = String::from_utf8_lossy(&server.page("/").body).into_owned();
    assert!(dashboard.contains("Tidings waits"), "{dashboard}");
    let file = home.file("more.tidings", "create sentinel t using https://t.invalid/");
    let refused = home.run(&["apply", &file]);
    assert_eq!(refused.code, Some(1), "{}", refused.out);
    assert!(refused.err.contains("clock"), "{}", refused.err);
    assert_eq!(page.requests(), requests, "it looked");
    server.terminate();

    home.configure(&format!("{settings}clock_patience_seconds = 0.5\n"));
    let server = home.serve();
    looked_at(&server);
    assert_eq!(server.page("/readyz").status, 200);
    server.terminate();

    home.configure(&settings);
    write_ahead(&home);
    let server = serve(&home, &["--trust-clock"]);
    assert_eq!(server.page("/readyz").status, 200);
    looked_at(&server);
    server.terminate();
    let server = home.serve();
    assert_eq!(server.page("/readyz").status, 200, "a clock that was believed is");
}

#[test]
fn a_damaged_store_is_refused_and_after_repair_it_is_served_with_the_rest() {
    let home = Home::new(QUICK);
    let page = Page::of("<p>one</p>");
    home.apply(&format!(
        "create sentinel kept using {}\ncreate sentinel broken using {}",
        page.url(),
        page.url()
    ));
    let damage = "PRAGMA ignore_check_constraints = ON;
        UPDATE sentinel_lives SET state = 'nonsense'
        WHERE id = (SELECT id FROM sentinels WHERE name = 'broken')";
    database(&home).execute_batch(damage).expect("written");
    let refused = home.run(&["serve"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.err.contains("sentinel_lives") && refused.err.contains("tidings repair"),
        "{}",
        refused.err
    );
    let said = home.done(&["repair"]);
    assert!(said.contains("sentinel_lives: 1 rows kept, 1 set aside"), "{said}");
    let kept = home.data().join("tidings.db.damaged");
    assert!(said.contains(&kept.display().to_string()) && kept.exists(), "{said}");
    let aside = std::fs::read_to_string(home.data().join("tidings.db.set-aside")).expect("a file");
    assert!(aside.contains("nonsense"), "{aside}");
    let server = home.serve();
    let names: Vec<_> = server.all_items("/sentinels");
    assert!(names.iter().any(|sentinel| sentinel["name"] == "kept"), "{names:?}");
    let in_use = home.run(&["repair"]);
    assert!(in_use.code == Some(1) && in_use.err.contains("stop it first"), "{}", in_use.err);
    server.terminate();
}

#[test]
fn a_store_with_a_broken_page_is_not_copied_but_repaired() {
    let home = Home::new(QUICK);
    let server = home.serve();
    server.terminate();
    // All of it stands in the one file.
    let emptied = "PRAGMA wal_checkpoint(TRUNCATE)";
    database(&home).query_row(emptied, [], |_| Ok(())).expect("written");
    let path = home.data().join("tidings.db");
    let mut bytes = std::fs::read(&path).expect("a store");
    let middle = bytes.len() / 4_096 / 2 * 4_096;
    bytes[middle..].fill(0x5a);
    std::fs::write(&path, &bytes).expect("written");
    let copy = home.path("copy.db").to_string_lossy().into_owned();
    let refused = home.run(&["backup", &copy]);
    assert_eq!(refused.code, Some(1), "{}", refused.out);
    assert!(refused.err.contains("tidings repair"), "{}", refused.err);
    assert!(!home.path("copy.db").exists());
    home.done(&["repair"]);
    home.done(&["backup", &copy]);
    home.serve().terminate();
}

#[test]
fn a_data_directory_of_the_first_release_is_served_with_its_token_and_all_it_holds() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../store-sqlite/tests/samples/first");
    let read = |name: &str| std::fs::read(format!("{sample}/{name}")).expect("a sample");
    let home = Home::new("");
    let text = String::from_utf8(read("tidings.toml")).expect("text");
    let data = format!("data_dir = {:?}", home.data());
    home.file("tidings.toml", text.replace("data_dir = \"data\"", &data));
    std::fs::create_dir(home.data()).expect("a folder");
    let store = zstd::decode_all(&*read("tidings.db.zst")).expect("the sample is whole");
    home.file("data/tidings.db", store);
    home.file("data/token", read("token"));
    for (file, mode) in [("data/token", "600"), ("data", "700")] {
        let done = std::process::Command::new("chmod").arg(mode).arg(home.path(file)).status();
        assert!(done.expect("chmod runs").success());
    }
    let server = serve(&home, &["--trust-clock"]);
    let names = |items: &[serde_json::Value], field: &str| -> Vec<String> {
        items.iter().map(|item| item[field].as_str().unwrap_or_default().to_owned()).collect()
    };
    let sentinels = names(&server.all_items("/sentinels"), "name");
    assert_eq!(sentinels.len(), 13, "{sentinels:?}");
    assert!(server.all_items("/notifications").len() >= 38);
    assert!(home.data().join("tidings.db.format-1").exists());
    let plate = std::fs::read_to_string(home.data().join("api.json")).expect("a doorplate");
    assert!(plate.contains(String::from_utf8_lossy(&read("token")).trim()), "its old token");
    server.terminate();
    // Once it says what `any change` holds back now: three sentinels name no other condition.
    let said = || std::fs::read_to_string(home.data().with_extension("log")).expect("a log");
    let warned = || said().matches("sentinels=3").count();
    let shows = |server: &Server| {
        let page = String::from_utf8_lossy(&server.page("/").body).into_owned();
        page.contains("3 sentinels of the first release ask") && page.contains("monitor everything")
    };
    assert_eq!(warned(), 1, "{}", said());
    let server = serve(&home, &["--trust-clock"]);
    assert!(shows(&server), "until it is dismissed");
    assert_eq!(server.form(("POST", "/"), "do=dismiss").status, 303);
    assert!(!shows(&server));
    server.terminate();
    let server = serve(&home, &["--trust-clock"]);
    assert!(!shows(&server), "it never comes again");
    assert_eq!(warned(), 1, "{}", said());
}
