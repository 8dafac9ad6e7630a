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
/// there is to do, the less each write costs. One writer alone does not wait for others.
final class WriterThread implements Writer {
  private static final Logger log = LoggerFactory.getLogger(WriterThread.class);
  private static final int MOST_TOGETHER = 512;
  private static final int MOST_WAITING = 10_000;

  private final Commits commits;
  private final BlockingQueue<Pending> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
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
    else if (!waiting.offer(pending)) pending.refuse(Refusals.tooManyRequests());
  }

  /// Ends with [Pending#LAST]. Wakes when idle too: some things are due by themselves.
  private void run() {
    var batch = new ArrayList<Pending>(MOST_TOGETHER);
    boolean last = false;
    while (!last) {
      takeWaiting(batch);
      last = batch.remove(Pending.LAST);
      commit(batch);
      batch.clear();
    }
  }

  /// Whatever happens, those who wait are answered and the next are taken.
  private void commit(List<Pending> batch) {
    try {
      commits.commit(batch);
    } catch (RuntimeException | Error defect) {
      log.error("a commit met a defect", defect);
      batch.forEach(pending -> pending.refuse(Refusals.internalError(defect)));
    }
  }

  private void takeWaiting(List<Pending> batch) {
    try {
      var first = waiting.poll(commits.idle().toMillis(), TimeUnit.MILLISECONDS);
      if (first != null) batch.add(first);
      waiting.drainTo(batch, MOST_TOGETHER - batch.size());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the writer", e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    synchronized (this) {
      if (!closed) waiting.put(Pending.LAST);
      closed = true;
    }
    thread.join();
  }
}
