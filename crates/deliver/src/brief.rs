//! A notification in few words: for services that take a title and a text of limited length.

use crate::Delivery;
use crate::links::{Home, Links};
use crate::render::clean_line;
use crate::render::story::{Mark, Page, Shown, Story, Told};
use crate::template::Wording;
use notice::{Kind, Notice};
use url::Url;

/// A notification in few words.
pub(crate) struct Brief {
    /// One line.
    pub(crate) title: String,
    /// RFC 3339; may be empty.
    pub(crate) at: String,
    pub(crate) kind: Kind,
    /// The first page that changed.
    pub(crate) link: Option<String>,
    lines: Vec<Line>,
    /// Changes that no line tells.
    untold: u64,
    last: Line,
    /// What follows it where links are words: addresses in full would be longer than the message.
    further: Vec<Piece>,
}

/// One line of it.
#[derive(Default)]
struct Line {
    pieces: Vec<Piece>,
    /// How many changes it tells.
    tells: u64,
}

enum Piece {
    Text(String),
    Strong(String),
    Link { text: String, url: String },
}

/// How a service marks texts up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Plain,
    /// With a hard break at the end of each line.
    Markdown,
    /// Markdown in which nobody is called by what a page says.
    Mattermost,
    /// Slack's `mrkdwn`.
    Slack,
    /// `<b>` and `<a>`, and line ends that count.
    Html,
}

/// How long a text may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    Chars(usize),
    /// Bytes of UTF-8.
    Bytes(usize),
    /// Units of UTF-16, as JavaScript counts.
    Units(usize),
}

impl Limit {
    fn allows(self, text: &str) -> bool {
        match self {
            Limit::Chars(max) => text.len() <= max || text.chars().count() <= max,
            Limit::Bytes(max) => text.len() <= max,
            Limit::Units(max) => text.encode_utf16().count() <= max,
        }
    }
}

impl Brief {
    pub(crate) fn of(delivery: &Delivery<'_>, home: Option<Home<'_>>) -> Brief {
        let Some(notice) = Notice::read(delivery.body) else {
            let title = "A notification that this version of Tidings cannot read".to_owned();
            let (at, last, lines) = (String::new(), Line::default(), Vec::new());
            let (kind, further) = (Kind::Change, Vec::new());
            return Brief { title, at, kind, link: None, lines, untold: 0, last, further };
        };
        let story = Story::of(&notice, delivery.zone);
        let (mut lines, mut untold) = (Vec::new(), 0);
        tell(&story, &mut lines, &mut untold);
        let pages = story.pages.iter().chain(story.stories.iter().flat_map(|one| &one.pages));
        let link = pages.filter_map(|page| page.link.clone()).next();
        let mut last = Line::default();
        let from = [&story.sentinel, &story.time].map(String::as_str);
        let from: Vec<&str> = from.into_iter().filter(|text| !text.is_empty()).collect();
        if !from.is_empty() {
            last.pieces.push(Piece::Text(from.join(" · ")));
        }
        let links = home.map(|home| Links::of(home, &notice, delivery.now)).unwrap_or_default();
        let linked = |text: &str, url: Option<String>| {
            let link =
                |url| [Piece::Text(" · ".to_owned()), Piece::Link { text: text.into(), url }];
            url.into_iter().flat_map(link).collect::<Vec<_>>()
        };
        let dashboard = linked("dashboard", links.dashboard);
        last.pieces.extend(dashboard.into_iter().skip(usize::from(last.pieces.is_empty())));
        let acts = [
            linked("what changed", links.compared),
            linked("snooze", links.snooze),
            linked("stop", links.stop),
        ];
        let further = acts.into_iter().flatten().collect();
        let own = notice.detected_at.is_empty() || notice.kind == Kind::Digest;
        let at = if own { &notice.composed_at } else { &notice.detected_at };
        let at = clean_line(at, 40);
        Brief { title: story.summary, at, kind: notice.kind, link, lines, untold, last, further }
    }

    /// The same in the words of a template.
    pub(crate) fn worded(mut self, wording: Wording) -> Brief {
        let line = |text: &str, tells| Line { pieces: linked(text), tells };
        match wording {
            Wording::Plain => {}
            Wording::Own(lines) => {
                // Lines that do not fit are counted.
                self.lines = lines.iter().map(|text| line(text, 1)).collect();
                (self.untold, self.last) = (0, Line::default());
                self.further.clear();
            }
            Wording::Failed(why) => self.lines.insert(0, line(&why, 0)),
        }
        self
    }

    /// The title, at most `chars_max` characters.
    pub(crate) fn title(&self, chars_max: usize) -> String {
        clean_line(&self.title, chars_max.saturating_sub(1))
    }

    /// The line below all others.
    fn end(&self, dialect: Dialect) -> String {
        let further: &[Piece] = if dialect == Dialect::Plain { &[] } else { &self.further };
        self.last.pieces.iter().chain(further).map(|piece| dialect.piece(piece)).collect()
    }

    /// The text within `limit`: whole lines, then "and N more".
    pub(crate) fn text(&self, dialect: Dialect, limit: Limit) -> String {
        self.joined(dialect, limit, dialect.line_end())
    }

    /// As [`Brief::text`], with something else between the lines.
    pub(crate) fn joined(&self, dialect: Dialect, limit: Limit, between: &str) -> String {
        let whole = self.lines.iter().map(|line| dialect.line(line)).collect::<Vec<_>>();
        let end = |more: u64| {
            let more = (more > 0).then(|| dialect.escape(&format!("and {more} more")));
            let last = Some(self.end(dialect)).filter(|last| !last.is_empty());
            more.into_iter().chain(last).collect::<Vec<_>>()
        };
        // A line that does not fit is left out with all after it. O(length · log lines).
        let told = |count: usize| {
            let untold: u64 = self.lines[count..].iter().map(|line| line.tells).sum();
            let mut all = whole[..count].to_vec();
            all.extend(end(self.untold + untold));
            all.join(between)
        };
        let all = told(whole.len());
        if limit.allows(&all) {
            return all;
        }
        let (mut fits, mut too_many) = (String::new(), whole.len());
        let mut from = 0;
        while from < too_many {
            let middle = from + (too_many - from) / 2;
            let text = told(middle);
            if limit.allows(&text) {
                (from, fits) = (middle + 1, text);
            } else {
                too_many = middle;
            }
        }
        fits
    }
}

/// A text whose addresses are links.
fn linked(text: &str) -> Vec<Piece> {
    let is_address =
        |word: &str| Url::parse(word).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    let piece = |word: &str| {
        if is_address(word.trim_end()) {
            Piece::Link { text: word.trim_end().to_owned(), url: word.trim_end().to_owned() }
        } else {
            Piece::Text(word.to_owned())
        }
    };
    let mut pieces = Vec::new();
    for word in text.split_inclusive(' ') {
        pieces.push(piece(word));
        if word.ends_with(' ') && matches!(pieces.last(), Some(Piece::Link { .. })) {
            pieces.push(Piece::Text(" ".to_owned()));
        }
    }
    pieces
}

fn tell(story: &Story, lines: &mut Vec<Line>, untold: &mut u64) {
    let mut push = |pieces, tells| lines.push(Line { pieces, tells });
    if !story.note.is_empty() {
        push(vec![Piece::Text(story.note.clone())], 0);
    }
    for occurrence in &story.occurrences {
        push(vec![Piece::Text(occurrence.clone())], 0);
    }
    for page in &story.pages {
        push(page_pieces(page), 0);
    }
    for told in &story.changes {
        push(change_pieces(told), 1);
    }
    for page in &story.further {
        push(page_pieces(page), 0);
        if !page.held.is_empty() {
            push(vec![Piece::Text(page.held.clone())], 0);
        }
    }
    *untold += story.changes_more;
    for missed in &story.missed {
        push(vec![Piece::Text(missed.clone())], 0);
    }
    for inner in &story.stories {
        lines.push(Line { pieces: vec![Piece::Strong(inner.summary.clone())], tells: 0 });
        tell(inner, lines, untold);
    }
    *untold += story.stories_more;
}

fn page_pieces(page: &Page) -> Vec<Piece> {
    vec![match &page.link {
        Some(url) => Piece::Link { text: page.name.clone(), url: url.clone() },
        None => Piece::Text(page.name.clone()),
    }]
}

fn change_pieces(told: &Told) -> Vec<Piece> {
    let mark = match told.mark {
        Mark::Added => "+",
        Mark::Removed => "−",
        Mark::Changed => "~",
    };
    let mut pieces = vec![Piece::Strong(mark.to_owned()), Piece::Text(" ".to_owned())];
    match (&told.old, &told.new) {
        (Some(old), Some(new)) => {
            pieces.extend([shown(old), Piece::Text(" → ".to_owned()), shown(new)]);
        }
        (Some(one), None) | (None, Some(one)) => pieces.push(shown(one)),
        (None, None) => {}
    }
    let remarks = told.remarked();
    if !remarks.is_empty() {
        pieces.push(Piece::Text(format!(" [{remarks}]")));
    }
    pieces
}

fn shown(thing: &Shown) -> Piece {
    let text = thing.label(str::to_owned, str::to_owned);
    match &thing.link {
        Some(url) => Piece::Link { text, url: url.clone() },
        None => Piece::Text(text),
    }
}

impl Dialect {
    fn line_end(self) -> &'static str {
        match self {
            Dialect::Markdown => "  \n",
            _ => "\n",
        }
    }

    fn line(self, line: &Line) -> String {
        line.pieces.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(self, piece: &Piece) -> String {
        let (text, url) = match piece {
            Piece::Text(text) => return self.escape(text),
            Piece::Strong(text) => {
                let text = self.escape(text);
                return match self {
                    Dialect::Plain => text,
                    Dialect::Markdown | Dialect::Mattermost => format!("**{text}**"),
                    Dialect::Slack => format!("*{text}*"),
                    Dialect::Html => format!("<b>{text}</b>"),
                };
            }
            Piece::Link { text, url } => (self.escape(text), self.address(url)),
        };
        match self {
            Dialect::Plain if text == url => url,
            Dialect::Plain => format!("{text} {url}"),
            Dialect::Markdown | Dialect::Mattermost => format!("[{text}]({url})"),
            Dialect::Slack => format!("<{url}|{text}>"),
            Dialect::Html => format!("<a href=\"{url}\">{text}</a>"),
        }
    }

    /// A text in which nothing is markup.
    pub(crate) fn escape(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match (self, c) {
                (Dialect::Markdown | Dialect::Mattermost, c) if "\\`*_~[]<>|#".contains(c) => {
                    out.extend(['\\', c]);
                }
                (Dialect::Mattermost, '@') => out.push_str("@\u{200b}"),
                (Dialect::Slack | Dialect::Html, '&') => out.push_str("&amp;"),
                (Dialect::Slack | Dialect::Html, '<') => out.push_str("&lt;"),
                (Dialect::Slack | Dialect::Html, '>') => out.push_str("&gt;"),
                (Dialect::Html, '"') => out.push_str("&quot;"),
                // These mark up and cannot be escaped.
                (Dialect::Slack, '*' | '_' | '~' | '`' | '|') => out.extend(['\u{200b}', c]),
                (_, c) => out.push(c),
            }
        }
        out
    }

    /// A URL where the markup wants one.
    fn address(self, url: &str) -> String {
        let url = Url::parse(url).map_or_else(|_| url.to_owned(), String::from);
        match self {
            Dialect::Plain => url,
            Dialect::Markdown | Dialect::Mattermost => {
                let encoded = |c: char| match c {
                    '(' => "%28".to_owned(),
                    ')' => "%29".to_owned(),
                    '\\' => "%5C".to_owned(),
                    c => c.to_string(),
                };
                url.chars().map(encoded).collect()
            }
            Dialect::Slack => url.replace('|', "%7C").replace('&', "&amp;"),
            Dialect::Html => url.replace('&', "&amp;").replace('"', "%22"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Channel;
    use chronon::{Instant, Zone};
    use notice::{Act, LinkKey};

    const HOME: Home<'static> = Home { url: "https://home.example/", key: None };
    const NOW: Instant = Instant::from_millis(1_798_761_610_000);

    fn brief(body: &[u8], home: Option<Home<'_>>) -> Brief {
        let channel = Channel::Email { to: None };
        let zone = Zone::parse("Asia/Kathmandu").expect("a zone");
        let delivery = Delivery {
            channel: &channel,
            contact: None,
            key: "k",
            body,
            attempt: 1,
            now: NOW,
            template: None,
            zone: &zone,
        };
        Brief::of(&delivery, home)
    }

    #[test]
    fn when_it_was_is_told_by_the_readers_clock_and_to_programs_in_utc() {
        let body = br#"{"sentinel": "fares", "summary": "s",
            "detected_at": "2027-01-01T00:00:05.000Z"}"#;
        let brief = brief(body, None);
        let text = brief.text(Dialect::Plain, Limit::Bytes(9_999));
        assert_eq!(text, "fares · 2027-01-01 05:45:05 Asia/Kathmandu");
        assert_eq!(brief.at, "2027-01-01T00:00:05.000Z");
    }

    #[test]
    fn where_links_are_words_a_message_leads_to_the_change_and_can_be_stopped() {
        let body = r#"{"type": "change", "sentinel": "fares", "sentinel_id": 42, "summary": "s",
            "sources": [{"url": "https://a.example/", "from_version": 3, "to_version": 4}]}"#;
        let key = LinkKey::new([7; 32]);
        let home = Home { key: Some(&key), ..HOME };
        let brief = brief(body.as_bytes(), Some(home));
        let said = |dialect| brief.text(dialect, Limit::Bytes(9_999));
        let compared = "https://home.example/sentinels/fares/compare?from=3&to=4";
        let markdown = said(Dialect::Markdown);
        assert!(markdown.contains(&format!("[what changed]({compared})")), "{markdown}");
        for (words, act) in [("stop", Act::Stop), ("snooze", Act::Snooze)] {
            let begins = format!("[{words}](https://home.example/l/");
            let link = markdown.split(&begins).nth(1).and_then(|rest| rest.split(')').next());
            let link = link.unwrap_or_else(|| panic!("{markdown}"));
            assert!(key.read(link, NOW).is_ok_and(|link| link.act == act), "{link}");
        }
        for dialect in [Dialect::Mattermost, Dialect::Slack, Dialect::Html] {
            assert!(said(dialect).contains("https://home.example/l/stop-42-"), "{dialect:?}");
        }
        let plain = said(Dialect::Plain);
        assert!(plain.contains("dashboard") && !plain.contains("/l/"), "{plain}");
    }

    fn body(changes: usize) -> Vec<u8> {
        let change = |n: usize| {
            serde_json::json!({"type": "links", "kind": "insert", "leaf": 0, "source": 0,
                "new": {"text": format!("Deal {n} <b>*{n}*</b> @all"), "href":
                    format!("https://a.example/(x)?a=1&b={n}")}})
        };
        let body = serde_json::json!({"type": "change", "sentinel": "deals", "summary": "new links",
            "sources": [{"url": "https://a.example/"}], "changes_total": changes,
            "changes": (0..changes).map(change).collect::<Vec<_>>()});
        body.to_string().into_bytes()
    }

    #[test]
    fn each_dialect_marks_up_and_escapes_in_its_own_way() {
        let brief = brief(&body(1), Some(HOME));
        let second = |dialect| {
            let text = brief.text(dialect, Limit::Bytes(9_999));
            text.lines().nth(1).expect("a line").to_owned()
        };
        let url = "https://a.example/(x)?a=1&b=0";
        assert_eq!(second(Dialect::Plain), format!("+ Deal 0 <b>*0*</b> @all {url}"));
        assert_eq!(
            second(Dialect::Mattermost),
            "**+** [Deal 0 \\<b\\>\\*0\\*\\</b\\> @\u{200b}all]\
             (https://a.example/%28x%29?a=1&b=0)"
        );
        assert_eq!(
            second(Dialect::Slack),
            "*+* <https://a.example/(x)?a=1&amp;b=0|Deal 0 &lt;b&gt;\u{200b}*0\u{200b}*&lt;/b&gt; \
             @all>"
        );
        assert_eq!(
            second(Dialect::Html),
            "<b>+</b> <a href=\"https://a.example/(x)?a=1&amp;b=0\">\
             Deal 0 &lt;b&gt;*0*&lt;/b&gt; @all</a>"
        );
        let last = brief.text(Dialect::Markdown, Limit::Bytes(9_999));
        assert!(last.ends_with("deals · [dashboard](https://home.example/sentinels/deals)"));
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        for (changes, max) in [(3, 9_999), (80, 9_999), (80, 500), (20, 120), (20, 40)] {
            let brief = brief(&body(changes), None);
            let text = brief.text(Dialect::Plain, Limit::Chars(max));
            assert!(text.chars().count() <= max, "{text}");
            let told = text.lines().filter(|line| line.starts_with("+ ")).count();
            let more = text.lines().find_map(|line| {
                line.strip_prefix("and ")?.strip_suffix(" more")?.parse::<usize>().ok()
            });
            assert_eq!(told + more.unwrap_or(0), changes, "{text}");
        }
    }

    #[test]
    fn what_is_no_notification_says_so() {
        let brief = brief(b"\xff\xfe", None);
        assert!(brief.title(250).contains("cannot read"));
        assert_eq!(brief.text(Dialect::Html, Limit::Units(100)), "");
        assert_eq!(brief.title(10).chars().count(), 10);
    }
}
