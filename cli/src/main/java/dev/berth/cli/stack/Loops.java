package dev.berth.cli.stack;

import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The loops over one set of caches.
final class Loops implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Loops.class);

  /// How long what runs at the stop may take.
  private static final long GRACE_SECONDS = 10;

  private final Caches caches;
  private final Time time;
  private final LoopMetrics metrics;
  private final List<Loop<?>> loops = new ArrayList<>();

  Loops(Caches caches, Time time, LoopMetrics metrics) {
    this.caches = caches;
    this.time = time;
    this.metrics = metrics;
  }

  Loop<?> start(Controller<?, ?, ?> controller, Sources sources, EventRecorder events) {
    var loop = new Loop<>(controller, caches, sources, time, events, Pace.CONTROLLER, metrics);
    loops.add(loop);
    loop.start();
    return loop;
  }

  @Override
  public void close() {
    var stopped = loops.stream().map(Loop::stop).toArray(CompletableFuture<?>[]::new);
    var all =
        CompletableFuture.allOf(stopped).completeOnTimeout(null, GRACE_SECONDS, TimeUnit.SECONDS);
    all.join();
    for (var loop : stopped)
      if (!loop.isDone()) log.warn("an effect still runs after {} s; not awaited", GRACE_SECONDS);
  }
}
