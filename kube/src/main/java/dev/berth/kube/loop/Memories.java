package dev.berth.kube.loop;

import dev.berth.kube.event.Notice;
import dev.berth.kube.event.Warned;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// What a loop remembers of its keys between looks, and when each is looked at again though nothing
/// changes. Safe for threads; nothing is called with its lock held but metrics and [Time], which do
/// not block.
final class Memories<K> {
  /// How often a race may be lost in a row before somebody should hear of it.
  private static final int LOSSES = 5;

  /// Stands for the likeness of the effect that a decision fails to come to.
  private static final Object UNDECIDED = Decider.class;

  private final String name;
  private final Time time;
  private final Pace pace;
  private final LoopMetrics metrics;
  private final Consumer<K> look;
  private final Logger log;

  // Guarded by this.
  private final Map<K, Memory> memories = new HashMap<>();
  private final RetryBucket retries = new RetryBucket();
  private boolean ended;

  /// @param name of the loop
  /// @param look is asked for a key when its time has come
  Memories(String name, Time time, Pace pace, LoopMetrics metrics, Consumer<K> look) {
    this.name = name;
    this.time = time;
    this.pace = pace;
    this.metrics = metrics;
    this.look = look;
    this.log = LoggerFactory.getLogger("dev.berth.loop." + name);
  }

  /// Asks for no more looks, and lets no effect begin.
  synchronized void end() {
    ended = true;
    memories.values().forEach(Memory::cancelTimer);
  }

  /// What each key waits for at present.
  synchronized Map<K, Wait> waits() {
    var waits = new LinkedHashMap<K, Wait>();
    memories.forEach((key, memory) -> memory.wait.ifPresent(wait -> waits.put(key, wait)));
    return waits;
  }

  /// What went wrong last with each key whose last effect or look failed.
  synchronized Map<K, Loop.Failure> failures() {
    var failures = new LinkedHashMap<K, Loop.Failure>();
    var now = time.now();
    var passed = time.elapsed();
    memories.forEach((key, memory) ->
        memory
            .failure()
            .map(it ->
                new Loop.Failure(it.trouble(), it.inARow(), now.plus(it.ends().minus(passed))))
            .ifPresent(it -> failures.put(key, it)));
    return failures;
  }

  /// The key is being looked at, and need not be for what it asked before.
  synchronized void looked(K key) {
    var memory = memories.get(key);
    if (memory != null) memory.cancelTimer();
  }

  /// The effect, unless it has to pause.
  synchronized Optional<Effect> due(K key, Effect effect) {
    if (ended) return Optional.empty();
    var memory = memory(key);
    memory.wait = Optional.empty();
    var left = memory.due(effect).minus(time.elapsed());
    if (!left.isPositive()) return Optional.of(effect);
    lookAgain(key, memory, left);
    return Optional.empty();
  }

  /// Nothing to do now.
  ///
  /// @param wait empty: nothing to wait for either
  /// @param again when the decision wants to be asked again
  /// @return what is to be told about it: the notice, unless it was told before
  synchronized Optional<Notice> rest(
      K key, Optional<Wait> wait, Optional<Instant> again, Optional<Notice> notice) {
    var memory = memory(key);
    memory.wait = wait;
    var passed = time.elapsed();
    var pause = memory.rest(passed).map(end -> end.minus(passed));
    var deadline = again.map(at -> Duration.between(time.now(), at));
    var next = Stream.concat(pause.stream(), deadline.stream()).min(Comparator.naturalOrder());
    next.ifPresent(left -> lookAgain(key, memory, left));
    if (wait.isEmpty() && notice.isEmpty() && next.isEmpty()) memories.remove(key);
    return notice.filter(memory::isNews);
  }

  /// A deadline that has passed without changing the decision is looked at again after a pause.
  private void lookAgain(K key, Memory memory, Duration left) {
    var delay = left.isPositive() ? left : pace.retry().start();
    if (!ended) memory.setTimer(time.after(delay, () -> look.accept(key)));
  }

  synchronized void succeeded(K key, Effect effect) {
    memory(key).succeed(effect);
  }

  /// Whether the key has run in circles since it last came to rest.
  synchronized boolean circles(K key) {
    var memory = memories.get(key);
    return memory != null && memory.circles();
  }

  /// The key runs in circles: `effect` would have been another round.
  void circled(K key, Effect effect, String trouble) {
    Pauses pauses;
    synchronized (this) {
      var memory = memory(key);
      var now = time.elapsed();
      boolean first = memory.circle(effect, trouble, pace, now, retries.take(now));
      pauses = pauses(key, memory, now, first);
    }
    if (pauses.news()) log.warn("{}: {}; again in {}", key, trouble, pauses.length());
  }

  /// A decision came to nothing.
  void undecided(K key, Throwable broken) {
    failed(key, UNDECIDED, Optional.empty(), "cannot decide: " + broken, broken, Level.WARN);
  }

  /// An effect failed.
  ///
  /// @param warned whom it has told itself: the log need not say it again, but where in the code a
  ///   mistake is
  void failed(K key, Effect effect, String trouble, Throwable cause, Warned warned) {
    var level = warned.somebody() && !isMistake(cause) ? Level.DEBUG : Level.WARN;
    failed(key, effect.likeness(), Optional.of(effect), trouble, cause, level);
  }

  private void failed(
      K key,
      Object likeness,
      Optional<Effect> effect,
      String trouble,
      Throwable cause,
      Level level) {
    Pauses pauses;
    synchronized (this) {
      var memory = memory(key);
      var now = time.elapsed();
      boolean another = memory.fail(likeness, effect, trouble, pace, now, retries.take(now));
      pauses = pauses(key, memory, now, another);
    }
    if (!pauses.news()) return;
    var line = log.atLevel(level);
    if (isMistake(cause)) line = line.setCause(cause);
    line.log("{}: {}; again in {}", key, trouble, pauses.length());
  }

  /// An effect lost a race against another writer.
  void lost(K key, Effect effect, String trouble) {
    int losses;
    synchronized (this) {
      var memory = memory(key);
      var now = time.elapsed();
      losses = memory.lose(effect, trouble, pace, now, retries.take(now));
      var _ = pauses(key, memory, now, losses == LOSSES);
    }
    if (losses == LOSSES) log.warn("{}: {}, {} times in a row", key, trouble, losses);
    else log.debug("{}: {}", key, trouble);
  }

  /// What is to be told, without the lock.
  private record Pauses(boolean news, Duration length) {}

  /// Something was not done, and will be tried again.
  private Pauses pauses(K key, Memory memory, Duration now, boolean news) {
    memory.wait = Optional.empty();
    metrics.retried(name);
    var left = memory.failure().orElseThrow().ends().minus(now);
    lookAgain(key, memory, left);
    return new Pauses(news, left);
  }

  /// Whether somebody will want to know where in the code it comes from.
  static boolean isMistake(Throwable cause) {
    return cause.getClass().getPackageName().equals("java.lang");
  }

  private Memory memory(K key) {
    return memories.computeIfAbsent(key, _ -> new Memory());
  }
}
