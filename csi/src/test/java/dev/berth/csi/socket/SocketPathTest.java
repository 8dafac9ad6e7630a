package dev.berth.csi.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// UDS-01 to UDS-03: which endpoints are understood, and what is said of the others.
class SocketPathTest {
  @ParameterizedTest
  @ValueSource(strings = {"unix:///run/csi.sock", "unix:/run/csi.sock", "/run/csi.sock"})
  void theThreeFormsMeanOnePath(String endpoint) {
    assertThat(SocketPath.ofEndpoint(endpoint).path()).isEqualTo(Path.of("/run/csi.sock"));
  }

  @ParameterizedTest
  @CsvSource({
    "unix://rel.sock, 'needs an absolute path, not rel.sock'",
    "unix://run/csi.sock, 'needs an absolute path, not run/csi.sock'",
    "unix:rel.sock, 'needs an absolute path, not rel.sock'",
    "unix://, 'needs an absolute path, not none'",
    "tcp://127.0.0.1:9000, not a Unix socket",
    "csi.sock, not a Unix socket",
    "'', not a Unix socket",
  })
  void everythingElseIsRefusedWithTheMend(String endpoint, String mend) { // UDS-02
    assertThatThrownBy(() -> SocketPath.ofEndpoint(endpoint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(mend);
  }

  @Test
  void aPathTooLongForTheKernelIsRefusedByLengthAndLimit() { // GRPC-09
    var path = "/" + "x".repeat(SocketPath.LIMIT);
    assertThatThrownBy(() -> SocketPath.ofEndpoint(path))
        .hasMessageContaining("108 bytes")
        .hasMessageContaining("107");
  }
}
