package dev.berth.sidecar.capacity;

import dev.berth.kube.fact.Topic;
import dev.berth.kube.loop.Shards;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// For what the driver is to be asked, and when it last was.
///
/// @param known empty: nobody has looked yet for what it is to be asked
/// @param asked when the driver last answered, by slot as text; absent: not yet, or not since
///   something changed
public record Room(Optional<Wanted> known, Shards<Instant> asked) {
  static final Topic<Room> TOPIC =
      new Topic<>("capacity", new Room(Optional.empty(), Shards.empty()));

  /// Every class of ours in every place.
  Wanted wanted() {
    return known.orElse(Wanted.NOTHING);
  }

  Room wanting(Set<Slot> slots) {
    var kept =
        slots.stream()
            .filter(slot -> lastAsked(slot).isPresent())
            .collect(Collectors.toMap(Slot::toString, slot -> lastAsked(slot).orElseThrow()));
    return new Room(Optional.of(new Wanted(slots)), Shards.of(Map.copyOf(kept)));
  }

  Room answered(Slot slot, Instant now) {
    return wanted().contains(slot) ? new Room(known, asked.with(slot.toString(), now)) : this;
  }

  Room stale(Slot slot) {
    return new Room(known, asked.without(slot.toString()));
  }

  /// The same of every slot of a class.
  Room stale(String className) {
    var room = this;
    for (var slot : wanted().ofClass(className)) room = room.stale(slot);
    return room;
  }

  Optional<Instant> lastAsked(Slot slot) {
    return asked.get(slot.toString());
  }
}
