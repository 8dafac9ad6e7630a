package dev.berth.controller.roster;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One controller, by the names under which it is chosen (RUN-01): upstream's, and ours.
public enum Member {
  CRON_JOBS("cronjob-controller", "cronjob"),
  JOBS("job-controller", "job"),
  DAEMON_SETS("daemonset-controller", "daemonset"),
  DEPLOYMENTS("deployment-controller", "deployment"),
  REPLICA_SETS("replicaset-controller", "replicaset"),
  STATEFUL_SETS("statefulset-controller", "statefulset"),
  EPHEMERAL_VOLUMES("ephemeral-volume-controller", "ephemeral-volume"),
  SCHEDULER("kube-scheduler", "scheduler"),
  BINDER("persistentvolume-binder-controller", "persistentvolume-binder", "binder"),
  ATTACH_DETACH(
      "persistentvolume-attach-detach-controller", "attachdetach", "attach-detach", "attacher"),
  EXPANSION(
      "persistentvolume-expander-controller", "persistentvolume-expander", "expander", "expand"),
  CLAIM_PROTECTION("persistentvolumeclaim-protection-controller", "pvc-protection"),
  VOLUME_PROTECTION("persistentvolume-protection-controller", "pv-protection"),
  ATTRIBUTES_CLASS_PROTECTION("volumeattributesclass-protection-controller", "vac-protection"),
  SNAPSHOTS("snapshot-controller", "snapshots"),
  DISRUPTION("disruption-controller", "disruption"),
  NODE_LIFECYCLE("node-lifecycle-controller", "nodelifecycle"),
  TAINT_EVICTION("taint-eviction-controller", "taint-eviction"),
  POD_GARBAGE_COLLECTOR("pod-garbage-collector-controller", "podgc"),
  ENDPOINT_SLICES("endpointslice-controller", "endpointslice"),
  ENDPOINTS("endpoints-controller", "endpoint", "endpoints");

  private final String title;
  private final List<String> aliases;

  Member(String title, String... aliases) {
    this.title = title;
    this.aliases = List.of(aliases);
  }

  /// As upstream calls it today.
  public String title() {
    return title;
  }

  /// Whether it runs only where it is called by its name: what keeps pods, and says where they are,
  /// a cluster has already.
  public boolean onlyByName() {
    return switch (this) {
      case CRON_JOBS,
          JOBS,
          DAEMON_SETS,
          DEPLOYMENTS,
          REPLICA_SETS,
          STATEFUL_SETS,
          ENDPOINT_SLICES,
          ENDPOINTS ->
          true;
      default -> false;
    };
  }

  /// The shortest of its names, for people.
  public String brief() {
    return aliases.getLast();
  }

  /// By any of its names.
  public static Optional<Member> named(String name) {
    return Arrays.stream(values())
        .filter(each ->
            Stream.concat(Stream.of(each.title), each.aliases.stream()).anyMatch(name::equals))
        .findFirst();
  }
}
