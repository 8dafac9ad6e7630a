package dev.berth.kube.http;

import dev.berth.kube.api.Caller;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// When a request may leave (ONE-16). All requests of a client have room for some at once; of that,
/// what can wait takes a quarter at most, and no caller alone more than a part: neither a flood of
/// one caller's nor any amount of polling makes another wait for long.
///
/// @param rooms in which a request needs a place, in the order in which it takes them
/// @param rate of the caller's own
/// @param fence of the caller's own
record Turns(
    Common common,
    List<Semaphore> rooms,
    Optional<TokenBucket> rate,
    Runnable fence,
    Waiting waiting) {
  /// The JDK's HTTP/2 client fails requests beyond the server's stream limit at once (K8S-04).
  static final int IN_FLIGHT = 64;

  static final int OF_ONE = 24;
  static final int POLLING = 16;

  /// What all callers share.
  record Common(Semaphore all, Semaphore polling) {}

  Turns {
    rooms = List.copyOf(rooms);
  }

  /// Of somebody who says nothing of himself.
  static Turns of(Waiting waiting) {
    var common = new Common(new Semaphore(IN_FLIGHT, true), new Semaphore(POLLING, true));
    return new Turns(common, List.of(common.all()), Optional.empty(), () -> {}, waiting);
  }

  /// Of another caller of the same client.
  Turns of(Caller caller) {
    var own = new Semaphore(OF_ONE, true);
    return new Turns(
        common,
        switch (caller.urgency()) {
          case INTERACTIVE -> List.of(own, common.all());
          case POLLING -> List.of(own, common.polling(), common.all());
        },
        caller.rate().map(rate -> new TokenBucket(rate, waiting.nanos())),
        caller.fence(),
        waiting);
  }

  /// A request that is under way.
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /// Waits for a turn; to be closed when the answer is there.
  ///
  /// @throws RuntimeException the fence's own: it must not leave any more
  Turn take(Kind kind) throws InterruptedException {
    if (rate.isPresent()) pass(rate.get().take(waiting.nanos()));
    int taken = 0;
    try {
      for (var room : rooms) {
        room.acquire();
        taken++;
      }
      if (kind == Kind.WRITE) fence.run();
    } catch (InterruptedException | RuntimeException kept) {
      leave(taken);
      throw kept;
    }
    return () -> leave(rooms.size());
  }

  enum Kind {
    READ,
    WRITE
  }

  private void leave(int taken) {
    rooms.subList(0, taken).forEach(Semaphore::release);
  }

  void pass(Duration duration) throws InterruptedException {
    if (duration.isPositive()) waiting.pass(duration);
  }
}
