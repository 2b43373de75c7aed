//! When content says that it changed.
//!
//! Dates of a feed's entries, `lastmod` of a sitemap, and texts that a selector finds and that are
//! a time. Days without a time of day say nothing, nor do dates that all are the same, or all fall
//! on one time of day: those are when a page was made, or a day in disguise.

use crate::Extract;
use chronon::{Instant, stamp};

/// The newest that are kept of a page.
pub const DATES_MAX: usize = 64;
/// Blocks of one view that are tried.
const BLOCKS_TRIED: usize = 64;
/// From this count on, dates that are all alike are no times.
const ALIKE_MIN: usize = 3;
const DAY_MILLIS: i64 = 86_400_000;

/// The newest of these dates, oldest first, as far as they say anything.
pub(crate) fn newest(mut dates: Vec<Instant>) -> Vec<Instant> {
    dates.sort_unstable();
    let of_day = |date: &Instant| date.as_millis().rem_euclid(DAY_MILLIS);
    let first = dates.first().map_or(0, of_day);
    if dates.len() >= ALIKE_MIN && dates.iter().all(|date| of_day(date) == first) {
        return Vec::new();
    }
    dates.drain(..dates.len().saturating_sub(DATES_MAX));
    dates
}

/// What a selector found, as far as it is times: whole texts, or values of JSON (`path: value`).
pub(crate) fn in_view(extract: &Extract) -> impl Iterator<Item = Instant> {
    let texts = extract.blocks.iter().take(BLOCKS_TRIED).map(|block| block.text.as_str());
    texts.filter_map(|text| stamp(text).or_else(|| stamp(text.split_once(": ")?.1)))
}

/// The time of an entry: when it was published, or, long after, changed.
pub(crate) fn of_entry(published: Option<Instant>, updated: Option<Instant>) -> Option<Instant> {
    match (published, updated) {
        (Some(published), Some(updated)) if updated - published > chronon::Span::HOUR => {
            Some(updated)
        }
        (published, updated) => published.or(updated),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, Limits, View, extract_dated};

    fn dates(body: &str, media: &str, views: &[&str]) -> Vec<i64> {
        let url = url::Url::parse("https://site.example/").unwrap();
        let hints = Hints { content_type: Some(media), url: &url };
        let views = views.iter().map(|key| View::of_key(key));
        let read = extract_dated(body.as_bytes(), &hints, &Limits::default(), views).unwrap();
        read.dates.iter().map(|at| at.as_millis() / 1000).collect()
    }

    const TEN: i64 = 1_714_557_600;

    #[test]
    fn entries_of_feeds_bring_their_dates() {
        let rss = "<rss version=\"2.0\"><channel><title>t</title><link>https://a.example/</link>\
            <lastBuildDate>Thu, 02 May 2024 10:00:00 GMT</lastBuildDate>\
            <item><title>b</title><pubDate>Wed, 01 May 2024 11:00:00 GMT</pubDate></item>\
            <item><title>a</title><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate></item>\
            <item><title>day</title><pubDate>Wed, 01 May 2024 00:00:00 GMT</pubDate></item>\
            <item><title>none</title></item></channel></rss>";
        assert_eq!(dates(rss, "application/rss+xml", &[]), [TEN, TEN + 3_600]);
        let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><id>i</id>\
            <updated>2024-05-03T10:00:00Z</updated>\
            <entry><id>1</id><title>a</title><published>2024-05-01T10:00:00Z</published>\
            <updated>2024-05-01T10:05:00Z</updated></entry>\
            <entry><id>2</id><title>b</title><published>2024-05-01T10:00:00Z</published>\
            <updated>2024-05-01T13:00:00+01:00</updated></entry></feed>";
        assert_eq!(dates(atom, "application/atom+xml", &[]), [TEN, TEN + 7_200]);
        let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": [
            {"id": "1", "content_text": "a", "date_published": "2024-05-01T10:00:00Z"},
            {"id": "2", "content_text": "b", "date_modified": "2024-05-01T11:00:00Z"}]}"#;
        assert_eq!(dates(json, "application/feed+json", &[]), [TEN, TEN + 3_600]);
    }

    #[test]
    fn sitemaps_and_what_selectors_find_bring_theirs() {
        let sitemap = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
            <url><loc>https://a.example/1</loc><lastmod>2024-05-01T10:00:00Z</lastmod></url>\
            <url><loc>https://a.example/2</loc><lastmod>2024-05-02</lastmod></url></urlset>";
        assert_eq!(dates(sitemap, "application/xml", &[]), [TEN]);
        let html = "<p class=t>2024-05-01T10:00:00Z</p><p>2024-05-03T10:00:00Z</p>";
        assert_eq!(dates(html, "text/html", &["css \".t\""]), [TEN]);
        assert!(dates(html, "text/html", &[]).is_empty(), "nobody asked for it");
        let json = r#"{"a": {"at": 1714557600, "by": "x"}, "at": 1}"#;
        assert_eq!(dates(json, "application/json", &["jsonpath \"$.a.at\""]), [TEN]);
    }

    #[test]
    fn dates_that_are_all_alike_say_nothing_and_few_are_kept() {
        let at =
            |hours: &[i64]| hours.iter().map(|h| Instant::from_millis(h * 3_600_000)).collect();
        assert!(newest(at(&[7, 31, 55])).is_empty(), "seven in the morning, every day");
        assert!(newest(at(&[7, 7, 7])).is_empty());
        assert_eq!(newest(at(&[7, 32, 55])).len(), 3);
        assert_eq!(newest(at(&[7, 31])).len(), 2);
        let many: Vec<i64> = (0..1_000).collect();
        assert_eq!(newest(at(&many)), at(&many[936..]));
    }
}
