//! What must not stand in a copy of the store: sealed with a key that is in a file beside it.
//!
//! ChaCha20-Poly1305 (RFC 8439) with a nonce drawn for each sealing. What is sealed is bound to
//! what it is about, so that it cannot be put in another's place.

use crate::datadir;
use anyhow::{Context, Result, anyhow, bail};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use std::path::{Path, PathBuf};

/// The file of the key, in the data directory.
pub const KEY_FILE: &str = "channels.key";
/// The first byte of what is sealed: how the rest is to be read.
const FORM: u8 = 1;

/// What helps where the key is not the right one.
const CURE: &str = "put back the one that came with a backup, or remove it and edit each channel: \
                    give its fields again";

/// Seals and opens; reads its key each time, so that one that is put back is used at once.
#[derive(Debug, Clone)]
pub struct Vault {
    path: PathBuf,
}

impl Vault {
    /// The vault of a data directory.
    pub fn of(data_dir: &Path) -> Vault {
        Vault { path: data_dir.join(KEY_FILE) }
    }

    /// Seals `plain`. The key is made if there is none.
    ///
    /// # Errors
    /// A key that cannot be used, or written; what to do.
    pub fn seal(&self, about: &str, plain: &[u8]) -> Result<Vec<u8>> {
        if !self.path.exists() {
            datadir::write_private(&self.path, datadir::random_hex::<32>()?.as_bytes())?;
        }
        let nonce = datadir::random_bytes::<NONCE_LEN>()?;
        let mut text = plain.to_vec();
        self.key()?
            .seal_in_place_append_tag(unique(nonce), Aad::from(about.as_bytes()), &mut text)
            .map_err(|_| anyhow!("it is too long to be encrypted"))?;
        Ok([&[FORM][..], &nonce, &text].concat())
    }

    /// Opens what was sealed about the same.
    ///
    /// # Errors
    /// Why it cannot be opened, and what to do.
    pub fn open(&self, about: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let (key, file) = (self.key()?, self.path.display());
        let Some((&FORM, rest)) = sealed.split_first() else {
            bail!("it was stored by a newer Tidings");
        };
        let Some((nonce, text)) = rest.split_first_chunk::<NONCE_LEN>() else {
            bail!("what is stored of it is cut short");
        };
        let mut text = text.to_vec();
        let opened = key.open_in_place(unique(*nonce), Aad::from(about.as_bytes()), &mut text);
        match opened {
            Ok(plain) => Ok(plain.to_vec()),
            Err(_) => bail!("{file} is not the key that it was stored with; {CURE}"),
        }
    }

    fn key(&self) -> Result<LessSafeKey> {
        let file = self.path.display();
        if !self.path.exists() {
            bail!("the key {file} is missing; {CURE}");
        }
        datadir::refuse_if_others_may_read(&self.path, "opens nothing that is stored")?;
        let text = std::fs::read_to_string(&self.path)
            .with_context(|| format!("the key {file} cannot be read"))?;
        let Some(bytes) = chronon::BlobId::parse_hex(text.trim()) else {
            bail!("{file} is damaged: it holds no key; {CURE}");
        };
        let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes.0);
        Ok(LessSafeKey::new(key.map_err(|_| anyhow!("{file} holds no key"))?))
    }
}

fn unique(nonce: [u8; NONCE_LEN]) -> Nonce {
    Nonce::assume_unique_for_key(nonce)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_is_opened_by_the_same_key_about_the_same_thing() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let vault = Vault::of(temp.path());
        let (one, two) = (vault.seal("a", b"hunter2"), vault.seal("a", b"hunter2"));
        let (one, two) = (one.expect("sealed"), two.expect("sealed"));
        assert_ne!(one, two, "a nonce is used once");
        assert!(!one.windows(7).any(|part| part == b"hunter2"));
        assert_eq!(vault.open("a", &one).expect("opened"), b"hunter2");
        assert!(vault.open("b", &one).is_err(), "in another's place");
        for place in 0..one.len() {
            let mut torn = one.clone();
            torn[place] ^= 1;
            assert!(vault.open("a", &torn).is_err(), "byte {place} was changed");
            assert!(vault.open("a", &one[..place]).is_err(), "cut at {place}");
        }
    }

    #[test]
    fn a_key_that_is_gone_damaged_or_another_is_said() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let vault = Vault::of(temp.path());
        let sealed = vault.seal("a", b"hunter2").expect("sealed");
        let said = || vault.open("a", &sealed).expect_err("no key").to_string();
        let key = std::fs::read(&vault.path).expect("a key");
        std::fs::remove_file(&vault.path).expect("removed");
        assert!(said().contains("channels.key is missing"), "{}", said());
        let other = Vault::of(&temp.path().join("other"));
        std::fs::create_dir(temp.path().join("other")).expect("a folder");
        other.seal("a", b"").expect("sealed");
        std::fs::copy(&other.path, &vault.path).expect("copied");
        assert!(said().contains("is not the key"), "{}", said());
        for damaged in [&b""[..], b"\xff\xfe", &key[1..]] {
            datadir::write_private(&vault.path, damaged).expect("written");
            assert!(said().contains("channels.key"), "{}", said());
            assert!(vault.seal("b", b"x").is_err(), "nothing is sealed with what is no key");
        }
        datadir::write_private(&vault.path, &key).expect("put back");
        assert_eq!(vault.open("a", &sealed).expect("opened"), b"hunter2");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_the_key() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().expect("a temporary directory");
        let vault = Vault::of(temp.path());
        let sealed = vault.seal("a", b"hunter2").expect("sealed");
        let mode = std::fs::metadata(&vault.path).expect("a key").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::set_permissions(&vault.path, std::fs::Permissions::from_mode(0o644))
            .expect("a mode");
        let said = vault.open("a", &sealed).expect_err("open to others").to_string();
        assert!(said.contains("chmod 600"), "{said}");
    }
}
