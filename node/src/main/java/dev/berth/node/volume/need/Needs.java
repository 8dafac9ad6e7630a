package dev.berth.node.volume.need;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// From pods to the volumes that their claims are bound to (NVM-02), and back.
public final class Needs {
  private final Snapshot objects;
  private final Ways ways;

  public Needs(Snapshot objects) {
    this.objects = objects;
    this.ways = new Ways(objects, Translation.NONE);
  }

  /// The pod's volumes that a storage driver serves and that a container of it uses.
  public List<Need> of(Pod pod) {
    var mounted = names(pod, Pod.Container::mounts);
    var devices = names(pod, Pod.Container::devices);
    return pod.volumes().stream()
        .filter(volume -> mounted.contains(volume.name()) || devices.contains(volume.name()))
        .flatMap(volume -> need(pod, volume, devices.contains(volume.name())).stream())
        .toList();
  }

  /// What the pods on `node` may have mounted now: those that neither have ended nor are to go,
  /// oldest first. A pod that names one volume twice counts once, with what it says last (NVM-05).
  public List<Want> of(VolumeName name, String node) {
    return users(name, node)
        .filter(pod -> !pod.finished() && !pod.meta().deleting())
        .sorted(
            Comparator.comparing((Pod pod) -> pod.meta().created())
                .thenComparing(p -> p.meta().key()))
        .flatMap(
            pod -> wants(pod).filter(want -> want.name().equals(name)).reduce((_, b) -> b).stream())
        .toList();
  }

  /// The pod's volumes that are known.
  public Stream<Want> wants(Pod pod) {
    return of(pod).stream()
        .flatMap(
            need -> need instanceof Need.Known(_, var want) ? Stream.of(want) : Stream.empty());
  }

  /// The pods on `node` whose claims are bound to the volume, or whose own it is, in whatever state
  /// they are.
  public Stream<Pod> users(VolumeName name, String node) {
    return Stream.concat(
            new Users(objects).of(name),
            objects.by(Indexes.PODS_BY_INLINE, name.toString()).stream())
        .filter(pod -> pod.nodeName().equals(node));
  }

  /// Whether a pod on `node` names the claim.
  public boolean isUsed(ObjectKey claim, String node) {
    return new Users(objects).naming(claim).stream().anyMatch(pod -> pod.nodeName().equals(node));
  }

  private Optional<Need> need(Pod pod, PodVolume volume, boolean asDevice) {
    var asked = new DriverVolume(pod, volume, asDevice);
    var unseen = unseen(pod, volume);
    if (unseen.isPresent())
      return Optional.of(new Need.Unknown(volume.name(), untilKnown(unseen.get())));
    return switch (ways.of(pod, volume)) {
      case Way.Local _ -> Optional.empty();
      case Way.Inline(_, var source) ->
          Optional.of(new Need.Known(volume.name(), Want.inline(pod, volume, source)));
      case Way.OfClaim way -> Optional.of(asked.claimed(way));
    };
  }

  /// NREC-06: what has not been seen yet is neither there nor missing.
  private Optional<Ref> unseen(Pod pod, PodVolume volume) {
    var claim = PodClaim.of(pod, volume).map(PodClaim::key);
    if (claim.isEmpty()) return Optional.empty();
    return switch (objects.get(Kinds.CLAIM, claim.get())) {
      case Missing<Claim>(var ref) -> Optional.of(ref).filter(_ -> doubted(Kinds.CLAIM, ref));
      case Found(var found) ->
          Optional.of(Kinds.VOLUME.ref(ObjectKey.cluster(found.volumeName())))
              .filter(ref -> objects.get(Kinds.VOLUME, ref.key()) instanceof Missing)
              .filter(ref -> doubted(Kinds.VOLUME, ref));
    };
  }

  private boolean doubted(Kind<?> kind, Ref object) {
    return objects.unknown(kind, object.key()).isPresent();
  }

  private Wait untilKnown(Ref object) {
    return Wait.on(object).until("the node agent has looked it up");
  }

  private static Set<String> names(Pod pod, Function<Pod.Container, List<String>> used) {
    return pod.containers().stream()
        .flatMap(container -> used.apply(container).stream())
        .collect(Collectors.toSet());
  }
}
