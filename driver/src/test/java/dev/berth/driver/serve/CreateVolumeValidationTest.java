package dev.berth.driver.serve;

import static dev.berth.driver.serve.Wrong.LONG;
import static dev.berth.driver.testing.Served.wanted;

import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which wishes for a volume are refused, and as what (CTL-01, CAP, RNG, TOP).
class CreateVolumeValidationTest {
  private static Served served;

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

  static final List<Wrong> wrong =
      List.of(
          create("CTL-01", "no name", "name is missing", it -> it.clearName()),
          create(
              "CTL-01",
              "no capabilities",
              "volume_capabilities is missing",
              it -> it.clearVolumeCapabilities()),
          create(
              "CAP-02",
              "both kinds at once",
              "both block and mount",
              it -> it.addVolumeCapabilities(Served.block(Mode.SINGLE_NODE_WRITER))),
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
              "more capabilities than anybody needs",
              "volume_capabilities are 101, more than 100",
              it -> {
                while (it.getVolumeCapabilitiesCount() < 101)
                  it.addVolumeCapabilities(it.getVolumeCapabilities(0));
              }),
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
}
