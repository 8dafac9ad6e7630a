package dev.berth.sidecar.provisioner;

import java.time.Duration;

/// How long a node's own provisioner leaves a claim that waits for no pod to others; upstream's
/// `--node-deployment-base-delay` and `-max-delay` (PROV-152).
///
/// @param base how long at most, from a claim's creation, before it takes it
/// @param max as long as that grows: it is doubled each time that the claim has come back
public record Taking(Duration base, Duration max) {
  public static final Taking USUAL = new Taking(Duration.ofSeconds(20), Duration.ofSeconds(60));

  /// @param times how often the claim was taken before, and given back
  Duration after(int times) {
    var delay = base;
    for (int i = 0; i < times && delay.compareTo(max) < 0; i++) delay = delay.multipliedBy(2);
    return delay.compareTo(max) < 0 ? delay : max;
  }
}
