package dev.berth.sidecar;

import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.health.HealthOptions;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import java.util.EnumSet;
import java.util.Set;

/// How the sidecars of a driver work, a record for each; defaults are upstream's.
///
/// @param chosen which of them may work at all; those for which the driver can do nothing do not
/// @param leadership who else may want to do the work
public record SidecarOptions(
    ProvisionerOptions provisioner,
    AttacherOptions attacher,
    HealthOptions health,
    Set<Sidecar> chosen,
    Leadership leadership) {
  public static final SidecarOptions DEFAULT =
      new SidecarOptions(
          ProvisionerOptions.DEFAULT,
          AttacherOptions.DEFAULT,
          HealthOptions.DEFAULT,
          EnumSet.allOf(Sidecar.class),
          new Leadership.Announced());

  public SidecarOptions {
    chosen = Set.copyOf(chosen);
  }

  public SidecarOptions with(ProvisionerOptions other) {
    return new SidecarOptions(other, attacher, health, chosen, leadership);
  }

  public SidecarOptions with(AttacherOptions other) {
    return new SidecarOptions(provisioner, other, health, chosen, leadership);
  }

  public SidecarOptions with(HealthOptions other) {
    return new SidecarOptions(provisioner, attacher, other, chosen, leadership);
  }

  public SidecarOptions choosing(Set<Sidecar> others) {
    return new SidecarOptions(provisioner, attacher, health, others, leadership);
  }

  public SidecarOptions under(Leadership other) {
    return new SidecarOptions(provisioner, attacher, health, chosen, other);
  }
}
