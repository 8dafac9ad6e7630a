package dev.berth.sidecar.dispatch;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Dispatch;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.ClaimRef;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// From a change of an object to the drivers that it concerns, by name.
///
/// Classes are handed to all: there are few, and which claims name one is asked of an index.
public final class Concerned {
  /// The driver that is asked for it, that of its volume, and those who make copies of it.
  public static final Dispatch<Claim> OF_CLAIM =
      new Dispatch<>(Kinds.CLAIM, "claims by driver", Concerned::byClaim, Concerned::claims);

  private static final Index<Volume> VOLUMES =
      new Index<>(Kinds.VOLUME, "concerned driver", volume -> List.copyOf(names(volume)));

  /// Its driver, who made it, and who makes a volume for its claim or a copy of it. Also the
  /// attacher whose finalizer is on it, by the finalizer.
  public static final Dispatch<Volume> OF_VOLUME =
      new Dispatch<>(
          Kinds.VOLUME,
          "volumes by driver",
          Concerned::byVolume,
          (name, objects) -> objects.by(VOLUMES, name).stream());

  private static final Index<Attachment> ATTACHMENTS =
      new Index<>(Kinds.ATTACHMENT, "attacher", attachment -> List.of(attachment.attacher()));

  /// Its attacher; when it has gone, whoever its volume concerns.
  public static final Dispatch<Attachment> OF_ATTACHMENT =
      new Dispatch<>(
          Kinds.ATTACHMENT,
          "attachments by driver",
          Concerned::byAttachment,
          (name, objects) -> objects.by(ATTACHMENTS, name).stream());

  /// The drivers that have moved on the node; all, when it comes or goes. At the start whatever
  /// waits for a node is looked at anyway.
  public static final Dispatch<CsiNode> OF_CSI_NODE =
      new Dispatch<>(
          Kinds.CSI_NODE, "nodes by driver", (change, _) -> moved(change), (_, _) -> Stream.of());

  /// All, if its labels have changed. At the start as above.
  public static final Dispatch<Node> OF_NODE =
      new Dispatch<>(
          Kinds.NODE,
          "nodes by label",
          (change, _) -> isLabelled(change) ? List.of(Dispatch.EVERYBODY) : List.of(),
          (_, _) -> Stream.of());

  /// Of a pod that has ended, the drivers of its volumes. At the start as above.
  public static final Dispatch<Pod> OF_ENDED_POD =
      new Dispatch<>(Kinds.POD, "ended pods by driver", Concerned::byPod, (_, _) -> Stream.of());

  /// On capacities.
  public static final String DRIVER_LABEL = "csi.storage.k8s.io/drivername";

  /// Capacities by the driver that their label names.
  public static final Index<StorageCapacity> CAPACITIES =
      new Index<>(
          Kinds.STORAGE_CAPACITY,
          "driver",
          capacity -> List.of(capacity.meta().labels().getOrDefault(DRIVER_LABEL, "")));

  /// The driver that its label names.
  public static final Dispatch<StorageCapacity> OF_CAPACITY =
      named("capacities by driver", CAPACITIES);

  /// Its driver.
  public static final Dispatch<SnapshotContent> OF_CONTENT =
      named(
          "snapshot contents by driver",
          new Index<>(SnapshotKinds.CONTENT, "driver", content -> List.of(content.driver())));

  /// Its driver.
  public static final Dispatch<GroupContent> OF_GROUP_CONTENT =
      named(
          "group contents by driver",
          new Index<>(SnapshotKinds.GROUP_CONTENT, "driver", content -> List.of(content.driver())));

  private Concerned() {}

  /// By what an index says of the object, before the change and after it.
  private static <T extends KubeObject> Dispatch<T> named(String name, Index<T> index) {
    return new Dispatch<>(
        index.kind(),
        name,
        (change, _) ->
            change.versions().flatMap(each -> index.values().apply(each).stream()).toList(),
        (driver, objects) -> objects.by(index, driver).stream());
  }

  private static Set<String> byClaim(Change<Claim> change, Snapshot objects) {
    var names = new LinkedHashSet<String>();
    change
        .versions()
        .forEach(claim -> {
          names.addAll(Asking.names(claim));
          names.addAll(ofVolume(claim, objects));
        });
    var key = change.latest().meta().key().toString();
    for (var volume : objects.by(Indexes.VOLUMES_BY_CLAIM, key)) names.addAll(names(volume));
    names.addAll(ofCopies(key, objects));
    return names;
  }

  /// Whose volume it is that is not seen yet nobody knows.
  private static Collection<String> ofVolume(Claim claim, Snapshot objects) {
    if (claim.volumeName().isEmpty()) return Set.of();
    return objects
        .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
        .found()
        .map(Concerned::names)
        .orElse(Set.of(Dispatch.EVERYBODY));
  }

  private static Collection<String> ofCopies(String source, Snapshot objects) {
    var copies = objects.by(Asking.UNBOUND_BY_SOURCE, source);
    return copies.isEmpty()
        ? Set.of()
        : copies.stream().flatMap(copy -> Asking.names(copy).stream()).toList();
  }

  /// One whose volume is lost is not among them: the volume's coming is heard of.
  private static Stream<Claim> claims(String driver, Snapshot objects) {
    var asking =
        Stream.concat(
            objects.by(Asking.BY_NAME, driver).stream(),
            objects.by(Asking.BY_NAME, Dispatch.EVERYBODY).stream());
    var bound =
        objects.by(VOLUMES, driver).stream()
            .flatMap(pv -> objects.by(Indexes.CLAIMS_BY_VOLUME, pv.meta().name()).stream())
            .filter(claim -> !Asking.names(claim).contains(driver));
    return Stream.concat(asking, bound);
  }

  private static Set<String> names(Volume volume) {
    var names = new LinkedHashSet<String>();
    Translation.NONE.source(volume).map(CsiSource::driver).ifPresent(names::add);
    volume.meta().annotation(Annotations.PROVISIONED_BY).ifPresent(names::add);
    volume.meta().annotation(Annotations.MIGRATED_TO).ifPresent(names::add);
    for (var finalizer : volume.meta().finalizers())
      if (Finalizers.isAttacher(finalizer)) names.add(finalizer);
    return names;
  }

  private static Set<String> byVolume(Change<Volume> change, Snapshot objects) {
    var names = new LinkedHashSet<String>();
    change.versions().forEach(volume -> names.addAll(names(volume)));
    var name = change.latest().meta().name();
    for (var attachment : objects.by(Indexes.ATTACHMENTS_BY_VOLUME, name))
      names.add(attachment.attacher());
    for (var claim : objects.by(Indexes.CLAIMS_BY_VOLUME, name)) names.addAll(Asking.names(claim));
    change
        .versions()
        .flatMap(volume -> volume.claim().stream())
        .map(ClaimRef::key)
        .distinct()
        .forEach(claim -> {
          objects.get(Kinds.CLAIM, claim).found().ifPresent(it -> names.addAll(Asking.names(it)));
          names.addAll(ofCopies(claim.toString(), objects));
        });
    return names;
  }

  private static Set<String> byAttachment(Change<Attachment> change, Snapshot objects) {
    var names = new LinkedHashSet<String>();
    change.versions().forEach(attachment -> names.add(attachment.attacher()));
    if (change.isComingOrGoing())
      change
          .before()
          .flatMap(va -> objects.get(Kinds.VOLUME, ObjectKey.cluster(va.volumeName())).found())
          .ifPresent(volume -> names.addAll(names(volume)));
    return names;
  }

  private static Set<String> moved(Change<CsiNode> change) {
    if (change.before().isEmpty() || change.after().isEmpty()) return Set.of(Dispatch.EVERYBODY);
    var before = change.before().get().drivers();
    var after = change.after().get().drivers();
    var names = new LinkedHashSet<String>();
    for (var driver : before) if (!after.contains(driver)) names.add(driver.name());
    for (var driver : after) if (!before.contains(driver)) names.add(driver.name());
    return names;
  }

  private static boolean isLabelled(Change<Node> change) {
    var before = change.before().map(node -> node.meta().labels());
    return !before.equals(change.after().map(node -> node.meta().labels()));
  }

  private static Set<String> byPod(Change<Pod> change, Snapshot objects) {
    var names = new LinkedHashSet<String>();
    ended(change)
        .flatMap(pod -> PodClaim.of(pod).stream())
        .flatMap(used -> objects.get(Kinds.CLAIM, used.key()).found().stream())
        .forEach(claim -> names.addAll(ofVolume(claim, objects)));
    return names;
  }

  /// Pods that use nothing any more: one that has finished, and one that has gone, be it that
  /// another of its name is there.
  public static Stream<Pod> ended(Change<Pod> change) {
    var gone = change.isComingOrGoing() ? change.before() : Optional.<Pod>empty();
    return Stream.concat(gone.stream(), change.after().filter(Pod::finished).stream());
  }
}
