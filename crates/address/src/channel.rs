//! Kinds of channels, in one table that the language, the configuration and the senders read.

/// How notifications reach somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelKind {
    Interactive,
    Terminal,
    Email,
    Webhook,
}

/// What is said of a kind.
#[derive(Debug, PartialEq, Eq)]
pub struct ChannelRow {
    pub kind: ChannelKind,
    /// In sentinels, and as `kind` of a `[channels.NAME]`.
    pub name: &'static str,
    pub whom: Whom,
    /// What a `[channels.NAME]` of this kind may say besides `kind`; `None`: there can be none.
    pub fields: Option<&'static [&'static str]>,
}

/// Whom a channel reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whom {
    /// Those who look there, as a sentence names it.
    Place(&'static str),
    /// The contact that a sentinel or a `[channels.NAME]` says.
    Contact {
        form: ContactForm,
        /// The field of a `[channels.NAME]` that says it.
        field: &'static str,
        example: &'static str,
    },
}

/// What a contact looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactForm {
    MailAddress,
    Url,
}

const TABLE: [ChannelRow; 4] = [
    ChannelRow {
        kind: ChannelKind::Interactive,
        name: "interactive",
        whom: Whom::Place("the dashboard"),
        fields: None,
    },
    ChannelRow {
        kind: ChannelKind::Terminal,
        name: "terminal",
        whom: Whom::Place("the terminal"),
        fields: Some(&[]),
    },
    ChannelRow {
        kind: ChannelKind::Email,
        name: "email",
        whom: Whom::Contact {
            form: ContactForm::MailAddress,
            field: "to",
            example: "you@example.org",
        },
        fields: Some(&["to"]),
    },
    ChannelRow {
        kind: ChannelKind::Webhook,
        name: "webhook",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "https://example.org/hook",
        },
        fields: Some(&["url", "secret"]),
    },
];

impl ChannelKind {
    /// Every kind.
    pub fn all() -> impl Iterator<Item = ChannelKind> + Clone {
        TABLE.iter().map(|row| row.kind)
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<ChannelKind> {
        ChannelKind::all().find(|kind| kind.name() == name)
    }

    /// What the table says of it.
    pub fn row(self) -> &'static ChannelRow {
        &TABLE[self as usize]
    }

    /// See [`ChannelRow::name`].
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether somebody must say whom to tell.
    pub fn needs_contact(self) -> bool {
        matches!(self.row().whom, Whom::Contact { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_at_its_kind_s_place_under_a_name_of_its_own() {
        for (place, row) in TABLE.iter().enumerate() {
            assert_eq!(row.kind as usize, place);
            assert_eq!(ChannelKind::named(row.name), Some(row.kind));
            if let Whom::Contact { field, .. } = row.whom {
                assert!(row.fields.is_some_and(|fields| fields.contains(&field)), "{}", row.name);
            }
        }
        assert_eq!(ChannelKind::named("pigeon"), None);
    }
}
