//! An MQTT broker of ours, and programs of this machine.

use crate::fixture::*;
use chronon::Span;
use deliver::{Channel, Command, Config, Delivered, Format, Mqtt, Secret};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What came: the first byte of each packet, and its body.
type Packets = Arc<Mutex<Vec<(u8, Vec<u8>)>>>;

/// A broker: reads packets as MQTT 3.1.1 defines them, and answers CONNECT with a code.
struct Broker {
    url: String,
    packets: Packets,
}

impl Broker {
    async fn answering(code: u8) -> Broker {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("mqtt://{}", listener.local_addr().unwrap());
        let packets = Packets::default();
        let seen = packets.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, code, seen.clone()));
            }
        });
        Broker { url, packets }
    }
}

async fn serve(mut stream: TcpStream, code: u8, seen: Packets) {
    while let Ok(kind) = stream.read_u8().await {
        let (mut length, mut shift) = (0usize, 0);
        loop {
            let byte = stream.read_u8().await.unwrap();
            length |= usize::from(byte & 127) << shift;
            shift += 7;
            if byte & 128 == 0 {
                break;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.unwrap();
        let answer: Vec<u8> = match kind >> 4 {
            1 => vec![0x20, 2, 0, code],
            3 => {
                let topic = usize::from(u16::from_be_bytes([body[0], body[1]]));
                let id = [body[2 + topic], body[3 + topic]];
                vec![0x40, 2, id[0], id[1]]
            }
            _ => Vec::new(),
        };
        seen.lock().unwrap().push((kind, body));
        stream.write_all(&answer).await.unwrap();
    }
}

fn mqtt(url: &str, topic: Option<&str>) -> Channel {
    Channel::Mqtt(Mqtt {
        url: url.to_owned(),
        topic: topic.map(str::to_owned),
        user: Some("ana".to_owned()),
        password: Some(Secret::new("hunter2")),
        format: Format::Json,
    })
}

#[tokio::test]
async fn a_publication_is_acknowledged_before_it_counts() {
    let broker = Broker::answering(0).await;
    let channel = mqtt(&broker.url, Some("home/tidings"));
    let delivered = deliverer(Config::default()).deliver(&delivery(&channel, None)).await;
    assert_eq!(delivered, Delivered::Delivered);
    let packets = broker.packets.lock().unwrap().clone();
    let [(connect, login), (publish, told), ..] = &packets[..] else { panic!("{packets:?}") };
    assert_eq!((*connect, *publish), (0x10, 0x32));
    // Protocol level 4, user, password, clean session, 60 s, then the client, user and password.
    let mut expected = b"\0\x04MQTT\x04\xc2\0\x3c".to_vec();
    expected.extend(b"\0\x17tidings0011223344556677\0\x03ana\0\x07hunter2");
    assert_eq!(login, &expected);
    let mut expected = b"\0\x0chome/tidings\0\x01".to_vec();
    expected.extend(BODY.as_bytes());
    assert_eq!(told, &expected);
    assert!(!format!("{channel:?}").contains("hunter2"));
}

#[tokio::test]
async fn a_broker_that_refuses_says_why_and_a_topic_has_no_wildcard() {
    for (code, said) in [(4, "user or password is wrong"), (5, "do not allow"), (9, "code 9")] {
        let broker = Broker::answering(code).await;
        let channel = mqtt(&broker.url, Some("t"));
        let told = deliverer(Config::default()).deliver(&delivery(&channel, None)).await;
        let told = reason(told);
        assert!(told.starts_with("127.0.0.1 refused the connection: ") && told.contains(said));
    }
    let broker = Broker::answering(0).await;
    for topic in ["home/+", "#", ""] {
        let channel = mqtt(&broker.url, None);
        let told = deliverer(Config::default()).deliver(&delivery(&channel, Some(topic))).await;
        assert!(reason(told).contains("topic"));
    }
    let receiver = Receiver::answering("HTTP/1.1 400 x\r\n\r\n").await;
    let url = receiver.url.replace("http", "mqtt");
    let hasty = Config { webhook_max: Span::from_secs(2), ..Config::default() };
    let told = deliverer(hasty).deliver(&delivery(&mqtt(&url, Some("t")), None)).await;
    assert!(matches!(told, Delivered::Failed { .. }), "{told:?}");
    let forbidden = mqtt("mqtt://169.254.169.254", Some("t"));
    let told = reason(deliverer(Config::default()).deliver(&delivery(&forbidden, None)).await);
    assert!(told.contains("cloud metadata"), "{told}");
}

fn command(words: &[&str], format: Format, limit: Span) -> Channel {
    let words = words.iter().map(|&word| word.to_owned()).collect();
    Channel::Command(Command { words, format, limit })
}

async fn run(script: &str, format: Format, limit: Span) -> Delivered {
    let channel = command(&["/bin/sh", "-c", script], format, limit);
    deliverer(Config::default()).deliver(&delivery(&channel, None)).await
}

#[tokio::test]
async fn a_command_gets_the_notification_on_standard_input_and_its_facts_as_variables() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("told");
    let script = format!(
        "cat > '{0}'; echo \"$TIDINGS_KEY $TIDINGS_TYPE $TIDINGS_ATTEMPT\" >> '{0}'",
        file.display()
    );
    assert_eq!(run(&script, Format::Json, Span::MINUTE).await, Delivered::Delivered);
    let told = std::fs::read_to_string(&file).unwrap();
    assert_eq!(told, format!("{BODY}{KEY} change 1\n"));
    let script = format!("cat > '{}'", file.display());
    assert_eq!(run(&script, Format::Text, Span::MINUTE).await, Delivered::Delivered);
    let told = std::fs::read_to_string(&file).unwrap();
    assert!(told.contains("2 links added on cnn.com") && !told.contains('{'), "{told}");
}

#[tokio::test]
async fn a_command_that_fails_says_why_and_one_that_hangs_is_killed() {
    let minute = Span::MINUTE;
    let told = reason(run("echo no luck >&2; exit 3", Format::Json, minute).await);
    assert_eq!(told, "/bin/sh ended with 3: no luck");
    assert_eq!(
        reason(run("kill -9 $$", Format::Json, minute).await),
        "/bin/sh ended with signal 9"
    );
    // One that neither reads nor stops talking is no harm.
    let chatty = "i=0; while [ $i -lt 20000 ]; do echo xxxxxxxxxx >&2; i=$((i+1)); done";
    assert_eq!(run(chatty, Format::Json, minute).await, Delivered::Delivered);
    let told = reason(run("sleep 600", Format::Json, Span::from_millis(200)).await);
    assert_eq!(told, "/bin/sh was killed: it took more than 200 ms");
    let missing = command(&["/no/such/program", "hunter2"], Format::Json, minute);
    let told = reason(deliverer(Config::default()).deliver(&delivery(&missing, None)).await);
    assert!(told.starts_with("/no/such/program cannot be run: "), "{told}");
    assert!(!format!("{missing:?}").contains("hunter2"));
}

/// A script that starts a child and writes its number into a file, then does what `end` says.
fn script(file: &std::path::Path, end: &str) -> String {
    let file = file.display();
    format!("sleep 600 & echo $! > '{file}.new'; mv '{file}.new' '{file}'; {end}")
}

/// The number in the file, once it is there.
async fn number_in(file: &std::path::Path) -> u32 {
    loop {
        if let Ok(text) = std::fs::read_to_string(file) {
            return text.trim().parse().unwrap();
        }
        tokio::task::yield_now().await;
    }
}

/// Waits for the end of a process: until its number is nobody's, or that of one to be collected.
#[track_caller]
fn ends(number: u32) {
    let began = std::time::Instant::now();
    while let Ok(stat) = std::fs::read_to_string(format!("/proc/{number}/stat"))
        && !stat.contains(") Z ")
    {
        assert!(began.elapsed().as_secs() < 60, "{number} goes on: {stat}");
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn what_a_command_leaves_behind_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("child");
    let ended = run(&script(&file, "exit 0"), Format::Json, Span::MINUTE).await;
    assert_eq!(ended, Delivered::Delivered);
    ends(number_in(&file).await);
}

#[tokio::test]
async fn an_attempt_that_is_given_up_ends_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("child");
    let script = script(&file, "wait");
    let attempt = tokio::spawn(async move { run(&script, Format::Json, Span::HOUR).await });
    let child = number_in(&file).await;
    attempt.abort();
    assert!(attempt.await.unwrap_err().is_cancelled());
    ends(child);
}
