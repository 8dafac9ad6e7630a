package dev.berth.sidecar;

import dev.berth.kube.loop.Pace;
import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import java.time.Duration;

/// How the sidecars of a driver work; defaults are upstream's.
///
/// @param provisionTimeout how long creating or deleting a volume may take
/// @param attachTimeout how long attaching or detaching may take
/// @param pace how often failures are tried again, and how many claims and how many volumes are
///   worked on at the same time
/// @param leadership who else may want to do the work
public record SidecarOptions(
    ProvisionerOptions provisioner,
    AttacherOptions attacher,
    Duration provisionTimeout,
    Duration attachTimeout,
    Pace pace,
    Leadership leadership) {
  public static final SidecarOptions DEFAULT =
      new SidecarOptions(
          ProvisionerOptions.DEFAULT,
          AttacherOptions.DEFAULT,
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Pace.SIDECAR,
          new Leadership.Announced());
}
