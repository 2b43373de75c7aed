//! Everything is reached by a keyboard alone: Tab, Enter and what is typed. Whatever has the focus
//! shows it, and nothing holds it.

use crate::harness::{Home, QUICK};
use crate::page::Page;
use crate::webdriver::Browser;
use serde_json::Value;

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
/// No page of these has more to stop at.
const STOPS_MAX: usize = 150;

/// What has the focus: a name, and what is wrong with how it shows that.
const FOCUSED: &str = r#"
    const one = document.activeElement;
    if (!one || one === document.body) return ["", ""];
    const labels = [...(one.labels || [])].map((label) => label.textContent.trim()).join(" ");
    const name = one.getAttribute("aria-label") || labels || one.textContent.trim() || one.title;
    if (one.tagName === "IFRAME") return [name, "frame"];
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    const inside = box.width > 0 && box.bottom > 0 && box.right > 0
        && box.top < innerHeight && box.left < innerWidth;
    return [name, outlined ? (inside ? "" : "out of sight") : "no outline"];
"#;

/// Presses Tab until what is called so has the focus.
#[track_caller]
fn tab_to(browser: &Browser, wanted: &str) {
    let mut passed: Vec<String> = Vec::new();
    for _ in 0..STOPS_MAX {
        browser.press(TAB);
        let mut focused = browser.run(FOCUSED);
        if focused[1] == "frame" {
            browser.enter_frame("//iframe");
            focused = browser.run(FOCUSED);
            browser.leave_frame();
        }
        let name = focused[0].as_str().unwrap_or_default().to_owned();
        assert_eq!(focused[1], Value::from(""), "`{name}` on {}", browser.url());
        // A button in a row says after a colon which row it means.
        if name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')) {
            return;
        }
        passed.push(name);
    }
    panic!("`{wanted}` is not reached on {}: {passed:?}", browser.url());
}

#[track_caller]
fn enter(browser: &Browser, wanted: &str) {
    tab_to(browser, wanted);
    browser.press(ENTER);
}

#[track_caller]
fn type_at(browser: &Browser, wanted: &str, text: &str) {
    tab_to(browser, wanted);
    browser.press(text);
    browser.press(ENTER);
}

#[test]
fn a_keyboard_alone_logs_in_adds_picks_edits_reads_tests_and_compares() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new(QUICK);
    let server = home.serve();
    let page = Page::of("<title>Kettle</title><h1>Kettle</h1><p class=price>49.90 EUR</p>");
    let token = std::fs::read_to_string(home.data().join("token")).expect("a token");
    browser.go(&format!("http://{}/", server.address));
    browser.find("//input[@id='token']");
    browser.press(token.trim());
    enter(&browser, "Log in");
    browser.find("//h1[text()='Dashboard']");
    // The first stop leads past the menu.
    browser.press(TAB);
    assert_eq!(browser.run(FOCUSED)[0], "Skip to the content");
    browser.press(ENTER);
    assert_eq!(browser.run("return document.activeElement.id"), "content");
    browser.reload();
    type_at(&browser, "Address of a page to watch", &page.url());
    browser.find("//h2[text()='What should Tidings tell you?']");
    enter(&browser, "Pick a part of the page");
    browser.find("//iframe");
    enter(&browser, "49.90 EUR");
    browser.find("//dd[text()='49.90 EUR']");
    enter(&browser, "Start");
    browser.find("//a[text()='Edit']");
    let name = server.items("/sentinels")[0]["name"].as_str().expect("a name").to_owned();
    let events = server.events();
    events.wait_for("version", |version| version["version"] == 1);
    enter(&browser, "Edit");
    browser.find("//input[@id='tags']");
    tab_to(&browser, "Tags");
    browser.press("kitchen");
    enter(&browser, "Save");
    browser.find("//pre[contains(., 'tag kitchen')]");
    page.show("<title>Kettle</title><h1>Kettle</h1><p class=price>39.90 EUR</p>");
    events.wait_for("notification", |_| true);
    enter(&browser, "Inbox");
    browser.find("//li[contains(@class, 'card')][contains(., '39.9')]");
    enter(&browser, "Read");
    browser.find("//h1[text()='Inbox']");
    enter(&browser, "Channels");
    browser.find("//h1[text()='Channels']");
    type_at(&browser, "Channel", "interactive");
    browser.find("//p[@role='status'][contains(., 'A test is on its way')]");
    enter(&browser, "Watches");
    browser.find("//h1[contains(., 'Watches')]");
    enter(&browser, &name);
    browser.find("//h2[text()='What it found']");
    enter(&browser, "v1 → v2");
    browser.find("//ins[contains(., '39.90')]");
    enter(&browser, "Compare");
    browser.find("//ins[contains(., '39.90')]");
    enter(&browser, "Settings");
    browser.find("//h2[text()='Logged-in browsers']");
    enter(&browser, "Log out");
    browser.find("//h1[text()='Log in']");
}
