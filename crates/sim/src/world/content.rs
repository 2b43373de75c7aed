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

/// A paragraph, links, images, and in some worlds a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) kind: Kind,
    pub(crate) words: Vec<&'static str>,
    pub(crate) links: Vec<u64>,
    pub(crate) images: Vec<u64>,
    pub(crate) price: Option<u64>,
}

/// What a selector points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Words,
    Links,
    Price,
}

impl Part {
    pub(super) fn selector(self) -> &'static str {
        match self {
            Part::Words => "css \".words\"",
            Part::Links => "css \".links\"",
            Part::Price => "css \".price\"",
        }
    }
}

impl Content {
    pub(super) fn random(rng: &mut Rng) -> Content {
        let words = (0..rng.below(6)).map(|_| *rng.pick(WORDS)).collect();
        let links = (0..LINKS).filter(|_| rng.one_in(2)).collect();
        let images = (0..IMAGES).filter(|_| rng.one_in(2)).collect();
        Content { words, links, images, ..Content::blank() }
    }

    /// The same words, sent as plain text.
    pub(super) fn as_text(&self) -> Content {
        let words = self.words.clone();
        Content { kind: Kind::Text, words, ..Content::blank() }
    }

    /// A page with something of everything on it.
    pub(super) fn full() -> Content {
        let words = WORDS.to_vec();
        Content { words, links: vec![0], images: vec![0], ..Content::blank() }
    }

    /// A page with nothing on it.
    pub(super) fn blank() -> Content {
        let (words, links, images) = (Vec::new(), Vec::new(), Vec::new());
        Content { kind: Kind::Html, words, links, images, price: None }
    }

    pub(crate) fn is_blank(&self) -> bool {
        *self == Content { kind: self.kind, ..Content::blank() }
    }

    /// Another price, none, or the same.
    pub(super) fn priced(self, rng: &mut Rng) -> Content {
        let price = match rng.below(10) {
            _ if self.kind == Kind::Text => None,
            0 => None,
            1..=5 => Some(*rng.pick(&[30, 35, 38, 39, 40, 41, 45, 60])),
            _ => self.price,
        };
        Content { price, ..self }
    }

    /// Whether a selector finds the part.
    pub(super) fn shows(&self, part: Part) -> bool {
        self.kind == Kind::Html && !self.only(part).is_blank()
    }

    /// Nothing but the part.
    pub(super) fn only(&self, part: Part) -> Content {
        let (content, nothing) = (self.clone(), Content { kind: self.kind, ..Content::blank() });
        match part {
            Part::Words => Content { words: content.words, ..nothing },
            Part::Links => Content { links: content.links, ..nothing },
            Part::Price => Content { price: content.price, ..nothing },
        }
    }

    /// All but the part.
    pub(super) fn without(&self, part: Part) -> Content {
        let mut content = self.clone();
        match part {
            Part::Words => content.words.clear(),
            Part::Links => content.links.clear(),
            Part::Price => content.price = None,
        }
        content
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
        let class = |part| if self.shows(part) { part_class(part) } else { "" };
        let (words, links) = (class(Part::Words), class(Part::Links));
        let text = self.words.join(" ");
        let mut html = format!("<!-- {noise} --><p{words}>{text}</p>\n<ul{links}>");
        for link in &self.links {
            html.push_str(&format!(
                "<li><a href=\"https://links.example/l{link}\">link{link}</a></li>"
            ));
        }
        html.push_str("</ul>");
        for image in &self.images {
            html.push_str(&format!("<img src=\"https://images.example/i{image}.png\" alt=\"\">"));
        }
        if let Some(price) = self.price {
            html.push_str(&format!("<p{}>{price} EUR</p>", part_class(Part::Price)));
        }
        html
    }

    /// All words in order, those of the links too.
    pub(super) fn text(&self) -> Vec<String> {
        let words = self.words.iter().map(|word| (*word).to_owned());
        let links = self.links.iter().map(|link| format!("link{link}"));
        let price = self.price.into_iter().flat_map(|price| [price.to_string(), "eur".to_owned()]);
        words.chain(links).chain(price).collect()
    }

    /// Paragraph and list items, as blocks.
    pub(super) fn blocks(&self) -> Vec<String> {
        let paragraph = Some(self.words.join(" ")).filter(|text| !text.is_empty());
        let links = self.links.iter().map(|link| format!("link{link}"));
        let price = self.price.map(|price| format!("{price} EUR"));
        paragraph.into_iter().chain(links).chain(price).collect()
    }
}

fn part_class(part: Part) -> &'static str {
    match part {
        Part::Words => " class=words",
        Part::Links => " class=links",
        Part::Price => " class=price",
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
