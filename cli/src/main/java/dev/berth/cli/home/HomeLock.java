package dev.berth.cli.home;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Holds a home for this process. The kernel gives it up when the process ends, however it ends.
public final class HomeLock implements AutoCloseable {
  private final Home home;
  private final FileChannel channel;

  private HomeLock(Home home, FileChannel channel) {
    this.home = home;
    this.channel = channel;
  }

  static HomeLock take(Home home, Path file) throws IOException, Home.InUse {
    var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (tryLock(channel) == null) {
      channel.close();
      throw new Home.InUse(home.inUse());
    }
    var lock = new HomeLock(home, channel);
    lock.writePid();
    return lock;
  }

  static boolean isHeld(Path file) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return tryLock(channel) == null;
    }
  }

  private static @org.jspecify.annotations.Nullable FileLock tryLock(FileChannel channel)
      throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException ours) {
      return null; // held by this very process
    }
  }

  private void writePid() throws IOException {
    var next = home.pidFile().resolveSibling("berth.pid.tmp");
    Files.writeString(next, ProcessHandle.current().pid() + "\n");
    Files.move(next, home.pidFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(home.pidFile());
    channel.close();
  }
}
