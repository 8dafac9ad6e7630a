package dev.berth.cli.controllers;

import dev.berth.kube.lease.Tenure;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds office only while nobody else does whom no Lease of ours keeps out: one who was away when
/// it began may come back (RUN-01).
final class Unrivalled implements Tenure {
  private static final Logger log = LoggerFactory.getLogger(Unrivalled.class);

  /// How often one looks for the other, who renews what he holds every few seconds.
  static final Duration PACE = Duration.ofSeconds(10);

  /// Who has renewed nothing in so many looks lives no more: he gives up earlier by himself.
  private static final int SILENCE = 3;

  private final Tenure own;
  private final BooleanSupplier rivalLives;
  private final Duration pace;
  private final Time time;
  private final Runnable changed;

  private volatile boolean opposed;
  private volatile boolean over;

  // Of the one look at a time.
  private int silent;

  /// @param rivalLives whether the other has been seen to act since the last look; may block
  /// @param changed is called when it is to look again whether it leads
  Unrivalled(Tenure own, BooleanSupplier rivalLives, Duration pace, Time time, Runnable changed) {
    this.own = own;
    this.rivalLives = rivalLives;
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
    silent = rivalLives.getAsBoolean() ? 0 : silent + 1;
    if (!opposed && silent == 0) {
      log.error(
          "another kube-controller-manager has begun to act: nothing is attached or detached here,"
              + " nor done by the controllers beside that, while it does; switch its volume"
              + " controllers off, then start this with --takeover");
      tell(true);
    } else if (opposed && silent >= SILENCE) {
      log.info("the other kube-controller-manager has gone");
      tell(false);
    }
    time.after(pace, this::look);
  }

  private void tell(boolean now) {
    opposed = now;
    changed.run();
  }

  @Override
  public boolean leads() {
    return !opposed && own.leads();
  }

  @Override
  public Optional<String> vacancy() {
    return opposed
        ? Optional.of("another kube-controller-manager acts, and may attach a volume elsewhere")
        : own.vacancy();
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
