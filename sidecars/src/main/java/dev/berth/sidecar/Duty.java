package dev.berth.sidecar;

import dev.berth.kube.lease.Tenure;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.time.Backoff;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.Trouble.Cause;
import dev.berth.sidecar.Trouble.Extent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One sidecar of one driver: its loops, which run while its Lease is held (ONE-19). Whoever loses
/// the Lease begins nothing more, lets what runs end, and waits for the Lease; the process goes on.
/// One that cannot begin, for want of rights or by a defect, is tried again, and disturbs no other
/// (ONE-15, ONE-23).
public final class Duty {
  private static final Logger log = LoggerFactory.getLogger(Duty.class);

  /// How often rights are asked for again.
  private static final Duration RIGHTS = Duration.ofSeconds(30);

  private static final Backoff DEFECTS = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

  private final String name;
  private final Time time;
  private final Supplier<List<Loop<?>>> loops;
  private final Supplier<Optional<String>> hindrance;
  private final Tenure tenure;

  // Guarded by this; nobody is called with it held, but asked whether it leads.
  private Optional<List<Loop<?>>> running = Optional.empty();
  private Optional<Trouble> trouble = Optional.empty();
  private int defects;
  private boolean stands;
  private boolean over;
  private boolean ending; // what was begun
  private boolean asked; // whether to begin or to end
  private boolean busy; // somebody begins or ends it

  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  /// @param name for people
  /// @param loops makes them, not started, the one that matters most first: one that has stopped
  ///   does not start again
  /// @param hindrance what keeps it from working at all; asked before it begins, may block
  /// @param tenure makes what says when to act, given what to call when that changes
  public Duty(
      String name,
      Time time,
      Supplier<List<Loop<?>>> loops,
      Supplier<Optional<String>> hindrance,
      Function<Runnable, Tenure> tenure) {
    this.name = name;
    this.time = time;
    this.loops = loops;
    this.hindrance = hindrance;
    this.tenure = tenure.apply(this::reconcile);
  }

  /// Returns at once.
  public void start() {
    time.start(this::stand);
  }

  /// Stands for the Lease once nothing is in the way.
  private void stand() {
    var why = hindrance.get().map(words -> trouble(Cause.RIGHTS, Extent.WHOLE, words));
    Optional<Trouble> before;
    synchronized (this) {
      if (over) return;
      before = trouble;
      trouble = why;
      stands = why.isEmpty();
    }
    if (why.isPresent()) {
      if (!before.equals(why)) log.error("{}", why.get().text());
      time.after(RIGHTS, this::stand);
      return;
    }
    if (before.isPresent()) log.info("{}: it may work now", name);
    tenure.start();
    reconcile();
  }

  /// Whether it acts though its Lease has run out `grace` ago (PROV-173).
  public boolean isStuck(Instant now, Duration grace) {
    return tenure.isStuck(now, grace);
  }

  /// Whether a call or a write may begin now.
  public boolean leads() {
    return tenure.leads();
  }

  /// Whether it does what it is for, or stands by for its Lease.
  public boolean isUp() {
    return troubles().stream().noneMatch(each -> each.extent() == Extent.WHOLE);
  }

  /// Why its Lease is nobody's, so that nobody does what it is for; empty: it acts, or stands by,
  /// or [#troubles()] tell more.
  public Optional<String> vacancy() {
    synchronized (this) {
      if (trouble.isPresent()) return Optional.empty();
      if (!stands) return Optional.of(name + ": it has not begun yet");
    }
    return tenure.vacancy().map(why -> name + ": " + why);
  }

  /// What keeps it, or some of its works, from being done; empty: nothing, though it may stand by.
  public List<Trouble> troubles() {
    List<Loop<?>> begun;
    synchronized (this) {
      if (trouble.isPresent()) return List.of(trouble.get());
      begun = running.orElse(List.of());
    }
    var troubles = new ArrayList<Trouble>();
    for (var loop : begun) {
      var extent = loop.equals(begun.getFirst()) ? Extent.WHOLE : Extent.PART;
      loop.hindrance()
          .map(why -> trouble(Cause.RIGHTS, extent, loop.name() + " is off, as it " + why))
          .ifPresent(troubles::add);
    }
    return troubles;
  }

  private Trouble trouble(Cause cause, Extent extent, String words) {
    return new Trouble(cause, extent, name + ": " + words);
  }

  /// Begins or ends what has to, one thing at a time: who comes while another is at it leaves it to
  /// him to look once more. A defect is told, and does not keep anybody from looking again.
  private void reconcile() {
    synchronized (this) {
      asked = true;
      if (busy) return;
      busy = true;
    }
    while (true)
      try {
        var next = next();
        if (next.isEmpty()) return;
        next.get().run();
      } catch (RuntimeException | Error defect) {
        log.error("{} could neither begin nor end", name, defect);
      }
  }

  private synchronized Optional<Runnable> next() {
    boolean looks = asked && !ending; // it looks again when ended
    asked = false;
    var next = looks ? due() : Optional.<Runnable>empty();
    busy = next.isPresent();
    return next;
  }

  private synchronized Optional<Runnable> due() {
    boolean act = stands && tenure.leads() && !over;
    if (act && running.isEmpty()) return Optional.of(this::begin);
    if (!act && running.isPresent()) {
      var begun = running.get();
      ending = true;
      return Optional.of(() -> end(begun));
    }
    return over ? Optional.of(() -> stopped.complete(null)) : Optional.empty();
  }

  private void begin() {
    List<Loop<?>> begun = List.of();
    try {
      begun = loops.get();
      runs(begun);
      begun.forEach(Loop::start);
      went();
    } catch (RuntimeException | Error defect) {
      for (var loop : begun) {
        var _ = stop(loop); // what runs in it ends when it ends
      }
      var pause = failed(defect);
      log.error("{} could not begin; again in {}", name, pause, defect);
      time.after(pause, this::reconcile);
    }
  }

  private synchronized void runs(List<Loop<?>> begun) {
    running = Optional.of(begun);
  }

  private synchronized void went() {
    defects = 0;
    trouble = Optional.empty();
  }

  private synchronized Duration failed(Throwable defect) {
    trouble = Optional.of(trouble(Cause.DEFECT, Extent.WHOLE, "it could not begin: " + defect));
    running = Optional.empty();
    return DEFECTS.after(++defects);
  }

  private void end(List<Loop<?>> begun) {
    var _ =
        CompletableFuture.allOf(begun.stream().map(this::stop).toArray(CompletableFuture<?>[]::new))
            .thenRun(this::ended);
  }

  /// One that cannot be stopped counts as stopped: others wait for all of them.
  private CompletableFuture<Void> stop(Loop<?> loop) {
    try {
      return loop.stop();
    } catch (RuntimeException | Error defect) {
      log.error("{}: {} could not be stopped", name, loop.name(), defect);
      return CompletableFuture.completedFuture(null);
    }
  }

  private void ended() {
    synchronized (this) {
      running = Optional.empty();
      ending = false;
    }
    reconcile();
  }

  /// @return done when nothing runs any more and the Lease is given up
  public CompletableFuture<Void> stop() {
    synchronized (this) {
      over = true;
    }
    reconcile();
    return stopped.thenRun(tenure::release);
  }
}
