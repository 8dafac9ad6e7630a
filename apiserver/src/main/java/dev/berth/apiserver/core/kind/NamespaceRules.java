package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.kube.value.Json;
import java.time.Instant;

/// Namespaces (API-89): their own finalizers change only by `/finalize`.
public final class NamespaceRules implements Rules {
  /// Of whoever ends what is in it.
  public static final String FINALIZER = "kubernetes";

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
    var wanted = Json.list(namespace.path("spec").path("finalizers"), JsonNode::asText);
    var finalizers = namespace.putObject("spec").putArray("finalizers");
    wanted.forEach(finalizers::add);
    if (!wanted.contains(FINALIZER)) finalizers.add(FINALIZER);
    setDefaults(namespace);
  }

  @Override
  public void change(ObjectNode namespace, ObjectNode stored) {
    Trees.restore(namespace, stored, "spec");
  }
}
