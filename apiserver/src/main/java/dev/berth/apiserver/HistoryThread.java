package dev.berth.apiserver;

import dev.berth.apiserver.history.History;
import dev.berth.apiserver.history.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves what logs cannot keep in memory to disk, beside the writer, who waits for none of it. A
/// thread of the platform: packing is long work, which a virtual one would not share.
final class HistoryThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HistoryThread.class);

  private final History history;

  /// What is to be done; empty: it is the end.
  private final BlockingQueue<Optional<Runnable>> jobs = new LinkedBlockingQueue<>();

  private final Thread thread;

  private HistoryThread(History history) {
    this.history = history;
    this.thread = Thread.ofPlatform().name("apiserver-history").daemon().unstarted(this::run);
  }

  /// @return empty: no history can be kept there
  static Optional<HistoryThread> start(Path folder) {
    try {
      var moving = new HistoryThread(History.in(folder));
      moving.thread.start();
      return Optional.of(moving);
    } catch (IOException e) {
      log.warn("no history is kept in {}", folder, e);
      return Optional.empty();
    }
  }

  void move(EventLog from) {
    jobs.add(Optional.of(() -> moveAll(from)));
  }

  void forgetOld(Instant now) {
    jobs.add(Optional.of(() -> history.forgetOld(now)));
  }

  /// Lets go of all that is on disk, now: its room is needed.
  ///
  /// @return whether that gave some
  boolean giveBack() {
    return history.giveBack();
  }

  private void run() {
    try {
      for (var next = jobs.take(); next.isPresent(); next = jobs.take()) carryOut(next.get());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts it", e);
    }
  }

  /// Whatever happens, the next is done.
  private static void carryOut(Runnable job) {
    try {
      job.run();
    } catch (RuntimeException | Error defect) {
      log.error("some history is not moved to disk yet", defect);
    }
  }

  private void moveAll(EventLog from) {
    try {
      for (var part = from.toMove(); part.isPresent(); part = from.toMove())
        from.move(part.get(), keep(part.get()));
    } catch (RuntimeException | Error defect) {
      from.moveLater();
      throw defect;
    }
  }

  /// What cannot be kept is forgotten, and does not stand in the way of what comes after it.
  private Optional<Segment> keep(EventLog.Part part) {
    try {
      return history.keep(part.writes(), part.at());
    } catch (RuntimeException | Error defect) {
      log.error("some history is forgotten before its time", defect);
      return Optional.empty();
    }
  }

  @Override
  public void close() throws InterruptedException {
    jobs.add(Optional.empty());
    try {
      thread.join();
    } finally {
      history.close();
    }
  }
}
