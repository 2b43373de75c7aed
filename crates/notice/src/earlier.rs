//! Bodies that an earlier release composed: frozen, and on their way still.

use crate::Notice;
use std::borrow::Cow;

impl Notice {
    /// Takes user and password out of the sources' addresses, where the first release had them;
    /// says whether there were any.
    pub(crate) fn hide_credentials(&mut self) -> bool {
        let mut found = false;
        for source in &mut self.sources {
            for url in [Some(&mut source.url), source.final_url.as_mut()].into_iter().flatten() {
                let shown = address::without_credentials(url);
                if *shown != *url {
                    *url = shown.into();
                    found = true;
                }
            }
        }
        for notice in self.notifications.iter_mut().flatten() {
            found |= notice.hide_credentials();
        }
        found
    }
}

/// The body as it is to be sent and shown. What is no body, and a body of this release, stays byte
/// by byte.
pub fn as_sent(body: &[u8]) -> Cow<'_, [u8]> {
    // Most bodies have no such address: they are not read.
    let may_have_some = body.contains(&b'@');
    let read = may_have_some.then(|| Notice::read_as_it_is(body)).flatten();
    let Some(mut notice) = read else { return Cow::Borrowed(body) };
    let is_shown_less = notice.hide_credentials();
    if is_shown_less { Cow::Owned(notice.write()) } else { Cow::Borrowed(body) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    fn body(url: &str) -> String {
        let source = Source { url: url.into(), final_url: Some(url.into()), ..Source::default() };
        let member = Notice { sources: vec![source.clone()], ..Notice::default() };
        let digest = Notice {
            summary: "x".into(),
            sources: vec![source],
            notifications: Some(vec![member]),
            ..Notice::default()
        };
        String::from_utf8(digest.write()).unwrap()
    }

    #[test]
    fn a_body_of_an_earlier_release_is_read_without_user_and_password() {
        let read = |url| Notice::read(body(url).as_bytes()).unwrap();
        assert_eq!(read("https://ana:b@a.example/"), read("https://a.example/"));
    }

    #[test]
    fn it_is_sent_without_them_and_every_other_body_as_it_is() {
        let (first, sent) = (body("https://ana:b@a.example/"), body("https://a.example/"));
        assert_eq!(*as_sent(first.as_bytes()), *sent.as_bytes());
        let list = "[\"https://ana:b@a.example/\"]";
        for other in [&*sent, "{ \"summary\":  \"to ana@a.example\" }", list, "no JSON @ all", ""] {
            assert!(matches!(as_sent(other.as_bytes()), Cow::Borrowed(_)), "{other}");
        }
    }
}
