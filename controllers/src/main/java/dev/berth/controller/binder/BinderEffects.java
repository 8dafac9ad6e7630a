package dev.berth.controller.binder;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.ControllerMetrics;
import dev.berth.controller.Live;
import dev.berth.controller.Outdated;
import dev.berth.controller.binder.BinderEffect.AskProvisioner;
import dev.berth.controller.binder.BinderEffect.AssignClass;
import dev.berth.controller.binder.BinderEffect.MarkClaimBound;
import dev.berth.controller.binder.BinderEffect.MarkClaimLost;
import dev.berth.controller.binder.BinderEffect.MarkClaimPending;
import dev.berth.controller.binder.BinderEffect.MarkVolumeAvailable;
import dev.berth.controller.binder.BinderEffect.MarkVolumeBound;
import dev.berth.controller.binder.BinderEffect.MarkVolumeFailed;
import dev.berth.controller.binder.BinderEffect.MarkVolumeReleased;
import dev.berth.controller.binder.BinderEffect.NameVolume;
import dev.berth.controller.binder.BinderEffect.ReserveVolume;
import dev.berth.controller.binder.BinderEffect.SelectNode;
import dev.berth.controller.binder.BinderEffect.UnreserveVolume;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.volume.Intended;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Carries out what the binder decided: one write each, and the events that go with it.
final class BinderEffects implements Effects<BinderEffect> {
  private final Api api;
  private final Live live;
  private final EventRecorder events;
  private final ControllerMetrics metrics;

  BinderEffects(Api api, EventRecorder events, ControllerMetrics metrics) {
    this.api = api;
    this.live = new Live(api);
    this.events = events;
    this.metrics = metrics;
  }

  @Override
  public void carryOut(BinderEffect effect) {
    switch (effect) {
      case ReserveVolume(var reservation) ->
          api.patch(Resources.VOLUMES, reservation.volume().key(), reservation.patch());
      case MarkVolumeBound(var volume) -> phase(Resources.VOLUMES, volume, "Bound", _ -> {});
      case NameVolume name -> name(name);
      case MarkClaimBound bound -> markBound(bound);
      case MarkClaimPending(var claim) ->
          phase(Resources.CLAIMS, claim, "Pending", BinderEffects::holdNothing);
      case MarkClaimLost lost -> markLost(lost);
      case AssignClass assign -> assign(assign);
      case SelectNode select -> select(select);
      case AskProvisioner ask -> ask(ask);
      case MarkVolumeAvailable(var volume) ->
          phase(Resources.VOLUMES, volume, "Available", BinderEffects::forgetFailure);
      case MarkVolumeReleased released -> release(released);
      case MarkVolumeFailed failed -> fail(failed);
      case UnreserveVolume unreserve -> unreserve(unreserve);
    }
  }

  /// A claim may be written to by its provisioner and by people meanwhile; that is in nobody's way.
  private void name(NameVolume effect) {
    var claim = effect.claim().object();
    var meta = claim.meta();
    var patch = new JsonPatch().testSame(meta);
    var annotations = new TreeMap<>(Map.of(Annotations.BIND_COMPLETED, "yes"));
    switch (effect.chosenBy()) {
      case CONTROLLER -> {
        patch.testAbsent("spec", "volumeName").add(effect.volume(), "spec", "volumeName");
        annotations.put(Annotations.BOUND_BY_CONTROLLER, "yes");
      }
      case AUTHOR -> patch.test(effect.volume(), "spec", "volumeName");
    }
    patch.setAnnotations(meta, annotations);
    if (Intended.volume(claim).filter(effect.volume()::equals).isPresent()) forget(meta, patch);
    api.patch(Resources.CLAIMS, meta.key(), patch.patch());
  }

  /// The volume that the provisioner has begun is saved: what it has noted for the case that it
  /// were not goes with the same write. Where another binder binds, the provisioner does that
  /// itself (PROV-191).
  private static void forget(Meta claim, JsonPatch patch) {
    patch.removeAnnotation(claim, Annotations.PROVISIONING_INTENT);
    if (claim.hasFinalizer(Finalizers.PROVISIONING))
      patch.removeFinalizer(claim, Finalizers.PROVISIONING);
  }

  private void markBound(MarkClaimBound effect) {
    phase(
        Resources.CLAIMS,
        effect.claim(),
        "Bound",
        status -> {
          var modes = status.putArray("accessModes");
          effect.accessModes().stream().sorted().map(AccessMode::text).forEach(modes::add);
          effect
              .capacity()
              .ifPresent(
                  capacity -> status.putObject("capacity").put("storage", capacity.toString()));
          effect
              .attributesClass()
              .filter(name -> !name.isEmpty())
              .ifPresent(name -> status.put("currentVolumeAttributesClassName", name));
        });
  }

  private void markLost(MarkClaimLost effect) {
    effect
        .absent()
        .map(ObjectKey::cluster)
        .filter(volume -> live.find(Kinds.VOLUME, volume).isPresent())
        .ifPresent(volume -> {
          throw Outdated.because("persistentvolume \"%s\" is there".formatted(volume));
        });
    phase(Resources.CLAIMS, effect.claim(), "Lost", BinderEffects::holdNothing);
    events.tell(
        Notice.warning(ref(Resources.CLAIMS, effect.claim()), effect.reason(), effect.message()));
  }

  private void assign(AssignClass effect) {
    metrics.assigningClass(() ->
        patch(
            Resources.CLAIMS,
            effect.claim(),
            body -> body.withObject("/spec").put("storageClassName", effect.storageClass())));
    events.tell(
        Notice.normal(
            ref(Resources.CLAIMS, effect.claim()),
            Reasons.DEFAULT_STORAGE_CLASS_ASSIGNED,
            "the claim named no class and got the default, " + effect.storageClass()));
  }

  private void select(SelectNode effect) {
    patch(
        Resources.CLAIMS,
        effect.claim(),
        body -> annotations(body).put(Annotations.SELECTED_NODE, effect.node()));
    events.tell(
        Notice.normal(
            ref(Resources.CLAIMS, effect.claim()),
            Reasons.NODE_SELECTED_BY_POD,
            "pod %s was placed on node %s by hand, so the volume is made for that node"
                .formatted(effect.pod(), effect.node())));
  }

  private void ask(AskProvisioner effect) {
    patch(
        Resources.CLAIMS,
        effect.claim(),
        body ->
            annotations(body)
                .put(Annotations.STORAGE_PROVISIONER, effect.provisioner())
                .put(Annotations.BETA_STORAGE_PROVISIONER, effect.provisioner()));
  }

  /// Only a claim that the server itself does not show any more has gone: a cache that lags would
  /// cost data.
  private void release(MarkVolumeReleased effect) {
    var volume = effect.volume().key().name();
    live.find(Kinds.CLAIM, effect.claim())
        .filter(claim -> claim.meta().uid().equals(effect.claimUid()))
        .filter(claim -> claim.volumeName().isEmpty() || claim.volumeName().equals(volume))
        .ifPresent(claim -> {
          throw Outdated.because(
              "persistentvolumeclaim \"%s\" is there".formatted(claim.meta().name()));
        });
    phase(Resources.VOLUMES, effect.volume(), "Released", _ -> {});
  }

  private void fail(MarkVolumeFailed effect) {
    phase(
        Resources.VOLUMES,
        effect.volume(),
        "Failed",
        status -> status.put("message", effect.message()).put("reason", effect.reason()));
    events.tell(
        Notice.warning(ref(Resources.VOLUMES, effect.volume()), effect.reason(), effect.message()));
  }

  private void unreserve(UnreserveVolume effect) {
    patch(
        Resources.VOLUMES,
        effect.volume(),
        body -> {
          switch (effect.chosenBy()) {
            case CONTROLLER -> {
              body.withObject("/spec").putNull("claimRef");
              annotations(body).putNull(Annotations.BOUND_BY_CONTROLLER);
            }
            case AUTHOR ->
                body.withObject("/spec/claimRef").putNull("uid").putNull("resourceVersion");
          }
        });
  }

  private static void holdNothing(ObjectNode status) {
    status.putNull("accessModes").putNull("capacity").putNull("currentVolumeAttributesClassName");
  }

  private static void forgetFailure(ObjectNode status) {
    status.putNull("message").putNull("reason");
  }

  private static ObjectNode annotations(ObjectNode body) {
    return body.withObject("/metadata/annotations");
  }

  private void patch(Resource resource, Revision seen, Consumer<ObjectNode> change) {
    api.patch(resource, seen.key(), seen.patch(change));
  }

  /// Writes the phase and what goes with it.
  private void phase(Resource resource, Revision seen, String phase, Consumer<ObjectNode> rest) {
    api.patchStatus(
        resource,
        seen.key(),
        seen.patch(body -> rest.accept(body.putObject("status").put("phase", phase))));
  }

  private static Ref ref(Resource resource, Revision seen) {
    return new Ref(resource, seen.key(), seen.uid());
  }
}
