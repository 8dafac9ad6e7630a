package dev.berth.node.volume;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.node.driver.Drivers;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import dev.berth.node.volume.state.VolumeState;
import dev.berth.volume.Translation;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Mounts and unmounts the volumes of one node. Its keys are volumes: what is done to one volume is
/// done one after the other, for all pods (NOPX-02).
public final class Volumes implements Decider<VolumeName, MountView, MountEffect> {
  private final String node;
  private final MountDecision decision = new MountDecision();

  public Volumes(String node) {
    this.node = node;
  }

  @Override
  public String name() {
    return "volume-manager";
  }

  @Override
  public List<Trigger<?, VolumeName>> triggers() {
    return List.of(
        Trigger.on(Kinds.POD, this::ofPod),
        Trigger.on(Kinds.CLAIM, Volumes::ofClaim),
        Trigger.on(Kinds.VOLUME, (change, _) -> names(change.latest())),
        Trigger.on(Kinds.ATTACHMENT, this::ofAttachment),
        Trigger.on(Kinds.NODE, this::ofNode),
        Trigger.on(
            Kinds.CSI_DRIVER, (change, facts) -> ofDriver(change.latest().meta().name(), facts)),
        Trigger.on(Actual.TOPIC, (news, _) -> affected(news.before(), news.after()).stream()),
        Trigger.on(
            Drivers.TOPIC,
            (news, facts) ->
                difference(news.before(), news.after()).flatMap(name -> ofDriver(name, facts))),
        Trigger.on(DrainOrder.TOPIC, (_, facts) -> all(facts)));
  }

  @Override
  public MountView view(Facts facts, Instant now) {
    return MountView.of(facts, now, node);
  }

  @Override
  public Step decide(MountView view, VolumeName name) {
    return decision.decide(view, name);
  }

  @Override
  public Class<MountEffect> effectType() {
    return MountEffect.class;
  }

  /// Of a pod: what keeps its volumes from being mounted for it, or unmounted if it is to go. A
  /// volume that the pod has is not asked about: its next step is another pod's. Of the node: what
  /// may leave it (explain.md, L07 to L14).
  @Override
  public Stream<VolumeName> about(Ref subject, Snapshot objects) {
    if (subject.resource().equals(Resources.NODES) && subject.key().equals(ObjectKey.cluster(node)))
      return objects.get(Kinds.NODE, subject.key()).found().stream()
          .flatMap(own -> own.volumesInUse().stream().sorted())
          .flatMap(text -> VolumeName.parse(text).stream());
    if (!subject.resource().equals(Resources.PODS)) return Stream.empty();
    return objects.get(Kinds.POD, subject.key()).found().stream()
        .filter(pod -> pod.nodeName().equals(node))
        .flatMap(pod -> about(pod, objects))
        .distinct();
  }

  private Stream<VolumeName> about(Pod pod, Snapshot objects) {
    var presumed = PresumedMounts.on(node, objects);
    var uid = pod.meta().uid();
    return pod.meta().deleting() || pod.finished()
        ? presumed.mountedFor(uid).map(VolumeState::name)
        : new Needs(objects)
            .wants(pod)
            .map(Want::name)
            .filter(name -> !presumed.volume(name).publishedFor(uid));
  }

  /// The volumes about which a change of what is mounted may change the decision.
  private static Set<VolumeName> affected(Actual before, Actual after) {
    var names = new HashSet<VolumeName>();
    for (var state : after.volumes().values())
      if (!state.equals(before.volumes().get(state.name()))) names.add(state.name());
    if (!before.holding().equals(after.holding())) names.addAll(after.volumes().keySet());
    if (!before.reported().equals(after.reported())) after.reported().ifPresent(names::addAll);
    return names;
  }

  /// The volumes of a driver that are mounted or wanted.
  private Stream<VolumeName> ofDriver(String driver, Facts facts) {
    return all(facts).filter(name -> name.driver().equals(driver));
  }

  private Stream<VolumeName> all(Facts facts) {
    var view = view(facts, Instant.EPOCH);
    return Stream.concat(view.wanted().stream(), view.actual().volumes().keySet().stream());
  }

  /// Both the volumes that the pod wants and those that it has: its claims may be gone.
  private Stream<VolumeName> ofPod(Change<Pod> change, Facts objects) {
    var pod = change.latest();
    if (!pod.nodeName().equals(node)) return Stream.empty();
    var wanted = new Needs(objects).wants(pod).map(Want::name);
    return Stream.concat(
        wanted, objects.of(Actual.TOPIC).mountedFor(pod.meta().uid()).map(VolumeState::name));
  }

  private static Stream<VolumeName> ofClaim(Change<Claim> change, Snapshot objects) {
    return volume(objects, change.latest().volumeName());
  }

  private Stream<VolumeName> ofAttachment(Change<Attachment> change, Snapshot objects) {
    var attachment = change.latest();
    return attachment.nodeName().equals(node)
        ? volume(objects, attachment.volumeName())
        : Stream.empty();
  }

  /// Heartbeats change nothing; the two lists and the labels do.
  private Stream<VolumeName> ofNode(Change<Node> change, Facts objects) {
    if (!change.latest().meta().name().equals(node)) return Stream.empty();
    if (change.before().isEmpty() || change.after().isEmpty()) return all(objects);
    var before = change.before().get();
    var after = change.after().get();
    if (!before.meta().labels().equals(after.meta().labels())) return all(objects);
    return Stream.concat(
            difference(before.volumesInUse(), after.volumesInUse()),
            difference(before.volumesAttached(), after.volumesAttached()))
        .flatMap(text -> VolumeName.parse(text).stream());
  }

  private static Stream<String> difference(Set<String> left, Set<String> right) {
    return Stream.concat(
        left.stream().filter(text -> !right.contains(text)),
        right.stream().filter(text -> !left.contains(text)));
  }

  private static Stream<VolumeName> volume(Snapshot objects, String name) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(name)).found().stream()
        .flatMap(Volumes::names);
  }

  private static Stream<VolumeName> names(Volume volume) {
    return Translation.NONE.name(volume).stream();
  }
}
