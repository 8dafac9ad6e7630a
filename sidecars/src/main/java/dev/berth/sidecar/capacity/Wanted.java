package dev.berth.sidecar.capacity;

import dev.berth.sidecar.provisioner.topology.Segment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// For what room is to be published, found by what it is for.
public final class Wanted {
  static final Wanted NOTHING = new Wanted(Set.of());

  private final Map<String, Slot> byKey = new HashMap<>();
  private final Map<String, List<Slot>> byClass;
  private final Map<Segment, List<Slot>> bySegment;

  Wanted(Collection<Slot> slots) {
    for (var slot : slots) byKey.put(slot.toString(), slot);
    byClass = by(Slot::className);
    bySegment = by(Slot::segment);
  }

  private <K> Map<K, List<Slot>> by(Function<Slot, K> what) {
    return byKey.values().stream().collect(Collectors.groupingBy(what));
  }

  boolean contains(Slot slot) {
    return byKey.containsKey(slot.toString());
  }

  /// @param key a slot as text
  Optional<Slot> find(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  Collection<Slot> all() {
    return List.copyOf(byKey.values());
  }

  List<Slot> ofClass(String name) {
    return byClass.getOrDefault(name, List.of());
  }

  List<Slot> in(Segment segment) {
    return bySegment.getOrDefault(segment, List.of());
  }

  @Override
  public boolean equals(Object other) {
    return other == this || (other instanceof Wanted them && byKey.equals(them.byKey));
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(byKey);
  }
}
