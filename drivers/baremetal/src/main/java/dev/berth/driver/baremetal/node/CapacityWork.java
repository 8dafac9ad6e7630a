package dev.berth.driver.baremetal.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.driver.baremetal.decide.CapacityEffect;
import dev.berth.driver.baremetal.object.AvailableCapacity;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.loop.Effects;

/// Writes what is free on drives.
///
/// @param api any server that has the kinds of [BareMetalKinds]
public record CapacityWork(Api api) implements Effects<CapacityEffect> {
  @Override
  public void carryOut(CapacityEffect effect) {
    switch (effect) {
      case CapacityEffect.Offer(var drive, var type, var size) ->
          api.create(BareMetalKinds.CAPACITIES, AvailableCapacity.draft(drive, type, size));
      case CapacityEffect.Resize(var capacity, var type, var size) -> {
        var patch = JsonNodeFactory.instance.objectNode();
        patch
            .putObject("metadata")
            .put("uid", capacity.meta().uid())
            .put("resourceVersion", capacity.meta().resourceVersion());
        patch.putObject("spec").put("storageClass", type).put("Size", size);
        api.patch(BareMetalKinds.CAPACITIES, capacity.meta().key(), Patch.merge(patch));
      }
      case CapacityEffect.Withdraw(var capacity) -> withdraw(capacity);
    }
  }

  private void withdraw(AvailableCapacity capacity) {
    try {
      api.delete(
          BareMetalKinds.CAPACITIES,
          capacity.meta().key(),
          DeleteOptions.uid(capacity.meta().uid()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
