package dev.berth.controller.scheduler;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Volume;
import java.util.List;

/// A node that does for a pod, and where its unbound claims would get their volumes there.
///
/// @param matches claims that volumes serve which are there already
/// @param provisions claims whose volumes are to be made for the node
record Placement(Node node, List<Match> matches, List<Claim> provisions) {
  Placement {
    matches = List.copyOf(matches);
    provisions = List.copyOf(provisions);
  }

  record Match(Claim claim, Volume volume) {}
}
