package dev.berth.kube.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.CertUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/// Client certificates and their keys. The library reads keys that are not RSA's, as k3s makes them
/// and kubeadm may, only by a cryptography provider that we do not ship, and the JDK reads them
/// too; and none that stands in one file with its certificate, as a kubelet keeps them.
final class ClientKeys {
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN (EC )?PRIVATE KEY-----([^-]+)-----END (EC )?PRIVATE KEY-----",
          Pattern.DOTALL);

  /// `id-ecPublicKey`, which says what a curve's name is about (RFC 5480).
  private static final byte[] ELLIPTIC = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

  private static final byte[] VERSION_0 = {2, 1, 0};
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 4;
  private static final int CURVE = 0xA0;

  private ClientKeys() {}

  /// The certificate and its key.
  ///
  /// @return empty: there are not both, or not as PEM; the library sees to the rest
  /// @throws IllegalArgumentException if nobody reads the key or its certificate; nothing of them
  ///   is told
  static Optional<KeyManager[]> of(Config config) {
    try {
      var pem = read(config.getClientKeyData(), config.getClientKeyFile());
      var text = new String(pem, StandardCharsets.ISO_8859_1);
      if (!text.contains("PRIVATE KEY-----")) return Optional.empty();
      // Read once if both stand in one file: a link to it may move meanwhile.
      var certificates =
          isOneFile(config) ? pem : read(config.getClientCertData(), config.getClientCertFile());
      if (certificates.length == 0) return Optional.empty();
      return Optional.of(keys(PemKeys.read(text), PemCertificates.read(certificates)));
    } catch (IOException | GeneralSecurityException | RuntimeException unreadable) {
      throw new IllegalArgumentException(
          "the client certificate of the kubeconfig and its key cannot be read");
    }
  }

  /// A key that is not RSA's.
  static Optional<PrivateKey> key(String pem) throws GeneralSecurityException {
    var found = PEM.matcher(pem);
    if (!found.find()) return Optional.empty();
    var bytes = Base64.getMimeDecoder().decode(found.group(2).strip());
    var spec = new PKCS8EncodedKeySpec(found.group(1) == null ? bytes : wrapped(bytes));
    for (var algorithm : List.of("EC", "EdDSA")) {
      try {
        return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(spec));
      } catch (InvalidKeySpecException another) {
        // then it is the next one's
      }
    }
    return Optional.empty();
  }

  private static boolean isOneFile(Config config) {
    return config.getClientKeyData() == null
        && config.getClientCertData() == null
        && Objects.equals(config.getClientKeyFile(), config.getClientCertFile());
  }

  private static byte[] read(@Nullable String data, @Nullable String file) throws IOException {
    if (data == null && file == null) return new byte[0];
    try (var text = CertUtils.getInputStreamFromDataOrFile(data, file)) {
      return text.readAllBytes();
    }
  }

  private static KeyManager[] keys(PrivateKey key, List<Certificate> chain)
      throws IOException, GeneralSecurityException {
    var nothing = new char[0];
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, nothing);
    store.setKeyEntry("client", key, nothing, chain.toArray(Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, nothing);
    return factory.getKeyManagers();
  }

  /// A key as SEC 1 has it (RFC 5915), which names its curve inside, in the form that names it
  /// before (RFC 5958).
  private static byte[] wrapped(byte[] sec1) {
    var inside = ByteBuffer.wrap(sec1);
    enter(inside);
    while (inside.get(inside.position()) != (byte) CURVE) skip(inside);
    int length = enter(inside);
    var curve = new byte[length];
    inside.get(curve);
    return element(SEQUENCE, VERSION_0, element(SEQUENCE, ELLIPTIC, curve), element(OCTETS, sec1));
  }

  private static void skip(ByteBuffer der) {
    int length = enter(der);
    der.position(der.position() + length);
  }

  /// Passes over tag and length.
  ///
  /// @return the length
  private static int enter(ByteBuffer der) {
    der.get();
    int first = der.get() & 0xFF;
    if (first < 0x80) return first;
    int length = 0;
    for (int i = 0; i < (first & 0x7F); i++) length = (length << 8) | (der.get() & 0xFF);
    return length;
  }

  static byte[] element(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (var part : parts) content.writeBytes(part);
    var element = new ByteArrayOutputStream();
    element.write(tag);
    if (content.size() >= 0x80) {
      element.write(0x82);
      element.write(content.size() >> 8);
    }
    element.write(content.size());
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }
}
