package dev.berth.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;

/// Writes a document of OpenAPI v2 as `gnostic`'s messages, as far as ours goes. Each method is one
/// of the messages of `OpenAPIv2.proto`; its numbers are the fields'.
final class SwaggerMessage {
  private SwaggerMessage() {}

  static byte[] document(JsonNode document) {
    return new Message()
        .put(1, Json.text(document, "swagger"))
        .put(2, info(document.path("info")))
        .put(8, new Message()) // without a path
        .put(9, namedSchemas(document.path("definitions")))
        .bytes();
  }

  private static Message info(JsonNode info) {
    return new Message().put(1, Json.text(info, "title")).put(2, Json.text(info, "version"));
  }

  /// `Definitions` and `Properties`.
  private static Message namedSchemas(JsonNode schemas) {
    var all = new Message();
    for (var each : schemas.properties())
      all.put(1, new Message().put(1, each.getKey()).put(2, schema(each.getValue())));
    return all;
  }

  private static Message schema(JsonNode schema) {
    var message =
        new Message().put(1, Json.text(schema, "$ref")).put(2, Json.text(schema, "format"));
    for (var name : schema.path("required")) message.put(19, name.asText());
    if (schema.has("additionalProperties"))
      message.put(21, new Message().put(1, schema(schema.path("additionalProperties"))));
    if (schema.has("type")) message.put(22, new Message().put(1, Json.text(schema, "type")));
    if (schema.has("items")) message.put(23, new Message().put(1, schema(schema.path("items"))));
    if (schema.has("properties")) message.put(25, namedSchemas(schema.path("properties")));
    for (var extension : schema.properties())
      if (extension.getKey().startsWith("x-"))
        message.put(31, extension(extension.getKey(), extension.getValue()));
    return message;
  }

  /// `NamedAny`. A value is YAML, which JSON is too.
  private static Message extension(String name, JsonNode value) {
    return new Message().put(1, name).put(2, new Message().put(2, value.toString()));
  }
}
