package dev.berth.node.volume.need;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.VolumeMode;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.node.volume.state.Form;
import dev.berth.volume.Way;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// That a volume be mounted for a pod.
///
/// @param spec what the mount's path is made of: the PersistentVolume's name, or that of an inline
///   volume in its pod (NLAY-01)
/// @param bound whose data it is; empty: the driver makes the volume here for this pod alone
/// @param readOnly whether the pod's reference to the volume says so
public record Want(
    Pod pod, String spec, CsiSource source, Optional<Bound> bound, boolean readOnly) {
  /// A claim and the volume that it is bound to.
  public record Bound(Claim claim, Volume volume) {}

  /// Of a claim's volume.
  public Want(Pod pod, Way.Arrived way, boolean readOnly) {
    this(
        pod,
        way.volume().meta().name(),
        way.source(),
        Optional.of(new Bound(way.claim(), way.volume())),
        readOnly);
  }

  /// Of a volume that its driver makes for the pod.
  public static Want inline(Pod pod, PodVolume volume, CsiSource source) {
    return new Want(pod, volume.name(), source, Optional.empty(), volume.readOnly());
  }

  /// What it is, however often its pod, claim and volume are written to meanwhile.
  ///
  /// @param mountOptions of the volume
  public record Essence(
      String podUid, String spec, CsiSource source, boolean readOnly, List<String> mountOptions) {
    public Essence {
      mountOptions = List.copyOf(mountOptions);
    }
  }

  public Essence essence() {
    return new Essence(
        podUid(),
        spec,
        source,
        readOnly,
        bound.map(it -> it.volume().mountOptions()).orElse(List.of()));
  }

  public VolumeName name() {
    return VolumeName.of(source);
  }

  /// How the volume comes to the pod.
  public Form form() {
    if (bound.isEmpty()) return Form.INLINE;
    return bound.get().volume().volumeMode() == VolumeMode.BLOCK ? Form.DEVICE : Form.CLAIMED;
  }

  /// The object to look at: the PersistentVolume, else the driver's.
  public Ref ref() {
    return bound
        .map(it -> it.volume().ref())
        .orElseGet(() -> Kinds.CSI_DRIVER.ref(ObjectKey.cluster(source.driver())));
  }

  public String podUid() {
    return pod.meta().uid();
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
