package dev.berth.kube.loop;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Warned;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

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
/// 7. **Failures are told once.** A failure is logged when it is another than the last one of its
///    kind, unless the effect has told a warning, where who can do something about it reads it.
/// 8. **Nothing is lost with it.** It keeps nothing that a restart would miss ([Memory]).
/// 9. **It stops gracefully.** After [#stop] nothing new starts, nor what a look under way comes
///    to; what runs is awaited. Its metrics go with it.
///
/// It never blocks and owns no thread: time and threads come from [Time], so that a simulation can
/// run it in one thread.
public final class Loop<K> {
  private final Running<K, ?> running;
  private final String name;
  private final Caches caches;
  private final Time time;
  private final EventRecorder events;
  private final int parallel;
  private final LoopMetrics metrics;
  private final NewsDesk<K> news;
  private final Memories<K> memories;
  private final Supplier<LoopMetrics.Load> load = this::load;
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  // Guarded by this. Nothing is called with it held but metrics and Time, which do not block.
  private final KeyQueue<K> queue = new KeyQueue<>();
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
    this.parallel = pace.parallel();
    this.metrics = metrics;
    this.memories = new Memories<>(name, time, pace, metrics, this::look);
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
      memories.end();
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
    if (queue.add(key, time.elapsed())) metrics.added(name);
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
  public Map<K, Wait> waits() {
    return memories.waits();
  }

  /// What went wrong last with each key whose last effect or look failed.
  public Map<K, Failure> failures() {
    return memories.failures();
  }

  /// What went wrong with a key.
  ///
  /// @param text what was tried and why it failed
  /// @param inARow how often, the last time included
  /// @param nextTry when it is tried again, unless something changes before
  public record Failure(String text, int inARow, Instant nextTry) {}

  private synchronized LoopMetrics.Load load() {
    return new LoopMetrics.Load(queue.depth(), List.copyOf(queue.out().values()), time.elapsed());
  }

  /// Hands keys to threads as far as there is room.
  private void pump() {
    while (ready && !stopping && queue.out().size() < parallel) {
      var now = time.elapsed();
      var next = queue.take(now);
      if (next.isEmpty()) return;
      metrics.waited(name, now.minus(next.get().getValue()));
      var key = next.get().getKey();
      time.start(() -> turn(key));
    }
  }

  /// Looks at `key`, acts and looks again, until there is nothing to do now.
  private void turn(K key) {
    var began = time.elapsed();
    try {
      var seen = caches.snapshot();
      var next = look(key, Optional.empty());
      var deeds = new Deeds(memories.circles(key));
      while (next.isPresent()) {
        var effect = next.get();
        var circle = deeds.circle(effect);
        if (circle.isPresent()) {
          memories.circled(key, effect, circle.get());
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
      end(key, time.elapsed().minus(began));
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
      memories.undecided(key, broken);
      return Optional.empty();
    }
    if (step instanceof Act(var effect, _) && done.equals(Optional.of(effect))) {
      memories.circled(
          key, effect, name(effect) + " succeeded and is wanted again: it led nowhere");
      return Optional.empty();
    }
    done.ifPresent(effect -> memories.succeeded(key, effect));
    return switch (step) {
      case Act(var effect, _) -> memories.due(key, effect);
      case Wait wait -> {
        memories
            .rest(key, Optional.of(wait), wait.again(), wait.notice())
            .ifPresent(news -> {
              wait.preface().ifPresent(events::tell);
              events.tell(news);
            });
        yield Optional.empty();
      }
      case Settled(var warning, var again) -> {
        memories.rest(key, Optional.empty(), again, warning).ifPresent(events::tell);
        yield Optional.empty();
      }
    };
  }

  private synchronized boolean beginLook(K key) {
    if (stopping) return false;
    queue.looksAgain(key); // before the snapshot is taken: a later change wants another look
    memories.looked(key);
    return true;
  }

  private enum Outcome {
    DONE,
    FAILED,
    LOST_RACE
  }

  private Outcome carryOut(K key, Effect effect) {
    var began = time.elapsed();
    var warned = new Warned();
    try {
      warned.during(() -> running.carryOut(effect));
      metrics.carriedOut(name, effect, "success", time.elapsed().minus(began));
      return Outcome.DONE;
    } catch (Exception | Error failure) {
      metrics.carriedOut(name, effect, "failure", time.elapsed().minus(began));
      var trouble = name(effect) + " failed: " + message(failure);
      if (failure instanceof ApiException.LostRace) {
        memories.lost(key, effect, trouble);
        return Outcome.LOST_RACE;
      }
      memories.failed(key, effect, trouble, failure, warned);
      return Outcome.FAILED;
    }
  }

  private static String message(Throwable failure) {
    var message = failure.getMessage();
    return message == null || Memories.isMistake(failure) ? failure.toString() : message;
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
