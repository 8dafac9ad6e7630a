package dev.berth.driver.serve;

import static dev.berth.driver.serve.Wrong.LONG;
import static dev.berth.driver.serve.Wrong.invalid;
import static dev.berth.driver.serve.Wrong.unknown;
import static dev.berth.driver.testing.Served.block;
import static dev.berth.driver.testing.Served.mount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
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

/// Which requests are refused on a node, and as what (NOD-01 to NOD-06); of several reasons the
/// first in order (ERR-04).
class NodeValidationTest {
  private static final VolumeCapability ANY = mount(Mode.SINGLE_NODE_WRITER).build();

  private static Served served;

  static final List<Wrong> wrong =
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
              "NOD-05",
              "stats: no volume of this id",
              it ->
                  it.node()
                      .nodeGetVolumeStats(
                          NodeGetVolumeStatsRequest.newBuilder()
                              .setVolumeId("v")
                              .setVolumePath("/some/path")
                              .build())),
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

  @Test
  void aBlockVolumeHasNoMountTexts() {
    assertThat(Fields.usage(block(Mode.SINGLE_NODE_WRITER).build()).mountFlags()).isEmpty();
  }
}
