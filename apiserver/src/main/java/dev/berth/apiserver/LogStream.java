package dev.berth.apiserver;

import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.read.Watching;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.apiserver.history.Segment;
import dev.berth.apiserver.rights.fair.Work;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
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

  /// Who watches, for whose turn it waits if it has to read from disk.
  private final String user;

  /// What was taken of the log, and not shown yet.
  private Iterator<Written> ahead = Collections.emptyIterator();

  /// Revision up to which nothing but that is to be shown; 0: what comes next is not known.
  private long aheadTo;

  /// Whether a part is being read from disk.
  private volatile boolean fetching;

  /// Who reads it, or did so last; empty: nobody has yet.
  private volatile Optional<Thread> reader = Optional.empty();

  /// That part, until it is taken.
  private Optional<Part> fetched = Optional.empty();

  /// Makes room for others' parts.
  private Runnable room = () -> {};

  /// What is shown of a part that was on disk.
  ///
  /// @param shown empty: it is not known any more
  /// @param last revision up to which it goes
  /// @param room see [Lookback#room]
  private record Part(Optional<List<Written>> shown, long last, Runnable room) {}

  private long seen;
  private volatile boolean finishing;
  private volatile boolean closed;

  private LogStream(Watching watching, Publication publication, Runnable wake) {
    this.watching = watching;
    this.publication = publication;
    this.log = publication.log(watching.resource());
    this.wake = wake;
    this.user = Work.current().purse();
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
      boolean last = finishing; // before the log is read: what was logged before it is still shown
      if (!ahead.hasNext() && !readOn()) return lost();
      if (!ahead.hasNext()) {
        if (aheadTo > 0) continue;
        if (last && !fetching) close();
        return Optional.empty();
      }
      var written = ahead.next();
      seen = written.revision();
      var event = watching.event(written);
      if (event.isPresent()) return event;
    }
  }

  /// Takes the next writes: from the log, or what was read for us. If they are on disk they come
  /// later, and we are woken.
  ///
  /// @return whether they are still known
  private boolean readOn() {
    leaveRoom(); // before we wait for some again
    seen = Math.max(seen, aheadTo);
    aheadTo = 0;
    woken.set(false); // before the log is read: what comes after wakes us again
    if (fetching) return takeFetched();
    long complete = publication.logged();
    return switch (log.after(seen)) {
      case EventLog.Next.Forgotten() -> false;
      case EventLog.Next.OnDisk(var segment) -> {
        startToFetch(segment, seen);
        yield true;
      }
      case EventLog.Next.InMemory(var writes) -> {
        ahead = writes.iterator();
        if (writes.isEmpty()) seen = Math.max(seen, complete);
        yield true;
      }
    };
  }

  private void startToFetch(Segment segment, long after) {
    fetching = true;
    var thread = Thread.ofVirtual().unstarted(() -> fetch(segment, after));
    reader = Optional.of(thread);
    thread.start();
    if (closed) thread.interrupt(); // by somebody who may not have seen it
  }

  private synchronized void leaveRoom() {
    room.run();
    room = () -> {};
  }

  private synchronized boolean takeFetched() {
    if (fetched.isEmpty()) return true;
    var part = fetched.get();
    fetched = Optional.empty();
    fetching = false;
    room = part.room;
    if (part.shown.isEmpty()) return false;
    ahead = part.shown.get().iterator();
    aheadTo = part.last;
    return true;
  }

  /// Reads a part, and looks what of it is shown, in the user's turn: a whole history may be looked
  /// through for one event. Whatever happens, the room is left once and the stream is told.
  private void fetch(Segment segment, long after) {
    var shown = Optional.<List<Written>>empty();
    Runnable place = () -> {};
    try {
      place = publication.lookback().room(user, segment.size());
      shown = publication.lookback().inTurn(user, () -> shownOf(segment, after));
    } catch (InterruptedException | RuntimeException | Error e) {
      if (!closed) logger.warn("a watch of {} cannot go on", watching.resource().plural(), e);
    } finally {
      hand(new Part(shown, segment.last(), place));
      tellReader();
    }
  }

  private Optional<List<Written>> shownOf(Segment segment, long after) {
    if (closed) return Optional.empty();
    return log.read(segment, after)
        .map(writes ->
            writes.stream().filter(written -> watching.event(written).isPresent()).toList());
  }

  /// A stream that was closed meanwhile takes nothing any more.
  private synchronized void hand(Part part) {
    if (closed) part.room.run();
    else fetched = Optional.of(part);
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
    reader.ifPresent(Thread::interrupt); // it may stand in a line, where others stand behind it
    leaveAllRoom();
  }

  private synchronized void leaveAllRoom() {
    leaveRoom();
    fetched.ifPresent(part -> part.room.run());
    fetched = Optional.empty();
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
