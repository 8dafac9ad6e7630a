package dev.berth.node.drain;

import dev.berth.kube.model.VolumeName;
import dev.berth.node.pod.local.Local;
import dev.berth.node.pod.local.Run;
import dev.berth.node.volume.Refusals.Refusal;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What the decision about a drain sees.
///
/// @param drivers names of those that are registered
/// @param refusals what fails with which volume
public record DrainView(
    Instant now,
    DrainOrder order,
    Actual mounted,
    Local running,
    Set<String> drivers,
    Map<VolumeName, Refusal> refusals) {
  /// So often in a row a driver has to refuse before it is not asked again at the end.
  private static final int REFUSED = 4;

  /// Whether nothing runs, nothing is mounted and that is reported.
  boolean empty() {
    return emptyOf(mounted, running) && mounted.reported().filter(Set::isEmpty).isPresent();
  }

  static boolean emptyOf(Actual mounted, Local running) {
    return mounted.volumes().isEmpty() && !moves(mounted, running);
  }

  /// Whether something ends by itself if it gets its time.
  boolean moves() {
    return moves(mounted, running)
        || mounted.volumes().keySet().stream().anyMatch(name -> hopeless(name).isEmpty());
  }

  private static boolean moves(Actual mounted, Local running) {
    return !mounted.holding().isEmpty() || running.runs().values().stream().anyMatch(Run::runs);
  }

  /// Why the volume stays mounted; empty: it may still be unmounted.
  Optional<String> hopeless(VolumeName name) {
    if (!drivers.contains(name.driver())) return Optional.of("its driver is not registered");
    return Optional.ofNullable(refusals.get(name))
        .filter(refusal -> refusal.inARow() >= REFUSED)
        .map(Refusal::toString);
  }
}
