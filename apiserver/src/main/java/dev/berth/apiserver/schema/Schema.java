package dev.berth.apiserver.schema;

/// What a field may hold.
public sealed interface Schema {
  /// A value without parts.
  enum Scalar implements Schema {
    STRING("string"),
    /// Base64.
    BYTES("bytes"),
    /// RFC 3339, whole seconds.
    TIME("time"),
    /// RFC 3339, six fractional digits.
    MICRO_TIME("microTime"),
    BOOL("bool"),
    INT32("int32"),
    INT64("int64"),
    DOUBLE("double"),
    /// `1Gi`; a bare number is understood.
    QUANTITY("quantity"),
    INT_OR_STRING("intOrString"),
    /// Anything: a foreign object.
    ANY("any");

    private final String word;

    Scalar(String word) {
      this.word = word;
    }

    /// As the table spells it.
    String word() {
      return word;
    }
  }

  /// A part with a structure of its own.
  ///
  /// @param structure name of a [Structure]
  record Reference(String structure) implements Schema {}

  /// Any number of the same, in order.
  record ListOf(Schema element) implements Schema {}

  /// Any number of the same, under texts.
  record MapOf(Schema value) implements Schema {}
}
