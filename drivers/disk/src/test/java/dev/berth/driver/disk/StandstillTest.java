package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.controller.DiskSnapshots;
import dev.berth.driver.disk.controller.Policy;
import dev.berth.driver.disk.file.StateFile;
import dev.berth.driver.disk.file.StateFile.Survives;
import dev.berth.driver.disk.node.FrozenVolumes;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Standstill;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Source;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.linux.file.Freeze;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Who writes to a volume waits while it is cut, and no longer; who cuts it too waits for the
/// other.
class StandstillTest {
  private static final VolumeCapability USE = mount(Mode.SINGLE_NODE_WRITER);

  @AutoClose private DiskWorld world;
  private CsiConnection driver;
  private final List<Path> staged = new ArrayList<>();

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
  }

  @AfterEach
  void thawWhatAFailedTestLeft() throws Exception {
    for (var directory : staged) fsfreeze("-u", directory);
  }

  @Test
  void aMemberThatCannotBeThawedKeepsNobodyElseFrozen() throws Exception {
    var ids = List.of(staged("a"), staged("b"), staged("c"));
    try (var pool = Pool.open(world.pool)) {
      var still = new FrozenVolumes().hold(pool, ids);
      assertThat(fsfreeze("-u", staged.get(1))).isZero(); // by somebody else
      assertThatThrownBy(still::close).hasMessageContaining(staged.get(1).toString());
    }
    for (var directory : staged) write(directory.resolve("file"));
    assertThat(world.files("frozen")).isEmpty();
    cut("group", ids);
  }

  /// The kernel may refuse a thread.
  @Test
  void aFreezeForWhichThereIsNoThreadKeepsNobodyFrozen() throws Exception {
    var ids = List.of(staged("a"), staged("b"));
    var freezes = new ArrayList<Path>();
    try (var pool = Pool.open(world.pool)) {
      var frozen =
          new FrozenVolumes(path -> {
            freezes.add(path);
            if (freezes.size() == 2) throw new OutOfMemoryError("no thread");
            return Freeze.of(path);
          });
      assertThatThrownBy(() -> frozen.hold(pool, ids)).hasMessage("no thread");
    }
    for (var directory : staged) write(directory.resolve("file"));
    cut("group", ids);
    assertThat(world.files("frozen")).isEmpty();
  }

  /// A controller of another process died while it copied, and has not come back.
  @Test
  void aVolumeIsThawedBeforeItIsUnmounted() throws Exception {
    var id = staged("a");
    note(id, staged.getFirst());
    assertThat(fsfreeze("-f", staged.getFirst())).isZero();
    DiskWorld.unstage(driver, id, staged.getFirst());
    assertThat(world.loops()).isEmpty();
    assertThat(world.files("frozen")).isEmpty();
    stage(driver, id, staged.getFirst(), USE);
    write(staged.getFirst().resolve("file"));
  }

  /// A file system may be frozen that cannot be asked just now.
  @Test
  void aNoteStaysUntilItIsKnownThatNothingIsFrozen() throws Exception {
    note("unknown", world.folder.resolve("x".repeat(300))); // too long a name for the kernel
    note("gone", world.folder.resolve("gone"));
    try (var pool = Pool.open(world.pool)) {
      FrozenVolumes.thawForgotten(pool);
    }
    assertThat(world.files("frozen")).containsExactly("unknown");
  }

  private void note(String id, Path mountPoint) {
    StateFile.write(
        world.pool.resolve("frozen").resolve(id),
        "frozen 1",
        Map.of("mount", mountPoint.toString()),
        Survives.PROCESS);
  }

  @Test
  void aCloneIsMadeItsOwnWhenItsSourceGoesOn() throws Exception {
    var use = mount(Mode.SINGLE_NODE_WRITER, "btrfs"); // two of one identity are one to it
    var source = staged("source", 128 * MIB, use);
    var atThaw = new ArrayList<String>();
    Standstill watched =
        (pool, ids) -> {
          var still = new FrozenVolumes().hold(pool, ids);
          return () -> {
            atThaw.addAll(identities());
            still.close();
          };
        };
    try (var pools = Pools.open(List.of(world.pool))) {
      var record = pools.find(source).orElseThrow().record();
      new DiskSnapshots(pools, Policy.USUAL, watched)
          .cloneOf(
              record.volume(),
              new VolumeRecipe(
                  "clone",
                  SizeRange.atLeast(record.capacityBytes()),
                  record.recipe().usages(),
                  Map.of("allocation", "thick"),
                  Map.of(),
                  Optional.of(new Source.OfVolume(source)),
                  Placement.ANYWHERE),
              Secrets.NONE);
    }
    assertThat(atThaw).hasSize(2).doesNotContain("").allMatch(atThaw.getFirst()::equals);
    assertThat(identities()).hasSize(2).doesNotHaveDuplicates();
  }

  /// Of the btrfs on each backing file.
  private List<String> identities() {
    try {
      var all = new ArrayList<String>();
      for (var name : world.volumeFiles()) all.add(identity(world.pool.resolve("volumes", name)));
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String identity(Path image) throws IOException {
    var bytes = ByteBuffer.allocate(16);
    try (var file = FileChannel.open(image)) {
      file.read(bytes, (64 << 10) + 0x20);
    }
    return HexFormat.of().formatHex(bytes.array());
  }

  @Test
  void aVolumeIsCopiedByManyAtOnce() throws Exception {
    var source = staged("source");
    var idle = createVolume(driver, "idle", 16 * MIB, USE).getVolumeId();
    var calls = new ArrayList<Runnable>();
    for (var i = 0; i < 5; i++) {
      var name = "copy-" + i;
      for (var id : List.of(source, idle)) {
        calls.add(() -> clone(name + id, id));
        calls.add(() -> snapshot(name + id, id));
      }
      calls.add(() -> cut(name, List.of(source, idle)));
      calls.add(() -> cut(name + "-reversed", List.of(idle, source)));
    }
    var start = new CyclicBarrier(calls.size());
    var answers = new ArrayList<Future<?>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var call : calls)
        answers.add(
            threads.submit(() -> {
              start.await(30, TimeUnit.SECONDS);
              call.run();
              return true;
            }));
    }
    for (var answer : answers) answer.get();
    write(staged.getFirst().resolve("file"));
    assertThat(world.files("frozen")).isEmpty();
  }

  private void clone(String name, String id) {
    var request = wanted(name, 16 * MIB, USE);
    request.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
    controller(driver).createVolume(request.build());
  }

  private void snapshot(String name, String id) {
    controller(driver)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(id).build());
  }

  private void cut(String name, List<String> ids) {
    driver
        .groupController(Duration.ofSeconds(60))
        .createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(name)
                .addAllSourceVolumeIds(ids)
                .build());
  }

  private String staged(String name) throws IOException {
    return staged(name, 16 * MIB, USE);
  }

  private String staged(String name, long bytes, VolumeCapability use) throws IOException {
    var id = createVolume(driver, name, bytes, use).getVolumeId();
    var directory = world.directory("staging-" + name);
    attach(driver, id, "n1", use);
    stage(driver, id, directory, use);
    staged.add(directory);
    return id;
  }

  /// Whoever is frozen waits for ever.
  private static void write(Path file) throws Exception {
    var write = new FutureTask<>(() -> Files.writeString(file, "written"));
    Thread.ofPlatform().daemon().start(write);
    write.get(30, TimeUnit.SECONDS);
  }

  private static int fsfreeze(String option, Path mountPoint) throws Exception {
    return new ProcessBuilder("fsfreeze", option, mountPoint.toString()).start().waitFor();
  }
}
