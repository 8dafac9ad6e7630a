package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.wanted;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.VolumeRecord;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two pools, each reachable from a zone of its own, and a controller of both (TOP-04).
class PlacementTest {
  @AutoClose private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    var here = world.pool;
    var there = world.folder.resolve("there");
    world.node(DiskOptions.of(List.of(here), "n1").withZone("a"));
    world.node(DiskOptions.of(List.of(there), "n2").withZone("b"));
    driver = world.node(DiskOptions.of(List.of(here, there), "c").with(Set.of(Service.CONTROLLER)));
  }

  @Test
  void whatIsNotReachableWhereItIsWantedHasNoRoom() {
    var source = controller(driver).createVolume(wish("source", "a").build()).getVolume();
    var clone = wish("clone", "b");
    clone.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(source.getVolumeId());
    assertRefused(
        Status.Code.RESOURCE_EXHAUSTED,
        "is reachable from",
        () -> controller(driver).createVolume(clone.build()));
    assertRefused(
        Status.Code.RESOURCE_EXHAUSTED,
        "is reachable from",
        () ->
            controller(driver)
                .createVolume(wish("named", "b").putParameters("pool", "pool").build()));
  }

  @Test
  void aPoolThatCannotBeTheOneIsAnInvalidParameter() {
    var source = controller(driver).createVolume(wish("source", "a").build()).getVolume();
    var clone = wish("clone", "a").putParameters("pool", "there");
    clone.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(source.getVolumeId());
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "is in another pool",
        () -> controller(driver).createVolume(clone.build()));
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "there are [pool, there]",
        () ->
            controller(driver)
                .createVolume(wish("named", "a").putParameters("pool", "nowhere").build()));
  }

  /// There is a pool, only nobody there can do what is wanted.
  @Test
  void limitsThatNobodyKeepsWhereTheyAreWantedAreToldAsThat() throws IOException {
    announce(world.pool, "n1", "a", Optional.of("its io controller is off"));
    announce(world.folder.resolve("there"), "n2", "b", Optional.empty());
    var limited = wish("limited", "a").putMutableParams("readIops", "100000").build();
    assertRefused(
        Status.Code.RESOURCE_EXHAUSTED,
        "[disk/limits] node n1 cannot limit a volume: its io controller is off; leave out the"
            + " limits, or ask for another place",
        () -> controller(driver).createVolume(limited));
    controller(driver)
        .createVolume(wish("limited", "b").putMutableParams("readIops", "100000").build());
  }

  private static void announce(Path folder, String node, String zone, Optional<String> whyNoLimits)
      throws IOException {
    try (var pool = Pool.open(folder)) {
      pool.nodes().register(new PoolNode(node, zone, 0, whyNoLimits));
    }
  }

  private static CreateVolumeRequest.Builder wish(String name, String zone) {
    var wish = wanted(name, 16 * MIB, block(Mode.SINGLE_NODE_WRITER));
    wish.getAccessibilityRequirementsBuilder()
        .addRequisite(Topology.newBuilder().putSegments(VolumeRecord.ZONE, zone));
    return wish;
  }
}
