package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

/// Protobuf messages as JSON trees, fields under the names of their `.proto`, and back.
final class Messages {
  private static final ObjectMapper JSON = new ObjectMapper();

  static ObjectNode tree(Message message) {
    var tree = JsonNodeFactory.instance.objectNode();
    message.getAllFields().forEach((field, value) -> {
      if (field.isMapField()) {
        var map = tree.putObject(field.getName());
        for (var entry : (Iterable<?>) value) {
          var pair = (Message) entry;
          var type = pair.getDescriptorForType();
          map.put(
              pair.getField(type.findFieldByNumber(1)).toString(),
              pair.getField(type.findFieldByNumber(2)).toString());
        }
      } else if (field.isRepeated()) {
        var list = tree.putArray(field.getName());
        for (var each : (Iterable<?>) value) list.add(one(each));
      } else tree.set(field.getName(), one(value));
    });
    return tree;
  }

  private static JsonNode one(Object value) {
    return switch (value) {
      case Message message -> tree(message);
      case ByteString bytes -> JSON.valueToTree(bytes.toByteArray());
      case com.google.protobuf.Descriptors.EnumValueDescriptor name -> JSON.valueToTree(name.getName());
      default -> JSON.valueToTree(value);
    };
  }

  /// Sets what the tree names; `null` takes a field away.
  static Message with(Message message, JsonNode tree) {
    var builder = message.toBuilder();
    tree.properties().forEach(entry -> {
      var field = message.getDescriptorForType().findFieldByName(entry.getKey());
      if (field == null)
        throw new IllegalArgumentException(
            message.getDescriptorForType().getName() + " has no " + entry.getKey());
      var value = entry.getValue();
      builder.clearField(field);
      if (value.isNull()) return;
      if (field.isMapField()) {
        value.properties().forEach(pair -> {
          var made = builder.newBuilderForField(field);
          made.setField(made.getDescriptorForType().findFieldByNumber(1), pair.getKey());
          made.setField(made.getDescriptorForType().findFieldByNumber(2), pair.getValue().asText());
          builder.addRepeatedField(field, made.build());
        });
      } else if (field.isRepeated())
        value.forEach(each -> builder.addRepeatedField(field, made(builder, field, each)));
      else builder.setField(field, made(builder, field, value));
    });
    return builder.build();
  }

  private static Object made(Message.Builder builder, FieldDescriptor field, JsonNode value) {
    return switch (field.getJavaType()) {
      case INT -> value.asInt();
      case LONG -> value.asLong();
      case FLOAT -> (float) value.asDouble();
      case DOUBLE -> value.asDouble();
      case BOOLEAN -> value.asBoolean();
      case STRING -> value.asText();
      case BYTE_STRING -> ByteString.copyFromUtf8(value.asText());
      case ENUM ->
          value.isNumber()
              ? field.getEnumType().findValueByNumberCreatingIfUnknown(value.asInt())
              : field.getEnumType().findValueByName(value.asText());
      case MESSAGE -> with(builder.newBuilderForField(field).build(), value);
    };
  }

  private Messages() {}
}
