package dev.berth.controller.binder;

import dev.berth.controller.Mismatch;
import dev.berth.controller.VolumeMatch;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Binds claims.
///
/// Nothing is looked at again without a cause (BIND-03): a volume that becomes free wakes the
/// claims that it fits, a class its claims, a default class those without one.
record ClaimBinder(ClaimDecision decision) implements Decider<ObjectKey, View, BinderEffect> {
  @Override
  public String name() {
    return "persistentvolume-binder-claims";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.CLAIM, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(Kinds.VOLUME, ClaimBinder::ofVolume),
        Trigger.on(Kinds.STORAGE_CLASS, ClaimBinder::ofClass),
        Trigger.on(Kinds.POD, ClaimBinder::ofPod),
        Trigger.on(Kinds.NODE, ClaimBinder::ofNode));
  }

  private static Stream<ObjectKey> ofVolume(Change<Volume> change, Snapshot objects) {
    var reservedFor =
        Stream.of(change.before(), change.after())
            .flatMap(Optional::stream)
            .flatMap(volume -> volume.claim().stream())
            .map(Volume.ClaimRef::key);
    var naming =
        objects.by(Indexes.CLAIMS_BY_VOLUME, change.latest().meta().name()).stream()
            .map(claim -> claim.meta().key());
    return Stream.of(reservedFor, naming, servedBy(change, objects))
        .flatMap(keys -> keys)
        .distinct();
  }

  private static Stream<ObjectKey> servedBy(Change<Volume> change, Snapshot objects) {
    return change.after().filter(VolumeMatch::free).stream()
        .flatMap(volume ->
            new View(objects)
                .seeking(volume.className()).stream()
                    .filter(claim -> Mismatch.between(claim, volume).isEmpty()))
        .map(claim -> claim.meta().key());
  }

  private static Stream<ObjectKey> ofClass(Change<StorageClass> change, Snapshot objects) {
    var view = new View(objects);
    var named = view.seeking(change.latest().meta().name()).stream();
    var classless =
        change.after().filter(StorageClass::isDefault).isPresent()
            ? view.seeking("").stream()
            : Stream.<Claim>empty();
    return Stream.concat(named, classless).map(claim -> claim.meta().key());
  }

  /// Only claims that may wait for a consumer look at pods.
  private static Stream<ObjectKey> ofPod(Change<Pod> change, Snapshot objects) {
    return PodClaim.of(change.latest()).stream()
        .map(PodClaim::key)
        .filter(key ->
            objects
                .get(Kinds.CLAIM, key)
                .found()
                .filter(claim -> claim.volumeName().isEmpty())
                .isPresent());
  }

  /// Claims of pods that were placed by hand: which volumes reach the node its labels say
  /// (BIND-16).
  private static Stream<ObjectKey> ofNode(Change<Node> change, Snapshot objects) {
    return change.before().map(ClaimBinder::labels).equals(change.after().map(ClaimBinder::labels))
        ? Stream.empty()
        : objects.by(Indexes.PODS_BY_NODE, change.latest().meta().name()).stream()
            .flatMap(pod -> ofPod(new Change<>(Optional.empty(), Optional.of(pod)), objects));
  }

  private static Map<String, String> labels(Node node) {
    return node.meta().labels();
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts);
  }

  @Override
  public Step decide(View view, ObjectKey claim) {
    return decision.decide(view, claim);
  }

  @Override
  public Class<BinderEffect> effectType() {
    return BinderEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.CLAIM);
  }
}
