package dev.berth.sidecar;

import dev.berth.kube.api.Api;
import dev.berth.kube.lease.Terms;
import java.util.Map;

/// Whether somebody else may want to do the work of a driver's sidecars.
public sealed interface Leadership {
  /// Nobody can, and a Lease of each sidecar in `kube-system` says that it is done: nothing else in
  /// the API tells whether a driver is served (XPL-08).
  record Announced() implements Leadership {}

  /// Nobody does, says the operator; no Lease is written, as by upstream's sidecars.
  record Assumed() implements Leadership {}

  /// Upstream's Leases decide, one a sidecar, so that upstream's own sidecars and ours keep each
  /// other out (ONE-18).
  ///
  /// @param api a client that does nothing else (ONE-20)
  /// @param namespace where the Leases are
  /// @param identity such as the pod's name
  /// @param labels that the Leases get from whoever leads
  record Elected(
      Api api, String namespace, String identity, Map<String, String> labels, Terms terms)
      implements Leadership {
    public Elected {
      labels = Map.copyOf(labels);
    }
  }
}
