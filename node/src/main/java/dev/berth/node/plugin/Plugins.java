package dev.berth.node.plugin;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Topic;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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

  /// Those that are registered, and those that were.
  public static final Topic<State> TOPIC =
      new Topic<>("the plugins of the node", new State(Map.of(), Set.of()));

  private final Told<State> told = new Told<>(TOPIC);

  public State state() {
    return told.now();
  }

  public Optional<Plugin> find(String name) {
    return Optional.ofNullable(state().registered().get(name));
  }

  public Source<State> source() {
    return told;
  }

  /// Enters the driver in the place of an earlier one of its name.
  void add(Plugin driver) {
    change((registered, departed) -> {
      registered.put(driver.name(), driver);
      departed.remove(driver.name());
    });
  }

  /// Notes that the driver knows of its registration, if it still is the same one.
  void confirm(String name, Path registration) {
    change((registered, _) ->
        registered.computeIfPresent(
            name,
            (_, driver) -> driver.registration().equals(registration) ? driver.confirm() : driver));
  }

  /// Notes how many of the driver's volumes fit now, if it still is the same one.
  void count(Plugin driver, long volumes, Instant now) {
    change((registered, _) ->
        registered.computeIfPresent(
            driver.name(),
            (_, known) ->
                known.registration().equals(driver.registration())
                    ? known.counted(volumes, now)
                    : known));
  }

  /// Takes the driver out if it still is the one that registered on this socket (NREG-13).
  void remove(String name, Path registration) {
    change((registered, departed) -> {
      var driver = registered.get(name);
      if (driver == null || !driver.registration().equals(registration)) return;
      registered.remove(name);
      departed.add(name);
    });
  }

  private interface Edit {
    void apply(Map<String, Plugin> registered, Set<String> departed);
  }

  private void change(Edit edit) {
    told.change(state -> {
      var registered = new TreeMap<>(state.registered());
      var departed = new TreeSet<>(state.departed());
      edit.apply(registered, departed);
      return new State(registered, departed);
    });
  }
}
