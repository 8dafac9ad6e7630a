package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.util.Optional;

/// PersistentVolumeClaimResize: only a bound claim of a class that allows it grows (API-113).
final class ClaimResize implements Plugin {
  @Override
  public void validate(Attempt attempt) {
    if (!attempt.resource().equals(Resources.CLAIMS) || attempt.before().isEmpty()) return;
    var before = attempt.before().get().object();
    var size = request(attempt.object());
    var old = request(before);
    if (size.isEmpty() || old.isEmpty() || size.get().compareTo(old.get()) <= 0) return;
    if (!Json.text(before.path("status"), "phase").equals("Bound"))
      throw attempt.forbidden("Only bound persistent volume claims can be expanded");
    if (!mayExpand(attempt.state(), before))
      throw attempt.forbidden(
          "only dynamically provisioned pvc can be resized and the storageclass that"
              + " provisions the pvc must support resize");
  }

  private static boolean mayExpand(State state, JsonNode claim) {
    var annotations = claim.path("metadata").path("annotations");
    var name =
        Json.optionalText(annotations, Annotations.BETA_STORAGE_CLASS)
            .orElse(Json.text(claim.path("spec"), "storageClassName"));
    return state
        .get(Resources.STORAGE_CLASSES, ObjectKey.cluster(name))
        .filter(found -> found.object().path("allowVolumeExpansion").asBoolean())
        .isPresent();
  }

  private static Optional<Quantity> request(JsonNode claim) {
    return Json.quantity(claim.path("spec").path("resources").path("requests"), "storage");
  }
}
