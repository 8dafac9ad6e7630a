package dev.berth.simulation.driver;

import dev.berth.csi.client.CsiException;
import io.grpc.Status.Code;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The driver's snapshots, alone and in groups. Each is ready when it is asked for a second time.
public final class Shots {
  private final Map<String, Shot> shots = new LinkedHashMap<>();
  private final Set<String> asked = new HashSet<>();
  private final Predicate<String> exists;
  private final Consumer<Demand> allow;
  private int made;

  /// One snapshot.
  ///
  /// @param name under which it, or its group, was asked for
  /// @param volume of which it was taken
  /// @param group id of its group; empty: it was taken alone
  public record Shot(String id, String name, String volume, String group) {}

  /// @param exists whether a volume does
  /// @param allow throws if a demand would hurt somebody's data
  Shots(Predicate<String> exists, Consumer<Demand> allow) {
    this.exists = exists;
    this.allow = allow;
  }

  /// All of them, oldest first.
  public Collection<Shot> all() {
    return List.copyOf(shots.values());
  }

  public Optional<Shot> find(String id) {
    return Optional.ofNullable(shots.get(id));
  }

  boolean has(String name) {
    return shots.values().stream().anyMatch(shot -> shot.name().equals(name));
  }

  /// @return whether it is ready
  boolean ready(String id) {
    return !asked.add(id);
  }

  Shot cut(String name, String volume) {
    return cut(name, List.of(volume), "").getFirst();
  }

  List<Shot> cutGroup(String name, List<String> volumes) {
    return cut(name, volumes, "group-" + name);
  }

  private List<Shot> cut(String name, List<String> volumes, String group) {
    if (!has(name)) {
      for (var volume : volumes)
        if (!exists.test(volume))
          throw new CsiException(Code.NOT_FOUND, "volume " + volume + " does not exist");
      allow.accept(new Demand.Cut(name));
      for (var volume : volumes) {
        var shot = new Shot("shot-" + ++made, name, volume, group);
        shots.put(shot.id(), shot);
      }
    }
    return shots.values().stream().filter(shot -> shot.name().equals(name)).toList();
  }

  void discard(String id) {
    if (!shots.containsKey(id)) return;
    allow.accept(new Demand.Discard(id));
    shots.remove(id);
  }

  void discardGroup(String group) {
    if (shots.values().stream().noneMatch(shot -> shot.group().equals(group))) return;
    allow.accept(new Demand.Discard(group));
    shots.values().removeIf(shot -> shot.group().equals(group));
  }
}
