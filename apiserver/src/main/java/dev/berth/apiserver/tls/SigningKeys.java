package dev.berth.apiserver.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys by which tokens of service accounts are signed (API-10): the one that signs, and the
/// one that signed before it, whose tokens stay good until they end. Kept in two files below `pki`;
/// made, or read, when the first token is signed or shown.
public final class SigningKeys {
  private static final Logger log = LoggerFactory.getLogger(SigningKeys.class);

  /// How long a key signs. No token may live longer than that: then the key after next is made when
  /// all of its tokens have ended.
  public static final Duration LIFE = Duration.ofDays(365);

  private final Path file;
  private final Path oldFile;
  private final InstantSource clock;
  private List<Key> keys = List.of();

  SigningKeys(Path folder, InstantSource clock) {
    this.file = folder.resolve("service-accounts.pem");
    this.oldFile = folder.resolve("service-accounts-before.pem");
    this.clock = clock;
  }

  /// One key.
  ///
  /// @param id by which tokens name it
  /// @param made when it began to sign
  public record Key(String id, Instant made, PrivateKey secret, ECPublicKey open) {
    @Override
    public String toString() {
      return "key " + id;
    }
  }

  /// The key that signs now.
  ///
  /// @throws CredentialsException if its file can neither be used nor made
  public synchronized Key current() {
    return all().getFirst();
  }

  /// The key of that name if its tokens may still be good.
  public synchronized Optional<Key> find(String id) {
    return all().stream().filter(key -> key.id().equals(id)).findFirst();
  }

  /// Those whose tokens may still be good, the current one first.
  public synchronized List<Key> all() {
    try {
      if (keys.isEmpty()) keys = load();
      if (isOver(keys.getFirst())) renew();
      return keys;
    } catch (GeneralSecurityException unsupported) {
      throw new IllegalStateException("this JDK cannot make keys", unsupported);
    }
  }

  private boolean isOver(Key key) {
    return clock.instant().isAfter(key.made().plus(LIFE));
  }

  private List<Key> load() throws GeneralSecurityException {
    var stored = read(file);
    if (stored.isEmpty()) {
      var made = make();
      store(made);
      return List.of(key(made));
    }
    var current = key(stored.get());
    var before = read(oldFile);
    return before.isEmpty() ? List.of(current) : List.of(current, key(before.get()));
  }

  /// The old key is safe before the new one signs. What cannot be stored is tried again with the
  /// next token, and the old key signs until then.
  private void renew() throws GeneralSecurityException {
    var before = keys.getFirst();
    try {
      var made = make();
      SecretFile.write(oldFile, Files.readString(file));
      SecretFile.write(file, made.pem());
      keys = List.of(key(made), before);
      log.info("tokens of service accounts are signed by a new key; {} is still good", before);
    } catch (IOException e) {
      log.warn("the key of service accounts is overdue and could not be renewed: {}", e.toString());
    }
  }

  private void store(KeyedCertificate made) throws GeneralSecurityException {
    try {
      SecretFile.write(file, made.pem());
    } catch (IOException e) {
      throw CredentialsException.unwritable(file, e);
    }
  }

  private KeyedCertificate make() throws GeneralSecurityException {
    return Authority.create("berth-service-accounts", clock.instant()).keyedCertificate();
  }

  private static Key key(KeyedCertificate stored) throws GeneralSecurityException {
    var certificate = stored.certificate();
    return new Key(
        id(certificate.getPublicKey()),
        certificate.getNotBefore().toInstant(),
        stored.key(),
        (ECPublicKey) certificate.getPublicKey());
  }

  private static String id(PublicKey key) throws GeneralSecurityException {
    var hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }

  private static Optional<KeyedCertificate> read(Path file) {
    try {
      return Optional.of(KeyedCertificate.parse(Files.readString(file)));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    } catch (IOException e) {
      throw CredentialsException.unreadable(file, e);
    } catch (GeneralSecurityException | ClassCastException e) {
      throw CredentialsException.damaged(file, e);
    }
  }
}
