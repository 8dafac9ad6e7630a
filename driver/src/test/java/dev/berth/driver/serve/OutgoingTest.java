package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataAllocatedResponse;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.spi.Capacity.Room;
import dev.berth.driver.spi.SnapshotMetadata.Extent;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyController;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// What a driver must not answer does not leave it (ERR-11); after a change it may have happened
/// (ERR-07).
class OutgoingTest {
  private final ToyController controller;
  private final ToyDriver driver = new ToyDriver();
  private Served served;

  OutgoingTest() {
    controller = driver.controller;
  }

  @BeforeEach
  void serve() throws IOException {
    served = Served.of(driver);
  }

  @AfterEach
  void end() throws IOException {
    served.close();
  }

  @ParameterizedTest
  @CsvSource({"-1", "1"})
  void aVolumeIsAsLargeAsItIsAskedFor(long off) { // RNG-02
    controller.off = off;
    var wish = wanted("v");
    wish.getCapacityRangeBuilder().setLimitBytes(1 << 20);
    assertRefused(Code.UNAVAILABLE, "the driver is wrong: ", () -> served.create(wish));
  }

  @Test
  void whoseSizeIsUnknownIsTaken() {
    controller.off = -(1 << 20);
    assertThat(served.create(wanted("v"))).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-1", "1"})
  void aVolumeGrowsAsFarAsItIsAskedTo(long off) { // RNG-02
    var id = served.create(wanted("v"));
    controller.off = off;
    var request = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    request.getCapacityRangeBuilder().setRequiredBytes(2 << 20).setLimitBytes(2 << 20);
    assertRefused(
        Code.UNAVAILABLE,
        "the driver is wrong: ",
        () -> served.controller().controllerExpandVolume(request.build()));
  }

  @Test
  void whatIsPromisedBeyondAllRoomLeavesNone() { // CTL-20
    controller.room = new Room(-7, OptionalLong.of(-7), OptionalLong.empty());
    var room = served.controller().getCapacity(GetCapacityRequest.getDefaultInstance());
    assertThat(room.getAvailableCapacity()).isZero();
    assertThat(room.getMaximumVolumeSize().getValue()).isZero();
  }

  /// Runs of blocks, asked for from byte 4096.
  record Runs(String words, Extent... extents) {
    @Override
    public String toString() {
      return words;
    }
  }

  static final List<Runs> runs =
      List.of(
          new Runs("of no bytes", new Extent(4096, 0)),
          new Runs("before the one before", new Extent(8192, 4096), new Extent(4096, 4096)),
          new Runs("into the one before", new Extent(4096, 4096), new Extent(8191, 4096)),
          new Runs("twice", new Extent(4096, 4096), new Extent(4096, 4096)),
          new Runs("that end where the caller begins", new Extent(0, 4096)));

  @ParameterizedTest
  @FieldSource
  void runs(Runs row) { // SMD-02
    var volume =
        served.create(
            wanted("v")
                .clearVolumeCapabilities()
                .addVolumeCapabilities(Served.block(Mode.SINGLE_NODE_WRITER)));
    var snapshot =
        served
            .controller()
            .createSnapshot(
                CreateSnapshotRequest.newBuilder().setName("s").setSourceVolumeId(volume).build())
            .getSnapshot()
            .getSnapshotId();
    controller.extents = List.of(row.extents);
    var request =
        GetMetadataAllocatedRequest.newBuilder().setSnapshotId(snapshot).setStartingOffset(4096);
    assertRefused(
        Code.INTERNAL,
        "the driver is wrong: ",
        () -> served.metadata().getMetadataAllocated(request.build(), _ -> {}));
  }

  @Test
  void aStreamThatFailsOnItsWayHasNoCleanEnd() { // SMD-03
    var volume =
        served.create(
            wanted("v")
                .clearVolumeCapabilities()
                .addVolumeCapabilities(Served.block(Mode.SINGLE_NODE_WRITER)));
    var snapshot =
        served
            .controller()
            .createSnapshot(
                CreateSnapshotRequest.newBuilder().setName("s").setSourceVolumeId(volume).build())
            .getSnapshot()
            .getSnapshotId();
    controller.extents = List.of(new Extent(0, 4096), new Extent(8192, 4096), new Extent(0, 4096));
    var request =
        GetMetadataAllocatedRequest.newBuilder().setSnapshotId(snapshot).setMaxResults(1).build();
    var messages = new ArrayList<GetMetadataAllocatedResponse>();
    assertRefused(
        Code.INTERNAL,
        "the driver is wrong: ",
        () -> served.metadata().getMetadataAllocated(request, messages::add));
    assertThat(messages).isNotEmpty();
  }

  @Test
  void aMemberIsOfItsGroup() { // GRP-05
    controller.groupOfMembers = Optional.of("another");
    var request =
        CreateVolumeGroupSnapshotRequest.newBuilder()
            .setName("g")
            .addSourceVolumeIds(served.create(wanted("v")));
    assertRefused(
        Code.UNAVAILABLE,
        "the driver is wrong: ",
        () -> served.groups().createVolumeGroupSnapshot(request.build()));
  }
}
