package dev.berth.apiserver.proto;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.schema.Schema;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.apiserver.schema.Structure;
import dev.berth.apiserver.schema.Structure.Field;
import dev.berth.apiserver.schema.Wire.Form;
import dev.berth.apiserver.schema.Wire.Zero;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Objects with any of the fields of their kinds, of the values that a field can have.
final class RandomObjects {
  private static final int MOST_DEPTH = 12;

  private final Random random;

  RandomObjects(long seed) {
    this.random = new Random(seed);
  }

  /// @param apiVersion such as `apps/v1`
  record Kind(String apiVersion, String name) {}

  /// All kinds of the table.
  static List<Kind> kinds() throws IOException {
    var kinds = new ArrayList<Kind>();
    var version = "";
    var structure = "";
    try (var in = Schemas.class.getResourceAsStream("kubernetes.txt")) {
      if (in == null) throw new IllegalStateException("the table is missing");
      for (var line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        var words = line.split(" ");
        if (line.startsWith("package ")) version = words.length > 2 ? words[2] : "";
        else if (line.equals("  apiVersion string") && !version.isEmpty())
          kinds.add(new Kind(version, structure));
        else if (!line.startsWith(" ")) structure = words[0];
      }
    }
    kinds.removeIf(kind -> !Protobuf.knows(kind.apiVersion(), kind.name()));
    kinds.removeIf(kind -> !hasNoNumbers(kind));
    return kinds;
  }

  /// Its `apiVersion` and `kind` stand in the envelope: it is a kind, and not a reference to one.
  private static boolean hasNoNumbers(Kind kind) {
    return Schemas.of(kind.apiVersion(), kind.name())
        .flatMap(structure -> structure.field("kind"))
        .map(field -> field.wire().numbers().isEmpty())
        .orElse(false);
  }

  ObjectNode object(Kind kind) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("kind", kind.name()).put("apiVersion", kind.apiVersion());
    fill(object, Schemas.of(kind.apiVersion(), kind.name()).orElseThrow(), 0);
    return object;
  }

  private void fill(ObjectNode object, Structure structure, int depth) {
    for (var field : structure.fields()) {
      if (field.wire().numbers().isEmpty()) continue;
      if (depth > MOST_DEPTH && !field.required() || random.nextInt(3) > 0) continue;
      var value = value(field, depth);
      if (!absent(value, field)) object.set(field.name(), value);
    }
  }

  /// Whether protobuf cannot say that it is there.
  private static boolean absent(JsonNode value, Field field) {
    if (field.schema() instanceof ListOf || field.schema() instanceof MapOf) return value.isEmpty();
    if (field.required() || field.wire().zero() == Zero.VALUE) return false;
    return value.isObject() ? value.isEmpty() && field.schema() instanceof Reference : zero(value);
  }

  private static boolean zero(JsonNode value) {
    if (value.isTextual()) return value.asText().isEmpty() || value.asText().equals("0");
    return value.isNumber() && value.asDouble() == 0 || value.isBoolean() && !value.asBoolean();
  }

  private JsonNode value(Field field, int depth) {
    return switch (field.wire().form()) {
      case PLAIN, ITEMS -> value(field.schema(), depth, field.wire().form());
      case OR_LIST -> random.nextBoolean() ? schema(depth) : list(Encoder.SCHEMA, depth);
      case OR_BOOL ->
          random.nextBoolean() ? schema(depth) : BooleanNode.valueOf(random.nextBoolean());
      case OR_TEXTS -> {
        var map = JsonNodeFactory.instance.objectNode();
        map.set("a", random.nextBoolean() ? schema(depth) : list(Scalar.STRING, depth));
        yield map;
      }
    };
  }

  private JsonNode schema(int depth) {
    return value(Encoder.SCHEMA, depth, Form.PLAIN);
  }

  private JsonNode list(Schema element, int depth) {
    var list = JsonNodeFactory.instance.arrayNode();
    for (int i = random.nextInt(3); i >= 0; i--) list.add(value(element, depth + 1, Form.PLAIN));
    return list;
  }

  private JsonNode value(Schema schema, int depth, Form form) {
    return switch (schema) {
      case Reference(var name) -> {
        var part = JsonNodeFactory.instance.objectNode();
        fill(part, Schemas.structure(name), depth + 1);
        yield part;
      }
      case ListOf(var element) -> list(element, depth);
      case MapOf(var element) -> {
        var map = JsonNodeFactory.instance.objectNode();
        for (int i = random.nextInt(3); i > 0; i--)
          map.set(text() + "/~" + i, value(element, depth + 1, form));
        yield map;
      }
      case Scalar scalar -> scalar(scalar);
    };
  }

  private JsonNode scalar(Scalar scalar) {
    return switch (scalar) {
      case STRING -> TextNode.valueOf(text());
      case BYTES -> TextNode.valueOf(List.of("", "AA==", "AAEC/w==").get(random.nextInt(3)));
      case BOOL -> BooleanNode.valueOf(random.nextBoolean());
      case INT32 -> IntNode.valueOf(random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(3));
      case INT64 ->
          LongNode.valueOf(random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(3));
      case DOUBLE ->
          random.nextBoolean()
              ? LongNode.valueOf(random.nextInt(3))
              : DoubleNode.valueOf(random.nextGaussian());
      case TIME ->
          TextNode.valueOf(
              Instant.ofEpochSecond(random.nextLong(-60_000_000_000L, 250_000_000_000L))
                  .toString());
      case MICRO_TIME ->
          TextNode.valueOf(
              Instant.parse("2026-01-01T00:00:00Z")
                  .plus(random.nextInt(), ChronoUnit.SECONDS)
                  .toString()
                  .replace("Z", ".%06dZ".formatted(random.nextInt(1_000_000))));
      case QUANTITY -> TextNode.valueOf(List.of("1Gi", "100m", "0").get(random.nextInt(3)));
      case INT_OR_STRING ->
          random.nextBoolean() ? IntNode.valueOf(random.nextInt()) : TextNode.valueOf("50%");
      case ANY -> {
        var any = JsonNodeFactory.instance.objectNode();
        any.putArray("list").add(1).add(text()).addNull().addObject().put("a", true);
        yield any;
      }
    };
  }

  /// Empty, plain, or of signs that take two to four bytes each.
  private String text() {
    return List.of("", "a", "word-" + random.nextInt(100), "ß€😀", "x".repeat(200))
        .get(random.nextInt(5));
  }
}
