package dev.berth.node.volume.state;

import java.util.HashSet;
import java.util.Set;

/// Something is here, or may be, of a volume of which no note says which it is.
///
/// @param form how it comes to its pods; of a pod's mount that may be the pod's own, too
/// @param podUids pods that have it, or may have; empty: it is staged
public record LostMount(Form form, Set<String> podUids) {
  public LostMount {
    podUids = Set.copyOf(podUids);
  }

  /// Other pods have it, too.
  LostMount with(Set<String> others) {
    var all = new HashSet<>(podUids);
    all.addAll(others);
    return new LostMount(form, all);
  }
}
