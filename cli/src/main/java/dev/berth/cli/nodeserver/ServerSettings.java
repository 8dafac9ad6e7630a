package dev.berth.cli.nodeserver;

import dev.berth.apiserver.tls.OwnCertificate;
import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.cli.nodeserver.Callers.Rules;
import dev.berth.kube.http.PemKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// What a kubelet's command line says of its server. Unlike a kubelet's, it lets nobody in whom it
/// does not know, unless that is said.
///
/// @param root of the node, below which a certificate of its own is kept
/// @param node its address, which the certificate names
public record ServerSettings(Given given, Path root, InetAddress node) {
  private static final int MISUNDERSTOOD = 2;

  /// Where it is reached; 0: nowhere.
  public static int port(Given given) {
    return given.isOn("enable-server") ? given.whole("port") : 0;
  }

  /// What can be refused without asking anybody.
  ///
  /// @throws Problem if something cannot be
  public static void check(Given given) {
    if (port(given) == 0) return;
    address(given);
    rules(given);
    if (given.find("tls-cert-file").isPresent() != given.find("tls-private-key-file").isPresent())
      throw new Problem(
          "--tls-cert-file and --tls-private-key-file are given both or not at all", MISUNDERSTOOD);
  }

  InetSocketAddress address() {
    return address(given);
  }

  private static InetSocketAddress address(Given given) {
    try {
      return new InetSocketAddress(
          InetAddress.ofLiteral(given.text("address")), given.whole("port"));
    } catch (IllegalArgumentException wrong) {
      throw new Problem(
          "--address %s, --port %s: write an IP address and a port"
              .formatted(given.text("address"), given.text("port")),
          MISUNDERSTOOD);
    }
  }

  boolean anonymous() {
    return given.has("anonymous-auth") && given.isOn("anonymous-auth");
  }

  Rules rules() {
    return rules(given);
  }

  private static Rules rules(Given given) {
    var mode = given.has("authorization-mode") ? given.text("authorization-mode") : "Webhook";
    return switch (mode) {
      case "Webhook" -> Rules.ASKED;
      case "AlwaysAllow" -> Rules.NONE;
      default ->
          throw new Problem(
              "--authorization-mode %s: write Webhook or AlwaysAllow".formatted(mode),
              MISUNDERSTOOD);
    };
  }

  Optional<Path> clientAuthority() {
    return given.find("client-ca-file").map(Path::of);
  }

  /// @param name of the node
  SSLContext tls(String name) throws IOException {
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(shown(name), new char[0]);
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(believed());
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException unreadable) {
      throw new IOException(
          "the certificates of the node's server: " + unreadable.getMessage(), unreadable);
    }
  }

  private KeyStore shown(String name) throws IOException, GeneralSecurityException {
    var certificate = given.find("tls-cert-file").map(Path::of);
    var key = given.find("tls-private-key-file").map(Path::of);
    if (certificate.isEmpty() || key.isEmpty()) {
      var folder = given.has("cert-dir") ? Path.of(given.text("cert-dir")) : root.resolve("pki");
      return OwnCertificate.in(
          folder.resolve("node-server.pem"), List.of(name, node.getHostAddress()), Instant.now());
    }
    var store = empty();
    store.setKeyEntry(
        "server",
        PemKeys.read(Files.readString(key.get())),
        new char[0],
        certificates(certificate.get()).toArray(Certificate[]::new));
    return store;
  }

  private KeyStore believed() throws IOException, GeneralSecurityException {
    var store = empty();
    if (clientAuthority().isEmpty()) return store;
    int number = 0;
    for (var authority : certificates(clientAuthority().get()))
      store.setCertificateEntry("authority-" + number++, authority);
    return store;
  }

  private static List<? extends Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    try (var pem = Files.newInputStream(file)) {
      return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(pem));
    }
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
