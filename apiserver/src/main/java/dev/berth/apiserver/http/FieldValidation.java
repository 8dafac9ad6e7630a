package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.Shaping;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.http.exchange.Bodies.Body;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.proto.Numbers;
import dev.berth.apiserver.schema.Conformance;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.apiserver.schema.Structure;
import dev.berth.apiserver.schema.WrongTypeException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Brings bodies into the shape of their kind (API-22): fields that the kind does not have are left
/// out, and the client is told, or refused, as it asked to be. A value of the wrong type is always
/// refused.
enum FieldValidation {
  IGNORE,
  WARN,
  STRICT;

  /// @param exchange its query says how strict the client wants us to be
  /// @param kind of options, such as `CreateOptions`
  static FieldValidation of(Exchange exchange, String kind) {
    return switch (exchange.query().text("fieldValidation")) {
      case "Ignore" -> IGNORE;
      case "", "Warn" -> WARN;
      case "Strict" -> STRICT;
      case String other ->
          throw TransportRefusals.invalidOption(
              kind,
              "FieldValueNotSupported",
              "fieldValidation",
              "Unsupported value: \"%s\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\""
                  .formatted(other));
    };
  }

  /// The object with the fields of its kind only.
  ObjectNode object(Exchange exchange, Served kind, Body body) {
    var resource = kind.resource();
    var object = (ObjectNode) body.json();
    if (kind.custom().isPresent()) {
      if (!body.beyond().isEmpty()) throw notReadable(resource, unreadable(body.beyond()));
      report(
          exchange,
          body,
          why -> notReadable(resource, why),
          Shaping.unknown(object, kind.custom().get()));
      return object;
    }
    var structure = Schemas.of(resource);
    if (structure.isEmpty()) return object;
    var conformance = new Conformance();
    try {
      var conforming = conformance.object(object, structure.get());
      if (!body.beyond().isEmpty())
        Numbers.beyond(conforming)
            .ifPresent(number -> {
              throw notReadable(resource, unreadable(number));
            });
      report(exchange, body, why -> notReadable(resource, why), conformance.unknownFields());
      return conforming;
    } catch (WrongTypeException wrong) {
      throw notReadable(resource, String.valueOf(wrong.getMessage()));
    }
  }

  /// A configuration that is to be applied, as it is: fields that its kind does not have are found
  /// when it is merged.
  private Patch configuration(Exchange exchange, Served kind, Body body) {
    body.duplicates().stream()
        .findFirst()
        .ifPresent(field -> reportTwice(exchange, field.substring(field.lastIndexOf('.') + 1)));
    var structure = Schemas.of(kind.resource());
    if (kind.custom().isPresent()
        || structure.isEmpty()
        || !(body.json() instanceof ObjectNode object))
      return new Patch(Patch.Type.APPLY, body.json());
    try {
      new Conformance().object(object, structure.get());
    } catch (WrongTypeException wrong) {
      throw new RefusedException(Refusals.unfit(kind.resource(), object, "." + wrong.getMessage()));
    }
    return new Patch(Patch.Type.APPLY, object);
  }

  private void reportTwice(Exchange exchange, String field) {
    var finding = "key \"" + field + "\" already set in map";
    if (this == WARN) exchange.warn(List.of(finding));
    if (this == STRICT)
      throw TransportRefusals.badRequest("error strict decoding patch: " + finding);
  }

  /// The patch with the fields of its object's kind only.
  Patch patch(Exchange exchange, Served kind, Patch.Type type, Body body) {
    if (!body.beyond().isEmpty())
      throw TransportRefusals.badRequest("error decoding patch: " + unreadable(body.beyond()));
    if (type == Patch.Type.APPLY) return configuration(exchange, kind, body);
    var resource = kind.resource();
    if (kind.custom().isPresent()) {
      // Of the operations of a JSON patch it shows only when they are carried out.
      if (body.json() instanceof ObjectNode object)
        report(
            exchange,
            body,
            FieldValidation::unfitPatch,
            Shaping.unknown(object, kind.custom().get()));
      return new Patch(type, body.json());
    }
    var structure = Schemas.of(resource);
    if (structure.isEmpty()) return new Patch(type, body.json());
    var conformance = new Conformance();
    try {
      var patch = patch(conformance, structure.get(), type, body);
      report(exchange, body, FieldValidation::unfitPatch, conformance.unknownFields());
      return patch;
    } catch (WrongTypeException wrong) {
      throw notReadable(resource, String.valueOf(wrong.getMessage()));
    }
  }

  private static Patch patch(
      Conformance conformance, Structure structure, Patch.Type type, Body body)
      throws WrongTypeException {
    return switch (body.json()) {
      case ArrayNode operations when type == Patch.Type.JSON ->
          new Patch(type, conformance.operations(operations, structure));
      case ObjectNode object when type == Patch.Type.MERGE ->
          new Patch(type, conformance.mergePatch(object, structure));
      case ObjectNode object when type == Patch.Type.STRATEGIC ->
          new Patch(type, conformance.strategicPatch(object, structure));
      default -> new Patch(type, body.json()); // no patch at all, as will be found
    };
  }

  /// @param refusal what to answer who is strict
  private void report(
      Exchange exchange,
      Body body,
      Function<String, RefusedException> refusal,
      List<String> unknown) {
    if (this == IGNORE) return;
    var findings = new ArrayList<String>();
    unknown.forEach(path -> findings.add("unknown field \"" + path + "\""));
    body.duplicates().forEach(field -> findings.add("duplicate field \"" + field + "\""));
    if (findings.isEmpty()) return;
    if (this == WARN) exchange.warn(findings);
    else
      throw refusal.apply(
          findings.stream().collect(Collectors.joining(", ", "strict decoding error: ", "")));
  }

  /// As upstream has it, but for the whole object, which it repeats there.
  private static RefusedException unfitPatch(String why) {
    var invalid = "Invalid value: the patched object: " + why;
    var cause = new Refusal.Cause("FieldValueInvalid", invalid, "patch");
    var about = new Refusal.Details("", "", "", "", List.of(cause), 0);
    return new RefusedException(
        new Refusal(422, "Invalid", " \"\" is invalid: patch: " + invalid, about));
  }

  /// What upstream says of a number, and why: clients would say the same of what was stored.
  private static String unreadable(String number) {
    return "json: cannot unmarshal number %s into Go value of type float64".formatted(number);
  }

  private static RefusedException notReadable(Resource resource, String why) {
    return TransportRefusals.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(resource.kind(), resource.version(), resource.kind(), why));
  }
}
