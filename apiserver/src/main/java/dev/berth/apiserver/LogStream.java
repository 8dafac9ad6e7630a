package dev.berth.apiserver;

import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.read.Watching;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A reader's place in an [EventLog].
final class LogStream implements WatchStream {
  private static final Logger logger = LoggerFactory.getLogger(LogStream.class);

  private final Watching watching;
  private final Publication publication;
  private final EventLog log;
  private final Runnable wake;
  private final AtomicBoolean woken = new AtomicBoolean();
  private final Semaphore news = new Semaphore(0);
  private final Queue<WatchEvent> initial = new ArrayDeque<>();

  /// Of a part that is shared by all who read it, as long as one of them does.
  private Iterator<Written> ahead = Collections.emptyIterator();

  private long seen;
  private volatile boolean finishing;
  private volatile boolean closed;

  private LogStream(Watching watching, Publication publication, Runnable wake) {
    this.watching = watching;
    this.publication = publication;
    this.log = publication.log(watching.resource());
    this.wake = wake;
  }

  /// A stream that begins where `watching` says.
  static LogStream open(Watching watching, Publication publication, Runnable wake) {
    var stream = new LogStream(watching, publication, wake);
    stream.log.add(stream); // before the state is taken, so that no write falls between
    var state = publication.state();
    stream.seen = watching.resumes() ? watching.revision() : state.revision();
    if (watching.sendsInitialEvents()) stream.queueInitial(state);
    return stream;
  }

  /// A stream that only says that what was asked for is still to come (API-58).
  static LogStream tooEarly(Watching watching, Publication publication) {
    var stream = new LogStream(watching, publication, () -> {});
    long current = publication.state().revision();
    stream.initial.add(new WatchEvent.Failed(Refusals.fromTheFuture(watching.revision(), current)));
    return stream;
  }

  private void queueInitial(State state) {
    watching.initial(state).forEach(stored -> initial.add(new WatchEvent.Added(stored)));
    if (watching.allowsBookmarks()) initial.add(new WatchEvent.Bookmark(state.revision(), true));
  }

  /// Called by the writer.
  void wake() {
    if (!woken.compareAndSet(false, true)) return;
    tellReader();
  }

  /// A reader that cannot be told has lost its thread: the writer goes on without it.
  private void tellReader() {
    news.release();
    try {
      wake.run();
    } catch (RuntimeException gone) {
      logger.debug("a watch of {} ends with its reader", watching.resource().plural(), gone);
      close();
    }
  }

  @Override
  public Optional<WatchEvent> poll() {
    if (closed) return Optional.empty();
    var first = initial.poll();
    if (first instanceof WatchEvent.Failed) close();
    if (first != null) return Optional.of(first);
    while (true) {
      if (!ahead.hasNext()) {
        if (!readOn()) return lost();
        if (!ahead.hasNext()) {
          if (finishing) close();
          return Optional.empty();
        }
      }
      var written = ahead.next();
      seen = written.revision();
      var event = watching.event(written);
      if (event.isPresent()) return event;
    }
  }

  /// Takes the next writes from the log.
  ///
  /// @return whether the log still had them
  private boolean readOn() {
    woken.set(false); // before the log is read: what comes after wakes us again
    long complete = publication.logged();
    var next = log.after(seen);
    if (next.isEmpty()) return false;
    ahead = next.get().iterator();
    if (!ahead.hasNext()) seen = Math.max(seen, complete);
    return true;
  }

  private Optional<WatchEvent> lost() {
    close();
    return Optional.of(new WatchEvent.Failed(Refusals.expired(seen, log.oldest())));
  }

  @Override
  public Optional<WatchEvent> next(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (true) {
      var event = poll();
      long left = deadline - System.nanoTime();
      if (event.isPresent() || closed || left <= 0) return event;
      if (news.tryAcquire(left, TimeUnit.NANOSECONDS)) news.drainPermits();
    }
  }

  @Override
  public WatchEvent.Bookmark bookmark() {
    return new WatchEvent.Bookmark(seen, false);
  }

  @Override
  public boolean closed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    log.remove(this);
  }

  /// Called by the writer when nothing comes any more: what is logged is still shown.
  void finish() {
    finishing = true;
    tellReader();
  }

  /// Called when the server closes.
  void end() {
    close();
    tellReader();
  }
}
