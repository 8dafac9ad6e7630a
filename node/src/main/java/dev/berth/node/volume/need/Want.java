package dev.berth.node.volume.need;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.VolumeName;
import dev.berth.volume.Way;
import java.time.Instant;

/// That a volume be mounted for a pod.
///
/// @param way from the pod to the volume
/// @param readOnly whether the pod's reference to the claim says so
public record Want(Pod pod, Way.Arrived way, boolean readOnly) {
  public VolumeName name() {
    return way.name();
  }

  public Claim claim() {
    return way.claim();
  }

  public Volume volume() {
    return way.volume();
  }

  public CsiSource source() {
    return way.source();
  }

  public String podUid() {
    return pod.meta().uid();
  }

  /// What the mount's path is made of.
  public String spec() {
    return volume().meta().name();
  }

  /// When the pod came to this node.
  public Instant since() {
    return pod.scheduled().flatMap(Pod.Condition::since).orElse(pod.meta().created());
  }

  /// Whether both are about one volume and cannot be satisfied by one mount (NVM-05).
  public boolean contradicts(Want other) {
    return name().equals(other.name())
        && !(spec().equals(other.spec()) && readOnly == other.readOnly);
  }

  /// Brief: the pod's own text may hold what no log should.
  @Override
  public String toString() {
    return "%s for pod %s".formatted(spec(), pod.meta().key());
  }
}
