package dev.berth.sidecar;

import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.health.HealthOptions;
import dev.berth.sidecar.modifier.ModifierOptions;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import dev.berth.sidecar.resizer.ResizerOptions;
import java.util.EnumSet;
import java.util.Set;

/// How the sidecars of a driver work, a record for each; defaults are upstream's.
///
/// @param chosen which of them may work at all; those for which the driver can do nothing do not
/// @param leadership who else may want to do the work
public record SidecarOptions(
    ProvisionerOptions provisioner,
    AttacherOptions attacher,
    ResizerOptions resizer,
    ModifierOptions modifier,
    HealthOptions health,
    Set<Sidecar> chosen,
    Leadership leadership) {
  public static final SidecarOptions DEFAULT =
      new SidecarOptions(
          ProvisionerOptions.DEFAULT,
          AttacherOptions.DEFAULT,
          ResizerOptions.DEFAULT,
          ModifierOptions.DEFAULT,
          HealthOptions.DEFAULT,
          EnumSet.allOf(Sidecar.class),
          new Leadership.Announced());

  public SidecarOptions {
    chosen = Set.copyOf(chosen);
  }

  public SidecarOptions with(ProvisionerOptions other) {
    return new SidecarOptions(other, attacher, resizer, modifier, health, chosen, leadership);
  }

  public SidecarOptions with(AttacherOptions other) {
    return new SidecarOptions(provisioner, other, resizer, modifier, health, chosen, leadership);
  }

  public SidecarOptions with(ResizerOptions other) {
    return new SidecarOptions(provisioner, attacher, other, modifier, health, chosen, leadership);
  }

  public SidecarOptions with(ModifierOptions other) {
    return new SidecarOptions(provisioner, attacher, resizer, other, health, chosen, leadership);
  }

  public SidecarOptions with(HealthOptions other) {
    return new SidecarOptions(provisioner, attacher, resizer, modifier, other, chosen, leadership);
  }

  public SidecarOptions choosing(Set<Sidecar> others) {
    return new SidecarOptions(provisioner, attacher, resizer, modifier, health, others, leadership);
  }

  public SidecarOptions under(Leadership other) {
    return new SidecarOptions(provisioner, attacher, resizer, modifier, health, chosen, other);
  }
}
