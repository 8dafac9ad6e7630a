package dev.berth.apiserver;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// What readers see: the latest state, and the way that led to it. Written by one thread, read by
/// any.
///
/// A write shows in the state before it shows in a log: whoever hears of a write and looks sees it.
final class Publication {
  private final Map<Resource, EventLog> logs = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final long start;
  private volatile State state;
  private volatile long logged;

  Publication(State state) {
    this.state = state;
    this.start = state.revision();
    this.logged = state.revision();
  }

  State state() {
    return state;
  }

  /// Up to which revision the logs are complete.
  long logged() {
    return logged;
  }

  /// The objects of a kind as they were at `revision`, if all that was written since is known.
  Optional<State> at(Resource resource, long revision) {
    var latest = state;
    while (logged < latest.revision()) Thread.onSpinWait(); // the writer is about to
    return log(resource)
        .since(revision)
        .map(written -> {
          var known = written.stream().filter(each -> each.revision() <= latest.revision());
          return latest.before(resource, known.toList(), revision);
        });
  }

  EventLog log(Resource resource) {
    return logs.computeIfAbsent(resource, _ -> new EventLog(start));
  }

  void publish(State next, List<Written> written, Instant now) {
    if (written.isEmpty()) return;
    var before = state;
    state = next;
    for (var each : written) log(each.resource()).append(each, now);
    logged = next.revision();
    written.stream()
        .map(Written::resource)
        .distinct()
        .forEach(resource -> log(resource).streams().forEach(LogStream::wake));
    if (before.kinds() != next.kinds()) endWatches(before.kinds(), next.kinds());
    tellGrown();
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
