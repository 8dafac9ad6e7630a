package dev.berth.apiserver.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// An object or a part of one: its fields in upstream's order.
///
/// @param name such as `PodSpec`; another package may have one of the same name
/// @param domain its package, such as `io.k8s.api.core.v1`
/// @param atomic whether it is owned as a whole wherever it stands
public record Structure(
    String name, String domain, boolean atomic, List<Field> fields, Map<String, Field> byName) {
  static Structure of(String name, String domain, boolean atomic, List<Field> fields) {
    var byName = fields.stream().collect(Collectors.toMap(Field::name, Function.identity()));
    return new Structure(name, domain, atomic, List.copyOf(fields), Map.copyOf(byName));
  }

  public Optional<Field> field(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /// `io.k8s.api.core.v1.PodSpec`: unique.
  public String qualifiedName() {
    return domain + "." + name;
  }

  /// One field.
  ///
  /// @param required always written
  /// @param strategy how strategic merge patches merge two values, such as `merge`; empty: they do
  ///   not
  /// @param mergeKey field that tells elements apart in strategic merge patches; empty: none
  /// @param standIn what counts as the value if it is not written, where elements are told apart by
  ///   it; empty: nothing
  public record Field(
      String name,
      Schema schema,
      boolean required,
      Wire wire,
      String strategy,
      String mergeKey,
      Topology topology,
      String standIn) {}
}
