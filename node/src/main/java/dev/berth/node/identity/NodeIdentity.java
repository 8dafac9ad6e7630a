package dev.berth.node.identity;

import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Kinds;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.plugin.Plugins;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Keeps the Node and the CSINode of this node true. Its only key is the node's name; look at it
/// again whenever the [Plugins] changes.
public final class NodeIdentity implements Unsplit<String, View> {
  private final NodeFacts facts;
  private final Plugins drivers;
  private final IdentityDecision decision;
  private final IdentityEffects effects;

  /// @param now the clock for the time stamps of conditions
  public NodeIdentity(
      Api api,
      NodeFacts facts,
      Plugins drivers,
      PluginRegistrations registrations,
      Supplier<Instant> now) {
    this.facts = facts;
    this.drivers = drivers;
    this.decision = new IdentityDecision(facts);
    this.effects = new IdentityEffects(api, facts, registrations, now);
  }

  @Override
  public String name() {
    return "node-identity";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.NODE,
            (change, _) -> Stream.of(change.latest().meta().name()).filter(facts.name()::equals)),
        Trigger.on(
            Kinds.CSI_NODE,
            (change, _) -> Stream.of(change.latest().meta().name()).filter(facts.name()::equals)));
  }

  @Override
  public View view(Snapshot objects, Instant now) {
    return new View(objects, drivers.state());
  }

  @Override
  public Step decide(View view, String key) {
    return decision.decide(view);
  }

  @Override
  public void carryOut(Effect effect) {
    effects.carryOut((IdentityEffect) effect);
  }
}
