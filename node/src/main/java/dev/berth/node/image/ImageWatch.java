package dev.berth.node.image;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells when the images of a store may have changed: who changes them is another process. The
/// kernel tells of it; nothing polls.
public final class ImageWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ImageWatch.class);

  private final WatchService watch;
  private final Runnable changed;

  private ImageWatch(WatchService watch, Runnable changed) {
    this.watch = watch;
    this.changed = changed;
  }

  /// @param store whose folder is made if it is missing
  /// @param changed called on a thread of its own, first at once
  public static ImageWatch start(ImageStore store, Runnable changed) throws IOException {
    Path folder = store.folder();
    if (!Files.exists(folder))
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    var watch = folder.getFileSystem().newWatchService();
    try {
      // A change ends with the names, which come by a rename.
      folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
    } catch (IOException unwatched) { // such as the limit of watches
      log.warn("images that are imported are seen late: {}", unwatched.toString());
    }
    var images = new ImageWatch(watch, changed);
    Thread.ofVirtual().name("image-watch").start(images::run);
    return images;
  }

  private void run() {
    try {
      while (true) {
        try {
          changed.run();
        } catch (RuntimeException broken) {
          log.warn("the images of the node cannot be read", broken);
        }
        var key = watch.take();
        key.pollEvents();
        key.reset();
      }
    } catch (ClosedWatchServiceException closed) {
      // the agent stops
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    try {
      watch.close();
    } catch (IOException alreadyClosed) {
      // nothing is left to release
    }
  }
}
