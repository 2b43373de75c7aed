//! People come in by their browser: directly and through the proxies of the manual, with and
//! without TLS. And nobody comes in who has neither token nor session, whatever the proxy says.

use crate::access::keeps_the_rules_of_access;
use crate::harness::{Home, QUICK, Server, have};
use crate::page::Page;
use crate::proxies::{Ports, Proxy, example, free_port};
use crate::webdriver::Browser;
use crate::wire;
use serde_json::Value;
use std::path::Path;

const LOG_IN_PAGE: &str = "//h1[text()='Log in']";
const DASHBOARD: &str = "//h1[text()='Dashboard']";

/// A server, and the address at which a browser finds it.
struct Door {
    home: Home,
    server: Server,
    /// With a slash at its end.
    url: String,
}

impl Door {
    /// A server whose pages have `url`.
    fn public(url: &str) -> Door {
        let settings =
            format!("public_url = {url:?}\ntrusted_proxies = [\"127.0.0.1/32\"]\n{QUICK}");
        let home = Home::new(&settings);
        let server = home.serve();
        Door { home, server, url: url.to_owned() }
    }

    /// Everything that a person does to come in, to change something, and to leave.
    fn is_lived_in(&self, browser: &Browser) {
        self.a_stranger_sees_the_form_and_a_wrong_token_is_said_to_be_wrong(browser);
        self.a_link_logs_in_by_its_button_alone(browser);
        self.buttons_change_things_and_pages_are_live(browser);
        self.a_session_that_is_over_leads_to_the_form(browser);
        self.a_token_logs_in_and_a_button_logs_out(browser);
    }

    fn a_stranger_sees_the_form_and_a_wrong_token_is_said_to_be_wrong(&self, browser: &Browser) {
        browser.go(&self.url);
        browser.find(LOG_IN_PAGE);
        browser.type_into("//input[@id='token']", "a wrong one");
        browser.click("//button[text()='Log in']");
        browser.find("//*[@role='alert'][text()='This is not a token of this server.']");
        assert_eq!(browser.url(), format!("{}login", self.url));
    }

    fn a_link_logs_in_by_its_button_alone(&self, browser: &Browser) {
        let link = self.home.done(&["open", "--print"]);
        let link = link.trim();
        assert!(link.starts_with(&self.url), "{link}");
        for _preview in 0..2 {
            browser.go(link);
            browser.find("//button[@id='enter']");
        }
        browser.click("//button[@id='enter']");
        browser.find(DASHBOARD);
        assert_eq!(browser.url(), self.url);
        let sessions = self.sessions();
        assert_eq!(sessions.as_array().map(Vec::len), Some(1), "{sessions}");
    }

    fn buttons_change_things_and_pages_are_live(&self, browser: &Browser) {
        browser.find("//*[@id='live'][contains(., 'live')][not(contains(., 'not live'))]");
        let page = Page::of("<p>one</p>");
        let text = format!("create sentinel fresh using {} notify by interactive", page.url());
        browser.type_into("//textarea[@id='text']", &text);
        browser.click("//button[@id='add'][not(@disabled)]");
        // It is an event that brings it here.
        browser.click("//*[@id='sentinels']//a[contains(., 'fresh')]");
        browser.click("//button[text()='Disable']");
        browser.find("//button[text()='Enable']");
        let sentinel = self.server.get("/sentinels/fresh");
        assert_eq!(sentinel["state"], "disabled", "{sentinel}");
    }

    fn a_session_that_is_over_leads_to_the_form(&self, browser: &Browser) {
        let id = self.sessions()[0]["id"].to_string();
        self.home.done(&["sessions", "end", &id]);
        browser.reload();
        browser.find(LOG_IN_PAGE);
    }

    fn a_token_logs_in_and_a_button_logs_out(&self, browser: &Browser) {
        let token = std::fs::read_to_string(self.home.data().join("token")).expect("a token");
        browser.type_into("//input[@id='token']", token.trim());
        browser.click("//button[text()='Log in']");
        // Back to the page that was asked for.
        browser.find("//button[text()='Enable']");
        browser.click("//button[text()='Log out']");
        browser.find(LOG_IN_PAGE);
        browser.go(&self.url);
        browser.find(LOG_IN_PAGE);
        assert_eq!(self.sessions(), Value::Array(Vec::new()));
    }

    fn sessions(&self) -> Value {
        let json = self.home.done(&["sessions", "--json"]);
        serde_json::from_str(&json).expect("JSON")
    }
}

/// A newcomer's way: paste an address, take a proposal, see it among the watches, change its text,
/// and read in the inbox what changed.
#[test]
fn a_page_is_added_by_its_address_edited_and_told_of() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new(QUICK);
    let server = home.serve();
    let page = Page::of("<title>Acme kettle</title><p>49.90 EUR</p>");
    browser.go(home.done(&["open", "--print"]).trim());
    browser.click("//button[@id='enter']");
    browser.type_into("//input[@id='quick']", &page.url());
    browser.click("//form[@role='search']/button");
    browser.find("//h3[contains(., 'the price, now 49.90 EUR, changes')]");
    browser.click("(//button[starts-with(., 'Start')])[1]");
    browser.find("//h1[contains(., 'acme-kettle-price')]");
    browser.click("//a[text()='Edit']");
    browser.find("//*[@id='means'][text()='Nothing changes.']");
    browser.click("//button[text()='Show its text']");
    browser.type_into("//textarea[@id='edited']", "\n  weight 3");
    browser.click("//button[text()='Check']");
    browser.find("//*[@id='means'][contains(., 'in place')]");
    browser.click("//button[text()='Save']");
    browser.find("//pre[contains(., 'weight 3')]");
    browser.click("//a[text()='Watches']");
    browser.find("//h2/a[text()='acme-kettle-price']");
    browser.click("//a[text()='Inbox']");
    browser.find("//p[contains(., 'Nothing has changed yet')]");
    assert_eq!(
        server.get("/sentinels/acme-kettle-price")["text"]
            .as_str()
            .map(|text| { text.contains("weight 3") }),
        Some(true)
    );
}

/// The places that one proxy makes of an example's file: over TLS and, if it has that, without.
fn through(proxy: fn(&Path, &str) -> Proxy, file: &str, places: &[(&str, &str)]) {
    let Some(browser) = Browser::start() else { return };
    for (scheme, name) in places {
        let (tls, plain) = (free_port(), free_port());
        let port = if *scheme == "https" { tls } else { plain };
        let (host, path) = name.split_once('/').unwrap_or((name, ""));
        let place = Door::public(&format!("{scheme}://{host}:{port}/{path}"));
        let folder = place.home.path("proxy");
        let ports = Ports { tls, plain, server: place.server.address };
        let _running = proxy(&folder, &example(&folder, file, ports));
        place.is_lived_in(&browser);
    }
}

const BOTH: [(&str, &str); 2] = [("https", "tidings.example"), ("http", "tidings.example")];

#[test]
fn a_browser_comes_in_directly() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new(QUICK);
    let server = home.serve();
    let url = format!("http://{}/", server.address);
    Door { home, server, url }.is_lived_in(&browser);
}

#[test]
fn a_browser_comes_in_through_the_manuals_nginx() {
    if have("nginx") {
        through(Proxy::nginx, "nginx.conf", &BOTH);
    }
}

#[test]
fn a_browser_comes_in_through_the_manuals_nginx_below_a_path() {
    if have("nginx") {
        through(Proxy::nginx, "nginx-prefix.conf", &[("https", "home.example/tidings/")]);
    }
}

#[test]
fn a_browser_comes_in_through_the_manuals_haproxy() {
    if have("haproxy") {
        through(Proxy::haproxy, "haproxy.cfg", &BOTH);
    }
}

#[test]
fn a_browser_comes_in_through_the_manuals_caddy() {
    if have("caddy") {
        through(Proxy::caddy, "Caddyfile", &BOTH);
    }
}

/// Nobody who is anonymous gets further than the form.
fn strangers_stay_outside(proxy: impl FnOnce(&Path, u16, &Server) -> Proxy) {
    let home = Home::new(QUICK);
    let server = home.serve();
    let port = free_port();
    let folder = home.path("proxy");
    let _running = proxy(&folder, port, &server);
    let at = ([127, 0, 0, 1], port).into();
    let ask = |what, headers: &[_], body: &str| {
        wire::ask(at, what, headers, body.as_bytes()).expect("an answer")
    };
    let home_page = ask(("GET", "/"), &[], "");
    let location = home_page.headers.iter().find(|(name, _)| name == "location");
    assert_eq!(home_page.status, 303);
    assert!(location.is_some_and(|(_, to)| to.ends_with("/login")), "{location:?}");
    assert!(home_page.headers.iter().all(|(name, _)| name != "set-cookie"));
    let text = "create sentinel foreign using https://a.example/";
    let spoofed = [("x-forwarded-for", "127.0.0.1"), ("x-real-ip", "127.0.0.1")];
    for headers in [&[][..], &spoofed[..]] {
        assert_eq!(ask(("POST", "/api/v1/sentinels"), headers, text).status, 401);
        assert_eq!(ask(("GET", "/api/v1/sentinels"), headers, "").status, 401);
    }
    assert!(server.items("/sentinels").is_empty());
}

#[test]
fn strangers_stay_outside_behind_every_usual_nginx() {
    if !have("nginx") {
        return;
    }
    let host = "proxy_set_header Host $host;";
    let proto = "proxy_set_header Host $host; proxy_set_header X-Forwarded-Proto $scheme;";
    for headers in ["", host, proto] {
        strangers_stay_outside(|folder, port, server| {
            let to = server.address;
            let configuration = format!(
                "server {{ listen 127.0.0.1:{port}; \
                 location / {{ proxy_pass http://{to}; {headers} }} }}"
            );
            Proxy::nginx(folder, &configuration)
        });
    }
}

#[test]
fn strangers_stay_outside_behind_haproxys_defaults() {
    if !have("haproxy") {
        return;
    }
    strangers_stay_outside(|folder, port, server| {
        let to = server.address;
        let configuration = format!(
            "defaults\n  mode http\n  timeout connect 5s\n  timeout client 50s\n  \
             timeout server 50s\n  option forwardfor\nfrontend f\n  bind 127.0.0.1:{port}\n  \
             default_backend b\nbackend b\n  server s {to}\n"
        );
        Proxy::haproxy(folder, &configuration)
    });
}

/// Versions are compared, the page is shown as it was, and its sentinel is snoozed, renamed,
/// removed and taken back; each page keeps to the rules of access.
#[test]
fn versions_are_compared_and_a_sentinel_is_quiet_for_a_while() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new(QUICK);
    let server = home.serve();
    let page =
        Page::of("<h1>Deals</h1><p>Lisbon 40 EUR</p><script>document.title = 'ran'</script>");
    home.apply(&format!("create sentinel deals using {} notify by interactive", page.url()));
    let events = server.events();
    events.wait_for("version", |version| version["version"] == 1);
    page.show("<h1>Deals</h1><p>Lisbon 35 EUR</p>");
    events.wait_for("notification", |_| true);
    browser.go(home.done(&["open", "--print"]).trim());
    browser.click("//button[@id='enter']");
    browser.find(DASHBOARD);
    let url = |path: &str| format!("http://{}{path}", server.address);
    browser.go(&url("/sources/1/compare?view=side"));
    browser.find("//del[contains(., '40')]");
    browser.find("//ins[contains(., '35')]");
    browser.find("//option[contains(., 'told')]");
    keeps_the_rules_of_access(&browser);
    browser.click("(//a[text()='as it was'])[1]");
    browser.find("//iframe[@title='The page as it was']");
    keeps_the_rules_of_access(&browser);
    browser.go(&url("/sources/1/versions/1/shown"));
    browser.find("//p[text()='Lisbon 40 EUR']");
    assert_eq!(browser.run("return document.title"), "A page as it was");
    browser.go(&url("/sentinels/deals"));
    keeps_the_rules_of_access(&browser);
    browser.click("//summary[text()='Snooze, rename']");
    browser.click("//button[text()='Snooze']");
    browser.click("//button[text()='Wake it now']");
    browser.click("//summary[text()='Snooze, rename']");
    browser.type_into("//input[@id='to']", "-2");
    browser.click("//button[text()='Rename']");
    browser.find("//h1[contains(., 'deals-2')]");
    browser.click("//button[text()='Remove']");
    browser.click("//button[text()='Take it back']");
    browser.find("//button[text()='Remove']");
    assert!(server.get("/sentinels/deals-2")["gone_at"].is_null());
    for path in [
        "/",
        "/inbox",
        "/watches",
        "/channels",
        "/plan",
        "/rules",
        "/rules/next",
        "/feeds",
        "/settings",
        "/help",
        "/help/starting",
        "/sentinels/deals-2/edit",
        "/add",
        "/sources/1",
    ] {
        browser.go(&url(path));
        keeps_the_rules_of_access(&browser);
    }
}

/// A rule is found by the menu, shows what waits, and is switched off by a form; a drawing that is
/// wider than a phone scrolls within its panel.
#[test]
fn rules_are_seen_and_switched_off_on_a_phone() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new(QUICK);
    let server = home.serve();
    home.apply(
        "create rule undone on event deploy ; (event tested and event sealed) ; event rollback \
         do raise deploy",
    );
    home.done(&["raise", "deploy"]);
    browser.go(home.done(&["open", "--print"]).trim());
    browser.click("//button[@id='enter']");
    browser.find(DASHBOARD);
    browser.click("//nav//a[text()='Rules']");
    browser.click("//h2/a[text()='undone']");
    browser.find("//li[contains(., 'waits for') and contains(., 'event deploy')]");
    browser.find("//*[name()='svg' and @role='group']");
    keeps_the_rules_of_access(&browser);
    let width = "document.body.style.width = '390px'; return document.body.scrollWidth";
    assert_eq!(browser.run(width), 390);
    browser.click("//button[text()='Disable']");
    browser.find("//p[contains(., 'It is disabled')]");
    keeps_the_rules_of_access(&browser);
    browser.go(&format!("http://{}/rules", server.address));
    browser.find("//span[text()='disabled']");
    keeps_the_rules_of_access(&browser);
}
