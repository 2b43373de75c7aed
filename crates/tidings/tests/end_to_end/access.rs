//! Rules of access: what a person needs who uses no mouse, hears the page, or sees little.

use crate::webdriver::Browser;
use serde_json::{Value, json};

/// What a person who uses no mouse, hears the page or sees little needs, as far as rules can tell:
/// one heading of the first level, names of everything that can be used, no id twice, contrast.
const ACCESS: &str = r#"
    const wrong = [];
    if (!document.documentElement.lang || !document.title) wrong.push("no language or title");
    if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
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

/// A page keeps to the rules in light and in dark, and needs no scrolling sideways on a phone.
#[track_caller]
pub fn keeps_the_rules_of_access(browser: &Browser) {
    browser.find("//h1");
    for scheme in ["light", "dark"] {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        browser.emulate("setEmulatedMedia", &json!({"features": features}));
        let wrong = browser.run(ACCESS);
        assert_eq!(wrong, Value::Array(Vec::new()), "in {scheme}, on {}", browser.url());
    }
    browser.emulate("setEmulatedMedia", &json!({"features": []}));
    let phone = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    browser.emulate("setDeviceMetricsOverride", &phone);
    let width = browser.run("return document.documentElement.scrollWidth");
    browser.emulate("clearDeviceMetricsOverride", &json!({}));
    assert!(width.as_u64() <= Some(390), "{width} pixels wide on a phone: {}", browser.url());
}
