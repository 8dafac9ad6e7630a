package dev.berth.sidecar.provisioner;

import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.node;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.provisioner.LostNodes.MayReturn;
import dev.berth.sidecar.testing.Balancer;
import dev.berth.sidecar.testing.Bench;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a node has begun is left to it until it has been missing for long (PROV-191).
class LostNodesTest {
  private final Bench bench = new Bench();
  private final LostNodes nodes = new LostNodes(bench.api(), EventRecorder.SILENT, bench.time());

  @AfterEach
  void close() {
    bench.close();
  }

  private Claim make(String name) {
    bench.create(claim().with(name, "metadata", "name"));
    return bench.get(Kinds.CLAIM, name);
  }

  private void letGo(Claim claim) {
    nodes.letGo(claim, "node-2", "pvc-1");
  }

  @Test
  void itIsLetGoOfWhenTheNodeHasBeenMissingForLong() {
    var claim = make("data");
    assertThatThrownBy(() -> letGo(claim)).isInstanceOf(MayReturn.class);
    bench.pass(LostNodes.PATIENCE.minusSeconds(1));
    assertThatThrownBy(() -> letGo(claim)).isInstanceOf(MayReturn.class);
    bench.pass(Duration.ofSeconds(1));
    assertThatCode(() -> letGo(claim)).doesNotThrowAnyException();
  }

  @Test
  void aNodeThatCameBackHasItsTimeAnew() {
    var claim = make("data");
    assertThatThrownBy(() -> letGo(claim)).isInstanceOf(MayReturn.class);
    bench.create(node("node-2", Map.of()));
    assertThatThrownBy(() -> letGo(claim)).isInstanceOf(MayReturn.class);
    bench.delete(Resources.NODES, "node-2");
    bench.pass(LostNodes.PATIENCE);
    assertThatThrownBy(() -> letGo(claim)).isInstanceOf(MayReturn.class);
  }

  /// It was back and finished the first claim's volume; nobody asked meanwhile.
  @Test
  void whatAnotherClaimHasWaitedSaysNothing() {
    var first = make("first");
    assertThatThrownBy(() -> letGo(first)).isInstanceOf(MayReturn.class);
    bench.pass(LostNodes.PATIENCE);
    var second = make("second");
    assertThatThrownBy(() -> letGo(second)).isInstanceOf(MayReturn.class);
  }

  @Test
  void aBalancersPageSaysNothingOfANode() throws Exception {
    var claim = make("data");
    try (var balancer = new Balancer()) {
      var lost = new LostNodes(balancer.api(), EventRecorder.SILENT, bench.time());
      assertThatThrownBy(() -> lost.letGo(claim, "node-2", "pvc-1"))
          .isInstanceOf(ApiException.Unreachable.class);
    }
  }
}
