package dev.berth.conform.trial;

import com.google.protobuf.Message;
import java.time.Duration;
import java.util.function.Supplier;

/// How long a call is repeated whose answer leaves open what has become of it.
///
/// A driver behind a socket cannot be watched, so asking again is all there is.
enum Patience {
  /// For cleaning up, and where a driver has no reason to be slow.
  SHORT(Duration.ofSeconds(20)),
  /// For a driver that crashed and may be started again.
  RESTART(Duration.ofSeconds(10)),
  /// For what a cancelled call may still be at work on.
  LONG(Duration.ofSeconds(90));

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final Duration whole;

  Patience(Duration whole) {
    this.whole = whole;
  }

  /// Calls until the answer is certain or patience ends.
  <A extends Message> Answer<A> repeat(Supplier<Answer<A>> call) {
    var end = System.nanoTime() + whole.toNanos();
    var pause = Duration.ofMillis(10);
    while (true) {
      var answer = call.get();
      if (!answer.uncertain() || System.nanoTime() > end) return answer;
      pause(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  static void pause(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    }
  }
}
