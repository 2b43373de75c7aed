use super::*;
use crate::vault::KEY_FILE;
use serde_json::json;
use store::{MemoryStore, Store};

const NOW: Instant = Instant::from_millis(1_800_000_000_000);

/// A data directory and a store that outlive a server.
struct Bench {
    folder: tempfile::TempDir,
    store: MemoryStore,
    toml: &'static str,
}

impl Bench {
    fn new(toml: &'static str) -> Bench {
        let folder = tempfile::tempdir().expect("a temporary directory");
        Bench { folder, store: MemoryStore::new([7; 16]), toml }
    }

    fn key(&self) -> std::path::PathBuf {
        self.folder.path().join(KEY_FILE)
    }

    /// The book of the next start.
    fn book(&self) -> Book {
        let file = self.folder.path().join("tidings.toml");
        std::fs::write(&file, self.toml).expect("written");
        let data = ("data_dir", self.folder.path().display().to_string());
        let settings = Settings::load(Some(&file), std::iter::empty(), &[data]).expect("valid");
        Book::open(&settings, self.store.access()).expect("a store without faults")
    }
}

fn wish(name: &str, settings: &Value) -> ChannelWish {
    let settings = settings.as_object().expect("an object").clone();
    ChannelWish { name: name.to_owned(), settings, is_new: false }
}

fn put(book: &Book, name: &str, settings: &Value) -> Result<bool, Refused> {
    book.put(&wish(name, settings), NOW)
}

fn wrong(book: &Book, name: &str, settings: &Value) -> String {
    match put(book, name, settings).expect_err("refused") {
        Refused::Wrong(why) | Refused::Unable(why) | Refused::Failed(why) => why,
        Refused::Unknown => "unknown".to_owned(),
    }
}

fn shown(book: &Book, name: &str) -> NamedChannel {
    book.all().into_iter().find(|one| one.name == name).expect("a channel")
}

fn info(book: &Book, name: &str) -> Option<kernel::ChannelInfo> {
    book.known().infos.into_iter().find(|info| info.name == name)
}

fn ntfy() -> Value {
    json!({"kind": "ntfy", "url": "https://ntfy.example/my-topic", "token": "tk_hunter2",
        "priority": "4", "quiet_hours": "22:00-07:00", "rate": "10 per hour"})
}

#[test]
fn a_channel_that_was_made_is_there_at_the_next_start_and_its_secrets_are_not_in_the_store() {
    let bench = Bench::new("");
    assert_eq!(put(&bench.book(), "Phone", &ntfy()), Ok(true));
    let rows = bench.store.access().made_channels().expect("readable");
    let stored = format!("{rows:?} {:?}", String::from_utf8_lossy(&rows[0].sealed));
    assert!(!stored.contains("hunter2") && !stored.contains("my-topic"), "{stored}");
    let book = bench.book();
    let phone = shown(&book, "phone");
    assert_eq!(phone.trouble, None);
    let text = Value::Object(phone.settings).to_string();
    assert!(!text.contains("hunter2") && !text.contains("my-topic"), "{text}");
    assert!(text.contains("https://ntfy.example/…") && text.contains("22:00-07:00"), "{text}");
    let info = info(&book, "phone").expect("known");
    assert!(!info.contact_needed && info.trouble.is_none());
    assert_eq!(info.kind, Some(ChannelKind::Ntfy));
    assert!(book.known().manners["phone"].quiet.is_some());
    assert!(matches!(book.way("phone").as_deref(), Some(Way::Sender(..))));
    assert_eq!(put(&book, "phone", &json!({"kind": "email"})), Ok(false));
    assert!(book.known().infos.iter().any(|info| info.name == "phone" && info.contact_needed));
    book.remove("PHONE").expect("removed");
    assert_eq!(book.remove("phone"), Err(Refused::Unknown));
    assert!(bench.book().all().is_empty());
}

#[test]
fn what_is_sent_back_as_it_is_shown_stays_and_goes_to_no_other_server() {
    let bench = Bench::new("");
    let book = bench.book();
    put(&book, "phone", &ntfy()).expect("made");
    let mut form = shown(&book, "phone").settings;
    form.insert("priority".to_owned(), "5".into());
    put(&book, "phone", &Value::Object(form.clone())).expect("changed");
    let saying = |book: &Book| {
        let made = book.read();
        Value::Object(made["phone"].channel.as_ref().expect("read").saying())
    };
    let stays = saying(&bench.book());
    assert_eq!((&stays["token"], &stays["priority"]), (&json!("tk_hunter2"), &json!("5")));
    assert_eq!(stays["url"], "https://ntfy.example/my-topic");
    for url in ["https://evil.example/x", "http://ntfy.example/x", "https://ntfy.example:444/x"] {
        form.insert("url".to_owned(), url.into());
        let said = wrong(&book, "phone", &Value::Object(form.clone()));
        assert!(said.contains("give `token` again"), "{said}");
    }
    form.insert("url".to_owned(), "https://ntfy.example/other".into());
    put(&book, "phone", &Value::Object(form.clone())).expect("the same server");
    form.insert("kind".to_owned(), "gotify".into());
    let said = wrong(&book, "phone", &Value::Object(form.clone()));
    assert!(said.contains("`token` is not given in full"), "{said}");
    let said = wrong(&book, "other", &json!({"kind": "slack", "url": "https://h.example/…"}));
    assert!(said.contains("`url` is not given in full"), "{said}");
    assert_eq!(saying(&bench.book())["token"], "tk_hunter2");
}

#[test]
fn a_key_that_is_gone_is_said_and_found_again_when_it_is_put_back() {
    let bench = Bench::new("");
    put(&bench.book(), "phone", &ntfy()).expect("made");
    let key = std::fs::read(bench.key()).expect("a key");
    std::fs::remove_file(bench.key()).expect("removed");
    let book = bench.book();
    let phone = shown(&book, "phone");
    let trouble = phone.trouble.expect("in trouble");
    assert!(trouble.contains("channels.key is missing"), "{trouble}");
    assert!(trouble.contains("put back") && trouble.contains("edit each channel"), "{trouble}");
    assert_eq!(phone.settings["quiet_hours"], "22:00-07:00");
    assert!(matches!(book.way("phone").as_deref(), Some(Way::Locked(_))));
    let info = info(&book, "phone").expect("known");
    assert!(info.trouble.is_some() && !info.contact_needed);
    crate::datadir::write_private(&bench.key(), b"damaged").expect("written");
    let damaged = shown(&bench.book(), "phone").trouble.expect("in trouble");
    assert!(damaged.contains("damaged"), "{damaged}");
    assert!(wrong(&book, "desk", &ntfy()).contains("damaged"));
    crate::datadir::write_private(&bench.key(), &key).expect("put back");
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    book.listen(move |name| hears.lock().expect("nobody panics").push(name.to_owned()));
    assert!(matches!(book.way("phone").as_deref(), Some(Way::Sender(..))), "without a restart");
    assert!(book.way("phone").is_some() && !book.all().is_empty());
    assert_eq!(*heard.lock().expect("nobody panics"), ["phone"], "the kernel is told, once");
    assert_eq!(shown(&book, "phone").trouble, None);
}

#[test]
fn what_cannot_be_a_channel_says_why() {
    let bench = Bench::new("[channels.Desk]\nkind = \"email\"\nto = \"a@b.example\"\n");
    let book = bench.book();
    for (name, settings, says) in [
        ("two words", ntfy(), "name is a letter"),
        ("every", ntfy(), "no word of the language"),
        ("webhook", ntfy(), "is a kind of channel"),
        ("desk", ntfy(), "tidings.toml"),
        ("phone", json!({"kind": "nfty"}), "did you mean `ntfy`"),
        ("phone", json!({}), "`kind` is missing"),
        ("phone", json!({"kind": "ntfy", "priority": 9}), "from 1 to 5"),
        ("phone", json!({"kind": "ntfy", "url": ["x"]}), "must be a string"),
        ("phone", json!({"kind": "ntfy", "topic": "x"}), "has no `topic`"),
        ("phone", json!({"kind": "command", "command": "/bin/sh"}), "in the configuration alone"),
        ("phone", json!({"kind": "terminal"}), "in the configuration alone"),
        ("phone", json!({"kind": "ntfy", "rate": "often"}), "must read like"),
        ("phone", json!({"kind": "ntfy", "fallback": "nobody"}), "`fallback` is `nobody`"),
        ("phone", json!({"kind": "ntfy", "fallback": "phone"}), "another channel"),
        ("phone", json!({"kind": "ntfy", "token": "x".repeat(5_000)}), "4000 characters"),
        ("phone", json!({"kind": "webhook", "secret": "whsec_?"}), "secret"),
        ("phone", json!({"kind": "webhook", "template": "x"}), "has no `template`"),
        ("phone", json!({"kind": "ntfy", "template": "a\n{{ b"}), "`template` cannot be read: in"),
    ] {
        let said = wrong(&book, name, &settings);
        assert!(said.contains(says), "{name} {settings}: {said}");
    }
    assert!(bench.store.access().made_channels().expect("readable").is_empty());
    assert!(!bench.key().exists(), "no key before there is a secret");
    let mut new = wish("phone", &json!({"kind": "ntfy", "fallback": "Desk"}));
    new.is_new = true;
    assert_eq!(book.put(&new, NOW), Ok(true));
    assert!(matches!(book.put(&new, NOW), Err(Refused::Unable(_))), "there is one");
    assert!(matches!(book.remove("desk"), Err(Refused::Unable(_))), "of the configuration");
    let other = json!({"kind": "ntfy", "url": "https://n.example/t", "fallback": "interactive"});
    put(&book, "tablet", &other).expect("made");
    put(&book, "phone", &json!({"kind": "ntfy", "fallback": "tablet"})).expect("changed");
    let leans = book.remove("tablet");
    assert!(matches!(&leans, Err(Refused::Unable(why)) if why.contains("`phone`")), "{leans:?}");
    let without = put(&book, "tablet", &json!({"kind": "email"}));
    assert!(
        matches!(&without, Err(Refused::Unable(why)) if why.contains("`phone`")),
        "{without:?}"
    );
}

#[test]
fn a_pasted_address_is_a_channel_and_the_configuration_s_goes_first() {
    let bench = Bench::new("");
    let url = json!({"url": "https://discord.com/api/webhooks/1/x"});
    put(&bench.book(), "team", &url).expect("made");
    assert_eq!(shown(&bench.book(), "team").settings["kind"], "discord");
    let later = Bench { toml: "[channels.team]\nkind = \"email\"\n", ..bench };
    let book = later.book();
    let team = shown(&book, "team");
    assert!(!team.is_made && team.trouble.is_some_and(|why| why.contains("made here, too")));
    assert_eq!(team.settings["kind"], "email");
    assert!(info(&book, "team").expect("known").contact_needed);
    book.remove("team").expect("the one that was made");
    let trouble = shown(&book, "team").trouble;
    assert!(trouble.is_some_and(|why| why.contains("no mail server is configured")));
}

#[test]
fn a_channel_of_kind_email_tells_a_mail_address_and_says_where_none_can_be_sent() {
    let bench = Bench::new("");
    let book = bench.book();
    let to = |to: &str| put(&book, "me", &json!({"kind": "email", "to": to}));
    for wrong in ["ana", "a@b.example, c@d.example", "https://a.example"] {
        assert!(matches!(to(wrong), Err(Refused::Wrong(_))), "{wrong}");
    }
    assert_eq!(to("Ana <ana@b.example>"), Ok(true));
    assert_eq!(to("ana@b.example"), Ok(false));
    assert!(shown(&book, "me").trouble.is_some_and(|why| why.contains("[smtp]")));
    let with_mail = Bench { toml: "[smtp]\nhost = \"mail.example.org\"\n", ..bench };
    let book = with_mail.book();
    put(&book, "me", &json!({"kind": "email", "to": "ana@b.example"})).expect("made");
    assert_eq!(shown(&book, "me").trouble, None);
}

#[test]
fn a_template_is_kept_shown_and_used() {
    let bench = Bench::new("");
    let template = "{{ sentinel }}:\n{{ summary }}";
    let own = json!({"kind": "ntfy", "url": "https://n.example/t", "template": template});
    put(&bench.book(), "phone", &own).expect("made");
    let book = bench.book();
    assert_eq!(shown(&book, "phone").settings["template"], template);
    let has_one = |way: &Way| matches!(way, Way::Sender(_, Some(_)));
    assert!(book.way("phone").as_deref().is_some_and(has_one));
    std::fs::remove_file(bench.key()).expect("removed");
    assert_eq!(shown(&bench.book(), "phone").settings["template"], template);
}

#[test]
fn each_kind_is_made_from_its_examples_and_read_back_whole() {
    let bench = Bench::new("");
    for kind in ChannelKind::makeable() {
        let mut said: Map<String, Value> =
            [("kind".to_owned(), kind.name().into())].into_iter().collect();
        for field in kind.fields() {
            let example = field.example.replace('…', "hunter2");
            said.insert(field.name.to_owned(), example.into());
        }
        if kind == ChannelKind::Webhook {
            said["secret"] = "whsec_aHVudGVyMmh1bnRlcjJodW50ZXIy".into();
        }
        for (name, example, _) in address::MANNERS {
            let example = if name == "fallback" { "interactive" } else { example };
            said.insert(name.to_owned(), example.into());
        }
        if kind.has_template() {
            said.insert(address::TEMPLATE.0.to_owned(), address::TEMPLATE.1.into());
        }
        let name = format!("my-{}", kind.name());
        let wanted = Channel::of_json(&said).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        put(&bench.book(), &name, &Value::Object(said)).unwrap_or_else(|why| panic!("{why:?}"));
        let book = bench.book();
        let shown = Value::Object(shown(&book, &name).settings);
        assert!(!shown.to_string().contains("hunter2"), "{shown}");
        let made = book.read();
        assert!(made[&*name].channel.as_ref() == Some(&wanted), "{shown}");
        drop(made);
        // The form as it is shown changes nothing.
        put(&book, &name, &shown).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert!(bench.book().read()[&*name].channel.as_ref() == Some(&wanted), "{name}");
    }
}
