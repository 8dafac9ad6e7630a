package dev.berth.driver.baremetal.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.BareMetalNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Which node a host is (BM-04).
class NodeIdentityTest {
  private static final BareMetalNode KNOWN =
      BareMetalKinds.NODE
          .read()
          .apply(BareMetalNode.draft("u1", Map.of("Hostname", "a", "InternalIP", "10.0.0.1")));

  /// BM-161: a host that was installed anew, with all its addresses, is who it was.
  @Test
  void allAddressesTellANodeAndSomeAreAnError() throws Exception {
    assertThat(match(Map.of("Hostname", "a", "InternalIP", "10.0.0.1"))).isEqualTo("u1");
    assertThat(match(Map.of("Hostname", "b", "InternalIP", "10.0.0.2"))).isEmpty();
    assertThatThrownBy(() -> match(Map.of("Hostname", "a", "InternalIP", "10.0.0.2")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("csibmnode-u1");
    assertThatThrownBy(() -> match(Map.of("Hostname", "b", "InternalIP", "10.0.0.1")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void whatSeveralNodesShareTellsNone() throws Exception {
    var shared = Set.of("10.0.0.1");
    assertThat(
            NodeIdentity.match(
                List.of(KNOWN), Map.of("Hostname", "b", "InternalIP", "10.0.0.1"), shared))
        .isEmpty();
    assertThat(
            NodeIdentity.match(
                List.of(KNOWN), Map.of("Hostname", "a", "InternalIP", "10.0.0.1"), shared))
        .isEqualTo("u1");
  }

  private static String match(Map<String, String> own) throws IOException {
    return NodeIdentity.match(List.of(KNOWN), own, Set.of());
  }
}
