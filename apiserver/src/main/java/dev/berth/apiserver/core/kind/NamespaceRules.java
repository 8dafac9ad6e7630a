package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.kube.value.Json;
import java.time.Instant;

/// Namespaces (API-89): their own finalizers change only by `/finalize`.
final class NamespaceRules implements Rules {
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  @Override
  public Names names() {
    return Names.LABEL;
  }

  @Override
  public void setDefaults(ObjectNode namespace) {
    var meta = Trees.objectAt(namespace, "metadata");
    var name = Json.text(meta, "name");
    if (!name.isEmpty()) Trees.objectAt(meta, "labels").put(NAME_LABEL, name);
  }

  @Override
  public void start(ObjectNode namespace, Instant now) {
    namespace.putObject("status").put("phase", "Active");
    namespace.putObject("spec").putArray("finalizers").add("kubernetes");
    setDefaults(namespace);
  }

  @Override
  public void change(ObjectNode namespace, ObjectNode stored) {
    Trees.restore(namespace, stored, "spec");
  }
}
