//! Encryption as QUIC demands it. The certificate is made at every start and trusted by nobody: this is a measurement, whose
//! client takes the server that it was sent to.
use crate::failure::{because, Failure};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{ring, verify_tls12_signature, verify_tls13_signature, CryptoProvider};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, SignatureScheme};
use std::sync::Arc;

const PROTOCOL: &[u8] = b"paceline";
pub const SERVER_NAME: &str = "paceline.invalid";

pub fn server() -> Result<quinn_proto::ServerConfig, Failure> {
    let made = rcgen::generate_simple_self_signed([SERVER_NAME.to_string()]).map_err(because("the certificate"))?;
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let mut tls = rustls::ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key.into()))
        .map_err(because("the certificate"))?;
    tls.alpn_protocols = vec![PROTOCOL.to_vec()];
    let crypto = quinn_proto::crypto::rustls::QuicServerConfig::try_from(tls).map_err(because("TLS"))?;
    Ok(quinn_proto::ServerConfig::with_crypto(Arc::new(crypto)))
}

pub fn client() -> Result<quinn_proto::ClientConfig, Failure> {
    let provider = Arc::new(ring::default_provider());
    let mut tls = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(because("TLS"))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyServer(provider)))
        .with_no_client_auth();
    tls.alpn_protocols = vec![PROTOCOL.to_vec()];
    let crypto = quinn_proto::crypto::rustls::QuicClientConfig::try_from(tls).map_err(because("TLS"))?;
    Ok(quinn_proto::ClientConfig::new(Arc::new(crypto)))
}

/// Checks that the server holds the key of the certificate that it shows, and no more.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
