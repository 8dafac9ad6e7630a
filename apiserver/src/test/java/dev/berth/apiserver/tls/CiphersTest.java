package dev.berth.apiserver.tls;

import static org.assertj.core.api.Assertions.assertThat;

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
}
