//! What elements of a feed are, by their name spaces and names.

/// Name spaces whose names mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// RSS, Atom and none: their names do not differ in what they mean.
    Core,
    Dublin,
    Terms,
    Content,
    Xhtml,
    Itunes,
    Media,
    Other,
}

impl Space {
    pub(super) fn of(uri: &str) -> Space {
        let uri = uri.trim().to_ascii_lowercase();
        match &*uri {
            ""
            | "http://purl.org/rss/1.0/"
            | "http://purl.org/rss/1.0/modules/rss091#"
            | "http://my.netscape.com/rdf/simple/0.9/"
            | "http://channel.netscape.com/rdf/simple/0.9/"
            | "http://blogs.law.harvard.edu/tech/rss"
            | "http://cyber.law.harvard.edu/rss/rss.html"
            | "http://purl.org/atom/ns#"
            | "http://www.w3.org/2005/atom" => Space::Core,
            "http://purl.org/dc/elements/1.1/" => Space::Dublin,
            "http://purl.org/dc/terms/" => Space::Terms,
            "http://purl.org/rss/1.0/modules/content/" => Space::Content,
            "http://www.w3.org/1999/xhtml" => Space::Xhtml,
            _ if uri.starts_with("http://backend.userland.com/rss") => Space::Core,
            _ if uri.ends_with("/dtds/podcast-1.0.dtd") => Space::Itunes,
            _ if uri.starts_with("http://search.yahoo.com/mrss") => Space::Media,
            _ => Space::Other,
        }
    }

    /// What a prefix means that nobody declared.
    pub(super) fn of_prefix(prefix: &str) -> Space {
        match prefix {
            "" | "rss" | "atom" => Space::Core,
            "dc" => Space::Dublin,
            "dcterms" => Space::Terms,
            "content" => Space::Content,
            "xhtml" => Space::Xhtml,
            "itunes" => Space::Itunes,
            "media" => Space::Media,
            _ => Space::Other,
        }
    }
}

pub(super) fn is_atom(uri: &str) -> bool {
    uri == "http://purl.org/atom/ns#" || uri == "http://www.w3.org/2005/Atom"
}

/// The name spaces that make RDF a feed: RSS 0.90 and 1.0.
pub(super) fn is_rss_in_rdf(uri: &str) -> bool {
    uri == "http://purl.org/rss/1.0/"
        || uri == "http://my.netscape.com/rdf/simple/0.9/"
        || uri == "http://channel.netscape.com/rdf/simple/0.9/"
}

/// A text that is taken whole, with what stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Id,
    Title,
    /// The title of what is shown or played: the entry's, if it has no other.
    Caption,
    Summary,
    Content,
    /// Content that is HTML without saying so.
    Encoded,
    /// Content that is markup without saying so.
    Body,
    Link,
    Published,
    Updated,
    Author,
    Name,
    Email,
    Address,
}

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Holds the feed, and in RDF its entries.
    Frame,
    Feed,
    Entry,
    Person,
    /// Holds media.
    Group,
    Media,
    Enclosure,
    Field(Field),
    /// A tag inside a text.
    Markup,
    Other,
}

impl Role {
    pub(super) fn of_root(name: &str) -> Role {
        match name {
            "rss" | "rdf" => Role::Frame,
            "feed" | "channel" => Role::Feed,
            _ => Role::Other,
        }
    }
}

/// What an element is inside one of the role `parent`.
pub(super) fn role(parent: Role, space: Space, name: &str) -> Role {
    match (parent, space, name) {
        (Role::Frame, Space::Core, "channel") => Role::Feed,
        (Role::Frame | Role::Feed, Space::Core, "item" | "entry") => Role::Entry,
        (Role::Feed | Role::Entry, ..) => of_part(space, name),
        (Role::Group, Space::Media, "content") => Role::Media,
        (Role::Group, Space::Media, "title") => Role::Field(Field::Caption),
        (Role::Person, Space::Core, "name") => Role::Field(Field::Name),
        (Role::Person, Space::Core, "email") => Role::Field(Field::Email),
        (Role::Person, Space::Core, "uri" | "url" | "homepage") => Role::Field(Field::Address),
        _ => Role::Other,
    }
}

fn of_part(space: Space, name: &str) -> Role {
    let field = match (space, name) {
        (Space::Core, "author" | "managingeditor") => return Role::Person,
        (Space::Core, "enclosure") => return Role::Enclosure,
        (Space::Media, "group") => return Role::Group,
        (Space::Media, "content") => return Role::Media,
        (Space::Core, "id" | "guid") => Field::Id,
        (Space::Core | Space::Dublin, "title") => Field::Title,
        (Space::Media, "title") => Field::Caption,
        (Space::Core, "summary" | "description" | "abstract") => Field::Summary,
        (Space::Core, "content") => Field::Content,
        (Space::Core, "fullitem") | (Space::Content, "encoded") => Field::Encoded,
        (Space::Core | Space::Xhtml, "body") => Field::Body,
        (Space::Core, "link") => Field::Link,
        (Space::Core, "published" | "issued" | "pubdate") | (Space::Terms, "issued") => {
            Field::Published
        }
        (Space::Core, "updated" | "modified" | "lastbuilddate")
        | (Space::Dublin, "date")
        | (Space::Terms, "modified") => Field::Updated,
        (Space::Dublin, "creator" | "author") | (Space::Itunes, "author") => Field::Author,
        _ => return Role::Other,
    };
    Role::Field(field)
}
