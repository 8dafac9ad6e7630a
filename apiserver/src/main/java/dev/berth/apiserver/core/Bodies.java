package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.managed.Managers;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.patch.Extent;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.schema.EmptyTexts;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;

/// Takes in what clients send: as our own copy, in the order in which Kubernetes writes objects,
/// with metadata that has the right shape.
public final class Bodies {
  /// Fields of the metadata that we keep, in their order; all others are dropped.
  private static final List<String> METADATA =
      List.of(
          "name",
          "generateName",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "ownerReferences",
          "finalizers",
          Managers.FIELD);

  /// So much of a body is shown in front of its end.
  private static final int SUMMARY = 30;

  private Bodies() {}

  /// A copy of `body` that is ours to complete.
  static ObjectNode take(Served kind, ObjectNode body) {
    var resource = kind.resource();
    if (kind.custom().isPresent()) checkCustomKind(resource, body);
    else checkKind(resource, body);
    checkExtent(body);
    // Where a custom kind allows it, null is a value.
    var own = kind.custom().isPresent() ? copy(body) : Trees.copy(body);
    if (kind.custom().isEmpty())
      Schemas.of(resource).ifPresent(structure -> EmptyTexts.leaveOut(own, structure));
    var object = JsonNodeFactory.instance.objectNode();
    object.put("kind", resource.kind());
    object.put("apiVersion", resource.apiVersion());
    object.set("metadata", metadata(resource, own.path("metadata")));
    for (var field : own.properties())
      if (!object.has(field.getKey())) object.set(field.getKey(), field.getValue());
    for (var part : List.of("spec", "status"))
      if (kind.custom().isEmpty() && object.has(part) && !object.path(part).isObject())
        throw malformed(resource, part + " must be an object");
    return object;
  }

  /// A field at the top that is null is not there in any kind.
  private static ObjectNode copy(ObjectNode body) {
    var copy = body.deepCopy();
    copy.properties().removeIf(field -> field.getValue().isNull());
    if (copy.get("metadata") instanceof ObjectNode meta) copy.set("metadata", Trees.copy(meta));
    return copy;
  }

  /// A patch may make more of an object than a request can send.
  static void checkExtent(ObjectNode object) {
    var extent = Extent.of(object);
    if (extent.characters() > Extent.MOST_CHARACTERS)
      throw new RefusedException(
          Refusals.tooLarge("Request entity too large: limit is " + Extent.MOST_CHARACTERS));
    if (extent.depth() > Extent.MOST_DEPTH)
      throw refused("the object is nested more than %d deep".formatted(Extent.MOST_DEPTH));
  }

  private static void checkKind(Resource resource, ObjectNode body) {
    var version = Json.text(body, "apiVersion");
    var kind = Json.text(body, "kind");
    if (!version.isEmpty() && !version.equals(resource.apiVersion()))
      throw refused(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(version, resource.apiVersion()));
    if (!kind.isEmpty() && !kind.equals(resource.kind()))
      throw refused(
          "%s in version \"%s\" cannot be handled as a %s"
              .formatted(kind, resource.version(), resource.kind()));
  }

  /// A custom object says of which kind it is: its path stands for nothing.
  private static void checkCustomKind(Resource resource, ObjectNode body) {
    var version = Json.text(body, "apiVersion");
    var kind = Json.text(body, "kind");
    if (kind.isEmpty())
      throw refused(
          "the object provided is unrecognized (must be of type %s): %s (%s)"
              .formatted(resource.kind(), kindless(body), summary(body.toString())));
    if (!version.equals(resource.apiVersion()))
      throw refused(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(version, resource.apiVersion()));
    if (!kind.equals(resource.kind()))
      throw new RefusedException(
          Refusals.invalid(
              resource.group(),
              kind,
              Json.text(body.path("metadata"), "name"),
              List.of(
                  new FieldError(
                      "kind",
                      "FieldValueInvalid",
                      "Invalid value: \"%s\": must be %s".formatted(kind, resource.kind())))));
  }

  /// What a patch has made of a custom object is still of its kind.
  static ObjectNode patched(Served kind, ObjectNode object) {
    if (kind.custom().isEmpty() || !Json.text(object, "kind").isEmpty()) return object;
    var why = "Invalid value: %s: %s".formatted(new TextNode(object.toString()), kindless(object));
    throw new RefusedException(
        Refusals.invalid("", "", "", List.of(new FieldError("patch", "FieldValueInvalid", why))));
  }

  private static String kindless(ObjectNode object) {
    return "Object 'Kind' is missing in '%s'".formatted(object);
  }

  private static String summary(String text) {
    return text.length() <= SUMMARY ? text : text.substring(0, SUMMARY) + " ...";
  }

  private static ObjectNode metadata(Resource resource, JsonNode sent) {
    if (!sent.isMissingNode() && !sent.isObject())
      throw malformed(resource, "metadata must be an object");
    var meta = JsonNodeFactory.instance.objectNode();
    for (var name : METADATA) {
      var value = sent.path(name);
      checkShape(resource, name, value);
      // An empty list of managers ends the tracking, none at all does not (API-80).
      if (!isEmpty(value) || (value.isArray() && name.equals(Managers.FIELD)))
        meta.set(name, value);
    }
    return meta;
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isValueNode() ? value.asText().isEmpty() : value.isEmpty();
  }

  private static void checkShape(Resource resource, String name, JsonNode value) {
    if (value.isMissingNode()) return;
    boolean right =
        switch (name) {
          case "labels", "annotations" -> value.isObject() && allTexts(value);
          case "finalizers" -> value.isArray() && allTexts(value);
          case "ownerReferences", Managers.FIELD -> value.isArray();
          case "generation", "deletionGracePeriodSeconds" -> value.isIntegralNumber();
          default -> value.isTextual();
        };
    if (!right) throw malformed(resource, "metadata." + name + " has the wrong type");
  }

  private static boolean allTexts(JsonNode values) {
    for (var value : values) if (!value.isTextual()) return false;
    return true;
  }

  static RefusedException malformed(Resource resource, String why) {
    return refused(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(resource.kind(), resource.version(), resource.kind(), why));
  }

  private static RefusedException refused(String message) {
    return new RefusedException(Refusals.badRequest(message));
  }
}
