package dev.berth.cli.controllers;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.cli.sidecars.Launch;
import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.nodelife.NodeLife;
import dev.berth.controller.podgc.PodGarbage;
import dev.berth.controller.roster.Controllers;
import dev.berth.controller.roster.Member;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.controller.snapshot.Snapshots;
import dev.berth.kube.lease.Terms;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;

/// What the flags mean.
///
/// @param elected how Leases are held; empty: nobody else runs these controllers
/// @param endpoint where metrics and probes are; empty: nowhere
/// @param takeover whether to attach and detach though a kube-controller-manager lives
record Settings(
    Set<Member> chosen,
    Controllers.Options options,
    Optional<Elected> elected,
    Optional<InetSocketAddress> endpoint,
    boolean takeover) {
  /// @param controllers name of the Lease of the most of them
  record Elected(
      String namespace, String controllers, String scheduler, String identity, Terms terms) {
    /// The Lease under which upstream, or the role, would run it.
    ObjectKey lease(String upstream) {
      return ObjectKey.of(
          namespace,
          switch (upstream) {
            case LeaseNames.CONTROLLER_MANAGER -> controllers;
            case LeaseNames.SCHEDULER -> scheduler;
            default -> upstream;
          });
    }
  }

  Settings {
    chosen = Set.copyOf(chosen);
  }

  /// @throws Problem if something of it cannot be
  static Settings of(Given given) {
    return new Settings(
        Choice.of(given.all("controllers")),
        new Controllers.Options(
            new Binder.Options(
                given.isOn("enable-dynamic-provisioning"), given.isOn("honor-pod-node-name")),
            new Scheduler.Options(given.text("scheduler-name"), Scheduler.Actor.THIS),
            new AttachDetach.Options(!given.isOn("disable-force-detach-on-timeout")),
            Snapshots.Options.DEFAULT,
            new PodGarbage.Options(given.whole("terminated-pod-gc-threshold")),
            nodes(given)),
        given.isOn("leader-elect") ? Optional.of(elected(given)) : Optional.empty(),
        endpoint(given),
        given.isOn("takeover"));
  }

  private static NodeLife.Options nodes(Given given) {
    return new NodeLife.Options(
        given.time("node-monitor-grace-period"),
        given.time("node-startup-grace-period"),
        new NodeLife.Limits(
            given.number("node-eviction-rate"),
            given.number("secondary-node-eviction-rate"),
            given.whole("large-cluster-size-threshold"),
            given.number("unhealthy-zone-threshold")));
  }

  private static Elected elected(Given given) {
    return new Elected(
        given.text("leader-elect-resource-namespace"),
        given.text("leader-elect-resource-name"),
        given.text("scheduler-leader-elect-resource-name"),
        given.find("leader-elect-identity").orElseGet(Launch::uniqueName),
        terms(given));
  }

  private static Terms terms(Given given) {
    try {
      return new Terms(
          given.time("leader-elect-lease-duration"),
          given.time("leader-elect-renew-deadline"),
          given.time("leader-elect-retry-period"));
    } catch (IllegalArgumentException wrong) {
      throw Problem.ofCommandLine(String.valueOf(wrong.getMessage()));
    }
  }

  private static Optional<InetSocketAddress> endpoint(Given given) {
    int port = given.whole("port");
    var http = given.find("http-endpoint");
    if (http.isPresent() && port > 0)
      throw Problem.ofCommandLine("only one of --port and --http-endpoint can be set");
    var host = given.text("bind-address");
    return http.or(() ->
            port > 0
                ? Optional.of((host.contains(":") ? "[" + host + "]" : host) + ":" + port)
                : Optional.empty())
        .map(Launch::address);
  }
}
