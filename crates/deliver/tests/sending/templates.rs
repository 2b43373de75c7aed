//! Messages in a person's own words: the same template for every kind, and what happens where it
//! fails.

use crate::fixture::*;
use address::ChannelKind;
use deliver::{Channel, Config, Delivered, Delivery, Format, Mqtt, Service, Template};
use serde_json::Value;

const BODY: &str = r#"{"type": "change", "sentinel": "deals", "summary": "1 link added",
    "sources": [{"url": "https://a.example/x_y_z"}], "changes_total": 1, "changes": [{"type":
    "links", "kind": "insert", "source": 0, "new": {"text": "*Rome* <b>@all"}}]}"#;
const OWN: &str = "{{ sentinel }} says\n{% for change in changes %}{{ change.new.text }}\
                   {% endfor %} at {{ sources[0].url }}";
/// Divides by nothing.
const FAILS: &str = "{{ 1 // 0 }}";

fn template(source: &str) -> Template {
    Template::parse(source).expect("a template")
}

/// What an ntfy server gets.
async fn ntfy(source: &str) -> String {
    let receiver = Receiver::answering("HTTP/1.1 200 x\r\nContent-Length: 2\r\n\r\n{}").await;
    let url = receiver.url.replace("/hook/t0ken", "/deals");
    let channel = Channel::Service(Service::new(ChannelKind::Ntfy, [("url", url)]));
    let template = template(source);
    let told =
        Delivery { body: BODY.as_bytes(), template: Some(&template), ..delivery(&channel, None) };
    let deliverer = deliverer(Config::default());
    assert_eq!(deliverer.deliver(&told).await, Delivered::Delivered);
    let json: Value = serde_json::from_slice(&receiver.received()[0].body).expect("JSON");
    json["message"].as_str().expect("a text").to_owned()
}

#[tokio::test]
async fn a_service_gets_the_lines_of_the_template_with_nothing_of_a_page_as_markup() {
    let expected = "deals says  \n\\*Rome\\* \\<b\\>@all at \
                    [https://a.example/x\\_y\\_z](https://a.example/x_y_z)";
    assert_eq!(ntfy(OWN).await, expected);
}

#[tokio::test]
async fn a_template_that_fails_says_so_before_the_message_as_it_always_is() {
    let message = ntfy(FAILS).await;
    let mut lines = message.lines();
    assert!(lines.next().is_some_and(|line| line.contains("template of this channel failed")));
    assert!(message.contains("Rome") && message.contains("deals"), "{message}");
}

#[tokio::test]
async fn a_mail_has_it_as_text_and_as_html_above_its_links() {
    let server = MailServer::start().await;
    let channel = Channel::Email { to: Some("ana@example.org".to_owned()) };
    let config = Config { smtp: Some(crate::mail::smtp(&server)), ..Config::default() };
    let deliverer = deliverer(config);
    for source in [OWN, FAILS] {
        let template = template(source);
        let told = Delivery {
            body: BODY.as_bytes(),
            template: Some(&template),
            ..delivery(&channel, None)
        };
        assert_eq!(deliverer.deliver(&told).await, Delivered::Delivered);
    }
    let mails = server.mails();
    let [own, failed] = &mails[..] else { panic!("more or less than two mails") };
    assert!(own.contains("deals says\n*Rome* <b>@all at https://a.example/x_y_z\n"), "{own}");
    assert!(own.contains("deals says<br>\n*Rome* &lt;b&gt;@all"), "{own}");
    assert!(own.contains("public_url"), "{own}");
    assert_eq!(failed.matches("template of this channel").count(), 2, "{failed}");
    assert!(failed.contains("+ *Rome* <b>@all"), "{failed}");
}

#[test]
fn what_a_broker_is_told_is_the_template_s_text_whatever_the_format() {
    for format in [Format::Json, Format::Text] {
        let mqtt = Mqtt {
            url: "mqtt://b.example".to_owned(),
            topic: None,
            user: None,
            password: None,
            format,
        };
        let channel = Channel::Mqtt(mqtt);
        let (own, fails) = (template("{{ summary }}"), template(FAILS));
        let told = |template| Delivery {
            body: BODY.as_bytes(),
            template: Some(template),
            ..delivery(&channel, None)
        };
        assert_eq!(&*told(&own).formatted(format), b"1 link added\n");
        let failed = String::from_utf8_lossy(&told(&fails).formatted(format)).into_owned();
        assert_eq!(failed.contains("failed"), format == Format::Text, "JSON is as promised");
    }
}
