package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.driver.DriverServer;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.spi.Capacity;
import dev.berth.driver.spi.Cloning;
import dev.berth.driver.spi.Expansion;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.Health;
import dev.berth.driver.spi.Listing;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.Modification;
import dev.berth.driver.spi.NodeExpansion;
import dev.berth.driver.spi.NodeHealth;
import dev.berth.driver.spi.NodePublishing;
import dev.berth.driver.spi.NodeStaging;
import dev.berth.driver.spi.NodeStats;
import dev.berth.driver.spi.OnNode;
import dev.berth.driver.spi.Publishing;
import dev.berth.driver.spi.SnapshotMetadata;
import dev.berth.driver.spi.Snapshots;
import dev.berth.driver.spi.StorageHealth;
import dev.berth.driver.spi.Volumes;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What a driver implements is what it advertises (CAP-08, GRP-01, IDN-03), and the rest is
/// UNIMPLEMENTED before anything else is looked at (ERR-03).
class AbilitiesTest {
  /// @param parts what the driver implements
  /// @param advertised all that it says of itself, on every service
  record Advertised(List<Class<?>> parts, List<String> advertised) {
    Advertised(List<Class<?>> parts, String... advertised) {
      this(parts, List.of(advertised));
    }

    @Override
    public String toString() {
      return parts.getLast().getSimpleName() + ": " + String.join(", ", advertised);
    }
  }

  private static final String[] VOLUMES = {"CONTROLLER_SERVICE", "CREATE_DELETE_VOLUME"};

  private static Advertised volumesAnd(List<Class<?>> parts, String... advertised) {
    var all = new ArrayList<Class<?>>(List.of(Volumes.class));
    all.addAll(parts);
    var words = new ArrayList<>(List.of(VOLUMES));
    words.addAll(List.of(advertised));
    return new Advertised(all, words.toArray(String[]::new));
  }

  static final List<Advertised> advertised =
      List.of(
          new Advertised(List.of(Volumes.class), VOLUMES),
          volumesAnd(List.of(Cloning.class), "CLONE_VOLUME"),
          volumesAnd(List.of(Listing.class), "LIST_VOLUMES", "GET_VOLUME"),
          volumesAnd(
              List.of(Listing.class, Health.class),
              "LIST_VOLUMES",
              "GET_VOLUME",
              "VOLUME_CONDITION",
              "GET_VOLUME_HEALTH",
              "LIST_VOLUME_HEALTH"),
          volumesAnd(List.of(Capacity.class), "GET_CAPACITY"),
          volumesAnd(List.of(Expansion.class), "EXPAND_VOLUME", "OFFLINE"),
          volumesAnd(List.of(Modification.class), "MODIFY_VOLUME"),
          volumesAnd(
              List.of(OnNode.class, Publishing.class),
              "PUBLISH_UNPUBLISH_VOLUME",
              "PUBLISH_READONLY"),
          volumesAnd(
              List.of(OnNode.class, Publishing.class, Listing.class),
              "PUBLISH_UNPUBLISH_VOLUME",
              "PUBLISH_READONLY",
              "LIST_VOLUMES",
              "GET_VOLUME",
              "LIST_VOLUMES_PUBLISHED_NODES"),
          volumesAnd(
              List.of(Snapshots.class), "CREATE_DELETE_SNAPSHOT", "LIST_SNAPSHOTS", "GET_SNAPSHOT"),
          volumesAnd(
              List.of(Snapshots.class, GroupSnapshots.class),
              "CREATE_DELETE_SNAPSHOT",
              "LIST_SNAPSHOTS",
              "GET_SNAPSHOT",
              "GROUP_CONTROLLER_SERVICE",
              "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"),
          volumesAnd(
              List.of(Snapshots.class, SnapshotMetadata.class),
              "CREATE_DELETE_SNAPSHOT",
              "LIST_SNAPSHOTS",
              "GET_SNAPSHOT",
              "SNAPSHOT_METADATA_SERVICE"),
          volumesAnd(List.of(Located.class), "VOLUME_ACCESSIBILITY_CONSTRAINTS"),
          new Advertised(List.of(OnNode.class, NodePublishing.class)),
          new Advertised(
              List.of(OnNode.class, NodePublishing.class, NodeStaging.class),
              "STAGE_UNSTAGE_VOLUME"),
          new Advertised(
              List.of(OnNode.class, NodePublishing.class, NodeStats.class), "GET_VOLUME_STATS"),
          new Advertised(
              List.of(OnNode.class, NodePublishing.class, NodeStats.class, NodeHealth.class),
              "GET_VOLUME_STATS",
              "VOLUME_CONDITION",
              "GET_VOLUME_HEALTH"),
          new Advertised(
              List.of(OnNode.class, NodePublishing.class, StorageHealth.class),
              "GET_STORAGE_HEALTH"),
          new Advertised(
              List.of(OnNode.class, NodePublishing.class, NodeExpansion.class), "EXPAND_VOLUME"));

  @ParameterizedTest
  @FieldSource
  void advertised(Advertised row) throws IOException {
    var driver = ToyDriver.with(row.parts.toArray(Class<?>[]::new));
    driver.usages =
        new UsageSupport(
            Set.of(AccessMode.SINGLE_NODE_WRITER),
            Set.of(),
            Set.of(),
            UsageSupport.MountGroup.NOT_SUPPORTED);
    try (var served = Served.of(driver)) {
      assertThat(words(served, row.parts)).containsExactlyInAnyOrderElementsOf(row.advertised);
    }
  }

  private static List<String> words(Served served, List<Class<?>> parts) {
    var words = new ArrayList<String>();
    served
        .identity()
        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .forEach(it ->
            words.add(
                it.hasService()
                    ? it.getService().getType().name()
                    : it.getVolumeExpansion().getType().name()));
    if (parts.contains(Volumes.class))
      served
          .controller()
          .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .forEach(it -> words.add(it.getRpc().getType().name()));
    if (parts.contains(GroupSnapshots.class))
      served
          .groups()
          .groupControllerGetCapabilities(
              GroupControllerGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .forEach(it -> words.add(it.getRpc().getType().name()));
    if (parts.contains(OnNode.class))
      served
          .node()
          .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .forEach(it -> words.add(it.getRpc().getType().name()));
    return words;
  }

  @Test
  void whatIsNotImplementedComesBeforeWhatIsMissing() throws IOException { // ERR-03, ERR-04
    try (var served = Served.of(ToyDriver.with(Volumes.class, OnNode.class))) {
      var controller = served.controller();
      var node = served.node();
      List<Runnable> calls =
          List.of(
              () -> controller.listVolumes(ListVolumesRequest.getDefaultInstance()),
              () -> controller.getCapacity(GetCapacityRequest.getDefaultInstance()),
              () -> controller.createSnapshot(CreateSnapshotRequest.getDefaultInstance()),
              () ->
                  controller.controllerExpandVolume(
                      ControllerExpandVolumeRequest.getDefaultInstance()),
              () ->
                  controller.controllerModifyVolume(
                      ControllerModifyVolumeRequest.getDefaultInstance()),
              () ->
                  controller.controllerPublishVolume(
                      ControllerPublishVolumeRequest.getDefaultInstance()),
              () -> node.nodeStageVolume(NodeStageVolumeRequest.getDefaultInstance()),
              () -> node.nodePublishVolume(NodePublishVolumeRequest.getDefaultInstance()),
              () -> node.nodeGetVolumeStats(NodeGetVolumeStatsRequest.getDefaultInstance()),
              () -> node.nodeExpandVolume(NodeExpandVolumeRequest.getDefaultInstance()));
      for (var call : calls) assertRefused(Code.UNIMPLEMENTED, "does not support", call::run);
    }
  }

  @Test
  void aProcessOfTheNodeStillHasAController() throws IOException { // IDN-03, UDS-13
    var options = DriverServer.Options.of(Set.of(Service.NODE));
    try (var served = Served.of(new ToyDriver(), options)) {
      assertThat(words(served, List.of(OnNode.class))).contains("CONTROLLER_SERVICE");
      assertRefused(
          Code.UNIMPLEMENTED,
          "",
          () ->
              served
                  .controller()
                  .controllerGetCapabilities(
                      ControllerGetCapabilitiesRequest.getDefaultInstance()));
    }
  }

  @Test
  void partsThatMakeNoSenseDoNotStart() {
    assertThatThrownBy(() -> Parts.of(ToyDriver.with(Volumes.class, Health.class)))
        .hasMessage("the driver is Health but not Listing");
    assertThatThrownBy(() -> Parts.of(ToyDriver.with(Volumes.class, Volumes.class)))
        .hasMessageStartingWith("two parts of the driver are Volumes");
  }

  /// What is served by the service of another part (CAP-08).
  ///
  /// @param need without it nobody would answer
  record Lone(Class<?> part, Class<?> need, List<Class<?>> beside) {
    @Override
    public String toString() {
      return part.getSimpleName() + " without " + need.getSimpleName();
    }
  }

  static final List<Lone> lone =
      List.of(
          new Lone(Capacity.class, Volumes.class, List.of()),
          new Lone(Publishing.class, Volumes.class, List.of(OnNode.class)),
          new Lone(Publishing.class, OnNode.class, List.of(Volumes.class)),
          new Lone(NodePublishing.class, OnNode.class, List.of()),
          new Lone(NodeStats.class, OnNode.class, List.of()),
          new Lone(NodeExpansion.class, OnNode.class, List.of()),
          new Lone(StorageHealth.class, OnNode.class, List.of()));

  @ParameterizedTest
  @FieldSource
  void lone(Lone row) {
    var parts = new ArrayList<>(row.beside);
    parts.add(row.part);
    assertThatThrownBy(() -> Parts.of(ToyDriver.with(parts.toArray(Class<?>[]::new))))
        .hasMessage("the driver is %s".formatted(row.toString().replace("without", "but not")));
  }

  @Test
  void aNodesTopologyHasTheDriversKeys() throws IOException { // ERR-11, CAP-08
    var driver = new ToyDriver();
    try (var served = Served.of(driver)) {
      assertThat(info(served)).containsEntry("toy.example.com/zone", "a");
      driver.node.topology = Optional.of(Topology.of("foreign", "a"));
      assertRefused(Code.INTERNAL, "keys that Located does not name", () -> info(served));
      driver.node.topology = Optional.empty();
      assertRefused(Code.INTERNAL, "no topology", () -> info(served));
    }
  }

  private static Map<String, String> info(Served served) {
    return served
        .node()
        .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
        .getAccessibleTopology()
        .getSegmentsMap();
  }
}
