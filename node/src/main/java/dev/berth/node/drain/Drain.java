package dev.berth.node.drain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.node.drain.DrainEffect.Finish;
import dev.berth.node.driver.Drivers;
import dev.berth.node.pod.local.Local;
import dev.berth.node.volume.Refusals;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Decides when a node that is to be empty is, or as empty as it gets. Its only key is the node's
/// name.
public final class Drain implements Decider<String, DrainView, DrainEffect> {
  private final String node;

  public Drain(String node) {
    this.node = node;
  }

  @Override
  public String name() {
    return "node-drain";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(DrainOrder.TOPIC, this::look),
        Trigger.on(Actual.TOPIC, this::look),
        Trigger.on(Local.TOPIC, this::look),
        Trigger.on(Drivers.TOPIC, this::look),
        Trigger.on(Refusals.TOPIC, this::look));
  }

  private Stream<String> look(News<?> news, Facts facts) {
    return Stream.of(node).filter(_ -> facts.of(DrainOrder.TOPIC).given());
  }

  @Override
  public DrainView view(Facts facts, Instant now) {
    return new DrainView(
        now,
        facts.of(DrainOrder.TOPIC),
        facts.of(Actual.TOPIC),
        facts.of(Local.TOPIC),
        facts.of(Drivers.TOPIC),
        facts.of(Refusals.TOPIC));
  }

  @Override
  public Step decide(DrainView view, String key) {
    var order = view.order();
    if (!order.given() || order.over()) return new Settled();
    if (view.empty()) return new Act(new Finish(Map.of()));
    if (view.now().isBefore(order.patience()))
      return untilEmpty(view).lookAgainAt(order.patience());
    if (view.moves()) return untilEmpty(view);
    // With nothing left only the report is missing, which a full store does not take.
    return new Act(new Finish(left(view)));
  }

  private static Map<VolumeName, String> left(DrainView view) {
    var left = new HashMap<VolumeName, String>();
    for (var name : view.mounted().volumes().keySet())
      left.put(name, view.hopeless(name).orElseThrow());
    return left;
  }

  private Wait untilEmpty(DrainView view) {
    return Wait.on(Kinds.NODE.ref(ObjectKey.cluster(node)), "status.volumesInUse")
        .until(
            "nothing runs on node %s and nothing is mounted: %d volumes are"
                .formatted(node, view.mounted().volumes().size()));
  }

  @Override
  public Class<DrainEffect> effectType() {
    return DrainEffect.class;
  }

  /// Nobody who sees only the API can know of an order.
  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}
