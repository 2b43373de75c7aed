//! Addresses as people paste them: those that services hand out, and those of Apprise.

mod apprise;

use crate::ChannelKind;
use apprise::Parts;
use url::Url;

/// An address that belongs to a service.
#[derive(Clone, PartialEq, Eq)]
pub struct Pasted {
    pub kind: ChannelKind,
    /// What it says of a channel: fields of [`ChannelKind::fields`], each once.
    pub fields: Vec<(&'static str, String)>,
    /// Whom it tells besides; a channel tells one.
    pub others: Vec<String>,
    /// Names of what it says besides, and no channel does.
    pub lost: Vec<String>,
    /// Why no channel can be made of it, and what to do; the end of a sentence about it.
    pub cure: Option<&'static str>,
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
            scheme => apprise::read(scheme, &Parts::of(rest)),
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

    /// Why no one channel does all that it says, and what to do; the end of a sentence about it.
    pub fn refusal(&self) -> Option<String> {
        if let Some(cure) = self.cure {
            return Some(cure.to_owned());
        }
        if !self.lost.is_empty() {
            let names = self.lost.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
            let (names, title) = (names.join(", "), self.kind.row().title);
            return Some(format!("says {names}, which a channel to {title} has not; leave it out"));
        }
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
    let others = others.iter().map(|other| apprise::decoded(other)).collect();
    Some(Pasted { others, ..saying(kind, vec![("url", url.into())]) })
}

/// What says these fields and nothing else.
fn saying(kind: ChannelKind, fields: Vec<(&'static str, String)>) -> Pasted {
    Pasted { kind, fields, others: Vec::new(), lost: Vec::new(), cure: None }
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
        return Some(saying(ChannelKind::Telegram, fields));
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
        for text in ["discord://123", "slack://a/b", "pover://x", "mqtt://b", "x:y"] {
            assert_eq!(read(text), "-", "{text}");
        }
    }

    #[test]
    fn what_stands_behind_a_question_mark_is_a_field_or_said_to_be_lost() {
        let url = "https://acme.webhook.office.com/webhookb2/a@b/IncomingWebhook/c/d";
        for (text, expected) in [
            ("tgram://12:x", "telegram token=12:x"),
            ("tgram://12:x?to=-7,-8&topic=17", "telegram token=12:x chat=-7 thread=17 & -8"),
            ("tgram://12:x/-7:17", "telegram token=12:x chat=-7 thread=17"),
            ("ntfy://t?priority=HIGH", "ntfy url=https://ntfy.sh/t priority=4"),
            ("gotify://g/T?priority=3", "gotify url=http://g/message?token=T priority=3"),
            ("pover://u@t?priority=low", "pushover token=t user=u priority=-2"),
            ("mmost://m/T?channel=a,b", "mattermost url=http://m/hooks/T room=a & b"),
            (
                "discord://1/x?thread=7",
                "discord url=https://discord.com/api/webhooks/1/x?thread_id=7",
            ),
            ("apprise://a/k?tags=phone", "apprise url=http://a/notify/k tag=phone"),
            ("signals://u:p@h/1/@g", "signal url=https://u:p@h/ from=+1 to=group.g"),
            ("signal://h/1?to=2", "signal url=http://h/ from=+1 to=2"),
            ("msteams://acme/a@b/c/d", &format!("teams url={url}")),
        ] {
            assert_eq!(read(text), expected, "{text}");
            let refusal = Pasted::read(text).expect("one we know").refusal();
            assert_eq!(refusal.is_some(), expected.contains(" & "), "{text}: {refusal:?}");
        }
        for (text, lost) in [
            ("discord://1/x?avatar=no&footer=yes", "says `avatar`, `footer`, which"),
            ("discord://1/x?thread=general", "says `thread`, which"),
            ("pover://u@t?priority=emergency", "says `priority`, which"),
            ("ntfys://h/t?verify=no", "says `verify`, which"),
            ("slack://xoxb-1-2-hunter2/#ops", "holds a bot's token; make an incoming webhook"),
            ("matrixs://ana:hunter2@m.example/!r:m.example", "takes an access token"),
            ("mailto://ana:hunter2@a.example", "into `[smtp]`"),
            ("mailtos://a.example?user=ana&pass=hunter2", "into `[smtp]`"),
            ("msteams://hunter2/b/c", "which Microsoft has retired"),
        ] {
            let refusal = Pasted::read(text).expect("one we know").refusal().expect("refused");
            assert!(refusal.contains(lost) && !refusal.contains("hunter2"), "{refusal}");
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
