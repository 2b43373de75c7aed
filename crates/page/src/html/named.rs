//! What id and classes say of an element: that it is around the main content, or may be.
//!
//! Some words say so of whatever they stand in: `sidebar`. Others name content as well: a policy
//! has a section `cookies`, a page for investors a `share-price`. These count where all other words
//! of the name speak of the layout: `cookie-banner`.

use super::blocks::attr;
use scraper::node::Element;

/// What names say of an element; the last says most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Named {
    /// It may be a section of the main content as well.
    Vague,
    Frame,
}

/// Words that say it of whatever they stand in.
const SURE: [&str; 13] = [
    "advert",
    "advertisement",
    "breadcrumb",
    "breadcrumbs",
    "footer",
    "megamenu",
    "modal",
    "nav",
    "navbar",
    "navigation",
    "pagination",
    "popup",
    "sidebar",
];
/// Those of them that name parts of the main content, too, within it: `footer-note`,
/// `nav-shipping`.
const SURE_OUTSIDE: [&str; 2] = ["footer", "nav"];
/// Words that name content as well.
const VAGUE: [&str; 11] = [
    "ad",
    "ads",
    "consent",
    "cookie",
    "cookies",
    "gdpr",
    "newsletter",
    "recommended",
    "related",
    "share",
    "social",
];
/// What has a sidebar, or goes without, is none.
const OTHERS: [&str; 5] = ["has", "no", "under", "with", "without"];
/// Words beside a vague one that say nothing either way.
const NEUTRAL: [&str; 9] =
    ["compliance", "for", "google", "info", "law", "media", "onetrust", "policy", "this"];
/// Words of the layout that a section of the main content may have as well.
const OF_SECTION: [&str; 9] =
    ["area", "block", "body", "container", "content", "inner", "section", "wrap", "wrapper"];
/// Words of the layout that speak of advertisements.
const OF_AD: [&str; 7] =
    ["banner", "billboard", "leaderboard", "mpu", "placeholder", "slot", "unit"];
/// Words of the layout.
#[rustfmt::skip]
const LAYOUT: [&str; 126] = [
    "accordion", "also", "area", "article", "articles", "aside", "banner", "bar", "billboard",
    "block", "body", "bottom", "box", "btn", "btns", "button", "buttons", "card", "cards",
    "carousel", "center", "col", "column", "component", "container", "content", "dark",
    "desktop", "dialog", "entry", "feed", "fixed", "follow", "form", "global", "grid", "group",
    "head", "header", "heading", "holder", "home", "horizontal", "icon", "icons", "inline",
    "inner", "inside", "item", "items", "large", "layer", "layout", "leaderboard", "left",
    "light", "like", "link", "links", "list", "main", "medium", "menu", "message", "mobile",
    "module", "mpu", "narrow", "network", "networks", "news", "notice", "notification",
    "numbers", "outer", "overlay", "page", "panel", "placeholder", "post", "posts", "primary",
    "product", "products", "prompt", "rail", "reading", "right", "root", "row", "sdk",
    "secondary", "section", "sections", "sign", "signup", "site", "slider", "slot", "small",
    "stack", "sticky", "stories", "story", "strip", "subscribe", "subscription", "teaser",
    "teasers", "title", "toast", "toolbar", "tools", "top", "topics", "track", "tray", "unit",
    "vertical", "videos", "view", "wide", "widget", "widgets", "wrap", "wrapper",
];

/// What the names of an element say. Within the main content an id alone names what a link leads
/// to: there it must speak of the layout.
pub(super) fn named(element: &Element, is_in_main: bool) -> Option<Named> {
    let names = |of, is_id| {
        let names = attr(element, of).unwrap_or_default().split_ascii_whitespace();
        names.map(move |name| (name, is_id))
    };
    let mut room = String::new();
    let said = names("id", true).chain(names("class", false)).take(NAMES_MAX);
    said.filter_map(|(name, is_id)| {
        let said = Said::of(name, &mut room);
        if is_in_main { said.within_main(is_id) } else { said.outside() }
    })
    .max()
}

/// Words of an `<aside>` that one is to read, or where one buys.
const CONTENT: [&str; 19] = [
    "admonition",
    "alert",
    "attention",
    "buy",
    "buybox",
    "callout",
    "cart",
    "caution",
    "danger",
    "important",
    "note",
    "notice",
    "pitfall",
    "price",
    "pricing",
    "product",
    "purchase",
    "tip",
    "warning",
];

/// Words of an `<aside>` that has something else to offer.
const OFFERS: [&str; 11] = [
    "popular",
    "promo",
    "promos",
    "recommendations",
    "signup",
    "sponsored",
    "subscribe",
    "teaser",
    "trending",
    "widget",
    "widgets",
];

/// Whether names and label of an `<aside>` say that it is a frame, or that it is none.
pub(super) fn aside(element: &Element, is_in_main: bool) -> Option<bool> {
    let label = attr(element, "aria-label").unwrap_or_default();
    let mut room = String::new();
    if named(element, is_in_main).is_some() || Said::of(label, &mut room).outside().is_some() {
        return Some(true);
    }
    let said = ["role", "id", "class"].into_iter().filter_map(|of| attr(element, of));
    let names = said.flat_map(str::split_ascii_whitespace).take(NAMES_MAX).chain([label]);
    let (mut is_offer, mut is_content) = (false, false);
    for name in names {
        each_word(name, &mut room, |word| {
            is_offer |= OFFERS.binary_search(&word).is_ok();
            is_content |= CONTENT.binary_search(&word).is_ok();
        });
    }
    (is_offer || is_content).then_some(is_offer)
}

/// Words of a bar that says what is urgent.
const ALERTS: [&str; 6] = ["alert", "danger", "emergency", "notice", "urgent", "warning"];

/// Whether a name of an element says that it is a bar for what is urgent: `site-alert`.
pub(super) fn is_alert(element: &Element) -> bool {
    let mut room = String::new();
    let said = ["id", "class"].into_iter().filter_map(|of| attr(element, of));
    let mut names = said.flat_map(str::split_ascii_whitespace).take(NAMES_MAX);
    names.any(|name| {
        let (mut is_alert, mut is_other) = (false, false);
        each_word(name, &mut room, |word| {
            let is_one = ALERTS.binary_search(&word).is_ok();
            is_alert |= is_one;
            let is_of_layout = word.is_empty() || LAYOUT.binary_search(&word).is_ok();
            is_other |= !is_one && !is_of_layout && NEUTRAL.binary_search(&word).is_err();
        });
        is_alert && !is_other
    })
}

/// Whether an element is one of several that are shown in turn, as a person chooses.
pub(super) fn is_tab(element: &Element) -> bool {
    let classes = attr(element, "class").unwrap_or_default();
    attr(element, "role").is_some_and(|role| role.eq_ignore_ascii_case("tabpanel"))
        || classes.split_ascii_whitespace().any(|class| class == "tab-pane")
}

/// What the words of one name say.
#[derive(Default)]
struct Said {
    is_sure: bool,
    is_sure_in_main: bool,
    is_vague: bool,
    is_ad: bool,
    /// A word speaks of the layout.
    is_layout: bool,
    /// It is one that no section of the main content has.
    is_box: bool,
    /// A word speaks of something else, and is no name of a maker before two that fit.
    is_of_more: bool,
    is_other: bool,
}

impl Said {
    fn of(name: &str, room: &mut String) -> Said {
        let mut said = Said::default();
        // The word before is a vague one; `None`: it is not.
        let mut follows = None;
        each_word(name, room, |word| {
            let is_in = |words: &[&str]| words.binary_search(&word).is_ok();
            let after = if word.is_empty() { follows } else { follows.take() };
            if is_in(&OTHERS) {
                said.is_other = true;
            } else if is_in(&SURE) {
                said.is_sure = true;
                said.is_sure_in_main |= !is_in(&SURE_OUTSIDE);
            } else if is_in(&VAGUE) {
                let is_ad = matches!(word, "ad" | "ads");
                said.is_vague = true;
                said.is_ad |= is_ad;
                said.is_of_more &= after.is_none();
                follows = Some(is_ad);
            } else if is_in(&LAYOUT) {
                said.is_layout = true;
                said.is_box |= !is_in(&OF_SECTION);
                // `acme-share-links`, but not `job-ad-list`.
                said.is_of_more &= after.is_none_or(|is_ad| is_ad && !is_in(&OF_AD));
            } else if word.len() > SHORT_MAX && !is_in(&NEUTRAL) {
                said.is_of_more = true;
            }
        });
        said
    }

    fn outside(&self) -> Option<Named> {
        let is_frame = self.is_sure || (self.is_vague && !self.is_of_more);
        (is_frame && !self.is_other).then_some(Named::Frame)
    }

    fn within_main(&self, is_id: bool) -> Option<Named> {
        if self.is_other || (self.is_of_more && !self.is_sure_in_main) {
            return None;
        }
        match self.is_vague && !self.is_sure {
            true if is_id && !self.is_layout => None,
            true if !self.is_box && !self.is_ad => Some(Named::Vague),
            _ => (self.is_sure || self.is_vague).then_some(Named::Frame),
        }
    }
}

/// Says the words of a name in lower case: `siteFooter` and `site-footer` have two. Some are empty.
fn each_word(name: &str, room: &mut String, mut say: impl FnMut(&str)) {
    room.clear();
    let mut lower = false;
    for c in name.chars().take(NAME_CHARS_MAX) {
        if !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && lower) {
            say(room);
            room.clear();
        }
        lower = c.is_ascii_lowercase();
        if c.is_ascii_alphabetic() {
            room.push(c.to_ascii_lowercase());
        }
    }
    say(room);
}

/// Letters of a word that says nothing: `wp`.
const SHORT_MAX: usize = 2;
/// Names of an element, and characters of a name, that are looked at.
const NAMES_MAX: usize = 20;
const NAME_CHARS_MAX: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_words_however_it_is_written() {
        let words = |name| {
            let mut words = Vec::new();
            each_word(name, &mut String::new(), |word| words.push(word.to_owned()));
            words.retain(|word| !word.is_empty());
            words
        };
        assert_eq!(words("siteFooter main_nav x2y"), ["site", "footer", "main", "nav", "x", "y"]);
    }

    #[test]
    fn the_words_are_sorted() {
        for words in
            [&SURE[..], &SURE_OUTSIDE, &VAGUE, &OTHERS, &NEUTRAL, &OF_SECTION, &OF_AD, &LAYOUT]
        {
            assert!(words.is_sorted());
        }
    }

    #[test]
    fn a_bar_for_what_is_urgent_is_known_by_its_name() {
        let said = |class: &str| {
            let body = format!("<div class='{class}'>x</div>");
            let html = scraper::Html::parse_fragment(&body);
            let selector = scraper::Selector::parse("div").expect("a selector");
            is_alert(html.select(&selector).next().expect("it is there").value())
        };
        for class in ["alert-bar", "site-notice", "alert alert-info", "emergencyBanner", "urgent"] {
            assert!(said(class), "{class}");
        }
        for class in ["legal-notice", "alerts-signup-x", "top-bar", "copyright-notice", "card"] {
            assert!(!said(class), "{class}");
        }
    }

    #[test]
    fn a_name_is_that_of_a_frame_by_all_of_its_words() {
        let said = |name, is_in_main, is_id| {
            let said = Said::of(name, &mut String::new());
            let named = if is_in_main { said.within_main(is_id) } else { said.outside() };
            named.map(|named| if named == Named::Frame { "frame" } else { "vague" })
        };
        for name in [
            "cookie-banner",
            "siteFooter",
            "acme-c-share-links",
            "wp-block-social-links",
            "acme-ad-mpu",
        ] {
            assert_eq!(said(name, false, false), Some("frame"), "{name}");
        }
        for name in
            ["share-price", "job-ad", "social-security", "job-ad-list", "ads-terms", "with-sidebar"]
        {
            assert_eq!(said(name, false, false), None, "{name}");
            assert_eq!(said(name, true, false), None, "{name}");
        }
        assert_eq!(said("wp-footer-note", false, false), Some("frame"));
        for name in ["footer-note", "nav-shipping"] {
            assert_eq!(said(name, true, false), None, "{name}");
        }
        for name in ["cookies", "newsletter", "social-media", "cookie_policy"] {
            assert_eq!(said(name, true, true), None, "{name}");
            assert_eq!(said(name, true, false), Some("vague"), "{name}");
        }
        for name in ["sidebar", "footer", "site-nav", "cookie-banner", "blog-sidebar", "ad-slot"] {
            assert_eq!(said(name, true, true), Some("frame"), "{name}");
        }
        assert_eq!(said("cookies-section", true, false), Some("vague"));
        assert_eq!(said("ad", true, false), Some("frame"));
    }
}
