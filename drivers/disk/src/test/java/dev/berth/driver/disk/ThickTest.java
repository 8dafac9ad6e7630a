package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.delete;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.file.Usage;
import dev.berth.linux.tool.FileSystemType;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Writing to a volume that has its room from the beginning does not fail for want of it (CTL-21).
/// The pool shares blocks between copies, which takes them from whom they were promised to.
class ThickTest {
  @AutoClose private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    world.mountPool(FileSystemType.XFS, 1024 * MIB, 512);
    driver = world.node("n1");
  }

  @Test
  void aCopyDoesNotTakeItsRoom() throws Exception {
    var use = block(Mode.SINGLE_NODE_WRITER);
    var id = create("source", 256 * MIB, use);
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("device");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    publish(driver, id, staging, target, use);
    write(target);
    controller(driver)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName("s").setSourceVolumeId(id).build());
    var clone = wanted("clone", 256 * MIB, use);
    clone.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
    controller(driver).createVolume(clone.build());

    var filler = Files.createDirectory(world.pool.resolve("filler"));
    FullPool.fillAll(filler);
    assertThat(Usage.of(world.pool).available()).isLessThan(8 * MIB);

    write(target);
    Files.delete(filler.resolve("filler-0"));
    unpublish(driver, id, target);
    unstage(driver, id, staging);
  }

  private static void write(Path device) throws Exception {
    var dd =
        new ProcessBuilder(
                "dd", "if=/dev/urandom", "of=" + device, "bs=1M", "count=128", "oflag=direct")
            .redirectErrorStream(true)
            .start();
    var words = new String(dd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(dd.waitFor()).as(words).isZero();
  }

  @Test
  void theLargestThatThereIsRoomForCanBeUsed() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var room = room();
    var id = create("largest", room, use);
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    Files.writeString(staging.resolve("file"), "written");
    assertThat(FileStatus.of(world.image(id)).allocated()).isGreaterThanOrEqualTo(room);
    unstage(driver, id, staging);
  }

  /// Each alone would fit, and both fit on the disk: but not beside what has to stay free.
  @Test
  void twoAtOnceLeaveFreeWhatHasToBe() throws Exception {
    var use = block(Mode.SINGLE_NODE_WRITER);
    var room = room();
    var half = (room / 2 + 16 * MIB) & -4096;
    for (var round = 0; round < 10; round++) {
      await().until(() -> room() > room - MIB); // XFS frees blocks in its own time
      var start = new CyclicBarrier(2);
      var made = new ArrayList<Future<String>>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (var name : List.of("a" + round, "b" + round))
          made.add(
              threads.submit(() -> {
                start.await(30, TimeUnit.SECONDS);
                try {
                  return create(name, half, use);
                } catch (CsiException refused) {
                  assertThat(refused.code())
                      .isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.ABORTED);
                  return "";
                }
              }));
      }
      assertThat(Usage.of(world.pool).available()).isGreaterThanOrEqualTo(63 * MIB);
      var ids = List.of(made.get(0).get(), made.get(1).get());
      assertThat(ids).filteredOn(id -> !id.isEmpty()).hasSize(1);
      for (var id : ids) if (!id.isEmpty()) delete(driver, id);
    }
  }

  private long room() {
    return controller(driver)
        .getCapacity(GetCapacityRequest.newBuilder().putParameters("allocation", "thick").build())
        .getMaximumVolumeSize()
        .getValue();
  }

  private String create(String name, long bytes, VolumeCapability use) {
    var request = wanted(name, bytes, use).putParameters("allocation", "thick");
    return controller(driver).createVolume(request.build()).getVolume().getVolumeId();
  }
}
