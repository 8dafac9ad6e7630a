package dev.berth.simulation.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A clock that jumps from one due piece of work to the next. Only one piece runs at any moment;
/// which one of those due at the same moment is the seed's choice, so one seed is one history.
public final class VirtualTime {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final RandomGenerator random;
  private final PriorityQueue<Due> agenda =
      new PriorityQueue<>(
          Comparator.comparing(Due::at).thenComparingLong(Due::lot).thenComparingLong(Due::number));
  private final List<RuntimeException> accidents = new ArrayList<>();

  /// Threads from the moment they have run until they end, by what the JDK hands over to run them.
  private final Map<Runnable, Thread> threads = new IdentityHashMap<>();

  /// Threads of this simulation that stood before a lock of another one, which is free now.
  private final BlockingQueue<Runnable> letIn = new LinkedBlockingQueue<>();

  private final Set<Runnable> ready = Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable Thread starting;
  private Instant now = BEGIN;
  private long numbers;
  private long steps;

  /// The simulation that a thread is of. Several run side by side, and share what the JDK and the
  /// libraries keep for a whole process: locks among it.
  private static final InheritableThreadLocal<VirtualTime> OWN = new InheritableThreadLocal<>();

  /// How long a thread of another simulation may hold a lock.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// For the thread that calls, and the threads that are started for it.
  public VirtualTime(long seed) {
    random = new SplittableRandom(seed);
    OWN.set(this);
  }

  /// Work to come.
  ///
  /// @param lot drawn, decides among those of one moment
  private record Due(Instant at, long lot, long number, Runnable work) {}

  public Instant now() {
    return now;
  }

  /// Time since the beginning.
  public Duration elapsed() {
    return Duration.between(BEGIN, now);
  }

  /// The one source of chance of a simulation.
  public RandomGenerator random() {
    return random;
  }

  /// A duration of at most `longest`, drawn evenly.
  public Duration upTo(Duration longest) {
    return longest.isZero() ? longest : Duration.ofNanos(random.nextLong(longest.toNanos()));
  }

  /// How many pieces of work were done.
  public long steps() {
    return steps;
  }

  /// Whether something of this probability happens now.
  public boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /// Puts `work` on the agenda.
  ///
  /// @return takes it off
  public Runnable after(Duration delay, Runnable work) {
    var due = new Due(now.plus(delay), random.nextLong(), numbers++, work);
    agenda.add(due);
    return () -> agenda.remove(due);
  }

  /// Starts a thread that runs when its turn comes, and stands still where it blocks.
  void start(Runnable task) {
    var thread = VirtualThreads.unstarted(this::soon, task);
    starting = thread;
    thread.start();
    starting = null;
  }

  /// Puts a thread on the agenda that may go on.
  private void soon(Runnable thread) {
    if (OWN.get() != this) {
      letIn.add(thread);
      return;
    }
    if (starting != null) threads.put(thread, starting);
    ready.add(thread);
    after(Duration.ZERO, () -> run(thread));
  }

  /// Lets a thread go on until it blocks. A lock that another simulation holds is nothing that
  /// happens in this one: the thread goes on behind it before anything else does.
  private void run(Runnable next) {
    ready.remove(next);
    next.run();
    var thread = Objects.requireNonNull(threads.get(next));
    while (wantsIn(next, thread)) awaitIn(thread);
    if (thread.getState() == Thread.State.TERMINATED) threads.remove(next);
  }

  private boolean wantsIn(Runnable next, Thread thread) {
    return switch (thread.getState()) {
      case BLOCKED -> true;
      case WAITING -> SharedLocks.isForAnother(thread, threads.values());
      case RUNNABLE -> !ready.contains(next); // let in a moment ago
      default -> false;
    };
  }

  private void awaitIn(Thread thread) {
    try {
      var woken = letIn.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (woken == null)
        throw new IllegalStateException(
            thread + " waits for a lock, which its own simulation holds over a pause");
      woken.run();
    } catch (InterruptedException stop) {
      throw new IllegalStateException(stop);
    }
  }

  /// Something happened that no simulated process survives.
  void fail(RuntimeException accident) {
    accidents.add(accident);
  }

  /// Does the next piece of work.
  ///
  /// @return false: there is none before `end`, and it is `end` now
  public boolean step(Instant end) {
    var next = agenda.peek();
    if (next == null || next.at.isAfter(end)) {
      if (end.isAfter(now)) now = end;
      return false;
    }
    agenda.remove();
    now = next.at;
    steps++;
    next.work.run();
    if (!letIn.isEmpty())
      throw new IllegalStateException(
          "a thread was woken by the real world: it waits in real time");
    if (!accidents.isEmpty()) throw accidents.getFirst();
    return true;
  }
}
