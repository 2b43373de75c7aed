//! URLs of Apprise, as what the services behind them are told by.

use super::{Pasted, one, one_of, saying};
use crate::ChannelKind;
use crate::channel::Form;

/// An Apprise URL behind its `://`.
pub(super) struct Parts<'a> {
    user: Option<&'a str>,
    /// Behind `:` after the user.
    password: Option<&'a str>,
    host: &'a str,
    path: Vec<&'a str>,
    /// What stands behind `?`.
    said: Vec<(String, String)>,
}

/// What stands in an address for a text: `%21` for `!`.
pub(super) fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

impl Parts<'_> {
    pub(super) fn of(rest: &str) -> Parts<'_> {
        // A `#` begins the name of a room or a channel.
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let said = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let mut pieces = rest.split('/');
        let place = pieces.next().unwrap_or_default();
        let (login, host) =
            place.rsplit_once('@').map_or((None, place), |(login, host)| (Some(login), host));
        let (user, password) = match login.map(|login| login.split_once(':')) {
            Some(Some((user, password))) => (Some(user), Some(password)),
            Some(None) => (login, None),
            None => (None, None),
        };
        let path = pieces.filter(|piece| !piece.is_empty()).collect();
        Parts { user, password, host, path, said }
    }

    /// `user:password@`, as the URL had it.
    fn login(&self) -> String {
        match (self.user, self.password) {
            (Some(user), Some(password)) => format!("{user}:{password}@"),
            (Some(user), None) => format!("{user}@"),
            _ => String::new(),
        }
    }
}

/// Reads one; `None`: it is of no service we know.
pub(super) fn read(scheme: &str, parts: &Parts<'_>) -> Option<Pasted> {
    if parts.host.is_empty() {
        return None;
    }
    if let Some((kind, cure)) = impossible(scheme, parts) {
        return Some(Pasted { cure: Some(cure), ..saying(kind, Vec::new()) });
    }
    let mut pasted = by_one_address(scheme, parts).or_else(|| by_fields(scheme, parts))?;
    for (name, value) in &parts.said {
        if pasted.take(name, value).is_none() {
            pasted.lost.push(name.clone());
        }
    }
    Some(pasted)
}

/// What Apprise can send to and we cannot, with what to do instead.
fn impossible(scheme: &str, parts: &Parts<'_>) -> Option<(ChannelKind, &'static str)> {
    let logs_in = parts.password.is_some() || parts.said.iter().any(|(name, _)| name == "pass");
    Some(match scheme {
        "slack" if parts.host.starts_with("xox") => (
            ChannelKind::Slack,
            "holds a bot's token; make an incoming webhook, and paste its https://hooks.slack.com/…",
        ),
        "matrix" | "matrixs" if logs_in => (
            ChannelKind::Matrix,
            "holds a password; a channel takes an access token: matrixs://TOKEN@HOST/ROOM",
        ),
        "mailto" | "mailtos" if logs_in => (
            ChannelKind::Email,
            "holds a password; write the mail server and its login into `[smtp]`, and here the \
             mail address alone",
        ),
        "msteams" if parts.path.len() < 3 => (
            ChannelKind::Teams,
            "is of a connector, which Microsoft has retired; make a workflow that posts when a \
             webhook request is received, and paste its address",
        ),
        _ => return None,
    })
}

impl Pasted {
    /// Takes what stands behind `?`; `None`: no channel does that.
    fn take(&mut self, name: &str, value: &str) -> Option<()> {
        let kind = self.kind;
        let (field, value) = match (kind, name) {
            (ChannelKind::Mattermost, "to" | "channel" | "channels") => {
                return self.tell("room", value);
            }
            (_, "to") => return self.tell(kind.contact_field()?, value),
            (ChannelKind::Discord, "thread") => {
                let (_, url) = self.fields.iter_mut().find(|(name, _)| *name == "url")?;
                *url = format!("{url}?thread_id={}", value.parse::<u64>().ok()?);
                return Some(());
            }
            (ChannelKind::Telegram, "topic" | "thread") => ("thread", value.to_owned()),
            (ChannelKind::Ntfy, "token") => ("token", value.to_owned()),
            (ChannelKind::Apprise, "tag" | "tags") => ("tag", value.to_owned()),
            (_, "priority") => ("priority", priority(kind, value)?.to_string()),
            _ => return None,
        };
        if self.field(field).is_some() {
            return None;
        }
        self.fields.push((field, value));
        Some(())
    }

    /// Recipients between commas: the first where nobody is named yet.
    fn tell(&mut self, field: &'static str, recipients: &str) -> Option<()> {
        let recipients = recipients.split(',').map(str::trim).filter(|one| !one.is_empty());
        for recipient in recipients.map(str::to_owned) {
            match self.field(field) {
                None => self.fields.push((field, recipient)),
                Some(_) => self.others.push(recipient),
            }
        }
        Some(())
    }
}

/// A number that the channel takes, or a word of Apprise for one.
fn priority(kind: ChannelKind, value: &str) -> Option<i64> {
    let words: &[(&str, i64)] = match kind {
        ChannelKind::Ntfy => &[("min", 1), ("low", 2), ("default", 3), ("high", 4), ("max", 5)],
        ChannelKind::Gotify => {
            &[("low", 1), ("moderate", 3), ("normal", 5), ("high", 8), ("emergency", 10)]
        }
        ChannelKind::Pushover => &[("low", -2), ("moderate", -1), ("normal", 0), ("high", 1)],
        _ => return None,
    };
    let word = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
    let number = word.map(|(_, number)| *number).or_else(|| value.parse().ok())?;
    let bounds = kind.fields().iter().find_map(|field| match field.form {
        Form::Whole(min, max) if field.name == "priority" => Some(min..=max),
        _ => None,
    })?;
    bounds.contains(&number).then_some(number)
}

/// `http` or `https`: schemes of Apprise say by a last letter whether they are secure.
fn web(scheme: &str, secure: &str) -> &'static str {
    if scheme == secure { "https" } else { "http" }
}

/// Services that one address is enough for.
fn by_one_address(scheme: &str, parts: &Parts<'_>) -> Option<Pasted> {
    let Parts { host, path, .. } = parts;
    let web = |secure: &str| web(scheme, secure);
    match (scheme, path.as_slice()) {
        ("discord", [token, ..]) => {
            one(ChannelKind::Discord, format!("https://discord.com/api/webhooks/{host}/{token}"))
        }
        // A bot's token is none of a webhook's three parts.
        ("slack", [b, c, rooms @ ..]) if !host.starts_with("xox") => {
            let url = format!("https://hooks.slack.com/services/{host}/{b}/{c}");
            one_of(ChannelKind::Slack, url, rooms)
        }
        ("ntfy" | "ntfys", []) => {
            one(ChannelKind::Ntfy, format!("https://{}ntfy.sh/{host}", parts.login()))
        }
        ("ntfy" | "ntfys", [topic, others @ ..]) => {
            let (web, login) = (web("ntfys"), parts.login());
            one_of(ChannelKind::Ntfy, format!("{web}://{login}{host}/{topic}"), others)
        }
        ("gotify" | "gotifys", [below @ .., token]) => {
            let below: String = below.iter().map(|piece| format!("{piece}/")).collect();
            let web = web("gotifys");
            one(ChannelKind::Gotify, format!("{web}://{host}/{below}message?token={token}"))
        }
        ("mmost" | "mmosts", [below @ .., token]) => {
            let below: String = below.iter().map(|piece| format!("{piece}/")).collect();
            let web = web("mmosts");
            one(ChannelKind::Mattermost, format!("{web}://{host}/{below}hooks/{token}"))
        }
        ("msteams", [a, rest @ ..]) => {
            let url = format!(
                "https://{host}.webhook.office.com/webhookb2/{a}/IncomingWebhook/{}",
                rest.join("/")
            );
            one(ChannelKind::Teams, url)
        }
        ("workflow" | "workflows", [flow, signature, ..]) => one(
            ChannelKind::Teams,
            format!(
                "https://{host}/workflows/{flow}/triggers/manual/paths/invoke?api-version=2016-06-01\
                 &sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={signature}"
            ),
        ),
        ("apprise" | "apprises", [below @ .., key]) => {
            let below: String = below.iter().map(|piece| format!("{piece}/")).collect();
            let (web, login) = (web("apprises"), parts.login());
            one(ChannelKind::Apprise, format!("{web}://{login}{host}/{below}notify/{key}"))
        }
        ("json" | "jsons", _) => {
            let (web, login) = (web("jsons"), parts.login());
            one(ChannelKind::Webhook, format!("{web}://{login}{host}/{}", path.join("/")))
        }
        _ => None,
    }
}

/// Services that are told more than an address.
fn by_fields(scheme: &str, parts: &Parts<'_>) -> Option<Pasted> {
    let Parts { user, password, host, path, .. } = parts;
    let server = |secure: &str| format!("{}://{host}/", web(scheme, secure));
    let (kind, fields, others): (_, Vec<(&'static str, String)>, &[&str]) =
        match (scheme, path.as_slice()) {
            // The token has a colon, and nobody stands before an `@`.
            ("tgram", []) => (ChannelKind::Telegram, vec![("token", decoded(host))], &[]),
            ("tgram", [chat, others @ ..]) => {
                let chat = decoded(chat);
                let (chat, thread) = chat.split_once(':').unwrap_or((&chat, ""));
                let mut fields = vec![("token", decoded(host)), ("chat", chat.to_owned())];
                fields.extend((!thread.is_empty()).then(|| ("thread", thread.to_owned())));
                (ChannelKind::Telegram, fields, others)
            }
            ("matrix" | "matrixs", [room, others @ ..]) => {
                let token = decoded((*user)?);
                let room = ("room", decoded(room));
                let fields = vec![("url", server("matrixs")), ("token", token), room];
                (ChannelKind::Matrix, fields, others)
            }
            ("pover", devices) => {
                let fields = vec![("token", decoded(host)), ("user", decoded((*user)?))];
                (ChannelKind::Pushover, fields, devices)
            }
            ("signal" | "signals", [from, tos @ ..]) => {
                let url = format!("{}://{}{host}/", web(scheme, "signals"), parts.login());
                let mut fields = vec![("url", url), ("from", number(from))];
                fields.extend(tos.first().map(|to| ("to", number(to))));
                (ChannelKind::Signal, fields, tos.get(1..).unwrap_or_default())
            }
            ("mqtt" | "mqtts", topic) if user.is_some() || !topic.is_empty() => {
                let mut fields = vec![("url", format!("{scheme}://{host}"))];
                let topic = Some(decoded(&topic.join("/"))).filter(|topic| !topic.is_empty());
                fields.extend(topic.map(|topic| ("topic", topic)));
                fields.extend(user.map(|user| ("user", decoded(user))));
                fields.extend(password.map(|password| ("password", decoded(password))));
                (ChannelKind::Mqtt, fields, &[])
            }
            ("mailto" | "mailtos", []) if user.is_some() => {
                let to = decoded(&format!("{}{host}", parts.login()));
                (ChannelKind::Email, vec![("to", to)], &[])
            }
            _ => return None,
        };
    let others = others.iter().map(|other| decoded(other)).collect();
    Some(Pasted { others, ..saying(kind, fields) })
}

/// A number of a telephone, which Apprise takes without its `+`, or a group behind its `@`.
fn number(text: &str) -> String {
    let text = decoded(text);
    if let Some(group) = text.strip_prefix('@') {
        return format!("group.{group}");
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) { format!("+{text}") } else { text }
}
