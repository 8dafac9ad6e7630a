package dev.berth.driver.model;

import java.util.List;

/// Where a new volume has to be reachable from.
///
/// @param requisite at least one of these; empty: the driver may choose
/// @param preferred to be tried in this order; empty: no preference
public record Placement(List<Topology> requisite, List<Topology> preferred) {
  public static final Placement ANYWHERE = new Placement(List.of(), List.of());

  public Placement {
    requisite = List.copyOf(requisite);
    preferred = List.copyOf(preferred);
  }

  /// Whether a volume that is reachable from any of `places` will do (TOP-01).
  ///
  /// @param places empty: it is reachable from everywhere
  public boolean accepts(List<Topology> places) {
    var wanted = requisite.isEmpty() ? preferred : requisite;
    return wanted.isEmpty()
        || places.isEmpty()
        || wanted.stream()
            .anyMatch(want -> places.stream().anyMatch(place -> overlap(want, place)));
  }

  private static boolean overlap(Topology a, Topology b) {
    return a.contains(b) || b.contains(a);
  }
}
