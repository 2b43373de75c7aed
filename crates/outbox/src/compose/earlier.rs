//! Bodies that an earlier release composed: frozen, and on their way still.

use serde_json::Value;
use std::borrow::Cow;

/// Takes user and password out of the sources' addresses: the first release had them there.
pub fn hide_credentials(body: &mut Value) {
    for name in ["sources", "notifications"] {
        let items = body.get_mut(name).and_then(Value::as_array_mut);
        items.into_iter().flatten().for_each(hide_credentials);
    }
    for name in ["url", "final_url"] {
        if let Some(url) = body.get_mut(name)
            && let Some(text) = url.as_str()
        {
            *url = address::without_credentials(text).into();
        }
    }
}

/// The body as it is to be sent. What is no body, and a body of this release, stays byte by byte.
pub fn without_credentials(body: &[u8]) -> Cow<'_, [u8]> {
    // Most bodies have no such address: they are not read.
    let may_have_some = body.contains(&b'@');
    let read = may_have_some.then(|| serde_json::from_slice::<Value>(body).ok()).flatten();
    let Some(was) = read else { return Cow::Borrowed(body) };
    let mut shown = was.clone();
    hide_credentials(&mut shown);
    if shown == was { Cow::Borrowed(body) } else { Cow::Owned(shown.to_string().into_bytes()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn body(url: &str) -> Value {
        let sources = json!([{"url": url, "name": null, "final_url": url}]);
        json!({"summary": "x", "sources": sources, "notifications": [{"sources": sources}]})
    }

    #[test]
    fn a_body_of_an_earlier_release_is_shown_without_user_and_password() {
        let mut shown = body("https://ana:b@a.example/");
        hide_credentials(&mut shown);
        assert_eq!(shown, body("https://a.example/"));
        let mut odd = json!(["https://ana:b@a.example/"]);
        hide_credentials(&mut odd);
        assert_eq!(odd, json!(["https://ana:b@a.example/"]));
    }

    #[test]
    fn it_is_sent_without_them_and_every_other_body_as_it_is() {
        let first = body("https://ana:b@a.example/").to_string();
        let sent = body("https://a.example/").to_string();
        assert_eq!(*without_credentials(first.as_bytes()), *sent.as_bytes());
        for other in [&*sent, "{ \"summary\":  \"to ana@a.example\" }", "no JSON @ all", ""] {
            assert!(matches!(without_credentials(other.as_bytes()), Cow::Borrowed(_)), "{other}");
        }
    }
}
