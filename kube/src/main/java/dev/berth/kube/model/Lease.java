package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A Lease: that somebody is at work, for as long as he renews it.
///
/// @param holder who; empty: he has given it up
/// @param acquired since when he has had it; empty: not said
/// @param duration how long one renewal holds
/// @param renewed the last renewal; empty: there was none
public record Lease(
    Meta meta,
    String holder,
    Optional<Instant> acquired,
    Duration duration,
    Optional<Instant> renewed)
    implements KubeObject {
  /// A renewal may be late, and clocks differ: only after twice its time a lease says that nobody
  /// is there (XPL-08).
  private static final int PATIENCE = 2;

  static Lease of(JsonNode object) {
    var spec = object.path("spec");
    return new Lease(
        Meta.of(object),
        Json.text(spec, "holderIdentity"),
        Json.instant(spec, "acquireTime"),
        Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()),
        Json.instant(spec, "renewTime"));
  }

  public Ref ref() {
    return Ref.of(Resources.LEASES, meta);
  }

  /// Whether its holder is at work, as far as can be told from here.
  public boolean isHeld(Instant now) {
    return !holder.isEmpty()
        && renewed.filter(at -> now.isBefore(at.plus(duration.multipliedBy(PATIENCE)))).isPresent();
  }
}
