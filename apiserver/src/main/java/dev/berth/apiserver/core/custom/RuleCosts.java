package dev.berth.apiserver.core.custom;

import dev.berth.apiserver.core.custom.rule.CelNames;
import dev.berth.apiserver.core.custom.rule.CelPart;
import dev.berth.apiserver.core.field.Field;
import java.util.Locale;
import java.util.Optional;

/// Whether the rules of a schema could cost more than anybody may spend, by the sizes that it
/// allows (API-123): its author learns it with the definition, and not by an object.
final class RuleCosts {
  private static final long MOST_OF_A_RULE = 10_000_000;
  private static final long MOST_OF_A_SCHEMA = 100_000_000;

  /// How large a request may be; so large is all that has no limit of its own.
  private static final long REQUEST = 3 * 1024 * 1024;

  private static final long TEXT = REQUEST - 2;

  private long all;

  private RuleCosts() {}

  /// @param schema without errors so far
  static void check(Field schema) {
    var costs = new RuleCosts();
    costs.node(schema, Structural.root(schema.node()), Optional.of(1L));
    if (costs.all > MOST_OF_A_SCHEMA)
      schema.forbidden(
          words(
              "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
              costs.all,
              MOST_OF_A_SCHEMA));
  }

  /// @param times how often the value can be there; empty: nothing limits it
  private void node(Field schema, Structural read, Optional<Long> times) {
    if (!read.ruled()) return;
    var own = schema.at("x-kubernetes-validations").elements();
    long count = times.orElseGet(() -> REQUEST / (smallest(read) + 1));
    for (int i = 0; i < own.size(); i++) {
      var rule = read.rules().get(i);
      var part = new Extent(read);
      observe(own.get(i).at("rule"), "estimated rule cost", product(rule.estimate(part), count));
      observe(
          own.get(i).at("messageExpression"),
          "estimated messageExpression cost",
          rule.messageEstimate(part));
    }
    read.properties().forEach((name, part) -> node(schema.at("properties").key(name), part, times));
    read.additional()
        .ifPresent(part ->
            node(schema.at("additionalProperties"), part, within(times, read, "maxProperties")));
    read.items().ifPresent(part -> node(schema.at("items"), part, within(times, read, "maxItems")));
  }

  private void observe(Field field, String what, long cost) {
    all = sum(all, cost);
    if (cost > MOST_OF_A_RULE) field.forbidden(words(what, cost, MOST_OF_A_RULE));
  }

  private static String words(String what, long cost, long most) {
    double factor = (double) cost / most;
    return "%s exceeds budget by factor of %s (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
        .formatted(
            what,
            factor > 100
                ? "more than 100x"
                : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor));
  }

  private static Optional<Long> within(Optional<Long> times, Structural list, String limit) {
    return times.flatMap(count -> limit(list, limit).map(most -> product(count, most)));
  }

  private static Optional<Long> limit(Structural schema, String name) {
    var limit = schema.source().path(name);
    return limit.isNumber() ? Optional.of(Math.max(0, limit.asLong())) : Optional.empty();
  }

  /// In bytes of JSON.
  private static long smallest(Structural schema) {
    if (schema.intOrString()) return 1;
    return switch (schema.type()) {
      case "boolean" -> 4;
      case "integer", "number" -> 1;
      case "string" ->
          switch (schema.word("format")) {
            case "duration" -> 3;
            case "date" -> 12;
            case "date-time" -> 21;
            default -> 2;
          };
      case "object" -> {
        long size = 2;
        if (schema.additional().isPresent()) yield size;
        for (var name : schema.required()) {
          var part = schema.properties().get(name);
          if (part != null && part.initial().isMissingNode())
            size += name.length() + smallest(part) + 4;
        }
        yield size;
      }
      default -> 2;
    };
  }

  private static long longest(Structural schema) {
    switch (schema.word("format")) {
      case "duration", "date-time" -> {
        return 32;
      }
      case "date" -> {
        return 12;
      }
      default -> {}
    }
    var limit = limit(schema, "maxLength");
    if (limit.isPresent())
      return schema.word("format").equals("byte") ? limit.get() : 4 * limit.get();
    var values = schema.source().path("enum");
    if (values.isEmpty()) return TEXT;
    return values.valueStream().mapToLong(each -> each.asText().length()).max().orElse(0);
  }

  /// How much of it the value of a schema can hold.
  private record Extent(Structural schema) implements CelPart {
    @Override
    public Optional<CelPart> field(String name) {
      return schema.properties().entrySet().stream()
          .filter(field -> CelNames.of(field.getKey()).equals(name))
          .findFirst()
          .map(field -> new Extent(field.getValue()));
    }

    @Override
    public Optional<CelPart> element() {
      return schema.items().or(schema::additional).map(Extent::new);
    }

    @Override
    public long most() {
      if (schema.intOrString()) return longest(schema);
      if (schema.items().isPresent())
        return limit(schema, "maxItems")
            .orElseGet(() -> TEXT / (smallest(schema.items().get()) + 1));
      if (schema.additional().isPresent())
        return limit(schema, "maxProperties")
            .orElseGet(() -> TEXT / (smallest(schema.additional().get()) + 6));
      return schema.type().equals("string") ? longest(schema) : 0;
    }
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private static long product(long one, long other) {
    return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
  }
}
