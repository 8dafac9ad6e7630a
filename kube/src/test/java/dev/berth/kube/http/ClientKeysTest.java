package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.testing.Thing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against a server that knows its clients by their certificates, which openssl makes.
class ClientKeysTest {
  private static final Identity.Pace EAGER =
      new Identity.Pace(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(30));

  @TempDir private Path folder;

  private TlsServer server;

  @BeforeEach
  void start() throws Exception {
    server = new TlsServer(folder, "IP:127.0.0.1");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "RSA as PKCS 8,    genpkey -algorithm RSA -out k,                                    BEGIN"
        + " PRIVATE",
    "RSA as PKCS 1,    genrsa -traditional -out k 2048,                                  BEGIN RSA",
    "ECDSA as PKCS 8,  genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out k,    BEGIN"
        + " PRIVATE",
    "ECDSA as SEC 1,   ecparam -genkey -noout -name prime256v1 -out k,                   BEGIN EC",
    "larger as SEC 1,  ecparam -genkey -name secp521r1 -out k,                           BEGIN EC"
        + " PARAMETERS",
    "Ed25519,          genpkey -algorithm ed25519 -out k,                                BEGIN"
        + " PRIVATE"
  })
  void whoHasACertificateIsKnownByIt(String kind, String made, String form) throws Exception {
    server.openssl(made);
    assertThat(Files.readString(folder.resolve("k"))).startsWith("-----" + form);
    server.certify(kind.replace(' ', '-'));
    try (var api = HttpApi.of(server.kubeconfig(), Optional.empty())) {
      var shown = api.get(Thing.KIND.resource(), ObjectKey.of("a", "b"));
      assertThat(shown.at("/metadata/name").asText()).isEqualTo("CN=" + kind.replace(' ', '-'));
    }
  }

  /// As a kubelet of kubeadm's keeps them: its kubeconfig names a link, which moves to the next
  /// file.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "genpkey -algorithm RSA -out k",
        "genrsa -traditional -out k 2048",
        "ecparam -genkey -noout -name prime256v1 -out k",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out k"
      })
  void certificateAndKeyMayStandInOneFile(String made) throws Exception {
    var link = folder.resolve("current.pem");
    Files.createSymbolicLink(link, both(made, "one"));
    var kubeconfig = server.kubeconfig("client-certificate: %s, client-key: %<s".formatted(link));
    var given = Kubeconfigs.read(kubeconfig, Optional.empty());
    var connection = new Connection(given, Waiting.REAL, Limits.DEFAULT, EAGER);
    try (var api = new HttpApi(connection)) {
      assertThat(name(api)).isEqualTo("CN=one");
      var next = Files.createSymbolicLink(folder.resolve("next"), both(made, "two"));
      Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
      await().untilAsserted(() -> assertThat(name(api)).isEqualTo("CN=two"));
    }
  }

  private Path both(String made, String name) throws Exception {
    server.openssl(made);
    server.certify(name);
    var text = Files.readString(folder.resolve("k.crt")) + Files.readString(folder.resolve("k"));
    return Files.writeString(folder.resolve(name + ".pem"), text);
  }

  private static String name(HttpApi api) {
    var shown = api.get(Thing.KIND.resource(), ObjectKey.of("a", "b"));
    return shown.at("/metadata/name").asText();
  }

  @Test
  void aKeyThatNobodyReadsIsSaid() throws Exception {
    server.openssl("ecparam -genkey -noout -name prime256v1 -out k");
    server.certify("x");
    Files.writeString(
        folder.resolve("k"),
        "-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----\n");
    var kubeconfig = server.kubeconfig();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpApi.of(kubeconfig, Optional.empty()))
        .withMessageContaining("client certificate of the kubeconfig")
        .withMessageNotContaining("c2VjcmV0")
        .withNoCause();
  }
}
