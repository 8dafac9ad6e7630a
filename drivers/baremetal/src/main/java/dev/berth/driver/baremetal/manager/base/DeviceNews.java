package dev.berth.driver.baremetal.manager.base;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells of devices that come and go (BM-07): the kernel makes and removes their nodes. udev notes
/// which they are a moment later.
final class DeviceNews {
  private static final Logger log = LoggerFactory.getLogger(DeviceNews.class);

  /// How the kernel names disks and their partitions; terminals and loop devices are no news.
  private static final Pattern DISKS = Pattern.compile("(sd|hd|vd|xvd|nvme|mmcblk|pmem|dasd).*");

  private final Path folder;
  private final Path notes;
  private final Predicate<String> awaited;
  private @Nullable WatchService watch; // guarded by this

  /// @param notes where udev notes what it knows; need not be there
  /// @param awaited whether a note of this name is news
  DeviceNews(Path folder, Path notes, Predicate<String> awaited) {
    this.folder = folder;
    this.notes = notes;
    this.awaited = awaited;
  }

  synchronized void start(Runnable nudge) {
    if (watch != null) return;
    try {
      var opened = folder.getFileSystem().newWatchService();
      folder.register(
          opened, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
      if (Files.isDirectory(notes)) notes.register(opened, StandardWatchEventKinds.ENTRY_CREATE);
      watch = opened;
      Thread.ofVirtual().name("device-news").start(() -> follow(opened, nudge));
    } catch (IOException e) {
      log.warn("{} is not watched; drives are looked for every pass all the same", folder, e);
    }
  }

  private void follow(WatchService watch, Runnable nudge) {
    try {
      while (true) {
        var key = watch.take();
        boolean disk =
            key.pollEvents().stream()
                .map(it -> String.valueOf(it.context()))
                .anyMatch(this::isNews);
        key.reset();
        if (disk) nudge.run();
      }
    } catch (ClosedWatchServiceException _) {
      // the manager has ended
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isNews(String name) {
    return DISKS.matcher(name).matches() || awaited.test(name);
  }

  synchronized void close() {
    if (watch == null) return;
    try {
      watch.close();
    } catch (IOException e) {
      log.debug("the watch of {} did not end well", folder, e);
    }
  }
}
