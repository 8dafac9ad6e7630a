package dev.berth.kube.loop;

import dev.berth.kube.event.Notice;
import dev.berth.kube.time.Backoff;
import dev.berth.kube.time.Time;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a loop remembers of a key between looks. Losing it costs a retry that comes too early or a
/// notice that is told twice, nothing else.
final class Memory {
  /// The wait that the key is in.
  Optional<Wait> wait = Optional.empty();

  private final Map<Class<?>, Pause> pauses = new LinkedHashMap<>();
  private int circles;
  private Optional<Notice> told = Optional.empty();

  /// The next look, though nothing changes.
  private Time.@Nullable Timer timer;

  /// Notes that an effect of this kind failed.
  ///
  /// @param effect empty: a decision failed to come to any
  /// @param earliest the pause does not end before
  /// @return whether that is another trouble than the last one
  boolean fail(
      Class<?> kind,
      Optional<Effect> effect,
      String trouble,
      Backoff retry,
      Instant now,
      Instant earliest) {
    int inARow = inARow(kind) + 1;
    boolean news = !trouble.equals(trouble(kind));
    var ends = latest(now.plus(retry.after(inARow)), earliest);
    pause(kind, effect, trouble, inARow, ends, now);
    return news;
  }

  /// Notes that an effect of this kind lost a race, the first of which is free.
  ///
  /// @param earliest the pause does not end before
  /// @return how many it lost in a row, and failed before
  int lose(Class<?> kind, String trouble, Backoff retry, Instant now, Instant earliest) {
    int inARow = inARow(kind) + 1;
    var ends = latest(now.plus(retry.after(Math.max(1, inARow - 1))), earliest);
    pause(kind, Optional.empty(), trouble, inARow, ends, now);
    return inARow;
  }

  private int inARow(Class<?> kind) {
    var last = pauses.get(kind);
    return last == null ? 0 : last.inARow();
  }

  private String trouble(Class<?> kind) {
    var last = pauses.get(kind);
    return last == null ? "" : last.trouble();
  }

  /// Notes that the key runs in circles, whatever succeeds on the way.
  ///
  /// @param effect which would have been another round
  /// @param earliest the pause does not end before
  /// @return whether that is news
  boolean circle(Effect effect, String trouble, Backoff retry, Instant now, Instant earliest) {
    circles++;
    var ends = latest(now.plus(retry.after(circles)), earliest);
    pause(effect.getClass(), Optional.of(effect), trouble, circles, ends, now);
    return circles == 1;
  }

  /// Whether the key has run in circles since it last came to rest.
  boolean circles() {
    return circles > 0;
  }

  private void pause(
      Class<?> kind,
      Optional<Effect> effect,
      String trouble,
      int inARow,
      Instant ends,
      Instant now) {
    pauses.put(kind, new Pause(inARow, trouble, now, ends, effect, effect.isPresent()));
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  void succeed(Class<?> kind) {
    pauses.remove(kind);
  }

  /// When `effect` may be carried out.
  Instant due(Effect effect, Backoff retry) {
    var pause = pauses.get(effect.getClass());
    if (pause == null) return Instant.MIN;
    var settled = pause.settling() ? pause.settledAs(effect) : pause;
    pauses.put(effect.getClass(), settled);
    return settled.due(effect, retry);
  }

  /// Nothing is to be done at present: failures whose pause has ended are forgotten.
  ///
  /// @return when the next ones will be; empty: there are none
  Optional<Instant> rest(Instant now) {
    circles = 0;
    pauses.values().removeIf(pause -> !pause.lasts(now));
    pauses.replaceAll((_, pause) -> pause.settled());
    return pauses.values().stream().map(Pause::ends).min(Comparator.naturalOrder());
  }

  /// The latest failure.
  Optional<Loop.Failure> failure() {
    return pauses.values().stream()
        .max(Comparator.comparing(Pause::began))
        .map(pause -> new Loop.Failure(pause.trouble(), pause.inARow(), pause.ends()));
  }

  /// Whether `notice` is another than the last one told; it counts as told.
  boolean isNews(Notice notice) {
    boolean news = !told.equals(Optional.of(notice));
    told = Optional.of(notice);
    return news;
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
