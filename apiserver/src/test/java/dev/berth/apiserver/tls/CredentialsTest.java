package dev.berth.apiserver.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  @TempDir private Path home;

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void aClientBelievesTheServerWhereItListens(String address) throws IOException {
    var credentials = Credentials.in(home);
    var met =
        Handshake.between(
            credentials.clientContext(),
            credentials.serverContext(),
            InetAddress.ofLiteral(address));
    assertThat(met.server().getSubjectX500Principal().getName()).isEqualTo("CN=berth-apiserver");
    assertThat(met.client()).isEmpty();
  }

  @Test
  void theCertificateNamesAllThatTheServerIsCalled() throws Exception {
    var credentials = Credentials.in(home, "storage.example", "192.0.2.7");
    var met = Handshake.between(credentials.clientContext(), credentials.serverContext(), LOOPBACK);
    var names = ServerNames.of(met.server());
    assertThat(names.hosts())
        .contains("localhost", "kubernetes.default.svc", "storage.example")
        .contains(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
    assertThat(names.addresses()).contains("127.0.0.1", "0:0:0:0:0:0:0:1", "192.0.2.7");
  }

  @Test
  void whatIsOnDiskIsUsedAgain() throws IOException {
    var first = Credentials.in(home);
    var kubeconfig = home.resolve("kubeconfig");
    first.writeKubeconfig(kubeconfig, URI.create("https://127.0.0.1:1"));
    var before = Files.readString(kubeconfig);
    var second = Credentials.in(home);
    second.writeKubeconfig(kubeconfig, URI.create("https://127.0.0.1:1"));
    assertThat(kubeconfig).hasContent(before);
    Handshake.between(first.clientContext(), second.serverContext(), LOOPBACK);
  }

  @Test
  void aNewNameMakesANewCertificateOfTheSameAuthority() throws Exception {
    var before = Credentials.in(home);
    var after = Credentials.in(home, "storage.example");
    var met = Handshake.between(before.clientContext(), after.serverContext(), LOOPBACK);
    assertThat(ServerNames.of(met.server()).hosts()).contains("storage.example");
  }

  @Test
  void aStrangersAuthorityIsNotBelieved() {
    var ours = Credentials.in(home.resolve("ours"));
    var theirs = Credentials.in(home.resolve("theirs"));
    assertThatThrownBy(
            () -> Handshake.between(theirs.clientContext(), ours.serverContext(), LOOPBACK))
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void aClientCertificateTellsWhoItSpeaksFor() throws IOException {
    var credentials = Credentials.in(home);
    var node = new Identity("system:node:node-a", List.of("system:nodes", "a, \"group\""));
    var met =
        Handshake.between(credentials.clientContext(node), credentials.serverContext(), LOOPBACK);
    assertThat(met.client().map(Identity::of).map(Identity::name)).hasValue(node.name());
    assertThat(met.client().map(Identity::of).orElseThrow().groups())
        .containsExactlyInAnyOrderElementsOf(node.groups());
  }

  @Test
  void aTokenTellsWhoItSpeaksFor() throws IOException {
    var credentials = Credentials.in(home);
    var token = Files.readString(home.resolve("pki/admin.token")).strip();
    assertThat(credentials.bearer(token)).hasValue(Identity.ADMIN);
    assertThat(credentials.bearer(token + "x")).isEmpty();
    assertThat(credentials.bearer("")).isEmpty();
  }

  @Test
  void theServersCertificateIsRenewedWhileItRuns() throws IOException { // API-154
    var today = Instant.now(); // the client's clock is the machine's
    var start = today.minus(Duration.ofDays(250));
    var now = new AtomicReference<>(start);
    var credentials = Credentials.in(home, now::get);
    var server = credentials.serverContext();
    var client = credentials.clientContext();

    now.set(start.plus(Duration.ofDays(200)));
    var first = Handshake.between(client, server, LOOPBACK).server();
    now.set(today);
    var renewed = Handshake.between(client, server, LOOPBACK).server();

    assertThat(renewed.getSerialNumber()).isNotEqualTo(first.getSerialNumber());
    assertThat(renewed.getPublicKey()).isEqualTo(first.getPublicKey());
    assertThat(renewed.getNotAfter().toInstant()).isAfter(start.plus(Duration.ofDays(600)));
    var restarted = Credentials.in(home, now::get).serverContext();
    assertThat(Handshake.between(client, restarted, LOOPBACK).server()).isEqualTo(renewed);
  }

  /// A folder that takes no file: one that is no folder any more, for root too.
  @Test
  void aRenewalThatCannotBeStoredIsUsed() throws IOException {
    var now = new AtomicReference<>(Instant.now().minus(Duration.ofDays(250)));
    var credentials = Credentials.in(home, now::get);
    var server = credentials.serverContext();
    var client = credentials.clientContext();
    var first = Handshake.between(client, server, LOOPBACK).server();
    Files.move(home.resolve("pki"), home.resolve("away"));
    Files.createFile(home.resolve("pki"));

    now.set(Instant.now());
    var renewed = Handshake.between(client, server, LOOPBACK).server();
    assertThat(renewed.getSerialNumber()).isNotEqualTo(first.getSerialNumber());
    assertThat(Handshake.between(client, server, LOOPBACK).server()).isEqualTo(renewed);
  }

  @Test
  void aKubeconfigThatIsRightIsNotWrittenAgain() throws IOException {
    var credentials = Credentials.in(home);
    var kubeconfig = home.resolve("kubeconfig");
    credentials.writeKubeconfig(kubeconfig, URI.create("https://127.0.0.1:1"));
    var written = Files.readAttributes(kubeconfig, BasicFileAttributes.class).fileKey();
    credentials.writeKubeconfig(kubeconfig, URI.create("https://127.0.0.1:1"));
    assertThat(Files.readAttributes(kubeconfig, BasicFileAttributes.class).fileKey())
        .isEqualTo(written);
  }

  @Test
  void aCertificateOfAnAuthorityThatIsGoneIsMadeAnewAtStart() throws IOException {
    Credentials.in(home);
    Files.delete(home.resolve("pki/ca.pem"));
    var credentials = Credentials.in(home);
    Handshake.between(credentials.clientContext(), credentials.serverContext(), LOOPBACK);
  }

  @Test
  void anExpiredCertificateIsMadeAnewAtStart() throws IOException {
    Credentials.in(home, () -> Instant.now().minus(Duration.ofDays(400)));
    var credentials = Credentials.in(home);
    Handshake.between(credentials.clientContext(), credentials.serverContext(), LOOPBACK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ca.pem", "server.pem", "admin.token"})
  void aDamagedFileIsNamedAndNotQuoted(String name) throws IOException {
    Credentials.in(home);
    var file = home.resolve("pki").resolve(name);
    Files.writeString(file, "c2VjcmV0");
    assertThatThrownBy(() -> Credentials.in(home))
        .isInstanceOf(CredentialsException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("delete it")
        .hasMessageNotContaining("c2VjcmV0");
  }

  @Test
  void nobodyElseMayReadWhatIsSecret() throws IOException { // API-154
    Credentials.in(home).writeKubeconfig(home.resolve("kubeconfig"), URI.create("https://[::1]:1"));
    try (var files = Files.walk(home)) {
      assertThat(files.filter(Files::isRegularFile))
          .hasSize(4)
          .allSatisfy(file ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                  .isEqualTo("rw-------"));
    }
  }
}
