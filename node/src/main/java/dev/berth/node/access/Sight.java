package dev.berth.node.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// What is remembered of an object from one look to the next, also where a new watch goes on with
/// it.
final class Sight {
  private static final Duration FIRST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final RandomGenerator random;

  // Guarded by this.
  private Duration pause = FIRST;
  private Optional<ObjectNode> written = Optional.empty();

  Sight(RandomGenerator random) {
    this.random = random;
  }

  /// How long to wait until the next look: ever longer, and never quite as long as others that
  /// began at the same moment.
  synchronized Duration next() {
    long most = pause.toMillis();
    var grown = pause.multipliedBy(3).dividedBy(2);
    pause = grown.compareTo(LONGEST) < 0 ? grown : LONGEST;
    return Duration.ofMillis(most - random.nextLong(most / 4));
  }

  /// It will be looked at soon.
  synchronized void changed() {
    pause = FIRST;
  }

  /// This process has written it, so its cache may hold what no look has shown.
  synchronized void wrote(ObjectNode answer) {
    written = Optional.of(answer);
  }

  /// What the cache may hold beyond what looks have shown.
  synchronized Optional<ObjectNode> written() {
    return written;
  }

  /// A look has told what became of it.
  synchronized void shown(ObjectNode answer) {
    if (written.filter(it -> it == answer).isPresent()) written = Optional.empty();
  }
}
