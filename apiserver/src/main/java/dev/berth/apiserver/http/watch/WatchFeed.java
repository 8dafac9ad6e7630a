package dev.berth.apiserver.http.watch;

import dev.berth.apiserver.WatchStream;
import dev.berth.apiserver.core.message.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/// Moves one watch's events from its stream to its client, without a thread of its own: it runs
/// when the stream has something new, when the client has taken what was sent, and when its time is
/// up. Until the client has taken one batch the next stays where it is, in the server's history.
final class WatchFeed extends IteratingCallback {
  /// A client that takes nothing for so long is gone.
  static final Duration STALLED = Duration.ofSeconds(60);

  private static final long BOOKMARK_EVERY = TimeUnit.SECONDS.toNanos(60);

  /// A last bookmark comes so long before the end, for the client to go on from (API-62).
  private static final long LAST_BOOKMARK_BEFORE = TimeUnit.SECONDS.toNanos(2);

  private static final Duration LONGEST_LIFE = Duration.ofDays(365);

  private static final int BATCH_BYTES = 64 * 1024;

  private final WatchStream stream;
  private final EventEncoder encoder;
  private final Outlet outlet;
  private final Scheduler scheduler;
  private final boolean bookmarks;
  private final long end;
  private volatile long sendingSince;
  private volatile boolean sending;
  private boolean opened;
  private boolean failed;
  private long nextBookmark;
  private Scheduler.@Nullable Task alarm;

  /// @param bookmarks whether the client wants them
  /// @param life after which the watch ends
  WatchFeed(
      WatchStream stream,
      EventEncoder encoder,
      Outlet outlet,
      Scheduler scheduler,
      boolean bookmarks,
      Duration life) {
    this.stream = stream;
    this.encoder = encoder;
    this.outlet = outlet;
    this.scheduler = scheduler;
    this.bookmarks = bookmarks;
    this.end = System.nanoTime() + life.toNanos();
    this.nextBookmark = nextBookmark(System.nanoTime());
  }

  /// Whether the client has not taken for long what was sent to it.
  boolean stalled() {
    return sending && System.nanoTime() - sendingSince > STALLED.toNanos();
  }

  @Override
  protected Action process() {
    sending = false;
    if (!opened) {
      opened = true;
      return send(() -> outlet.open(this));
    }
    if (failed) return Action.SUCCEEDED;
    var batch = batch();
    if (!batch.isEmpty()) return send(() -> outlet.send(batch, this));
    if (stream.closed() || System.nanoTime() - end >= 0) return Action.SUCCEEDED;
    setAlarm();
    return Action.IDLE;
  }

  private Action send(Runnable what) {
    sendingSince = System.nanoTime();
    sending = true;
    what.run();
    return Action.SCHEDULED;
  }

  private List<List<byte[]>> batch() {
    var batch = new ArrayList<List<byte[]>>();
    int bytes = 0;
    while (bytes < BATCH_BYTES && !failed) {
      var event = stream.poll();
      if (event.isEmpty()) break;
      failed = event.get() instanceof WatchEvent.Failed;
      var pieces = encoder.encode(event.get());
      bytes += pieces.stream().mapToInt(piece -> piece.length).sum();
      batch.add(pieces);
    }
    if (batch.isEmpty() && bookmarks && System.nanoTime() - nextBookmark >= 0) {
      nextBookmark = nextBookmark(System.nanoTime());
      batch.add(encoder.encode(stream.bookmark()));
    }
    return batch;
  }

  /// A minute from now, or just before the end.
  private long nextBookmark(long now) {
    long last = end - LAST_BOOKMARK_BEFORE;
    long next = now + BOOKMARK_EVERY;
    if (next - last < 0) return next;
    return last - now > 0 ? last : end + BOOKMARK_EVERY;
  }

  private void setAlarm() {
    long now = System.nanoTime();
    long at = bookmarks && nextBookmark - end < 0 ? nextBookmark : end;
    cancelAlarm();
    alarm = scheduler.schedule(this::iterate, Math.max(0, at - now), TimeUnit.NANOSECONDS);
  }

  private void cancelAlarm() {
    if (alarm != null) alarm.cancel();
    alarm = null;
  }

  @Override
  protected void onCompleteSuccess() {
    finish();
    outlet.end();
  }

  @Override
  protected void onCompleteFailure(Throwable cause) {
    finish();
    outlet.fail(cause);
  }

  private void finish() {
    cancelAlarm();
    stream.close();
  }

  /// How long a watch lives: as asked for, otherwise between half an hour and an hour, so that not
  /// all come back at once (API-61). A year stands for all that is longer.
  static Duration life(long timeoutSeconds) {
    return Duration.ofSeconds(
        timeoutSeconds > 0
            ? Math.min(timeoutSeconds, LONGEST_LIFE.toSeconds())
            : ThreadLocalRandom.current().nextLong(1800, 3601));
  }

  /// Runs a feed whenever its stream says that there is something new, but not on the stream's own
  /// thread.
  static final class Wake implements Runnable {
    private final Executor executor;
    private final AtomicBoolean due = new AtomicBoolean();
    private volatile @Nullable WatchFeed feed;

    Wake(Executor executor) {
      this.executor = executor;
    }

    void connect(WatchFeed feed) {
      this.feed = feed;
      feed.iterate();
    }

    @Override
    public void run() {
      if (feed != null && due.compareAndSet(false, true)) executor.execute(this::iterate);
    }

    private void iterate() {
      due.set(false);
      var connected = feed;
      if (connected != null) connected.iterate();
    }
  }
}
