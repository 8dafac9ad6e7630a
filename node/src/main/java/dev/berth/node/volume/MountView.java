package dev.berth.node.volume;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.node.driver.Drivers;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import dev.berth.node.volume.state.VolumeState;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What decisions about volumes see.
///
/// @param nodeName this node
/// @param actual what is mounted on it
/// @param drivers names of the drivers registered on it
/// @param drain whether everything is to end
public record MountView(
    Snapshot objects,
    Instant now,
    String nodeName,
    Actual actual,
    Set<String> drivers,
    DrainOrder drain) {

  /// What reading all that it is made of takes.
  static MountView of(Facts facts, Instant now, String nodeName) {
    return new MountView(
        facts,
        now,
        nodeName,
        facts.of(Actual.TOPIC),
        facts.of(Drivers.TOPIC),
        facts.of(DrainOrder.TOPIC));
  }

  Lookup<Node> node() {
    return objects.get(Kinds.NODE, ObjectKey.cluster(nodeName));
  }

  Lookup<Attachment> attachment(VolumeName name) {
    return objects.get(Kinds.ATTACHMENT, ObjectKey.cluster(name.attachment(nodeName)));
  }

  Optional<CsiDriver> csiDriver(String name) {
    return objects.get(Kinds.CSI_DRIVER, ObjectKey.cluster(name)).found();
  }

  /// Drivers whose volumes need no attachment; while a CSIDriver is missing its driver is not one
  /// of them (NVM-08).
  Set<String> neverAttached() {
    return objects.all(Kinds.CSI_DRIVER).stream()
        .filter(driver -> !driver.attachRequired())
        .map(driver -> driver.meta().name())
        .collect(Collectors.toUnmodifiableSet());
  }

  boolean attachable(Want want) {
    return want.form().outlivesPods()
        && csiDriver(want.source().driver()).map(CsiDriver::attachRequired).orElse(true);
  }

  /// The pods here for which the volume may be mounted now, oldest first.
  List<Want> wants(VolumeName name) {
    if (drain.given()) return List.of();
    return new Needs(objects).of(name, nodeName);
  }

  /// All volumes that pods here may have mounted now.
  Set<VolumeName> wanted() {
    return wanted(_ -> true);
  }

  /// Those of them that outlive their pods: only they are reported in use (NVM-12).
  Set<VolumeName> wantedByClaims() {
    return wanted(want -> want.form().outlivesPods());
  }

  private Set<VolumeName> wanted(Predicate<Want> which) {
    var needs = new Needs(objects);
    var names = new TreeSet<VolumeName>();
    if (drain.given()) return names;
    for (var pod : objects.by(Indexes.PODS_BY_NODE, nodeName))
      if (!pod.finished() && !pod.meta().deleting())
        needs.wants(pod).filter(which).map(Want::name).forEach(names::add);
    return names;
  }

  Optional<Pod> pod(String uid) {
    return objects.by(Indexes.PODS_BY_UID, uid).stream().findFirst();
  }

  /// A pod that has a mount of the volume and no right to it any more: gone, finished or leaving,
  /// with no container that runs (NVM-01, NREC-07).
  Optional<String> formerUser(VolumeState state) {
    return state.publications().keySet().stream()
        .filter(uid -> !actual.holds(uid))
        .filter(uid -> pod(uid).filter(pod -> !ends(pod)).isEmpty())
        .sorted()
        .findFirst();
  }

  /// A pod that is still being taken away; the volume stays staged until its object is gone
  /// (AD-61).
  Optional<Pod> leavingUser(VolumeName name) {
    if (drain.given()) return Optional.empty();
    return new Needs(objects)
        .users(name, nodeName)
        .filter(pod -> pod.meta().deleting())
        .findFirst();
  }

  private boolean ends(Pod pod) {
    return drain.given() || pod.finished() || pod.meta().deleting();
  }
}
