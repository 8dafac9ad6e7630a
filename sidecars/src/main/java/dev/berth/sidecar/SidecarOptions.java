package dev.berth.sidecar;

import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.capacity.CapacityOptions;
import dev.berth.sidecar.health.HealthOptions;
import dev.berth.sidecar.modifier.ModifierOptions;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import dev.berth.sidecar.resizer.ResizerOptions;
import dev.berth.sidecar.snapshotter.SnapshotterOptions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// How the sidecars of a driver work, a record for each; defaults are upstream's.
///
/// @param capacity how the provisioner publishes room; empty: it does not
/// @param chosen which of them may work at all; those for which the driver can do nothing do not
/// @param leadership who else may want to do the work
/// @param node the Node whose volumes alone are taken care of, if they run beside the driver on
///   each node
/// @param rates how often they ask the API server at most
public record SidecarOptions(
    ProvisionerOptions provisioner,
    AttacherOptions attacher,
    ResizerOptions resizer,
    ModifierOptions modifier,
    HealthOptions health,
    Optional<CapacityOptions> capacity,
    SnapshotterOptions snapshotter,
    Set<Sidecar> chosen,
    Leadership leadership,
    Optional<String> node,
    Rates rates) {
  public static final SidecarOptions DEFAULT =
      new SidecarOptions(
          ProvisionerOptions.DEFAULT,
          AttacherOptions.DEFAULT,
          ResizerOptions.DEFAULT,
          ModifierOptions.DEFAULT,
          HealthOptions.DEFAULT,
          Optional.empty(),
          SnapshotterOptions.DEFAULT,
          EnumSet.allOf(Sidecar.class),
          new Leadership.Announced(),
          Optional.empty(),
          Rates.NONE);

  public SidecarOptions {
    chosen = Set.copyOf(chosen);
  }

  public SidecarOptions with(ProvisionerOptions other) {
    return new SidecarOptions(
        other,
        attacher,
        resizer,
        modifier,
        health,
        capacity,
        snapshotter,
        chosen,
        leadership,
        node,
        rates);
  }

  public SidecarOptions with(AttacherOptions other) {
    return new SidecarOptions(
        provisioner,
        other,
        resizer,
        modifier,
        health,
        capacity,
        snapshotter,
        chosen,
        leadership,
        node,
        rates);
  }

  public SidecarOptions with(ResizerOptions other) {
    return new SidecarOptions(
        provisioner,
        attacher,
        other,
        modifier,
        health,
        capacity,
        snapshotter,
        chosen,
        leadership,
        node,
        rates);
  }

  public SidecarOptions with(ModifierOptions other) {
    return new SidecarOptions(
        provisioner,
        attacher,
        resizer,
        other,
        health,
        capacity,
        snapshotter,
        chosen,
        leadership,
        node,
        rates);
  }

  public SidecarOptions with(HealthOptions other) {
    return new SidecarOptions(
        provisioner,
        attacher,
        resizer,
        modifier,
        other,
        capacity,
        snapshotter,
        chosen,
        leadership,
        node,
        rates);
  }

  public SidecarOptions with(CapacityOptions other) {
    return new SidecarOptions(
        provisioner,
        attacher,
        resizer,
        modifier,
        health,
        Optional.of(other),
        snapshotter,
        chosen,
        leadership,
        node,
        rates);
  }

  public SidecarOptions with(SnapshotterOptions other) {
    return new SidecarOptions(
        provisioner,
        attacher,
        resizer,
        modifier,
        health,
        capacity,
        other,
        chosen,
        leadership,
        node,
        rates);
  }

  public SidecarOptions choosing(Set<Sidecar> others) {
    return new SidecarOptions(
        provisioner,
        attacher,
        resizer,
        modifier,
        health,
        capacity,
        snapshotter,
        others,
        leadership,
        node,
        rates);
  }

  public SidecarOptions under(Leadership other) {
    return new SidecarOptions(
        provisioner,
        attacher,
        resizer,
        modifier,
        health,
        capacity,
        snapshotter,
        chosen,
        other,
        node,
        rates);
  }

  /// Takes care of the volumes of one node alone.
  ///
  /// @param name of the Node
  public SidecarOptions onNode(String name) {
    return new SidecarOptions(
        provisioner,
        attacher,
        resizer,
        modifier,
        health,
        capacity,
        snapshotter,
        chosen,
        leadership,
        Optional.of(name),
        rates);
  }

  public SidecarOptions with(Rates other) {
    return new SidecarOptions(
        provisioner,
        attacher,
        resizer,
        modifier,
        health,
        capacity,
        snapshotter,
        chosen,
        leadership,
        node,
        other);
  }
}
