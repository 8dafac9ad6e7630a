package dev.berth.simulation.cluster;

import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.object.Kind;
import dev.berth.simulation.time.SimulatedProcess;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// The caches of one process and the loops that run on them.
final class Loops {
  private final SimulatedProcess process;
  private final Caches caches;
  private final LoopMetrics metrics = new LoopMetrics(new PrometheusRegistry());
  private final List<Loop<?>> all = new ArrayList<>();

  Loops(SimulatedProcess process, Api server, Collection<? extends Kind<?>> kinds) {
    this.process = process;
    // Sets of constants have another order in each JVM.
    var sorted = kinds.stream().sorted(Comparator.comparing(Kind::toString)).toList();
    this.caches = Caches.of(server, process, sorted);
  }

  Loops(SimulatedProcess process, Api server, List<Scope<?>> scopes) {
    this.process = process;
    this.caches = new Caches(server, process, scopes);
  }

  Api api() {
    return caches.api();
  }

  Caches caches() {
    return caches;
  }

  EventRecorder events(String component) {
    return new ApiEventRecorder(caches.api(), process, component, "");
  }

  Loop<?> add(Controller<?, ?, ?> controller, Sources sources, Pace pace, EventRecorder events) {
    var loop = new Loop<>(controller, caches, sources, process, events, pace, metrics);
    all.add(loop);
    return loop;
  }

  /// Loops that somebody else starts.
  void know(List<Loop<?>> others) {
    all.addAll(others);
  }

  LoopMetrics metrics() {
    return metrics;
  }

  void start() {
    all.forEach(Loop::start);
    caches.start();
  }

  /// What every key waits for or fails at, a line for each.
  List<String> troubles() {
    var lines = new ArrayList<String>();
    for (var loop : all) {
      loop.waits()
          .forEach((key, wait) ->
              lines.add("%s: waits on %s until %s".formatted(key, wait.on(), wait.until())));
      loop.failures().forEach((key, failure) -> lines.add("%s: %s".formatted(key, failure)));
    }
    return lines.stream().map(line -> process.name() + ": " + line).toList();
  }
}
