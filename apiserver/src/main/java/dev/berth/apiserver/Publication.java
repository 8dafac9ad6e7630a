package dev.berth.apiserver;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What readers see: the latest state, and the way that led to it. Written by one thread, read by
/// any.
///
/// A write shows in the state before it shows in a log: whoever hears of a write and looks sees it.
final class Publication {
  private final Map<Resource, EventLog> logs = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final Optional<HistoryThread> history;
  private final Lookback lookback = new Lookback();

  /// Up to which revision a log that is new knows nothing.
  private volatile long start;

  private volatile State state;
  private volatile long logged;

  /// @param history where logs are kept that are too long for memory; empty: nowhere
  Publication(State state, Optional<HistoryThread> history) {
    this.state = state;
    this.history = history;
    this.start = state.revision();
    this.logged = state.revision();
  }

  State state() {
    return state;
  }

  /// For those who read of the past what is on disk.
  Lookback lookback() {
    return lookback;
  }

  /// Up to which revision the logs are complete.
  long logged() {
    return logged;
  }

  /// A state that was made again from what is known of the past.
  ///
  /// @param bytes of JSON of the objects that it does not share with the latest
  record Again(State state, long bytes) {}

  /// The objects of a kind as they were at `revision`, if all that was written since is known.
  ///
  /// @param user in whose turns what is on disk is read
  Optional<Again> at(Resource resource, long revision, String user) throws InterruptedException {
    var latest = state;
    while (logged < latest.revision()) Thread.onSpinWait(); // the writer is about to
    var were = new HashMap<ObjectKey, Optional<Stored>>();
    boolean known =
        log(resource)
            .between(
                revision,
                latest.revision(),
                lookback,
                user,
                each -> were.putIfAbsent(each.key(), before(each)));
    if (!known) return Optional.empty();
    long bytes = were.values().stream().flatMap(Optional::stream).mapToLong(Stored::size).sum();
    return Optional.of(new Again(latest.before(resource, were, revision), bytes));
  }

  private static Optional<Stored> before(Written written) {
    return switch (written) {
      case Written.Put(_, var before, _) -> before;
      case Written.Removed(_, var before, _) -> Optional.of(before);
    };
  }

  EventLog log(Resource resource) {
    return logs.computeIfAbsent(resource, _ -> new EventLog(start, history.isPresent()));
  }

  void publish(State next, List<Written> written, Instant now) {
    if (written.isEmpty()) return;
    var before = state;
    state = next;
    for (var each : written) append(log(each.resource()), each, now);
    logged = next.revision();
    written.stream()
        .map(Written::resource)
        .distinct()
        .forEach(resource -> log(resource).streams().forEach(LogStream::wake));
    if (before.kinds() != next.kinds()) endWatches(before.kinds(), next.kinds());
    tellGrown();
  }

  private void append(EventLog log, Written written, Instant now) {
    if (log.append(written, now)) history.orElseThrow().move(log);
  }

  /// Watches of a custom kind end when its definition goes or comes to say something else: what
  /// they show would no longer be so.
  private void endWatches(Kinds before, Kinds next) {
    for (var resource : before.stored()) {
      var was = before.definition(resource);
      if (was.isEmpty() || was.equals(next.definition(resource))) continue;
      log(resource).streams().forEach(LogStream::finish);
    }
  }

  /// Lets go of history that is old. For the thread that publishes.
  void forgetOld(Instant now) {
    logs.values().forEach(log -> log.forgetOld(now));
    history.ifPresent(all -> all.forgetOld(now));
    forgetKindsThatWent();
  }

  /// Lets go of all history that is on disk: its room is needed.
  ///
  /// @return whether that gave some
  boolean giveBackHistory() {
    return history.map(HistoryThread::giveBack).orElse(false);
  }

  /// Others may come for ever, each under a name of its own.
  private void forgetKindsThatWent() {
    var served = Set.copyOf(state.kinds().stored());
    for (var resource : logs.keySet())
      if (!served.contains(resource)) logs.computeIfPresent(resource, (_, log) -> unlessOver(log));
  }

  private @Nullable EventLog unlessOver(EventLog log) {
    if (!log.streams().isEmpty()) return log;
    start = Math.max(start, log.latest());
    return null;
  }

  /// Waits until the state has reached `revision`.
  ///
  /// @return whether it has
  boolean await(long revision, Duration atMost) throws InterruptedException {
    if (state.revision() >= revision) return true;
    long left = atMost.toNanos();
    lock.lock();
    try {
      while (state.revision() < revision) {
        if (left <= 0) return false;
        left = grown.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void tellGrown() {
    lock.lock();
    try {
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void closeStreams() {
    logs.values().forEach(log -> log.streams().forEach(LogStream::end));
  }
}
