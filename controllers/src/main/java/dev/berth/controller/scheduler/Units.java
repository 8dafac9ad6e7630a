package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.model.StorageClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Whether all volumes that are to be made for a pod on a node have room there at once, where each
/// of them takes something for itself, such as a drive, and the driver says what there is (BM-94).
/// A CSIStorageCapacity alone is a promise to each claim, and none to two.
final class Units {
  private final List<Set<String>> demands = new ArrayList<>();
  private final Map<String, Integer> takers = new HashMap<>();

  private Units() {}

  /// @param provisions claims whose volumes are to be made there, each of which has room alone
  static Optional<Refusal> refusal(Wanted wanted, List<Claim> provisions, Node node) {
    if (provisions.size() < 2) return Optional.empty();
    var units = new Units();
    StorageClass last = null;
    for (var claim : provisions) {
      var storageClass = wanted.view().storageClass(claim).orElseThrow();
      var some = units(wanted, claim, storageClass, node);
      if (some.isEmpty()) continue;
      units.demands.add(some.get());
      last = storageClass;
    }
    if (last == null || units.placed() == units.demands.size()) return Optional.empty();
    return Optional.of(
        new Refusal(
            VolumeRules.NO_FREE_STORAGE,
            Wait.on(last.ref()),
            "driver %s reports room for all %d of the pod's new volumes on node %s, each of which takes a drive or the like for itself"
                .formatted(last.provisioner(), units.demands.size(), node.meta().name()),
            "free storage on one of the nodes, or let volumes share it"));
  }

  /// What a claim may have; empty: nobody counts it.
  private static Optional<Set<String>> units(
      Wanted wanted, Claim claim, StorageClass storageClass, Node node) {
    boolean tracked =
        wanted
            .view()
            .driver(storageClass.provisioner())
            .filter(CsiDriver::storageCapacity)
            .isPresent();
    if (!tracked || claim.selectedNode().isPresent()) return Optional.empty();
    var all = new HashSet<String>();
    for (StorageCapacity capacity :
        wanted
            .view()
            .capacities(storageClass, node)
            .filter(it -> it.fits(claim.request()))
            .toList()) {
      if (capacity.units().isEmpty()) return Optional.empty();
      capacity
          .units()
          .get()
          .forEach((name, bytes) -> {
            if (bytes >= claim.request().toLong()) all.add(storageClass.provisioner() + ' ' + name);
          });
    }
    return Optional.of(all);
  }

  /// As many as can be.
  private int placed() {
    int placed = 0;
    for (int each = 0; each < demands.size(); each++) if (place(each, new HashSet<>())) placed++;
    return placed;
  }

  /// Who has one already makes way if he finds another.
  private boolean place(int demand, Set<String> asked) {
    for (var unit : demands.get(demand)) {
      if (!asked.add(unit)) continue;
      var taker = takers.get(unit);
      if (taker != null && !place(taker, asked)) continue;
      takers.put(unit, demand);
      return true;
    }
    return false;
  }
}
