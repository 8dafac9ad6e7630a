package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.field.FieldError;
import java.math.BigDecimal;

/// What is wrong with a value that has no parts, or with how many parts one has.
final class Scalars {
  private static final int MOST_DIGITS = 1_000;

  private Scalars() {}

  static void check(JsonNode value, Structural schema, String path, Findings errors) {
    if (value.isTextual()) text(value, schema, path, errors);
    if (value.isNumber()) number(value, schema, path, errors);
  }

  private static void text(JsonNode value, Structural schema, String path, Findings errors) {
    var text = value.asText();
    int length = text.codePointCount(0, text.length());
    var most = schema.source().path("maxLength");
    if (most.isNumber() && length > most.asLong())
      errors.add(FieldError.tooLong(path, most.asInt()));
    var least = schema.source().path("minLength");
    if (least.isNumber() && length < least.asLong())
      errors.add(
          FieldError.invalid(
              path,
              value.toString(),
              "%s in body should be at least %s chars long".formatted(path, least)));
    if (schema.pattern().isPresent()) errors.spend(length, path);
    if (schema.pattern().filter(pattern -> !pattern.matcher(text).find()).isPresent())
      errors.add(
          FieldError.invalid(
              path,
              value.toString(),
              "%s in body should match '%s'".formatted(path, schema.word("pattern"))));
    var format = schema.word("format");
    if (!Formats.admits(format, text))
      errors.add(
          FieldError.invalid(
              path,
              value.toString(),
              "%s in body must be of type %s: %s".formatted(path, format, value)));
  }

  private static void number(JsonNode value, Structural schema, String path, Findings errors) {
    if (!Double.isFinite(value.doubleValue())) {
      errors.add(bound(value, path, "%s in body must be a number that 64 bits hold"));
      return;
    }
    var number = value.decimalValue();
    var least = schema.source().path("minimum");
    if (least.isNumber()) {
      boolean beyond = schema.source().path("exclusiveMinimum").asBoolean();
      int order = number.compareTo(least.decimalValue());
      if (order < 0 || beyond && order == 0)
        errors.add(
            bound(
                value,
                path,
                "%s in body should be greater than " + (beyond ? "" : "or equal to ") + least));
    }
    var most = schema.source().path("maximum");
    if (most.isNumber()) {
      boolean below = schema.source().path("exclusiveMaximum").asBoolean();
      int order = number.compareTo(most.decimalValue());
      if (order > 0 || below && order == 0)
        errors.add(
            bound(
                value,
                path,
                "%s in body should be less than " + (below ? "" : "or equal to ") + most));
    }
    var step = schema.source().path("multipleOf");
    if (step.isNumber()
        && handy(step).signum() != 0
        && handy(value).remainder(handy(step)).signum() != 0)
      errors.add(bound(value, path, "%s in body should be a multiple of " + step));
    var format = schema.word("format");
    if (format.equals("int32") && !value.canConvertToInt()
        || format.equals("int64") && !value.canConvertToLong())
      errors.add(
          bound(value, path, "%s in body must be of type " + format + ": \"" + value + "\""));
  }

  /// As near to it as 64 bits come, where its digits would be too many to divide.
  private static BigDecimal handy(JsonNode number) {
    var exact = number.decimalValue();
    if (Math.abs((long) exact.scale()) < MOST_DIGITS) return exact;
    double near = number.doubleValue();
    return Double.isFinite(near) ? new BigDecimal(near) : BigDecimal.ZERO;
  }

  private static FieldError bound(JsonNode value, String path, String why) {
    return FieldError.invalid(path, value.toString(), why.replace("%s", path));
  }

  /// @param what `Items` or `Properties`
  static void count(int count, Structural schema, String what, String path, Findings errors) {
    var most = schema.source().path("max" + what);
    if (most.isNumber() && count > most.asInt())
      errors.add(FieldError.tooMany(path, count, most.asInt()));
    var least = schema.source().path("min" + what);
    if (least.isNumber() && count < least.asInt())
      errors.add(
          FieldError.invalid(
              path,
              Integer.toString(count),
              "%s in body should have at least %s %s"
                  .formatted(path, least, what.toLowerCase(java.util.Locale.ROOT))));
  }
}
