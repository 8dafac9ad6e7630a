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
  private boolean whole;
  private boolean following;

  /// @param limiting sets the limits of all volumes in a group; waits for none that comes or goes
  LaterGroups(ControlGroups groups, Consumer<Path> limiting) {
    this.groups = groups;
    this.limiting = limiting;
  }

  /// From now on; what could not be watched the last time is tried again. Groups that are there
  /// already are left to others.
  synchronized void begin() {
    watchAll();
    follow();
  }

  /// Also for the groups that were made while nobody watched. Comes before [#begin].
  synchronized void beginAnew() {
    watchAll();
    groups.all().forEach(this::limit);
    follow();
  }

  private void watchAll() {
    if (whole) return;
    try {
      if (watch == null) watch = groups.root().getFileSystem().newWatchService();
      watchBelow(watch, groups.root());
      whole = true;
    } catch (IOException e) {
      log.warn(
          "limits of volumes may not hold for control groups that are made after they are staged"
              + " or published: cannot watch all of {}: {}",
          groups.root(),
          e.getMessage());
    }
  }

  /// Watches first and looks then: what comes between the two is seen twice, not missed.
  private void watchBelow(WatchService opened, Path group) throws IOException {
    register(opened, group);
    for (var it : groups.below(group)) watchBelow(opened, it);
  }

  /// A group that has just gone needs no watch.
  private void register(WatchService opened, Path group) throws IOException {
    if (!groups.hasBelow(group)) return;
    try {
      group.register(opened, StandardWatchEventKinds.ENTRY_CREATE);
    } catch (IOException e) {
      if (group.equals(groups.root()) || Files.exists(group)) throw e;
    }
  }

  private void follow() {
    if (watch == null || following) return;
    var opened = watch;
    Thread.ofPlatform().daemon().name("disk-later-groups").start(() -> follow(opened));
    following = true;
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

  /// Like [#watchBelow].
  private void enter(WatchService opened, Path group) {
    try {
      if (groups.limits(group) || group.equals(groups.root())) register(opened, group);
    } catch (IOException e) {
      log.warn("volumes may be without limits below {}: {}", group, e.getMessage());
    }
    if (groups.limits(group)) limit(group);
    groups.below(group).forEach(it -> enter(opened, it));
  }

  /// One group that cannot be written to does not keep the others from their limits.
  private void limit(Path group) {
    try {
      limiting.accept(group);
    } catch (RuntimeException e) {
      if (Files.exists(group))
        log.warn("volumes may be without limits in {}: {}", group, e.getMessage());
    }
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
