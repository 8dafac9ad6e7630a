package dev.berth.kube.loop;

import dev.berth.kube.event.Notice;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a loop remembers of a key between looks. Losing it costs a retry that comes too early or a
/// notice that is told twice, nothing else. Its moments are [Time#elapsed].
final class Memory {
  /// The wait that the key is in.
  Optional<Wait> wait = Optional.empty();

  private final Map<Object, Pause> pauses = new LinkedHashMap<>(); // by likeness
  private int circles;
  private Optional<Notice> told = Optional.empty();

  /// The next look, though nothing changes.
  private Time.@Nullable Timer timer;

  /// Notes that an effect of this likeness failed.
  ///
  /// @param effect empty: a decision failed to come to any
  /// @param earliest the pause does not end before
  /// @return whether that is another trouble than the last one
  boolean fail(
      Object likeness,
      Optional<Effect> effect,
      String trouble,
      Pace pace,
      Duration now,
      Duration earliest) {
    var last = Optional.ofNullable(pauses.get(likeness));
    int failures = last.map(Pause::failures).orElse(0) + 1;
    pause(likeness, effect, trouble, failures, pace, now, earliest);
    return last.filter(it -> it.trouble().equals(trouble)).isEmpty();
  }

  /// Notes that an effect lost a race. Who lost one has seen what the winner wrote and need not
  /// wait; three who write to one object at once lose two; who loses again and again is up against
  /// somebody who writes faster than he looks.
  ///
  /// @param earliest no pause ends before
  /// @return how many it lost in a row
  int lose(Effect effect, String trouble, Pace pace, Duration now, Duration earliest) {
    var last = Optional.ofNullable(pauses.get(effect.likeness()));
    int failures = last.map(Pause::failures).orElse(0);
    int losses = last.map(Pause::losses).orElse(0) + 1;
    var soon = losses == 1 ? now : latest(now.plus(pace.race().after(losses - 1)), earliest);
    var unseen = latest(latest(now.plus(pace.retry().start()), soon), earliest);
    pauses.put(
        effect.likeness(),
        new Pause(failures, losses, trouble, now, soon, unseen, Optional.empty(), false));
    return losses;
  }

  /// Notes that the key runs in circles, whatever succeeds on the way.
  ///
  /// @param effect which would have been another round
  /// @param earliest the pause does not end before
  /// @return whether that is news
  boolean circle(Effect effect, String trouble, Pace pace, Duration now, Duration earliest) {
    circles++;
    pause(effect.likeness(), Optional.of(effect), trouble, circles, pace, now, earliest);
    return circles == 1;
  }

  /// Whether the key has run in circles since it last came to rest.
  boolean circles() {
    return circles > 0;
  }

  private void pause(
      Object likeness,
      Optional<Effect> effect,
      String trouble,
      int failures,
      Pace pace,
      Duration now,
      Duration earliest) {
    var soon = now.plus(pace.retry().start());
    var ends = latest(now.plus(pace.retry().after(failures)), earliest);
    pauses.put(
        likeness, new Pause(failures, 0, trouble, now, soon, ends, effect, effect.isPresent()));
  }

  private static Duration latest(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  void succeed(Effect effect) {
    pauses.remove(effect.likeness());
  }

  /// When `effect` may be carried out.
  Duration due(Effect effect) {
    var pause = pauses.get(effect.likeness());
    if (pause == null) return Duration.ZERO;
    var settled = pause.settling() ? pause.settledAs(effect) : pause;
    pauses.put(effect.likeness(), settled);
    return settled.due(effect);
  }

  /// Nothing is to be done at present: what has paused for long enough is forgotten.
  ///
  /// @return when the next pauses will have ended; empty: there are none
  Optional<Duration> rest(Duration now) {
    circles = 0;
    pauses.values().removeIf(pause -> !pause.lasts(now));
    pauses.replaceAll((_, pause) -> pause.settled());
    return pauses.values().stream().map(Pause::ends).min(Comparator.naturalOrder());
  }

  /// The latest failure.
  Optional<Pause> failure() {
    return pauses.values().stream().max(Comparator.comparing(Pause::began));
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
