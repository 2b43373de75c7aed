//! URLs and contacts: what may be watched, what may be written to.

use crate::limits::URL_BYTES_MAX;
use crate::place::{Place, Sink};
use crate::syntax::Name;
use crate::vocabulary::{is_hidden, nearest};
use address::{ChannelKind, ContactForm, Pasted, Whom};
use url::Url;

const URL_HELP: &str = "write an http or https URL, such as https://example.org/page";

/// The normalised URL of a source, its fragment dropped; findings go into `sink`.
pub(crate) fn source(written: &Name, sink: &mut Sink) -> Option<String> {
    let mut url = http_url(written, sink)?;
    url.set_fragment(None);
    Some(url.into())
}

fn http_url(written: &Name, sink: &mut Sink) -> Option<Url> {
    let (text, place) = (&*written.text, written.place);
    if text.len() > URL_BYTES_MAX {
        let message = format!("this URL has {} bytes; {URL_BYTES_MAX} are allowed", text.len());
        sink.value(place, message, "write a shorter one");
        return None;
    }
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && has_slashes(text) => Some(url),
        Err(error) if slip(text).is_none() => {
            sink.value(place, format!("this is not a URL: {error}"), URL_HELP);
            None
        }
        _ => {
            let (message, help) = not_a_url(text);
            sink.value(place, message, &help);
            None
        }
    }
}

/// What is wrong with a text where a URL of the web must stand, and what to write instead.
pub(crate) fn not_a_url(text: &str) -> (String, String) {
    let shown = crate::parser::shortened(text);
    if let Some(url) = slip(text) {
        let message = format!("`{shown}` does not begin with http:// or https://");
        return (message, format!("write {}", crate::parser::shortened(&url)));
    }
    let message = match scheme(text) {
        Some((scheme, _)) if !is_web(scheme) => {
            format!("`{}:` URLs cannot be used", crate::parser::shortened(scheme))
        }
        _ => format!("`{shown}` is not a URL"),
    };
    (message, URL_HELP.to_owned())
}

/// The URL that was meant, where its beginning alone went wrong: no scheme, a mistyped one, or too
/// few slashes.
pub(crate) fn slip(text: &str) -> Option<String> {
    let (written, rest) = match scheme(text) {
        Some(("feed", rest)) => scheme(rest).unwrap_or(("https", rest)),
        Some(both) => both,
        None => match text.split_once("//") {
            Some((scheme @ ("http" | "https"), rest)) => (scheme, rest),
            _ => (unwritten_scheme(text)?, text),
        },
    };
    let scheme = nearest(written, ["http", "https"])?;
    let rest = rest.trim_start_matches(['/', '\\']);
    let url = format!("{scheme}://{rest}");
    let is_url = !rest.contains(char::is_whitespace) && Url::parse(&url).is_ok();
    (is_url && url != text).then_some(url)
}

/// What stands before `:`, if it may be a scheme, and what follows. A host with a port has none.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-".contains(&byte));
    (is_scheme && !rest.starts_with(|c: char| c.is_ascii_digit())).then_some((scheme, rest))
}

/// The scheme of a URL that is written without: `None` where no host stands at its beginning.
fn unwritten_scheme(text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches(['/', '\\']);
    let host = text.split(['/', ':', '?', '#']).next().unwrap_or_default();
    match host {
        "localhost" | "127.0.0.1" => Some("http"),
        host if host.contains('.') && !host.starts_with('.') => Some("https"),
        _ => None,
    }
}

fn is_web(scheme: &str) -> bool {
    ["http", "https"].iter().any(|web| web.eq_ignore_ascii_case(scheme))
}

fn has_slashes(text: &str) -> bool {
    let text = text.trim_start().to_ascii_lowercase();
    text.starts_with("http://") || text.starts_with("https://")
}

/// The channel that a contact is written behind.
#[derive(Clone, Copy)]
pub(crate) struct Channel<'w> {
    pub(crate) name: &'w str,
    pub(crate) kind: Option<ChannelKind>,
    /// It stands in the text of another sentinel.
    pub(crate) is_inherited: bool,
}

/// A contact in the form in which it is stored, if it suits the channel.
pub(crate) fn contact(
    channel: Channel<'_>,
    contact: &str,
    place: Place,
    sink: &mut Sink,
) -> Option<String> {
    if contact.trim().is_empty() {
        sink.value(place, "this contact is empty", "write whom to notify");
        return None;
    }
    if contact.len() > URL_BYTES_MAX {
        let message = format!("this contact has more than {URL_BYTES_MAX} bytes");
        sink.value(place, message, "write a shorter one");
        return None;
    }
    if contact.chars().any(is_hidden) {
        let help = "leave out control and invisible characters";
        sink.value(place, "this contact has characters nobody can see", help);
        return None;
    }
    let Channel { name: channel, kind, is_inherited } = channel;
    if let Some(right) = frequency_meant(contact) {
        // Topics are any words.
        if kind == Some(ChannelKind::Mqtt) {
            let message = format!("`{contact}` is taken for the recipient here");
            sink.warn(place, message, &format!("write `{right}` if it says how often"));
            return Some(contact.to_owned());
        }
        let message = format!("expected a contact or a frequency, found `{contact}`");
        if is_inherited {
            sink.value(place, message, &format!("write `{right}` there, or a `notify` here"));
            return None;
        }
        let cure = crate::Cure { start: place.start, end: place.end, text: right.clone() };
        sink.value_with(place, message, &format!("write `{right}`"), cure);
        return None;
    }
    let Some(kind) = kind else { return Some(contact.to_owned()) };
    let pasted = Pasted::read(contact).filter(|_| kind.needs_contact());
    if let Some(pasted) = &pasted {
        if let Some(why) = pasted.refusal() {
            let help = if pasted.others.is_empty() {
                "change the address so"
            } else {
                "write one `notify` for each"
            };
            sink.value(place, format!("this address {why}"), help);
            return None;
        }
        match pasted.contact() {
            Some(own) if pasted.kind == kind => {
                return http_url_or_mail(own, kind, place, sink);
            }
            // A webhook may speak to whom it likes; it is not what that service reads.
            _ if pasted.kind != kind || !is_web_url(contact) => {
                let title = pasted.kind.row().title;
                let message = format!("this is an address of {title}");
                let help = meant(pasted);
                // A channel of one's own may lead to what takes the same messages.
                let is_own = channel != kind.name() && kind.needs_contact();
                if kind == ChannelKind::Webhook && is_web_url(contact) {
                    let message = format!("{message}, which does not read our webhooks");
                    sink.warn(place, message, &help);
                } else if is_own && is_web_url(contact) {
                    sink.warn(place, message, &help);
                } else {
                    sink.value(place, message, &help);
                    return None;
                }
            }
            _ => {}
        }
    }
    suiting((channel, kind), contact, place, sink)
}

/// What is meant by a word for how often that stands where the contact does.
fn frequency_meant(contact: &str) -> Option<String> {
    if ["urgently", "instantly"].iter().any(|word| word.eq_ignore_ascii_case(contact)) {
        return Some("immediately".to_owned());
    }
    crate::parser::adverb(contact).map(|period| format!("every {period}"))
}

/// "ana@example.org", or "Ana <ana@example.org>".
fn is_mailbox(contact: &str) -> bool {
    let inner = contact.strip_suffix('>').and_then(|named| named.rsplit_once('<'));
    address::is_mail(inner.map_or(contact, |(_, mail)| mail))
}

/// A contact of the form that the kind's recipients have.
fn suiting(
    (channel, kind): (&str, ChannelKind),
    contact: &str,
    place: Place,
    sink: &mut Sink,
) -> Option<String> {
    match kind.row().whom {
        Whom::Place(_) if channel != kind.name() => {
            let message = format!("`{channel}` takes no contact, and tells as it does without");
            sink.warn(place, message, &format!("write `notify by {channel}`"));
            None
        }
        Whom::Place(_) => {
            let message = format!("`{channel}` takes no contact");
            sink.value(place, message, &format!("write `notify by {channel}`"));
            None
        }
        Whom::Contact { form: ContactForm::Name, .. } => Some(contact.to_owned()),
        Whom::Contact { form: ContactForm::MailAddress, .. } if is_mailbox(contact) => {
            Some(contact.to_owned())
        }
        Whom::Contact { form: ContactForm::MailAddress, .. } => {
            let help = if crate::vocabulary::begins_like_url(contact) {
                "write `notify by webhook` for a URL, or an address such as \
                         ana@example.org"
            } else {
                "write an address such as ana@example.org"
            };
            sink.value(place, format!("`{channel}` needs an email address"), help);
            None
        }
        Whom::Contact { form: ContactForm::Url, .. }
            if Url::parse(contact).is_err() && address::is_mail(contact) =>
        {
            let help = "write `notify by email` for an address, or an http or https URL";
            sink.value(place, format!("`{channel}` needs a URL"), help);
            None
        }
        Whom::Contact { form: ContactForm::Url, .. } => {
            let written = Name { text: contact.to_owned(), place };
            http_url(&written, sink).map(String::from)
        }
    }
}

/// What to write for an address that somebody pasted, its secrets left out.
pub(crate) fn meant(pasted: &Pasted) -> String {
    let kind = pasted.kind.name();
    if let Some(why) = pasted.refusal() {
        return format!("this address of {} {why}", pasted.kind.row().title);
    }
    if pasted.contact().is_some() {
        return format!("write `notify by {kind}` and this address");
    }
    let lines = pasted.lines();
    format!("write `[channels.{kind}]` with {lines} in the configuration; then `notify by {kind}`")
}

/// A contact that an address of Apprise stands for.
fn http_url_or_mail(
    contact: &str,
    kind: ChannelKind,
    place: Place,
    sink: &mut Sink,
) -> Option<String> {
    if kind == ChannelKind::Email {
        return address::is_mail(contact).then(|| contact.to_owned());
    }
    http_url(&Name { text: contact.to_owned(), place }, sink).map(String::from)
}

fn is_web_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| is_web(scheme))
}
