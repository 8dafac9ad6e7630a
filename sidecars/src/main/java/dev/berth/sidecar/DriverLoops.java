package dev.berth.sidecar;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Caller.Urgency;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.lease.Deposed;
import dev.berth.kube.lease.Election;
import dev.berth.kube.lease.Heartbeat;
import dev.berth.kube.lease.Tenure;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverCalls;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.LeaderOnly;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.metric.SidecarMetrics;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.part.Standing;
import dev.berth.sidecar.part.Work;
import dev.berth.sidecar.rights.Right;
import dev.berth.sidecar.rights.Rights;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The sidecars that work for one driver on one connection.
///
/// @param told what runs and why, for the log (ONE-11)
/// @param health who watches over the volumes' health, if anybody does
/// @param shown what to run when metrics are to show nothing more of them
record DriverLoops(String told, List<Duty> duties, Optional<Duty> health, List<Runnable> shown) {
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
    var beside =
        new Beside(driver, connection, caches, time, metrics, recorders, options, new Turns());
    var duties = new ArrayList<Duty>();
    var health = Optional.<Duty>empty();
    var shown = new ArrayList<Runnable>();
    for (var part : parts) {
      if (!part.isOn() || !options.chosen().contains(part.sidecar())) continue;
      caches.want(part.kinds());
      var duty = beside.duty(part, tenures, identity);
      duties.add(duty);
      if (part.sidecar() == Sidecar.HEALTH_MONITOR) health = Optional.of(duty);
      shown.add(beside.show(part.sidecar(), duty));
    }
    return new DriverLoops(
        told(driver, parts, options), List.copyOf(duties), health, List.copyOf(shown));
  }

  /// What the parts of one driver have in common.
  ///
  /// @param turns at its volumes, whichever part calls (ONE-17)
  private record Beside(
      DriverFacts driver,
      CsiConnection connection,
      Caches caches,
      Time time,
      SidecarMetrics metrics,
      Recorders recorders,
      SidecarOptions options,
      Turns turns) {
    Duty duty(Part part, Tenures tenures, String identity) {
      var sidecar = part.sidecar();
      var made = new AtomicReference<Duty>();
      BooleanSupplier leads = () -> made.get() != null && made.get().leads();
      var means = means(sidecar, leads, identity);
      var maker =
          new Maker(means, Sources.of(part.sources()), caches, metrics.loops(driver.name()));
      var duty =
          new Duty(
              sidecar.title() + " of " + driver.name(),
              time,
              () -> maker.loops(part),
              () -> hindrance(sidecar),
              tenures.of(sidecar, driver.name()));
      made.set(duty);
      return duty;
    }

    /// By which nothing begins, neither a call nor a write, once somebody else may lead (ONE-19).
    private Map<Urgency, Means> means(Sidecar sidecar, BooleanSupplier leads, String identity) {
      var name = driver.name();
      Runnable fence =
          () -> {
            if (!leads.getAsBoolean()) throw new Deposed("a write of the " + sidecar.title());
          };
      var caller =
          new Caller(Urgency.INTERACTIVE, options.rates().of(sidecar, Urgency.INTERACTIVE), fence);
      var events = recorders.of(caches.api().by(caller.with(Urgency.POLLING)), sidecar, name);
      var calls = calls(connection.through(metrics.calls(name)).through(new LeaderOnly(leads)));
      var means = new EnumMap<Urgency, Means>(Urgency.class);
      for (var urgency : Urgency.values()) {
        var his = caller.with(urgency).at(options.rates().of(sidecar, urgency));
        means.put(urgency, new Means(caches.api().by(his), events, time, calls, identity, turns));
      }
      return means;
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

    /// Shows how they are, until the answer is run.
    Runnable show(Sidecar sidecar, Duty duty) {
      var name = driver.name();
      BooleanSupplier up = duty::isUp;
      metrics.observe(name, sidecar.title(), up);
      if (!(options.leadership() instanceof Leadership.Elected))
        return () -> metrics.forget(name, sidecar.title(), up);
      BooleanSupplier leads = duty::leads;
      metrics.leases().observe(sidecar.lease(name), leads);
      return () -> {
        metrics.forget(name, sidecar.title(), up);
        metrics.leases().forget(sidecar.lease(name), leads);
      };
    }
  }

  private record Tenures(SidecarOptions options, Caches caches, Time time) {
    Function<Runnable, Tenure> of(Sidecar sidecar, String driver) {
      var lease = sidecar.lease(driver);
      return changed ->
          switch (options.leadership()) {
            case Leadership.Elected(var api, var namespace, var who, var labels, var terms) ->
                new Election(
                    api,
                    ObjectKey.of(namespace, lease),
                    who,
                    labels,
                    terms,
                    time,
                    new ApiEventRecorder(api, time, sidecar.leaseTeller(driver) + "/" + who, ""),
                    changed);
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

  private record Maker(
      Map<Urgency, Means> means, Sources sources, Caches caches, LoopMetrics metrics) {
    Maker {
      means = Map.copyOf(means);
    }

    List<Loop<?>> loops(Part part) {
      return part.works().stream().<Loop<?>>map(this::loop).toList();
    }

    private Loop<?> loop(Work work) {
      var his = Objects.requireNonNull(means.get(work.urgency()));
      return new Loop<>(
          work.concern().controller(his),
          caches,
          sources,
          his.time(),
          his.events(),
          work.pace(),
          metrics.named(work.queue()));
    }
  }

  /// PROV-07.
  static String identity(DriverFacts driver, Time time) {
    return "%d-%d-%s%s"
        .formatted(
            time.now().toEpochMilli(),
            time.random().nextInt(10_000),
            driver.name(),
            driver.own().map(it -> "-" + it.name()).orElse(""));
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
            duties.stream().map(Duty::stop).toArray(CompletableFuture<?>[]::new))
        .thenRun(() -> shown.forEach(Runnable::run));
  }
}
