package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.mount;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyController;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The same call again, and nearly the same (CTL-01 to CTL-16, SNP-02, GRP-03).
class IdempotenceTest {
  private final ToyDriver driver = new ToyDriver();
  private Served served;

  @BeforeEach
  void serve() throws IOException {
    served = Served.of(driver);
  }

  @AfterEach
  void end() throws IOException {
    served.close();
  }

  /// A call to CreateVolume after one for 1 MiB with `colour=red` and without anything else.
  ///
  /// @param same whether it is the same volume
  record Again(String what, boolean same, Consumer<CreateVolumeRequest.Builder> change) {
    @Override
    public String toString() {
      return what + (same ? " is the same volume" : " is ALREADY_EXISTS");
    }
  }

  static final List<Again> again =
      List.of(
          new Again("the same request", true, _ -> {}),
          new Again(
              "a range around the size (CTL-13)",
              true,
              it -> it.getCapacityRangeBuilder().setRequiredBytes(1).setLimitBytes(1 << 21)),
          new Again("another secret", true, it -> it.putSecrets("user", "another")),
          new Again(
              "Kubernetes' own parameters (CTX-04)",
              true,
              it -> it.putParameters("csi.storage.k8s.io/pvc/name", "claim")),
          new Again(
              "the place where it is",
              true,
              it ->
                  it.getAccessibilityRequirementsBuilder()
                      .addRequisite(Topology.newBuilder().putSegments(ToyController.ZONE, "a"))),
          new Again(
              "more bytes",
              false,
              it -> it.getCapacityRangeBuilder().setRequiredBytes((1 << 20) + 1)),
          new Again("another parameter", false, it -> it.putParameters("colour", "blue")),
          new Again("a mutable parameter", false, it -> it.putMutableParams("speed", "9")),
          new Again(
              "another access mode",
              false,
              it -> it.setVolumeCapabilities(0, mount(Mode.MULTI_NODE_MULTI_WRITER))),
          new Again(
              "a further capability",
              false,
              it -> it.addVolumeCapabilities(mount(Mode.MULTI_NODE_MULTI_WRITER))),
          new Again(
              "a source",
              false,
              it -> it.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId("vol-1")),
          new Again(
              "another place",
              false,
              it ->
                  it.getAccessibilityRequirementsBuilder()
                      .addRequisite(Topology.newBuilder().putSegments(ToyController.ZONE, "b"))));

  @ParameterizedTest
  @FieldSource
  void again(Again again) { // CTL-12
    var first = served.controller().createVolume(red().build());
    var second = red();
    again.change.accept(second);
    if (again.same) assertThat(served.controller().createVolume(second.build())).isEqualTo(first);
    else assertRefused(Code.ALREADY_EXISTS, "volume of this name", () -> served.create(second));
  }

  private static CreateVolumeRequest.Builder red() {
    return wanted("one").putParameters("colour", "red");
  }

  @Test
  void aVolumeIsPublishedOnceOnANode() { // CTL-03, CTX-03
    var id = served.create(wanted("one"));
    var first = served.controller().controllerPublishVolume(publish(id, "toy-node").build());
    assertThat(first.getPublishContextMap()).containsEntry("device", "toy-" + id);
    assertThat(served.controller().controllerPublishVolume(publish(id, "toy-node").build()))
        .isEqualTo(first);
    assertRefused(
        Code.ALREADY_EXISTS,
        "published on toy-node",
        () ->
            served
                .controller()
                .controllerPublishVolume(publish(id, "toy-node").setReadonly(true).build()));
    assertRefused(
        Code.FAILED_PRECONDITION,
        "is published on toy-node",
        () -> served.controller().controllerPublishVolume(publish(id, "other").build()));
    assertRefused(
        Code.NOT_FOUND,
        "node elsewhere",
        () -> served.controller().controllerPublishVolume(publish(id, "elsewhere").build()));
    assertRefused(Code.FAILED_PRECONDITION, "published on toy-node", () -> delete(id)); // CTL-14

    unpublish(id);
    unpublish(id);
    delete(id);
    delete(id);
    unpublish(id); // CTL-16
  }

  /// A publication on another node than the first.
  ///
  /// @param first mode on the one node, writable
  /// @param second mode on the other
  record Beside(Mode first, Mode second, boolean readOnly, boolean possible) {
    @Override
    public String toString() {
      return "%s, then %s%s elsewhere is %s"
          .formatted(first, second, readOnly ? " read-only" : "", possible ? "OK" : "refused");
    }
  }

  static final List<Beside> beside =
      List.of(
          new Beside(Mode.MULTI_NODE_MULTI_WRITER, Mode.MULTI_NODE_MULTI_WRITER, false, true),
          new Beside(Mode.MULTI_NODE_MULTI_WRITER, Mode.SINGLE_NODE_WRITER, false, false),
          new Beside(Mode.SINGLE_NODE_WRITER, Mode.MULTI_NODE_MULTI_WRITER, false, false),
          new Beside(Mode.MULTI_NODE_SINGLE_WRITER, Mode.MULTI_NODE_SINGLE_WRITER, false, false),
          new Beside(Mode.MULTI_NODE_SINGLE_WRITER, Mode.MULTI_NODE_SINGLE_WRITER, true, true));

  @ParameterizedTest
  @FieldSource
  void beside(Beside row) { // CTL-03
    var id = served.create(wanted("one"));
    var first = publish(id, "toy-node").setVolumeCapability(mount(row.first)).build();
    var second =
        publish(id, "other")
            .setVolumeCapability(mount(row.second))
            .setReadonly(row.readOnly)
            .build();
    served.controller().controllerPublishVolume(first);
    if (row.possible)
      assertThat(served.controller().controllerPublishVolume(second).getPublishContextMap())
          .isNotEmpty();
    else
      assertRefused(
          Code.FAILED_PRECONDITION,
          "on toy-node",
          () -> served.controller().controllerPublishVolume(second));
  }

  private static ControllerPublishVolumeRequest.Builder publish(String id, String node) {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId(id)
        .setNodeId(node)
        .setVolumeCapability(mount(Mode.SINGLE_NODE_WRITER));
  }

  private void unpublish(String id) {
    served
        .controller()
        .controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  private void delete(String id) {
    served.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  @Test
  void expansionNeverShrinks() { // CTL-11, CTL-22
    var id = served.create(wanted("one"));
    assertThat(expand(id, 2 << 20, 0)).isEqualTo(2 << 20);
    assertThat(expand(id, 2 << 20, 0)).isEqualTo(2 << 20);
    assertThat(expand(id, 1 << 20, 0)).isEqualTo(2 << 20);
    assertRefused(Code.OUT_OF_RANGE, "cannot shrink", () -> expand(id, 0, 1 << 20));

    served.controller().controllerPublishVolume(publish(id, "toy-node").build());
    assertRefused(
        Code.FAILED_PRECONDITION, "then expand it", () -> expand(id, 3 << 20, 0)); // it is OFFLINE
    assertThat(expand(id, 2 << 20, 0)).as("done already").isEqualTo(2 << 20);
  }

  private long expand(String id, long required, long limit) {
    var request = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    request.getCapacityRangeBuilder().setRequiredBytes(required).setLimitBytes(limit);
    return served.controller().controllerExpandVolume(request.build()).getCapacityBytes();
  }

  @Test
  void aSnapshotOutlivesItsVolume() { // SNP-02
    var id = served.create(wanted("one"));
    var other = served.create(wanted("other"));
    var first = cut(id);
    assertRefused(Code.ALREADY_EXISTS, "cut from volume " + id, () -> cut(other));
    delete(id);
    assertThat(cut(id)).isEqualTo(first);
  }

  private String cut(String source) {
    return served
        .controller()
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName("s").setSourceVolumeId(source).build())
        .getSnapshot()
        .getSnapshotId();
  }

  @Test
  void aRestoreIsNotSmallerThanItsSnapshot() { // CSR-01
    var snapshot = cut(served.create(wanted("one")));
    var wish = wanted("restored");
    wish.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId(snapshot);
    wish.getCapacityRangeBuilder().setRequiredBytes(1000);
    assertRefused(Code.OUT_OF_RANGE, snapshot, () -> served.create(wish));
    wish.getCapacityRangeBuilder().setRequiredBytes(1 << 20);
    var made = served.controller().createVolume(wish.build());
    assertThat(made.getVolume().getContentSource()).isEqualTo(wish.getVolumeContentSource());
    assertThat(served.controller().createVolume(wish.build())).isEqualTo(made); // CSR-02
  }

  @Test
  void aGroupIsItsVolumesInWhateverOrder() { // GRP-03, GRP-06
    var one = served.create(wanted("one"));
    var two = served.create(wanted("two"));
    var group = cutGroup(one, two);
    assertThat(cutGroup(two, one)).isEqualTo(group);
    assertRefused(Code.ALREADY_EXISTS, "group snapshot of this name", () -> cutGroup(one));
    assertRefused(Code.INVALID_ARGUMENT, "not the members", () -> deleteGroup(group, "snap-x"));
    deleteGroup(group);
    deleteGroup(group);
  }

  /// GRP-05: whose it is; and it is ready when all of it is.
  @Test
  void membersSayToWhichGroupTheyBelong() {
    var one = served.create(wanted("three"));
    var two = served.create(wanted("four"));
    var group =
        served
            .groups()
            .createVolumeGroupSnapshot(
                CreateVolumeGroupSnapshotRequest.newBuilder()
                    .setName("of-members")
                    .addAllSourceVolumeIds(List.of(one, two))
                    .build())
            .getGroupSnapshot();
    assertThat(group.getSnapshotsList())
        .hasSize(2)
        .allSatisfy(member -> {
          assertThat(member.getGroupSnapshotId()).isEqualTo(group.getGroupSnapshotId());
          assertThat(member.hasCreationTime()).isTrue();
          assertThat(member.getReadyToUse()).isTrue();
        });
    assertThat(group.hasCreationTime()).isTrue();
    assertThat(group.getReadyToUse()).isTrue();
    deleteGroup(group.getGroupSnapshotId());
  }

  private String cutGroup(String... sources) {
    return served
        .groups()
        .createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName("g")
                .addAllSourceVolumeIds(List.of(sources))
                .build())
        .getGroupSnapshot()
        .getGroupSnapshotId();
  }

  private void deleteGroup(String id, String... members) {
    served
        .groups()
        .deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(id)
                .addAllSnapshotIds(List.of(members))
                .build());
  }
}
