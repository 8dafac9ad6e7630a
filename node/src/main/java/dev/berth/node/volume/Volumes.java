package dev.berth.node.volume;

import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.time.Time;
import dev.berth.node.driver.Drivers;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.VolumeState;
import dev.berth.volume.Translation;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Mounts and unmounts the volumes of one node. Its keys are volumes: what is done to one volume is
/// done one after the other, for all pods (NOPX-02).
///
/// Look at a volume again whenever [#affected] names it, and at every volume of a driver that has
/// come: neither is seen by a trigger.
public final class Volumes implements Unsplit<VolumeName, MountView> {
  private final String node;
  private final ActualState state;
  private final Drivers drivers;
  private final MountDecision decision = new MountDecision();
  private final MountEffects effects;

  /// @param api whose writes are in the caches before their answer
  public Volumes(
      String node,
      Api api,
      Drivers drivers,
      VolumeFiles files,
      ActualState state,
      EventRecorder events,
      Time time) {
    this.node = node;
    this.state = state;
    this.drivers = drivers;
    this.effects = new MountEffects(node, api, drivers, files, state, events, time);
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
            Kinds.CSI_DRIVER,
            (change, objects) -> ofDriver(change.latest().meta().name(), objects)));
  }

  @Override
  public MountView view(Snapshot objects, Instant now) {
    return new MountView(objects, now, node, state.now(), drivers.names());
  }

  @Override
  public Step decide(MountView view, VolumeName name) {
    return decision.decide(view, name);
  }

  @Override
  public void carryOut(Effect effect) throws IOException {
    effects.carryOut((MountEffect) effect);
  }

  /// The step for a volume as its objects alone show it, on any node: for explanations.
  public static Step explain(Snapshot objects, Instant now, String node, VolumeName name) {
    var presumed = new Presumption(objects, node);
    var view = new MountView(objects, now, node, presumed.actual(), presumed.drivers());
    return new MountDecision().decide(view, name);
  }

  /// What keeps a pod's volumes from being mounted for it, or unmounted if it is to go, as its
  /// objects alone show it, on any node. A volume that the pod has is not asked about: its next
  /// step is another pod's.
  public static Stream<Step> explain(Snapshot objects, Instant now, Pod pod) {
    var actual = new Presumption(objects, pod.nodeName()).actual();
    var uid = pod.meta().uid();
    var names =
        pod.meta().deleting() || pod.finished()
            ? actual.mountedFor(uid).map(VolumeState::name)
            : new Needs(objects)
                .wants(pod)
                .map(Want::name)
                .filter(name -> !actual.volume(name).publishedFor(uid));
    return names.distinct().map(name -> explain(objects, now, pod.nodeName(), name));
  }

  /// The volumes about which a change of what is mounted may change the decision.
  public static Set<VolumeName> affected(Actual before, Actual after) {
    var names = new HashSet<VolumeName>();
    for (var state : after.volumes().values())
      if (!state.equals(before.volumes().get(state.name()))) names.add(state.name());
    if (!before.holding().equals(after.holding())) names.addAll(after.volumes().keySet());
    if (!before.reported().equals(after.reported())) after.reported().ifPresent(names::addAll);
    return names;
  }

  /// The volumes of a driver that are mounted or wanted.
  public Stream<VolumeName> ofDriver(String driver, Snapshot objects) {
    return all(objects).filter(name -> name.driver().equals(driver));
  }

  private Stream<VolumeName> all(Snapshot objects) {
    var view = view(objects, Instant.EPOCH);
    return Stream.concat(view.wanted().stream(), view.actual().volumes().keySet().stream());
  }

  /// Both the volumes that the pod wants and those that it has: its claims may be gone.
  private Stream<VolumeName> ofPod(Change<Pod> change, Snapshot objects) {
    var pod = change.latest();
    if (!pod.nodeName().equals(node)) return Stream.empty();
    var wanted = new Needs(objects).wants(pod).map(Want::name);
    return Stream.concat(wanted, state.now().mountedFor(pod.meta().uid()).map(VolumeState::name));
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
  private Stream<VolumeName> ofNode(Change<Node> change, Snapshot objects) {
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
