package dev.berth.apiserver.core.custom;

import dev.berth.apiserver.core.managed.BuiltIn;
import dev.berth.apiserver.core.managed.Form;
import dev.berth.apiserver.core.managed.Form.Declared;
import dev.berth.kube.value.Json;
import java.util.LinkedHashMap;
import java.util.Optional;

/// How the parts of a custom object are owned, as its schema says (API-78).
final class Forms {
  private Forms() {}

  /// Of a whole object: what all have beside what the schema says.
  static Form ofKind(Structural schema) {
    return object(schema, true);
  }

  private static Form of(Structural schema) {
    if (schema.intOrString()) return Form.WHOLE;
    return switch (schema.type()) {
      case "object" -> object(schema, schema.embedded());
      case "array" -> list(schema);
      case "" -> schema.preserve() ? Form.OPEN : Form.WHOLE;
      default -> Form.WHOLE;
    };
  }

  private static Form object(Structural schema, boolean whole) {
    if (!whole && schema.word("x-kubernetes-map-type").equals("atomic")) return Form.WHOLE;
    var declared = new LinkedHashMap<String, Declared>();
    schema
        .properties()
        .forEach((name, property) -> declared.put(name, new Declared(of(property), false)));
    if (whole) {
      declared.put("apiVersion", new Declared(Form.WHOLE, false));
      declared.put("kind", new Declared(Form.WHOLE, false));
      declared.put("metadata", new Declared(BuiltIn.metadata(), false));
    }
    var others = schema.additional().map(Forms::of);
    return new Form.Fields(
        declared, others.isEmpty() && schema.preserve() ? Optional.of(Form.OPEN) : others);
  }

  private static Form list(Structural schema) {
    var items = schema.items();
    if (items.isEmpty()) return Form.WHOLE;
    return switch (schema.word("x-kubernetes-list-type")) {
      case "set" -> new Form.Values();
      case "map" ->
          new Form.Keyed(
              Json.list(
                  schema.source().path("x-kubernetes-list-map-keys"),
                  key -> key(items.get(), key.asText())),
              of(items.get()));
      default -> Form.WHOLE;
    };
  }

  private static Form.Key key(Structural items, String name) {
    var property = items.properties().get(name);
    return new Form.Key(name, property == null ? Structural.ANY.initial() : property.initial());
  }
}
