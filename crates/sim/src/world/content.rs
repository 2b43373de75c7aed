//! What a simulated page shows, as a model: the oracle judges by it, never by bytes.

use crate::pace::Rng;

/// Words a page is made of.
pub(super) const WORDS: &[&str] = &["alpha", "beta", "gamma", "delta"];
const LINKS: u64 = 4;
const IMAGES: u64 = 3;

/// What a page is sent as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    /// Words only.
    Text,
}

/// A paragraph, links and images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) kind: Kind,
    pub(crate) words: Vec<&'static str>,
    pub(crate) links: Vec<u64>,
    pub(crate) images: Vec<u64>,
}

impl Content {
    pub(super) fn random(rng: &mut Rng) -> Content {
        let words = (0..rng.below(6)).map(|_| *rng.pick(WORDS)).collect();
        let links = (0..LINKS).filter(|_| rng.one_in(2)).collect();
        let images = (0..IMAGES).filter(|_| rng.one_in(2)).collect();
        Content { kind: Kind::Html, words, links, images }
    }

    /// The same words, sent as plain text.
    pub(super) fn as_text(&self) -> Content {
        let words = self.words.clone();
        Content { kind: Kind::Text, words, links: Vec::new(), images: Vec::new() }
    }

    /// A page with something of everything on it.
    pub(super) fn full() -> Content {
        let words = WORDS.to_vec();
        Content { kind: Kind::Html, words, links: vec![0], images: vec![0] }
    }

    /// A page with nothing on it.
    pub(super) fn blank() -> Content {
        Content { kind: Kind::Html, words: Vec::new(), links: Vec::new(), images: Vec::new() }
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.words.is_empty() && self.links.is_empty() && self.images.is_empty()
    }

    pub(super) fn media_type(&self) -> &'static str {
        match self.kind {
            Kind::Html => "text/html",
            Kind::Text => "text/plain",
        }
    }

    /// The body; `noise` makes other bytes of the same content.
    pub(super) fn body(&self, noise: u64) -> String {
        match self.kind {
            Kind::Html => self.html(noise),
            Kind::Text => format!("{}{}\n", self.words.join(" "), " ".repeat(noise as usize)),
        }
    }

    /// One thing is different, or rarely nothing is.
    pub(super) fn mutated(&self, rng: &mut Rng) -> Content {
        let mut content = self.clone();
        match rng.below(4) {
            0 if self.kind == Kind::Html => toggle(&mut content.links, rng.below(LINKS)),
            1 if self.kind == Kind::Html => toggle(&mut content.images, rng.below(IMAGES)),
            2 if !content.words.is_empty() => {
                let at = rng.below(content.words.len() as u64) as usize;
                content.words.remove(at);
            }
            _ => {
                let at = rng.below(content.words.len() as u64 + 1) as usize;
                content.words.insert(at, *rng.pick(WORDS));
            }
        }
        content
    }

    fn html(&self, noise: u64) -> String {
        let mut html = format!("<!-- {noise} --><p>{}</p>\n<ul>", self.words.join(" "));
        for link in &self.links {
            html.push_str(&format!(
                "<li><a href=\"https://links.example/l{link}\">link{link}</a></li>"
            ));
        }
        html.push_str("</ul>");
        for image in &self.images {
            html.push_str(&format!("<img src=\"https://images.example/i{image}.png\" alt=\"\">"));
        }
        html
    }

    /// All words in order, those of the links too.
    pub(super) fn text(&self) -> Vec<String> {
        let words = self.words.iter().map(|word| (*word).to_owned());
        words.chain(self.links.iter().map(|link| format!("link{link}"))).collect()
    }

    /// Paragraph and list items, as blocks.
    pub(super) fn blocks(&self) -> Vec<String> {
        let paragraph = Some(self.words.join(" ")).filter(|text| !text.is_empty());
        paragraph.into_iter().chain(self.links.iter().map(|link| format!("link{link}"))).collect()
    }
}

fn toggle(set: &mut Vec<u64>, one: u64) {
    match set.binary_search(&one) {
        Ok(at) => {
            set.remove(at);
        }
        Err(at) => set.insert(at, one),
    }
}
