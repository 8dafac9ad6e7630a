package dev.berth.apiserver.schema;

import java.util.List;

/// How the parts of a field are told apart, and so owned, when clients apply configurations
/// (`x-kubernetes-list-type`, `x-kubernetes-map-type`; API-78).
public sealed interface Topology {
  /// Nothing is said: a list is one value, structures and maps are owned field by field.
  record Plain() implements Topology {}

  /// One value, owned as a whole.
  record Atomic() implements Topology {}

  /// A list whose elements are told apart by their values.
  record SetOf() implements Topology {}

  /// A list whose elements are told apart by some of their fields.
  ///
  /// @param keys names of these fields, at least one
  record KeyedBy(List<String> keys) implements Topology {
    public KeyedBy {
      if (keys.isEmpty()) throw new IllegalArgumentException("elements need a key");
      keys = List.copyOf(keys);
    }
  }
}
