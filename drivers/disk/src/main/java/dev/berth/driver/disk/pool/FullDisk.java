package dev.berth.driver.disk.pool;

import dev.berth.driver.model.Refusal;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A disk without room, among the accidents of the outside world. Whoever undid what it had begun
/// may say so: NO_ROOM tells the caller that nothing is left of the call.
public final class FullDisk {
  private static final List<String> WORDS =
      List.of("No space left on device", "Disk quota exceeded", "File too large");

  /// What to throw for a failed call that left nothing behind.
  public static RuntimeException told(RuntimeException failure, Pool pool) {
    if (failure instanceof Refusal || !isFull(failure)) return failure;
    return new Refusal(
            Refusal.Reason.NO_ROOM,
            "the disk of pool %s is full: %s; remove volumes or snapshots, or add a pool"
                .formatted(pool.folder(), failure.getMessage()),
            failure)
        .as("disk/disk-full");
  }

  public static boolean isFull(Throwable failure) {
    return Stream.<@Nullable Throwable>iterate(failure, it -> it != null, Throwable::getCause)
        .anyMatch(FullDisk::says);
  }

  private static boolean says(@Nullable Throwable failure) {
    return switch (failure) {
      case LinuxException e ->
          e.failure() instanceof Failure.Full
              || (e.failure() instanceof Failure.ToolFailed tool && speaks(tool.output()));
      case IOException e -> speaks(String.valueOf(e.getMessage()));
      case null, default -> false;
    };
  }

  private static boolean speaks(String text) {
    return WORDS.stream().anyMatch(text::contains);
  }

  private FullDisk() {}
}
