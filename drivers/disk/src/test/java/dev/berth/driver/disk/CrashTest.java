package dev.berth.driver.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.fsck.PoolCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The driver's process is killed at random moments while volumes live and die. Whoever repeats
/// what was not answered gets to the end, with the data that was written, and nothing is left.
class CrashTest {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int VOLUMES = 4;
  private static final int KILLS = 5;

  private DiskWorld world;
  private Path socket;
  private Process driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    socket = world.folder.resolve("csi.sock");
    start();
  }

  @AfterEach
  void clean() throws Exception {
    driver.destroyForcibly().waitFor();
    world.close();
  }

  private void start() throws IOException {
    driver =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DiskService.class.getName(),
                "--endpoint",
                "unix://" + socket,
                "--node",
                "n1",
                "--pool",
                world.pool.toString())
            .redirectErrorStream(true)
            .redirectOutput(world.folder.resolve("log").toFile())
            .start();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void whatIsRepeatedGetsToItsEnd(long seed) throws Exception {
    var random = new Random(seed);
    var over = new AtomicBoolean();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var connection = CsiConnection.open(socket)) {
      var lives = new ArrayList<Future<?>>();
      for (var i = 0; i < VOLUMES; i++) {
        var name = "v" + i;
        lives.add(threads.submit(() -> live(connection, name, over)));
      }
      for (var kill = 0; kill < KILLS; kill++) {
        Thread.sleep(1500 + random.nextInt(1500));
        driver.destroyForcibly().waitFor();
        assertThat(PoolCheck.check(world.pool).lines()).noneMatch(it -> it.startsWith("wrong"));
        start();
      }
      over.set(true);
      for (var life : lives) life.get();
    }
    assertThat(world.mounts()).isEmpty();
    assertThat(world.loops()).isEmpty();
    driver.destroyForcibly().waitFor();
    start(); // what a call that was cut off left is removed when the next one changes something
    try (var connection = CsiConnection.open(socket)) {
      repeat(() -> DiskWorld.createVolume(connection, "last", 1 << 24, use()));
      assertThat(world.volumeFiles()).hasSize(1);
      assertThat(world.files("snapshots")).isEmpty();
      assertThat(world.files("frozen")).isEmpty();
    }
    assertThat(PoolCheck.check(world.pool).findings()).isEmpty();
  }

  private static VolumeCapability use() {
    return DiskWorld.mount(Mode.SINGLE_NODE_WRITER);
  }

  /// One volume after another, until it is over; then the last one to its end.
  private Void live(CsiConnection driver, String name, AtomicBoolean over) throws Exception {
    for (var round = 0; !over.get() || round == 0; round++) life(driver, name + "-" + round);
    return null;
  }

  private void life(CsiConnection driver, String name) throws Exception {
    var use = use();
    var staging = world.directory("staging-" + name);
    var target = world.directory("pods").resolve(name);
    var id = repeat(() -> DiskWorld.createVolume(driver, name, 1 << 24, use)).getVolumeId();
    repeat(run(() -> DiskWorld.attach(driver, id, "n1", use)));
    repeat(run(() -> DiskWorld.stage(driver, id, staging, use)));
    repeat(run(() -> DiskWorld.publish(driver, id, staging, target, use)));
    Files.writeString(target.resolve("file"), name);
    var snapshot =
        repeat(() ->
            DiskWorld.controller(driver)
                .createSnapshot(
                    CreateSnapshotRequest.newBuilder()
                        .setName("snap-" + name)
                        .setSourceVolumeId(id)
                        .build())
                .getSnapshot()
                .getSnapshotId());
    assertThat(target.resolve("file")).hasContent(name);
    repeat(run(() -> DiskWorld.unpublish(driver, id, target)));
    repeat(run(() -> DiskWorld.unstage(driver, id, staging)));
    repeat(run(() -> DiskWorld.detach(driver, id, "n1")));
    repeat(run(() -> DiskWorld.delete(driver, id)));
    repeat(
        run(() ->
            DiskWorld.controller(driver)
                .deleteSnapshot(
                    DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot).build())));
    Files.delete(staging);
  }

  private interface Call<T> {
    T make() throws IOException;
  }

  private interface Run {
    void run() throws IOException;
  }

  private static Call<Boolean> run(Run call) {
    return () -> {
      call.run();
      return true;
    };
  }

  /// As a container orchestrator does it: again and again, unless the answer is final.
  private static <T> T repeat(Call<T> call) {
    var answers = new ArrayList<T>();
    await()
        .atMost(DEADLINE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> {
          try {
            answers.add(call.make());
            return true;
          } catch (CsiException e) {
            if (!e.uncertain()) throw e;
            return false;
          }
        });
    return answers.getFirst();
  }
}
