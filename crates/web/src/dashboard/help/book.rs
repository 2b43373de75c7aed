//! The books as pages: Markdown of the repository, compiled in, made into markup once.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A page of help.
pub(super) struct Topic {
    /// The address below `/help/`.
    pub(super) slug: String,
    pub(super) title: String,
    /// Markup of our own texts.
    pub(super) html: String,
    pub(super) sections: Vec<Section>,
}

/// What stands under one heading, for a search.
pub(super) struct Section {
    pub(super) heading: String,
    /// The heading's id on the page; empty: the page's own heading.
    pub(super) anchor: String,
    pub(super) text: String,
}

const MANUAL: &str = include_str!("../../../../../docs/manual.md");

/// Books that are a topic each, after those of the manual; theory comes last.
const BOOKS: [(&str, &str); 4] = [
    ("language", include_str!("../../../../../docs/language.md")),
    ("formats", include_str!("../../../../../docs/formats.md")),
    ("glossary", include_str!("../../../../../docs/glossary.md")),
    ("theory", include_str!("../../../../../docs/theory.md")),
];

/// Files that the manual names.
const EXAMPLES: [(&str, &str); 6] = [
    ("tidings.toml", include_str!("../../../../../docs/examples/tidings.toml")),
    ("tidings.service", include_str!("../../../../../docs/examples/tidings.service")),
    ("nginx.conf", include_str!("../../../../../docs/examples/nginx.conf")),
    ("nginx-prefix.conf", include_str!("../../../../../docs/examples/nginx-prefix.conf")),
    ("haproxy.cfg", include_str!("../../../../../docs/examples/haproxy.cfg")),
    ("Caddyfile", include_str!("../../../../../docs/examples/Caddyfile")),
];

pub(super) static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    let mut drafts: Vec<(String, String, &str)> = chapters(MANUAL);
    drafts.extend(BOOKS.iter().map(|(slug, text)| {
        let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
        ((*slug).to_owned(), title.trim_start_matches("# ").to_owned(), rest)
    }));
    let places = places(&drafts);
    let made = drafts.iter().map(|(slug, title, text)| topic(slug, title, text, &places));
    let mut topics: Vec<Topic> = made.collect();
    let theory = topics.pop();
    topics.extend(EXAMPLES.iter().map(|(name, text)| example(name, text)));
    topics.extend(theory);
    topics
});

/// The manual's chapters: address, title, text.
fn chapters(manual: &'static str) -> Vec<(String, String, &'static str)> {
    let chapters = manual.split("\n## ").skip(1);
    let chapter = |chapter: &'static str| {
        let (title, rest) = chapter.split_once('\n').unwrap_or((chapter, ""));
        (slug(title), title.to_owned(), rest)
    };
    chapters.map(chapter).collect()
}

/// Which topic each anchor of a file is on, by `manual.md#anchor` and by `manual.md`.
type Places = BTreeMap<String, String>;

fn places(drafts: &[(String, String, &str)]) -> Places {
    let mut places = Places::new();
    for (topic, title, text) in drafts {
        let is_book = BOOKS.iter().any(|(slug, _)| slug == topic);
        let file = if is_book { format!("{topic}.md") } else { "manual.md".to_owned() };
        places.entry(file.clone()).or_insert_with(|| topic.clone());
        places.insert(format!("{file}#{}", slug(title)), topic.clone());
        for line in text.lines().filter(|line| line.starts_with("##")) {
            let anchor = slug(line.trim_start_matches('#').trim());
            places.entry(format!("{file}#{anchor}")).or_insert(format!("{topic}#{anchor}"));
        }
    }
    for (name, _) in EXAMPLES {
        places.insert(format!("examples/{name}"), name.to_owned());
    }
    places
}

/// The address of a heading, as forges make it.
fn slug(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn example(name: &str, text: &str) -> Topic {
    let mut html = String::from("<pre class=\"text\"><code>");
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    html.push_str(&escaped);
    html.push_str("</code></pre>");
    let section =
        Section { heading: name.to_owned(), anchor: String::new(), text: text.to_owned() };
    Topic { slug: name.to_owned(), title: name.to_owned(), html, sections: vec![section] }
}

fn topic(slug: &str, title: &str, text: &str, places: &Places) -> Topic {
    let is_book = BOOKS.iter().any(|(book, _)| *book == slug);
    let file = if is_book { format!("{slug}.md") } else { "manual.md".to_owned() };
    let page = Page { places, file, is_book };
    let (mut events, mut sections) = (
        Vec::new(),
        vec![Section { heading: title.to_owned(), anchor: String::new(), text: String::new() }],
    );
    let mut heading = None;
    let mut open_links = Vec::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match &event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let said = heading.take().unwrap_or_default();
                let anchor = self::slug(&said);
                // The id is known only now.
                let start =
                    events.iter().rposition(|one| matches!(one, Event::Start(Tag::Heading { .. })));
                if let Some(Event::Start(Tag::Heading { id, .. })) = start.map(|at| &mut events[at])
                {
                    *id = Some(CowStr::from(anchor.clone()));
                }
                sections.push(Section { heading: said, anchor, text: String::new() });
            }
            Event::Text(said) | Event::Code(said) => match (&mut heading, sections.last_mut()) {
                (Some(heading), _) => heading.push_str(said),
                (None, Some(section)) => section.text.push_str(said),
                (None, None) => {}
            },
            _ => {
                if let Some(section) = sections.last_mut() {
                    section.text.push(' ');
                }
            }
        }
        events.extend(page.shown(event, &mut open_links));
    }
    for section in &mut sections {
        section.text = section.text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let mut html = String::new();
    html::push_html(&mut html, events.into_iter());
    Topic { slug: slug.to_owned(), title: title.to_owned(), html, sections }
}

/// How one text is shown.
struct Page<'p> {
    places: &'p Places,
    file: String,
    is_book: bool,
}

impl Page<'_> {
    /// What stands for an event: links lead to topics, or are none; tables scroll on their own.
    fn shown<'e>(&self, event: Event<'e>, open: &mut Vec<bool>) -> Vec<Event<'e>> {
        match event {
            Event::Start(Tag::Heading { level, id, classes, attrs }) => {
                let level = self.level(level);
                vec![Event::Start(Tag::Heading { level, id, classes, attrs })]
            }
            Event::End(TagEnd::Heading(level)) => {
                vec![Event::End(TagEnd::Heading(self.level(level)))]
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let to = self.leads_to(&dest_url);
                open.push(to.is_some());
                let link = |to: String| Tag::Link { link_type, dest_url: to.into(), title, id };
                to.map(|to| Event::Start(link(to))).into_iter().collect()
            }
            Event::End(TagEnd::Link) => match open.pop() {
                Some(true) => vec![Event::End(TagEnd::Link)],
                _ => Vec::new(),
            },
            Event::Start(Tag::Table(columns)) => {
                let scrolls =
                    "<div class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">";
                vec![Event::Html(scrolls.into()), Event::Start(Tag::Table(columns))]
            }
            Event::End(TagEnd::Table) => {
                vec![Event::End(TagEnd::Table), Event::Html("</div>".into())]
            }
            // No text of ours needs markup.
            Event::Html(text) | Event::InlineHtml(text) => vec![Event::Text(text)],
            other => vec![other],
        }
    }

    /// A topic's own heading is the first; those below a chapter of the manual come next.
    fn level(&self, level: HeadingLevel) -> HeadingLevel {
        match (self.is_book, level) {
            (true, level) => level,
            (false, HeadingLevel::H1 | HeadingLevel::H2 | HeadingLevel::H3) => HeadingLevel::H2,
            (false, HeadingLevel::H4) => HeadingLevel::H3,
            (false, _) => HeadingLevel::H4,
        }
    }

    /// Where a link leads from a topic's page; `None`: to nothing that is served.
    fn leads_to(&self, to: &str) -> Option<String> {
        if to.starts_with("https://") || to.starts_with("http://") {
            return Some(to.to_owned());
        }
        let whole = if to.starts_with('#') { format!("{}{to}", self.file) } else { to.to_owned() };
        self.places.get(&whole).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_books_are_topics_whose_links_lead_somewhere() {
        let slugs: Vec<&str> = TOPICS.iter().map(|topic| &*topic.slug).collect();
        for slug in ["starting", "recipes", "running-it", "language", "theory", "nginx.conf"] {
            assert!(slugs.contains(&slug), "{slug} of {slugs:?}");
        }
        assert_eq!((slugs[0], slugs[slugs.len() - 1]), ("starting", "theory"));
        for topic in TOPICS.iter() {
            assert_eq!(slugs.iter().filter(|slug| **slug == topic.slug).count(), 1);
            for link in topic.html.split("href=\"").skip(1) {
                let link = link.split('"').next().unwrap();
                if link.starts_with("http") {
                    continue;
                }
                let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
                let to = TOPICS.iter().find(|topic| topic.slug == page);
                let to = to.unwrap_or_else(|| panic!("{link} on {}", topic.slug));
                let id = format!("id=\"{anchor}\"");
                assert!(anchor.is_empty() || to.html.contains(&id), "{link} on {}", topic.slug);
            }
        }
    }
}
