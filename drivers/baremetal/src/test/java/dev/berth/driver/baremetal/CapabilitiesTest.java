package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerServiceCapability.RPC.Type;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.PluginCapability.Service;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.driver.DriverServer;
import dev.berth.driver.baremetal.object.Drive;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// What the driver says that it can do, and the calls behind it that upstream does not have.
class CapabilitiesTest {
  private static final String TWO =
      """
      nodes:
      - nodeID: a
        driveCount: 2
        drives: [{serialNumber: S, size: 32Mi}, {serialNumber: T, size: 32Mi}]
      """;

  /// BM-01, BM-02, BM-03: also for each part by itself; never LIST_VOLUMES_PUBLISHED_NODES, by
  /// which an attacher would act.
  @Test
  void whatTheDriverCanDo() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      var driver = world.node("a");
      var identity = driver.identity(Duration.ofSeconds(60));
      assertThat(identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()).getName())
          .isEqualTo("csi-baremetal");
      var plugin =
          identity
              .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
              .getCapabilitiesList();
      assertThat(plugin.stream().filter(it -> it.hasService()).map(it -> it.getService().getType()))
          .contains(Service.Type.CONTROLLER_SERVICE, Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
      assertThat(plugin.stream().filter(it -> it.hasVolumeExpansion())).hasSize(1);
      var alone = world.driver("", Set.of(DriverServer.Service.CONTROLLER));
      for (var connection : List.of(driver, alone)) {
        var types =
            controller(connection)
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .map(it -> it.getRpc().getType())
                .toList();
        assertThat(types)
            .contains(
                Type.CREATE_DELETE_VOLUME,
                Type.EXPAND_VOLUME,
                Type.LIST_VOLUMES,
                Type.GET_VOLUME,
                Type.VOLUME_CONDITION,
                Type.GET_CAPACITY,
                Type.SINGLE_NODE_MULTI_WRITER)
            .doesNotContain(Type.LIST_VOLUMES_PUBLISHED_NODES, Type.PUBLISH_UNPUBLISH_VOLUME);
      }
      assertThat(
              node(driver)
                  .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                  .getCapabilitiesList()
                  .stream()
                  .map(it -> it.getRpc().getType()))
          .contains(
              NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME,
              NodeServiceCapability.RPC.Type.GET_VOLUME_STATS,
              NodeServiceCapability.RPC.Type.VOLUME_CONDITION,
              NodeServiceCapability.RPC.Type.EXPAND_VOLUME,
              NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
    }
  }

  /// BM-105, BM-181: page by page, and nobody else's.
  @Test
  void volumesAreToldOf() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      world.drive("T", Drive::available);
      create(driver, "v1", MIB, mount("ext4"));
      create(driver, "v2", MIB, mount("ext4"));
      var first =
          controller(driver).listVolumes(ListVolumesRequest.newBuilder().setMaxEntries(1).build());
      assertThat(first.getEntriesList()).hasSize(1);
      assertThat(first.getEntries(0).getVolume().getVolumeId()).isEqualTo("v1");
      delete(driver, "v1"); // the token is where the page ended, whatever is deleted meanwhile
      var next = ListVolumesRequest.newBuilder().setStartingToken(first.getNextToken()).build();
      assertThat(controller(driver).listVolumes(next).getEntriesList())
          .extracting(it -> it.getVolume().getVolumeId())
          .containsExactly("v2");
      refused(
          () ->
              controller(driver)
                  .listVolumes(ListVolumesRequest.newBuilder().setStartingToken("?").build()),
          "ABORTED");
      refused(
          () ->
              controller(driver)
                  .controllerGetVolume(
                      ControllerGetVolumeRequest.newBuilder().setVolumeId("v1").build()),
          "NOT_FOUND");
      var known =
          ValidateVolumeCapabilitiesRequest.newBuilder()
              .setVolumeId("v2")
              .addVolumeCapabilities(mount("ext4"));
      assertThat(controller(driver).validateVolumeCapabilities(known.build()).hasConfirmed())
          .isTrue();
      refused(
          () -> controller(driver).validateVolumeCapabilities(known.setVolumeId("none").build()),
          "NOT_FOUND");
      delete(driver, "v2");
    }
  }

  private static void refused(ThrowingCallable call, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class,
            it -> assertThat(it.code().name()).as(it.getMessage()).isEqualTo(code));
  }
}
