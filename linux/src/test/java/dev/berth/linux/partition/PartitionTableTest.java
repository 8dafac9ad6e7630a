package dev.berth.linux.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.loop.LoopOptions.Flag;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that are written here, read here and by other programs, and what a kernel makes of them.
class PartitionTableTest {
  private static final UUID ID = UUID.fromString("0f8a3c1e-5f0e-4d3b-9a57-2f1c3b4d5e6f");
  private static final long SIZE = 16L << 20;

  @TempDir private Path folder;

  private Path image() throws Exception {
    var image = folder.resolve("disk.img");
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(SIZE);
    }
    return image;
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 4096})
  void whatIsWrittenIsRead(int sector) throws Exception {
    var image = image();
    assertThat(PartitionTable.read(image)).isEmpty();
    var table = PartitionTable.ofOne(SIZE, sector, ID, "CSI");
    table.write(image);
    assertThat(PartitionTable.read(image)).contains(table);
    assertThat(table.partitions())
        .containsExactly(new Partition(1, ID, "CSI", 1 << 20, SIZE - (2 << 20)));
  }

  /// Others see the same: blkid knows the table, and nothing while it is not whole.
  @Test
  void aTableThatWasNotWrittenToItsEndIsNone() throws Exception {
    var tools = new FileSystemTools(Tools.ofThisMachine());
    var image = image();
    PartitionTable.ofOne(SIZE, 512, ID, "CSI").write(image);
    assertThat(tools.contentOf(image))
        .isInstanceOfSatisfying(
            Content.SomethingElse.class,
            it -> {
              assertThat(it.type()).isEqualTo("gpt");
              assertThat(it.id()).hasSize(36);
            });
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.write(new byte[512]);
    }
    assertThat(tools.contentOf(image)).isEqualTo(new Content.Blank());
    assertThat(PartitionTable.read(image)).isEmpty();
  }

  /// Every damaged byte of the header is noticed.
  @Test
  void aDamagedTableIsNone() throws Exception {
    var image = image();
    PartitionTable.ofOne(SIZE, 512, ID, "CSI").write(image);
    var whole = Files.readAllBytes(image);
    for (int at = 512; at < 512 + 92; at += 7) {
      var damaged = Arrays.copyOf(whole, whole.length);
      damaged[at] ^= 1;
      Files.write(image, damaged);
      assertThat(PartitionTable.read(image)).as("byte %d", at).isEmpty();
    }
  }

  /// BM-241: a kernel that has no parser is told, and forgets.
  @Test
  void theKernelIsToldOfAPartition() throws Exception {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
    var table = PartitionTable.ofOne(SIZE, 512, ID, "CSI");
    var partition = table.partitions().getFirst();
    var options = LoopOptions.of(Flag.PARTITIONS);
    try (var loop = new LoopDevices().attach(image(), options)) {
      var device = loop.device();
      try {
        assertThat(KernelPartitions.possible(device)).isTrue();
        table.write(device);
        KernelPartitions.add(device, partition);
        KernelPartitions.add(device, partition);
        var node = KernelPartitions.find(device, partition).orElseThrow();
        assertThat(node.toString()).isEqualTo(device + "p1");
        assertThat(BlockDevice.size(node)).isEqualTo(partition.length());
        var other = new Partition(1, ID, "", 2 << 20, 1 << 20);
        assertThat(KernelPartitions.find(device, other)).isEmpty();
        KernelPartitions.removeAll(device);
        assertThat(KernelPartitions.find(device, partition)).isEmpty();
        KernelPartitions.remove(device, partition);
      } finally {
        new LoopDevices().detach(device);
      }
    }
  }
}
