//! What is secret of a channel, and how an answer that repeats it loses it.

use super::Service;
use crate::secret::Secret;
use address::Form;
use std::collections::BTreeSet;
use std::fmt;
use url::Url;

/// Shorter pieces occur in any sentence.
const PIECE_BYTES_MIN: usize = 4;

/// The secrets of a channel and their pieces, the longest first.
pub(super) struct Hidden(Vec<String>);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden")
    }
}

impl Hidden {
    /// Secret are the fields that the table says so of, every address with what stands behind its
    /// host, and whom the sentinel tells.
    pub(super) fn of(service: &Service, contact: Option<&str>) -> Hidden {
        let mut pieces = BTreeSet::new();
        for field in service.kind.fields() {
            let Some(value) = service.fields.get(field.name).map(Secret::reveal) else { continue };
            if matches!(field.form, Form::Url | Form::Broker) {
                address(value, field.example, &mut pieces);
            } else if field.secret {
                pieces.insert(value.to_owned());
            }
        }
        if let Some(contact) = contact {
            let field = service.kind.contact_field();
            let field = service.kind.fields().iter().find(|own| Some(own.name) == field);
            address(contact, field.map_or("", |field| field.example), &mut pieces);
        }
        pieces.retain(|piece| piece.len() >= PIECE_BYTES_MIN);
        let mut pieces: Vec<String> = pieces.into_iter().collect();
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
        Hidden(pieces)
    }

    /// The text with `…` in the place of every secret. O(text × secrets).
    pub(super) fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, piece| text.replace(piece, "…"))
    }
}

/// An address as a whole, from its path on, and each piece that its example does not have: those
/// are the service's own words, as `api` and `webhooks`. Any other text is taken as a whole.
fn address(text: &str, example: &str, pieces: &mut BTreeSet<String>) {
    let Ok(url) = Url::parse(text) else {
        pieces.insert(text.to_owned());
        return;
    };
    let behind = &url[url::Position::BeforePath..];
    if behind.len() > 1 {
        pieces.extend([text.to_owned(), url.to_string(), behind.to_owned(), behind[1..].into()]);
        pieces.extend([url.path().to_owned(), url.path()[1..].to_owned()]);
    }
    let path = url.path_segments().into_iter().flatten().map(str::to_owned);
    let query = url.query_pairs().map(|(_, value)| value.into_owned());
    let login = [url.username(), url.password().unwrap_or_default()].map(str::to_owned);
    let (fragment, given) = (url.fragment().map(str::to_owned), url.query().map(str::to_owned));
    for piece in path.chain(query).chain(login).chain(fragment).chain(given) {
        if !example.split(['/', '?', '=', '&']).any(|word| word == piece) {
            pieces.insert(decoded(&piece));
            pieces.insert(piece);
        }
    }
}

fn decoded(piece: &str) -> String {
    percent_encoding::percent_decode_str(piece).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use address::ChannelKind;

    fn hidden(kind: ChannelKind, url: &str, said: &str) -> String {
        let service = Service::new(kind, [("url", url.to_owned())]);
        let own = Hidden::of(&service, None).hide(said);
        let service = Service::new(kind, []);
        assert_eq!(Hidden::of(&service, Some(url)).hide(said), own, "as a sentinel's contact");
        own
    }

    #[test]
    fn no_piece_of_an_address_is_repeated_and_the_services_own_words_are() {
        let url = "https://discord.com/api/webhooks/123456/abc%2DDEF?thread_id=77777";
        for (said, shown) in [
            ("no route POST /api/webhooks/123456/abc%2DDEF?thread_id=77777", "no route POST …"),
            ("no /api/webhooks/123456/abc%2DDEF here", "no … here"),
            ("abc-DEF of 123456 is old", "… of … is old"),
            ("thread 77777 is archived", "thread … is archived"),
            ("api and webhooks are ours", "api and webhooks are ours"),
        ] {
            assert_eq!(hidden(ChannelKind::Discord, url, said), shown);
        }
        let url = "https://ntfy.example.org/secret-topic";
        assert_eq!(hidden(ChannelKind::Ntfy, url, "secret-topic is full"), "… is full");
        let url = "http://apprise.local:8000/notify/K3YS";
        assert_eq!(hidden(ChannelKind::Apprise, url, "notify K3YS: none"), "notify …: none");
    }

    #[test]
    fn the_longest_secret_goes_first_so_that_none_leaves_its_end() {
        let fields = [("token", "abcd".to_owned()), ("user", "abcdefgh".to_owned())];
        let service = Service::new(ChannelKind::Pushover, fields);
        let hidden = Hidden::of(&service, Some("abcdefghijkl"));
        assert_eq!(hidden.hide("abcdefghijkl abcdefgh abcd"), "… … …");
    }
}
