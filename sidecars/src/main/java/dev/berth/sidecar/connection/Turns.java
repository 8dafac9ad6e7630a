package dev.berth.sidecar.connection;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// One call at a time for each volume, whichever loop makes it: many a back end answers `ABORTED`
/// to a second one, and the pause after that is longer than the turn (ONE-17, RSZ-95).
public final class Turns {
  private final Map<String, Turn> turns = new HashMap<>();

  private static final class Turn {
    private final Semaphore free = new Semaphore(1, true);

    /// Guarded by the map.
    private int wanted;
  }

  /// Makes the call when it is its turn.
  ///
  /// @param volume the driver's handle
  public <T> T take(String volume, Supplier<T> call) throws InterruptedException {
    return takeInOrder(List.of(volume), call);
  }

  /// Makes the call when it is its turn at each of the volumes, which are waited for in one order,
  /// so that two calls never wait for each other.
  public <T> T take(List<String> volumes, Supplier<T> call) throws InterruptedException {
    var ordered = volumes.stream().sorted().distinct().toList();
    return takeInOrder(ordered, call);
  }

  private <T> T takeInOrder(List<String> volumes, Supplier<T> call) throws InterruptedException {
    if (volumes.isEmpty()) return call.get();
    var turn = want(volumes.getFirst());
    try {
      turn.free.acquire();
      try {
        return takeInOrder(volumes.subList(1, volumes.size()), call);
      } finally {
        turn.free.release();
      }
    } finally {
      leave(volumes.getFirst(), turn);
    }
  }

  private Turn want(String volume) {
    synchronized (turns) {
      var turn = turns.computeIfAbsent(volume, _ -> new Turn());
      turn.wanted++;
      return turn;
    }
  }

  private void leave(String volume, Turn turn) {
    synchronized (turns) {
      if (--turn.wanted == 0) turns.remove(volume);
    }
  }

  /// How many volumes somebody has or wants a turn of.
  int volumes() {
    synchronized (turns) {
      return turns.size();
    }
  }
}
