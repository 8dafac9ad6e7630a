package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.VolumeFinding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What a node has found out about the volumes that are staged there.
///
/// @param known ids of the volumes of which it can say something; of others stands what was said
///   before, as a restart is no recovery
/// @param ill what is wrong, by id; volumes that are well are not in it
public record NodeFindings(Set<String> known, Map<String, List<VolumeFinding>> ill) {
  public static final NodeFindings NONE = new NodeFindings(Set.of(), Map.of());

  public NodeFindings {
    known = Set.copyOf(known);
    ill = Map.copyOf(ill);
  }

  /// What is wrong with a volume, as far as this node knows.
  public List<VolumeFinding> of(LocalVolume volume) {
    if (volume.stagedAt().isEmpty()) return List.of();
    if (!known.contains(volume.id())) return volume.findings();
    return ill.getOrDefault(volume.id(), List.of());
  }

  /// Ids of the volumes of which something else is said than before.
  Set<String> changedSince(NodeFindings before) {
    var all = new TreeSet<String>();
    for (var findings : List.of(this, before)) {
      all.addAll(findings.known);
      all.addAll(findings.ill.keySet());
    }
    all.removeIf(id ->
        known.contains(id) == before.known.contains(id)
            && ill.getOrDefault(id, List.of()).equals(before.ill.getOrDefault(id, List.of())));
    return all;
  }
}
