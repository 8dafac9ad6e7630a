package dev.berth.apiserver;

import dev.berth.apiserver.core.state.State;
import dev.berth.kube.object.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// States that a client is still reading page by page (API-52): those read last. Each shares with
/// the latest state all that has not changed since.
final class KeptStates {
  private static final int MOST = 64;
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final InstantSource clock;
  private final Map<Moment, Kept> states = new LinkedHashMap<>(16, 0.75f, true);

  /// @param of the only kind whose objects are as they were then; empty: all are
  private record Moment(long revision, Optional<Resource> of) {}

  private record Kept(State state, Instant since) {}

  KeptStates(InstantSource clock) {
    this.clock = clock;
  }

  /// Keeps one in which all is as it was at its revision.
  void keep(State state) {
    keep(new Moment(state.revision(), Optional.empty()), state);
  }

  /// Keeps one in which only the objects of one kind are.
  void keep(Resource resource, State state) {
    keep(new Moment(state.revision(), Optional.of(resource)), state);
  }

  private synchronized void keep(Moment moment, State state) {
    states.putIfAbsent(moment, new Kept(state, clock.instant()));
    forgetOld();
  }

  synchronized Optional<State> at(Resource resource, long revision) {
    forgetOld();
    return Optional.ofNullable(states.get(new Moment(revision, Optional.empty())))
        .or(() -> Optional.ofNullable(states.get(new Moment(revision, Optional.of(resource)))))
        .map(Kept::state);
  }

  /// Their memory is needed for others.
  synchronized void letGo() {
    states.clear();
  }

  private void forgetOld() {
    var oldest = clock.instant().minus(LONGEST);
    Iterator<Kept> kept = states.values().iterator();
    while (kept.hasNext()) {
      boolean tooOld = kept.next().since.isBefore(oldest);
      if (tooOld || states.size() > MOST) kept.remove();
    }
  }
}
