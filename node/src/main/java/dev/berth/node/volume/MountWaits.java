package dev.berth.node.volume;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.VolumeState;
import java.time.Duration;
import java.util.stream.Collectors;

/// The sentences of [MountDecision].
final class MountWaits {
  /// A driver that is missing for less is nothing to talk about: at a node's start all are.
  private static final Duration DRIVER_MAY_BE_LATE = Duration.ofSeconds(30);

  /// What the others may take before somebody should look (A02, A03; A17; A11; A05).
  private static final Duration REPORTING = Duration.ofSeconds(10);

  private static final Duration LISTING = Duration.ofSeconds(5);
  private static final Duration DETACHING = Duration.ofSeconds(30);
  private static final Duration ATTACHING = Duration.ofMinutes(1);

  private MountWaits() {}

  static Wait untilNodeExists(Ref node) {
    return Wait.on(node)
        .until("node %s has registered itself".formatted(node.key().name()))
        .remedy("start the node's agent");
  }

  static Wait untilReported(Node node, Want want) {
    return Wait.on(node.ref(), "status.volumesInUse")
        .since(want.since())
        .until(
            "the agent of node %s has reported %s in use"
                .formatted(node.meta().name(), want.name()))
        .ifLate(REPORTING, "look at the agent of node " + node.meta().name());
  }

  static Wait untilRequested(Ref attachment, Want want) {
    return Wait.on(attachment)
        .since(want.since())
        .until("the attach/detach controller asks for the volume to be attached")
        .ifLate(REPORTING, "look at the attach/detach controller's log");
  }

  static Wait untilDetached(Attachment attachment) {
    var wait =
        Wait.on(attachment.ref())
            .since(attachment.meta().deleted().orElse(attachment.meta().created()))
            .until("the volume is detached, to be attached anew")
            .ifLate(DETACHING, "look at the attacher of driver " + attachment.attacher());
    return attachment.detachError().map(e -> wait.remedy("mend: " + e.message())).orElse(wait);
  }

  static Wait untilAttached(Attachment attachment) {
    var wait =
        Wait.on(attachment.ref(), "status.attached")
            .since(attachment.meta().created())
            .until("driver %s has attached the volume".formatted(attachment.attacher()))
            .ifLate(ATTACHING, "look at the attacher of driver " + attachment.attacher());
    return attachment.attachError().map(e -> wait.remedy("mend: " + e.message())).orElse(wait);
  }

  static Wait untilVouchedFor(Node node, Attachment attachment, VolumeName name) {
    return Wait.on(node.ref(), "status.volumesAttached")
        .since(attachment.meta().created())
        .until("the attach/detach controller lists " + name)
        .ifLate(LISTING, "look at the attach/detach controller's log");
  }

  static Wait untilDriverIsDescribed(Want want) {
    var driver = want.source().driver();
    return Wait.on(want.ref())
        .since(want.since())
        .until("there is a CSIDriver that says that %s makes volumes for pods".formatted(driver))
        .remedy(
            "create the CSIDriver %s with volumeLifecycleModes: [Ephemeral], if the driver can"
                .formatted(driver))
        .tell(
            failed(
                want,
                "volume mode \"Ephemeral\" not supported by driver %s (no CSIDriver object)"
                    .formatted(driver)));
  }

  static Wait untilModeIsSupported(CsiDriver driver, Want want) {
    var modes =
        driver.lifecycleModes().stream()
            .sorted()
            .map("\"%s\""::formatted)
            .collect(Collectors.joining(", ", "[", "]"));
    return Wait.on(driver.ref(), "spec.volumeLifecycleModes")
        .since(want.since())
        .until(
            "driver %s supports %s volumes"
                .formatted(
                    driver.meta().name(),
                    want.form() == Form.INLINE ? "inline (ephemeral)" : "persistent"))
        .remedy("correct volumeLifecycleModes of the CSIDriver, or use another driver")
        .tell(
            failed(
                want,
                "volume mode \"%s\" not supported by driver %s (only supports %s)"
                    .formatted(want.form().lifecycle(), driver.meta().name(), modes)));
  }

  static Wait untilNodeFits(Node node, Want want) {
    return Wait.on(want.ref(), "spec.nodeAffinity")
        .since(want.since())
        .until("node %s is one from which the volume can be reached".formatted(node.meta().name()))
        .remedy(
            "delete the pod, so that it is placed on another node: "
                + Commands.delete(want.pod().ref()))
        .tell(failed(want, "MountVolume.NodeAffinity check failed"));
  }

  static Wait untilOtherPodEnds(MountView view, String otherUid, Want want) {
    var other = pod(view, otherUid, want.ref());
    return Wait.on(other)
        .since(want.since())
        .until("the other pod that has the ReadWriteOncePod volume is gone")
        .remedy(view.pod(otherUid).isPresent() ? Commands.delete(other) : "delete the other pod")
        .tell(
            failed(
                want,
                "volume uses the ReadWriteOncePod access mode and is already in use by another"
                    + " pod"));
  }

  /// Told to the pod's author only if it lasts (NDWN-03).
  static Wait untilRegistered(MountView view, Want want) {
    var name = want.name();
    var late = want.since().plus(DRIVER_MAY_BE_LATE);
    var wait = registration(view).since(want.since()).until(registered(view, name));
    wait = wait.remedy(lookAtDriver(view));
    return view.now().isBefore(late)
        ? wait.lookAgainAt(late)
        : wait.tell(
            failed(
                want,
                "driver name %s not found in the list of registered CSI drivers"
                    .formatted(name.driver())));
  }

  static Wait untilRegistered(MountView view, VolumeName name) {
    return registration(view).until(registered(view, name)).remedy(lookAtDriver(view));
  }

  /// The pod cannot leave: its author is told why if that lasts (NDWN-03).
  static Wait untilRegistered(MountView view, VolumeName name, String podUid) {
    var wait = untilRegistered(view, name);
    var pod = view.pod(podUid);
    var leaves = pod.flatMap(it -> it.meta().deleted());
    if (leaves.isEmpty()) return wait;
    var late = leaves.get().plus(DRIVER_MAY_BE_LATE);
    return view.now().isBefore(late)
        ? wait.lookAgainAt(late)
        : wait.tell(
            Notice.warning(
                pod.get().ref(),
                Reasons.FAILED_UNMOUNT,
                "the pod stays until driver %s unmounts volume %s, and that is not registered on node %s; %s"
                    .formatted(name.driver(), name.handle(), view.nodeName(), lookAtDriver(view))));
  }

  static Wait untilContainersEnd(MountView view, VolumeState state) {
    var uid = state.publications().keySet().iterator().next();
    return Ending.wait(
        view.pod(uid), node(view), "the containers that have the volume mounted have ended");
  }

  static Wait untilPodIsGone(Pod pod) {
    return Wait.on(pod.ref())
        .since(pod.meta().deleted().orElse(pod.meta().created()))
        .until("the pod that had the volume is gone");
  }

  /// A pod whose object is gone is spoken of by `instead`.
  private static Ref pod(MountView view, String uid, Ref instead) {
    return view.pod(uid).map(Pod::ref).orElse(instead);
  }

  private static Ref node(MountView view) {
    return Kinds.NODE.ref(ObjectKey.cluster(view.nodeName()));
  }

  private static Wait.Sentence registration(MountView view) {
    return Wait.on(Kinds.CSI_NODE.ref(ObjectKey.cluster(view.nodeName())), "spec.drivers");
  }

  private static String registered(MountView view, VolumeName name) {
    return "driver %s has registered on node %s".formatted(name.driver(), view.nodeName());
  }

  private static String lookAtDriver(MountView view) {
    return "look at the driver's pod or process on node %s and at its registration socket"
        .formatted(view.nodeName());
  }

  private static Notice failed(Want want, String cause) {
    return Notice.warning(
        want.pod().ref(),
        Reasons.FAILED_MOUNT,
        "MountVolume.SetUp failed for volume \"%s\" : %s".formatted(want.spec(), cause));
  }
}
