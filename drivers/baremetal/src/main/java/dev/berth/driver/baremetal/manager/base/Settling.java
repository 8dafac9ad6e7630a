package dev.berth.driver.baremetal.manager.base;

import dev.berth.driver.baremetal.manager.DriveNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Disks of which udev has not said yet which they are, and since when. It kills a worker that
/// takes longer than three minutes: of a disk of which it says nothing for longer nothing more will
/// come, and what the kernel says is all that there will ever be.
final class Settling {
  private static final Logger log = LoggerFactory.getLogger(Settling.class);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Duration longest;

  /// By the name of udev's note; nanoseconds.
  private final Map<String, Long> since = new ConcurrentHashMap<>();

  Settling() {
    this(LONGEST);
  }

  Settling(Duration longest) {
    this.longest = longest;
  }

  /// Takes over which disks there are.
  void see(List<SysfsDisk> disks) {
    var unsettled =
        disks.stream()
            .filter(it -> !it.names().settled())
            .collect(Collectors.toMap(SysfsDisk::note, SysfsDisk::name));
    since.keySet().retainAll(unsettled.keySet());
    unsettled.forEach((note, name) -> {
      if (since.putIfAbsent(note, System.nanoTime()) == null)
        log.info("{} is there; udev has not said yet which disk it is", name);
    });
  }

  /// Whether a note of this name says what is waited for.
  boolean isAwaited(String note) {
    return since.containsKey(note);
  }

  /// A disk's names, settled also if nothing more will come.
  DriveNames names(SysfsDisk disk) {
    var names = disk.names();
    var begun = since.get(disk.note());
    if (names.settled() || begun == null || System.nanoTime() - begun < longest.toNanos())
      return names;
    return new DriveNames(
        names.identity(), true, names.complete(), names.vids(), names.pids(), names.serials());
  }
}
