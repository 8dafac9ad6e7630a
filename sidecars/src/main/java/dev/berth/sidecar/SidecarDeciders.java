package dev.berth.sidecar;

import dev.berth.kube.loop.Concern;
import dev.berth.sidecar.attacher.Attacher;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.provisioner.Provisioner;
import dev.berth.sidecar.reclaimer.Reclaimer;
import java.util.List;

/// What the sidecars of one driver do: every decider of theirs. Who acts runs all of them, who
/// explains asks all of them.
public record SidecarDeciders(
    Concern<Means, ?, ?, ?> provisioner,
    Concern<Means, ?, ?, ?> reclaimer,
    Concern<Means, ?, ?, ?> attacher) {
  /// @param driver as it says of itself, or is supposed to be
  public static SidecarDeciders of(DriverFacts driver, SidecarOptions options) {
    return new SidecarDeciders(
        Provisioner.of(driver, options.provisioner()),
        Reclaimer.of(driver),
        Attacher.of(driver, options.attacher()));
  }

  /// In the order of a volume's life.
  public List<Concern<Means, ?, ?, ?>> all() {
    return List.of(provisioner, reclaimer, attacher);
  }
}
