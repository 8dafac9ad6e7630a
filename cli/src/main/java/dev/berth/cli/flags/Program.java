package dev.berth.cli.flags;

import dev.berth.sidecar.part.Sidecar;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A program of upstream's whose command line we take.
public enum Program {
  PROVISIONER(
      'P',
      "provisioner",
      "external-provisioner 6.3.0",
      Sidecar.PROVISIONER,
      Set.of("Topology", "CrossNamespaceVolumeDataSource", "VolumeAttributesClass"),
      "csi-provisioner",
      "external-provisioner"),
  ATTACHER(
      'A',
      "attacher",
      "external-attacher 4.13.0",
      Sidecar.ATTACHER,
      Set.of("MutableCSINodeAllocatableCount"),
      "csi-attacher",
      "external-attacher"),
  RESIZER(
      'R',
      "resizer",
      "external-resizer 2.3.0",
      Sidecar.RESIZER,
      Set.of("AnnotateFsResize", "RecoverVolumeExpansionFailure", "VolumeAttributesClass"),
      "csi-resizer",
      "external-resizer"),
  SNAPSHOTTER(
      'S',
      "snapshotter",
      "external-snapshotter 8.7.0",
      Sidecar.SNAPSHOTTER,
      Set.of("CSIVolumeGroupSnapshot"),
      "csi-snapshotter",
      "external-snapshotter"),
  HEALTH_MONITOR(
      'H',
      "health-monitor",
      "external-health-monitor 0.18.0",
      Sidecar.HEALTH_MONITOR,
      Set.of(),
      "external-health-monitor",
      "csi-external-health-monitor-controller",
      "external-health-monitor-controller"),
  LIVENESSPROBE('L', "livenessprobe", "livenessprobe 2.19.0", null, Set.of(), "liveness-probe"),
  NODE_DRIVER_REGISTRAR(
      'N',
      "node-driver-registrar",
      "node-driver-registrar 2.17.0",
      null,
      Set.of(),
      "csi-node-driver-registrar"),
  SNAPSHOT_CONTROLLER(
      'C',
      "snapshot-controller",
      "snapshot-controller 8.7.0",
      null,
      Set.of("CSIVolumeGroupSnapshot")),
  CONTROLLERS(
      'K', "controllers", "kube-controller-manager and kube-scheduler 1.37.1", null, Set.of()),
  KUBELET('U', "kubelet", "kubelet 1.37.1", null, Set.of());

  final char letter;
  private final String title;
  private final String matched;
  private final Optional<Sidecar> sidecar;
  private final Set<String> gates;
  private final List<String> aliases;

  Program(
      char letter,
      String title,
      String matched,
      @org.jspecify.annotations.Nullable Sidecar sidecar,
      Set<String> gates,
      String... aliases) {
    this.letter = letter;
    this.title = title;
    this.matched = matched;
    this.sidecar = Optional.ofNullable(sidecar);
    this.gates = gates;
    this.aliases = List.of(aliases);
  }

  /// As users write it: `berth sidecar TITLE`.
  public String title() {
    return title;
  }

  /// Name and version of the program whose behaviour is matched.
  public String matched() {
    return matched;
  }

  /// What works for one driver's controller; empty: it is something else.
  public Optional<Sidecar> sidecar() {
    return sidecar;
  }

  /// Whether it stands beside one driver, rather than being one for a cluster.
  public boolean besideDriver() {
    return this != SNAPSHOT_CONTROLLER && this != CONTROLLERS && this != KUBELET;
  }

  /// Upstream's gates of its own.
  public Set<String> gates() {
    return gates;
  }

  /// Whether it takes this gate, its own or one of the libraries that it is made of.
  boolean takes(String gate) {
    return gates.contains(gate) || Table.GATES.contains(gate);
  }

  /// By its title or by what upstream calls the program or its project.
  public static Optional<Program> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.title.equals(name) || each.aliases.contains(name))
        .findFirst();
  }
}
