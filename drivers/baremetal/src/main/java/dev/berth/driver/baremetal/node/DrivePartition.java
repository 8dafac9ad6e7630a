package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.partition.KernelPartitions;
import dev.berth.linux.partition.Partition;
import dev.berth.linux.partition.PartitionTable;
import java.nio.file.Path;
import java.util.Optional;

/// The one partition of a drive that a volume has (BM-110): label `CSI`, and as PARTUUID the
/// volume's own, by which it is known again. Its place follows from the size of the drive.
final class DrivePartition {
  private static final String LABEL = "CSI";

  private DrivePartition() {}

  /// Whether a drive can have one: some, as compressed memory, cannot, and are used as a whole.
  static boolean possible(Path device) {
    return KernelPartitions.possible(device);
  }

  private static PartitionTable table(Path device, LocalVolume volume) {
    return PartitionTable.ofOne(
        BlockDevice.size(device),
        KernelPartitions.sector(device),
        LocalVolume.uuid(volume.id()),
        LABEL);
  }

  private static Partition partition(Path device, LocalVolume volume) {
    return table(device, volume).partitions().getFirst();
  }

  /// Where it begins, in bytes.
  static long start(Path device, LocalVolume volume) {
    return partition(device, volume).start();
  }

  /// Writes the table to a blank drive.
  static void write(Path device, LocalVolume volume) {
    table(device, volume).write(device);
  }

  /// Whether the drive bears the volume's partition, and no other.
  static boolean isOn(Path device, LocalVolume volume) {
    var partition = partition(device, volume);
    return PartitionTable.read(device)
        .filter(it -> it.partitions().size() == 1)
        .filter(it -> it.partitions().getFirst().equals(partition))
        .isPresent();
  }

  /// Its device, if the kernel has it on this very drive; only looks (BM-112).
  static Optional<Path> find(Path device, LocalVolume volume) {
    return KernelPartitions.find(device, partition(device, volume));
  }

  /// Its device, which is there afterwards, whether the kernel can read the table or not (BM-241).
  static Optional<Path> open(Path device, LocalVolume volume) {
    if (!isOn(device, volume)) return Optional.empty();
    KernelPartitions.add(device, partition(device, volume));
    return find(device, volume);
  }
}
