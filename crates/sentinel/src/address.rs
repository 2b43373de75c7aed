//! URLs and contacts: what may be watched, what may be written to.

use crate::limits::URL_BYTES_MAX;
use crate::place::{Place, Sink};
use crate::syntax::Name;
use crate::vocabulary::is_hidden;
use url::Url;

/// The normalised URL of a source, its fragment dropped; findings go into `sink`.
pub(crate) fn source(written: &Name, sink: &mut Sink) -> Option<String> {
    let mut url = http_url(written, sink)?;
    url.set_fragment(None);
    if !url.username().is_empty() || url.password().is_some() {
        let help = "everybody who may read this sentinel can read them";
        sink.warn(written.place, "this URL holds a user name or a password", help);
    }
    Some(url.into())
}

fn http_url(written: &Name, sink: &mut Sink) -> Option<Url> {
    let (text, place) = (&*written.text, written.place);
    if text.len() > URL_BYTES_MAX {
        let message = format!("this URL has {} bytes; {URL_BYTES_MAX} are allowed", text.len());
        sink.value(place, message, "write a shorter one");
        return None;
    }
    let help = "write an http or https URL, such as https://example.org/page";
    match Url::parse(text) {
        Err(url::ParseError::RelativeUrlWithoutBase)
            if text.contains('.') && !text.contains(char::is_whitespace) =>
        {
            let message = format!("`{text}` does not begin with http:// or https://");
            sink.value(place, message, &format!("write https://{text}"));
            None
        }
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            let message = format!("`{}:` URLs cannot be used", url.scheme());
            sink.value(place, message, help);
            None
        }
        Ok(url) => Some(url),
        Err(error) => {
            sink.value(place, format!("this is not a URL: {error}"), help);
            None
        }
    }
}

/// A contact in the form in which it is stored, if it suits the channel.
pub(crate) fn contact(
    channel: &str,
    contact: &str,
    place: Place,
    sink: &mut Sink,
) -> Option<String> {
    if contact.trim().is_empty() {
        sink.value(place, "this contact is empty", "write whom to tell");
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
    match channel {
        "interactive" | "terminal" => {
            let message = format!("`{channel}` takes no contact");
            sink.value(place, message, &format!("write `notify by {channel}`"));
            None
        }
        "email" if !is_email(contact) => {
            let help = match crate::vocabulary::begins_like_url(contact) {
                true => {
                    "write `notify by webhook` for a URL, or an address such as \
                         ana@example.org"
                }
                false => "write an address such as ana@example.org",
            };
            sink.value(place, "`email` needs an email address", help);
            None
        }
        "webhook" if Url::parse(contact).is_err() && is_email(contact) => {
            let help = "write `notify by email` for an address, or an http or https URL";
            sink.value(place, "`webhook` needs a URL", help);
            None
        }
        "webhook" => {
            let written = Name { text: contact.to_owned(), place };
            http_url(&written, sink).map(String::from)
        }
        _ => Some(contact.to_owned()),
    }
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let fine = |part: &str| {
        !part.is_empty()
            && !part.contains(|c: char| c.is_whitespace() || ",;()<>[]\"\\@/".contains(c))
    };
    let labels = domain.split('.').all(|label| !label.is_empty());
    fine(local) && fine(domain) && labels && text.chars().count() <= 254
}
