package dev.berth.node.plugin;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which Unix sockets stand below a folder, told as they come and go (NREG-02). The kernel tells of
/// every change; nothing polls while all is well.
final class PluginSockets implements AutoCloseable {
  /// Sees the sockets; called by one thread, in order.
  interface Listener {
    void appeared(Path socket);

    void vanished(Path socket);
  }

  private static final Logger log = LoggerFactory.getLogger(PluginSockets.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Path folder;
  private final Listener listener;
  private final WatchService watch;

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

  /// Nothing but [#close] ends it: a registry that nobody watches is a node without drivers.
  private void run() {
    while (true) {
      try {
        if (rescan()) again(watch.take());
        else again(watch.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
      } catch (ClosedWatchServiceException closed) {
        return; // the agent stops
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// What changed is looked up rather than trusted: events are dropped when they overflow, and a
  /// new folder may have filled before we watched it (NREG-10).
  private static void again(@Nullable WatchKey key) {
    if (key == null) return;
    key.pollEvents();
    key.reset();
  }

  /// @return false: not all of it is known and watched; look again soon
  private boolean rescan() {
    try {
      Files.createDirectories(folder); // somebody may have removed it with its sockets
      var look = new Look();
      Files.walkFileTree(folder, look);
      tell(look.seen);
      return look.watched;
    } catch (ClosedWatchServiceException closed) {
      throw closed;
    } catch (IOException | RuntimeException trouble) {
      log.warn("{} is looked through again for drivers soon: {}", folder, trouble.toString());
      return false;
    }
  }

  private final class Look extends SimpleFileVisitor<Path> {
    final Map<Path, Object> seen = new TreeMap<>();
    boolean watched = true;

    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
      // Watch first, then look: what comes in between is seen twice rather than never.
      try {
        dir.register(
            watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
      } catch (NoSuchFileException | NotDirectoryException gone) {
        return FileVisitResult.SKIP_SUBTREE;
      } catch (IOException unwatched) { // such as the limit of watches: then we look now and then
        log.warn("{} cannot be watched for drivers: {}", dir, unwatched.toString());
        watched = false;
      }
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
    public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
      return unlessGone(why);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException why)
        throws IOException {
      return why == null ? FileVisitResult.CONTINUE : unlessGone(why);
    }

    /// What cannot be read may hold a socket that stands: that none was seen means nothing then.
    private static FileVisitResult unlessGone(IOException why) throws IOException {
      if (why instanceof NoSuchFileException || why instanceof NotDirectoryException)
        return FileVisitResult.CONTINUE;
      throw why;
    }
  }

  private void tell(Map<Path, Object> seen) {
    for (var socket : Map.copyOf(known).entrySet()) {
      if (socket.getValue().equals(seen.get(socket.getKey()))) continue;
      listener.vanished(socket.getKey());
      known.remove(socket.getKey());
    }
    seen.forEach((socket, identity) -> {
      if (known.containsKey(socket)) return;
      listener.appeared(socket);
      known.put(socket, identity);
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
