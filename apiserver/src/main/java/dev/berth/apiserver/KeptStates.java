package dev.berth.apiserver;

import dev.berth.apiserver.core.state.State;
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
  private final Map<Long, Kept> states = new LinkedHashMap<>(16, 0.75f, true);

  private record Kept(State state, Instant since) {}

  KeptStates(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void keep(State state) {
    states.putIfAbsent(state.revision(), new Kept(state, clock.instant()));
    forgetOld();
  }

  synchronized Optional<State> at(long revision) {
    forgetOld();
    return Optional.ofNullable(states.get(revision)).map(Kept::state);
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
