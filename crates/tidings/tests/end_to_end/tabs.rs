//! Many tabs of one browser, which opens six connections to a server and no more.

use crate::harness::{Home, QUICK};
use crate::webdriver::Browser;

const LIVE: &str = "//*[@id='live'][contains(@class, 'on')]";
const TABS: usize = 8;

#[test]
fn eight_open_tabs_are_all_live_by_one_event_stream() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new(QUICK);
    let server = home.serve();
    browser.go(home.done(&["open", "--print"]).trim());
    browser.click("//button[@id='enter']");
    browser.find(LIVE);
    let tabs: Vec<String> = (1..TABS)
        .map(|_| {
            let tab = browser.new_window();
            browser.go(&format!("http://{}/", server.address));
            browser.find(LIVE);
            tab
        })
        .collect();
    home.apply("create sentinel fresh using https://a.example/ notify by interactive");
    for tab in &tabs {
        browser.switch_to(tab);
        browser.find("//*[@id='sentinels']//a[contains(., 'fresh')]");
    }
    // A hidden tab hears nothing, and catches up when it is shown again.
    let hide = |hidden: bool| {
        browser.run(&format!(
            "Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }});\
             document.dispatchEvent(new Event('visibilitychange'));"
        ));
    };
    hide(true);
    home.apply("create sentinel later using https://b.example/ notify by interactive");
    browser.switch_to(&tabs[0]);
    browser.find("//*[@id='sentinels']//a[contains(., 'later')]");
    browser.switch_to(&tabs[TABS - 2]);
    let missing = browser.run("return document.body.textContent.includes('later')");
    assert_eq!(missing, false);
    hide(false);
    browser.find("//*[@id='sentinels']//a[contains(., 'later')]");
}
