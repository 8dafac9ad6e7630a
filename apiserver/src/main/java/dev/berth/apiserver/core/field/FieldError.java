package dev.berth.apiserver.core.field;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One thing that is wrong with an object, in Kubernetes' words.
///
/// @param field path, such as `spec.volumes[0].name`
/// @param reason Kubernetes' word, such as `FieldValueRequired`
/// @param message what is wrong, without the path
public record FieldError(String field, String reason, String message) {
  /// Of a path, and of a message.
  private static final int MOST_CHARACTERS = 10_000;

  /// Why the value is wrong stands behind it.
  private static final int END = 1_000;

  public static FieldError required(String field, String detail) {
    return new FieldError(field, "FieldValueRequired", with("Required value", detail));
  }

  /// @param value as it is printed, with quotes if it is a text
  public static FieldError invalid(String field, String value, String detail) {
    return new FieldError(field, "FieldValueInvalid", with("Invalid value: " + value, detail));
  }

  /// @param found the type of the value, which stands in its place
  public static FieldError wrongType(String field, String found, String detail) {
    return new FieldError(
        field, "FieldValueTypeInvalid", with("Invalid value: \"" + found + "\"", detail));
  }

  public static FieldError forbidden(String field, String detail) {
    return new FieldError(field, "FieldValueForbidden", with("Forbidden", detail));
  }

  public static FieldError notSupported(String field, String value, String... supported) {
    var values = Stream.of(supported).map(each -> "\"" + each + "\"").sorted();
    return new FieldError(
        field,
        "FieldValueNotSupported",
        "Unsupported value: %s: supported values: %s"
            .formatted(value, values.collect(Collectors.joining(", "))));
  }

  public static FieldError duplicate(String field, String value) {
    return new FieldError(field, "FieldValueDuplicate", "Duplicate value: " + value);
  }

  public static FieldError notFound(String field, String value) {
    return new FieldError(field, "FieldValueNotFound", "Not found: " + value);
  }

  public static FieldError tooLong(String field, int mostBytes) {
    return new FieldError(
        field, "FieldValueTooLong", "Too long: may not be more than " + mostBytes + " bytes");
  }

  public static FieldError tooMany(String field, int count, int most) {
    return new FieldError(
        field,
        "FieldValueTooMany",
        "Too many: %d: must have at most %d items".formatted(count, most));
  }

  private static String with(String message, String detail) {
    return detail.isEmpty() ? message : message + ": " + detail;
  }

  /// The same without the middle of a long path, or of the long value that the message repeats.
  public FieldError shortened() {
    if (field.length() <= MOST_CHARACTERS && message.length() <= MOST_CHARACTERS) return this;
    return new FieldError(cut(field), reason, cut(message));
  }

  private static String cut(String text) {
    return text.length() <= MOST_CHARACTERS
        ? text
        : text.substring(0, MOST_CHARACTERS - END) + "..." + text.substring(text.length() - END);
  }

  @Override
  public String toString() {
    return field + ": " + message;
  }
}
