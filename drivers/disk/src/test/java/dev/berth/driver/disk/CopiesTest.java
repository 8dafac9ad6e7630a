package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.delete;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.csi.v1.BlockMetadata;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataDeltaRequest;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.node.FrozenVolumes;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Snapshots, clones and groups: what they hold is the volume at one moment, and nothing else.
class CopiesTest {
  @AutoClose private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs"})
  void aSnapshotOfALiveVolumeIsRestoredToALargerOneBesideIt(String fsType)
      throws IOException { // CSR-03
    var use = mount(Mode.SINGLE_NODE_WRITER, fsType);
    var id = createVolume(driver, "source", 320 * MIB, use).getVolumeId();
    var staging = staged(id, "source", use);
    Files.writeString(staging.resolve("file"), "then");
    var snapshot = snapshot("snap", id);
    assertThat(snapshot.getSizeBytes()).isEqualTo(320 * MIB);
    Files.writeString(staging.resolve("file"), "now");

    var request = wanted("restored", 384 * MIB, use);
    request
        .getVolumeContentSourceBuilder()
        .getSnapshotBuilder()
        .setSnapshotId(snapshot.getSnapshotId());
    var restored = controller(driver).createVolume(request.build()).getVolume();
    assertThat(controller(driver).createVolume(request.build()).getVolume()).isEqualTo(restored);
    assertThat(restored.getContentSource()).isEqualTo(request.getVolumeContentSource());
    var other = staged(restored.getVolumeId(), "restored", use);

    assertThat(other.resolve("file")).hasContent("then");
    assertThat(staging.resolve("file")).hasContent("now");
    assertThat(Files.getFileStore(other).getTotalSpace()).isGreaterThan(310 * MIB);
    unstage(driver, restored.getVolumeId(), other);
    unstage(driver, id, staging);
  }

  /// CSR-01: a claim that no node could ever mount is not bound to anything.
  @Test
  void whatNoNodeWouldMountIsNotMade() throws IOException {
    var id = createVolume(driver, "source", 64 * MIB, mount(Mode.SINGLE_NODE_WRITER)).getVolumeId();
    var staging = staged(id, "source", mount(Mode.SINGLE_NODE_WRITER));
    var snapshot = snapshot("snap", id).getSnapshotId();
    unstage(driver, id, staging);
    var other = mount(Mode.SINGLE_NODE_WRITER, "xfs");
    var restored = wanted("restored", 320 * MIB, other);
    restored.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId(snapshot);
    var cloned = wanted("cloned", 320 * MIB, other);
    cloned.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
    for (var request : List.of(restored, cloned))
      assertRefused(
          Status.Code.INVALID_ARGUMENT,
          "holds ext4, not xfs",
          () -> controller(driver).createVolume(request.build()));
    assertThat(world.volumeFiles()).hasSize(1);
    restored.getVolumeCapabilitiesBuilder(0).getMountBuilder().setFsType("");
    controller(driver).createVolume(restored.build());
  }

  @Test
  void aSnapshotOutlivesItsVolumeAndIsFoundByItsName() throws IOException {
    var id = createVolume(driver, "source", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).getVolumeId();
    var snapshot = snapshot("snap", id);
    delete(driver, id);
    assertThat(snapshot("snap", id)).isEqualTo(snapshot);
    assertThat(listed()).containsExactly(snapshot);
    controller(driver)
        .deleteSnapshot(
            DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot.getSnapshotId()).build());
    assertThat(listed()).isEmpty();
    assertThat(world.files("snapshots")).isEmpty();
  }

  @Test
  void aCloneHasADiskOfItsOwn() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "source", 64 * MIB, use).getVolumeId();
    var staging = staged(id, "source", use);
    Files.writeString(staging.resolve("file"), "both");
    var request = wanted("clone", 64 * MIB, use);
    request.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
    var clone = controller(driver).createVolume(request.build()).getVolume().getVolumeId();
    var other = staged(clone, "clone", use);
    Files.writeString(other.resolve("file"), "clone only");
    assertThat(staging.resolve("file")).hasContent("both");

    var small = wanted("small", 32 * MIB, use);
    small.setVolumeContentSource(request.getVolumeContentSource());
    assertRefused(
        Status.Code.OUT_OF_RANGE,
        "has 67108864 bytes",
        () -> controller(driver).createVolume(small.build()));
    unstage(driver, clone, other);
    unstage(driver, id, staging);
  }

  /// SNP-04: what is being staged, made or removed is not cut beside that.
  @Test
  void aVolumeThatIsWorkedOnIsNotCopied() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "source", 16 * MIB, use).getVolumeId();
    var clone = wanted("clone", 16 * MIB, use);
    clone.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
    try (var pool = Pool.open(world.pool);
        var _ = pool.holds().volume(id)) {
      assertRefused(Status.Code.ABORTED, "worked on", () -> snapshot("snap", id));
      assertRefused(
          Status.Code.ABORTED, "worked on", () -> controller(driver).createVolume(clone.build()));
    }
    assertThat(world.files("snapshots")).isEmpty();
    snapshot("snap", id);
    controller(driver).createVolume(clone.build());
  }

  @Test
  void aGroupIsCutAndRemovedAsAWhole() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var a = createVolume(driver, "a", 16 * MIB, use).getVolumeId();
    var b = createVolume(driver, "b", 16 * MIB, use).getVolumeId();
    var staging = staged(a, "a", use);
    var request =
        CreateVolumeGroupSnapshotRequest.newBuilder()
            .setName("group")
            .addSourceVolumeIds(a)
            .addSourceVolumeIds(b)
            .putParameters("deletionPolicy", "Delete") // Kubernetes' own suite sends it
            .build();
    var group = groups().createVolumeGroupSnapshot(request).getGroupSnapshot();
    assertThat(groups().createVolumeGroupSnapshot(request).getGroupSnapshot()).isEqualTo(group);
    assertThat(group.getReadyToUse()).isTrue();
    assertThat(group.getSnapshotsList())
        .hasSize(2)
        .allMatch(member -> member.getGroupSnapshotId().equals(group.getGroupSnapshotId()));
    assertThat(listed()).containsExactlyInAnyOrderElementsOf(group.getSnapshotsList());
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        "belongs to group",
        () ->
            controller(driver)
                .deleteSnapshot(
                    DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId(group.getSnapshots(0).getSnapshotId())
                        .build()));
    groups()
        .deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(group.getGroupSnapshotId())
                .build());
    assertThat(listed()).isEmpty();
    assertThat(world.files("snapshots")).isEmpty();
    unstage(driver, a, staging);
  }

  /// A name may hold whatever is no control character, and line feeds (ERR-12).
  @Test
  void noSnapshotHasTheNameOfAMember() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var a = createVolume(driver, "a", 16 * MIB, use).getVolumeId();
    var b = createVolume(driver, "b", 16 * MIB, use).getVolumeId();
    var request =
        CreateVolumeGroupSnapshotRequest.newBuilder().setName("g").addSourceVolumeIds(a).build();
    var before = List.of(snapshot("g\n" + a, b), snapshot("g" + a, b), snapshot("g\t" + a, b));
    var group = groups().createVolumeGroupSnapshot(request).getGroupSnapshot();
    assertThat(listed()).hasSize(4).containsAll(before);
    assertThat(snapshot("g\n" + a, b)).isEqualTo(before.getFirst());
    assertRefused(Status.Code.INVALID_ARGUMENT, "control", () -> snapshot("g\0" + a, b));

    world.stopDrivers();
    driver = world.node("n1");
    assertThat(groups().createVolumeGroupSnapshot(request).getGroupSnapshot()).isEqualTo(group);
    assertThat(listed()).containsAll(before).containsAll(group.getSnapshotsList());
    assertThat(world.files("snapshots")).hasSize(4);
  }

  @Test
  void aFileSystemThatACrashLeftFrozenIsThawed() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "source", 16 * MIB, use).getVolumeId();
    var staging = staged(id, "source", use);
    var note = world.pool.resolve("frozen").resolve(id);
    snapshot("before", id);
    assertThat(note).doesNotExist();

    // A process that freezes and dies.
    fsfreeze(staging);
    Files.writeString(
        note,
        """
        berth frozen 1
        mount=%s
        #%08x
        """
            .formatted(staging, crc("berth frozen 1\nmount=" + staging + "\n")));
    world.node("n2");
    Files.writeString(staging.resolve("file"), "written");
    assertThat(note).doesNotExist();
    unstage(driver, id, staging);
  }

  @Test
  void aNoteIsWrittenOnlyByWhoMayFreeze() throws Exception {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "source", 16 * MIB, use).getVolumeId();
    var staging = staged(id, "source", use);
    try (var pool = Pool.open(world.pool);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Snapshot> waiting;
      try (var _ = pool.holds().frozen(id)) {
        waiting = threads.submit(() -> snapshot("snap", id));
        Files.writeString(staging.resolve("file"), "nothing stands still");
        assertThat(world.files("frozen")).isEmpty();
      }
      assertThat(waiting.get()).isEqualTo(snapshot("snap", id));
    }
    unstage(driver, id, staging);
  }

  @Test
  void whatIsFrozenAfterAllIsThawedByTheNextCut() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "source", 16 * MIB, use).getVolumeId();
    var staging = staged(id, "source", use);
    var late =
        new FrozenVolumes(mountPoint -> {
          fsfreeze(mountPoint);
          throw new LinuxException("freeze", new Failure.TimedOut(Duration.ofMinutes(2)));
        });
    try (var pool = Pool.open(world.pool)) {
      assertThatThrownBy(() -> late.hold(pool, List.of(id))).isInstanceOf(LinuxException.class);
    }
    assertThat(world.files("frozen")).containsExactly(id);
    snapshot("snap", id);
    assertThat(world.files("frozen")).isEmpty();
    Files.writeString(staging.resolve("file"), "written");
    unstage(driver, id, staging);
  }

  private static void fsfreeze(Path mountPoint) {
    try {
      var tool = new ProcessBuilder("fsfreeze", "-f", mountPoint.toString()).start();
      assertThat(tool.waitFor()).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static long crc(String text) {
    var crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  @Test
  void metadataTellsWhatIsWrittenAndWhatHasChanged() throws IOException {
    var id = createVolume(driver, "source", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).getVolumeId();
    write(id, 0, 4096);
    write(id, 8 * MIB, 8192);
    var base = snapshot("base", id);
    write(id, 8 * MIB + 4096, 4096);
    write(id, 12 * MIB, 4096);
    var target = snapshot("target", id);
    delete(driver, id);

    var metadata = driver.snapshotMetadata(Duration.ofSeconds(60));
    List<BlockMetadata> allocated = new ArrayList<>();
    metadata.getMetadataAllocated(
        GetMetadataAllocatedRequest.newBuilder()
            .setSnapshotId(base.getSnapshotId())
            .setMaxResults(1)
            .build(),
        answer -> {
          assertThat(answer.getVolumeCapacityBytes()).isEqualTo(16 * MIB);
          assertThat(answer.getBlockMetadataCount()).isEqualTo(1);
          allocated.addAll(answer.getBlockMetadataList());
        });
    assertThat(allocated)
        .extracting(BlockMetadata::getByteOffset, BlockMetadata::getSizeBytes)
        .containsExactly(tuple(0L, 4096L), tuple(8 * MIB, 8192L));

    List<BlockMetadata> changed = new ArrayList<>();
    metadata.getMetadataDelta(
        GetMetadataDeltaRequest.newBuilder()
            .setBaseSnapshotId(base.getSnapshotId())
            .setTargetSnapshotId(target.getSnapshotId())
            .build(),
        answer -> changed.addAll(answer.getBlockMetadataList()));
    assertThat(changed)
        .extracting(BlockMetadata::getByteOffset, BlockMetadata::getSizeBytes)
        .containsExactly(tuple(8 * MIB + 4096, 4096L), tuple(12 * MIB, 4096L));
    assertRefused(
        Status.Code.OUT_OF_RANGE,
        "starting_offset",
        () ->
            metadata.getMetadataAllocated(
                GetMetadataAllocatedRequest.newBuilder()
                    .setSnapshotId(base.getSnapshotId())
                    .setStartingOffset(16 * MIB + 1)
                    .build(),
                _ -> {}));
  }

  /// Whoever looks may come late; it hears that, and nothing of our files.
  @Test
  void whoAsksWhatHasChangedBesideADeleteHearsOfIt() throws Exception {
    var id = createVolume(driver, "source", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).getVolumeId();
    write(id, 0, 4096);
    var metadata = driver.snapshotMetadata(Duration.ofSeconds(60));
    for (var round = 0; round < 40; round++) {
      var base = snapshot("base-" + round, id).getSnapshotId();
      var target = snapshot("target-" + round, id).getSnapshotId();
      var delta =
          GetMetadataDeltaRequest.newBuilder()
              .setBaseSnapshotId(base)
              .setTargetSnapshotId(target)
              .build();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var looks =
            Stream.generate(() ->
                    threads.submit(() -> {
                      while (true) metadata.getMetadataDelta(delta, _ -> {});
                    }))
                .limit(4)
                .toList();
        controller(driver)
            .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(base).build());
        for (var look : looks)
          assertThatThrownBy(look::get)
              .cause()
              .isInstanceOfSatisfying(
                  CsiException.class,
                  e -> {
                    assertThat(e.code()).as(e.description()).isEqualTo(Status.Code.NOT_FOUND);
                    assertThat(e.description()).doesNotContain(world.folder.toString());
                  });
      }
    }
  }

  private void write(String id, long offset, int length) throws IOException {
    var bytes = new byte[length];
    Arrays.fill(bytes, (byte) (offset / 4096 + System.nanoTime() | 1));
    try (var image = new RandomAccessFile(world.image(id).toFile(), "rw")) {
      image.seek(offset);
      image.write(bytes);
    }
  }

  private Path staged(String id, String name, VolumeCapability use) throws IOException {
    var directory = world.directory("staging-" + name);
    attach(driver, id, "n1", use);
    stage(driver, id, directory, use);
    return directory;
  }

  private GroupControllerCalls groups() {
    return driver.groupController(Duration.ofSeconds(60));
  }

  private Snapshot snapshot(String name, String volumeId) {
    return controller(driver)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(volumeId).build())
        .getSnapshot();
  }

  private List<Snapshot> listed() {
    return controller(driver)
        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
        .getEntriesList()
        .stream()
        .map(entry -> entry.getSnapshot())
        .toList();
  }
}
