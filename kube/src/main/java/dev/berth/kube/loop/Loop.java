package dev.berth.kube.loop;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs one controller: turns changes of objects and of what sources tell into keys, asks for the
/// next step of each, carries it out.
///
/// What it promises:
/// 1. **No decision on a stale view.** It begins when every kind that the decider reads is filled;
///    each look is taken at a snapshot that has all that this process has written (see [Caches]).
/// 2. **One thing at a time.** For one key there is never more than one look or effect under way;
///    for different keys up to [Pace#parallel] are. Each runs on a virtual thread of its own.
/// 3. **Act, then look again.** After each effect the key is looked at again at once, until there
///    is nothing more to do. A change that comes meanwhile is seen by the next look; none is lost.
/// 4. **Failures wait, changes do not.** An effect that failed is not tried again before its pause,
///    which doubles with each failure in a row and is forgotten on success. But a change leads to a
///    look at once. If that comes to an effect of another likeness ([Effect#likeness]), it is
///    carried out at once; if to one of the same that is not equal any more, after the shortest
///    pause. Losing a race against another writer ([ApiException.LostRace]) is no failure: it is
///    tried again as soon as his write is seen, and at once if something has been seen since the
///    decision. But from the second loss in a row on it pauses, whatever is seen: milliseconds
///    first ([Pace#race]), as several may write to one object at once and each but one loses.
/// 5. **No running in circles.** An effect that succeeds and is asked for again at once has led
///    nowhere, and one that is asked for again and again between others is undone each time: it is
///    warned of once and pauses like a failure, longer each time until the key comes to rest; so
///    does one after too many others like it ([Deeds], [Effect#likeness]).
/// 6. **Waits are told once.** On the way into a wait its notice is told, again only when its text
///    changes, and so is a warning on the way to rest; at the wait's deadline the key is looked at
///    again.
/// 7. **Nothing is lost with it.** It keeps nothing that a restart would miss ([Memory]).
/// 8. **It stops gracefully.** After [#stop] nothing new starts, nor what a look under way comes
///    to; what runs is awaited. Its metrics go with it.
///
/// It never blocks and owns no thread: time and threads come from [Time], so that a simulation can
/// run it in one thread.
public final class Loop<K> {
  /// How often a race may be lost in a row before somebody should hear of it.
  private static final int LOSSES = 5;

  /// Stands for the likeness of the effect that a decision fails to come to.
  private static final Object UNDECIDED = Decider.class;

  private final Running<K, ?> running;
  private final String name;
  private final Caches caches;
  private final Time time;
  private final EventRecorder events;
  private final Pace pace;
  private final LoopMetrics metrics;
  private final Logger log;
  private final NewsDesk<K> news;
  private final Supplier<LoopMetrics.Load> load = this::load;
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  // Guarded by this. Nothing is called with it held but metrics and Time, which do not block.
  private final KeyQueue<K> queue = new KeyQueue<>();
  private final Map<K, Memory> memories = new HashMap<>();
  private final RetryBucket retries = new RetryBucket();
  private boolean ready;
  private boolean stopping;

  /// @param sources of at least the topics that the decider reads
  /// @throws IllegalStateException if nobody tells of one of them
  public <V, E extends Effect> Loop(
      Controller<K, V, E> controller,
      Caches caches,
      Sources sources,
      Time time,
      EventRecorder events,
      Pace pace,
      LoopMetrics metrics) {
    this.running = new Running<>(controller);
    this.name = controller.decider().name();
    this.caches = caches;
    this.time = time;
    this.events = events;
    this.pace = pace;
    this.metrics = metrics;
    this.log = LoggerFactory.getLogger("dev.berth.loop." + name);
    this.news = new NewsDesk<>(controller.decider(), caches, sources, this::look, this::filled);
  }

  /// Begins as soon as the caches are filled; returns at once.
  public void start() {
    metrics.observe(name, load);
    news.begin();
  }

  private synchronized void filled() {
    ready = true;
    pump();
  }

  /// Starts nothing more.
  ///
  /// @return done when nothing runs any more
  public CompletableFuture<Void> stop() {
    news.end();
    boolean last;
    synchronized (this) {
      stopping = true;
      queue.clear();
      memories.values().forEach(Memory::cancelTimer);
      last = queue.out().isEmpty();
    }
    if (last) finish();
    return stopped;
  }

  /// Nothing runs any more. Called without the lock: who waits for it goes on in this thread.
  private void finish() {
    metrics.forget(name, load);
    stopped.complete(null);
  }

  /// Asks for a look at `key`, for a reason that no trigger can see.
  public synchronized void look(K key) {
    if (stopping) return;
    if (queue.add(key, time.now())) metrics.added(name);
    pump();
  }

  /// Whether the caches are filled and looks are taken.
  public synchronized boolean ready() {
    return ready;
  }

  /// That of its decider.
  public String name() {
    return name;
  }

  /// What keeps it from beginning, such as `may not list pods`; empty: nothing, though it may wait
  /// for a list to come in.
  public Optional<String> hindrance() {
    return news.hindrance();
  }

  /// Whether no key is being looked at or wants a look now; waits and pauses may go on.
  public synchronized boolean quiet() {
    return queue.depth() == 0 && queue.out().isEmpty() && news.idle();
  }

  /// What each key waits for at present.
  public synchronized Map<K, Wait> waits() {
    var waits = new LinkedHashMap<K, Wait>();
    memories.forEach((key, memory) -> memory.wait.ifPresent(wait -> waits.put(key, wait)));
    return waits;
  }

  /// What went wrong last with each key whose last effect or look failed.
  public synchronized Map<K, Failure> failures() {
    var failures = new LinkedHashMap<K, Failure>();
    memories.forEach((key, memory) -> memory.failure().ifPresent(it -> failures.put(key, it)));
    return failures;
  }

  /// What went wrong with a key.
  ///
  /// @param text what was tried and why it failed
  /// @param inARow how often, the last time included
  /// @param nextTry when it is tried again, unless something changes before
  public record Failure(String text, int inARow, Instant nextTry) {}

  private synchronized LoopMetrics.Load load() {
    return new LoopMetrics.Load(queue.depth(), List.copyOf(queue.out().values()), time.now());
  }

  /// Hands keys to threads as far as there is room.
  private void pump() {
    while (ready && !stopping && queue.out().size() < pace.parallel()) {
      var now = time.now();
      var next = queue.take(now);
      if (next.isEmpty()) return;
      metrics.waited(name, Duration.between(next.get().getValue(), now));
      var key = next.get().getKey();
      time.start(() -> turn(key));
    }
  }

  /// Looks at `key`, acts and looks again, until there is nothing to do now.
  private void turn(K key) {
    var began = time.now();
    try {
      var seen = caches.snapshot();
      var next = look(key, Optional.empty());
      var deeds = new Deeds(circles(key));
      while (next.isPresent()) {
        var effect = next.get();
        var circle = deeds.circle(effect);
        if (circle.isPresent()) {
          circled(key, effect, circle.get());
          return;
        }
        var outcome = carryOut(key, effect);
        if (outcome == Outcome.DONE) deeds.done(effect);
        var before = seen;
        seen = caches.snapshot();
        next =
            switch (outcome) {
              case DONE -> look(key, next);
              case FAILED -> look(key, Optional.empty()); // its failure may have changed something
              case LOST_RACE ->
                  seen.equals(before)
                      ? Optional.empty() // the winner's change will ask for a look
                      : look(key, Optional.empty()); // it has, or it asks for other keys only
            };
      }
    } finally {
      end(key, Duration.between(began, time.now()));
    }
  }

  private void end(K key, Duration worked) {
    boolean last;
    synchronized (this) {
      queue.done(key);
      metrics.worked(name, worked);
      last = stopping && queue.out().isEmpty();
      pump();
    }
    if (last) finish();
  }

  /// One look: decides, and rests if there is nothing to do now.
  ///
  /// @param done the effect that has just succeeded
  /// @return the effect to carry out now
  private Optional<Effect> look(K key, Optional<Effect> done) {
    news.catchUp();
    if (!beginLook(key)) return Optional.empty();
    Step step;
    try {
      step = running.next(news.facts(caches.snapshot()), time.now(), key);
    } catch (RuntimeException | Error broken) {
      failed(key, UNDECIDED, Optional.empty(), "cannot decide: " + broken, broken);
      return Optional.empty();
    }
    if (step instanceof Act(var effect, _) && done.equals(Optional.of(effect))) {
      circled(key, effect, name(effect) + " succeeded and is wanted again: it led nowhere");
      return Optional.empty();
    }
    done.ifPresent(effect -> succeeded(key, effect));
    return switch (step) {
      case Act(var effect, _) -> due(key, effect);
      case Wait wait -> {
        rest(key, Optional.of(wait), wait.again(), wait.notice())
            .ifPresent(news -> {
              wait.preface().ifPresent(events::tell);
              events.tell(news);
            });
        yield Optional.empty();
      }
      case Settled(var warning, var again) -> {
        rest(key, Optional.empty(), again, warning).ifPresent(events::tell);
        yield Optional.empty();
      }
    };
  }

  private synchronized boolean beginLook(K key) {
    if (stopping) return false;
    queue.looksAgain(key); // before the snapshot is taken: a later change wants another look
    var memory = memories.get(key);
    if (memory != null) memory.cancelTimer();
    return true;
  }

  /// The effect, unless it has to pause.
  private synchronized Optional<Effect> due(K key, Effect effect) {
    if (stopping) return Optional.empty();
    var memory = memory(key);
    memory.wait = Optional.empty();
    var due = memory.due(effect);
    if (!due.isAfter(time.now())) return Optional.of(effect);
    lookAgain(key, memory, due);
    return Optional.empty();
  }

  /// Nothing to do now.
  ///
  /// @param wait empty: nothing to wait for either
  /// @param again when the decision wants to be asked again
  /// @return what is to be told about it: the notice, unless it was told before
  private synchronized Optional<Notice> rest(
      K key, Optional<Wait> wait, Optional<Instant> again, Optional<Notice> notice) {
    var memory = memory(key);
    memory.wait = wait;
    var deadlines = Stream.concat(memory.rest(time.now()).stream(), again.stream());
    var next = deadlines.min(Comparator.naturalOrder());
    next.ifPresent(at -> lookAgain(key, memory, at));
    if (wait.isEmpty() && notice.isEmpty() && next.isEmpty()) memories.remove(key);
    return notice.filter(memory::isNews);
  }

  /// A deadline that has passed without changing the decision is looked at again after a pause.
  private void lookAgain(K key, Memory memory, Instant at) {
    var now = time.now();
    var delay = at.isAfter(now) ? Duration.between(now, at) : pace.retry().start();
    if (!stopping) memory.setTimer(time.after(delay, () -> look(key)));
  }

  private enum Outcome {
    DONE,
    FAILED,
    LOST_RACE
  }

  private Outcome carryOut(K key, Effect effect) {
    var began = time.now();
    try {
      running.carryOut(effect);
      metrics.carriedOut(name, effect, "success", Duration.between(began, time.now()));
      return Outcome.DONE;
    } catch (Exception | Error failure) {
      metrics.carriedOut(name, effect, "failure", Duration.between(began, time.now()));
      var trouble = name(effect) + " failed: " + message(failure);
      if (failure instanceof ApiException.LostRace) {
        lost(key, effect, trouble);
        return Outcome.LOST_RACE;
      }
      failed(key, effect.likeness(), Optional.of(effect), trouble, failure);
      return Outcome.FAILED;
    }
  }

  private synchronized void succeeded(K key, Effect effect) {
    memory(key).succeed(effect);
  }

  private synchronized boolean circles(K key) {
    var memory = memories.get(key);
    return memory != null && memory.circles();
  }

  private synchronized void circled(K key, Effect effect, String trouble) {
    var memory = memory(key);
    var now = time.now();
    boolean first = memory.circle(effect, trouble, pace, now, retries.take(now));
    var next = pauses(key, memory);
    if (first) log.warn("{}: {}; again in {}", key, trouble, Duration.between(now, next.nextTry()));
  }

  /// Something was not done, and will be tried again.
  private Failure pauses(K key, Memory memory) {
    memory.wait = Optional.empty();
    metrics.retried(name);
    var failure = memory.failure().orElseThrow();
    lookAgain(key, memory, failure.nextTry());
    return failure;
  }

  /// @param effect empty: a decision failed to come to any
  private synchronized void failed(
      K key, Object likeness, Optional<Effect> effect, String trouble, Throwable cause) {
    var memory = memory(key);
    var now = time.now();
    boolean another = memory.fail(likeness, effect, trouble, pace, now, retries.take(now));
    var pause = Duration.between(now, pauses(key, memory).nextTry());
    if (!another) return;
    if (isMistake(cause)) log.warn("{}: {}; again in {}", key, trouble, pause, cause);
    else log.warn("{}: {}; again in {}", key, trouble, pause);
  }

  private synchronized void lost(K key, Effect effect, String trouble) {
    var memory = memory(key);
    var now = time.now();
    int losses = memory.lose(effect, trouble, pace, now, retries.take(now));
    pauses(key, memory);
    if (losses == LOSSES) log.warn("{}: {}, {} times in a row", key, trouble, losses);
    else log.debug("{}: {}", key, trouble);
  }

  /// Whether somebody will want to know where in the code it comes from.
  private static boolean isMistake(Throwable cause) {
    return cause.getClass().getPackageName().equals("java.lang");
  }

  private static String message(Throwable failure) {
    var message = failure.getMessage();
    return message == null || isMistake(failure) ? failure.toString() : message;
  }

  private Memory memory(K key) {
    return memories.computeIfAbsent(key, _ -> new Memory());
  }

  private static String name(Effect effect) {
    return effect.getClass().getSimpleName();
  }

  /// A controller whose view is nobody else's business.
  private record Running<K, V>(Controller<K, V, ?> controller) {
    Step next(Facts facts, Instant now, K key) {
      var decider = controller.decider();
      var step = decider.decide(decider.view(facts, now), key);
      if (step instanceof Act(var effect, _)) controller.check(effect);
      return step;
    }

    void carryOut(Effect effect) throws Exception {
      controller.carryOut(effect);
    }
  }
}
