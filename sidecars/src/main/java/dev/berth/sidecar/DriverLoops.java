package dev.berth.sidecar;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.lease.Election;
import dev.berth.kube.lease.Heartbeat;
import dev.berth.kube.lease.Tenure;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Sources;
import dev.berth.kube.model.LeaseNames;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverCalls;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.LeaderOnly;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.metric.SidecarMetrics;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.part.Standing;
import dev.berth.sidecar.rights.Right;
import dev.berth.sidecar.rights.Rights;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The sidecars that work for one driver on one connection.
///
/// @param told what runs and why, for the log (ONE-11)
record DriverLoops(String told, List<Duty> duties) {
  private static final Duration LEASE = Duration.ofSeconds(15);

  static DriverLoops of(
      DriverFacts driver,
      CsiConnection connection,
      Caches caches,
      Time time,
      SidecarMetrics metrics,
      Recorders recorders,
      SidecarOptions options) {
    var parts = SidecarDeciders.of(driver, options).parts();
    var tenures = new Tenures(options, caches, time);
    var identity = identity(driver, time);
    var duties = new ArrayList<Duty>();
    for (var part : parts) {
      if (!part.isOn() || !options.chosen().contains(part.sidecar())) continue;
      caches.want(part.kinds());
      duties.add(
          new Beside(driver, connection, caches, time, metrics, recorders, options)
              .duty(part, tenures, identity));
    }
    return new DriverLoops(told(driver, parts, options), List.copyOf(duties));
  }

  /// What the parts of one driver have in common.
  private record Beside(
      DriverFacts driver,
      CsiConnection connection,
      Caches caches,
      Time time,
      SidecarMetrics metrics,
      Recorders recorders,
      SidecarOptions options) {
    Duty duty(Part part, Tenures tenures, String identity) {
      var sidecar = part.sidecar();
      var name = driver.name();
      var lease = sidecar.lease(name);
      var made = new AtomicReference<Duty>();
      var leading = new LeaderOnly(() -> made.get() != null && made.get().leads());
      var means =
          new Means(
              caches.api(),
              recorders.of(sidecar, name),
              time,
              calls(connection.through(metrics.calls(name)).through(leading)),
              identity);
      var maker = new Maker(means, Sources.of(part.sources()), caches, metrics.loops());
      var duty =
          new Duty(
              sidecar.title() + " of " + name,
              time,
              () -> maker.loops(part),
              () -> hindrance(sidecar),
              up -> metrics.up(name, sidecar.title(), up),
              changed ->
                  tenures
                      .of(lease)
                      .apply(() -> {
                        var now = made.get();
                        if (now != null) metrics.leads(lease, now.leads());
                        changed.run();
                      }));
      made.set(duty);
      return duty;
    }

    /// ONE-23; who is alone on its machine may do everything.
    private Optional<String> hindrance(Sidecar sidecar) {
      if (options.leadership() instanceof Leadership.Announced) return Optional.empty();
      var lacking = new Rights(caches.api()).lacking(Rights.needed(sidecar));
      return lacking.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "it is off, as it may not %s; bind a ClusterRole with these rights to its"
                      .formatted(
                          lacking.stream().map(Right::toString).collect(Collectors.joining(", ")))
                  + " service account");
    }
  }

  private record Tenures(SidecarOptions options, Caches caches, Time time) {
    Function<Runnable, Tenure> of(String lease) {
      return changed ->
          switch (options.leadership()) {
            case Leadership.Elected(var api, var namespace, var who, var labels, var terms) ->
                new Election(
                    api, ObjectKey.of(namespace, lease), who, labels, terms, time, changed);
            case Leadership.Announced _ ->
                new Heartbeat(
                    caches.api(), ObjectKey.of(LeaseNames.SYSTEM, lease), "berth", LEASE, time);
            case Leadership.Assumed _ -> Tenure.UNOPPOSED;
          };
    }
  }

  static DriverCalls calls(CsiConnection connection) {
    return new Calls(connection);
  }

  private record Calls(CsiConnection connection) implements DriverCalls {
    @Override
    public ControllerCalls controller(Duration timeout) {
      return connection.controller(timeout);
    }

    @Override
    public GroupControllerCalls groups(Duration timeout) {
      return connection.groupController(timeout);
    }
  }

  private record Maker(Means means, Sources sources, Caches caches, LoopMetrics metrics) {
    List<Loop<?>> loops(Part part) {
      return part.works().stream().<Loop<?>>map(work -> loop(work.concern(), work.pace())).toList();
    }

    private Loop<?> loop(Concern<Means, ?, ?, ?> concern, Pace pace) {
      return new Loop<>(
          concern.controller(means), caches, sources, means.time(), means.events(), pace, metrics);
    }
  }

  /// PROV-07.
  private static String identity(DriverFacts driver, Time time) {
    return "%d-%d-%s"
        .formatted(time.now().toEpochMilli(), time.random().nextInt(10_000), driver.name());
  }

  private static String told(DriverFacts driver, List<Part> parts, SidecarOptions options) {
    return parts.stream()
        .filter(part -> options.chosen().contains(part.sidecar()))
        .map(part -> part.sidecar().title() + " " + told(part.standing()))
        .collect(
            Collectors.joining(
                ", ",
                "driver %s: ".formatted(driver.name()),
                ", topology " + (driver.hasTopology() ? "on" : "off")));
  }

  private static String told(Standing standing) {
    return switch (standing) {
      case Standing.On(var why) -> "on (%s)".formatted(why);
      case Standing.Off(var why) -> "off (%s)".formatted(why);
    };
  }

  void start() {
    duties.forEach(Duty::start);
  }

  /// @return done when nothing runs any more
  CompletableFuture<Void> stop() {
    return CompletableFuture.allOf(
        duties.stream().map(Duty::stop).toArray(CompletableFuture<?>[]::new));
  }
}
