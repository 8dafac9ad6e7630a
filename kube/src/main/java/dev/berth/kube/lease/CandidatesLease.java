package dev.berth.kube.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The Lease as one candidate knows and writes it. Nobody's clock is compared with anybody else's:
/// how long it holds for another counts from when the candidate saw it change, by a clock that
/// nobody sets: it may stand still while the machine sleeps, and a candidate then waits for longer.
/// Safe for threads; nothing is called with its lock held but the log and [Time].
final class CandidatesLease {
  private static final Logger log = LoggerFactory.getLogger(Election.class);

  private final Api api;
  private final ObjectKey key;
  private final String identity;
  private final Map<String, String> labels;
  private final Duration term;
  private final Time time;

  // Guarded by this.
  private Hold seen = Hold.NOBODY;
  private Duration seenAt; // as Time#elapsed has it
  private Optional<ObjectNode> latest = Optional.empty(); // as last seen or written

  /// @param labels that it gets when it is taken, beside those that it has
  /// @param term how long it is to hold
  CandidatesLease(
      Api api,
      ObjectKey key,
      String identity,
      Map<String, String> labels,
      Duration term,
      Time time) {
    this.api = api;
    this.key = key;
    this.identity = identity;
    this.labels = Map.copyOf(labels);
    this.term = term;
    this.time = time;
    seenAt = time.elapsed();
  }

  /// What came of an attempt to take it.
  enum Outcome {
    OURS,
    /// Another one's, as far as it was seen.
    OTHERS,
    /// Somebody was quicker; whose it is the next look tells.
    UNKNOWN
  }

  /// As last seen or written; empty: never.
  synchronized Optional<ObjectNode> latest() {
    return latest;
  }

  /// Who had it when it was last seen; empty: nobody.
  synchronized String holder() {
    return seen.holder();
  }

  /// Whether it holds for another. Whoever has not renewed it for as long as it holds counts for
  /// nobody.
  synchronized boolean isOthers() {
    return isOthers(seen);
  }

  private synchronized boolean isOthers(Hold hold) {
    return !hold.holder().isEmpty()
        && !hold.holder().equals(identity)
        && time.elapsed().compareTo(seenAt.plus(hold.term())) < 0;
  }

  /// Takes it, or renews it, if nobody else has it.
  ///
  /// @param leads whether it is ours: then it is renewed without being read
  Outcome take(Instant now, BooleanSupplier leads) {
    var current = leads.getAsBoolean() ? latest() : read();
    if (current.isEmpty()) return make(now);
    var hold = observe(current.get());
    if (isOthers(hold)) return Outcome.OTHERS;
    var mine = current.get().deepCopy();
    hold.takenBy(identity, term, now).into(mine);
    try {
      observe(api.update(Resources.LEASES, labelled(mine)));
      return Outcome.OURS;
    } catch (ApiException refused) {
      if (!(refused instanceof ApiException.LostRace) && !refused.isNotFound()) throw refused;
      return leads.getAsBoolean() ? renewAnew(now) : Outcome.UNKNOWN;
    }
  }

  /// Our own copy was old, as when somebody else wrote a label: what counts is who has it.
  private Outcome renewAnew(Instant now) {
    var current = read();
    if (current.isEmpty()) return make(now);
    var hold = observe(current.get());
    if (!hold.holder().equals(identity)) return Outcome.OTHERS;
    hold.takenBy(identity, term, now).into(current.get());
    observe(api.update(Resources.LEASES, labelled(current.get())));
    return Outcome.OURS;
  }

  private Outcome make(Instant now) {
    var hold = Hold.NOBODY.takenBy(identity, term, now);
    try {
      observe(api.create(Resources.LEASES, labelled(hold.newLease(key))));
      return Outcome.OURS;
    } catch (ApiException.LostRace lost) {
      return Outcome.UNKNOWN;
    }
  }

  private ObjectNode labelled(ObjectNode lease) {
    labels.forEach((name, value) -> lease.withObject("/metadata/labels").put(name, value));
    return lease;
  }

  private Optional<ObjectNode> read() {
    try {
      return Optional.of(api.get(Resources.LEASES, key));
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      return Optional.empty();
    }
  }

  /// Gives it up, as it is known to be ours.
  void giveUp(ObjectNode held) {
    var free = held.deepCopy();
    Hold.of(held).givenUp(time.now()).into(free);
    try {
      api.update(Resources.LEASES, free);
    } catch (ApiException failed) {
      log.warn("lease {} was not given up, and runs out: {}", key, failed.getMessage());
    }
  }

  /// It has changed, or is told of once more.
  ///
  /// @return empty: a late echo of what is known
  Optional<Hold> heard(ObjectNode current) {
    if (latest().filter(known -> isOlder(current, known)).isPresent()) return Optional.empty();
    return Optional.of(observe(current));
  }

  /// Versions are decimal numbers (API-43).
  private static boolean isOlder(ObjectNode one, ObjectNode other) {
    var a = Meta.of(one).resourceVersion();
    var b = Meta.of(other).resourceVersion();
    return a.length() != b.length() ? a.length() < b.length() : a.compareTo(b) < 0;
  }

  private synchronized Hold observe(ObjectNode current) {
    var hold = Hold.of(current);
    latest = Optional.of(current);
    if (!hold.equals(seen)) {
      if (!hold.holder().equals(seen.holder()) && !hold.holder().equals(identity))
        log.info("lease {} is held by {}", key, hold.holder().isEmpty() ? "nobody" : hold.holder());
      seen = hold;
      seenAt = time.elapsed();
    }
    return hold;
  }
}
