package dev.berth.linux.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.linux.Workbench;
import dev.berth.linux.check.MountedCheck.Wanted;
import dev.berth.linux.check.Watched.Touch;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Real file systems on loop devices, sound and broken.
class VolumeWatchTest {
  private static final long SHUT_DOWN = 0x8004587dL;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pace QUICK =
      new Pace(
          Duration.ofMillis(300),
          Duration.ofSeconds(1),
          Duration.ofMillis(200),
          Duration.ofSeconds(10),
          Duration.ofMinutes(2));

  /// The kernel's word is heard in time, the volume is left alone.
  private static final Pace NEVER_USED =
      new Pace(
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofHours(1));

  private static Watched watched(Workbench bench, Path place, Touch touch) {
    var device = Path.of(bench.mounts.at(place).orElseThrow().source());
    return Watched.fileSystem("v", device, place, Wanted.WRITABLE, touch);
  }

  private static List<String> reasons(VolumeWatch watch) {
    return watch.findings().getOrDefault("v", List.of()).stream().map(Finding::reason).toList();
  }

  private static void awaitReason(VolumeWatch watch, String reason) {
    await().atMost(PATIENCE).until(() -> reasons(watch), it -> it.contains(reason));
  }

  private static void awaitUses(VolumeWatch watch, long more) {
    long before = watch.figures().sound();
    await().atMost(PATIENCE).until(() -> watch.figures().sound() >= before + more);
  }

  static void shutDown(Path place) {
    try (var open = Descriptor.open(place, Descriptor.O_RDONLY);
        var arena = Arena.ofConfined()) {
      var flag = arena.allocateFrom(ValueLayout.JAVA_INT, 2);
      SystemCall.IOCTL.orThrow(
          () -> "shut down " + place, open.number(), SHUT_DOWN, flag.address());
    }
  }

  /// BM-195: small writes and reads find a sound volume sound, and nobody sees them.
  @ParameterizedTest
  @EnumSource(FileSystemType.class)
  void aSoundFileSystemIsSoundAndNothingIsLeftInIt(FileSystemType type) throws IOException {
    try (var bench = Workbench.open();
        var watch = new VolumeWatch(QUICK, () -> {})) {
      var place = bench.mounted(type, "sound", 320);
      watch.watch(List.of(watched(bench, place, Touch.PROBED)));
      awaitUses(watch, 3);
      assertThat(watch.knows("v")).isTrue();
      assertThat(reasons(watch)).isEmpty();
      assertThat(watch.figures().failed()).isZero();
      try (var entries = Files.list(place)) {
        assertThat(entries.map(it -> String.valueOf(it.getFileName()))).isSubsetOf("lost+found");
      }
      watch.watch(List.of());
      bench.mounts.unmount(place, Unmount.IF_UNUSED); // nothing holds it
    }
  }

  /// BM-195: full is not broken.
  @Test
  void aFullFileSystemIsSound() throws IOException {
    try (var bench = Workbench.open();
        var watch = new VolumeWatch(QUICK, () -> {})) {
      var place = bench.mounted(FileSystemType.EXT4, "full", 16);
      fill(place.resolve("file"));
      assertThat(dev.berth.linux.file.Usage.of(place).available()).isZero();
      watch.watch(List.of(watched(bench, place, Touch.PROBED)));
      awaitUses(watch, 3);
      assertThat(reasons(watch)).isEmpty();
      assertThat(watch.figures().failed()).isZero();
    }
  }

  private static void fill(Path file) throws IOException {
    var block = new byte[1 << 16];
    for (int size = block.length; size > 0; size /= 2)
      try (var out =
          Files.newOutputStream(
              file,
              java.nio.file.StandardOpenOption.CREATE,
              java.nio.file.StandardOpenOption.APPEND)) {
        while (true) out.write(block, 0, size);
      } catch (IOException full) {
        // with smaller pieces, then
      }
  }

  /// BM-191, BM-194, BM-198, BM-255: reading the directory of ext4 goes on, and that of xfs does
  /// not; both are told, and counted at once.
  @ParameterizedTest
  @EnumSource(
      value = FileSystemType.class,
      names = {"EXT4", "XFS"})
  void aFileSystemThatWasShutDownIsTold(FileSystemType type) throws IOException {
    try (var bench = Workbench.open();
        var watch = new VolumeWatch(QUICK, () -> {})) {
      var place = bench.mounted(type, "down", 320);
      watch.watch(List.of(watched(bench, place, Touch.LEFT_ALONE)));
      shutDown(place);
      awaitReason(watch, "FileSystemShutDown");
    }
  }

  /// BM-194, BM-256: by the kernel's own word, without anybody looking.
  @Test
  void anErrorOfExt4IsHeardAtOnce() throws IOException {
    try (var bench = Workbench.open();
        var watch = new VolumeWatch(NEVER_USED, () -> {})) {
      var place = bench.mounted(FileSystemType.EXT4, "errors", 64);
      var volume = watched(bench, place, Touch.LEFT_ALONE);
      watch.watch(List.of(volume));
      await().atMost(PATIENCE).until(() -> watch.hears("v"));
      var trigger =
          Path.of("/sys/fs/ext4")
              .resolve(Objects.requireNonNull(volume.device().getFileName()))
              .resolve("trigger_fs_error");
      org.junit.jupiter.api.Assumptions.assumeTrue(
          Files.exists(trigger), "this kernel makes no errors by request: skipped");
      Files.writeString(trigger, "1");
      awaitReason(watch, "FileSystemErrors");
    }
  }

  /// BM-190: whoever unmounts it behind our back, or puts another thing there.
  @Test
  void aVolumeThatIsNotMountedAnyMoreIsToldAndOneThatIsMountedAgainIsNot() throws IOException {
    try (var bench = Workbench.open();
        var watch = new VolumeWatch(QUICK, () -> {})) {
      var place = bench.mounted(FileSystemType.EXT4, "gone", 64);
      var volume = watched(bench, place, Touch.PROBED);
      watch.watch(List.of(volume));
      awaitUses(watch, 1);
      bench.mounts.mount("tmpfs", "other", place, dev.berth.linux.mount.MountOptions.NONE);
      awaitReason(watch, "NotMounted");
      bench.mounts.unmount(place, Unmount.IF_UNUSED);
      await().atMost(PATIENCE).until(() -> reasons(watch).isEmpty());
    }
  }

  /// BM-190, BM-195: what is being mounted is neither ill nor well, and nothing is tried in the
  /// bare folder where it will be.
  @Test
  void aVolumeThatIsBeingMountedIsNotUsed() throws IOException {
    try (var bench = Workbench.open();
        var watch = new VolumeWatch(QUICK, () -> {})) {
      var place = bench.mounted(FileSystemType.EXT4, "coming", 64);
      var coming = watched(bench, place, Touch.PROBED);
      var there = bench.mounted(FileSystemType.EXT4, "there", 64);
      var device = Path.of(bench.mounts.at(there).orElseThrow().source());
      bench.mounts.mount("tmpfs", "bare", place, dev.berth.linux.mount.MountOptions.NONE);
      watch.moves("v");
      watch.watch(
          List.of(
              coming, Watched.fileSystem("other", device, there, Wanted.WRITABLE, Touch.PROBED)));
      awaitUses(watch, 4);
      assertThat(watch.knows("other")).isTrue();
      assertThat(watch.knows("v")).isFalse();
      assertThat(reasons(watch)).isEmpty();
      bench.mounts.unmount(place, Unmount.IF_UNUSED);
      watch.moved("v");
      await().atMost(PATIENCE).until(() -> watch.knows("v"));
      assertThat(reasons(watch)).isEmpty();
    }
  }

  /// BM-195, BM-191, BM-257, BM-198: the drive below dies; what is cached goes on, what is used
  /// does not. A volume whose drive comes back is well again.
  @Test
  void aDriveThatDiesIsFoundOutByUsingIt() throws IOException {
    try (var bench = Workbench.open();
        var watch = new VolumeWatch(QUICK, () -> {})) {
      var outer = bench.mounted(FileSystemType.EXT4, "outer", 128);
      var image = outer.resolve("inner.img");
      try (var file = new java.io.RandomAccessFile(image.toFile(), "rw")) {
        file.setLength(64 << 20);
      }
      try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED)) {
        watch.watch(List.of(Watched.raw("v", loop.device(), Touch.PROBED)));
        awaitUses(watch, 2);
        assertThat(reasons(watch)).isEmpty();
        shutDown(outer);
        awaitReason(watch, "ReadsFail");
      }
    }
  }

  /// BM-195: who is busy is not ill, however long it takes. `-Dberth.load=PT1H` writes for an hour.
  @Test
  void aVolumeUnderFullLoadIsNeverCalledIll() throws Exception {
    var time = Duration.parse(System.getProperty("berth.load", "PT8S"));
    var ill = new java.util.concurrent.CopyOnWriteArrayList<Object>();
    try (var bench = Workbench.open()) {
      var place = bench.mounted(FileSystemType.EXT4, "busy", 256);
      var volume = watched(bench, place, Touch.PROBED);
      long end = System.nanoTime() + time.toNanos();
      try (var watch = new VolumeWatch(QUICK, () -> {});
          var writers =
              java.util.concurrent.Executors.newThreadPerTaskExecutor(
                  Thread.ofPlatform().factory())) {
        watch.watch(List.of(volume));
        for (int i = 0; i < 4; i++) {
          var file = place.resolve("file" + i);
          var _ =
              writers.submit(() -> {
                var block = java.nio.ByteBuffer.allocate(1 << 20);
                try (var channel =
                    java.nio.channels.FileChannel.open(
                        file,
                        java.nio.file.StandardOpenOption.CREATE,
                        java.nio.file.StandardOpenOption.WRITE)) {
                  for (int n = 0; System.nanoTime() < end; n++) {
                    channel.write(block.rewind(), (long) (n % 40) << 20);
                    if (n % 8 == 0) channel.force(true);
                    if (!watch.findings().isEmpty()) ill.add(watch.findings());
                  }
                }
                return true;
              });
        }
        writers.shutdown();
        assertThat(
                writers.awaitTermination(
                    time.toSeconds() + 120, java.util.concurrent.TimeUnit.SECONDS))
            .isTrue();
        awaitUses(watch, 1);
        assertThat(watch.figures().failed()).isZero();
        assertThat(watch.figures().hung()).isZero();
      }
    }
    assertThat(ill).isEmpty();
  }

  /// A device that is gone is told without being asked for.
  @Test
  void aRawDeviceThatIsGoneIsTold() throws IOException {
    var none = new dev.berth.linux.file.DeviceNumber(7, 1_000_000);
    try (var watch = new VolumeWatch(QUICK, () -> {})) {
      watch.watch(
          List.of(
              new Watched(
                  "v",
                  Path.of("/dev/loop1000000"),
                  none,
                  java.util.Optional.empty(),
                  Wanted.READ_ONLY,
                  Touch.PROBED)));
      awaitReason(watch, "DeviceGone");
      assertThat(watch.figures().failed()).isZero();
    }
  }
}
