//! Rules of access: what a person needs who uses no mouse, hears the page, or sees little.

use crate::webdriver::Browser;
use serde_json::{Value, json};

/// What a person who uses no mouse, hears the page or sees little needs, as far as rules can tell.
/// Headings and landmarks: one of the first level, none left out, one main part. Whatever can be
/// used has a name, no id twice, contrast, and 24 pixels to press.
const ACCESS: &str = r#"
    const wrong = [];
    if (!document.documentElement.lang || !document.title) wrong.push("no language or title");
    if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
    if (document.querySelectorAll("main").length !== 1) wrong.push("not one main");
    let level = 0;
    for (const one of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
        const own = Number(one.tagName[1]);
        if (own > level + 1) wrong.push(`h${own} after h${level}: ${one.textContent}`);
        level = own;
    }
    for (const one of document.querySelectorAll("nav, [role=search]")) {
        if (!one.matches("[aria-label], [aria-labelledby]")) wrong.push("a landmark without a name");
    }
    // A link within a sentence is as high as its line.
    const pressed = "button, select, textarea, input:not([type=hidden]), summary, .button, nav a";
    for (const one of document.querySelectorAll(pressed)) {
        const box = (one.closest("label") || one).getBoundingClientRect();
        const small = box.width > 0 && (box.width < 24 || box.height < 24);
        if (small && !one.closest("p, dd")) {
            wrong.push(`${box.width} by ${box.height} to press: ${one.outerHTML.slice(0, 80)}`);
        }
    }
    const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
    ids.filter((id, at) => ids.indexOf(id) !== at).forEach((id) => wrong.push("twice: " + id));
    for (const label of document.querySelectorAll("label[for]")) {
        if (!document.getElementById(label.htmlFor)) wrong.push("label of nothing: " + label.htmlFor);
    }
    const named = (one) => (one.getAttribute("aria-label") || one.textContent.trim()
        || [...(one.labels || [])].map((label) => label.textContent.trim()).join("") || one.title);
    const used = "a[href], button, select, textarea, input:not([type=hidden]), iframe, summary";
    for (const one of document.querySelectorAll(used)) {
        if (!named(one)) wrong.push("without a name: " + one.outerHTML.slice(0, 80));
    }
    const parts = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
        .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
    const ground = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const colour = parts(getComputedStyle(at).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    for (const one of document.querySelectorAll("body *")) {
        const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const style = getComputedStyle(one);
        if (!own || one.closest(".hidden, .skip, option") || !one.offsetParent) continue;
        const [a, b] = [light(parts(style.color)), light(ground(one))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const seen = one.outerHTML.slice(0, 80);
        if (contrast < 4.5) wrong.push(`contrast ${contrast.toFixed(2)}: ${seen}`);
    }
    return wrong;
"#;

/// What axe-core says beyond these rules, where `TIDINGS_AXE` names its script, which is no part of
/// this repository.
#[track_caller]
fn axe_finds_nothing(browser: &Browser, scheme: &str) {
    let Some(file) = std::env::var_os("TIDINGS_AXE") else { return };
    let axe = std::fs::read_to_string(file).expect("the script that TIDINGS_AXE names");
    let found = browser.run(&format!(
        "{axe}; return axe.run(document, {{ resultTypes: ['violations'], iframes: false }})\
         .then((all) => all.violations.map((one) => one.id + ': ' + one.nodes[0].html))"
    ));
    assert_eq!(found, Value::Array(Vec::new()), "axe, in {scheme}, on {}", browser.url());
}

/// A page keeps to the rules in light and in dark, and needs no scrolling sideways on a phone.
#[track_caller]
pub fn keeps_the_rules_of_access(browser: &Browser) {
    browser.find("//h1");
    for scheme in ["light", "dark"] {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        browser.emulate("setEmulatedMedia", &json!({"features": features}));
        let wrong = browser.run(ACCESS);
        assert_eq!(wrong, Value::Array(Vec::new()), "in {scheme}, on {}", browser.url());
        axe_finds_nothing(browser, scheme);
    }
    browser.emulate("setEmulatedMedia", &json!({"features": []}));
    let phone = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    browser.emulate("setDeviceMetricsOverride", &phone);
    let width = browser.run("return document.documentElement.scrollWidth");
    browser.emulate("clearDeviceMetricsOverride", &json!({}));
    assert!(width.as_u64() <= Some(390), "{width} pixels wide on a phone: {}", browser.url());
}
