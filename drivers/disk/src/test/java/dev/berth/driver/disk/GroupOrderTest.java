package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.linux.tool.FileSystemType;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A group is cut in write order across its members while they are written to, or refused (GRP-02).
/// The pool is on XFS, where a copy of one file is of one moment.
class GroupOrderTest {
  private static final int ROUNDS = 5;

  @AutoClose private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    world.mountPool(FileSystemType.XFS, 1024 * MIB, 512);
    driver = world.node("n1");
  }

  @Test
  void noMemberIsAheadOfAnother() throws Exception {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var a = createVolume(driver, "a", 16 * MIB, use).getVolumeId();
    var b = createVolume(driver, "b", 16 * MIB, use).getVolumeId();
    var first = staged(a, use);
    var second = staged(b, use);
    var over = new AtomicBoolean();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writer =
          threads.submit(() -> {
            for (var i = 1; !over.get(); i++) {
              write(first.resolve("file"), i);
              write(second.resolve("file"), i);
            }
            return true;
          });
      try {
        for (var round = 0; round < ROUNDS; round++) {
          var members = cut("group-" + round, a, b);
          var inFirst = read(restored(members, a, round, use));
          assertThat(read(restored(members, b, round, use))).isBetween(inFirst - 1, inFirst);
        }
      } finally {
        over.set(true);
      }
      assertThat(writer.get()).isTrue();
    }
    unstage(driver, a, first);
    unstage(driver, b, second);
  }

  private static void write(Path file, int number) throws IOException {
    Files.writeString(
        file,
        "%08d".formatted(number),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.DSYNC);
  }

  private int read(Path volume) throws IOException {
    var file = volume.resolve("file");
    var text = Files.exists(file) ? Files.readString(file) : "";
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  private Path restored(List<Snapshot> members, String source, int round, VolumeCapability use)
      throws IOException {
    var member =
        members.stream().filter(it -> it.getSourceVolumeId().equals(source)).findFirst().get();
    var request = wanted("restored-" + source + round, 16 * MIB, use);
    request
        .getVolumeContentSourceBuilder()
        .getSnapshotBuilder()
        .setSnapshotId(member.getSnapshotId());
    return staged(controller(driver).createVolume(request.build()).getVolume().getVolumeId(), use);
  }

  @Test
  void aRawDeviceInUseIsCutOnlyAlone() throws IOException {
    var use = block(Mode.SINGLE_NODE_WRITER);
    var a = createVolume(driver, "a", 16 * MIB, use).getVolumeId();
    var b = createVolume(driver, "b", 16 * MIB, use).getVolumeId();
    var staging = staged(a, use);
    assertRefused(
        Status.Code.FAILED_PRECONDITION,
        "unstage it, or cut a snapshot of it alone",
        () -> cut("group", a, b));
    assertThat(world.files("snapshots")).isEmpty();
    controller(driver)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName("alone").setSourceVolumeId(a).build());
    assertThat(cut("one", a)).hasSize(1);
    unstage(driver, a, staging);
    assertThat(cut("group", a, b)).hasSize(2);
  }

  private List<Snapshot> cut(String name, String... ids) {
    return driver
        .groupController(Duration.ofSeconds(60))
        .createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(name)
                .addAllSourceVolumeIds(List.of(ids))
                .build())
        .getGroupSnapshot()
        .getSnapshotsList();
  }

  private Path staged(String id, VolumeCapability use) throws IOException {
    var directory = world.directory("staging-" + id);
    attach(driver, id, "n1", use);
    stage(driver, id, directory, use);
    return directory;
  }
}
