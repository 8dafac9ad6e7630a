package dev.berth.controller.nodelife;

import static dev.berth.controller.Draft.node;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.nodelife.NodeEffect.Doubt;
import dev.berth.kube.api.Revision;
import dev.berth.kube.fact.Told;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A node whose Lease is renewed while the cache is late, on a real server.
class LateLeaseTest {
  private static final ObjectKey NODE = ObjectKey.cluster("node-a");
  private static final Instant SEEN = Instant.parse("2026-11-21T11:00:00Z");
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Draft LEASE =
      Draft.of(
          """
          apiVersion: coordination.k8s.io/v1
          kind: Lease
          metadata: {namespace: kube-node-lease, name: node-a}
          spec: {holderIdentity: node-a, leaseDurationSeconds: 40, renewTime: "2026-11-21T11:59:59Z"}
          """);

  private final Told<Heard> heard = new Told<>(Heard.TOPIC);
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = Cluster.of(_ -> List.of());
    cluster.create(node("node-a"), LEASE);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void doubt(Instant renewed) {
    var node = cluster.find(Kinds.NODE, NODE).orElseThrow();
    var conditions = Conditions.doubted(node, NOW).orElse(JsonNodeFactory.instance.arrayNode());
    new NodeEffects(cluster.api(), _ -> {}, heard)
        .carryOut(
            new Doubt(
                Revision.of(node.meta()),
                conditions,
                true,
                Optional.of(renewed),
                new Heard.Beat("sign", NOW)));
  }

  private Optional<String> ready() {
    return Conditions.status(cluster.find(Kinds.NODE, NODE).orElseThrow(), Conditions.READY);
  }

  @Test
  void theServerItselfIsAskedWhetherANodeIsSilent() { // AD-56
    var before = ready();
    doubt(SEEN);
    assertThat(ready()).isEqualTo(before).isNotEqualTo(Optional.of(Conditions.UNKNOWN));
    assertThat(heard.now().of("node-a")).contains(new Heard.Beat("sign", NOW));
    doubt(NOW.minusSeconds(1));
    assertThat(ready()).contains(Conditions.UNKNOWN);
  }
}
