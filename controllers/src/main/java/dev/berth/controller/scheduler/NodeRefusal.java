package dev.berth.controller.scheduler;

import dev.berth.controller.scheduler.Fit.Refused;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.util.List;

/// Why one node does not do for a pod (XPL-09).
///
/// @param reasons in upstream's words, the first is what it failed by
public record NodeRefusal(Ref node, List<String> reasons) {
  public NodeRefusal {
    reasons = List.copyOf(reasons);
  }

  static NodeRefusal of(Host host, Refused refused) {
    return new NodeRefusal(
        Kinds.NODE.ref(ObjectKey.cluster(host.name())), refused.refusal().reasons());
  }
}
