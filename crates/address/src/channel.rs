//! Kinds of channels, in one table that the language, the configuration, the senders, the sample
//! file and the manual read.

/// How notifications reach somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelKind {
    Interactive,
    Terminal,
    Email,
    Webhook,
    Ntfy,
    Gotify,
    Slack,
    Discord,
    Mattermost,
    Teams,
    Telegram,
    Matrix,
    Pushover,
    Signal,
    Apprise,
    Mqtt,
    Command,
}

/// What is said of a kind.
#[derive(Debug, PartialEq, Eq)]
pub struct ChannelRow {
    pub kind: ChannelKind,
    /// In sentinels, and as `kind` of a `[channels.NAME]`.
    pub name: &'static str,
    /// As its makers write it.
    pub title: &'static str,
    pub whom: Whom,
    /// What a `[channels.NAME]` of this kind may say besides `kind`; `None`: there can be none.
    pub fields: Option<&'static [Field]>,
}

/// One line of a `[channels.NAME]`.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub form: Form,
    /// Never shown, and never written to a log.
    pub secret: bool,
    /// Without it, there is no channel.
    pub needed: bool,
    /// A phrase for the manual and the sample.
    pub about: &'static str,
    pub example: &'static str,
}

/// What the value of a field looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// An `http` or `https` URL.
    Url,
    /// `mqtt://host:port` or `mqtts://host:port`.
    Broker,
    Text,
    /// A mail address, or one as `Ana <ana@example.org>`.
    Mail,
    /// Words, the first of which is a program.
    Words,
    /// A whole number within these bounds.
    Whole(i64, i64),
    OneOf(&'static [&'static str]),
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
    /// What the service understands: a number, a room, a topic.
    Name,
}

const fn field(name: &'static str, about: &'static str, example: &'static str) -> Field {
    Field { name, form: Form::Text, secret: false, needed: false, about, example }
}

const fn url(about: &'static str, example: &'static str) -> Field {
    Field { form: Form::Url, ..field("url", about, example) }
}

const fn secret(name: &'static str, about: &'static str, example: &'static str) -> Field {
    Field { secret: true, ..field(name, about, example) }
}

const fn needed(field: Field) -> Field {
    Field { needed: true, ..field }
}

const fn priority(min: i64, max: i64, about: &'static str, example: &'static str) -> Field {
    Field { form: Form::Whole(min, max), ..field("priority", about, example) }
}

const FORMAT: Field = Field {
    form: Form::OneOf(&["json", "text"]),
    ..field("format", "json, the body of a webhook, or text", "json")
};

/// What every channel may say about when it is told: a key, an example of its value, and what it
/// is for.
pub const MANNERS: [(&str, &str, &str); 4] = [
    (
        "quiet_hours",
        "22:00-07:00",
        "nothing is sent then; what came is one message of each sentinel",
    ),
    ("timezone", "Europe/Berlin", "of the quiet hours, if not the server's"),
    ("rate", "10 per hour", "messages at most, evenly spaced; what waits is merged per sentinel"),
    ("fallback", "my-email", "the channel that says so when this one takes nothing for a day"),
];

/// What a channel may say about its words: a key, an example of its value, and what it is for. See
/// [`ChannelKind::has_template`].
pub const TEMPLATE: (&str, &str, &str) = (
    "template",
    "{{ sentinel }}: {{ summary }}",
    "the message in your own words, as a Jinja template over the webhook's JSON",
);

const TABLE: [ChannelRow; 17] = [
    ChannelRow {
        kind: ChannelKind::Interactive,
        name: "interactive",
        title: "the dashboard",
        whom: Whom::Place("the dashboard"),
        fields: None,
    },
    ChannelRow {
        kind: ChannelKind::Terminal,
        name: "terminal",
        title: "the terminal",
        whom: Whom::Place("the terminal"),
        fields: Some(&[]),
    },
    ChannelRow {
        kind: ChannelKind::Email,
        name: "email",
        title: "email",
        whom: Whom::Contact {
            form: ContactForm::MailAddress,
            field: "to",
            example: "you@example.org",
        },
        fields: Some(&[Field { form: Form::Mail, ..field("to", "to whom", "you@example.org") }]),
    },
    ChannelRow {
        kind: ChannelKind::Webhook,
        name: "webhook",
        title: "a webhook",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "https://example.org/hook",
        },
        fields: Some(&[
            url("where to", "https://example.org/hook"),
            secret("secret", "signs every request", "whsec_…"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Ntfy,
        name: "ntfy",
        title: "ntfy",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "https://ntfy.sh/your-topic",
        },
        fields: Some(&[
            url("the server and the topic", "https://ntfy.sh/your-topic"),
            secret("token", "an access token", "tk_…"),
            priority(1, 5, "1 to 5", "4"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Gotify,
        name: "gotify",
        title: "Gotify",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "https://gotify.example.org/message?token=…",
        },
        fields: Some(&[
            url("the server, or its /message?token=…", "https://gotify.example.org/"),
            secret("token", "the application's token", "A…"),
            priority(0, 10, "0 to 10", "5"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Slack,
        name: "slack",
        title: "Slack",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "https://hooks.slack.com/services/T…/B…/…",
        },
        fields: Some(&[url("an incoming webhook", "https://hooks.slack.com/services/T…/B…/…")]),
    },
    ChannelRow {
        kind: ChannelKind::Discord,
        name: "discord",
        title: "Discord",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "https://discord.com/api/webhooks/…/…",
        },
        fields: Some(&[url("a channel's webhook", "https://discord.com/api/webhooks/…/…")]),
    },
    ChannelRow {
        kind: ChannelKind::Mattermost,
        name: "mattermost",
        title: "Mattermost",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "https://chat.example.org/hooks/…",
        },
        fields: Some(&[
            url("an incoming webhook", "https://chat.example.org/hooks/…"),
            field("room", "another channel than the webhook's", "town-square"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Teams,
        name: "teams",
        title: "Microsoft Teams",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "https://prod-00.westus.logic.azure.com/workflows/…",
        },
        fields: Some(&[url(
            "a workflow that posts to a channel when a webhook request is received",
            "https://prod-00.westus.logic.azure.com/workflows/…",
        )]),
    },
    ChannelRow {
        kind: ChannelKind::Telegram,
        name: "telegram",
        title: "Telegram",
        whom: Whom::Contact { form: ContactForm::Name, field: "chat", example: "-1001234567890" },
        fields: Some(&[
            needed(secret("token", "the bot's token", "123456:ABC…")),
            field("chat", "the chat's number, or @ and its name", "-1001234567890"),
            field("thread", "a topic of a group that has topics", "17"),
            url("another server of the Bot API", "https://api.telegram.org/"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Matrix,
        name: "matrix",
        title: "Matrix",
        whom: Whom::Contact {
            form: ContactForm::Name,
            field: "room",
            example: "!room:example.org",
        },
        fields: Some(&[
            needed(url("the homeserver", "https://matrix.example.org/")),
            needed(secret("token", "an access token", "syt_…")),
            field("room", "the room's id; the user must have joined", "!room:example.org"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Pushover,
        name: "pushover",
        title: "Pushover",
        whom: Whom::Contact {
            form: ContactForm::Name,
            field: "user",
            example: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG",
        },
        fields: Some(&[
            needed(secret("token", "the application's token", "a…")),
            secret("user", "a user's or a group's key", "u…"),
            priority(-2, 1, "-2 to 1", "0"),
            url("another server", "https://api.pushover.net/"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Signal,
        name: "signal",
        title: "Signal, through signal-cli-rest-api",
        whom: Whom::Contact { form: ContactForm::Name, field: "to", example: "+15551234567" },
        fields: Some(&[
            needed(url("the signal-cli REST API", "http://127.0.0.1:8080/")),
            needed(field("from", "the registered number", "+15557654321")),
            field("to", "a number, or group.… of a group", "+15551234567"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Apprise,
        name: "apprise",
        title: "an Apprise API server",
        whom: Whom::Contact {
            form: ContactForm::Url,
            field: "url",
            example: "http://apprise.local:8000/notify/KEY",
        },
        fields: Some(&[
            url("the server's /notify/KEY", "http://apprise.local:8000/notify/KEY"),
            field("tag", "the services of that key", "phone"),
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Mqtt,
        name: "mqtt",
        title: "MQTT",
        whom: Whom::Contact { form: ContactForm::Name, field: "topic", example: "home/tidings" },
        fields: Some(&[
            needed(Field {
                form: Form::Broker,
                ..field("url", "the broker", "mqtt://broker.example.org:1883")
            }),
            field("topic", "where to publish", "home/tidings"),
            field("user", "login", "tidings"),
            secret("password", "the password of that login", "…"),
            FORMAT,
        ]),
    },
    ChannelRow {
        kind: ChannelKind::Command,
        name: "command",
        title: "a command",
        whom: Whom::Place("a command"),
        fields: Some(&[
            needed(Field {
                form: Form::Words,
                ..field("command", "the program and its arguments; no shell", "/usr/bin/tell")
            }),
            FORMAT,
            Field {
                form: Form::Whole(1, 600),
                ..field("seconds", "after so long it is killed", "30")
            },
        ]),
    },
];

impl ChannelKind {
    /// Every kind.
    pub fn all() -> impl Iterator<Item = ChannelKind> + Clone {
        TABLE.iter().map(|row| row.kind)
    }

    /// The kinds that sentinels may name without a `[channels.NAME]`.
    pub fn built_in() -> impl Iterator<Item = ChannelKind> + Clone {
        ChannelKind::all().filter(|kind| kind.is_built_in())
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

    /// See [`ChannelRow::fields`]; none where there can be no `[channels.NAME]`.
    pub fn fields(self) -> &'static [Field] {
        self.row().fields.unwrap_or_default()
    }

    /// Whether somebody must say whom to tell.
    pub fn needs_contact(self) -> bool {
        matches!(self.row().whom, Whom::Contact { .. })
    }

    /// The field that says whom to tell.
    pub fn contact_field(self) -> Option<&'static str> {
        match self.row().whom {
            Whom::Place(_) => None,
            Whom::Contact { field, .. } => Some(field),
        }
    }

    /// Whether its messages may be in a person's own words. A webhook's body is a promise.
    pub fn has_template(self) -> bool {
        !matches!(self, ChannelKind::Interactive | ChannelKind::Terminal | ChannelKind::Webhook)
    }

    /// The kinds that may be made while the server runs, by whoever may write: those that have
    /// something to say, and run nothing on this machine.
    pub fn makeable() -> impl Iterator<Item = ChannelKind> + Clone {
        ChannelKind::all().filter(|kind| !kind.fields().is_empty() && *kind != ChannelKind::Command)
    }

    /// Whether nothing but a contact is needed.
    pub fn is_built_in(self) -> bool {
        !self.fields().iter().any(|field| field.needed)
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
            if let Some(field) = row.kind.contact_field() {
                let own = row.kind.fields().iter().find(|own| own.name == field);
                // Whoever names a channel may name whom it tells.
                assert!(own.is_some_and(|own| !own.needed), "{}", row.name);
            }
        }
        assert_eq!(ChannelKind::named("pigeon"), None);
    }

    #[test]
    fn what_needs_more_than_a_contact_is_not_built_in() {
        let built_in = ChannelKind::built_in().map(ChannelKind::name).collect::<Vec<_>>();
        let expected = [
            "interactive",
            "terminal",
            "email",
            "webhook",
            "ntfy",
            "gotify",
            "slack",
            "discord",
            "mattermost",
            "teams",
            "apprise",
        ];
        assert_eq!(built_in, expected);
    }
}
