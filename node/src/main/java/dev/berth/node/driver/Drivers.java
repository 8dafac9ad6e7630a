package dev.berth.node.driver;

import dev.berth.csi.client.NodeCalls;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// The CSI drivers registered on this node, by name. Safe for any number of threads.
public final class Drivers {
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private volatile PMap<String, Driver> registered = HashTreePMap.empty();

  /// From now on `calls` reaches the driver, in the place of what reached it before.
  public void register(String name, NodeCalls calls) {
    synchronized (this) {
      registered = registered.plus(name, new Driver(name, calls));
    }
    listeners.forEach(listener -> listener.accept(name));
  }

  /// The driver cannot be reached any more.
  public void deregister(String name) {
    synchronized (this) {
      registered = registered.minus(name);
    }
    listeners.forEach(listener -> listener.accept(name));
  }

  public Optional<Driver> find(String name) {
    return Optional.ofNullable(registered.get(name));
  }

  /// Names of all drivers that are registered now.
  public Set<String> names() {
    return registered.keySet();
  }

  /// Tells `listener` the name of each driver that comes, changes or goes; it must not block.
  public void listen(Consumer<String> listener) {
    listeners.add(listener);
  }
}
