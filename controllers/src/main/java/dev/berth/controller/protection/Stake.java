package dev.berth.controller.protection;

import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Volume;

/// What is lost when a volume goes whose policy is not to keep it, and how it is kept (R10, R11).
final class Stake {
  private Stake() {}

  static String of(Volume volume) {
    return "its data, in %s, is then deleted for good (policy %s); to keep it: %s"
        .formatted(
            volume.ref(),
            volume.reclaimPolicy().text(),
            Commands.kubectl(
                "patch",
                volume.ref(),
                "-p '{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}'"));
  }
}
