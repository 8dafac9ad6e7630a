package dev.berth.apiserver.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Kinds;

/// The document of OpenAPI v2, one for all kinds (API-39). `kubectl` asks for it when the documents
/// of v3 do not have a kind, and cannot say that it does not exist here unless there is one.
///
/// It has no operations: where it says of any that it takes `fieldValidation`, `kubectl` takes a
/// kind that it does not find for a custom one and looks for definitions of those.
public final class Swagger {
  private final ObjectNode document;

  /// @param version of the server, as `/version` has it
  public Swagger(String version, Kinds kinds) {
    document = JsonNodeFactory.instance.objectNode();
    document.put("swagger", "2.0");
    document.putObject("info").put("title", "Berth").put("version", version);
    document.putObject("paths");
    var components = new Components(Dialect.SWAGGER, document.putObject("definitions"));
    for (var served : kinds.all()) components.kind(served);
  }

  /// As JSON; not to be changed.
  public ObjectNode json() {
    return document;
  }

  /// In the encoding of `gnostic`'s `OpenAPIv2.proto`, the only one that `kubectl` asks for.
  public byte[] protobuf() {
    return SwaggerMessage.document(document);
  }
}
