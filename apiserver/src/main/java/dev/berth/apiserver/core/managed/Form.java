package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a value falls into parts that are owned by themselves: what built-in kinds and custom ones
/// have in common for server-side apply. A value that is not what its form expects, such as a text
/// for a list, is owned as a whole.
public sealed interface Form {
  Form WHOLE = new Whole();
  Form OPEN = new Open();

  /// Owned as a whole: a plain value, or a list or object that is atomic.
  record Whole() implements Form {}

  /// Of which nothing is known: objects are owned field by field, all else as a whole.
  record Open() implements Form {}

  /// An object that is owned field by field.
  ///
  /// @param declared the fields that the schema names; may be filled after this is made, since
  ///   forms contain themselves
  /// @param others what stands under names that users choose; empty: nothing does
  record Fields(Map<String, Declared> declared, Optional<Form> others) implements Form {}

  /// A field that the schema names.
  ///
  /// @param present whether an object has it, if only empty, as soon as the object is there: such a
  ///   field comes and goes without anybody's doing
  record Declared(Form form, boolean present) {}

  /// A list whose elements are told apart by their values.
  record Values() implements Form {}

  /// A list of objects that are told apart by some of their fields.
  record Keyed(List<Key> keys, Form element) implements Form {
    public Keyed {
      keys = List.copyOf(keys);
    }
  }

  /// A field that tells elements apart.
  ///
  /// @param standIn what counts if an element does not have it; missing: nothing
  record Key(String field, JsonNode standIn) {}

  /// Of a field of an object that has this form.
  default Form of(String field) {
    return switch (this) {
      case Fields(var declared, var others) -> {
        var known = declared.get(field);
        yield known != null ? known.form() : others.orElse(OPEN);
      }
      default -> OPEN;
    };
  }

  /// Whether the schema names a field.
  default boolean declares(String field) {
    return this instanceof Fields(var declared, _) && declared.containsKey(field);
  }

  /// Whether an object is owned field by field.
  default boolean splitsObjects() {
    return this instanceof Fields || this instanceof Open;
  }

  /// Whether a list is owned element by element.
  default boolean splitsLists() {
    return this instanceof Values || this instanceof Keyed;
  }

  /// Of the elements of a list that has this form.
  default Form element() {
    return this instanceof Keyed(_, var element) ? element : WHOLE;
  }
}
