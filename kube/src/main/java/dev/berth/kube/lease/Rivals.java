package dev.berth.kube.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.value.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Notices that somebody else renews a Lease that only one should. The Lease is signed; each
/// renewal names the version that the last one made, so that it costs no request to see that nobody
/// has written in between.
///
/// Not safe for threads: its [Heartbeat] asks it one question at a time.
public final class Rivals {
  private final String self;
  private final Consumer<String> told;
  private final Set<String> known = new HashSet<>();
  private String version = "";
  private String renewed = "";

  /// @param self who renews it here, the same after a restart; for people, too
  /// @param told is given a sentence about each other one, once
  public Rivals(String self, Consumer<String> told) {
    this.self = self;
    this.told = told;
  }

  /// Whether nothing was written yet: what stands in the Lease may be left from before.
  boolean isNew() {
    return version.isEmpty();
  }

  void sign(ObjectNode patch) {
    var meta = patch.withObject("/metadata");
    meta.putObject("annotations").put(Annotations.LEASE_SIGNED, self);
    if (!version.isEmpty()) meta.put("resourceVersion", version);
  }

  void wrote(JsonNode lease) {
    version = Json.text(lease.path("metadata"), "resourceVersion");
    renewed = Json.text(lease.path("spec"), "renewTime");
  }

  private static Optional<Instant> time(JsonNode spec) {
    try {
      return Json.instant(spec, "renewTime");
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  /// What stands there before we write, and is not what we wrote last.
  void look(JsonNode lease, Duration term, Instant now) {
    boolean first = isNew();
    version = "";
    var spec = lease.path("spec");
    var by = Json.text(lease.path("metadata").path("annotations"), Annotations.LEASE_SIGNED);
    var time = time(spec);
    if (Json.text(spec, "holderIdentity").isEmpty() || time.isEmpty()) return;
    if (Json.text(spec, "renewTime").equals(renewed)) return; // somebody has changed something else
    if (!now.isBefore(time.get().plus(term)) || (first && by.equals(self))) return;
    var who = by.isEmpty() || by.equals(self) ? "one that does not sign it" : by;
    if (first)
      told.accept(
          "its Lease was renewed %d s ago by another agent, %s: if that one still runs, end one of the two"
              .formatted(Math.max(0, Duration.between(time.get(), now).toSeconds()), who));
    else if (known.add(who))
      told.accept(
          "another agent works under its name, too, and renews its Lease: %s. Each undoes what the other does: end one of the two"
              .formatted(who));
  }
}
