package dev.berth.sidecar.snapshotter;

import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// When the driver was last asked about snapshots that it says are not ready yet. Nothing is lost
/// with it: where nobody remembers, the driver is asked at once.
final class Questions {
  /// By the content's uid.
  static final Topic<Map<String, Asked>> TOPIC = new Topic<>("questions about snapshots", Map.of());

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /// How many times the first pause is kept: most snapshots are ready within seconds.
  private static final int SHORT = 10;

  private final Told<Map<String, Asked>> told;

  Questions(Told<Map<String, Asked>> told) {
    this.told = told;
  }

  /// @param times how often it was asked, once or more
  /// @param last when it was asked last
  record Asked(int times, Instant last) {
    /// When to ask again (SNAP-68): soon at first, then ever more seldom.
    Instant again() {
      var pause = FIRST.multipliedBy(Math.max(1, times - SHORT));
      return last.plus(pause.compareTo(LONGEST) > 0 ? LONGEST : pause);
    }
  }

  /// The driver said that it is not ready.
  void asked(String content, Instant now) {
    change(content, before -> Optional.of(new Asked(before.map(Asked::times).orElse(0) + 1, now)));
  }

  /// There is no more to ask.
  void over(String content) {
    change(content, _ -> Optional.empty());
  }

  private void change(
      String content, java.util.function.Function<Optional<Asked>, Optional<Asked>> change) {
    told.change(before -> {
      var after = new HashMap<>(before);
      change
          .apply(Optional.ofNullable(after.remove(content)))
          .ifPresent(it -> after.put(content, it));
      return Map.copyOf(after);
    });
  }
}
