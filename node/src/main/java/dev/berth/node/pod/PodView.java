package dev.berth.node.pod;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Pod;
import dev.berth.node.pod.local.Local;
import dev.berth.node.runtime.Images;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What decisions about pods see.
///
/// @param agent whose decision it is
/// @param actual what is mounted here
/// @param local what runs here
/// @param drain whether everything is to end
/// @param images that are here
public record PodView(
    Snapshot objects,
    Instant now,
    Agent agent,
    Actual actual,
    Local local,
    DrainOrder drain,
    Images images) {

  Optional<Pod> pod(String uid) {
    return objects.by(Indexes.PODS_BY_UID, uid).stream().findFirst();
  }

  /// The pod's volumes that a driver serves.
  List<Need> needs(Pod pod) {
    return new Needs(objects).of(pod);
  }

  /// Whether all of them are mounted for the pod.
  boolean mounted(Pod pod) {
    return needs(pod).stream().allMatch(need -> mounted(pod, need));
  }

  boolean mounted(Pod pod, Need need) {
    if (need instanceof Need.Placed) return true;
    return need instanceof Need.Known(_, var want)
        && actual.volume(want.name()).publishedFor(pod.meta().uid());
  }

  /// Whether a driver may still have a volume mounted for the pod.
  boolean mayBeMounted(String uid) {
    return actual.mountedFor(uid).findAny().isPresent() || actual.lostTo(uid).findAny().isPresent();
  }
}
