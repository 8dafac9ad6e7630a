package dev.berth.apiserver.tls;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All that server and clients know each other by, kept in one folder: the authority and the
/// server's certificate, each with its key, the administrator's token, the keys of service
/// accounts, and tokens that the operator has written down. What is missing is made; what is there
/// is used again.
///
/// The administrator's kubeconfig carries a token and no client certificate: Fabric8 cannot read an
/// elliptic key without Bouncy Castle, and an RSA key would take longer to make than all the rest.
public final class Credentials {
  private static final Logger log = LoggerFactory.getLogger(Credentials.class);
  private static final int TOKEN_BYTES = 32;
  private static final String SERVER = "berth-apiserver";

  private final Path folder;
  private final ServerNames names;
  private final InstantSource clock;
  private final Authority authority;
  private final ServerKey serverKey;
  private final byte[] adminToken;
  private final SigningKeys signingKeys;
  private final StaticTokens staticTokens;

  private Credentials(Path folder, ServerNames names, InstantSource clock)
      throws GeneralSecurityException {
    this.folder = folder;
    this.names = names;
    this.clock = clock;
    this.authority = authority();
    this.serverKey = new ServerKey(server(), this::renew, clock);
    this.adminToken = adminToken().getBytes(StandardCharsets.US_ASCII);
    this.signingKeys = new SigningKeys(folder, clock);
    this.staticTokens = new StaticTokens(folder.resolve("tokens.csv"));
  }

  /// Credentials of the stack that lives in `home`, in its folder `pki`.
  ///
  /// @param names names or addresses by which the server is reached beside this machine's usual
  ///   ones
  /// @throws CredentialsException if a file can neither be used nor made
  public static Credentials in(Path home, String... names) {
    return in(home, InstantSource.system(), names);
  }

  /// The same with another clock.
  public static Credentials in(Path home, InstantSource clock, String... names) {
    try {
      var all = ServerNames.ofThisMachine(List.of(names));
      return new Credentials(home.resolve("pki"), all, clock);
    } catch (GeneralSecurityException unsupported) {
      throw unsupported(unsupported);
    }
  }

  /// TLS for the server: it shows its certificate and believes client certificates of our
  /// authority.
  public SSLContext serverContext() {
    try {
      return TlsContexts.server(serverKey, authority.certificate());
    } catch (GeneralSecurityException unsupported) {
      throw unsupported(unsupported);
    }
  }

  /// TLS for a client that believes the server and nobody else.
  public SSLContext clientContext() {
    try {
      return TlsContexts.client(authority.certificate());
    } catch (GeneralSecurityException unsupported) {
      throw unsupported(unsupported);
    }
  }

  /// TLS for a client that shows a fresh certificate of `identity`.
  public SSLContext clientContext(Identity identity) {
    try {
      var own = authority.client(identity, clock.instant());
      return TlsContexts.client(own, authority.certificate());
    } catch (GeneralSecurityException unsupported) {
      throw unsupported(unsupported);
    }
  }

  /// Whom a bearer token speaks for; empty: nobody we know.
  public Optional<Identity> bearer(String token) {
    boolean admin = MessageDigest.isEqual(token.getBytes(StandardCharsets.UTF_8), adminToken);
    return admin ? Optional.of(Identity.ADMIN) : staticTokens.find(token);
  }

  /// The authority's certificate, by which clients know the server, as PEM.
  public String rootCertificate() {
    try {
      return Pem.of(authority.certificate());
    } catch (GeneralSecurityException unsupported) {
      throw unsupported(unsupported);
    }
  }

  /// Of the stack whose credentials they are.
  public Path home() {
    return folder.resolveSibling(".").normalize();
  }

  /// By which tokens of service accounts are signed.
  public SigningKeys signingKeys() {
    return signingKeys;
  }

  /// Writes the administrator's kubeconfig, which replaces an older one in one step.
  ///
  /// @param file usually `kubeconfig` in the home
  /// @param server where the server listens, such as `https://127.0.0.1:6443`
  /// @throws CredentialsException if the file cannot be written
  public void writeKubeconfig(Path file, URI server) {
    try {
      var token = new String(adminToken, StandardCharsets.US_ASCII);
      var text = Kubeconfig.text(server, Pem.of(authority.certificate()), token);
      if (!isThere(file, text)) write(file, text);
    } catch (GeneralSecurityException unsupported) {
      throw unsupported(unsupported);
    }
  }

  /// Then nothing has to be written, however full the disk is.
  private static boolean isThere(Path file, String text) {
    try {
      return read(file).equals(Optional.of(text))
          && Files.getPosixFilePermissions(file)
              .equals(PosixFilePermissions.fromString("rw-------"));
    } catch (CredentialsException | IOException unreadable) {
      return false;
    }
  }

  private Authority authority() throws GeneralSecurityException {
    var file = folder.resolve("ca.pem");
    var stored = read(file);
    if (stored.isPresent()) return Authority.of(parse(file, stored.get()));
    var made = Authority.create("berth-ca", clock.instant());
    write(file, made.keyedCertificate().pem());
    return made;
  }

  /// The server's certificate: the stored one if it is still good and names us as we are called
  /// now, otherwise a new one.
  private KeyedCertificate server() throws GeneralSecurityException {
    var stored = read(serverFile());
    if (stored.isPresent()) {
      var server = parse(serverFile(), stored.get());
      if (suits(server.certificate())) return server;
    }
    var made = authority.server(SERVER, names, clock.instant());
    storeServer(made);
    return made;
  }

  /// Whether a stored certificate is good, names us as we are called now, and comes from the
  /// authority that we have; by the name of the authority's key, since to check a signature would
  /// cost a tenth of the server's start.
  private boolean suits(X509Certificate certificate) throws GeneralSecurityException {
    return !ServerKey.endsSoon(certificate, clock.instant())
        && names.within(ServerNames.of(certificate))
        && authority.signed(certificate);
  }

  private X509Certificate renew(KeyedCertificate old) throws GeneralSecurityException {
    var key = old.certificate().getPublicKey();
    var renewed = authority.server(SERVER, names, key, clock.instant());
    storeServer(new KeyedCertificate(renewed, old.key()));
    return renewed;
  }

  /// Clients believe the authority: a certificate that could not be stored serves until this
  /// process ends, and the next start makes another. So no full disk ends what works.
  private void storeServer(KeyedCertificate server) throws GeneralSecurityException {
    var text = server.pem();
    try {
      SecretFile.write(serverFile(), text);
    } catch (IOException e) {
      log.warn("the new server certificate is used, but not stored: {}", String.valueOf(e));
    }
  }

  private Path serverFile() {
    return folder.resolve("server.pem");
  }

  private String adminToken() {
    var file = folder.resolve("admin.token");
    var stored = read(file);
    if (stored.isPresent()) return token(file, stored.get().strip());
    var random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    var made = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    write(file, made + "\n");
    return made;
  }

  /// A file that was cut off must not make the empty token the administrator's.
  private static String token(Path file, String stored) {
    if (stored.length() < TOKEN_BYTES)
      throw CredentialsException.damaged(file, new IOException("too short for a token"));
    return stored;
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    } catch (IOException e) {
      throw CredentialsException.unreadable(file, e);
    }
  }

  private static KeyedCertificate parse(Path file, String pem) {
    try {
      return KeyedCertificate.parse(pem);
    } catch (GeneralSecurityException e) {
      throw CredentialsException.damaged(file, e);
    }
  }

  private static void write(Path file, String text) {
    try {
      SecretFile.write(file, text);
    } catch (IOException e) {
      throw CredentialsException.unwritable(file, e);
    }
  }

  private static IllegalStateException unsupported(GeneralSecurityException e) {
    return new IllegalStateException("this JDK cannot make certificates or speak TLS", e);
  }
}
