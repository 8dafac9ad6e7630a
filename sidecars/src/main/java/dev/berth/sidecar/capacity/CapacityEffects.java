package dev.berth.sidecar.capacity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetCapacityResponse;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Meta.Owner;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.capacity.CapacityEffect.Ask;
import dev.berth.sidecar.capacity.CapacityEffect.Forget;
import dev.berth.sidecar.capacity.CapacityEffect.Want;
import dev.berth.sidecar.capacity.CapacityEffect.Withdraw;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.write.RoomMetrics;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// Asks the driver for its room, and writes what it says.
final class CapacityEffects implements Effects<CapacityEffect> {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final String driver;
  private final CapacityOptions options;
  private final ControllerCalls calls;
  private final Api api;
  private final Time time;
  private final Told<Room> told;
  private final Semaphore asking;
  private final RoomMetrics metrics;

  /// Looked up once: a pod's owners do not change.
  private volatile Optional<Owner> owner = Optional.empty();

  CapacityEffects(
      String driver,
      CapacityOptions options,
      ControllerCalls calls,
      Api api,
      Time time,
      Told<Room> told,
      RoomMetrics metrics) {
    this.metrics = metrics;
    this.driver = driver;
    this.options = options;
    this.calls = calls;
    this.api = api;
    this.time = time;
    this.told = told;
    asking = new Semaphore(options.threads(), true);
  }

  @Override
  public void carryOut(CapacityEffect effect) throws InterruptedException {
    switch (effect) {
      case Want(var slots) -> {
        told.change(room -> room.wanting(slots));
        metrics.wants(driver, slots);
      }
      case Forget(var slot) -> told.change(room -> room.stale(slot));
      case Ask ask -> ask(ask);
      case Withdraw(var key, var seen) -> withdraw(seen.object());
    }
  }

  private Optional<Owner> owner() {
    if (owner.isEmpty())
      owner = options.owner().map(it -> Owners.of(api, options.namespace(), it.pod(), it.level()));
    return owner;
  }

  private void ask(Ask effect) throws InterruptedException {
    asking.acquire();
    try {
      var request = GetCapacityRequest.newBuilder().putAllParameters(effect.parameters());
      // PROV-163: a segment without pairs is sent, too, as upstream does
      request.getAccessibleTopologyBuilder().putAllSegments(effect.slot().segment().pairs());
      var now = time.now();
      publish(effect, calls.getCapacity(request.build()));
      told.change(room -> room.answered(effect.slot(), now));
      metrics.published(driver, effect.slot());
    } finally {
      asking.release();
    }
  }

  /// Room of none is published, too (PROV-164).
  private void publish(Ask effect, GetCapacityResponse answer) {
    var capacity = Quantity.ofBytes(answer.getAvailableCapacity());
    var largest =
        answer.hasMaximumVolumeSize()
            ? Optional.of(Quantity.ofBytes(answer.getMaximumVolumeSize().getValue()))
            : Optional.<Quantity>empty();
    var there = effect.published().object();
    if (there.isEmpty())
      api.create(Resources.STORAGE_CAPACITIES, object(effect, capacity, largest));
    else if (!says(there.get(), capacity, largest)) update(there.get(), capacity, largest);
  }

  private boolean says(StorageCapacity there, Quantity capacity, Optional<Quantity> largest) {
    return there.capacity().equals(Optional.of(capacity))
        && there.maximumVolumeSize().equals(largest)
        && isOwned(there.meta());
  }

  private boolean isOwned(Meta meta) {
    return owner()
        .map(ours -> meta.owners().stream().anyMatch(it -> it.uid().equals(ours.uid())))
        .orElse(true);
  }

  /// Ours takes the place of another controller, of which there can be but one.
  private void update(StorageCapacity there, Quantity capacity, Optional<Quantity> largest) {
    var change = JSON.objectNode().put("capacity", capacity.toString());
    largest.ifPresentOrElse(
        it -> change.put("maximumVolumeSize", it.toString()),
        () -> change.putNull("maximumVolumeSize"));
    var metadata =
        change
            .putObject("metadata")
            .put("uid", there.meta().uid())
            .put("resourceVersion", there.meta().resourceVersion());
    if (!isOwned(there.meta())) {
      var owners = metadata.putArray("ownerReferences");
      there.meta().owners().stream().filter(it -> !it.controller()).forEach(it -> add(owners, it));
      owner().ifPresent(it -> add(owners, it));
    }
    api.patch(Resources.STORAGE_CAPACITIES, there.meta().key(), Patch.merge(change));
  }

  private ObjectNode object(Ask effect, Quantity capacity, Optional<Quantity> largest) {
    var object =
        JSON.objectNode()
            .put("apiVersion", Resources.STORAGE_CAPACITIES.apiVersion())
            .put("kind", Resources.STORAGE_CAPACITIES.kind());
    var metadata =
        object
            .putObject("metadata")
            .put("generateName", "csisc-")
            .put("namespace", options.namespace());
    metadata
        .putObject("labels")
        .put(Concerned.DRIVER_LABEL, driver)
        .put(Capacities.MANAGER_LABEL, options.managedBy());
    owner().ifPresent(it -> add(metadata.putArray("ownerReferences"), it));
    object.put("storageClassName", effect.slot().className());
    var topology = object.putObject("nodeTopology");
    var pairs = effect.slot().segment().pairs();
    if (!pairs.isEmpty()) pairs.forEach(topology.putObject("matchLabels")::put);
    object.put("capacity", capacity.toString());
    largest.ifPresent(it -> object.put("maximumVolumeSize", it.toString()));
    return object;
  }

  private static void add(ArrayNode owners, Owner owner) {
    var reference =
        owners
            .addObject()
            .put("apiVersion", owner.apiVersion())
            .put("kind", owner.kind())
            .put("name", owner.name())
            .put("uid", owner.uid());
    if (owner.controller()) reference.put("controller", true);
  }

  private void withdraw(Meta seen) {
    metrics.isToGo(driver, seen.uid());
    try {
      api.delete(Resources.STORAGE_CAPACITIES, seen.key(), DeleteOptions.uid(seen.uid()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
    metrics.hasGone(driver, seen.uid());
  }
}
