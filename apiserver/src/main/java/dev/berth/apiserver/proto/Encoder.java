package dev.berth.apiserver.proto;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.proto.Message.Slot;
import dev.berth.apiserver.schema.Schema;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Structure.Field;
import dev.berth.apiserver.schema.Wire.Form;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;

/// Writes objects that conform to their structure. What is null, or is no field of the structure,
/// is left out.
final class Encoder {
  private static final ObjectMapper JSON = new ObjectMapper();
  static final Reference SCHEMA = new Reference("JSONSchemaProps");
  private static final Reference LIST_META = new Reference("ListMeta");
  private static final int NANOS_IN_MICRO = 1000;

  private final Output out;

  Encoder(Output out) {
    this.out = out;
  }

  void list(ObjectNode metadata, Iterator<ObjectNode> items, Message item) {
    listMeta(metadata);
    while (items.hasNext()) {
      int begin = out.begin(2);
      message(items.next(), item);
      out.end(begin);
    }
  }

  void listMeta(ObjectNode metadata) {
    value(1, metadata, LIST_META);
  }

  void message(JsonNode object, Message message) {
    for (var slot : message.slots().entrySet()) {
      int number = slot.getKey();
      switch (slot.getValue()) {
        case Slot.Value(var field) -> field(number, object.path(field.name()), field);
        case Slot.Inner(var fields) -> {
          int begin = out.begin(number);
          message(object, fields);
          if (out.size() == begin) out.forget(begin, number);
          else out.end(begin);
        }
      }
    }
  }

  private void field(int number, JsonNode value, Field field) {
    if (value.isMissingNode() || value.isNull()) return;
    switch (field.schema()) {
      case ListOf list when field.wire().form() == Form.ITEMS -> items(number, value, list);
      case ListOf(var element) -> {
        for (var each : value) value(number, each, element);
      }
      case MapOf(var element) -> {
        // As upstream: by key.
        var entries = new ArrayList<>(value.properties());
        entries.sort(Comparator.comparing(Entry::getKey));
        for (var entry : entries) entry(number, entry, element, field.wire().form());
      }
      case Schema other -> value(number, value, other, field.wire().form());
    }
  }

  private void items(int number, JsonNode values, ListOf list) {
    int begin = out.begin(number);
    for (var each : values) value(1, each, list.element());
    out.end(begin);
  }

  private void entry(int number, Entry<String, JsonNode> entry, Schema schema, Form form) {
    int begin = out.begin(number);
    out.text(1, entry.getKey());
    var value = entry.getValue();
    if (schema instanceof ListOf list) items(2, value, list);
    else value(2, value, schema, form);
    out.end(begin);
  }

  private void value(int number, JsonNode value, Schema schema, Form form) {
    switch (form) {
      case PLAIN, ITEMS -> value(number, value, schema);
      case OR_LIST -> {
        int begin = out.begin(number);
        if (value.isArray()) for (var each : value) value(2, each, SCHEMA);
        else value(1, value, SCHEMA);
        out.end(begin);
      }
      case OR_BOOL -> {
        int begin = out.begin(number);
        out.number(1, value.isObject() || value.asBoolean() ? 1 : 0);
        if (value.isObject()) value(2, value, SCHEMA);
        out.end(begin);
      }
      case OR_TEXTS -> {
        int begin = out.begin(number);
        if (value.isArray()) for (var each : value) out.text(2, each.asText());
        else value(1, value, SCHEMA);
        out.end(begin);
      }
    }
  }

  private void value(int number, JsonNode value, Schema schema) {
    switch (schema) {
      case Reference reference -> {
        int begin = out.begin(number);
        message(value, Message.of(reference));
        out.end(begin);
      }
      case ListOf list -> items(number, value, list);
      case MapOf _ -> throw new IllegalStateException("protobuf has no maps in lists or maps");
      case Scalar scalar -> scalar(number, value, scalar);
    }
  }

  private void scalar(int number, JsonNode value, Scalar scalar) {
    switch (scalar) {
      case STRING -> out.text(number, value.asText());
      case BYTES -> out.bytes(number, Base64.getMimeDecoder().decode(value.asText()));
      case BOOL -> out.number(number, value.asBoolean() ? 1 : 0);
      case INT32, INT64 -> out.number(number, value.asLong());
      case DOUBLE -> out.fixed64(number, Double.doubleToRawLongBits(value.asDouble()));
      case TIME, MICRO_TIME -> time(number, Instant.parse(value.asText()), scalar);
      case QUANTITY -> {
        int begin = out.begin(number);
        out.text(1, value.asText());
        out.end(begin);
      }
      case INT_OR_STRING -> {
        int begin = out.begin(number);
        out.number(1, value.isTextual() ? 1 : 0);
        if (value.isTextual()) out.text(3, value.asText());
        else out.number(2, value.asLong());
        out.end(begin);
      }
      case ANY -> {
        int begin = out.begin(number);
        out.bytes(1, json(value));
        out.end(begin);
      }
    }
  }

  private void time(int number, Instant time, Scalar scalar) {
    int begin = out.begin(number);
    out.number(1, time.getEpochSecond());
    // A time has whole seconds.
    out.number(
        2, scalar == Scalar.TIME ? 0 : time.getNano() / NANOS_IN_MICRO * (long) NANOS_IN_MICRO);
    out.end(begin);
  }

  private static byte[] json(JsonNode value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a JSON tree has a text", impossible);
    }
  }
}
