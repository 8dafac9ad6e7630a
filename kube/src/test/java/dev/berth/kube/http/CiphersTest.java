package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class CiphersTest {
  private static final List<String> SUITES =
      List.of("TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256");

  @Test
  void withoutTheSecondCompilerChaChaComesFirst() {
    var sorted = SUITES.stream().sorted(Ciphers.order("mixed mode, emulated-client, sharing"));
    assertThat(sorted)
        .containsExactly(
            "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256");
  }

  @Test
  void withItTheJvmsOrderStays() {
    assertThat(SUITES.stream().sorted(Ciphers.order("mixed mode, sharing")))
        .containsExactlyElementsOf(SUITES);
  }

  /// The server takes the first that it has.
  @Test
  void aClientNamesTheBestFirst() {
    var config = new ConfigBuilder(Config.empty()).withMasterUrl("https://127.0.0.1:1").build();
    try (var client = Tls.of(config).client(config).build()) {
      assertThat(client.sslParameters().getCipherSuites())
          .isSortedAccordingTo(Ciphers.ORDER)
          .contains("TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256");
    }
  }
}
