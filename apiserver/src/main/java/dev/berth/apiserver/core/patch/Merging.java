package dev.berth.apiserver.core.patch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.schema.Schema;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Schemas;
import java.util.List;

/// How a strategic merge patch changes one field, as the table of fields says (API-75).
///
/// @param schema of the field
/// @param strategies such as `merge`, `retainKeys`; none: lists are replaced, objects merged
/// @param key field by which the elements of a list are told apart; empty: they are plain values
record Merging(Schema schema, List<String> strategies, String key) {
  private static final Merging PLAIN = new Merging(Scalar.ANY, List.of(), "");

  Merging {
    strategies = List.copyOf(strategies);
  }

  /// Of a field of what `parent` describes.
  static Merging of(Schema parent, String field) {
    return switch (parent) {
      case Reference(var name) ->
          Schemas.structure(name)
              .field(field)
              .map(known ->
                  new Merging(
                      known.schema(), List.of(known.strategy().split(",")), known.mergeKey()))
              .orElse(PLAIN);
      case MapOf(var value) -> new Merging(value, List.of(), "");
      case ListOf _, Scalar _ -> PLAIN;
    };
  }

  /// Whether the elements of a list stay beside those of the patch.
  boolean merges() {
    return strategies.contains("merge");
  }

  /// Whether `change` takes the place of an object as a whole.
  boolean replaces(ObjectNode change) {
    return strategies.contains("replace") && !change.has("$patch");
  }

  /// Of the elements of a list.
  Schema element() {
    return schema instanceof ListOf(var element) ? element : Scalar.ANY;
  }
}
