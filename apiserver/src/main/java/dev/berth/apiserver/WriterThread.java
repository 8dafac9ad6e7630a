package dev.berth.apiserver;

import dev.berth.apiserver.core.message.Refusals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Collects the writes that come in while a commit is under way and commits them together: the more
/// there is to do, the less each write costs. One writer alone does not wait for others, and users
/// take turns.
final class WriterThread implements Writer {
  private static final Logger log = LoggerFactory.getLogger(WriterThread.class);
  private static final int MOST_TOGETHER = 512;
  private static final int MOST_WAITING = 10_000;

  private final Commits commits;
  private final BlockingQueue<Pending> arrived = new LinkedBlockingQueue<>(MOST_WAITING);

  /// The writer's own.
  private final Lines waiting = new Lines();

  private final Thread thread;
  private boolean closed;

  private WriterThread(Commits commits) {
    this.commits = commits;
    this.thread = Thread.ofPlatform().name("apiserver-writer").daemon().unstarted(this::run);
  }

  static WriterThread start(Commits commits) {
    var writer = new WriterThread(commits);
    writer.thread.start();
    return writer;
  }

  @Override
  public synchronized void submit(Pending pending) {
    if (closed) pending.refuse(Refusals.notStored("the server is stopping"));
    else if (!arrived.offer(pending)) pending.refuse(Refusals.tooManyRequests());
  }

  /// Ends with [Pending#LAST]. Wakes when idle too: some things are due by themselves.
  private void run() {
    boolean last = false;
    while (!last || waiting.count() > 0) {
      last |= takeArrived();
      var batch = waiting.take(MOST_TOGETHER);
      int done = commit(batch);
      waiting.putBack(batch.subList(done, batch.size()));
    }
  }

  /// Whatever happens, those who wait are answered and the next are taken.
  ///
  /// @return how many of them are answered
  private int commit(List<Pending> batch) {
    try {
      return commits.commit(batch);
    } catch (RuntimeException | Error defect) {
      log.error("a commit met a defect", defect);
      batch.forEach(pending -> pending.refuse(Refusals.internalError(defect)));
      return batch.size();
    }
  }

  /// @return whether the last has come
  private boolean takeArrived() {
    var taken = new ArrayList<Pending>();
    try {
      if (waiting.count() == 0) {
        var first = arrived.poll(commits.idle().toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) taken.add(first);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the writer", e);
    }
    arrived.drainTo(taken, Math.max(0, MOST_WAITING - waiting.count()));
    boolean last = taken.remove(Pending.LAST);
    taken.forEach(waiting::add);
    return last;
  }

  @Override
  public void close() throws InterruptedException {
    synchronized (this) {
      if (!closed) arrived.put(Pending.LAST);
      closed = true;
    }
    thread.join();
  }
}
