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

  /// Which registration each is ([Driver#registration()]): another one may be able to do more.
  public static final Topic<PMap<String, Long>> REGISTRATIONS =
      new Topic<>("the registrations of the node's drivers", HashTreePMap.empty());

  private final Told<Set<String>> names = new Told<>(TOPIC);
  private final Told<PMap<String, Long>> registrations = new Told<>(REGISTRATIONS);
  private volatile PMap<String, Driver> registered = HashTreePMap.empty();
  private long latest; // guarded by this

  /// From now on `calls` reaches the driver, in the place of what reached it before.
  public void register(String name, NodeCalls calls) {
    synchronized (this) {
      registered = registered.plus(name, new Driver(name, calls, ++latest));
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

  public Source<PMap<String, Long>> registrations() {
    return registrations;
  }

  private void tell() {
    registrations.change(_ -> numbers());
    names.change(_ -> Set.copyOf(registered.keySet()));
  }

  private PMap<String, Long> numbers() {
    PMap<String, Long> numbers = HashTreePMap.empty();
    for (var driver : registered.values())
      numbers = numbers.plus(driver.name(), driver.registration());
    return numbers;
  }
}
