package dev.berth.node.volume;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Ref;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.Lost;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Finds out whose the devices and mounts are whose notes cannot be read: each of [Actual#lost] is
/// a key.
public final class LostMounts implements Decider<Lost, Actual, LostMounts.Find> {
  private final String node;

  public LostMounts(String node) {
    this.node = node;
  }

  /// Looks who says it: a note, the pod, the node, a PersistentVolume.
  public record Find(Lost mount) implements Effect {}

  @Override
  public String name() {
    return "lost-mounts";
  }

  @Override
  public List<Trigger<?, Lost>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.NODE,
            (change, facts) ->
                change.latest().meta().name().equals(node)
                    ? facts.of(Actual.TOPIC).lost().stream()
                    : Stream.empty()),
        Trigger.none(Actual.TOPIC));
  }

  @Override
  public Actual view(Facts facts, Instant now) {
    return facts.of(Actual.TOPIC);
  }

  @Override
  public Step decide(Actual view, Lost mount) {
    return view.lost().contains(mount) ? new Act(new Find(mount)) : new Settled();
  }

  @Override
  public Class<Find> effectType() {
    return Find.class;
  }

  @Override
  public Stream<Lost> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}
