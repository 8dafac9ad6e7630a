package dev.berth.sidecar.nodeplugin;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.nodeplugin.StartupTaint.Outcome;
import dev.berth.sidecar.nodeplugin.TaintEffect.GiveUp;
import dev.berth.sidecar.nodeplugin.TaintEffect.TakeOff;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// When a node's startup taint may go (PRA-03). Its only key is the node's.
///
/// @param deadline when the last try is made
record TaintDecision(String driver, ObjectKey node, Instant deadline)
    implements Decider<ObjectKey, TaintDecision.View, TaintEffect> {
  /// What came of it; empty: nothing yet.
  static final Topic<Optional<Outcome>> OUTCOME =
      new Topic<>("what came of the startup taint", Optional.empty());

  record View(Snapshot objects, Instant now, boolean over) {}

  static String key(String driver) {
    return driver + "/agent-not-ready";
  }

  @Override
  public String name() {
    return "startup-taint";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.CSI_NODE, (_, _) -> Stream.of(node)),
        Trigger.on(OUTCOME, (_, _) -> Stream.of(node)));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now, facts.of(OUTCOME).isPresent());
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    if (view.over()) return new Settled();
    var entry = view.objects().get(Kinds.CSI_NODE, node).found().flatMap(it -> it.driver(driver));
    boolean late = !view.now().isBefore(deadline);
    // The last try: a driver without a limit is registered and never counted.
    if (entry.filter(it -> late || it.maxVolumes().isPresent()).isPresent())
      return new Act(new TakeOff());
    return late ? new Act(new GiveUp()) : untilCounted(entry).lookAgainAt(deadline);
  }

  private Wait untilCounted(Optional<CsiNode.Driver> entry) {
    return Wait.on(Kinds.CSI_NODE.ref(node), "spec.drivers")
        .until(
            entry.isPresent()
                ? "the kubelet has counted how many volumes of driver " + driver + " fit"
                : "the kubelet has registered driver " + driver);
  }

  @Override
  public Class<TaintEffect> effectType() {
    return TaintEffect.class;
  }

  /// Whoever asks about the node does not know the process that waits.
  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}
