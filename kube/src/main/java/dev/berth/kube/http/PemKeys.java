package dev.berth.kube.http;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Pattern;

/// Private keys as Kubernetes' tools write them: RSA's, elliptic ones and Edwards', in PKCS #8 or
/// in the form of their own.
public final class PemKeys {
  private static final Pattern RSA =
      Pattern.compile(
          "-----BEGIN (RSA )?PRIVATE KEY-----([^-]+)-----END (RSA )?PRIVATE KEY-----",
          Pattern.DOTALL);

  /// Version 0, and `rsaEncryption` without parameters (RFC 3279).
  private static final byte[] KIND = {
    2,
    1,
    0,
    0x30,
    0x0D,
    6,
    9,
    0x2A,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xF7,
    0x0D,
    1,
    1,
    1,
    5,
    0
  };

  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 4;

  private PemKeys() {}

  /// The first key of a text.
  ///
  /// @throws GeneralSecurityException if there is none that can be read; nothing of it is told
  public static PrivateKey read(String pem) throws GeneralSecurityException {
    var other = ClientKeys.key(pem);
    if (other.isPresent()) return other.get();
    var found = RSA.matcher(pem);
    if (!found.find()) throw new GeneralSecurityException("no private key is there");
    try {
      var bytes = Base64.getMimeDecoder().decode(found.group(2).strip());
      var encoded =
          found.group(1) == null
              ? bytes
              : ClientKeys.element(SEQUENCE, KIND, ClientKeys.element(OCTETS, bytes));
      return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
      throw new GeneralSecurityException("the private key there cannot be read");
    }
  }
}
