package dev.berth.node.volume.state;

import dev.berth.kube.model.VolumeName;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// All that we know of one volume on this node.
///
/// @param attached proof that the volume was attached while we reported it in use; empty: not
///   looked at yet, or no attachment is needed
/// @param publications by pod uid; a pod without a mount has no entry
/// @param size how large it is here
/// @param form how it comes to its pods, as far as anything of it is mounted
public record VolumeState(
    VolumeName name,
    Optional<Attached> attached,
    Staging staging,
    PMap<String, Publication> publications,
    Size size,
    Form form) {

  /// That the volume is attached, as the server itself has said.
  ///
  /// @param uid of the VolumeAttachment
  /// @param metadata what the driver told at attaching: the `publish_context` of its node calls
  public record Attached(String uid, Map<String, String> metadata) {
    public Attached {
      metadata = Map.copyOf(metadata);
    }
  }

  /// A volume that nothing is known of: nothing is mounted.
  public static VolumeState untouched(VolumeName name) {
    return new VolumeState(
        name, Optional.empty(), Staging.ABSENT, HashTreePMap.empty(), Size.UNKNOWN, Form.CLAIMED);
  }

  public VolumeState with(Attached proof) {
    return new VolumeState(name, Optional.of(proof), staging, publications, size, form);
  }

  public VolumeState with(Staging now) {
    return new VolumeState(name, attached, now, publications, size, form).sized();
  }

  /// What was refused in use counts as long as it is mounted, not until it is forgotten: its pod's
  /// successor may be here before.
  private VolumeState sized() {
    boolean staged = staging instanceof Staging.Present || staging instanceof Staging.Uncertain;
    return staged || !publications.isEmpty() || size.refused().isEmpty()
        ? this
        : with(size.unmounted());
  }

  public VolumeState with(String podUid, Publication now) {
    return new VolumeState(name, attached, staging, publications.plus(podUid, now), size, form);
  }

  public VolumeState with(Size now) {
    return new VolumeState(name, attached, staging, publications, now, form);
  }

  public VolumeState with(Form now) {
    return new VolumeState(name, attached, staging, publications, size, now);
  }

  /// The pod's mount is gone.
  public VolumeState without(String podUid) {
    return new VolumeState(name, attached, staging, publications.minus(podUid), size, form).sized();
  }

  /// Whether the volume is mounted for the pod, for certain.
  public boolean publishedFor(String podUid) {
    return publications.get(podUid) instanceof Publication.Present;
  }

  /// When the driver published the volume for the pod last; only where [#publishedFor] it.
  public Instant publishedAt(String podUid) {
    if (publications.get(podUid) instanceof Publication.Present(_, var at)) return at;
    throw new IllegalStateException(name + " is not published for pod " + podUid);
  }

  /// The group that the volume was staged with; empty: none, or it is not staged for certain.
  public Optional<String> group() {
    return staging instanceof Staging.Present(var group) && !group.isEmpty()
        ? Optional.of(group)
        : Optional.empty();
  }

  /// Whether something of it may be mounted here.
  public boolean mounted() {
    return !(staging instanceof Staging.Absent) || !publications.isEmpty();
  }
}
