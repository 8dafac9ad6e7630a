package dev.berth.node.volume.need;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Finalizers;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lookup.Found;
import dev.berth.kube.model.Lookup.Missing;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.model.Reasons;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeMode;

/// From one volume of a pod over its claim to the PersistentVolume (NVM-03).
///
/// @param asDevice whether containers use it as a device
record ClaimedVolume(Snapshot objects, Pod pod, PodVolume volume, boolean asDevice) {

  Need claimed() {
    return switch (objects.get(Kinds.CLAIM, key())) {
      case Missing<Claim>(var ref) ->
          unknown(
              Wait.on(ref).until("the claim exists").remedy("create the claim, or delete the pod"),
              "failed to fetch PVC from API server: not found");
      case Found(var claim) when volume.source() instanceof Source.Ephemeral && !ofPod(claim) ->
          unknown(
              Wait.on(claim.ref(), "metadata.ownerReferences")
                  .until("the claim is one that was made for this pod")
                  .remedy("rename the pod or its volume; or delete the claim if its data may go"),
              "PVC was not created for pod " + pod.meta().key());
      case Found(var claim)
          when claim.meta().deleting() && !claim.meta().hasFinalizer(Finalizers.PVC_PROTECTION) ->
          unknown(
              Wait.on(claim.ref())
                  .until("the claim that is being deleted is gone and a new one has its place")
                  .remedy("delete the pod, then create claim and pod again"),
              "PVC is being deleted");
      case Found(var claim)
          when claim.volumeName().isEmpty() || claim.phase() != Claim.Phase.BOUND ->
          new Need.Unknown(
              volume.name(),
              Wait.on(claim.ref(), "status.phase")
                  .since(claim.meta().created())
                  .until("the claim is bound to a volume"));
      case Found(var claim) -> bound(claim);
    };
  }

  /// A volume that a driver makes on the node, for this pod only.
  Need inline() {
    return new Need.Unknown(
        volume.name(),
        Wait.on(pod.ref(), "spec.volumes")
            .until("this node agent mounts inline CSI volumes")
            .remedy("use a generic ephemeral volume, which goes with the pod as well")
            .tell(
                failed(
                    "volume %s: inline CSI volumes are not supported".formatted(volume.name()))));
  }

  private Need bound(Claim claim) {
    return switch (objects.get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))) {
      case Missing<Volume>(var ref) ->
          unknown(
              Wait.on(ref)
                  .until("the claim's volume exists")
                  .remedy("restore the PersistentVolume; or delete the claim and its pods"),
              "failed to fetch PV %s: not found".formatted(ref.key()));
      case Found(var pv)
          when pv.claim().filter(c -> !c.uid().isEmpty() && c.names(claim)).isEmpty() ->
          unknown(
              Wait.on(pv.ref(), "spec.claimRef").until("the volume is bound to this very claim"),
              "PV %s is not bound to this PVC".formatted(pv.meta().name()));
      case Found(var pv) when pv.csi().isEmpty() ->
          unknown(
              Wait.on(pv.ref(), "spec.csi")
                  .until("the volume is a CSI driver's")
                  .remedy("use a volume of a CSI driver: this node agent mounts no others"),
              "PV %s is not a CSI volume".formatted(pv.meta().name()));
      case Found(var pv) when (pv.volumeMode() == VolumeMode.BLOCK) != asDevice ->
          unknown(
              Wait.on(pod.ref(), "spec.containers")
                  .until("the pod uses the volume in its own mode, " + pv.volumeMode().text())
                  .remedy("create the pod anew, with volumeDevices for Block, else volumeMounts"),
              "volume %s has volumeMode %s, but is specified in %s"
                  .formatted(
                      volume.name(),
                      pv.volumeMode().text(),
                      asDevice ? "volumeDevices" : "volumeMounts"));
      case Found(var pv) when asDevice ->
          unknown(
              Wait.on(pv.ref(), "spec.volumeMode")
                  .until("this node agent hands raw block volumes to containers, which it does not")
                  .danger(
                      "make sure that the claim's data may go: it goes unless the volume's policy"
                          + " is Retain",
                      ("berth delete pod/%s pvc/%s -n %s; then create the claim anew with"
                              + " volumeMode Filesystem, and the pod with volumeMounts")
                          .formatted(
                              pod.meta().name(), claim.meta().name(), pod.meta().namespace())),
              "volumeMode Block is not supported here; create the claim with volumeMode Filesystem,"
                  + " and the pod with volumeMounts in the place of volumeDevices");
      case Found(var pv) ->
          new Need.Known(volume.name(), new Want(pod, claim, pv, volume.readOnly()));
    };
  }

  private ObjectKey key() {
    var name = volume.claimName(pod.meta().name()).orElseThrow();
    return ObjectKey.of(pod.meta().namespace(), name);
  }

  private boolean ofPod(Claim claim) {
    return claim
        .meta()
        .controllerOwner()
        .filter(owner -> owner.uid().equals(pod.meta().uid()))
        .isPresent();
  }

  private Need unknown(Wait until, String cause) {
    return new Need.Unknown(
        volume.name(), until.tell(failed("error processing PVC %s: %s".formatted(key(), cause))));
  }

  private Notice failed(String message) {
    return Notice.warning(pod.ref(), Reasons.FAILED_MOUNT, message);
  }
}
