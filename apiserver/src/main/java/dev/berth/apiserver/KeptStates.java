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
/// the latest state all that has not changed since. Those that were made again share with nobody
/// what has: they are few, and are made once more if need be.
final class KeptStates {
  private static final int MOST = 64;
  private static final int MOST_AGAIN = 4;

  /// In bytes of JSON, of all that were made again, however few they are: but one is kept.
  private static final long LARGEST =
      Math.clamp(Runtime.getRuntime().maxMemory() / 32, 4L << 20, 64L << 20);

  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final InstantSource clock;
  private final Map<Moment, Kept> states = new LinkedHashMap<>(16, 0.75f, true);

  /// @param of the only kind whose objects are as they were then; empty: all are
  private record Moment(long revision, Optional<Resource> of) {}

  /// @param again bytes of JSON that only it has
  private record Kept(State state, Instant since, long again) {}

  KeptStates(InstantSource clock) {
    this.clock = clock;
  }

  /// Keeps one in which all is as it was at its revision.
  void keep(State state) {
    keep(new Moment(state.revision(), Optional.empty()), state, 0);
  }

  /// Keeps one that was made again, in which only the objects of one kind are.
  ///
  /// @param bytes of JSON that it does not share with the latest
  void keep(Resource resource, State state, long bytes) {
    keep(new Moment(state.revision(), Optional.of(resource)), state, bytes);
  }

  private synchronized void keep(Moment moment, State state, long again) {
    states.putIfAbsent(moment, new Kept(state, clock.instant(), again));
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
    forgetAgain();
    var oldest = clock.instant().minus(LONGEST);
    Iterator<Kept> kept = states.values().iterator();
    while (kept.hasNext()) {
      boolean tooOld = kept.next().since.isBefore(oldest);
      if (tooOld || states.size() > MOST) kept.remove();
    }
  }

  private void forgetAgain() {
    long count = states.values().stream().filter(kept -> kept.again > 0).count();
    long bytes = states.values().stream().mapToLong(Kept::again).sum();
    Iterator<Kept> all = states.values().iterator();
    while (count > MOST_AGAIN || (count > 1 && bytes > LARGEST)) {
      var kept = all.next();
      if (kept.again == 0) continue;
      all.remove();
      count--;
      bytes -= kept.again;
    }
  }
}
