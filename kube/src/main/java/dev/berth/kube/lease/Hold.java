package dev.berth.kube.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// What a Lease says of who has it, as client-go's elections write it (API-138).
///
/// @param holder who; empty: nobody
/// @param term how long a renewal holds
/// @param acquired when the holder took it, empty if it says nothing; its own words, as only a
///   change of them counts
/// @param renewed the last renewal, likewise
/// @param transitions how often it has changed hands
record Hold(String holder, Duration term, String acquired, String renewed, int transitions) {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  static final Hold NOBODY = new Hold("", Duration.ZERO, "", "", 0);

  static Hold of(JsonNode lease) {
    var spec = lease.path("spec");
    return new Hold(
        Json.text(spec, "holderIdentity"),
        Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()),
        Json.text(spec, "acquireTime"),
        Json.text(spec, "renewTime"),
        spec.path("leaseTransitions").asInt());
  }

  /// What it says when `candidate` has it from `now` on, or has it still.
  Hold takenBy(String candidate, Duration term, Instant now) {
    var time = MICROS.format(now);
    return holder.equals(candidate)
        ? new Hold(candidate, term, acquired.isEmpty() ? time : acquired, time, transitions)
        : new Hold(candidate, term, time, time, renewed.isEmpty() ? 0 : transitions + 1);
  }

  /// What it says when its holder gives it up: a second, as it may not be none.
  Hold givenUp(Instant now) {
    var time = MICROS.format(now);
    return new Hold("", Duration.ofSeconds(1), time, time, transitions);
  }

  /// Writes it into a Lease, beside what others have there.
  void into(ObjectNode lease) {
    var spec = lease.withObject("spec");
    spec.put("holderIdentity", holder)
        .put("leaseDurationSeconds", term.toSeconds())
        .put("acquireTime", acquired)
        .put("renewTime", renewed)
        .put("leaseTransitions", transitions);
  }

  /// A Lease that does not exist yet.
  ObjectNode newLease(ObjectKey key) {
    var lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", Resources.LEASES.apiVersion()).put("kind", Resources.LEASES.kind());
    lease.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
    into(lease);
    return lease;
  }

  /// A moment in the form that a Lease has it: six fractional digits.
  static String time(Instant moment) {
    return MICROS.format(moment);
  }
}
