package dev.berth.sidecar.part;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Trigger.OnKind;
import dev.berth.kube.object.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// One sidecar of one driver on one connection: its works run in one process together or not at
/// all, under its Lease.
///
/// @param works in the order of a volume's life; what an explanation asks, too
/// @param sources of the topics that its deciders read; made with the part, for this connection
public record Part(Sidecar sidecar, Standing standing, List<Work> works, List<Source<?>> sources) {
  public Part {
    works = List.copyOf(works);
    sources = List.copyOf(sources);
  }

  /// One whose deciders read nothing but objects.
  public static Part of(Sidecar sidecar, Standing standing, Work... works) {
    return new Part(sidecar, standing, List.of(works), List.of());
  }

  /// Whether there is something for it to do with the driver.
  public boolean isOn() {
    return standing instanceof Standing.On;
  }

  /// What the caches must hold before it can decide: every kind that its deciders read (ONE-13).
  public Set<Kind<?>> kinds() {
    var kinds = new LinkedHashSet<Kind<?>>();
    for (var work : works)
      for (var trigger : work.concern().decider().triggers())
        if (trigger instanceof OnKind<?, ?> on) kinds.add(on.kind());
    return kinds;
  }
}
