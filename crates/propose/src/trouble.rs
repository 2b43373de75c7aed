//! What to do where a look brought nothing, in plain words.

use crate::Findings;
use page::{Kind, Odd};

/// Words below which a page is hardly one that people read.
const THIN_WORDS: usize = 3;

/// Words below which a page that asks for a password is hardly more than its form.
const FORM_WORDS: usize = 60;

/// What makes a page one that is hardly worth watching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubt {
    /// A few words for a list.
    pub badge: &'static str,
    /// "The answer is …", without the first words or a full stop.
    pub reason: &'static str,
    /// A sentence, or two.
    pub cure: &'static str,
}

/// A page that is nearly empty without a browser.
const THIN: Doubt = Doubt {
    badge: "next to no text",
    reason: "the page has next to no text without scripts",
    cure: "It is made by scripts, asks for a login, or came empty; Tidings does not run scripts. \
           Look for its feed, or the address of its data (JSON).",
};

/// A form that asks who looks, and little else.
const LOGIN: Doubt = Doubt {
    badge: "asks for a login",
    reason: "the page asks for a password, and shows little else",
    cure: "Tidings does not log in by forms. Look for a public page or a feed; where the server \
           takes a name and password in the address, write https://name:password@…",
};

/// A page that wants to know whether a person looks.
const WALL: Doubt = Doubt {
    badge: "asks who looks",
    reason: "the page asks who looks, and shows little else",
    cure: "It asks for a login or a captcha, and Tidings answers neither. Look for a public page \
           or a feed of the site.",
};

/// A page that could not be made.
const ERROR: Doubt = Doubt {
    badge: "an error page",
    reason: "the page says that it could not be made",
    cure: "The site is in trouble itself. Try again later, and check the address in a browser.",
};

/// Why a page that was found may not be the one that is meant.
pub fn doubt(found: &Findings) -> Option<Doubt> {
    if found.kind != Kind::Html {
        return found.odd.and_then(doubt_of);
    }
    if found.asks_password && found.words < FORM_WORDS {
        return Some(LOGIN);
    }
    let is_thin = found.words < THIN_WORDS && found.links == 0;
    found.odd.and_then(doubt_of).or(is_thin.then_some(THIN))
}

/// What content that is odd by itself means; nothing for what is odd beside another version.
fn doubt_of(odd: Odd) -> Option<Doubt> {
    match odd {
        Odd::Empty => Some(THIN),
        Odd::Error => Some(ERROR),
        Odd::Wall => Some(WALL),
        Odd::Foreign | Odd::Small => None,
    }
}

/// Whether a page with this summary may be in doubt though it is not odd; if not, nobody need read
/// it.
pub fn may_be_in_doubt(summary: &str) -> bool {
    let words = summary.strip_prefix("page, ").and_then(|rest| rest.split(' ').next());
    words.and_then(|count| count.parse().ok()).is_some_and(|words: usize| words < FORM_WORDS)
}

/// The cure for a look that failed with this status and reason; a sentence, or two. `named` says
/// whether the address has a name and password.
pub fn cure(status: Option<u16>, reason: &str, named: bool) -> &'static str {
    if reason.contains("fetch.allow_addresses") {
        return "If it is a page of your own, add its network to `fetch.allow_addresses` in \
                tidings.toml and start again.";
    }
    match status {
        Some(401) if named => {
            "The server refuses the name and password of the address. Check both in a browser; a \
             sign such as @, : or / in them is written as %40, %3A or %2F."
        }
        Some(401 | 407) => {
            "The page asks for a login. Where it takes a name and password in the address, write \
             https://name:password@…; otherwise look for a public page or feed."
        }
        Some(403 | 406 | 418 | 451) => {
            "The site refuses programs, or this network. Look for its feed, or set \
             `fetch.user_agent` to say who you are."
        }
        Some(404 | 410) => "There is no such page. Check the address in a browser.",
        Some(429 | 503) => {
            "The site asks to be left alone for a while. Tidings waits as long as it says; try \
             again later."
        }
        Some(500..=599) => "The site is in trouble itself. Try again later.",
        _ if reason.contains("could not be resolved") || reason.contains("has no address") => {
            "Check the spelling of the address, and that this computer is online."
        }
        _ if reason.contains("lead back to where they started") => {
            "A page does so where it wants a cookie, and Tidings keeps none. Look for a feed, or \
             for an address that needs no cookie."
        }
        _ if reason.contains("InvalidContentType") => {
            "The server speaks no TLS at that port. Write http:// before the address."
        }
        _ if reason.contains("certificate") => {
            "Its certificate is not valid; a browser would warn, too. Tell the site's owner."
        }
        _ if reason.contains("longer than") || reason.contains("larger than") => {
            "The page is larger than `fetch.body_bytes_max` allows; raise it, or watch a smaller \
             page."
        }
        _ => "Open the address in a browser to see whether it answers there.",
    }
}

#[cfg(test)]
mod tests {
    use super::{LOGIN, THIN, WALL, cure, doubt, may_be_in_doubt};
    use crate::findings;

    #[test]
    fn a_form_for_a_password_and_little_else_is_said_to_be_one() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = page::Hints { content_type: Some("text/html"), url: &url };
        let doubt_of = |body: &str| {
            let read = page::read(body.as_bytes(), &hints, &page::Limits::default());
            let read = read.expect("it is a page");
            let doubt = doubt(&findings(&read));
            assert!(doubt.is_none() || may_be_in_doubt(&page::summary(&read)), "{body}");
            doubt
        };
        let form = "<form><label>Kennwort <input type=password></label><button>Los</button></form>";
        assert_eq!(doubt_of(&format!("<h1>Bitte anmelden</h1>{form}")), Some(LOGIN));
        let full = format!("<p>{}</p>{form}", "Fares to Lisbon are low. ".repeat(20));
        assert_eq!(doubt_of(&full), None, "a page with a form beside its text");
        // No blank stands between words of Chinese or Thai.
        let chinese = "北京今天天气很好，适合外出散步。".repeat(12);
        assert_eq!(doubt_of(&format!("<p>{chinese}</p>{form}")), None);
        assert_eq!(doubt_of("<h1>今天的新闻</h1><p>这是第一条消息。"), None);
        assert_eq!(doubt_of("<p>อากาศวันนี้ดีมาก"), None);
        assert_eq!(doubt_of("<p>今天"), Some(THIN));
        assert_eq!(doubt_of(form.split("<label>").next().expect("the form")), Some(THIN));
        assert_eq!(doubt_of("<p>Verify you are human by completing this"), Some(WALL));
        assert!(!may_be_in_doubt("page, 60 words, 2 links") && !may_be_in_doubt("feed, 0 words"));
    }

    #[test]
    fn the_cure_fits_what_happened() {
        let private = "10.0.0.1 is a private address; to allow it, list it in \
                       fetch.allow_addresses";
        assert!(cure(None, private, false).contains("fetch.allow_addresses"));
        assert!(cure(Some(404), "the server answered 404", false).contains("no such page"));
        assert!(cure(Some(401), "", false).contains("login"));
        let refused = cure(Some(401), "", true);
        assert!(refused.contains("refuses the name and password") && !refused.contains("https://"));
        let in_a_circle = "the redirects lead back to where they started";
        assert!(cure(None, in_a_circle, false).contains("wants a cookie"));
        let bare = "no secure connection to 127.0.0.1:8181: received corrupt message of type \
                    InvalidContentType";
        assert!(cure(None, bare, false).contains("Write http://"));
        assert!(cure(None, "the name a.example could not be resolved", false).contains("spelling"));
    }
}
