package dev.berth.controller.attachdetach;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.Live;
import dev.berth.controller.Outdated;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The least that passes for a node's agent: its side of the hand-shake (AD-63), and a set for what
/// it has mounted.
final class TestNode implements Decider<VolumeName, Facts, Effect>, Effects<Effect> {
  private final Api api;
  private final ObjectKey node;
  private final Set<VolumeName> mounted = ConcurrentHashMap.newKeySet();
  private volatile boolean dead;

  TestNode(Api api, String node) {
    this.api = api;
    this.node = ObjectKey.cluster(node);
  }

  private record Claim(VolumeName volume) implements Effect {}

  private record Mount(VolumeName volume) implements Effect {}

  private record Unmount(VolumeName volume) implements Effect {}

  private record Release(VolumeName volume) implements Effect {}

  /// Does nothing any more.
  void die() {
    dead = true;
  }

  boolean hasMounted(VolumeName volume) {
    return mounted.contains(volume);
  }

  @Override
  public String name() {
    return "test-" + node;
  }

  @Override
  public List<Trigger<?, VolumeName>> triggers() {
    return List.of(
        Trigger.on(Kinds.VOLUME, (change, _) -> name(change.latest())),
        Trigger.on(Kinds.POD, Concerned::byPod),
        Trigger.on(Kinds.NODE, TestNode::listed));
  }

  private static Stream<VolumeName> listed(Change<Node> change, Snapshot objects) {
    return objects.all(Kinds.VOLUME).stream().flatMap(TestNode::name);
  }

  private static Stream<VolumeName> name(Volume volume) {
    return volume.csi().map(VolumeName::of).stream();
  }

  @Override
  public Facts view(Facts facts, Instant now) {
    return facts;
  }

  @Override
  public Class<Effect> effectType() {
    return Effect.class;
  }

  @Override
  public Stream<VolumeName> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }

  @Override
  public Step decide(Facts objects, VolumeName volume) {
    if (dead) return new Settled();
    var me = objects.get(Kinds.NODE, node).found().orElseThrow();
    boolean wanted = wanted(objects, volume);
    boolean inUse = me.volumesInUse().contains(volume.toString());
    boolean listed = me.volumesAttached().contains(volume.toString());
    if (wanted && !inUse) return new Act(new Claim(volume));
    if (wanted && !mounted.contains(volume) && listed) return new Act(new Mount(volume));
    if (!wanted && mounted.contains(volume)) return new Act(new Unmount(volume));
    if (!wanted && inUse) return new Act(new Release(volume));
    return new Settled();
  }

  private boolean wanted(Snapshot objects, VolumeName volume) {
    return objects.all(Kinds.VOLUME).stream()
        .filter(it -> name(it).anyMatch(volume::equals))
        .flatMap(it -> it.claim().stream())
        .flatMap(claim -> objects.by(Indexes.PODS_BY_CLAIM, claim.key().toString()).stream())
        .anyMatch(pod -> pod.nodeName().equals(node.name()) && !pod.meta().deleting());
  }

  @Override
  public void carryOut(Effect effect) {
    switch (effect) {
      case Claim(var volume) -> report(volume, true);
      case Mount(var volume) -> mount(volume);
      case Unmount(var volume) -> mounted.remove(volume);
      case Release(var volume) -> report(volume, false);
      case Effect other -> throw new IllegalStateException("not ours: " + other);
    }
  }

  private void mount(VolumeName volume) {
    var live = new Live(api);
    var key = ObjectKey.cluster(volume.attachment(node.name()));
    boolean attached =
        live.find(Kinds.ATTACHMENT, key).filter(Attachment::attached).isPresent()
            && live.find(Kinds.NODE, node)
                .orElseThrow()
                .volumesAttached()
                .contains(volume.toString());
    if (!attached) throw Outdated.because("not attached");
    mounted.add(volume);
  }

  private void report(VolumeName volume, boolean inUse) {
    var me = new Live(api).find(Kinds.NODE, node).orElseThrow();
    var names = new TreeSet<>(me.volumesInUse());
    if (inUse) names.add(volume.toString());
    else names.remove(volume.toString());
    var list = JsonNodeFactory.instance.arrayNode();
    names.forEach(list::add);
    api.patchStatus(
        Resources.NODES,
        node,
        Revision.of(me.meta()).patch(body -> body.putObject("status").set("volumesInUse", list)));
  }
}
