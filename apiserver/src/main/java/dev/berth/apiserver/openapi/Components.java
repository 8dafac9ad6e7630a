package dev.berth.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.schema.Schema;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.apiserver.schema.Structure;
import dev.berth.apiserver.schema.Structure.Field;
import dev.berth.apiserver.schema.Topology;
import dev.berth.kube.object.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// The schemas of one document: its kinds and all that they refer to.
final class Components {
  private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
  private static final String INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";

  private final Dialect dialect;
  private final ObjectNode schemas;

  Components(Dialect dialect, ObjectNode schemas) {
    this.dialect = dialect;
    this.schemas = schemas;
  }

  /// Adds a kind and the kind of its lists.
  ///
  /// @return the name of its component; empty: nothing is known of its fields
  Optional<String> kind(Served served) {
    var schema = served.customSchema();
    var structure = schema.isEmpty() ? Schemas.of(served.resource()) : Optional.<Structure>empty();
    if (schema.isEmpty() && structure.isEmpty()) return Optional.empty();
    var name = structure.map(Structure::qualifiedName).orElseGet(() -> customName(served));
    if (structure.isPresent()) add(structure.get());
    else custom(name, schema.orElseThrow());
    groupVersionKind(served.resource(), served.resource().kind(), schemas.withObjectProperty(name));
    list(served, name);
    return Optional.of(name);
  }

  /// `io.k8s.storage.snapshot.v1.VolumeSnapshot`: the group backwards, as upstream names them.
  private static String customName(Served served) {
    var resource = served.resource();
    var parts = new ArrayList<>(List.of(resource.group().split("\\.", -1)));
    Collections.reverse(parts);
    return String.join(".", parts) + "." + resource.version() + "." + resource.kind();
  }

  /// The schema as its definition has it, with what every object has beside it.
  private void custom(String name, JsonNode schema) {
    var own = schemas.putObject(name);
    if (schema instanceof ObjectNode object) own.setAll(object.deepCopy());
    own.put("type", "object");
    var properties = own.withObjectProperty("properties");
    for (var field : List.of("apiVersion", "kind"))
      if (!properties.has(field)) properties.putObject(field).put("type", "string");
    refer(properties.putObject("metadata"), Schemas.structure("ObjectMeta"));
  }

  private void list(Served served, String element) {
    var list = schemas.putObject(element + "List").put("type", "object");
    var properties = list.putObject("properties");
    properties.putObject("apiVersion").put("type", "string");
    properties.putObject("kind").put("type", "string");
    refer(properties.putObject("metadata"), Schemas.structure("ListMeta"));
    var items = properties.putObject("items").put("type", "array");
    dialect.refer(items.putObject("items"), element);
    list.putArray("required").add("items");
    groupVersionKind(served.resource(), served.listKind(), list);
  }

  private static void groupVersionKind(Resource resource, String kind, ObjectNode schema) {
    schema
        .putArray("x-kubernetes-group-version-kind")
        .addObject()
        .put("group", resource.group())
        .put("version", resource.version())
        .put("kind", kind);
  }

  private void add(Structure structure) {
    if (schemas.has(structure.qualifiedName())) return;
    var schema = schemas.putObject(structure.qualifiedName()).put("type", "object");
    var descriptions = dialect.describes() ? Descriptions.of(structure) : Descriptions.NONE;
    describe(schema, descriptions.structure());
    if (structure.atomic()) schema.put("x-kubernetes-map-type", "atomic");
    var properties = schema.putObject("properties");
    for (var field : structure.fields()) {
      var property = properties.putObject(field.name());
      write(field.schema(), property);
      merging(field, property);
      describe(property, descriptions.fields().getOrDefault(field.name(), ""));
    }
    var required = structure.fields().stream().filter(Field::required).map(Field::name).toList();
    if (!required.isEmpty()) required.forEach(schema.putArray("required")::add);
  }

  private static void describe(ObjectNode schema, String text) {
    if (!text.isEmpty()) schema.put("description", text);
  }

  private static void merging(Field field, ObjectNode property) {
    if (!field.strategy().isEmpty()) property.put("x-kubernetes-patch-strategy", field.strategy());
    if (!field.mergeKey().isEmpty()) property.put("x-kubernetes-patch-merge-key", field.mergeKey());
    switch (field.topology()) {
      case Topology.Plain _ when field.schema() instanceof ListOf ->
          property.put("x-kubernetes-list-type", "atomic");
      case Topology.Plain _ -> {}
      case Topology.Atomic _ when field.schema() instanceof ListOf ->
          property.put("x-kubernetes-list-type", "atomic");
      case Topology.Atomic _ -> property.put("x-kubernetes-map-type", "atomic");
      case Topology.SetOf _ -> property.put("x-kubernetes-list-type", "set");
      case Topology.KeyedBy(var keys) -> {
        var names = property.put("x-kubernetes-list-type", "map");
        keys.forEach(names.putArray("x-kubernetes-list-map-keys")::add);
      }
    }
  }

  private void write(Schema schema, ObjectNode to) {
    switch (schema) {
      case Reference(var name) -> refer(to, Schemas.structure(name));
      case ListOf(var element) -> write(element, to.put("type", "array").putObject("items"));
      case MapOf(var value) ->
          write(value, to.put("type", "object").putObject("additionalProperties"));
      case Scalar scalar -> write(scalar, to);
    }
  }

  private void write(Scalar scalar, ObjectNode to) {
    switch (scalar) {
      case STRING -> to.put("type", "string");
      case BYTES -> to.put("type", "string").put("format", "byte");
      case TIME, MICRO_TIME -> to.put("type", "string").put("format", "date-time");
      case BOOL -> to.put("type", "boolean");
      case INT32 -> to.put("type", "integer").put("format", "int32");
      case INT64 -> to.put("type", "integer").put("format", "int64");
      case DOUBLE -> to.put("type", "number").put("format", "double");
      case QUANTITY -> refer(to, QUANTITY, "number");
      case INT_OR_STRING -> refer(to, INT_OR_STRING, "integer");
      case ANY -> to.put("type", "object");
    }
  }

  private void refer(ObjectNode to, Structure structure) {
    add(structure);
    dialect.refer(to, structure.qualifiedName());
  }

  /// Refers to a value that is a text or else a number.
  private void refer(ObjectNode to, String name, String otherwise) {
    if (!schemas.has(name)) dialect.either(schemas.putObject(name), otherwise);
    dialect.refer(to, name);
  }
}
