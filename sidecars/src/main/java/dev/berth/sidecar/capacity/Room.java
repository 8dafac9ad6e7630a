package dev.berth.sidecar.capacity;

import dev.berth.kube.loop.Topic;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// For what the driver is to be asked, and when it last was.
///
/// @param wanted every class of ours in every place
/// @param asked when the driver last answered; absent: not yet, or not since something changed
public record Room(Set<Slot> wanted, Map<Slot, Instant> asked) {
  static final Topic<Room> TOPIC = new Topic<>("capacity", new Room(Set.of(), Map.of()));

  public Room {
    wanted = Set.copyOf(wanted);
    asked = Map.copyOf(asked);
  }

  Room wanting(Set<Slot> slots) {
    var known = new HashMap<>(asked);
    known.keySet().retainAll(slots);
    return new Room(slots, known);
  }

  Room answered(Slot slot, Instant now) {
    if (!wanted.contains(slot)) return this;
    var more = new HashMap<>(asked);
    more.put(slot, now);
    return new Room(wanted, more);
  }

  Room stale(Slot slot) {
    var less = new HashMap<>(asked);
    less.remove(slot);
    return new Room(wanted, less);
  }

  /// The same of every slot of a class.
  Room stale(String className) {
    var less = new HashMap<>(asked);
    less.keySet().removeIf(slot -> slot.className().equals(className));
    return new Room(wanted, less);
  }

  Optional<Instant> lastAsked(Slot slot) {
    return Optional.ofNullable(asked.get(slot));
  }
}
