package dev.berth.cli.sidecars;

import dev.berth.driver.process.TextEndpoint.Text;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.object.Kind;
import dev.berth.sidecar.Trouble;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// What `/readyz` answers: 503 with what is lacking; 200, and what is off, if a right is lacking
/// and something works without it: that may stay so, and is no reason to hold up a roll-out
/// (ONE-23).
public final class Readiness {
  private final List<String> lacks = new ArrayList<>();
  private final List<String> off = new ArrayList<>();

  /// Of a process that needs nothing but what its caches hold.
  static Text of(Caches caches) {
    var report = new Readiness();
    report.of(caches.unfilled(), caches.refused().keySet());
    return report.text();
  }

  public void lacks(String what) {
    lacks.add(what);
  }

  /// One driver's sidecars.
  ///
  /// @param idle whether none of them works
  public void of(List<Trouble> troubles, boolean idle) {
    for (var trouble : troubles)
      (idle || trouble.cause() == Trouble.Cause.DEFECT ? lacks : off).add(trouble.text());
  }

  /// The caches.
  ///
  /// @param refused of those that are not filled the ones that may not be listed
  public void of(Set<Kind<?>> unfilled, Set<Kind<?>> refused) {
    var awaited = new HashSet<>(unfilled);
    awaited.removeAll(refused);
    if (!awaited.isEmpty()) lacks.add("not yet read from the API server: " + names(awaited));
    if (!refused.isEmpty())
      off.add("what reads them is off, as they may not be listed: " + names(refused));
  }

  private static String names(Set<Kind<?>> kinds) {
    return kinds.stream()
        .map(kind -> kind.resource().groupResource())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  public Text text() {
    if (lacks.isEmpty() && off.isEmpty()) return Text.OK;
    var lines = new ArrayList<>(lacks.isEmpty() ? List.of(Text.OK.body()) : lacks);
    lines.addAll(off);
    return new Text(lacks.isEmpty() ? 200 : 503, String.join("\n", lines));
  }
}
