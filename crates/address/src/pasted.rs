//! Addresses as people paste them: those that services hand out, and those of Apprise.

use crate::ChannelKind;
use url::Url;

/// An address that belongs to a service.
#[derive(Clone, PartialEq, Eq)]
pub struct Pasted {
    pub kind: ChannelKind,
    /// What it says of a channel: fields of [`ChannelKind::fields`], each once.
    pub fields: Vec<(&'static str, String)>,
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
    Some(Pasted { kind, fields: vec![("url", url.into())] })
}

fn of_the_web(text: &str) -> Option<Pasted> {
    let url = Url::parse(text).ok()?;
    let host = url.host_str()?.to_ascii_lowercase();
    let path: Vec<&str> = url.path_segments()?.collect();
    let below = |domain: &str| host == domain || host.ends_with(&format!(".{domain}"));
    let query = |name: &str| {
        url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    let hooks = |path: &[&str]| path.len() >= 4 && path[..2] == ["api", "webhooks"];
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
        return Some(Pasted { kind: ChannelKind::Telegram, fields });
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
}

impl Parts<'_> {
    fn of(rest: &str) -> Parts<'_> {
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
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
        Parts { user, password, host, path }
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
    by_one_address(scheme, parts).or_else(|| by_fields(scheme, parts))
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
        ("slack", [b, c, ..]) => {
            one(ChannelKind::Slack, format!("https://hooks.slack.com/services/{host}/{b}/{c}"))
        }
        ("ntfy" | "ntfys", []) => one(ChannelKind::Ntfy, format!("https://ntfy.sh/{host}")),
        ("ntfy" | "ntfys", [topic, ..]) => {
            let (web, login) = (web("ntfys"), parts.login());
            one(ChannelKind::Ntfy, format!("{web}://{login}{host}/{topic}"))
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
        ("apprise" | "apprises", [key]) => {
            one(ChannelKind::Apprise, format!("{}://{host}/notify/{key}", web("apprises")))
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
    let Parts { user, host, path, .. } = parts;
    let web = |secure: &str| web(scheme, secure);
    let with = |kind, fields: Vec<(&'static str, String)>| Some(Pasted { kind, fields });
    match (scheme, path.as_slice()) {
        ("tgram", [chat, ..]) => {
            // The token has a colon, and nobody stands before an `@`.
            with(ChannelKind::Telegram, vec![("token", (*host).into()), ("chat", (*chat).into())])
        }
        ("matrix" | "matrixs", [room, ..]) => {
            let url = format!("{}://{host}/", web("matrixs"));
            let token = parts.password.or(*user)?.to_owned();
            with(
                ChannelKind::Matrix,
                vec![("url", url), ("token", token), ("room", (*room).into())],
            )
        }
        ("pover", _) => {
            with(ChannelKind::Pushover, vec![("token", (*host).into()), ("user", (*user)?.into())])
        }
        ("signal" | "signals", [from, to, ..]) => {
            let url = format!("{}://{host}/", web("signals"));
            let number = |text: &str| {
                if text.starts_with(|c: char| c.is_ascii_digit()) {
                    format!("+{text}")
                } else {
                    text.to_owned()
                }
            };
            with(
                ChannelKind::Signal,
                vec![("url", url), ("from", number(from)), ("to", number(to))],
            )
        }
        ("mqtt" | "mqtts", [_, ..]) => {
            let mut fields = vec![("url", format!("{scheme}://{host}")), ("topic", path.join("/"))];
            fields.extend(user.map(|user| ("user", user.to_owned())));
            fields.extend(parts.password.map(|password| ("password", password.to_owned())));
            with(ChannelKind::Mqtt, fields)
        }
        ("mailto", []) if user.is_some() && parts.password.is_none() => {
            with(ChannelKind::Email, vec![("to", format!("{}{host}", parts.login()))])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        Pasted::read(text).map_or("-".to_owned(), |pasted| {
            let fields = pasted.fields.iter().map(|(name, value)| format!(" {name}={value}"));
            format!("{}{}", pasted.kind.name(), fields.collect::<String>())
        })
    }

    #[test]
    fn what_services_hand_out_is_recognised() {
        for (text, kind) in [
            ("https://discord.com/api/webhooks/123/abc-DEF", "discord"),
            ("https://ptb.discord.com/api/webhooks/123/abc?thread_id=7", "discord"),
            ("https://discordapp.com/api/webhooks/123/abc", "discord"),
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
            ("slack://bot@T0/B0/xyz/#ops", "slack url=https://hooks.slack.com/services/T0/B0/xyz"),
            ("ntfy://my-topic", "ntfy url=https://ntfy.sh/my-topic"),
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
            ("apprises://a.example/key", "apprise url=https://a.example/notify/key"),
            ("jsons://h.example/x/y", "webhook url=https://h.example/x/y"),
            ("mailto:ana@example.org", "email to=ana@example.org"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        let sorry =
            ["discord://123", "slack://a/b", "tgram://12:x", "pover://x", "mqtt://b", "x:y"];
        for text in sorry {
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
