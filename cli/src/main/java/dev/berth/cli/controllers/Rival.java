package dev.berth.cli.controllers;

import com.fasterxml.jackson.databind.JsonNode;
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
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final Api api;
  private @Nullable String renewed;

  Rival(Api api) {
    this.api = api;
  }

  /// Whether it has renewed its Lease since the last look. Only a Lease that was read tells that it
  /// has not: it may well write while we cannot read.
  synchronized Sight look() {
    try {
      return seen(api.get(Resources.LEASES, LEASE).path("spec"));
    } catch (ApiException refused) {
      if (refused.isNotFound()) return new Sight.Silent();
      var why =
          "whether another kube-controller-manager lives cannot be seen (%s)"
              .formatted(refused.getMessage());
      return switch (refused.code()) {
        case UNAUTHORIZED, FORBIDDEN -> // and that may stay so for ever
            new Sight.Acts(
                "%s: allow get of lease %s, or start with --takeover".formatted(why, LEASE));
        default -> new Sight.Unseen(why);
      };
    }
  }

  private Sight seen(JsonNode spec) {
    var holder = Json.text(spec, "holderIdentity");
    var before = renewed;
    renewed = Json.text(spec, "renewTime");
    return holder.isEmpty() || renewed.equals(before)
        ? new Sight.Silent()
        : new Sight.Acts(
            ("nothing is attached or detached, nor done by the controllers beside that: lease %s is"
                 + " held by %s, and two that attach can attach a volume to two nodes; switch its"
                 + " volume controllers off"
                 + " (--controllers=*,-persistentvolume-attach-detach-controller,...), then start"
                 + " this with --takeover")
                .formatted(LEASE, holder));
  }

  /// What to tell as long as nobody should begin beside it; empty: it does not live.
  Optional<String> inTheWay() {
    return switch (look()) {
      case Sight.Acts(var why) -> Optional.of(why);
      case Sight.Unseen(var why) -> Optional.of(why);
      case Sight.Silent() -> Optional.empty();
    };
  }
}
