//! Secrets that do not show.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use std::fmt;

/// A text that is not shown in `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The key that signs a webhook's requests, as Standard Webhooks writes it: `whsec_` and base64.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<u8>);

/// Why a text is no webhook secret. Does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadSecret {
    #[error("a webhook secret starts with whsec_")]
    Prefix,
    #[error("after whsec_ a webhook secret is base64, of 24 to 64 bytes by the standard")]
    Base64,
}

impl WebhookSecret {
    /// Reads `whsec_…`.
    ///
    /// # Errors
    ///
    /// [`BadSecret`] for another prefix, and for what is not base64 or empty.
    pub fn parse(text: &str) -> Result<WebhookSecret, BadSecret> {
        let encoded = text.trim().strip_prefix("whsec_").ok_or(BadSecret::Prefix)?;
        match STANDARD_PAD_INDIFFERENT.decode(encoded) {
            Ok(key) if !key.is_empty() => Ok(WebhookSecret(key)),
            _ => Err(BadSecret::Base64),
        }
    }

    pub(crate) fn reveal(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_secret_is_whsec_and_base64_with_or_without_padding() {
        let key = |text| WebhookSecret::parse(text).map(|secret| secret.0);
        assert_eq!(key("whsec_aGVsbG8="), Ok(b"hello".to_vec()));
        assert_eq!(key("whsec_aGVsbG8\n"), Ok(b"hello".to_vec()));
        assert_eq!(key("aGVsbG8="), Err(BadSecret::Prefix));
        assert_eq!(key("whsec_"), Err(BadSecret::Base64));
        assert_eq!(key("whsec_not base64!"), Err(BadSecret::Base64));
    }

    #[test]
    fn secrets_do_not_show_in_debug() {
        let shown = format!(
            "{:?} {:?} {:?}",
            Secret::new("hunter2"),
            WebhookSecret::parse("whsec_aGVsbG8=").unwrap(),
            WebhookSecret::parse("whsec_aHVudGVy!!"),
        );
        assert_eq!(shown, "Secret(…) WebhookSecret(…) Err(Base64)");
    }
}
