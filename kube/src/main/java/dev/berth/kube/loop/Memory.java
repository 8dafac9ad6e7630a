package dev.berth.kube.loop;

import dev.berth.kube.event.Notice;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a loop remembers of a key between looks. Losing it costs a retry that comes too early or a
/// notice that is told twice, nothing else.
final class Memory {
  /// The wait that the key is in.
  Optional<Wait> wait = Optional.empty();

  /// The next look, though nothing changes.
  private Time.@Nullable Timer timer;

  private int failures;
  private String trouble = "";
  private Optional<Effect> held = Optional.empty();
  private Instant pauseEnds = Instant.MIN;
  private Optional<Notice> told = Optional.empty();

  /// Counts a failure.
  ///
  /// @param effect what failed and is not to be done again before the pause ends
  /// @param earliest the pause does not end before
  void fail(Optional<Effect> effect, Backoff retry, Instant now, Instant earliest) {
    held = effect;
    pauseEnds = now.plus(retry.after(++failures));
    if (pauseEnds.isBefore(earliest)) pauseEnds = earliest;
  }

  /// Whether `text` is another trouble than the last one.
  boolean isNewTrouble(String text) {
    boolean news = !text.equals(trouble);
    trouble = text;
    return news;
  }

  void succeed() {
    failures = 0;
    trouble = "";
    held = Optional.empty();
    pauseEnds = Instant.MIN;
  }

  /// Whether `notice` is another than the last one told; it counts as told.
  boolean isNews(Notice notice) {
    boolean news = !told.equals(Optional.of(notice));
    told = Optional.of(notice);
    return news;
  }

  boolean holds(Effect effect, Instant now) {
    return pauses(now) && held.equals(Optional.of(effect));
  }

  boolean pauses(Instant now) {
    return now.isBefore(pauseEnds);
  }

  Instant pauseEnds() {
    return pauseEnds;
  }

  Optional<Loop.Failure> failure() {
    return failures == 0
        ? Optional.empty()
        : Optional.of(new Loop.Failure(trouble, failures, pauseEnds));
  }

  void setTimer(Time.Timer next) {
    cancelTimer();
    timer = next;
  }

  void cancelTimer() {
    if (timer != null) timer.cancel();
    timer = null;
  }
}
