package dev.berth.driver.disk.node;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hears of control groups that are made while volumes are in use, as one is for each container, so
/// that the limits hold there too. Version 1 hands nothing down to them; version 2 does, but for a
/// new group at the top.
///
/// The kernel tells of a group when it is there: a process that is put into it at once may have a
/// few milliseconds without limits.
final class LaterGroups implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LaterGroups.class);

  private final ControlGroups groups;
  private final Consumer<Path> limiting;
  private @Nullable WatchService watch;

  /// @param limiting sets the limits of all volumes in a group
  LaterGroups(ControlGroups groups, Consumer<Path> limiting) {
    this.groups = groups;
    this.limiting = limiting;
  }

  /// From now on; a second time does nothing. Groups that are there already are left to others.
  synchronized void begin() {
    if (watch != null) return;
    try {
      var opened = groups.root().getFileSystem().newWatchService();
      watch = opened;
      for (var group : groups.all()) register(opened, group);
      register(opened, groups.root());
      Thread.ofPlatform().daemon().name("disk-later-groups").start(() -> follow(opened));
    } catch (IOException e) {
      log.warn(
          "limits of volumes hold only for control groups that are there when they are staged or"
              + " published: cannot watch {}: {}",
          groups.root(),
          e.getMessage());
    }
  }

  /// Also for the groups that were made while nobody watched.
  synchronized void beginAnew() {
    begin();
    groups.all().forEach(limiting);
  }

  private static void register(WatchService watch, Path group) throws IOException {
    if (Files.isDirectory(group)) group.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
  }

  private void follow(WatchService opened) {
    try {
      while (true) {
        var key = opened.take();
        for (var event : key.pollEvents()) enter(opened, made((Path) key.watchable(), event));
        boolean _ = key.reset(); // a group that has gone needs no watch
      }
    } catch (ClosedWatchServiceException | InterruptedException _) {
      // It is over.
    }
  }

  /// What an event tells of; all groups, if there were more events than the kernel keeps.
  private Path made(Path folder, WatchEvent<?> event) {
    return event.context() instanceof Path name ? folder.resolve(name) : groups.root();
  }

  /// Watches first and looks then: what comes between the two is seen twice, not missed.
  private void enter(WatchService opened, Path group) {
    try {
      register(opened, group);
      if (groups.limits(group)) limiting.accept(group);
    } catch (IOException | RuntimeException e) {
      if (Files.exists(group))
        log.warn("volumes may be without limits in {}: {}", group, e.getMessage());
    }
    groups.below(group).forEach(it -> enter(opened, it));
  }

  @Override
  public synchronized void close() {
    try {
      if (watch != null) watch.close();
    } catch (IOException e) {
      log.debug("cannot end watching {}: {}", groups.root(), e.getMessage());
    }
  }
}
