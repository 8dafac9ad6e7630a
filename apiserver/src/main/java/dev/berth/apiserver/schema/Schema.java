package dev.berth.apiserver.schema;

/// What a field may hold.
public sealed interface Schema {
  /// Whether all that conforms to `other` may stand here too.
  default boolean holds(Schema other) {
    return this == Scalar.ANY || equals(other);
  }

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

    @Override
    public boolean holds(Schema other) {
      return Schema.super.holds(other)
          || switch (this) {
            case STRING -> other == BYTES || other == TIME || other == MICRO_TIME;
            case TIME -> other == MICRO_TIME;
            case MICRO_TIME -> other == TIME;
            case INT64 -> other == INT32;
            case DOUBLE -> other == INT32 || other == INT64;
            case QUANTITY -> other == INT32 || other == INT64 || other == DOUBLE;
            case INT_OR_STRING -> other == INT32 || STRING.holds(other);
            case BYTES, BOOL, INT32, ANY -> false;
          };
    }
  }

  /// A part with a structure of its own.
  ///
  /// @param structure qualified name of a [Structure]
  record Reference(String structure) implements Schema {}

  /// Any number of the same, in order.
  record ListOf(Schema element) implements Schema {}

  /// Any number of the same, under texts.
  record MapOf(Schema value) implements Schema {}
}
