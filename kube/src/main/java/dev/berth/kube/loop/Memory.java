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

  private final Map<Class<?>, Hold> holds = new LinkedHashMap<>();
  private Optional<Notice> told = Optional.empty();

  /// The next look, though nothing changes.
  private Time.@Nullable Timer timer;

  /// Notes that an effect of this kind failed.
  ///
  /// @param effect empty: it lost a race
  /// @param earliest the pause does not end before
  /// @return whether that is another trouble than the last one
  boolean fail(
      Class<?> kind,
      Optional<Effect> effect,
      String trouble,
      Backoff retry,
      Instant now,
      Instant earliest) {
    var last = holds.get(kind);
    int inARow = last == null ? 1 : last.inARow() + 1;
    var ends = now.plus(retry.after(inARow));
    if (ends.isBefore(earliest)) ends = earliest;
    holds.put(kind, new Hold(inARow, trouble, now, ends, effect, effect.isPresent()));
    return last == null || !last.trouble().equals(trouble);
  }

  void succeed(Class<?> kind) {
    holds.remove(kind);
  }

  /// When `effect` may be carried out.
  Instant due(Effect effect, Backoff retry) {
    var hold = holds.get(effect.getClass());
    if (hold == null) return Instant.MIN;
    var settled = hold.settling() ? hold.settledAs(effect) : hold;
    holds.put(effect.getClass(), settled);
    return settled.due(effect, retry);
  }

  /// Nothing is to be done at present: failures whose pause has ended are forgotten.
  ///
  /// @return when the next ones will be; empty: there are none
  Optional<Instant> rest(Instant now) {
    holds.values().removeIf(hold -> !hold.pauses(now));
    holds.replaceAll((_, hold) -> hold.settled());
    return holds.values().stream().map(Hold::ends).min(Comparator.naturalOrder());
  }

  /// The latest failure.
  Optional<Loop.Failure> failure() {
    return holds.values().stream()
        .max(Comparator.comparing(Hold::failed))
        .map(hold -> new Loop.Failure(hold.trouble(), hold.inARow(), hold.ends()));
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
