package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.driver.baremetal.node.NodeVolumes;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The provisioner learns at once that what it has published of a node is old (BM-84).
class CapacityNewsTest {
  private static final String PLAN =
      "nodes: [{nodeID: a, driveCount: 1, drives: [{serialNumber: S, size: 64Mi%s}]}]";

  private static void publish(BareMetalWorld world, String name, String nodeId) {
    var capacity = JsonNodeFactory.instance.objectNode();
    capacity.put("apiVersion", "storage.k8s.io/v1").put("kind", "CSIStorageCapacity");
    capacity
        .putObject("metadata")
        .put("namespace", "default")
        .put("name", name)
        .putObject("labels")
        .put("csi.storage.k8s.io/drivername", BareMetalDriver.NAME);
    capacity.put("storageClassName", "metal").put("capacity", "64Mi");
    capacity.putObject("nodeTopology").putObject("matchLabels").put(NodeVolumes.TOPOLOGY, nodeId);
    world.api.create(Resources.STORAGE_CAPACITIES, capacity);
  }

  private static String mark(BareMetalWorld world, String name) {
    return Json.text(
        world
            .api
            .get(Resources.STORAGE_CAPACITIES, ObjectKey.of("default", name))
            .path("metadata")
            .path("annotations"),
        Annotations.CAPACITY_CHANGED);
  }

  /// What was told last: each telling is repeated once, and ends with that.
  private static String told(BareMetalWorld world, String before) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> mark(world, "here"), mark -> !mark.equals(before) && mark.endsWith("+"));
  }

  /// BM-83, BM-84: a drive that is taken, comes back, or is pulled; nobody is told of other nodes.
  @Test
  void eachChangeOfADriveIsToldOfItsNode() throws Exception {
    try (var world = BareMetalWorld.of(PLAN.formatted(""))) {
      var driver = world.node("a");
      var drive = world.drive("S", Drive::available);
      publish(world, "here", drive.nodeId());
      publish(world, "elsewhere", "another-node");

      create(driver, "pvc-1", MIB, mount(""));
      var taken = told(world, "");
      assertThat(taken).startsWith(drive.uuid() + "/");

      delete(driver, "pvc-1");
      world.drive("S", Drive::available);
      var free = told(world, taken);

      world.plan(PLAN.formatted(", removed: true"));
      told(world, free);
      assertThat(mark(world, "elsewhere")).isEmpty();
    }
  }
}
