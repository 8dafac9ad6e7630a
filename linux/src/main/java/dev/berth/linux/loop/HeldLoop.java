package dev.berth.linux.loop;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.nio.file.Path;

/// A loop device that was just attached, kept open so that auto-clear does not take it before it is
/// mounted. Close it when it is: the mount then holds the device.
public final class HeldLoop implements AutoCloseable {
  private final Path device;
  private final Descriptor descriptor;

  HeldLoop(Path device, Descriptor descriptor) {
    this.device = device;
    this.descriptor = descriptor;
  }

  /// Such as `/dev/loop3`.
  public Path device() {
    return device;
  }

  /// Takes the device down for whom nobody waits any more.
  void takeBack() {
    try (descriptor) {
      SystemCall.IOCTL.invoke(descriptor.number(), LoopDevices.LOOP_CLR_FD, 0);
    }
  }

  /// Lets go. An auto-clear device that nobody else uses is detached by this.
  @Override
  public void close() {
    descriptor.close();
  }
}
