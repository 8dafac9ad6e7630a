package dev.berth.linux.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.linux.Workbench;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.loop.LoopOptions.Flag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopDevicesTest {
  @AutoClose private Workbench bench;
  private LoopDevices loops;

  @BeforeEach
  void open() {
    bench = Workbench.open();
    loops = bench.loops;
  }

  @Test
  void aDeviceIsAsLargeAsItsFileAndFollowsIt() throws IOException {
    var image = bench.image("image", 8);
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED)) {
      assertThat(BlockDevice.size(loop.device())).isEqualTo(8 << 20);
      try (var file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength(16 << 20);
      }
      loops.takeOverSize(loop.device());
      assertThat(BlockDevice.size(loop.device())).isEqualTo(16 << 20);
    }
  }

  @Test
  void autoClearTakesAnUnusedDeviceAway() { // SYS-13
    var image = bench.image("image", 1);
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED)) {
      assertThat(loops.of(image)).hasSize(1);
      assertThat(loops.at(loop.device()).orElseThrow().flags()).containsExactly(Flag.AUTO_CLEAR);
    }
    assertThat(loops.of(image)).isEmpty();
  }

  @Test
  void withoutAutoClearItStaysUntilDetached() {
    var image = bench.image("image", 1);
    Path device;
    try (var loop = bench.attach(image, LoopOptions.of())) {
      device = loop.device();
    }
    assertThat(loops.of(image)).extracting(LoopDevice::device).containsExactly(device);
    loops.detach(device);
    assertThat(loops.of(image)).isEmpty();
    loops.detach(device); // done already
  }

  @Test
  void allDevicesOfAFileAreFoundAlsoUnderAnotherName() throws IOException {
    var image = bench.image("image", 1);
    try (var one = bench.attach(image, LoopOptions.UNTIL_UNUSED);
        var two = bench.attach(image, LoopOptions.UNTIL_UNUSED.with(Flag.READ_ONLY))) {
      var renamed = Files.move(image, image.resolveSibling("renamed"));
      var impostor = bench.image("image", 1);
      assertThat(loops.of(renamed))
          .extracting(LoopDevice::device)
          .containsExactlyInAnyOrder(one.device(), two.device());
      assertThat(loops.of(impostor)).isEmpty();
    }
  }

  /// Where it was is only where to look first.
  @Test
  void theDeviceOfAFileIsWhatTheKernelSays() throws IOException {
    var image = bench.image("image", 1);
    var other = bench.image("other", 1);
    assertThat(loops.anyOf(image)).isEmpty();
    Path device;
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED)) {
      device = loop.device();
      assertThat(loops.anyOf(image).orElseThrow().device()).isEqualTo(device);
      assertThat(loops.anyOf(other)).isEmpty();
      var renamed = Files.move(image, image.resolveSibling("renamed"));
      var impostor = bench.image("image", 1);
      assertThat(loops.anyOf(renamed).orElseThrow().device()).isEqualTo(device);
      assertThat(loops.anyOf(impostor)).isEmpty();
      Files.move(renamed, image, StandardCopyOption.REPLACE_EXISTING);
    }
    assertThat(loops.anyOf(image)).isEmpty();
    try (var loop = bench.attach(other, LoopOptions.UNTIL_UNUSED)) { // of the same number mostly
      assertThat(loops.anyOf(image)).isEmpty();
      assertThat(loops.anyOf(other).orElseThrow().device()).isEqualTo(loop.device());
      var number = FileStatus.of(loop.device()).special();
      assertThat(loops.at(number).orElseThrow().device()).isEqualTo(loop.device());
    }
    assertThat(loops.at(new DeviceNumber(1, 5))).isEmpty();
  }

  /// As by losetup, or by a process that has ended since.
  @Test
  void aDeviceThatSomebodyElseMadeIsFound() {
    var image = bench.image("image", 1);
    var command = List.of("losetup", "--find", "--show", image.toString());
    var made = Tools.ofThisMachine().run(command, Duration.ofSeconds(10));
    assertThat(made.exitCode()).as(made.words()).isZero();
    var device = Path.of(made.output().strip());
    assertThat(loops.anyOf(image).orElseThrow().device()).isEqualTo(device);
    loops.detach(device);
    assertThat(loops.anyOf(image)).isEmpty();
  }

  @Test
  void aReadOnlyDeviceRefusesWrites() throws IOException {
    var image = bench.image("image", 1);
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED.with(Flag.READ_ONLY))) {
      assertThatThrownBy(() -> Files.write(loop.device(), new byte[512]))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aDeviceThatWasMadeReadOnlyIsWritableWithItsNextFile() throws IOException {
    var image = bench.image("image", 1);
    Path device;
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED)) {
      device = loop.device();
      BlockDevice.makeReadOnly(device);
      assertThatThrownBy(() -> Files.write(loop.device(), new byte[512]))
          .isInstanceOf(IOException.class);
    }
    // The lowest free number comes next; where somebody else was quicker this proves nothing.
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED)) {
      Files.write(loop.device(), new byte[512], StandardOpenOption.WRITE);
    }
  }

  @Test
  void directIoIsKept() {
    var image = bench.image("image", 1);
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED.with(Flag.DIRECT_IO))) {
      assertThat(loops.at(loop.device()).orElseThrow().flags()).contains(Flag.DIRECT_IO);
    }
  }

  @Test
  void whereTheFileSystemBelowHasNoDirectIoItIsLeftOut() throws IOException {
    var folder = bench.directory("ramfs");
    bench.mounts.mount("ramfs", "none", folder, MountOptions.NONE);
    var image = bench.image("ramfs/image", 1);
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED.with(Flag.DIRECT_IO))) {
      assertThat(loops.at(loop.device()).orElseThrow().flags()).containsExactly(Flag.AUTO_CLEAR);
      Files.write(loop.device(), new byte[512], StandardOpenOption.WRITE);
    }
  }

  @Test
  void aDirectDeviceHasSmallBlocksAlsoOnADiskWithLargeOnes() throws IOException { // SYS-14
    var disk = bench.image("disk", 64);
    var folder = bench.directory("pool");
    try (var large = bench.attach(disk, new LoopOptions(Set.of(Flag.AUTO_CLEAR), 4096))) {
      bench.fileSystems.make(FileSystemType.EXT4, large.device(), List.of());
      bench.mounts.mount("ext4", large.device().toString(), folder, MountOptions.NONE);
    }
    var image = bench.image("pool/image", 1);
    try (var loop = bench.attach(image, LoopOptions.UNTIL_UNUSED.with(Flag.DIRECT_IO))) {
      var block = Path.of("/sys/block", loop.device().getFileName().toString(), "queue");
      assertThat(block.resolve("logical_block_size")).hasContent("512");
      Files.write(loop.device(), new byte[512], StandardOpenOption.WRITE);
    }
  }

  @Test
  void aMissingFileIsAFailureWithItsName() {
    assertThatThrownBy(() -> loops.attach(Path.of("/nowhere/image"), LoopOptions.UNTIL_UNUSED))
        .isInstanceOf(LinuxException.class)
        .hasMessageContaining("/nowhere/image");
  }

  @Test
  void manyAtOnceGetEachItsOwn() throws Exception { // SYS-12
    var images = IntStream.range(0, 48).mapToObj(i -> bench.image("image" + i, 1)).toList();
    Set<Path> seen = ConcurrentHashMap.newKeySet();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var done =
          images.stream()
              .<Future<?>>map(image ->
                  threads.submit(() -> {
                    try (var loop = loops.attach(image, LoopOptions.UNTIL_UNUSED)) {
                      seen.add(image);
                      assertThat(loops.at(loop.device()).orElseThrow().backingFile())
                          .isEqualTo(image.toString());
                    }
                  }))
              .toList();
      for (var each : done) each.get();
    }
    assertThat(seen).hasSize(48);
  }
}
