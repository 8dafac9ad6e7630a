package dev.berth.apiserver.schema;

import java.util.List;

/// Where a field stands in protobuf messages (API-16).
///
/// @param numbers field numbers, from the outermost message in: upstream keeps some fields, such as
///   a volume's sources, in a message within the message. Empty: in no message, but in the envelope
/// @param zero what a zero there stands for
public record Wire(List<Integer> numbers, Form form, Zero zero) {
  public Wire {
    numbers = List.copyOf(numbers);
  }

  /// How a value is put, where its type alone does not say.
  public enum Form {
    PLAIN,
    /// A list in a message of its own, as its field 1.
    ITEMS,
    /// `JSONSchemaPropsOrArray`: a schema, 1, or schemas, 2.
    OR_LIST,
    /// `JSONSchemaPropsOrBool`: whether, 1, and a schema, 2.
    OR_BOOL,
    /// `JSONSchemaPropsOrStringArray`: a schema, 1, or texts, 2.
    OR_TEXTS
  }

  /// What a zero, an empty text or an empty structure stands for. Upstream's programs always send
  /// fields that cannot be told from zero, and leave out others that are not there.
  public enum Zero {
    ABSENT,
    VALUE
  }
}
