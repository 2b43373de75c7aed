//! One publication on an MQTT 3.1.1 broker, at least once (QoS 1): connect, publish, wait for the
//! acknowledgement, leave. <https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/mqtt-v3.1.1.html>;
//! the numbers below are its sections.

use crate::guard::Guard;
use crate::http::duration;
use crate::secret::Secret;
use crate::{Config, Delivered, Delivery, Format};
use chronon::Span;
use rustls::pki_types::ServerName;
use std::fmt;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use url::Url;

/// A broker and what it is told.
#[derive(Clone)]
pub struct Mqtt {
    /// `mqtt://host:port` or `mqtts://host:port`.
    pub url: String,
    /// Where to publish, unless the sentinel's contact says.
    pub topic: Option<String>,
    pub user: Option<String>,
    pub password: Option<Secret>,
    pub format: Format,
}

impl fmt::Debug for Mqtt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = crate::http::host_of(&self.url);
        f.debug_struct("Mqtt").field("host", &host).field("topic", &self.topic).finish()
    }
}

/// Publishes.
#[derive(Clone)]
pub(crate) struct Sender {
    guard: Guard,
    tls: Arc<rustls::ClientConfig>,
    limit: Span,
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mqtt::Sender")
    }
}

/// The packets of the protocol that occur here: 2.2.1.
const CONNECT: u8 = 1 << 4;
const CONNACK: u8 = 2 << 4;
const PUBLISH_QOS_1: u8 = 3 << 4 | 1 << 1;
const PUBACK: u8 = 4 << 4;
const DISCONNECT: u8 = 14 << 4;
/// The only publication of a connection.
const PACKET_ID: u16 = 1;
/// The most that a packet can hold: 2.2.3.
const LENGTH_MAX: usize = 268_435_455;

impl Sender {
    pub(crate) fn new(config: &Config, mut tls: rustls::ClientConfig) -> Sender {
        tls.alpn_protocols.clear();
        Sender { guard: Guard::of(config), tls: Arc::new(tls), limit: config.webhook_max }
    }

    pub(crate) async fn send(&self, mqtt: &Mqtt, delivery: &Delivery<'_>) -> Delivered {
        match tokio::time::timeout(duration(self.limit), self.publish(mqtt, delivery)).await {
            Ok(Ok(())) => Delivered::Delivered,
            Ok(Err(reason)) => Delivered::failed(reason),
            Err(_) => {
                let host = crate::http::host_of(&mqtt.url);
                Delivered::failed(format!("{host} gave no answer within {}", self.limit))
            }
        }
    }

    async fn publish(&self, mqtt: &Mqtt, delivery: &Delivery<'_>) -> Result<(), String> {
        let Some(topic) = delivery.contact.or(mqtt.topic.as_deref()) else {
            return Err("there is no topic; give one in the sentinel or the channel".to_owned());
        };
        // 4.7: wildcards are for those who subscribe.
        if topic.is_empty() || topic.contains(['+', '#', '\0']) || topic.len() > 65_535 {
            return Err("the topic may not be empty, nor hold `+` or `#`".to_owned());
        }
        let url = Url::parse(&mqtt.url).map_err(|_| "the broker's URL cannot be read")?;
        let (secure, usual) = match url.scheme() {
            "mqtt" => (false, 1_883),
            "mqtts" => (true, 8_883),
            _ => return Err("a broker's URL begins with mqtt:// or mqtts://".to_owned()),
        };
        let host = url.host_str().ok_or("the broker's URL has no host")?;
        let places = self.guard.addresses(host, url.port().unwrap_or(usual)).await?;
        let lost = |error: std::io::Error| format!("no connection to {host}: {error}");
        let stream = TcpStream::connect(&*places).await.map_err(lost)?;
        let payload = delivery.formatted(mqtt.format);
        let packets = Packets { mqtt, topic, key: delivery.key, payload: &payload };
        if secure {
            let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned())
                .map_err(|_| format!("{host} is no name of a server"))?;
            let stream = TlsConnector::from(Arc::clone(&self.tls)).connect(name, stream).await;
            packets.exchange(stream.map_err(lost)?).await
        } else {
            packets.exchange(stream).await
        }
        .map_err(|reason| format!("{host} {reason}"))
    }
}

struct Packets<'a> {
    mqtt: &'a Mqtt,
    topic: &'a str,
    key: &'a str,
    payload: &'a [u8],
}

impl Packets<'_> {
    /// The whole conversation; the error completes a sentence that begins with the host.
    async fn exchange<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        mut stream: S,
    ) -> Result<(), String> {
        let lost = |error: std::io::Error| format!("broke the connection off: {error}");
        stream.write_all(&self.connect()?).await.map_err(lost)?;
        let (kind, answer) = read(&mut stream).await?;
        match (kind, answer.as_slice()) {
            (CONNACK, [_, 0]) => {}
            (CONNACK, [_, code]) => return Err(format!("refused the connection: {}", why(*code))),
            _ => return Err("does not speak MQTT 3.1.1".to_owned()),
        }
        stream.write_all(&self.publish()?).await.map_err(lost)?;
        let (kind, answer) = read(&mut stream).await?;
        if (kind, answer.as_slice()) != (PUBACK, &PACKET_ID.to_be_bytes()) {
            return Err("did not acknowledge the publication".to_owned());
        }
        // It has arrived; a goodbye that does not is no failure.
        let _ = stream.write_all(&[DISCONNECT, 0]).await;
        let _ = stream.shutdown().await;
        Ok(())
    }

    /// 3.1: a clean session that is pinged within 60 s.
    fn connect(&self) -> Result<Vec<u8>, String> {
        let Mqtt { user, password, .. } = self.mqtt;
        let (has_user, has_password) = (user.is_some(), user.is_some() && password.is_some());
        let flags = 1 << 1 | u8::from(has_password) << 6 | u8::from(has_user) << 7;
        let mut body = text("MQTT")?;
        body.extend([4, flags]);
        body.extend(60u16.to_be_bytes());
        // 3.1.3.1: up to 23 letters and digits are taken by every broker.
        let id = self.key.chars().filter(char::is_ascii_alphanumeric).take(16);
        body.extend(text(&format!("tidings{}", id.collect::<String>()))?);
        if let Some(user) = user {
            body.extend(text(user)?);
            if let Some(password) = password {
                body.extend(text(password.reveal())?);
            }
        }
        packet(CONNECT, &body)
    }

    /// 3.3.
    fn publish(&self) -> Result<Vec<u8>, String> {
        let mut body = text(self.topic)?;
        body.extend(PACKET_ID.to_be_bytes());
        body.extend(self.payload);
        packet(PUBLISH_QOS_1, &body)
    }
}

/// 1.5.3: the length in two bytes, then UTF-8.
fn text(text: &str) -> Result<Vec<u8>, String> {
    let length = u16::try_from(text.len()).map_err(|_| "takes no text of that length")?;
    Ok([&length.to_be_bytes(), text.as_bytes()].concat())
}

/// 2.2.3: seven bits of the length to a byte, the lowest first.
fn packet(kind: u8, body: &[u8]) -> Result<Vec<u8>, String> {
    if body.len() > LENGTH_MAX {
        return Err("takes no packet of that length".to_owned());
    }
    let mut out = vec![kind];
    let mut length = body.len();
    loop {
        let seven = (length % 128) as u8;
        length /= 128;
        out.push(if length > 0 { seven | 128 } else { seven });
        if length == 0 {
            break;
        }
    }
    out.extend(body);
    Ok(out)
}

/// A packet's kind and what it holds; those that are answers here hold four bytes at most.
async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> Result<(u8, Vec<u8>), String> {
    let lost = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => "ended the connection".to_owned(),
        _ => format!("broke the connection off: {error}"),
    };
    let kind = stream.read_u8().await.map_err(lost)? & 0xf0;
    let length = usize::from(stream.read_u8().await.map_err(lost)?);
    if length > 4 {
        return Err("does not speak MQTT 3.1.1".to_owned());
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.map_err(lost)?;
    Ok((kind, body))
}

/// 3.2.2.3.
fn why(code: u8) -> String {
    match code {
        1 => "it does not speak MQTT 3.1.1".to_owned(),
        2 => "it takes no client of that name".to_owned(),
        3 => "it is not available".to_owned(),
        4 => "user or password is wrong".to_owned(),
        5 => "user and password do not allow it".to_owned(),
        code => format!("code {code}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_written_seven_bits_to_a_byte() {
        // The examples of 2.2.3.
        for (length, written) in [
            (0, &[0x00][..]),
            (127, &[0x7f]),
            (128, &[0x80, 0x01]),
            (16_383, &[0xff, 0x7f]),
            (16_384, &[0x80, 0x80, 0x01]),
        ] {
            let packet = packet(CONNECT, &vec![0; length]).unwrap();
            assert_eq!(&packet[1..packet.len() - length], written);
        }
    }
}
