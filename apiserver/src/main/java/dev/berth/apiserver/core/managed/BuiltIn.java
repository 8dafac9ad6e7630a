package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.core.managed.Form.Declared;
import dev.berth.apiserver.core.managed.Form.Key;
import dev.berth.apiserver.schema.Schema;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.apiserver.schema.Structure;
import dev.berth.apiserver.schema.Topology;
import dev.berth.apiserver.schema.Wire;
import dev.berth.kube.object.Resource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Forms of the built-in kinds, from their table.
public final class BuiltIn {
  private static final Map<Resource, Form> KINDS = new ConcurrentHashMap<>();

  /// Of every object of whatever kind.
  private static final class Metadata {
    private static final Form FORM =
        new BuiltIn().of(Schemas.structure("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"));
  }

  /// By qualified name: structures contain themselves.
  private final Map<String, Form> structures = new HashMap<>();

  private BuiltIn() {}

  public static Form of(Resource resource) {
    return KINDS.computeIfAbsent(
        resource,
        _ -> Schemas.of(resource).map(structure -> new BuiltIn().of(structure)).orElse(Form.OPEN));
  }

  /// Of the metadata of an object.
  public static Form metadata() {
    return Metadata.FORM;
  }

  private Form of(Structure structure) {
    var known = structures.get(structure.qualifiedName());
    if (known != null) return known;
    var declared = new LinkedHashMap<String, Declared>();
    var form = new Form.Fields(declared, Optional.empty());
    structures.put(structure.qualifiedName(), form);
    for (var field : structure.fields())
      declared.put(field.name(), new Declared(of(field), isPresent(field)));
    return form;
  }

  /// Structures whose absence cannot be told from their being empty, and lists and maps that are
  /// always written, are there before anybody puts something in.
  private static boolean isPresent(Structure.Field field) {
    return switch (field.schema()) {
      case Reference _ -> field.wire().zero() == Wire.Zero.ABSENT;
      case ListOf _, MapOf _ -> field.required();
      case Scalar _ -> false;
    };
  }

  private Form of(Structure.Field field) {
    return switch (field.topology()) {
      case Topology.Plain() -> of(field.schema());
      case Topology.Atomic() -> Form.WHOLE;
      case Topology.SetOf() -> new Form.Values();
      case Topology.KeyedBy(var keys) -> keyed(keys, field.schema());
    };
  }

  private Form of(Schema schema) {
    return switch (schema) {
      case Reference(var name) -> {
        var structure = Schemas.structure(name);
        yield structure.atomic() ? Form.WHOLE : of(structure);
      }
      case ListOf _ -> Form.WHOLE;
      case MapOf(var value) -> new Form.Fields(Map.of(), Optional.of(of(value)));
      case Scalar _ -> Form.WHOLE;
    };
  }

  private Form keyed(List<String> keys, Schema list) {
    if (!(list instanceof ListOf(Reference(var name)))) return Form.WHOLE;
    var element = Schemas.structure(name);
    return new Form.Keyed(
        keys.stream().map(key -> new Key(key, standIn(element, key))).toList(),
        element.atomic() ? Form.WHOLE : of(element));
  }

  private static JsonNode standIn(Structure element, String key) {
    return element.field(key).map(BuiltIn::standIn).orElse(MissingNode.getInstance());
  }

  /// Fields that are always written are empty where they were left out.
  private static JsonNode standIn(Structure.Field field) {
    if (!field.standIn().isEmpty()) return TextNode.valueOf(field.standIn());
    if (!field.required()) return MissingNode.getInstance();
    return switch (field.schema()) {
      case Scalar.STRING -> TextNode.valueOf("");
      case Scalar.INT32, Scalar.INT64 -> IntNode.valueOf(0);
      default -> MissingNode.getInstance();
    };
  }
}
