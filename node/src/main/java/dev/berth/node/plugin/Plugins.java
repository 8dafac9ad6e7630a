package dev.berth.node.plugin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/// The drivers that are registered on this node now, and those that were. Memory only: after a
/// restart the sockets that are there register again.
public final class Plugins {
  /// What is known at one moment.
  ///
  /// @param registered by name
  /// @param departed names that were registered since the agent started and are no longer
  public record State(Map<String, Plugin> registered, Set<String> departed) {
    public State {
      registered = Map.copyOf(registered);
      departed = Set.copyOf(departed);
    }
  }

  /// Told after a driver came, changed or went.
  public interface Listener {
    void changed(String driver);
  }

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile State state = new State(Map.of(), Set.of());

  public State state() {
    return state;
  }

  public Optional<Plugin> find(String name) {
    return Optional.ofNullable(state.registered().get(name));
  }

  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /// Enters the driver in the place of an earlier one of its name.
  void add(Plugin driver) {
    change(
        driver.name(),
        (registered, departed) -> {
          registered.put(driver.name(), driver);
          departed.remove(driver.name());
        });
  }

  /// Notes that the driver knows of its registration, if it still is the same one.
  void confirm(String name, Path registration) {
    change(
        name,
        (registered, _) ->
            registered.computeIfPresent(
                name,
                (_, driver) ->
                    driver.registration().equals(registration) ? driver.confirm() : driver));
  }

  /// Takes the driver out if it still is the one that registered on this socket (NREG-13).
  void remove(String name, Path registration) {
    change(
        name,
        (registered, departed) -> {
          var driver = registered.get(name);
          if (driver == null || !driver.registration().equals(registration)) return;
          registered.remove(name);
          departed.add(name);
        });
  }

  private interface Edit {
    void apply(Map<String, Plugin> registered, Set<String> departed);
  }

  private void change(String name, Edit edit) {
    synchronized (this) {
      var registered = new TreeMap<>(state.registered());
      var departed = new TreeSet<>(state.departed());
      edit.apply(registered, departed);
      state = new State(registered, departed);
    }
    listeners.forEach(listener -> listener.changed(name));
  }
}
