package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.fsck.PoolCheck;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Drivers are killed at random moments while volumes live and die on two nodes and in two pools.
/// Whoever repeats what was not answered gets to the end, with the data that was acknowledged, and
/// nothing is left.
class CrashTest {
  private static final int KILLS = 8;

  private DiskWorld world;
  private List<Path> pools;
  private Fleet fleet;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    world.mountPool(FileSystemType.XFS, 4096 * MIB, 512); // copies at once
    pools = List.of(world.pool, world.directory("plain")); // and one that has to stand still
    fleet = new Fleet(world, pools);
    fleet.begin();
  }

  @AfterEach
  void clean() throws Exception {
    if (fleet != null) fleet.close();
    if (world != null) world.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void whatIsRepeatedGetsToItsEnd(long seed) throws Exception {
    var random = new Random(seed);
    var over = new AtomicBoolean();
    var lives = CrashedLives.all(world, fleet, pools, seed);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var ends = new ArrayList<Future<Integer>>();
      for (var life : lives) ends.add(threads.submit(() -> live(life, over)));
      try {
        for (var kill = 0; kill < KILLS; kill++) kill(random);
      } finally {
        over.set(true);
      }
      for (var end : ends) assertThat(end.get()).isPositive();
    }
    assertNothingIsLeft();
  }

  /// One life after another, until it is over.
  private static int live(CrashedLives.Life life, AtomicBoolean over) throws Exception {
    var rounds = 0;
    do life.live(++rounds);
    while (!over.get());
    return rounds;
  }

  /// The pause chooses the moment; it waits for nothing.
  private void kill(Random random) throws Exception {
    Thread.sleep(700 + random.nextInt(1800));
    var node = Fleet.NODES.get(random.nextInt(Fleet.NODES.size()));
    fleet.kill(node);
    if (random.nextInt(4) == 0) {
      fleet.start(node);
      Thread.sleep(random.nextInt(600)); // on its way up
      fleet.kill(node);
    }
    fleet.start(node);
  }

  private void assertNothingIsLeft() throws Exception {
    assertThat(world.mounts()).containsExactly(world.pool);
    assertThat(world.loops()).isEmpty();
    for (var node : Fleet.NODES) fleet.kill(node);
    for (var node : Fleet.NODES) fleet.start(node);
    var use = DiskWorld.mount(Mode.SINGLE_NODE_WRITER);
    // What a call that was cut off left is removed when the next one changes something.
    var last =
        Repeated.call(() -> DiskWorld.createVolume(fleet.controller(), "last", 16 * MIB, use))
            .getVolumeId();
    Repeated.run(() -> DiskWorld.delete(fleet.controller(), last));
    for (var pool : pools) {
      for (var part : List.of("volumes", "snapshots", "frozen"))
        assertThat(names(pool.resolve(part))).as(part).isEmpty();
      for (var node : Fleet.NODES) {
        assertThat(names(pool.resolve("nodes").resolve(node).resolve("volumes"))).isEmpty();
        assertThat(names(pool.resolve("nodes").resolve(node).resolve("ephemeral"))).isEmpty();
      }
      var report = PoolCheck.check(pool);
      assertThat(report.findings()).as(String.join("\n", report.lines())).isEmpty();
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
