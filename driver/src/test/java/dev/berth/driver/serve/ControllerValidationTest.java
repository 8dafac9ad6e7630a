package dev.berth.driver.serve;

import static dev.berth.driver.serve.Wrong.LONG;
import static dev.berth.driver.serve.Wrong.invalid;
import static dev.berth.driver.serve.Wrong.unknown;
import static dev.berth.driver.testing.Served.mount;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which requests about a volume are refused, and as what (CTL-02 to CTL-18).
class ControllerValidationTest {
  private static final VolumeCapability ANY = mount(Mode.SINGLE_NODE_WRITER).build();

  private static Served served;

  static final List<Wrong> wrong =
      List.of(
          invalid(
              "CTL-02",
              "delete: no id",
              "volume_id",
              it -> it.controller().deleteVolume(DeleteVolumeRequest.getDefaultInstance())),
          invalid(
              "CTL-03",
              "publish: no node",
              "node_id",
              it ->
                  it.controller()
                      .controllerPublishVolume(
                          ControllerPublishVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .setVolumeCapability(ANY)
                              .build())),
          unknown(
              "CTL-03",
              "publish: an unknown volume",
              it ->
                  it.controller()
                      .controllerPublishVolume(
                          ControllerPublishVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .setNodeId("n")
                              .setVolumeCapability(ANY)
                              .build())),
          invalid(
              "CTL-04",
              "unpublish: no id",
              "volume_id",
              it ->
                  it.controller()
                      .controllerUnpublishVolume(
                          ControllerUnpublishVolumeRequest.getDefaultInstance())),
          invalid(
              "CTL-05",
              "validate: no capabilities",
              "volume_capabilities",
              it ->
                  it.controller()
                      .validateVolumeCapabilities(
                          ValidateVolumeCapabilitiesRequest.newBuilder().setVolumeId("v").build())),
          unknown(
              "CTL-05",
              "validate: an unknown volume",
              it ->
                  it.controller()
                      .validateVolumeCapabilities(
                          ValidateVolumeCapabilitiesRequest.newBuilder()
                              .setVolumeId("v")
                              .addVolumeCapabilities(ANY)
                              .build())),
          unknown(
              "CTL-07",
              "get: an unknown volume",
              it ->
                  it.controller()
                      .controllerGetVolume(
                          ControllerGetVolumeRequest.newBuilder().setVolumeId("v").build())),
          unknown(
              "ERR-12",
              "get: an id of 129 bytes",
              it ->
                  it.controller()
                      .controllerGetVolume(
                          ControllerGetVolumeRequest.newBuilder().setVolumeId(LONG).build())),
          unknown(
              "ERR-12",
              "get: an id with a control character",
              it ->
                  it.controller()
                      .controllerGetVolume(
                          ControllerGetVolumeRequest.newBuilder().setVolumeId("a\0b").build())),
          invalid(
              "CTL-11",
              "expand: no range",
              "capacity_range",
              it ->
                  it.controller()
                      .controllerExpandVolume(
                          ControllerExpandVolumeRequest.newBuilder().setVolumeId("v").build())),
          invalid(
              "RNG-01",
              "expand: an empty range",
              "capacity_range",
              it -> {
                var request = ControllerExpandVolumeRequest.newBuilder().setVolumeId("v");
                request.getCapacityRangeBuilder();
                it.controller().controllerExpandVolume(request.build());
              }),
          unknown(
              "CTL-08",
              "modify: an unknown volume without parameters (SAN-34)",
              it ->
                  it.controller()
                      .controllerModifyVolume(
                          ControllerModifyVolumeRequest.newBuilder().setVolumeId("v").build())),
          invalid(
              "CTL-08",
              "modify: an unknown parameter",
              "only speed",
              it ->
                  it.controller()
                      .controllerModifyVolume(
                          ControllerModifyVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .putMutableParameters("colour", "red")
                              .build())),
          invalid(
              "PAG-01",
              "list: max_entries below 0",
              "max_entries",
              it ->
                  it.controller()
                      .listVolumes(ListVolumesRequest.newBuilder().setMaxEntries(-1).build())),
          new Wrong(
              "PAG-01",
              "list: a foreign token",
              Code.ABORTED,
              "starting_token",
              it ->
                  it.controller()
                      .listVolumes(
                          ListVolumesRequest.newBuilder()
                              .setStartingToken("invalid-token")
                              .build())));

  @BeforeAll
  static void serve() throws IOException {
    served = Wrong.served(new ToyDriver());
  }

  @AfterAll
  static void end() throws IOException {
    served.close();
  }

  @ParameterizedTest
  @FieldSource
  void wrong(Wrong row) {
    row.assertRefused(served);
  }

  /// What is not there is not there afterwards, whatever its id is made of.
  @Test
  void takingAwayWhatCannotExistIsDone() {
    for (var id : List.of("unknown", LONG, "../../etc", "a\0b"))
      assertThatCode(
              () -> {
                served
                    .controller()
                    .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
                served
                    .controller()
                    .controllerUnpublishVolume(
                        ControllerUnpublishVolumeRequest.newBuilder().setVolumeId(id).build());
                served
                    .controller()
                    .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
                served
                    .groups()
                    .deleteVolumeGroupSnapshot(
                        DeleteVolumeGroupSnapshotRequest.newBuilder()
                            .setGroupSnapshotId(id)
                            .build());
              })
          .doesNotThrowAnyException();
  }
}
