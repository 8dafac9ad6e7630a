package dev.berth.apiserver.proto;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.berth.apiserver.proto.Message.Slot;
import dev.berth.apiserver.schema.Schema;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Structure.Field;
import dev.berth.apiserver.schema.Wire.Form;
import dev.berth.apiserver.schema.Wire.Zero;
import dev.berth.kube.value.HeldJson;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Set;

/// Reads messages as upstream's programs do: a field that comes again is merged or replaced, one
/// that nobody knows is passed over, and nothing is said of it.
final class Decoder {
  /// Deeper than any structure but that of schemas, and than any schema that we take.
  private static final int MOST_DEPTH = 400;

  /// Objects, lists and their elements: each takes twenty times its length in memory, at worst.
  private static final int MOST_VALUES = 250_000;

  private static final ObjectReader JSON =
      HeldJson.mapper(2 * MOST_VALUES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build()
          .reader();

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final CodedInputStream in;
  private int depth;
  private int values;

  Decoder(byte[] bytes, int offset, int length) {
    this.in = CodedInputStream.newInstance(bytes, offset, length);
  }

  /// Reads all there is.
  void read(Message message, ObjectNode into) throws IOException {
    while (true) {
      int tag = in.readTag();
      if (tag == 0) return;
      var slot = message.slots().get(WireFormat.getTagFieldNumber(tag));
      switch (slot) {
        case null -> pass(tag);
        case Slot.Value(var field) -> field(tag, field, into);
        case Slot.Inner(var fields) -> nested(tag, () -> read(fields, into));
      }
    }
  }

  /// What is to be read inside a message.
  private interface Content {
    void read() throws IOException;
  }

  private void nested(int tag, Content content) throws IOException {
    expect(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    if (++depth > MOST_DEPTH) throw broken("it is nested too deep");
    count();
    int limit = in.pushLimit(in.readRawVarint32());
    content.read();
    in.checkLastTagWas(0);
    in.popLimit(limit);
    depth--;
  }

  private void count() throws InvalidProtocolBufferException {
    if (++values > MOST_VALUES) throw broken("it holds more than %d values".formatted(MOST_VALUES));
  }

  private void pass(int tag) throws IOException {
    if (!in.skipField(tag)) throw broken("a group ends that has not begun");
  }

  private static void expect(int tag, int type) throws InvalidProtocolBufferException {
    if (WireFormat.getTagWireType(tag) != type)
      throw broken("field %d has the wrong wire type".formatted(WireFormat.getTagFieldNumber(tag)));
  }

  private static InvalidProtocolBufferException broken(String why) {
    return new InvalidProtocolBufferException(why);
  }

  private void field(int tag, Field field, ObjectNode to) throws IOException {
    var name = field.name();
    switch (field.schema()) {
      case ListOf(var element) when field.wire().form() == Form.ITEMS ->
          nested(tag, () -> items(element, to.withArray(name)));
      case ListOf(var element) -> element(tag, element, array(to, name));
      case MapOf(var element) -> nested(tag, () -> entry(element, field, to));
      case Reference reference -> {
        var part = to.get(name) instanceof ObjectNode before ? before : NODES.objectNode();
        nested(tag, () -> read(Message.of(reference), part));
        put(to, field, part, part.isEmpty());
      }
      case Scalar scalar -> {
        var value = value(tag, scalar, field.wire().form());
        put(to, field, value, isZero(value, scalar));
      }
    }
  }

  /// A field that cannot be told from zero is there only if it always is.
  private static void put(ObjectNode to, Field field, JsonNode value, boolean zero) {
    boolean absent =
        value.isNull() || zero && field.wire().zero() == Zero.ABSENT && !field.required();
    if (absent) to.remove(field.name());
    else to.set(field.name(), value);
  }

  private static boolean isZero(JsonNode value, Scalar scalar) {
    return switch (scalar) {
      case STRING, BYTES -> value.asText().isEmpty();
      case BOOL -> !value.asBoolean();
      case INT32, INT64, DOUBLE -> value.asDouble() == 0;
      case QUANTITY -> Set.of("", "0").contains(value.asText());
      case INT_OR_STRING -> value.isNumber() ? value.asInt() == 0 : value.asText().isEmpty();
      case TIME, MICRO_TIME, ANY -> false;
    };
  }

  private static ArrayNode array(ObjectNode to, String name) {
    return to.get(name) instanceof ArrayNode before ? before : to.putArray(name);
  }

  /// One element, or several numbers at once.
  private void element(int tag, Schema schema, ArrayNode to) throws IOException {
    boolean packed =
        (schema == Scalar.INT32 || schema == Scalar.INT64)
            && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    if (packed)
      nested(
          tag,
          () -> {
            while (!in.isAtEnd()) {
              count();
              to.add(number((Scalar) schema));
            }
          });
    else {
      count();
      to.add(value(tag, schema, Form.PLAIN));
    }
  }

  private void items(Schema element, ArrayNode to) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag())
      if (WireFormat.getTagFieldNumber(tag) == 1) element(tag, element, to);
      else pass(tag);
  }

  private void entry(Schema element, Field field, ObjectNode to) throws IOException {
    var key = "";
    JsonNode value = NullNode.instance;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag())
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> key = text(tag);
        case 2 -> value = mapped(tag, element, field.wire().form());
        default -> pass(tag);
      }
    to.withObject("/" + field.name().replace("~", "~0").replace("/", "~1"))
        .set(key, value.isNull() ? zero(element) : value);
  }

  private JsonNode mapped(int tag, Schema element, Form form) throws IOException {
    if (!(element instanceof ListOf(var inner))) return value(tag, element, form);
    var array = NODES.arrayNode();
    nested(tag, () -> items(inner, array));
    return array;
  }

  /// What an entry without a value has.
  private static JsonNode zero(Schema element) {
    return switch (element) {
      case Reference _, MapOf _ -> NODES.objectNode();
      case ListOf _ -> NODES.arrayNode();
      case Scalar scalar ->
          switch (scalar) {
            case STRING, BYTES -> TextNode.valueOf("");
            case BOOL -> BooleanNode.FALSE;
            case INT32, INT64, DOUBLE, INT_OR_STRING -> IntNode.valueOf(0);
            case QUANTITY -> TextNode.valueOf("0");
            case TIME, MICRO_TIME, ANY -> NullNode.instance;
          };
    };
  }

  private JsonNode value(int tag, Schema schema, Form form) throws IOException {
    return switch (form) {
      case PLAIN, ITEMS -> value(tag, schema);
      case OR_LIST, OR_BOOL, OR_TEXTS -> alternative(tag, form);
    };
  }

  private JsonNode value(int tag, Schema schema) throws IOException {
    return switch (schema) {
      case Reference reference -> {
        var part = NODES.objectNode();
        nested(tag, () -> read(Message.of(reference), part));
        yield part;
      }
      case ListOf(var element) -> {
        var array = NODES.arrayNode();
        nested(tag, () -> items(element, array));
        yield array;
      }
      case MapOf _ -> throw new IllegalStateException("protobuf has no maps in lists or maps");
      case Scalar scalar -> scalar(tag, scalar);
    };
  }

  /// A schema or something else.
  private JsonNode alternative(int tag, Form form) throws IOException {
    var schema = NODES.objectNode();
    var others = NODES.arrayNode();
    var found = NODES.objectNode();
    nested(
        tag,
        () -> {
          for (int inner = in.readTag(); inner != 0; inner = in.readTag()) {
            int number = WireFormat.getTagFieldNumber(inner);
            if (form == Form.OR_BOOL && number == 1) found.put("allows", bool(inner));
            else if (number == (form == Form.OR_BOOL ? 2 : 1))
              found.set("schema", schema.setAll((ObjectNode) value(inner, Encoder.SCHEMA)));
            else if (number == 2 && form == Form.OR_LIST) others.add(value(inner, Encoder.SCHEMA));
            else if (number == 2 && form == Form.OR_TEXTS) others.add(text(inner));
            else pass(inner);
          }
        });
    if (found.has("schema")) return schema;
    return form == Form.OR_BOOL ? BooleanNode.valueOf(found.path("allows").asBoolean()) : others;
  }

  private JsonNode scalar(int tag, Scalar scalar) throws IOException {
    return switch (scalar) {
      case STRING -> TextNode.valueOf(text(tag));
      case BYTES -> TextNode.valueOf(Base64.getEncoder().encodeToString(bytes(tag)));
      case BOOL -> BooleanNode.valueOf(bool(tag));
      case INT32, INT64 -> {
        expect(tag, WireFormat.WIRETYPE_VARINT);
        yield number(scalar);
      }
      case DOUBLE -> {
        expect(tag, WireFormat.WIRETYPE_FIXED64);
        double number = in.readDouble();
        if (!Double.isFinite(number)) throw broken("a number is not finite");
        // As JSON has it: without a fraction that is none.
        yield number == (long) number
            ? LongNode.valueOf((long) number)
            : DoubleNode.valueOf(number);
      }
      case TIME, MICRO_TIME -> time(tag, scalar);
      case QUANTITY -> TextNode.valueOf(quantity(tag));
      case INT_OR_STRING -> intOrString(tag);
      case ANY -> any(tag);
    };
  }

  private JsonNode number(Scalar scalar) throws IOException {
    return scalar == Scalar.INT32
        ? IntNode.valueOf(in.readInt32())
        : LongNode.valueOf(in.readInt64());
  }

  private boolean bool(int tag) throws IOException {
    expect(tag, WireFormat.WIRETYPE_VARINT);
    return in.readBool();
  }

  private String text(int tag) throws IOException {
    expect(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    return in.readString();
  }

  private byte[] bytes(int tag) throws IOException {
    expect(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    return in.readByteArray();
  }

  /// @return null: the zero time, which stands for none
  private JsonNode time(int tag, Scalar scalar) throws IOException {
    var numbers = new long[2];
    var there = new boolean[1];
    nested(
        tag,
        () -> {
          for (int inner = in.readTag(); inner != 0; inner = in.readTag()) {
            int number = WireFormat.getTagFieldNumber(inner);
            there[0] = true;
            if (number > 2) {
              pass(inner);
              continue;
            }
            expect(inner, WireFormat.WIRETYPE_VARINT);
            numbers[number - 1] = in.readInt64();
          }
        });
    if (!there[0]) return NullNode.instance;
    try {
      var time = Instant.ofEpochSecond(numbers[0], scalar == Scalar.TIME ? 0 : (int) numbers[1]);
      int year = time.atOffset(ZoneOffset.UTC).getYear();
      if (year < 0 || year > 9999) throw broken("a time is outside of the years 0 to 9999");
      return TextNode.valueOf(scalar == Scalar.TIME ? time.toString() : MICROS.format(time));
    } catch (DateTimeException | ArithmeticException beyond) {
      throw broken("a time is outside of the years 0 to 9999");
    }
  }

  private String quantity(int tag) throws IOException {
    var text = new String[] {"0"};
    nested(
        tag,
        () -> {
          for (int inner = in.readTag(); inner != 0; inner = in.readTag())
            if (WireFormat.getTagFieldNumber(inner) == 1) text[0] = text(inner);
            else pass(inner);
        });
    return text[0];
  }

  private JsonNode intOrString(int tag) throws IOException {
    var numbers = new long[2];
    var text = new String[] {""};
    nested(
        tag,
        () -> {
          for (int inner = in.readTag(); inner != 0; inner = in.readTag())
            switch (WireFormat.getTagFieldNumber(inner)) {
              case 1, 2 -> {
                expect(inner, WireFormat.WIRETYPE_VARINT);
                numbers[WireFormat.getTagFieldNumber(inner) - 1] = in.readInt64();
              }
              case 3 -> text[0] = text(inner);
              default -> pass(inner);
            }
        });
    return numbers[0] == 0 ? IntNode.valueOf((int) numbers[1]) : TextNode.valueOf(text[0]);
  }

  /// Foreign JSON.
  ///
  /// @return null: there is none
  private JsonNode any(int tag) throws IOException {
    var json = new byte[1][0];
    nested(
        tag,
        () -> {
          for (int inner = in.readTag(); inner != 0; inner = in.readTag())
            if (WireFormat.getTagFieldNumber(inner) == 1) json[0] = bytes(inner);
            else pass(inner);
        });
    return json[0].length == 0 ? NullNode.instance : JSON.readTree(json[0]);
  }
}
