package dev.berth.apiserver.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/// Keys and certificates as text (RFC 7468).
final class Pem {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";

  private Pem() {}

  static String of(X509Certificate certificate) throws GeneralSecurityException {
    return block(CERTIFICATE, certificate.getEncoded());
  }

  /// The key in PKCS #8.
  static String of(PrivateKey key) {
    return block(PRIVATE_KEY, key.getEncoded());
  }

  static X509Certificate certificate(String text) throws GeneralSecurityException {
    var encoded = new ByteArrayInputStream(content(text, CERTIFICATE));
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(encoded);
  }

  static PrivateKey key(String text) throws GeneralSecurityException {
    var encoded = new PKCS8EncodedKeySpec(content(text, PRIVATE_KEY));
    return KeyFactory.getInstance("EC").generatePrivate(encoded);
  }

  private static String block(String label, byte[] content) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, lines, label);
  }

  /// Content of the first block with this label.
  private static byte[] content(String text, String label) throws GeneralSecurityException {
    var begin = "-----BEGIN " + label + "-----";
    int start = text.indexOf(begin);
    int end = text.indexOf("-----END " + label + "-----");
    if (start < 0 || end < start) throw new GeneralSecurityException("no block " + label);
    var lines = text.substring(start + begin.length(), end);
    try {
      return Base64.getMimeDecoder().decode(lines.getBytes(StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException broken) {
      throw new GeneralSecurityException("block " + label + " is no Base64", broken);
    }
  }
}
