package dev.berth.sidecar.nodeplugin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.sidecar.nodeplugin.StartupTaint.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/// Carries out what [TaintDecision] asks for.
final class TaintEffects implements Effects<TaintEffect> {
  private final Told<Optional<Outcome>> told = new Told<>(TaintDecision.OUTCOME);
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final Api api;
  private final String driver;
  private final ObjectKey node;

  TaintEffects(Api api, String driver, ObjectKey node) {
    this.api = api;
    this.driver = driver;
    this.node = node;
  }

  Source<Optional<Outcome>> source() {
    return told;
  }

  CompletableFuture<Outcome> outcome() {
    return outcome;
  }

  @Override
  public void carryOut(TaintEffect effect) {
    switch (effect) {
      case TaintEffect.TakeOff _ -> takeOff();
      case TaintEffect.GiveUp _ -> giveUp();
    }
  }

  /// The kubelet and others write the node too: a patch that met another list loses, and is made
  /// anew.
  private void takeOff() {
    try {
      var found = taints();
      if (!found.isEmpty()) api.patch(Resources.NODES, node, without(found));
      end(found.isEmpty() ? Outcome.ABSENT : Outcome.REMOVED);
    } catch (ApiException refused) {
      if (!Sight.isForbidden(refused)) throw refused;
      end(Outcome.FORBIDDEN);
    }
  }

  private void giveUp() {
    end(mayHaveIt() ? Outcome.GAVE_UP : Outcome.ABSENT);
  }

  /// Nodes get the taint when they are made, before any driver is on them.
  ///
  /// @return whether it has it, as far as that can be told now
  /// @throws ApiException if it is forbidden to look
  boolean mayHaveIt() {
    try {
      return !taints().isEmpty();
    } catch (ApiException refused) {
      if (Sight.isForbidden(refused)) throw refused;
      return true;
    }
  }

  private void end(Outcome how) {
    told.change(_ -> Optional.of(how));
    outcome.complete(how);
  }

  /// @param index in the node's list
  private record Found(int index, ObjectNode taint) {}

  /// The last one first: to take one away moves those behind it.
  private List<Found> taints() {
    var all = api.get(Resources.NODES, node).path("spec").path("taints");
    return IntStream.range(0, all.size())
        .mapToObj(i -> new Found(i, (ObjectNode) all.get(i)))
        .filter(found -> Json.text(found.taint, "key").equals(TaintDecision.key(driver)))
        .toList()
        .reversed();
  }

  private static Patch without(List<Found> found) {
    var patch = new JsonPatch();
    for (var one : found) {
      var index = Integer.toString(one.index);
      patch.test(one.taint, "spec", "taints", index).remove("spec", "taints", index);
    }
    return patch.patch();
  }
}
