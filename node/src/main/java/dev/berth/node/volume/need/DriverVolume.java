package dev.berth.node.volume.need;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.VolumeMode;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Way;

/// What one volume of a pod comes to: the way to it, and the rules of a node (NVM-03).
///
/// @param asDevice whether containers use it as a device
record DriverVolume(Pod pod, PodVolume volume, boolean asDevice) {

  Need claimed(Way.OfClaim way) {
    var used = way.used().key();
    return switch (way) {
      case Way.NoClaim(_, var absent) ->
          unknown(
              used,
              Wait.on(absent)
                  .since(pod.meta().created())
                  .until("the claim exists")
                  .remedy("create the claim, or delete the pod"),
              "failed to fetch PVC from API server: not found");
      case Way.Foreign(_, var claim) ->
          unknown(
              used,
              Wait.on(claim.ref(), "metadata.ownerReferences")
                  .since(pod.meta().created())
                  .until("the claim is one that was made for this pod")
                  .remedy("rename the pod or its volume; or delete the claim if its data may go"),
              "PVC was not created for pod " + pod.meta().key());
      case Way.Claimed it when isLost(it.claim()) ->
          unknown(
              used,
              Wait.on(it.claim().ref())
                  .since(it.claim().meta().deleted().orElseThrow())
                  .until("the claim that is being deleted is gone and a new one has its place")
                  .remedy("delete the pod, then create claim and pod again"),
              "PVC is being deleted");
      case Way.Unbound(_, var claim) -> untilBound(claim);
      case Way.Claimed it when it.claim().phase() != Claim.Phase.BOUND -> untilBound(it.claim());
      case Way.NoVolume(_, _, var absent) ->
          unknown(
              used,
              Wait.on(absent)
                  .since(pod.meta().created())
                  .until("the claim's volume exists")
                  .danger(
                      "leave the claim: its data may still be on what the volume stood for",
                      "create %s again with the same driver and volumeHandle, and policy Retain"
                          .formatted(absent)),
              "failed to fetch PV %s: not found".formatted(absent.key()));
      case Way.Misbound(_, var claim, var pv) ->
          unknown(
              used,
              Wait.on(pv.ref(), "spec.claimRef")
                  .since(pod.meta().created())
                  .until("the volume is bound to this very claim")
                  .remedy("see what became of the claim: " + Commands.explain(claim.ref())),
              "PV %s is not bound to this PVC".formatted(pv.meta().name()));
      case Way.Unserved(_, _, var pv)
          when pv.place().isPresent() && pv.volumeMode() == VolumeMode.FILESYSTEM && !asDevice ->
          new Need.Placed(volume.name(), pv, volume.readOnly());
      case Way.Unserved(_, _, var pv) ->
          unknown(
              used,
              Wait.on(pv.ref(), "spec.csi")
                  .since(pod.meta().created())
                  .until("the volume is a CSI driver's")
                  .remedy(
                      "use a volume of a CSI driver, or a directory of the node (local): this node"
                          + " agent mounts no others"),
              "PV %s is not a CSI volume".formatted(pv.meta().name()));
      case Way.Arrived arrived -> arrived(arrived);
    };
  }

  /// Nothing keeps it any more, so it may go at any moment (PROT-05).
  private static boolean isLost(Claim claim) {
    return claim.meta().deleting() && !claim.meta().hasFinalizer(Finalizers.PVC_PROTECTION);
  }

  private Need untilBound(Claim claim) {
    return new Need.Unknown(
        volume.name(),
        Wait.on(claim.ref(), "status.phase")
            .since(claim.meta().created())
            .until("the claim is bound to a volume"));
  }

  private Need arrived(Way.Arrived way) {
    var pv = way.volume();
    var used = way.used().key();
    if ((pv.volumeMode() == VolumeMode.BLOCK) != asDevice)
      return unknown(
          used,
          Wait.on(pod.ref(), "spec.containers")
              .since(pod.meta().created())
              .until("the pod uses the volume in its own mode, " + pv.volumeMode().text())
              .remedy("create the pod anew, with volumeDevices for Block, else volumeMounts"),
          "volume %s has volumeMode %s, but is specified in %s"
              .formatted(
                  volume.name(),
                  pv.volumeMode().text(),
                  asDevice ? "volumeDevices" : "volumeMounts"));
    if (pod.volumes().stream().anyMatch(other -> namedLike(pv.meta().name(), other)))
      return unknown(
          used,
          Wait.on(pod.ref(), "spec.volumes")
              .since(pod.meta().created())
              .until("no volume of the pod's own has the name of a PersistentVolume that it uses")
              .remedy("create the pod anew, with another name for its volume " + pv.meta().name()),
          "volume %s of the pod has the name of PersistentVolume %s, and both would be mounted at one place"
              .formatted(pv.meta().name(), pv.meta().name()));
    return new Need.Known(volume.name(), new Want(pod, way, volume.readOnly()));
  }

  /// A driver makes it for the pod, at a path of its name (NLAY-01).
  private static boolean namedLike(String pv, PodVolume other) {
    return other.source() instanceof PodVolume.Source.InlineCsi && other.name().equals(pv);
  }

  private Need unknown(ObjectKey claim, Wait until, String cause) {
    return new Need.Unknown(
        volume.name(), until.tell(failed("error processing PVC %s: %s".formatted(claim, cause))));
  }

  private Notice failed(String message) {
    return Notice.warning(pod.ref(), Reasons.FAILED_MOUNT, message);
  }
}
