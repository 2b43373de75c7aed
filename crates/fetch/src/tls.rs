//! Whom we trust: the machine's authorities, or Mozilla's list where the machine has none.

use crate::fetcher::SetupError;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use std::sync::{Arc, OnceLock};

/// Makes *ring* the process's TLS provider. Call it first in `main` and in tests; calling it again
/// does nothing.
pub fn install_tls_provider() {
    // The only error is that a provider is installed already, which is what is wanted.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// The TLS settings of everything that asks or tells somebody over HTTPS.
///
/// Trusts `extra_roots` and the machine's own authorities; an empty container has none, and then
/// the list compiled in is used. Offers HTTP/2 and HTTP/1.1.
///
/// # Errors
///
/// [`SetupError::Root`] if an extra root is no certificate.
pub fn client_tls(extra_roots: &[CertificateDer<'static>]) -> Result<ClientConfig, SetupError> {
    // Read once: it takes some 100 files, and more than one client asks.
    static PUBLIC: OnceLock<RootCertStore> = OnceLock::new();
    let mut roots = PUBLIC.get_or_init(public_roots).clone();
    for (index, root) in extra_roots.iter().enumerate() {
        roots.add(root.clone()).map_err(|source| SetupError::Root { index, source })?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring speaks TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(tls)
}

fn public_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    let native = rustls_native_certs::load_native_certs();
    let (added, ignored) = roots.add_parsable_certificates(native.certs);
    tracing::debug!(added, ignored, errors = native.errors.len(), "the machine's certificates");
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}
