package dev.berth.cli.nodeserver;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Connections of whom nobody knows yet who they are. Each has a time as a whole until that is
/// known, however often it says something meanwhile; where there are too many, the eldest has to
/// go. So nobody keeps others out by saying nothing, or little.
final class Strangers implements AutoCloseable {
  private static final TimeUnit UNIT = TimeUnit.MILLISECONDS;

  private final int most;
  private final Duration patience;
  private final SequencedMap<Socket, Future<?>> waiting = new LinkedHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final ScheduledThreadPoolExecutor clock =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("node-server-clock").factory());

  /// @param most at once
  /// @param patience for each, from its first packet on
  Strangers(int most, Duration patience) {
    this.most = most;
    this.patience = patience;
    clock.setRemoveOnCancelPolicy(true);
    clock.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // closed
  }

  void enter(Socket connection) {
    Optional<Socket> eldest = Optional.empty();
    lock.lock();
    try {
      if (waiting.size() >= most) {
        var leaving = waiting.pollFirstEntry();
        leaving.getValue().cancel(false);
        eldest = Optional.of(leaving.getKey());
      }
      waiting.put(connection, clock.schedule(() -> end(connection), millis(), UNIT));
    } finally {
      lock.unlock();
    }
    eldest.ifPresent(Strangers::hangUp);
  }

  /// It is known now, or has gone.
  ///
  /// @return false: it was hung up before
  boolean leave(Socket connection) {
    lock.lock();
    try {
      var end = waiting.remove(connection);
      return end != null && end.cancel(false);
    } finally {
      lock.unlock();
    }
  }

  /// The time in which a short answer has to be taken: closed when it was.
  Turn turn(Socket connection) {
    var end = clock.schedule(() -> hangUp(connection), millis(), UNIT);
    return () -> end.cancel(false);
  }

  /// Nothing more is said to it: it may leave, and is left.
  void goesSoon(Socket connection) {
    var _ = clock.schedule(() -> hangUp(connection), millis(), UNIT);
  }

  /// What a client has to do next, in its time.
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  private long millis() {
    return patience.toMillis();
  }

  private void end(Socket connection) {
    lock.lock();
    try {
      waiting.remove(connection);
    } finally {
      lock.unlock();
    }
    hangUp(connection);
  }

  /// Below TLS, whose farewell could wait for a client that reads nothing.
  private static void hangUp(Socket connection) {
    try {
      connection.close();
    } catch (IOException _) {
      // it has gone
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
