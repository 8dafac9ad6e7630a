package dev.berth.controller;

import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Resources;

/// First write of binding: a volume names a claim (BIND-30, SCHED-16). Of two who reserve one
/// volume at the same time, one gets a conflict (RACE-01).
public record Reservation(Revision volume, Revision claim, ChosenBy chosenBy) {
  /// Who chose the partner.
  public enum ChosenBy {
    /// A controller: it may undo the choice.
    CONTROLLER,
    /// A person, or whoever made the object.
    AUTHOR
  }

  /// Patch of the volume.
  public Patch patch() {
    return volume.patch(body -> {
      body.withObject("/spec")
          .putObject("claimRef")
          .put("kind", Resources.CLAIMS.kind())
          .put("apiVersion", Resources.CLAIMS.apiVersion())
          .put("namespace", claim.key().namespace())
          .put("name", claim.key().name())
          .put("uid", claim.uid())
          .put("resourceVersion", claim.resourceVersion());
      if (chosenBy == ChosenBy.CONTROLLER)
        body.withObject("/metadata/annotations").put(Annotations.BOUND_BY_CONTROLLER, "yes");
    });
  }
}
