//! People point at a part of a page, and change what a sentinel says, in a real browser.

use crate::access::keeps_the_rules_of_access;
use crate::harness::{Home, QUICK, Server};
use crate::page::Page;
use crate::webdriver::Browser;

/// A browser that is logged in at a server.
fn logged_in() -> Option<(Browser, Home, Server)> {
    let browser = Browser::start()?;
    let home = Home::new(QUICK);
    let server = home.serve();
    browser.go(home.done(&["open", "--print"]).trim());
    browser.click("//button[@id='enter']");
    browser.find("//h1[text()='Dashboard']");
    Some((browser, home, server))
}

/// A page that nobody watches yet: its address is pasted, a cell of its table is pressed, and the
/// sentinel that starts tells when that cell changes, in a page that has another row by then.
#[test]
fn a_part_of_a_page_is_picked_by_a_click_and_watched() {
    let Some((browser, _home, server)) = logged_in() else { return };
    let rows = "<tr><th>City<th>Fare<tr><td>Porto<td>30 EUR<tr><td>Lisbon<td>40 EUR";
    let page = Page::of(format!("<title>Fares</title><p>Hello</p><table>{rows}</table>"));
    browser.type_into("//input[@id='quick']", &page.url());
    browser.click("//form[@role='search']/button");
    browser.click("//a[text()='Pick a part of the page']");
    keeps_the_rules_of_access(&browser);
    browser.enter_frame("//iframe");
    browser.click("//a[text()='40 EUR']");
    browser.leave_frame();
    browser.find("//code[contains(., \"'Lisbon'\")]");
    browser.find("//dd[text()='40 EUR']");
    keeps_the_rules_of_access(&browser);
    browser.click("(//button[starts-with(., 'Start')])[1]");
    browser.find("//h1[contains(., 'fares-value')]");
    let events = server.events();
    events.wait_for("version", |version| version["version"] == 1);
    let later = rows.replace("<tr><td>Porto", "<tr><td>Faro<td>25 EUR<tr><td>Porto");
    let later = later.replace("40 EUR", "35 EUR");
    page.show(format!("<title>Fares</title><p>Hello</p><table>{later}</table>"));
    events.wait_for("notification", |_| true);
    browser.click("//a[text()='Inbox']");
    browser.find("//li[contains(@class, 'change')][contains(., '40')][contains(., '35')]");
}

/// A sentinel is changed by its form and as its text. What fits is offered while one writes, and
/// what is wrong is said; it is tried on the stored versions, and saved under another name.
#[test]
fn a_sentinel_is_edited_tried_on_the_past_and_renamed() {
    let Some((browser, home, server)) = logged_in() else { return };
    let page = Page::of("<title>Fares</title><h1>Fares</h1><p class=fare>40 EUR</p>");
    let sentinel = |url: &str| {
        format!("create sentinel fares using {url} monitor any change notify by interactive")
    };
    home.apply(&sentinel(&page.url()));
    let events = server.events();
    events.wait_for("version", |version| version["version"] == 1);
    for fare in [38, 36, 34] {
        let number = server.get("/sources/1/versions")["items"].as_array().map_or(0, Vec::len) + 1;
        page.show(format!("<title>Fares</title><h1>Fares</h1><p class=fare>{fare} EUR</p>"));
        events.wait_for("version", |version| version["version"] == number);
    }
    browser.go(&format!("http://{}/sentinels/fares/edit", server.address));
    keeps_the_rules_of_access(&browser);
    browser.click("//select[@id='what']/option[starts-with(., 'the number')]");
    browser.type_into("//input[@id='terms']", ".fare");
    browser.type_into("//input[@id='test']", "< 37 EUR");
    browser.click("//button[text()='Try it on the past']");
    browser.find("//section[@id='past'][contains(., '4 versions')]//strong[text()='once']");
    keeps_the_rules_of_access(&browser);
    browser.click("//button[text()='Show its text']");
    browser.find("//textarea[@id='edited'][contains(., 'value of css')]");
    browser.type_into("//textarea[@id='edited']", "  wei");
    browser.find("//ul[@role='listbox']/li[starts-with(., 'weight')]");
    browser.press("\u{e015}\u{e007}");
    browser.type_into("//textarea[@id='edited']", "x");
    browser.find("//*[@id='verdict-edited']//li[contains(., 'line')]");
    keeps_the_rules_of_access(&browser);
    browser.type_into("//textarea[@id='edited']", "\u{e003}3");
    // What is wrong stands above the buttons, which move up as it goes.
    browser.find("//*[@id='verdict-edited'][not(.//li)]");
    browser.click("//button[text()='Show the form']");
    browser.type_into("//input[@id='name']", "-below");
    browser.click("//button[text()='Check']");
    browser.find("//*[@id='means'][contains(., 'becomes fares-below')][contains(., 'anew')]");
    browser.click("//button[text()='Save']");
    browser.find("//h1[contains(., 'fares-below')]");
    let text = server.get("/sentinels/fares-below")["text"].to_string();
    assert!(text.contains("< 37 EUR") && text.contains("weight 3"), "{text}");
}

/// What somebody called noise is not told again, other numbers in it or not; that is taken back by
/// a click, and the letters of the keyboard lead through the inbox.
#[test]
fn noise_is_left_out_until_it_is_taken_back() {
    let Some((browser, home, server)) = logged_in() else { return };
    let content = |voted: u32, news: &str| {
        format!("<h1>Shop</h1><p>{voted} people voted here</p><p>{news}</p>")
    };
    let page = Page::of(content(10, "Nothing new"));
    home.apply(&format!(
        "create sentinel shop using {} monitor any change notify by interactive",
        page.url()
    ));
    let events = server.events();
    events.wait_for("version", |version| version["version"] == 1);
    page.show(content(11, "Nothing new"));
    events.wait_for("notification", |_| true);
    let url = |path: &str| format!("http://{}{path}", server.address);
    browser.go(&url("/inbox"));
    keeps_the_rules_of_access(&browser);
    browser.press("j");
    assert_eq!(browser.run("return document.activeElement.closest('.card') !== null"), true);
    browser.press("r");
    browser.find("//li[contains(@class, 'card')][not(contains(@class, 'unread'))]");
    browser.click("//button[starts-with(., 'This was noise')]");
    browser.find("//p[@role='status'][contains(., 'people voted here')]");
    keeps_the_rules_of_access(&browser);
    page.show(content(12, "Nothing new"));
    events.wait_for("version", |version| version["version"] == 3);
    page.show(content(13, "Tea is here"));
    let told = events.wait_for("notification", |_| true);
    let told = server.get(&format!("/notifications/{}", told["notification_id"]));
    let changes = told["body"]["changes"].as_array().cloned().unwrap_or_default();
    let texts = changes.iter().flat_map(|change| [&change["old"]["text"], &change["new"]["text"]]);
    let texts: Vec<&str> = texts.filter_map(|text| text.as_str()).collect();
    assert!(texts.contains(&"Tea is here"), "{told}");
    assert!(!texts.iter().any(|text| text.contains("voted")), "{told}");
    browser.go(&url("/sources/1"));
    browser.find("//section[@id='quiet'][contains(., 'somebody said that it is noise')]");
    keeps_the_rules_of_access(&browser);
    browser.click("//li[contains(., 'somebody said')]//button[text()='Tell me']");
    browser.find("//article[not(.//*[contains(., 'somebody said that it is noise')])]");
    let quiet = server.get("/sources/1/quiet").to_string();
    assert!(!quiet.contains("noise-"), "{quiet}");
}

/// The manual is a page per topic, found by words, and each keeps to the rules of access.
#[test]
fn help_is_searched_and_read() {
    let Some((browser, _home, server)) = logged_in() else { return };
    let url = |path: &str| format!("http://{}{path}", server.address);
    browser.press("?");
    browser.find("//h2[@id='keys']");
    browser.click("//button[text()='Turn these keys off']");
    browser.find("//button[text()='Turn these keys on']");
    for path in ["/help", "/help/starting", "/help/recipes", "/help/language", "/help/nginx.conf"] {
        browser.go(&url(path));
        keeps_the_rules_of_access(&browser);
    }
    browser.go(&url("/help"));
    browser.type_into("//main//input[@type='search']", "behind proxy");
    browser.click("//main//button[text()='Find']");
    keeps_the_rules_of_access(&browser);
    browser.click("(//ul[@class='lines']//a)[1]");
    browser.find("//h1[not(text()='Help')]");
}

/// A page changes after somebody saw it in Add, and before the sentinel that is started looks at
/// it: what was seen is the baseline.
#[test]
fn what_changes_between_add_and_the_first_look_is_told() {
    let home = Home::new(QUICK);
    let server = home.serve();
    let page = Page::of("<title>Kettle</title><p>Only 49.90 EUR</p>");
    let (status, proposed) = server.ask(("POST", "/propose"), &page.url());
    assert_eq!(status, 200, "{proposed}");
    let text = proposed["proposals"][0]["text"].as_str().expect("a text").to_owned();
    page.show("<title>Kettle</title><p>Only 39.90 EUR</p>");
    let events = server.events();
    assert_eq!(server.ask(("POST", "/sentinels"), &text).0, 201);
    events.wait_for("notification", |_| true);
    let told = server.items("/notifications");
    let detection = &server
        .items(&format!("/sentinels/{}/detections", told[0]["sentinel"].as_str().expect("a name")))
        [0];
    assert_eq!((&detection["from_version"], &detection["to_version"]), (&1.into(), &2.into()));
    assert_eq!(page.requests(), 2, "what a person saw is asked for once");
}
