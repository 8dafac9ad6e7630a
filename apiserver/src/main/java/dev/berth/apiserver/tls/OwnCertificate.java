package dev.berth.apiserver.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A certificate that a server has made for itself, as a kubelet does that is given none: nobody
/// vouches for it. It is kept with its key in one file, and used again as long as it is good.
public final class OwnCertificate {
  private OwnCertificate() {}

  /// @param file where it is kept
  /// @param names names and addresses of the server, the first one being what it is called
  /// @throws GeneralSecurityException if this JDK cannot make one
  /// @throws IOException if it can neither be read nor written
  public static KeyStore in(Path file, List<String> names, Instant now)
      throws IOException, GeneralSecurityException {
    var wanted = ServerNames.of(names);
    var stored = stored(file, wanted, now);
    if (stored.isPresent()) return store(stored.get());
    var made =
        Authority.create(names.getFirst() + "-ca", now).server(names.getFirst(), wanted, now);
    Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    SecretFile.write(file, made.pem());
    return store(made);
  }

  private static Optional<KeyedCertificate> stored(Path file, ServerNames wanted, Instant now)
      throws IOException {
    try {
      var stored = KeyedCertificate.parse(Files.readString(file));
      return !ServerKey.endsSoon(stored.certificate(), now)
              && wanted.within(ServerNames.of(stored.certificate()))
          ? Optional.of(stored)
          : Optional.empty();
    } catch (NoSuchFileException | GeneralSecurityException another) {
      return Optional.empty(); // nobody believes it for its own sake: a new one is as good
    }
  }

  private static KeyStore store(KeyedCertificate own) throws GeneralSecurityException {
    var keys = KeyStore.getInstance("PKCS12");
    try {
      keys.load(null, null);
    } catch (IOException impossible) {
      throw new GeneralSecurityException("an empty store is read from nowhere", impossible);
    }
    keys.setKeyEntry("server", own.key(), new char[0], new X509Certificate[] {own.certificate()});
    return keys;
  }
}
