//! Parts of a URL that name the visit and not the place: another one at each look, on pages on
//! which nothing changed.

use super::starts_with_ignore_case;

/// Parameters of a query, in lower case, that servers put into their links for each visit, or
/// that say how a reader came. None of them is used for what a page shows.
const PARAMETERS: [&str; 36] = [
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "_openstat",
    "_wpnonce",
    "authenticity_token",
    "csrf",
    "csrf_token",
    "csrfmiddlewaretoken",
    "dclid",
    "fbclid",
    "gbraid",
    "gclid",
    "gclsrc",
    "igsh",
    "igshid",
    "jsessionid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "msclkid",
    "oly_anon_id",
    "oly_enc_id",
    "phpsessid",
    "pk_campaign",
    "pk_kwd",
    "pk_source",
    "ref_src",
    "srsltid",
    "ttclid",
    "twclid",
    "vero_id",
    "wbraid",
    "yclid",
];
/// Starts of such parameters.
const PREFIXES: [&str; 5] = ["aspsessionid", "hsa_", "matomo_", "mtm_", "utm_"];
/// Java's servers put the session into the path.
const IN_PATH: &str = ";jsessionid=";

/// `url` without them; all else stays as it is written.
pub(crate) fn without(url: String) -> String {
    let (rest, fragment) = split_at(&url, '#');
    let (path, query) = split_at(rest, '?');
    let kept_path = without_session(path);
    let names_visit = |pair: &str| is_of_the_visit(pair.split('=').next().unwrap_or_default());
    let pairs = || query.get(1..).unwrap_or_default().split('&');
    if kept_path.is_none() && !pairs().any(names_visit) {
        return url;
    }
    let kept: Vec<&str> = pairs().filter(|pair| !names_visit(pair)).collect();
    let query = kept.join("&");
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{mark}{query}{fragment}", kept_path.as_deref().unwrap_or(path))
}

/// The text before `mark`, and the text from there on.
fn split_at(text: &str, mark: char) -> (&str, &str) {
    text.split_at(text.find(mark).unwrap_or(text.len()))
}

fn without_session(path: &str) -> Option<String> {
    let start = path.contains(';').then(|| path.to_ascii_lowercase().find(IN_PATH))??;
    let rest = &path[start + IN_PATH.len()..];
    let end = rest.find('/').unwrap_or(rest.len());
    Some(format!("{}{}", &path[..start], &rest[end..]))
}

fn is_of_the_visit(parameter: &str) -> bool {
    PARAMETERS.iter().any(|known| parameter.eq_ignore_ascii_case(known))
        || PREFIXES.iter().any(|prefix| starts_with_ignore_case(parameter, prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_the_visit_is_left_out_and_all_else_stays_as_written() {
        for (written, kept) in [
            (
                "https://a.example/1?id=7&utm_source=rss&b=%20#end",
                "https://a.example/1?id=7&b=%20#end",
            ),
            (
                "https://a.example/1?srsltid=AfmBO&mtm_campaign=x&pk_id=3",
                "https://a.example/1?pk_id=3",
            ),
            ("https://a.example/1?PHPSESSID=af31", "https://a.example/1"),
            ("https://a.example/1;jsessionid=A0B1.node2?x=1", "https://a.example/1?x=1"),
            ("https://a.example/s;jsessionid=A0/2", "https://a.example/s/2"),
            ("https://a.example/?", "https://a.example/?"),
            (
                "https://a.example/?q=utm_source=rss&id=gclid",
                "https://a.example/?q=utm_source=rss&id=gclid",
            ),
            ("https://a.example/#?gclid=1", "https://a.example/#?gclid=1"),
            ("mailto:a@b.example?subject=hi", "mailto:a@b.example?subject=hi"),
        ] {
            assert_eq!(without(written.to_owned()), kept);
        }
    }
}
