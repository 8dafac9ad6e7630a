package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataAllocatedResponse;
import dev.berth.csi.v1.GetMetadataDeltaRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which blocks of snapshots hold data, and of which snapshots that can be asked (SMD-01, SMD-02).
class BlockMetadataTest {
  private Served served;

  @BeforeEach
  void serve() throws IOException {
    served = Served.of(new ToyDriver());
  }

  @AfterEach
  void close() throws IOException {
    served.close();
  }

  @Test
  void aStreamHasAllBlocksInOrder() { // SMD-02
    var snapshot = snapshot(served.create(block("v")), "s");
    var messages = allocated(snapshot, 5000, 10);
    assertThat(messages)
        .allSatisfy(message -> {
          assertThat(message.getVolumeCapacityBytes()).isEqualTo(1 << 20);
          assertThat(message.getBlockMetadataCount()).isBetween(1, 10);
        });
    assertThat(messages.stream().flatMap(it -> it.getBlockMetadataList().stream()))
        .extracting(it -> it.getByteOffset())
        .hasSize(127)
        .isSorted()
        .startsWith(8192L);
    assertRefused(Code.OUT_OF_RANGE, "starting_offset", () -> allocated(snapshot, 2 << 20, 0));
  }

  @Test
  void ofAMountVolumeThereIsNone() { // SMD-01
    var volume = served.create(wanted("v"));
    var older = snapshot(volume, "older");
    var newer = snapshot(volume, "newer");
    refused("snapshot_id " + older, () -> allocated(older, 0, 0));
    refused("base_snapshot_id " + older, () -> delta(older, newer));
  }

  /// SMD-04: of a snapshot, whatever has become of the volume that it was cut of.
  @Test
  void aSnapshotHasItsBlocksWithoutItsVolume() {
    var volume = served.create(block("gone"));
    var snapshot = snapshot(volume, "of-gone");
    served.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(volume).build());
    assertThat(allocated(snapshot, 0, 0)).isNotEmpty();
  }

  @Test
  void theEndIsAPlaceToBeginAt() { // SMD-01, SMD-05: a message though there is nothing
    var snapshot = snapshot(served.create(block("v")), "s");
    assertThat(allocated(snapshot, 1 << 20, 0))
        .singleElement()
        .satisfies(message -> assertThat(message.getBlockMetadataCount()).isZero());
  }

  @Test
  void aPairIsOfOneVolumeAndInOrder() { // SMD-01
    var volume = served.create(block("v"));
    var older = snapshot(volume, "older");
    var newer = snapshot(volume, "newer");
    var other = snapshot(served.create(block("w")), "other");
    delta(older, newer);
    refused("of different volumes", () -> delta(other, newer));
    refused("is newer", () -> delta(newer, older));
    refused("max_results is -1", () -> allocated(older, 0, -1));
  }

  @Test
  void whatIsMadeFromASnapshotIsOfItsKind() { // CSR-01
    var snapshot = snapshot(served.create(block("v")), "s");
    var wish = wanted("w");
    wish.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId(snapshot);
    refused("is of a block volume", () -> served.create(wish));
    var same = block("w").setVolumeContentSource(wish.getVolumeContentSource());
    assertThat(served.create(same)).isNotEmpty();
  }

  @Test
  void aVolumeIsGrownForItsOwnKind() { // CTL-11
    var request = ControllerExpandVolumeRequest.newBuilder();
    request.getCapacityRangeBuilder().setRequiredBytes(2 << 20);
    request.setVolumeId(served.create(wanted("m")));
    request.setVolumeCapability(Served.block(Mode.SINGLE_NODE_WRITER));
    refused(
        "was made as a mount volume",
        () -> served.controller().controllerExpandVolume(request.build()));
  }

  private static CreateVolumeRequest.Builder block(String name) {
    return wanted(name)
        .clearVolumeCapabilities()
        .addVolumeCapabilities(Served.block(Mode.SINGLE_NODE_WRITER));
  }

  private String snapshot(String volume, String name) {
    return served
        .controller()
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(volume).build())
        .getSnapshot()
        .getSnapshotId();
  }

  private List<GetMetadataAllocatedResponse> allocated(String snapshot, long from, int maxResults) {
    var messages = new ArrayList<GetMetadataAllocatedResponse>();
    served
        .metadata()
        .getMetadataAllocated(
            GetMetadataAllocatedRequest.newBuilder()
                .setSnapshotId(snapshot)
                .setStartingOffset(from)
                .setMaxResults(maxResults)
                .build(),
            messages::add);
    return messages;
  }

  private void delta(String base, String target) {
    served
        .metadata()
        .getMetadataDelta(
            GetMetadataDeltaRequest.newBuilder()
                .setBaseSnapshotId(base)
                .setTargetSnapshotId(target)
                .build(),
            _ -> {});
  }

  private static void refused(String words, ThrowingCallable call) {
    assertRefused(Code.INVALID_ARGUMENT, words, call);
  }
}
