package dev.berth.node.identity;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.runtime.Images;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Keeps the Node and the CSINode of this node true. Its only key is the node's name.
public final class NodeIdentity implements Decider<String, View, IdentityEffect> {
  /// Whether the agent has told who it is since it started: an earlier one had perhaps another
  /// address, and its machine another kernel.
  public static final Topic<Boolean> INTRODUCED =
      new Topic<>("the agent has introduced itself", true);

  /// The images that the agent has told of.
  public static final Topic<Images> REPORTED =
      new Topic<>("images that the Node names", Images.UNKNOWN);

  private final NodeFacts facts;
  private final IdentityDecision decision;

  public NodeIdentity(NodeFacts facts) {
    this.facts = facts;
    this.decision = new IdentityDecision(facts);
  }

  @Override
  public String name() {
    return "node-identity";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(Kinds.NODE, (change, _) -> keyIf(change.latest().ref())),
        Trigger.on(Kinds.CSI_NODE, (change, _) -> keyIf(change.latest().ref())),
        Trigger.on(Kinds.CSI_DRIVER, (_, _) -> Stream.of(facts.name())),
        Trigger.on(
            Kinds.ATTACHMENT,
            (change, _) ->
                Stream.of(facts.name())
                    .filter(name -> change.latest().nodeName().equals(name))
                    .filter(_ -> change.latest().attachError().isPresent())),
        Trigger.on(Plugins.TOPIC, (_, _) -> Stream.of(facts.name())),
        Trigger.on(INTRODUCED, (_, _) -> Stream.of(facts.name())),
        Trigger.on(Images.TOPIC, (_, _) -> Stream.of(facts.name())),
        Trigger.on(REPORTED, (_, _) -> Stream.of(facts.name())));
  }

  private Stream<String> keyIf(Ref object) {
    return Stream.of(facts.name()).filter(name -> object.key().equals(ObjectKey.cluster(name)));
  }

  @Override
  public View view(Facts all, Instant now) {
    return new View(
        all,
        all.of(Plugins.TOPIC),
        all.of(INTRODUCED),
        all.of(Images.TOPIC),
        all.of(REPORTED),
        now);
  }

  @Override
  public Step decide(View view, String key) {
    return decision.decide(view);
  }

  @Override
  public Class<IdentityEffect> effectType() {
    return IdentityEffect.class;
  }

  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    return Set.of(Resources.NODES, Resources.CSI_NODES).contains(subject.resource())
        ? keyIf(subject)
        : Stream.empty();
  }
}
