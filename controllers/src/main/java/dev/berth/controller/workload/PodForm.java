package dev.berth.controller.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;

/// The pod that a template describes.
public final class PodForm {
  private PodForm() {}

  /// A pod of `owner`: labels, annotations, finalizers and `spec` are the template's.
  public static ObjectNode of(JsonNode template, Workload owner, ObjectKey key) {
    var pod = JsonNodeFactory.instance.objectNode();
    var meta = pod.putObject("metadata");
    meta.put("namespace", key.namespace()).put("name", key.name());
    var from = template.path("metadata");
    var labels = meta.putObject("labels");
    Json.texts(from.path("labels")).forEach(labels::put);
    for (var field : new String[] {"annotations", "finalizers"})
      if (!from.path(field).isEmpty()) meta.set(field, from.path(field).deepCopy());
    meta.putArray("ownerReferences").add(Owned.reference(owner));
    pod.set("spec", template.path("spec").deepCopy());
    return pod;
  }

  /// Gives it a label.
  public static void label(ObjectNode pod, String key, String value) {
    pod.withObject("/metadata/labels").put(key, value);
  }
}
