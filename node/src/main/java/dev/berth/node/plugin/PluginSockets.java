package dev.berth.node.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Which Unix sockets stand below a folder, told as they come and go (NREG-02). The kernel tells of
/// every change; nothing polls.
final class PluginSockets implements AutoCloseable {
  /// Sees the sockets; called by one thread, in order.
  interface Listener {
    void appeared(Path socket);

    void vanished(Path socket);
  }

  private final Path folder;
  private final Listener listener;
  private final WatchService watch;
  private final Map<WatchKey, Path> watched = new HashMap<>();

  /// Socket to the identity of its file, so that one seen twice is not registered twice (NREG-12).
  private final Map<Path, Object> known = new TreeMap<>();

  /// @param folder made if it is missing
  PluginSockets(Path folder, Listener listener) throws IOException {
    this.folder = folder;
    this.listener = listener;
    Files.createDirectories(folder);
    this.watch = folder.getFileSystem().newWatchService();
  }

  void start() {
    Thread.ofVirtual().name("plugin-sockets").start(this::run);
  }

  private void run() {
    try {
      rescan();
      while (true) {
        var key = watch.take();
        // What changed is looked up rather than trusted: events are dropped when they overflow, and
        // a
        // new folder may have filled before we watched it (NREG-10).
        key.pollEvents();
        if (!key.reset()) watched.remove(key);
        rescan();
      }
    } catch (ClosedWatchServiceException closed) {
      // The agent stops.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (IOException broken) {
      throw new UncheckedIOException("cannot watch " + folder + " for drivers", broken);
    }
  }

  private void rescan() throws IOException {
    var seen = new TreeMap<Path, Object>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            // Watch first, then look: what comes in between is seen twice rather than never.
            watched.put(
                dir.register(
                    watch,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_DELETE),
                dir);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            var name = file.getFileName().toString();
            if (!name.startsWith(".") && !name.endsWith(".tmp") && isSocket(file, attributes))
              seen.put(file, identity(attributes));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE; // it went while we looked
          }
        });
    for (var socket : Map.copyOf(known).entrySet()) {
      if (socket.getValue().equals(seen.get(socket.getKey()))) continue;
      known.remove(socket.getKey());
      listener.vanished(socket.getKey());
    }
    seen.forEach((socket, identity) -> {
      if (known.putIfAbsent(socket, identity) == null) listener.appeared(socket);
    });
  }

  private static Object identity(BasicFileAttributes attributes) {
    // An inode's number is used again soon after a delete; the time tells the two apart.
    return Map.entry(
        String.valueOf(attributes.fileKey()), attributes.lastModifiedTime().toInstant());
  }

  private static boolean isSocket(Path file, BasicFileAttributes attributes) {
    if (!attributes.isOther()) return false;
    try {
      var mode = (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      return (mode & 0170000) == 0140000;
    } catch (IOException gone) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      watch.close();
    } catch (IOException alreadyClosed) {
      // Nothing is left to release.
    }
  }
}
