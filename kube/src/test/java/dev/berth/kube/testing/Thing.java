package dev.berth.kube.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;

/// A kind with one field, for tests of what does not care about kinds.
public record Thing(Meta meta, String color) implements KubeObject {
  public static final Kind<Thing> KIND =
      new Kind<>(new Resource("test", "v1", "things", "Thing", true), Thing::of);
  public static final Kind<Thing> OTHER =
      new Kind<>(new Resource("test", "v1", "others", "Other", true), Thing::of);

  static Thing of(JsonNode tree) {
    return new Thing(Meta.of(tree), Json.text(tree, "color"));
  }

  public static ObjectKey key(String name) {
    return ObjectKey.of("ns", name);
  }

  public static ObjectNode thing(String name, String color) {
    var thing = JsonNodeFactory.instance.objectNode().put("color", color);
    thing.putObject("metadata").put("namespace", "ns").put("name", name);
    return thing;
  }

  public static ObjectNode color(String color) {
    return JsonNodeFactory.instance.objectNode().put("color", color);
  }
}
