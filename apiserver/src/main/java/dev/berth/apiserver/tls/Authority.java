package dev.berth.apiserver.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Signs certificates (RFC 5280) with ECDSA on P-256: keys of it are made in a millisecond and
/// every client in use can check it.
final class Authority {
  private static final Duration AUTHORITY_LIFE = Duration.ofDays(3_650);
  private static final Duration CERTIFICATE_LIFE = Duration.ofDays(365);

  /// Clients whose clock is slow believe a fresh certificate all the same.
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

  private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String ORGANIZATION = "2.5.4.10";
  private static final String SUBJECT_KEY = "2.5.29.14";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String ALTERNATIVE_NAMES = "2.5.29.17";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String AUTHORITY_KEY = "2.5.29.35";
  private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
  private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";

  /// Bits of `keyUsage`, the first one being the highest of its byte.
  private static final byte DIGITAL_SIGNATURE = (byte) 0x80;

  private static final byte SIGN_CERTIFICATES_AND_REVOCATIONS = 0x06;

  private final KeyedCertificate own;
  private final byte[] name;

  private Authority(KeyedCertificate own, byte[] name) {
    this.own = own;
    this.name = name;
  }

  /// An authority whose key and certificate were made before.
  static Authority of(KeyedCertificate own) {
    return new Authority(own, own.certificate().getSubjectX500Principal().getEncoded());
  }

  /// A new authority that vouches for itself.
  ///
  /// @param commonName what users see as the issuer
  static Authority create(String commonName, Instant now) throws GeneralSecurityException {
    var keys = newKeys();
    var name = name(commonName, List.of());
    var extensions =
        List.of(
            critical(BASIC_CONSTRAINTS, Der.sequence(Der.bool(true))),
            critical(KEY_USAGE, Der.bits(1, SIGN_CERTIFICATES_AND_REVOCATIONS)),
            extension(SUBJECT_KEY, Der.octets(keyId(keys.getPublic()))));
    var certificate =
        sign(name, keys.getPrivate(), name, keys.getPublic(), now, AUTHORITY_LIFE, extensions);
    return new Authority(new KeyedCertificate(certificate, keys.getPrivate()), name);
  }

  X509Certificate certificate() {
    return own.certificate();
  }

  KeyedCertificate keyedCertificate() {
    return own;
  }

  /// Whether a certificate of ours says that this authority signed it.
  boolean signed(X509Certificate certificate) throws GeneralSecurityException {
    return Arrays.equals(
        certificate.getExtensionValue(AUTHORITY_KEY),
        Der.octets(issuerKey(own.certificate().getPublicKey())));
  }

  /// A certificate that a server shows, valid for `names` only.
  KeyedCertificate server(String commonName, ServerNames names, Instant now)
      throws GeneralSecurityException {
    var keys = newKeys();
    var certificate = server(commonName, names, keys.getPublic(), now);
    return new KeyedCertificate(certificate, keys.getPrivate());
  }

  /// A fresh certificate for a key that the server has already.
  X509Certificate server(String commonName, ServerNames names, PublicKey key, Instant now)
      throws GeneralSecurityException {
    var alternatives = extension(ALTERNATIVE_NAMES, names.der());
    return leaf(
        name(commonName, List.of()), key, now, SERVER_AUTHENTICATION, List.of(alternatives));
  }

  /// A certificate by which a client shows that it is `identity`.
  KeyedCertificate client(Identity identity, Instant now) throws GeneralSecurityException {
    var keys = newKeys();
    var subject = name(identity.name(), identity.groups());
    var certificate = leaf(subject, keys.getPublic(), now, CLIENT_AUTHENTICATION, List.of());
    return new KeyedCertificate(certificate, keys.getPrivate());
  }

  private X509Certificate leaf(
      byte[] subject, PublicKey key, Instant now, String purpose, List<byte[]> more)
      throws GeneralSecurityException {
    var extensions = new ArrayList<byte[]>();
    extensions.add(critical(BASIC_CONSTRAINTS, Der.sequence()));
    extensions.add(critical(KEY_USAGE, Der.bits(7, DIGITAL_SIGNATURE)));
    extensions.add(extension(EXTENDED_KEY_USAGE, Der.sequence(Der.oid(purpose))));
    extensions.add(extension(SUBJECT_KEY, Der.octets(keyId(key))));
    extensions.add(extension(AUTHORITY_KEY, issuerKey(own.certificate().getPublicKey())));
    extensions.addAll(more);
    return sign(name, own.key(), subject, key, now, CERTIFICATE_LIFE, extensions);
  }

  private static X509Certificate sign(
      byte[] issuer,
      PrivateKey issuerKey,
      byte[] subject,
      PublicKey key,
      Instant now,
      Duration life,
      List<byte[]> extensions)
      throws GeneralSecurityException {
    var version3 = Der.explicit(0, Der.integer(BigInteger.TWO));
    var serial = Der.integer(new BigInteger(127, new SecureRandom()).setBit(126));
    var validity = Der.sequence(Der.time(now.minus(CLOCK_SKEW)), Der.time(now.plus(life)));
    var toBeSigned =
        Der.sequence(
            version3,
            serial,
            ECDSA_WITH_SHA256,
            issuer,
            validity,
            subject,
            key.getEncoded(),
            Der.explicit(3, Der.sequence(extensions)));
    var signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(issuerKey);
    signature.update(toBeSigned);
    var encoded = Der.sequence(toBeSigned, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static byte[] name(String commonName, List<String> organizations) {
    var parts = new ArrayList<byte[]>();
    organizations.forEach(organization -> parts.add(attribute(ORGANIZATION, organization)));
    parts.add(attribute(COMMON_NAME, commonName));
    return Der.sequence(parts);
  }

  private static byte[] attribute(String oid, String text) {
    return Der.setOf(Der.sequence(Der.oid(oid), Der.text(text)));
  }

  private static byte[] extension(String oid, byte[] content) {
    return Der.sequence(Der.oid(oid), Der.octets(content));
  }

  private static byte[] critical(String oid, byte[] content) {
    return Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(content));
  }

  private static byte[] issuerKey(PublicKey key) throws GeneralSecurityException {
    return Der.sequence(Der.implicit(0, keyId(key)));
  }

  /// Any name for the key that is the same in issuer and issued; ours is cut from its SHA-256 (RFC
  /// 7093).
  private static byte[] keyId(PublicKey key) throws GeneralSecurityException {
    var hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
    return Arrays.copyOf(hash, 20);
  }
}
