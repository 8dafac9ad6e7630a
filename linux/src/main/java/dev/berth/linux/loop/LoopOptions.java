package dev.berth.linux.loop;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/// How a file becomes a device.
///
/// @param flags see [Flag]
/// @param blockSize logical block size in bytes; 0: 512, as file systems on images expect that were
///   not made for another (SYS-14)
public record LoopOptions(Set<Flag> flags, int blockSize) {
  /// The device goes when its last user, such as a mount, goes.
  public static final LoopOptions UNTIL_UNUSED = of(Flag.AUTO_CLEAR);

  /// Properties of a loop device.
  public enum Flag {
    READ_ONLY(1),
    /// Detached by the kernel when the last user goes.
    AUTO_CLEAR(4),
    /// Partitions on it get devices of their own.
    PARTITIONS(8),
    /// Past the page cache of the backing file: what a flush of the device acknowledges is on the
    /// disk below, also when that is full. Left out by the kernel, or by [LoopDevices], where the
    /// file system below cannot, as where its disk has larger blocks than the device (SYS-14).
    DIRECT_IO(16);

    private final int bit;

    Flag(int bit) {
      this.bit = bit;
    }
  }

  public LoopOptions {
    flags = Set.copyOf(flags);
  }

  public static LoopOptions of(Flag... flags) {
    return new LoopOptions(Set.of(flags), 0);
  }

  /// With blocks of so many bytes.
  public LoopOptions withBlocks(int bytes) {
    return new LoopOptions(flags, bytes);
  }

  public LoopOptions with(Flag flag) {
    var more = EnumSet.of(flag);
    more.addAll(flags);
    return new LoopOptions(more, blockSize);
  }

  LoopOptions without(Flag flag) {
    return new LoopOptions(
        flags.stream().filter(it -> it != flag).collect(Collectors.toSet()), blockSize);
  }

  int bits() {
    return flags.stream().mapToInt(flag -> flag.bit).reduce(0, (a, b) -> a | b);
  }

  static Set<Flag> flagsOf(int bits) {
    var flags = EnumSet.noneOf(Flag.class);
    Arrays.stream(Flag.values()).filter(flag -> (bits & flag.bit) != 0).forEach(flags::add);
    return flags;
  }
}
