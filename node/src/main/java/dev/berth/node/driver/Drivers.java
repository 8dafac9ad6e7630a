package dev.berth.node.driver;

import dev.berth.csi.client.NodeCalls;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Topic;
import java.util.Optional;
import java.util.Set;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// The CSI drivers registered on this node, by name. Safe for any number of threads.
public final class Drivers {
  /// Names of those that are registered.
  public static final Topic<Set<String>> TOPIC =
      new Topic<>("the drivers that are registered on the node", Set.of());

  private final Told<Set<String>> names = new Told<>(TOPIC);
  private volatile PMap<String, Driver> registered = HashTreePMap.empty();

  /// From now on `calls` reaches the driver, in the place of what reached it before.
  public void register(String name, NodeCalls calls) {
    synchronized (this) {
      registered = registered.plus(name, new Driver(name, calls));
    }
    tell();
  }

  /// The driver cannot be reached any more.
  public void deregister(String name) {
    synchronized (this) {
      registered = registered.minus(name);
    }
    tell();
  }

  public Optional<Driver> find(String name) {
    return Optional.ofNullable(registered.get(name));
  }

  public Source<Set<String>> source() {
    return names;
  }

  private void tell() {
    names.change(_ -> Set.copyOf(registered.keySet()));
  }
}
