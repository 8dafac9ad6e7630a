package dev.berth.cli.sidecars;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.cli.flags.Program;
import dev.berth.kube.lease.Terms;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.time.Backoff;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.capacity.CapacityOptions;
import dev.berth.sidecar.health.HealthOptions;
import dev.berth.sidecar.modifier.ModifierOptions;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.provisioner.Feature;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import dev.berth.sidecar.provisioner.Taking;
import dev.berth.sidecar.resizer.ResizerOptions;
import dev.berth.sidecar.snapshotter.SnapshotterOptions;
import dev.berth.sidecar.snapshotter.SnapshotterOptions.Names;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What flags mean: each sidecar's options, made of what its command line gives it.
final class Settings {
  private static final List<String> AT_LEAST_ONE =
      List.of("worker-threads", "workers", "capacity-threads", "cloning-protection-threads");
  private static final List<String> POSITIVE =
      List.of(
          "timeout",
          "resize-timeout",
          "modify-timeout",
          "retry-interval-start",
          "retry-interval-max",
          "capacity-poll-interval",
          "reconcile-sync",
          "monitor-interval",
          "list-volumes-interval");

  private Settings() {}

  /// @throws Problem if upstream's program would refuse a value, or could do nothing with it
  static SidecarOptions of(Map<Program, Given> given, Collection<Sidecar> chosen) {
    given.values().stream()
        .filter(each -> each.program().sidecar().filter(chosen::contains).isPresent())
        .forEach(Settings::check);
    try {
      var options = SidecarOptions.DEFAULT.choosing(Set.copyOf(chosen));
      for (var each : given.values()) options = with(options, each);
      options = options.with(RateFlags.of(given.values()));
      var provisioner = given.get(Program.PROVISIONER);
      return provisioner != null
              && chosen.contains(Sidecar.PROVISIONER)
              && provisioner.isOn("node-deployment")
          ? options.onNode(environment("NODE_NAME")) // PROV-150
          : options;
    } catch (IllegalArgumentException wrong) {
      throw Problem.ofCommandLine(String.valueOf(wrong.getMessage()));
    }
  }

  private static SidecarOptions with(SidecarOptions options, Given given) {
    return switch (given.program()) {
      case PROVISIONER -> {
        var provisioning = options.with(provisioner(given));
        yield given.isOn("enable-capacity") ? provisioning.with(capacity(given)) : provisioning;
      }
      case ATTACHER -> options.with(attacher(given));
      case RESIZER -> options.with(resizer(given)).with(modifier(given));
      case HEALTH_MONITOR -> options.with(health(given, options.health()));
      case SNAPSHOTTER -> options.with(snapshotter(given));
      case LIVENESSPROBE, NODE_DRIVER_REGISTRAR, SNAPSHOT_CONTROLLER, CONTROLLERS, KUBELET ->
          options;
    };
  }

  private static ResizerOptions resizer(Given given) {
    return new ResizerOptions(
        resizerTimeout(given, "resize-timeout"),
        pace(given, "workers"),
        given.time("retry-interval-max"),
        given.isOn("handle-volume-inuse-error")
            ? ResizerOptions.WhileUsed.WAIT
            : ResizerOptions.WhileUsed.ASK_AGAIN,
        given.gate("AnnotateFsResize", true));
  }

  private static ModifierOptions modifier(Given given) {
    return new ModifierOptions(
        given.gate("VolumeAttributesClass", true)
            ? ModifierOptions.Gate.ON
            : ModifierOptions.Gate.OFF,
        resizerTimeout(given, "modify-timeout"),
        pace(given, "workers"),
        given.time("retry-interval-max"),
        given.isOn("extra-modify-metadata")
            ? ModifierOptions.Names.TOLD
            : ModifierOptions.Names.KEPT);
  }

  /// `--timeout` counts only if it is given, and then for both.
  private static Duration resizerTimeout(Given given, String own) {
    return given.time(given.has("timeout") ? "timeout" : own);
  }

  private static HealthOptions health(Given given, HealthOptions standard) {
    return new HealthOptions(
        given.time("list-volumes-interval"),
        given.time("monitor-interval"),
        given.whole("worker-threads"),
        given.time("timeout"),
        given.isOn("enable-node-watcher"),
        standard.metrics());
  }

  private static ProvisionerOptions provisioner(Given given) {
    return new ProvisionerOptions(
        given.text("volume-name-prefix"),
        given.whole("volume-name-uuid-length"),
        given.isOn("strict-topology"),
        given.isOn("immediate-topology"),
        given.text("default-fstype"),
        given.isOn("extra-create-metadata"),
        given.isOn("controller-publish-readonly"),
        given.time("timeout"),
        pace(given, "worker-threads"),
        given.isOn("node-deployment-immediate-binding")
            ? Optional.of(
                new Taking(
                    given.time("node-deployment-base-delay"),
                    given.time("node-deployment-max-delay")))
            : Optional.empty(),
        features(given),
        ProvisionerOptions.DEFAULT.metrics());
  }

  /// PROV-160, PROV-161.
  private static CapacityOptions capacity(Given given) {
    int level = given.whole("capacity-ownerref-level");
    return new CapacityOptions(
        environment("NAMESPACE"),
        level < 0
            ? Optional.empty()
            : Optional.of(new CapacityOptions.OwnerOf(environment("POD_NAME"), level)),
        given.isOn("node-deployment")
            ? CapacityOptions.ofNode(environment("NODE_NAME"))
            : CapacityOptions.CENTRAL,
        given.isOn("capacity-for-immediate-binding"),
        given.time("capacity-poll-interval"),
        given.whole("capacity-threads"),
        given.time("timeout"));
  }

  private static String environment(String name) {
    return Optional.ofNullable(System.getenv(name)).orElse("");
  }

  /// PROV-188.
  private static Set<Feature> features(Given given) {
    var features = EnumSet.noneOf(Feature.class);
    if (given.isOn("prevent-volume-mode-conversion")) features.add(Feature.KEEP_VOLUME_MODE);
    if (given.gate("CrossNamespaceVolumeDataSource", false))
      features.add(Feature.CROSS_NAMESPACE_SOURCES);
    if (given.gate("VolumeAttributesClass", true)) features.add(Feature.ATTRIBUTES_CLASSES);
    if (given.gate("Topology", true)) features.add(Feature.TOPOLOGY);
    return features;
  }

  private static AttacherOptions attacher(Given given) {
    int threads = given.whole("worker-threads");
    return new AttacherOptions(
        given.text("default-fstype"),
        threads,
        threads,
        given.time("timeout"),
        pace(given, "worker-threads"),
        given.time("reconcile-sync"),
        given.whole("max-entries"));
  }

  private static SnapshotterOptions snapshotter(Given given) {
    return new SnapshotterOptions(
        new Names(given.text("snapshot-name-prefix"), given.whole("snapshot-name-uuid-length")),
        new Names(
            given.text("groupsnapshot-name-prefix"), given.whole("groupsnapshot-name-uuid-length")),
        given.isOn("extra-create-metadata"),
        given.isOn("node-deployment")
            ? Optional.ofNullable(System.getenv("NODE_NAME"))
            : Optional.empty(),
        given.gate("CSIVolumeGroupSnapshot", true),
        given.time("timeout"),
        pace(given, "worker-threads"));
  }

  private static Pace pace(Given given, String threads) {
    return Pace.SIDECAR
        .retry(new Backoff(given.time("retry-interval-start"), given.time("retry-interval-max")))
        .parallel(given.whole(threads));
  }

  /// What upstream's programs look at before they begin.
  static void check(Given given) {
    for (var flag : AT_LEAST_ONE)
      if (given.has(flag) && given.whole(flag) < 1)
        throw Problem.ofCommandLine("--%s must be greater than zero".formatted(flag));
    for (var flag : POSITIVE)
      if (given.has(flag) && !given.time(flag).isPositive())
        throw Problem.ofCommandLine("--%s must be greater than zero".formatted(flag));
    given
        .unknownGate()
        .ifPresent(gate -> {
          throw Problem.ofCommandLine(
              "unrecognized feature gate: %s; %s knows %s"
                  .formatted(gate, given.program().title(), given.program().gates()));
        });
    if (given.program() == Program.HEALTH_MONITOR) return;
    checkNode(given);
  }

  /// One beside each node's plugin has to know its node, and is not elected.
  private static void checkNode(Given given) {
    boolean perNode =
        switch (given.program()) {
          case PROVISIONER, SNAPSHOTTER -> given.isOn("node-deployment");
          default -> false;
        };
    if (!perNode) return;
    if (System.getenv("NODE_NAME") == null || System.getenv("NODE_NAME").isEmpty())
      throw Problem.ofCommandLine(
          "--node-deployment: the environment variable NODE_NAME must name the node");
    // SNAP-81
    if (given.isOn("leader-election"))
      throw Problem.ofCommandLine("--leader-election: there is none with --node-deployment");
  }

  /// @throws Problem if two could lead at once, or a leader could not renew
  static Terms terms(Given given) {
    try {
      return new Terms(
          given.time("leader-election-lease-duration"),
          given.time("leader-election-renew-deadline"),
          given.time("leader-election-retry-period"));
    } catch (IllegalArgumentException wrong) {
      throw Problem.ofCommandLine(String.valueOf(wrong.getMessage()));
    }
  }
}
