package dev.berth.apiserver;

import dev.berth.apiserver.core.Core;
import dev.berth.apiserver.core.EventExpiry;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.core.Outcome;
import dev.berth.apiserver.core.Sweep;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;

/// What the server does without being asked: old events go, and namespaces that are being deleted
/// are emptied and say what is left in them. It is done in pieces, one with each commit, so that
/// nobody's write waits for long. For the writer's thread only.
///
/// It remembers what is to do, and makes it out again from the state whenever a piece was not
/// stored.
final class Upkeep {
  private static final Duration BETWEEN_EXPIRIES = Duration.ofMinutes(1);
  private static final Duration BETWEEN_TELLINGS = Duration.ofSeconds(1);

  private static final Answer NOBODY_ASKED =
      new Answer.Page(0, List.of(), "", OptionalLong.empty());

  private final Ids ids;
  private final Queue<Sweep> sweeps = new ArrayDeque<>();

  /// The namespaces that are being deleted, and whether what they say of themselves may be old.
  private final Map<String, Boolean> stale = new HashMap<>();

  private final EventExpiry events = new EventExpiry();

  /// Whether there are more to look at.
  private boolean oldEvents;

  private Instant nextExpiry;
  private Instant nextTelling;

  Upkeep(State state, Instant now, Ids ids) {
    this.ids = ids;
    this.nextExpiry = now.plus(BETWEEN_EXPIRIES);
    this.nextTelling = now;
    startOver(state);
    events.startOver(state);
    oldEvents = false;
  }

  /// Whether there is a piece to do at once.
  boolean due() {
    return oldEvents || !sweeps.isEmpty();
  }

  /// How long nothing needs to be done.
  Duration idle() {
    if (due()) return Duration.ZERO;
    return stale.containsValue(true) ? BETWEEN_TELLINGS : BETWEEN_EXPIRIES;
  }

  /// Does the next piece, if one is due.
  Outcome next(State state, Instant now) {
    var written = new ArrayList<Written>();
    var after = take(expire(state, now), written);
    after = take(sweep(after, now), written);
    after = take(tell(after, now), written);
    return new Outcome(after, NOBODY_ASKED, written);
  }

  private static State take(Outcome outcome, List<Written> written) {
    written.addAll(outcome.written());
    return outcome.state();
  }

  private Outcome expire(State state, Instant now) {
    if (!oldEvents && now.isBefore(nextExpiry)) return done(state);
    nextExpiry = now.plus(BETWEEN_EXPIRIES);
    var outcome = events.next(state, now, ids);
    oldEvents = events.due(now);
    return outcome;
  }

  private Outcome sweep(State state, Instant now) {
    var sweep = sweeps.poll();
    if (sweep == null) return done(state);
    var piece = Core.sweep(state, sweep, now, ids);
    piece.rest().ifPresent(sweeps::add);
    return piece.outcome();
  }

  private Outcome tell(State state, Instant now) {
    if (now.isBefore(nextTelling) || !stale.containsValue(true)) return done(state);
    nextTelling = now.plus(BETWEEN_TELLINGS);
    var written = new ArrayList<Written>();
    var after = state;
    for (var namespace : stale.entrySet()) {
      if (!namespace.getValue()) continue;
      namespace.setValue(false);
      after = take(Core.tellWhatIsLeft(after, namespace.getKey(), now, ids), written);
    }
    return new Outcome(after, NOBODY_ASKED, written);
  }

  private static Outcome done(State state) {
    return new Outcome(state, NOBODY_ASKED, List.of());
  }

  /// Notes what was stored.
  void note(State state, List<Written> written, Instant now) {
    events.stored();
    for (var each : written) {
      events.note(each, now);
      Sweep.begun(state, each).ifPresent(sweeps::add);
      if (each.resource().equals(Resources.NAMESPACES)) {
        var name = each.key().name();
        if (each instanceof Written.Removed) stale.remove(name);
        else if (Sweep.begun(state, each).isPresent()) stale.put(name, true);
      } else if (!stale.isEmpty() && each.resource().namespaced()) {
        stale.computeIfPresent(each.key().namespace(), (_, _) -> true);
      }
    }
  }

  /// Forgets what was done since `state`.
  void startOver(State state) {
    stale.clear();
    sweeps.clear();
    events.notStored();
    oldEvents = true; // they make room, if that is what was lacking
    sweeps.addAll(Sweep.due(state));
    for (var namespace : Sweep.namespacesThatGo(state)) stale.put(namespace, true);
  }
}
