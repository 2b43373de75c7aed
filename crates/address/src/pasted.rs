//! Addresses as people paste them: those that services hand out, and those of Apprise.

use crate::ChannelKind;
use url::Url;

/// An address that belongs to a service.
#[derive(Clone, PartialEq, Eq)]
pub struct Pasted {
    pub kind: ChannelKind,
    /// What it says of a channel: fields of [`ChannelKind::fields`], each once.
    pub fields: Vec<(&'static str, String)>,
    /// Whom it tells besides; a channel tells one.
    pub others: Vec<String>,
}

impl Pasted {
    /// Reads an address; `None`: it is one of nobody we know. O(text).
    ///
    /// Known are the addresses that the services themselves hand out, and the URLs of Apprise for
    /// the same services, <https://github.com/caronc/apprise/wiki>.
    pub fn read(text: &str) -> Option<Pasted> {
        let text = text.trim();
        let (scheme, rest) = text.split_once("://").or_else(|| {
            let (scheme, rest) = text.split_once(':')?;
            scheme.eq_ignore_ascii_case("mailto").then_some((scheme, rest))
        })?;
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => of_the_web(text),
            scheme => of_apprise(scheme, &Parts::of(rest)),
        }
    }

    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| &**value)
    }

    /// What a sentinel writes after the channel's name, if that is all that is needed.
    pub fn contact(&self) -> Option<&str> {
        let contact = self.field(self.kind.contact_field()?)?;
        (self.kind.is_built_in() && self.fields.len() == 1).then_some(contact)
    }

    /// Why one channel is not all that it says; the end of a sentence about it.
    pub fn too_many(&self) -> Option<String> {
        let others = match self.others.as_slice() {
            [] => return None,
            [one] => format!("`{one}`"),
            [first, ..] => format!("`{first}` and {} more", self.others.len() - 1),
        };
        Some(format!("names more than one recipient; write a channel of its own for {others}"))
    }

    /// The lines of a `[channels.NAME]`, secrets as `…`.
    pub fn lines(&self) -> String {
        let lines = self.fields.iter().map(|(name, value)| {
            let field = self.kind.fields().iter().find(|field| field.name == *name);
            let hidden = field.is_none_or(|field| field.secret);
            let contact = crate::Contact::from(value.as_str());
            let shown = if hidden { "…".into() } else { contact.shown() };
            format!(", {name} = \"{shown}\"")
        });
        format!("kind = \"{}\"{}", self.kind.name(), lines.collect::<String>())
    }
}

impl std::fmt::Debug for Pasted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.lines())
    }
}

fn one(kind: ChannelKind, url: impl Into<String>) -> Option<Pasted> {
    one_of(kind, url, &[])
}

fn one_of(kind: ChannelKind, url: impl Into<String>, others: &[&str]) -> Option<Pasted> {
    let others = others.iter().map(|other| decoded(other)).collect();
    Some(Pasted { kind, fields: vec![("url", url.into())], others })
}

fn of_the_web(text: &str) -> Option<Pasted> {
    let url = Url::parse(text).ok()?;
    let host = url.host_str()?.to_ascii_lowercase();
    let path: Vec<&str> = url.path_segments()?.collect();
    let below = |domain: &str| host == domain || host.ends_with(&format!(".{domain}"));
    let query = |name: &str| {
        url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    // `api/webhooks/ID/TOKEN`, or with the version of the API: `api/v10/webhooks/…`.
    let hooks = |path: &[&str]| match path {
        ["api", "webhooks", _, _, ..] => true,
        ["api", version, "webhooks", _, _, ..] => version.starts_with('v'),
        _ => false,
    };
    if (below("discord.com") || below("discordapp.com")) && hooks(&path) {
        return one(ChannelKind::Discord, text);
    }
    if (host == "hooks.slack.com" || host == "hooks.slack-gov.com") && path[0] == "services" {
        return one(ChannelKind::Slack, text);
    }
    let flows = below("logic.azure.com") || below("environment.api.powerplatform.com");
    if (flows && path.contains(&"workflows")) || below("webhook.office.com") {
        return one(ChannelKind::Teams, text);
    }
    if host == "ntfy.sh" && path.len() == 1 && !path[0].is_empty() {
        return one(ChannelKind::Ntfy, text);
    }
    if host == "api.telegram.org" {
        let token = path[0].strip_prefix("bot").filter(|token| token.contains(':'))?;
        let mut fields = vec![("token", token.to_owned())];
        fields.extend(query("chat_id").map(|chat| ("chat", chat)));
        return Some(Pasted { kind: ChannelKind::Telegram, fields, others: Vec::new() });
    }
    if path.last() == Some(&"message") && query("token").is_some_and(|token| token.len() == 15) {
        return one(ChannelKind::Gotify, text);
    }
    let is_id = |id: &&str| id.len() == 26 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if path.len() >= 2 && path[path.len() - 2] == "hooks" && path.last().is_some_and(is_id) {
        return one(ChannelKind::Mattermost, text);
    }
    None
}

/// An Apprise URL behind its `://`.
struct Parts<'a> {
    user: Option<&'a str>,
    /// Behind `:` after the user.
    password: Option<&'a str>,
    host: &'a str,
    path: Vec<&'a str>,
    /// The recipients of `?to=`.
    to: Vec<String>,
}

/// What stands in an address for a text: `%21` for `!`.
fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

impl Parts<'_> {
    fn of(rest: &str) -> Parts<'_> {
        // A `#` begins the name of a room or a channel.
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let query = url::form_urlencoded::parse(query.as_bytes());
        let to = query.filter(|(name, _)| name == "to").map(|(_, value)| value.into_owned());
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
        Parts { user, password, host, path, to: to.collect() }
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

fn of_apprise(scheme: &str, parts: &Parts<'_>) -> Option<Pasted> {
    if parts.host.is_empty() {
        return None;
    }
    let mut pasted = by_one_address(scheme, parts).or_else(|| by_fields(scheme, parts))?;
    pasted.others.extend(parts.to.iter().cloned());
    Some(pasted)
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
            ("tgram", [chat, others @ ..]) => {
                // The token has a colon, and nobody stands before an `@`.
                let fields = vec![("token", decoded(host)), ("chat", decoded(chat))];
                (ChannelKind::Telegram, fields, others)
            }
            // With a user and a password one logs in; the channel takes a token.
            ("matrix" | "matrixs", [room, others @ ..]) if password.is_none() => {
                let token = decoded((*user)?);
                let room = ("room", decoded(room));
                let fields = vec![("url", server("matrixs")), ("token", token), room];
                (ChannelKind::Matrix, fields, others)
            }
            ("pover", devices) => {
                let fields = vec![("token", decoded(host)), ("user", decoded((*user)?))];
                (ChannelKind::Pushover, fields, devices)
            }
            ("signal" | "signals", [from, to, others @ ..]) => {
                let numbers = [("from", number(from)), ("to", number(to))];
                let server = ("url", server("signals"));
                (ChannelKind::Signal, [server].into_iter().chain(numbers).collect(), others)
            }
            ("mqtt" | "mqtts", topic) if user.is_some() || !topic.is_empty() => {
                let mut fields = vec![("url", format!("{scheme}://{host}"))];
                let topic = Some(decoded(&topic.join("/"))).filter(|topic| !topic.is_empty());
                fields.extend(topic.map(|topic| ("topic", topic)));
                fields.extend(user.map(|user| ("user", decoded(user))));
                fields.extend(password.map(|password| ("password", decoded(password))));
                (ChannelKind::Mqtt, fields, &[])
            }
            ("mailto", []) if user.is_some() && password.is_none() => {
                let to = decoded(&format!("{}{host}", parts.login()));
                (ChannelKind::Email, vec![("to", to)], &[])
            }
            _ => return None,
        };
    Some(Pasted { kind, fields, others: others.iter().map(|other| decoded(other)).collect() })
}

/// A number of a telephone, which Apprise takes without its `+`.
fn number(text: &str) -> String {
    let text = decoded(text);
    if text.starts_with(|c: char| c.is_ascii_digit()) { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        Pasted::read(text).map_or("-".to_owned(), |pasted| {
            let fields = pasted.fields.iter().map(|(name, value)| format!(" {name}={value}"));
            let others = pasted.others.iter().map(|other| format!(" & {other}"));
            let others = others.collect::<String>();
            format!("{}{}{others}", pasted.kind.name(), fields.collect::<String>())
        })
    }

    #[test]
    fn what_services_hand_out_is_recognised() {
        for (text, kind) in [
            ("https://discord.com/api/webhooks/123/abc-DEF", "discord"),
            ("https://ptb.discord.com/api/webhooks/123/abc?thread_id=7", "discord"),
            ("https://discordapp.com/api/webhooks/123/abc", "discord"),
            ("https://discord.com/api/v10/webhooks/123/abc", "discord"),
            ("https://hooks.slack.com/services/T00/B00/xyz", "slack"),
            ("https://prod-12.westus.logic.azure.com:443/workflows/ab/triggers/manual", "teams"),
            ("https://acme.webhook.office.com/webhookb2/x", "teams"),
            ("https://ntfy.sh/my-topic", "ntfy"),
            ("https://gotify.example.org/message?token=A1b2C3d4E5f6G7h", "gotify"),
            ("https://chat.example.org/hooks/abcdefghijklmnopqrstuvwxyz", "mattermost"),
        ] {
            assert_eq!(read(text), format!("{kind} url={text}"));
        }
        let bot = "https://api.telegram.org/bot12:AB-c/sendMessage?chat_id=-100";
        assert_eq!(read(bot), "telegram token=12:AB-c chat=-100");
        for other in [
            "https://example.org/hook",
            "https://discord.com/channels/1/2",
            "https://ntfy.sh/",
            "https://api.telegram.org/file/x",
            "https://notdiscord.com/api/webhooks/1/2",
            "ana@example.org",
            "",
            "://",
        ] {
            assert_eq!(read(other), "-", "{other}");
        }
    }

    #[test]
    fn urls_of_apprise_become_the_services_own() {
        for (text, expected) in [
            ("discord://123/abc-DEF", "discord url=https://discord.com/api/webhooks/123/abc-DEF"),
            (
                "slack://bot@T0/B0/xyz/#ops",
                "slack url=https://hooks.slack.com/services/T0/B0/xyz & #ops",
            ),
            ("ntfy://my-topic", "ntfy url=https://ntfy.sh/my-topic"),
            ("ntfy://tk_1@my-topic", "ntfy url=https://tk_1@ntfy.sh/my-topic"),
            ("ntfys://u:p@ntfy.example.org/t", "ntfy url=https://u:p@ntfy.example.org/t"),
            ("gotify://g.example:80/a/Tok", "gotify url=http://g.example:80/a/message?token=Tok"),
            ("mmosts://bot@chat.example/Tok", "mattermost url=https://chat.example/hooks/Tok"),
            ("tgram://12:AB-c/-100/", "telegram token=12:AB-c chat=-100"),
            (
                "matrixs://tok@m.example/!room:m.example",
                "matrix url=https://m.example/ token=tok room=!room:m.example",
            ),
            ("pover://user@token", "pushover token=token user=user"),
            (
                "signal://127.0.0.1:8080/15550001/15550002",
                "signal url=http://127.0.0.1:8080/ from=+15550001 to=+15550002",
            ),
            (
                "mqtt://u:p@b.example:1883/home/x",
                "mqtt url=mqtt://b.example:1883 topic=home/x user=u password=p",
            ),
            ("mqtt://u:p%40%2F@b.example", "mqtt url=mqtt://b.example user=u password=p@/"),
            (
                "matrixs://t%2Fok@m.example/%21r%3Am.example/%21s%3Am.example",
                "matrix url=https://m.example/ token=t/ok room=!r:m.example & !s:m.example",
            ),
            ("tgram://12%3AAB/-100/-200/@x", "telegram token=12:AB chat=-100 & -200 & @x"),
            ("ntfys://u:p%40@n.example/a/b", "ntfy url=https://u:p%40@n.example/a & b"),
            ("pover://user@token/phone", "pushover token=token user=user & phone"),
            ("signal://h:1/1/2/3", "signal url=http://h:1/ from=+1 to=+2 & 3"),
            ("mailto://ana@a.example?to=bob@a.example", "email to=ana@a.example & bob@a.example"),
            ("apprises://a.example/key", "apprise url=https://a.example/notify/key"),
            ("apprise://u:p@a.example/b/key", "apprise url=http://u:p@a.example/b/notify/key"),
            ("jsons://h.example/x/y", "webhook url=https://h.example/x/y"),
            ("mailto:ana@example.org", "email to=ana@example.org"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        for text in [
            "discord://123",
            "slack://a/b",
            "slack://xoxb-1-2-secret/#ops/#dev",
            "matrixs://ana:password@m.example/!room:m.example",
            "tgram://12:x",
            "pover://x",
            "mqtt://b",
            "x:y",
        ] {
            assert_eq!(read(text), "-", "{text}");
        }
    }

    #[test]
    fn what_is_said_of_an_address_shows_no_secret() {
        for text in [
            "https://discord.com/api/webhooks/123/hunter2",
            "tgram://12:hunter2/7",
            "matrixs://hunter2@m.example/!r:m.example",
            "pover://hunter2@hunter2",
            "mqtt://u:hunter2@b.example/t",
            "ntfys://u:hunter2@n.example/t",
            "gotifys://g.example/hunter2",
        ] {
            let shown = format!("{:?}", Pasted::read(text).expect("one we know"));
            assert!(!shown.contains("hunter2"), "{shown}");
        }
    }
}
