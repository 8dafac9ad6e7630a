package dev.berth.driver.baremetal.manager.base;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells of devices that come and go (BM-07): the kernel makes and removes their nodes.
final class DeviceNews {
  private static final Logger log = LoggerFactory.getLogger(DeviceNews.class);

  /// How the kernel names disks and their partitions; terminals and loop devices are no news.
  private static final Pattern DISKS = Pattern.compile("(sd|hd|vd|xvd|nvme|mmcblk|pmem|dasd).*");

  private final Path folder;
  private @Nullable WatchService watch; // guarded by this

  DeviceNews(Path folder) {
    this.folder = folder;
  }

  synchronized void start(Runnable nudge) {
    if (watch != null) return;
    try {
      var opened = folder.getFileSystem().newWatchService();
      folder.register(
          opened, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
      watch = opened;
      Thread.ofVirtual().name("device-news").start(() -> follow(opened, nudge));
    } catch (IOException e) {
      log.warn("{} is not watched; drives are looked for every pass all the same", folder, e);
    }
  }

  private static void follow(WatchService watch, Runnable nudge) {
    try {
      while (true) {
        var key = watch.take();
        boolean disk =
            key.pollEvents().stream()
                .anyMatch(it -> DISKS.matcher(String.valueOf(it.context())).matches());
        key.reset();
        if (disk) nudge.run();
      }
    } catch (ClosedWatchServiceException _) {
      // the manager has ended
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
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
