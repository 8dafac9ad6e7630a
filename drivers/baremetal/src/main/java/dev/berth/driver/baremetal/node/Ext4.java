package dev.berth.driver.baremetal.node;

import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/// What an ext4 says of itself in its first block.
final class Ext4 {
  private static final int AT = 1024;
  private static final int LENGTH = 1024;

  private Ext4() {}

  /// Whether it is smaller than its device, by a block or more.
  static boolean isBehind(Path device) {
    var first = Blocking.call("read " + device, Blocking.LOOK, () -> first(device));
    if (first.isEmpty()) return false;
    var block = first.get();
    long blocks = (block.getInt(4) & 0xffff_ffffL) | ((block.getInt(0x150) & 0xffff_ffffL) << 32);
    long size = 1024L << block.getInt(24);
    return blocks * size <= BlockDevice.size(device) - size;
  }

  /// Empty: the device ends before it.
  private static Optional<ByteBuffer> first(Path device) {
    var block = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    try (var channel = FileChannel.open(device)) {
      while (block.hasRemaining())
        if (channel.read(block, AT + block.position()) < 0) return Optional.empty();
      return Optional.of(block);
    } catch (IOException e) {
      throw new LinuxException("read " + device, new Failure.DeadMount(Errno.EIO));
    }
  }
}
