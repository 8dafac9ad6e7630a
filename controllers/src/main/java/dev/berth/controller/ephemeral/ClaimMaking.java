package dev.berth.controller.ephemeral;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.Means;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Resources;

/// Makes claims.
record ClaimMaking(Means means) implements Effects<MakeClaim> {
  /// Whoever took the name meanwhile wins: the next look says so (EPH-03). Whatever else keeps the
  /// claim from being made stands on no claim: the pod's author has to hear of it (API-11).
  @Override
  public void carryOut(MakeClaim effect) {
    var claim = JsonNodeFactory.instance.objectNode();
    var meta = claim.putObject("metadata");
    for (var part : new String[] {"labels", "annotations"})
      if (effect.template().path("metadata").hasNonNull(part))
        meta.set(part, effect.template().path("metadata").path(part));
    meta.put("namespace", effect.claim().namespace()).put("name", effect.claim().name());
    meta.putArray("ownerReferences")
        .addObject()
        .put("apiVersion", Resources.PODS.apiVersion())
        .put("kind", Resources.PODS.kind())
        .put("name", effect.pod().key().name())
        .put("uid", effect.pod().uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
    claim.set("spec", effect.template().path("spec"));
    try {
      means.metrics().makingClaim(() -> means.api().create(Resources.CLAIMS, claim));
    } catch (ApiException.LostRace taken) {
      throw taken;
    } catch (ApiException refused) {
      means
          .events()
          .tell(
              Notice.warning(
                  effect.pod(),
                  Reasons.FAILED_BINDING,
                  "ephemeral volume %s: create PVC %s: %s"
                      .formatted(effect.volume(), effect.claim().name(), refused.getMessage())));
      throw refused;
    }
  }
}
