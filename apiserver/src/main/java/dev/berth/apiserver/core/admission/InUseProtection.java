package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.Map;

/// StorageObjectInUseProtection (API-112).
final class InUseProtection implements Plugin {
  private static final Map<Resource, String> FINALIZERS =
      Map.of(
          Resources.CLAIMS, Finalizers.PVC_PROTECTION,
          Resources.VOLUMES, Finalizers.PV_PROTECTION,
          Resources.ATTRIBUTES_CLASSES, Finalizers.VAC_PROTECTION);

  @Override
  public void complete(Attempt attempt) {
    var finalizer = FINALIZERS.get(attempt.resource());
    if (finalizer == null || attempt.before().isPresent()) return;
    if (!(attempt.object().get("metadata") instanceof ObjectNode meta)) return;
    var finalizers = meta.withArray("finalizers");
    for (var each : finalizers) if (each.asText().equals(finalizer)) return;
    finalizers.add(finalizer);
  }
}
