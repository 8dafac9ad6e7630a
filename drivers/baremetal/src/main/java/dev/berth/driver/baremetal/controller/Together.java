package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.object.Drive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which drives several volumes get that are to be on one node, each a drive for itself (BM-91,
/// BM-94): as many of them as can be.
final class Together {
  /// A volume, and the drives that it may have.
  ///
  /// @param least bytes that it needs at least
  /// @param drives the best first
  record Demand(String volume, long least, List<Drive> drives) {
    Demand {
      drives = List.copyOf(drives);
    }
  }

  private final Map<String, Demand> demands = new HashMap<>();
  private final Map<String, String> takers = new HashMap<>(); // volume by uuid of a drive
  private final Map<String, Drive> given = new HashMap<>();

  private Together() {}

  /// @return by volume; one that is not in it finds no drive beside the others
  static Map<String, Drive> of(List<Demand> demands) {
    var together = new Together();
    var order = new ArrayList<>(demands);
    order.sort(Comparator.comparingLong(Demand::least).reversed().thenComparing(Demand::volume));
    for (var demand : order) together.demands.put(demand.volume, demand);
    for (var demand : order) together.place(demand, new HashSet<>());
    return Map.copyOf(together.given);
  }

  /// Who has a drive already makes way if he finds another.
  private boolean place(Demand demand, Set<String> asked) {
    for (var drive : demand.drives) {
      if (!asked.add(drive.uuid())) continue;
      var taker = takers.get(drive.uuid());
      var other = taker == null ? null : demands.get(taker);
      if (other != null && !place(other, asked)) continue;
      takers.put(drive.uuid(), demand.volume);
      given.put(demand.volume, drive);
      return true;
    }
    return false;
  }
}
