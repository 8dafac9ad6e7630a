package dev.berth.apiserver.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/// A certificate and the key that it is about. They stand together in one file, so that a crash
/// never leaves one without the other.
record KeyedCertificate(X509Certificate certificate, PrivateKey key) {
  static KeyedCertificate parse(String pem) throws GeneralSecurityException {
    return new KeyedCertificate(Pem.certificate(pem), Pem.key(pem));
  }

  String pem() throws GeneralSecurityException {
    return Pem.of(certificate) + Pem.of(key);
  }

  @Override
  public String toString() {
    return certificate.getSubjectX500Principal().getName();
  }
}
