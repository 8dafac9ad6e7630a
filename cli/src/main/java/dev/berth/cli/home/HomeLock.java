package dev.berth.cli.home;

import dev.berth.linux.file.FileLock;
import dev.berth.linux.process.ProcessIdentity;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Holds a home for this process. The kernel gives it up when the process ends, however it ends,
/// and knows meanwhile which process that is: a number in a file may by now be somebody else's.
public final class HomeLock implements AutoCloseable {
  /// Whoever can open the file can lock it, if only to read.
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /// Files that this process has locked. It may not open them once more: whichever descriptor it
  /// closes first, the kernel takes that for the end of the lock.
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Home home;
  private final Path file;
  private final FileChannel channel;
  private boolean noted;

  private HomeLock(Home home, Path file, FileChannel channel) {
    this.home = home;
    this.file = file;
    this.channel = channel;
  }

  static HomeLock take(Home home, Path file) throws IOException, Home.InUse {
    if (OURS.contains(file)) throw new Home.InUse(home.inUse());
    var channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    Files.setPosixFilePermissions(file, OWNER_ONLY);
    if (channel.tryLock() == null) {
      channel.close();
      throw new Home.InUse(home.inUse());
    }
    OURS.add(file);
    return new HomeLock(home, file, channel);
  }

  /// Notes the number of this process until the lock is given up.
  HomeLock noted() {
    home.pidFile().write(ProcessHandle.current().pid());
    noted = true;
    return this;
  }

  /// The process that holds the home now; empty: none does.
  static Optional<ProcessIdentity> holder(Path file) throws IOException {
    if (OURS.contains(file)) return ProcessIdentity.of((int) ProcessHandle.current().pid());
    while (true) {
      var lock = on(file);
      if (lock.isEmpty()) return Optional.empty();
      int pid = lock.get().pid();
      if (pid == 0)
        throw new IOException(
            file
                + " is locked by a process of another PID namespace; end it there, such as by"
                + " ending its container");
      if (!lock.get().exclusive())
        throw new IOException(
            "%s is locked by process %d, which is no stack; end that process".formatted(file, pid));
      var process = ProcessIdentity.of(pid);
      // Who holds it still was the holder when we looked up who has the number.
      if (process.isPresent() && on(file).equals(lock)) return process;
    }
  }

  private static Optional<FileLock> on(Path file) throws IOException {
    try {
      return FileLock.on(file);
    } catch (LinuxException cannot) {
      return switch (cannot.failure()) {
        case Failure.Missing _ -> Optional.empty();
        case Failure.NotPermitted _ -> throw new AccessDeniedException(file.toString());
        default -> throw new IOException(cannot.getMessage(), cannot);
      };
    }
  }

  @Override
  public void close() throws IOException {
    if (noted) home.pidFile().remove();
    OURS.remove(file);
    channel.close();
  }
}
