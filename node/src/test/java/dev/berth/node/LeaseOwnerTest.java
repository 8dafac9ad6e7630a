package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.lease.Heartbeat;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.TestNode;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A node's Lease goes with its Node (NRUN-13).
class LeaseOwnerTest {
  @Test
  void theLeaseSaysWithWhomItGoesAsSoonAsThatIsThere() throws Exception {
    var files = new MemoryFiles(new MemoryDriver());
    try (var node = new TestNode(files, files);
        var time = new SystemTime("lease")) {
      beat(node, time, Optional.empty());
      await("a Lease").until(() -> !lease(node).isMissingNode());
      assertThat(lease(node).at("/metadata/ownerReferences").size()).isZero();
      var owner =
          (ObjectNode)
              TestNode.yaml(
                  "{apiVersion: v1, kind: Node, name: n, uid: %s}"
                      .formatted(node.node().at("/metadata/uid").asText()));
      beat(node, time, Optional.of(owner));
      await("an owner")
          .until(() -> lease(node).at("/metadata/ownerReferences/0/kind").asText().equals("Node"));
      node.api().delete(Resources.LEASES, LeaseNames.node("n"), DeleteOptions.DEFAULT);
      beat(node, time, Optional.of(owner));
      await("made with its owner")
          .until(() -> lease(node).at("/metadata/ownerReferences/0/kind").asText().equals("Node"));
    }
  }

  private static void beat(TestNode node, SystemTime time, Optional<ObjectNode> owner) {
    new Heartbeat(node.api(), LeaseNames.node("n"), "n", Duration.ofSeconds(40), time, () -> owner)
        .start();
  }

  private static JsonNode lease(TestNode node) {
    try {
      return node.api().get(Resources.LEASES, LeaseNames.node("n"));
    } catch (ApiException none) {
      return MissingNode.getInstance();
    }
  }
}
