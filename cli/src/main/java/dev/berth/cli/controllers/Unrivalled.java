package dev.berth.cli.controllers;

import dev.berth.kube.lease.Tenure;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds office only while nobody else does whom no Lease of ours keeps out: one who was away when
/// it began may come back (RUN-01).
final class Unrivalled implements Tenure {
  private static final Logger log = LoggerFactory.getLogger(Unrivalled.class);

  /// How often one looks for the other, who renews what he holds every few seconds.
  static final Duration PACE = Duration.ofSeconds(10);

  /// Who is seen to have renewed nothing in so many looks lives no more: he gives up earlier by
  /// himself.
  private static final int SILENCE = 3;

  private final Tenure own;
  private final Supplier<Sight> rival;
  private final Duration pace;
  private final Time time;
  private final Runnable changed;

  /// Why it gives way.
  private volatile Optional<String> opposed = Optional.empty();

  private volatile boolean over;

  // Of the one look at a time.
  private int silent;

  /// @param rival a look at the other; may block
  /// @param changed is called when it is to look again whether it leads
  Unrivalled(Tenure own, Supplier<Sight> rival, Duration pace, Time time, Runnable changed) {
    this.own = own;
    this.rival = rival;
    this.pace = pace;
    this.time = time;
    this.changed = changed;
  }

  @Override
  public void start() {
    own.start();
    time.after(pace, this::look);
  }

  private void look() {
    if (over) return;
    switch (rival.get()) {
      case Sight.Acts(var why) -> {
        silent = 0;
        if (opposed.isEmpty()) log.error("{}", why);
        tell(Optional.of(why));
      }
      case Sight.Silent() -> {
        silent++;
        if (opposed.isPresent() && silent >= SILENCE) {
          log.info("the other kube-controller-manager has gone");
          tell(Optional.empty());
        }
      }
      case Sight.Unseen(var why) -> log.debug("{}", why); // neither a reason to act nor to cease
    }
    time.after(pace, this::look);
  }

  private void tell(Optional<String> now) {
    boolean same = opposed.isPresent() == now.isPresent();
    opposed = now;
    if (!same) changed.run();
  }

  @Override
  public boolean leads() {
    return opposed.isEmpty() && own.leads();
  }

  @Override
  public Optional<String> vacancy() {
    var why = opposed;
    return why.isPresent() ? why : own.vacancy();
  }

  @Override
  public boolean isStuck(Instant now, Duration grace) {
    return own.isStuck(now, grace);
  }

  @Override
  public void release() {
    over = true;
    own.release();
  }
}
