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
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Finds out whose the devices and mounts are whose notes cannot be read. Its keys are those of
/// [Actual#lost]: mostly PersistentVolumes.
public final class LostDevices implements Decider<String, Actual, LostDevices.Find> {
  private final String node;

  public LostDevices(String node) {
    this.node = node;
  }

  /// Looks whether note or PersistentVolume say it.
  public record Find(String spec) implements Effect {}

  @Override
  public String name() {
    return "lost-devices";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.NODE,
            (change, facts) ->
                change.latest().meta().name().equals(node)
                    ? facts.of(Actual.TOPIC).lost().keySet().stream()
                    : Stream.empty()),
        Trigger.none(Actual.TOPIC));
  }

  @Override
  public Actual view(Facts facts, Instant now) {
    return facts.of(Actual.TOPIC);
  }

  @Override
  public Step decide(Actual view, String spec) {
    return view.lost().containsKey(spec) ? new Act(new Find(spec)) : new Settled();
  }

  @Override
  public Class<Find> effectType() {
    return Find.class;
  }

  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}
