package dev.berth.node.pod;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.node.pod.local.Local;
import dev.berth.node.runtime.Images;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import dev.berth.volume.Users;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Runs the pods of one node. Its keys are uids: a pod that was deleted and made anew under its
/// name is another pod, and both may have to be seen to.
public final class Pods implements Decider<String, PodView, PodEffect> {
  private final String node;
  private final PodDecision decision = new PodDecision(PodStatus::change);

  public Pods(String node) {
    this.node = node;
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
                change.latest().claim().stream().flatMap(claim -> users(claim.key(), objects))),
        Trigger.on(Kinds.ATTACHMENT, this::refused),
        Trigger.on(Actual.TOPIC, (news, _) -> affected(news.before(), news.after()).stream()),
        Trigger.on(Local.TOPIC, (news, _) -> news.after().differing(news.before()).stream()),
        Trigger.on(DrainOrder.TOPIC, (_, facts) -> facts.of(Local.TOPIC).pods().stream()),
        Trigger.on(Images.TOPIC, (_, facts) -> facts.of(Local.TOPIC).pods().stream()),
        Trigger.none(Agent.TOPIC));
  }

  @Override
  public PodView view(Facts facts, Instant now) {
    return new PodView(
        facts,
        now,
        facts.of(Agent.TOPIC),
        facts.of(Actual.TOPIC),
        facts.of(Local.TOPIC),
        facts.of(DrainOrder.TOPIC),
        facts.of(Images.TOPIC));
  }

  @Override
  public Step decide(PodView view, String uid) {
    return decision.decide(view, uid);
  }

  @Override
  public Class<PodEffect> effectType() {
    return PodEffect.class;
  }

  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    if (!subject.resource().equals(Resources.PODS)) return Stream.empty();
    return objects.get(Kinds.POD, subject.key()).found().stream()
        .filter(pod -> pod.nodeName().equals(node))
        .map(pod -> pod.meta().uid());
  }

  /// The pods about which a change of what is mounted may change the decision.
  private static Set<String> affected(Actual before, Actual after) {
    var uids = new HashSet<String>();
    for (var actual : List.of(before, after))
      for (var state : actual.volumes().values())
        for (var uid : state.publications().keySet())
          if (!before.volume(state.name()).equals(after.volume(state.name()))) uids.add(uid);
    for (var actual : List.of(before, after))
      if (!before.lost().equals(after.lost()))
        actual.lost().forEach(mount -> uids.addAll(mount.podUids()));
    for (var uid : before.holding()) if (!after.holds(uid)) uids.add(uid);
    for (var uid : after.holding()) if (!before.holds(uid)) uids.add(uid);
    return uids;
  }

  /// Only a driver's refusal to attach concerns a pod (NCSN-10).
  private Stream<String> refused(Change<Attachment> change, Snapshot objects) {
    var attachment = change.latest();
    if (!attachment.nodeName().equals(node) || attachment.attachError().isEmpty())
      return Stream.empty();
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(attachment.volumeName())).found().stream()
        .flatMap(volume -> volume.claim().stream())
        .flatMap(claim -> users(claim.key(), objects));
  }

  private Stream<String> users(ObjectKey claim, Snapshot objects) {
    return new Users(objects)
        .naming(claim).stream()
            .filter(pod -> pod.nodeName().equals(node))
            .map(pod -> pod.meta().uid());
  }
}
