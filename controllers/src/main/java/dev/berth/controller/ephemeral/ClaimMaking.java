package dev.berth.controller.ephemeral;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.ControllerMetrics;
import dev.berth.kube.api.Api;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.object.Resources;

/// Makes claims.
record ClaimMaking(Api api, ControllerMetrics metrics) implements Effects<MakeClaim> {
  /// Whoever took the name meanwhile wins: the next look says so (EPH-03).
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
    metrics.makingClaim(() -> api.create(Resources.CLAIMS, claim));
  }
}
