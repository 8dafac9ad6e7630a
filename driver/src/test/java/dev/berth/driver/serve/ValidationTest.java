package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.block;
import static dev.berth.driver.testing.Served.mount;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which requests are refused, and as what (ERR-02 to ERR-12). No driver sees any of them.
class ValidationTest {
  private static final String LONG = "x".repeat(129);
  private static final VolumeCapability ANY = mount(Mode.SINGLE_NODE_WRITER).build();

  private static final ToyDriver driver = new ToyDriver();
  private static Served served;

  /// @param id of the specification, then what is wrong
  record Wrong(String id, String what, Code code, String words, Consumer<Served> call) {
    @Override
    public String toString() {
      return id + ": " + what + " is " + code;
    }
  }

  private static Wrong invalid(String id, String what, String words, Consumer<Served> call) {
    return new Wrong(id, what, Code.INVALID_ARGUMENT, words, call);
  }

  private static Wrong unknown(String id, String what, Consumer<Served> call) {
    return new Wrong(id, what, Code.NOT_FOUND, "", call);
  }

  private static Wrong create(
      String id, String what, Code code, String words, Consumer<CreateVolumeRequest.Builder> it) {
    return new Wrong(
        id,
        "create: " + what,
        code,
        words,
        served -> {
          var wish = wanted("v");
          it.accept(wish);
          served.create(wish);
        });
  }

  private static Wrong create(
      String id, String what, String words, Consumer<CreateVolumeRequest.Builder> it) {
    return create(id, what, Code.INVALID_ARGUMENT, words, it);
  }

  static final List<Wrong> createVolume =
      List.of(
          create("CTL-01", "no name", "name is missing", it -> it.clearName()),
          create(
              "CTL-01",
              "no capabilities",
              "volume_capabilities is missing",
              it -> it.clearVolumeCapabilities()),
          create("ERR-12", "a name of 129 bytes", "129 bytes", it -> it.setName(LONG)),
          create(
              "ERR-10",
              "bytes count, not characters",
              "130 bytes",
              it -> it.setName("ü".repeat(65))),
          create("ERR-12", "a control character", "control", it -> it.setName("a\u0001b")),
          create(
              "ERR-10",
              "parameters above 4 KiB",
              "parameters has",
              it -> it.putParameters("k", "x".repeat(4096))),
          create(
              "ERR-10",
              "mount flags above 4 KiB",
              "mount_flags",
              it ->
                  it.getVolumeCapabilitiesBuilder(0)
                      .getMountBuilder()
                      .addMountFlags("x".repeat(4097))),
          create(
              "ERR-10",
              "a file system with a long name",
              "fs_type",
              it -> it.getVolumeCapabilitiesBuilder(0).getMountBuilder().setFsType(LONG)),
          create(
              "CAP-01",
              "neither block nor mount",
              "neither",
              it -> it.getVolumeCapabilitiesBuilder(0).clearAccessType()),
          create(
              "CAP-01",
              "no access mode",
              "access_mode",
              it -> it.getVolumeCapabilitiesBuilder(0).clearAccessMode()),
          create(
              "CAP-01",
              "an access mode of the future",
              "access_mode",
              it -> it.getVolumeCapabilitiesBuilder(0).getAccessModeBuilder().setModeValue(99)),
          create(
              "CAP-02",
              "an unknown file system",
              "zfs",
              it -> it.getVolumeCapabilitiesBuilder(0).getMountBuilder().setFsType("zfs")),
          create(
              "CAP-07",
              "a group",
              "volume_mount_group",
              it -> it.getVolumeCapabilitiesBuilder(0).getMountBuilder().setVolumeMountGroup("1")),
          create(
              "RNG-01",
              "a size below 0",
              "below 0",
              it -> it.getCapacityRangeBuilder().setRequiredBytes(-1)),
          create(
              "RNG-01",
              "a limit below the size",
              "limit_bytes",
              it -> it.getCapacityRangeBuilder().setLimitBytes(1)),
          create(
              "MUT-02",
              "an unknown mutable parameter",
              "only speed",
              it -> it.putMutableParams("colour", "red")),
          create(
              "CSR-01",
              "a source of no kind",
              "volume_content_source",
              it -> it.getVolumeContentSourceBuilder()),
          create(
              "CSR-01",
              "a source without id",
              "volume_id is missing",
              it -> it.getVolumeContentSourceBuilder().getVolumeBuilder()),
          create(
              "CSR-01",
              "an unknown volume to clone",
              Code.NOT_FOUND,
              "vol-x",
              it -> it.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId("vol-x")),
          create(
              "CSR-01",
              "an unknown snapshot to restore",
              Code.NOT_FOUND,
              "snap-x",
              it ->
                  it.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId("snap-x")),
          create(
              "TOP-04",
              "a requirement of nothing",
              "accessibility_requirements",
              it -> it.getAccessibilityRequirementsBuilder()),
          create(
              "TOP-04",
              "a malformed segment",
              "malformed",
              it ->
                  it.getAccessibilityRequirementsBuilder()
                      .addRequisite(Topology.newBuilder().putSegments("a/b/c", "x"))));

  static final List<Wrong> controller =
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

  static final List<Wrong> snapshots =
      List.of(
          invalid(
              "SNP-01",
              "cut: no source",
              "source_volume_id",
              it ->
                  it.controller()
                      .createSnapshot(CreateSnapshotRequest.newBuilder().setName("s").build())),
          unknown(
              "SNP-02",
              "cut: an unknown source",
              it ->
                  it.controller()
                      .createSnapshot(
                          CreateSnapshotRequest.newBuilder()
                              .setName("s")
                              .setSourceVolumeId("v")
                              .build())),
          invalid(
              "SNP-05",
              "delete: no id",
              "snapshot_id",
              it -> it.controller().deleteSnapshot(DeleteSnapshotRequest.getDefaultInstance())),
          invalid(
              "SNP-07",
              "get: no id",
              "snapshot_id",
              it -> it.controller().getSnapshot(GetSnapshotRequest.getDefaultInstance())),
          unknown(
              "SNP-07",
              "get: an unknown one",
              it ->
                  it.controller()
                      .getSnapshot(GetSnapshotRequest.newBuilder().setSnapshotId("s").build())),
          invalid(
              "GRP-02",
              "group: a volume twice",
              "twice",
              it ->
                  it.groups()
                      .createVolumeGroupSnapshot(
                          CreateVolumeGroupSnapshotRequest.newBuilder()
                              .setName("g")
                              .addSourceVolumeIds("v")
                              .addSourceVolumeIds("v")
                              .build())),
          unknown(
              "GRP-07",
              "get a group: existence comes before snapshot_ids",
              it ->
                  it.groups()
                      .getVolumeGroupSnapshot(
                          GetVolumeGroupSnapshotRequest.newBuilder()
                              .setGroupSnapshotId("g")
                              .build())),
          invalid(
              "SMD-01",
              "metadata: no id",
              "snapshot_id",
              it ->
                  it.metadata()
                      .getMetadataAllocated(
                          GetMetadataAllocatedRequest.getDefaultInstance(), _ -> {})));

  static final List<Wrong> node =
      List.of(
          invalid(
              "NOD-01",
              "stage: no path",
              "staging_target_path",
              it ->
                  it.node()
                      .nodeStageVolume(
                          NodeStageVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .setVolumeCapability(ANY)
                              .build())),
          new Wrong(
              "ERR-05",
              "stage: a file system that is not supported",
              Code.FAILED_PRECONDITION,
              "zfs",
              it -> {
                var use = mount(Mode.SINGLE_NODE_WRITER);
                use.getMountBuilder().setFsType("zfs");
                it.node()
                    .nodeStageVolume(
                        NodeStageVolumeRequest.newBuilder()
                            .setVolumeId("v")
                            .setStagingTargetPath("/s")
                            .setVolumeCapability(use)
                            .build());
              }),
          invalid(
              "NOD-02",
              "unstage: no path",
              "staging_target_path",
              it ->
                  it.node()
                      .nodeUnstageVolume(
                          NodeUnstageVolumeRequest.newBuilder().setVolumeId("v").build())),
          invalid(
              "NOD-03",
              "publish: a relative target",
              "relative",
              it ->
                  it.node()
                      .nodePublishVolume(
                          NodePublishVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .setTargetPath("t")
                              .setVolumeCapability(ANY)
                              .build())),
          invalid(
              "ERR-13",
              "publish: a target over ..",
              "..",
              it ->
                  it.node()
                      .nodePublishVolume(
                          NodePublishVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .setTargetPath("/a/../t")
                              .setVolumeCapability(ANY)
                              .build())),
          invalid(
              "SAN-32",
              "publish: no capability comes before no staging path",
              "volume_capability",
              it ->
                  it.node()
                      .nodePublishVolume(
                          NodePublishVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .setTargetPath("/t")
                              .build())),
          new Wrong(
              "NOD-03",
              "publish: not staged",
              Code.FAILED_PRECONDITION,
              "staging_target_path",
              it ->
                  it.node()
                      .nodePublishVolume(
                          NodePublishVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .setTargetPath("/t")
                              .setVolumeCapability(ANY)
                              .build())),
          unknown(
              "ERR-12",
              "publish: an id that cannot be",
              it ->
                  it.node()
                      .nodePublishVolume(
                          NodePublishVolumeRequest.newBuilder()
                              .setVolumeId(LONG)
                              .setTargetPath("/t")
                              .setVolumeCapability(ANY)
                              .build())),
          invalid(
              "NOD-04",
              "unpublish: no target",
              "target_path",
              it ->
                  it.node()
                      .nodeUnpublishVolume(
                          NodeUnpublishVolumeRequest.newBuilder().setVolumeId("v").build())),
          unknown(
              "SAN-31",
              "stats: a relative path of an unknown volume",
              it ->
                  it.node()
                      .nodeGetVolumeStats(
                          NodeGetVolumeStatsRequest.newBuilder()
                              .setVolumeId("v")
                              .setVolumePath("some/path")
                              .build())),
          unknown(
              "SAN-31",
              "expand: a relative path of an unknown volume",
              it ->
                  it.node()
                      .nodeExpandVolume(
                          NodeExpandVolumeRequest.newBuilder()
                              .setVolumeId("v")
                              .setVolumePath("some/path")
                              .build())));

  @BeforeAll
  static void serve() throws IOException {
    driver.hook =
        operation -> {
          if (!List.of("volume", "stats", "nodeExpand").contains(operation))
            throw new AssertionError("the driver is asked to " + operation);
        };
    served = Served.of(driver);
  }

  @AfterAll
  static void end() throws IOException {
    served.close();
  }

  @ParameterizedTest
  @FieldSource({"createVolume", "controller", "snapshots", "node"})
  void isRefused(Wrong wrong) {
    assertRefused(wrong.code, wrong.words, () -> wrong.call.accept(served));
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

  @Test
  void anUnknownFilterFindsNothing() { // SNP-06
    for (var id : List.of("unknown", LONG))
      assertThat(
              served
                  .controller()
                  .listSnapshots(ListSnapshotsRequest.newBuilder().setSnapshotId(id).build())
                  .getEntriesList())
          .isEmpty();
  }

  @Test
  void aBlockVolumeHasNoMountTexts() {
    assertThat(Fields.usage(block(Mode.SINGLE_NODE_WRITER).build()).mountFlags()).isEmpty();
  }
}
