package dev.berth.node.pod;

import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.pod.start.Assembly;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.volume.Presumption;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.ActualState;
import dev.berth.volume.Users;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Runs the pods of one node. Its keys are uids: a pod that was deleted and made anew under its
/// name is another pod, and both may have to be seen to.
///
/// Look at a pod again whenever [#affected] or the local state names it: neither is seen by a
/// trigger.
public final class Pods implements Unsplit<String, PodView> {
  private final String node;
  private final String address;
  private final ActualState actual;
  private final LocalState local;
  private final PodDecision decision = new PodDecision(PodStatus::change);
  private final PodEffects effects;

  /// @param address of the node, which its pods share
  /// @param api whose writes are in the caches before their answer
  public Pods(
      String node,
      String address,
      Api api,
      ContainerRuntime runtime,
      VolumeFiles volumes,
      PodFiles files,
      ActualState actual,
      LocalState local,
      EventRecorder events) {
    this.node = node;
    this.address = address;
    this.actual = actual;
    this.local = local;
    this.effects =
        new PodEffects(
            api, runtime, volumes, files, new Assembly(api, files, address), actual, local, events);
  }

  @Override
  public String name() {
    return "pod-manager";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.POD,
            (change, _) ->
                change.latest().nodeName().equals(node)
                    ? Stream.of(change.latest().meta().uid())
                    : Stream.empty()),
        Trigger.on(Kinds.CLAIM, (change, objects) -> users(change.latest().meta().key(), objects)),
        Trigger.on(
            Kinds.VOLUME,
            (change, objects) ->
                change.latest().claim().stream().flatMap(claim -> users(claim.key(), objects))));
  }

  @Override
  public PodView view(Snapshot objects, Instant now) {
    return new PodView(objects, now, address, actual.now(), local.now());
  }

  @Override
  public Step decide(PodView view, String uid) {
    return decision.decide(view, uid);
  }

  @Override
  public void carryOut(Effect effect) throws Exception {
    effects.carryOut((PodEffect) effect);
  }

  /// The step for a pod as its objects alone show it, on any node: for explanations.
  public static Step explain(Snapshot objects, Instant now, Pod pod) {
    var view =
        new PodView(
            objects,
            now,
            "",
            new Presumption(objects, pod.nodeName()).actual(),
            History.presumed(pod));
    return PodDecision.ofAnyAgent().decide(view, pod.meta().uid());
  }

  /// The pods about which a change of what is mounted may change the decision.
  public static Set<String> affected(Actual before, Actual after) {
    var uids = new HashSet<String>();
    for (var actual : List.of(before, after))
      for (var state : actual.volumes().values())
        for (var uid : state.publications().keySet())
          if (!before.volume(state.name()).equals(after.volume(state.name()))) uids.add(uid);
    for (var uid : before.holding()) if (!after.holds(uid)) uids.add(uid);
    for (var uid : after.holding()) if (!before.holds(uid)) uids.add(uid);
    return uids;
  }

  private Stream<String> users(ObjectKey claim, Snapshot objects) {
    return new Users(objects)
        .naming(claim).stream()
            .filter(pod -> pod.nodeName().equals(node))
            .map(pod -> pod.meta().uid());
  }
}
