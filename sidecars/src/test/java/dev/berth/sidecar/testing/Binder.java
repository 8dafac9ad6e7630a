package dev.berth.sidecar.testing;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.List;
import java.util.Optional;

/// As much of Kubernetes' binder and protection as provisioned volumes need, one step of theirs at
/// a time. Stands in for a component that these sidecars know only by its writes.
public final class Binder {
  private final Api api;

  public Binder(Api api) {
    this.api = api;
  }

  /// Does what there is to do once.
  public void work() {
    for (var claim : all(Kinds.CLAIM))
      if (claim.meta().deleting())
        release(Resources.CLAIMS, claim.meta(), Finalizers.PVC_PROTECTION);
    for (var volume : all(Kinds.VOLUME)) tend(volume);
  }

  private void tend(Volume volume) {
    var claim = claimOf(volume);
    boolean free = claim.isPresent() && claim.get().volumeName().isEmpty();
    if (free) bind(volume, claim.get());
    boolean elsewhere =
        claim.isPresent() && !free && !claim.get().volumeName().equals(volume.meta().name());
    if ((claim.isEmpty() || elsewhere) && volume.phase() != Volume.Phase.RELEASED)
      phase(volume, "Released");
    if (volume.meta().deleting() && volume.phase() != Volume.Phase.BOUND)
      release(Resources.VOLUMES, volume.meta(), Finalizers.PV_PROTECTION);
  }

  private Optional<Claim> claimOf(Volume volume) {
    var ref = volume.claim().orElseThrow();
    return all(Kinds.CLAIM).stream().filter(it -> it.meta().uid().equals(ref.uid())).findFirst();
  }

  private void bind(Volume volume, Claim claim) {
    phase(volume, "Bound");
    api.patch(
        Resources.CLAIMS,
        claim.meta().key(),
        merge("{\"spec\": {\"volumeName\": \"%s\"}}".formatted(volume.meta().name())));
    api.patchStatus(
        Resources.CLAIMS, claim.meta().key(), merge("{\"status\": {\"phase\": \"Bound\"}}"));
  }

  private void phase(Volume volume, String phase) {
    api.patchStatus(
        Resources.VOLUMES,
        volume.meta().key(),
        merge("{\"status\": {\"phase\": \"%s\"}}".formatted(phase)));
  }

  private void release(Resource resource, Meta meta, String finalizer) {
    if (!meta.hasFinalizer(finalizer)) return;
    api.patch(resource, meta.key(), new JsonPatch().removeFinalizer(meta, finalizer).patch());
  }

  private <T extends KubeObject> List<T> all(Kind<T> kind) {
    return api.list(kind.resource(), "", Selector.ALL).items().stream().map(kind.read()).toList();
  }

  private static Patch merge(String json) {
    return Patch.merge(Tree.of(json).json());
  }
}
