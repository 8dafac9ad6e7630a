package dev.berth.sidecar;

import dev.berth.kube.loop.Pace;
import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import java.time.Duration;
import java.util.Optional;

/// How the sidecars of a driver work; defaults are upstream's.
///
/// @param provisionTimeout how long creating or deleting a volume may take
/// @param attachTimeout how long attaching or detaching may take
/// @param pace how often failures are tried again, and how many claims and how many volumes are
///   worked on at the same time
/// @param elections empty: nobody else can want to do the work
public record SidecarOptions(
    ProvisionerOptions provisioner,
    AttacherOptions attacher,
    Duration provisionTimeout,
    Duration attachTimeout,
    Pace pace,
    Optional<Elections> elections) {
  public static final SidecarOptions DEFAULT =
      new SidecarOptions(
          ProvisionerOptions.DEFAULT,
          AttacherOptions.DEFAULT,
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Pace.SIDECAR,
          Optional.empty());
}
