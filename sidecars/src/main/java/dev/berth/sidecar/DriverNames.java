package dev.berth.sidecar;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which socket each driver of one process is served through. Two sockets that answer with one name
/// are one driver: the first serves, the others stand by.
public final class DriverNames {
  /// @param waiting in the order in which they came
  private record Queue(Path holder, Map<Path, Runnable> waiting) {}

  // Guarded by this; nobody is called with it held.
  private final Map<String, Queue> drivers = new HashMap<>();

  /// Takes the name for a socket, or queues for it.
  ///
  /// @param free called once, when the name can be tried for again
  /// @return who has it; empty: `socket` has it now
  synchronized Optional<Path> take(String driver, Path socket, Runnable free) {
    var queue = drivers.computeIfAbsent(driver, _ -> new Queue(socket, new LinkedHashMap<>()));
    if (queue.holder().equals(socket)) return Optional.empty();
    queue.waiting().put(socket, free);
    return Optional.of(queue.holder());
  }

  /// The socket neither has nor waits for a name any more.
  void leave(Path socket) {
    next(socket).forEach(Runnable::run);
  }

  private synchronized List<Runnable> next(Path socket) {
    var free = new ArrayList<Runnable>();
    for (var driver : List.copyOf(drivers.entrySet())) {
      var queue = driver.getValue();
      queue.waiting().remove(socket);
      if (!queue.holder().equals(socket)) continue;
      drivers.remove(driver.getKey());
      free.addAll(queue.waiting().values());
    }
    return free;
  }
}
