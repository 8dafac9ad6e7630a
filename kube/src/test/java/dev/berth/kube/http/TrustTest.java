package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whose word is taken for who the server is.
class TrustTest {
  @TempDir private Path folder;

  private String authority(String name) throws Exception {
    var process =
        new ProcessBuilder(
                ("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=%s -keyout key"
                        + " -out crt")
                    .formatted(name)
                    .split(" "))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(folder.resolve("log"))).isZero();
    return Files.readString(folder.resolve("crt"));
  }

  private static List<String> trusted(Config config) throws Exception {
    return names((X509TrustManager) Tls.trust(config)[0]);
  }

  private static List<String> names(X509TrustManager trust) {
    return Arrays.stream(trust.getAcceptedIssuers())
        .map(it -> it.getSubjectX500Principal())
        .map(Principal::getName)
        .sorted()
        .toList();
  }

  /// An authority that is renewed has two certificates of one name.
  @Test
  void aGivenAuthorityIsTheOnlyOne() throws Exception {
    var bundle = authority("one") + authority("other") + authority("one");
    var file = Files.writeString(folder.resolve("bundle"), bundle);
    var config = new ConfigBuilder(Config.empty()).withCaCertFile(file.toString()).build();
    assertThat(trusted(config)).containsExactly("CN=one", "CN=one", "CN=other");
  }

  @Test
  void withoutOneAllAreTrustedThatTheMachineTrusts() throws Exception {
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    @Nullable KeyStore machine = null;
    factory.init(machine);
    assertThat(trusted(Config.empty()))
        .isNotEmpty()
        .isEqualTo(names((X509TrustManager) factory.getTrustManagers()[0]));
  }
}
