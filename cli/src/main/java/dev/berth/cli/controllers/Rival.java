package dev.berth.cli.controllers;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whether a kube-controller-manager lives that is kept out by no Lease of ours: two that attach
/// and detach can attach a volume to two nodes (RUN-01). No clock is compared with its: who has
/// renewed nothing between two looks lives no more.
final class Rival {
  private static final ObjectKey LEASE =
      ObjectKey.of(LeaseNames.SYSTEM, LeaseNames.CONTROLLER_MANAGER);

  private final Api api;
  private @Nullable String renewed;

  Rival(Api api) {
    this.api = api;
  }

  /// Whether it has renewed its Lease since the last look. As long as nobody can see that, nobody
  /// can write either.
  synchronized boolean acts() {
    try {
      var spec = api.get(Resources.LEASES, LEASE).path("spec");
      var before = renewed;
      renewed = Json.text(spec, "renewTime");
      return !Json.text(spec, "holderIdentity").isEmpty() && !renewed.equals(before);
    } catch (ApiException unseen) {
      return false;
    }
  }

  /// What to tell as long as it lives; empty: it does not.
  synchronized Optional<String> inTheWay() {
    try {
      var spec = api.get(Resources.LEASES, LEASE).path("spec");
      var holder = Json.text(spec, "holderIdentity");
      var before = renewed;
      renewed = Json.text(spec, "renewTime");
      return holder.isEmpty() || renewed.equals(before)
          ? Optional.empty()
          : Optional.of(
              ("nothing is attached or detached, nor done by the controllers beside that: lease %s"
                      + " is held by %s, and two that attach can attach a volume to two nodes; switch"
                      + " its volume controllers off"
                      + " (--controllers=*,-persistentvolume-attach-detach-controller,...), then start"
                      + " this with --takeover")
                  .formatted(LEASE, holder));
    } catch (ApiException refused) {
      return refused.isNotFound()
          ? Optional.empty()
          : Optional.of(
              "whether another kube-controller-manager lives cannot be seen (%s): allow get of lease %s, or start with --takeover"
                  .formatted(refused.getMessage(), LEASE));
    }
  }
}
