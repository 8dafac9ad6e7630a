package dev.berth.node.pod;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.node.pod.local.Run;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.volume.Ending;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Want;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The sentences of [PodDecision].
final class PodWaits {
  /// After so long the pod's author hears that volumes are missing (NVM-15).
  static final Duration VOLUMES_ARE_LATE = Duration.ofSeconds(123);

  private PodWaits() {}

  static Wait untilSupported(Pod pod, String refusal) {
    return Wait.on(pod.ref(), "spec")
        .since(pod.meta().created())
        .until("the pod asks for nothing that this node agent cannot do: " + refusal)
        .remedy("create the pod anew without it")
        .tell(Notice.warning(pod.ref(), Reasons.UNSUPPORTED, "the pod is not started: " + refusal));
  }

  static Wait untilOneWant(Pod pod, Want one, Want other) {
    var text =
        "claims %s and %s are one volume, and the pod wants it in two ways"
            .formatted(claim(one), claim(other));
    return Wait.on(pod.ref(), "spec.volumes")
        .since(pod.meta().created())
        .until("the pod asks for the volume in one way only: " + text)
        .remedy("create the pod anew, with the same readOnly for both, or one claim less")
        .tell(Notice.warning(pod.ref(), Reasons.UNSUPPORTED, text));
  }

  private static String claim(Want want) {
    return want.bound().map(bound -> bound.claim().meta().name()).orElseGet(want::spec);
  }

  /// The decision about the volume says more.
  static Wait untilMounted(PodView view, Pod pod, Need.Known need) {
    var since = need.want().since();
    var late = since.plus(VOLUMES_ARE_LATE);
    var wait =
        Wait.on(need.want().ref())
            .since(since)
            .until(
                "volume %s is mounted for the pod on node %s"
                    .formatted(need.want().spec(), pod.nodeName()));
    return view.now().isBefore(late)
        ? wait.lookAgainAt(late)
        : wait.tell(Notice.warning(pod.ref(), Reasons.FAILED_MOUNT, unmounted(view, pod)));
  }

  private static String unmounted(PodView view, Pod pod) {
    var unmounted = new ArrayList<String>();
    var unattached = new ArrayList<String>();
    var failed = new ArrayList<String>();
    for (var need : view.needs(pod)) {
      switch (need) {
        case Need.Unknown(var name, _) -> failed.add(name);
        case Need.Placed _ -> {}
        case Need.Known known when view.mounted(pod, known) -> {}
        case Need.Known(var name, var want) -> {
          unmounted.add(name);
          if (view.actual().volume(want.name()).attached().isEmpty()) unattached.add(name);
        }
      }
    }
    return "Unable to attach or mount volumes: unmounted volumes=%s, unattached volumes=%s, failed to process volumes=%s: timed out waiting for the condition"
        .formatted(sorted(unmounted), sorted(unattached), sorted(failed));
  }

  /// As Go prints a list of words.
  private static String sorted(List<String> names) {
    return names.stream().sorted().collect(Collectors.joining(" ", "[", "]"));
  }

  static Wait untilInitEnds(Pod pod, History history) {
    return Wait.on(pod.ref(), "status.initContainerStatuses")
        .since(history.latest().orElseThrow().state().started())
        .until("init container %s has ended".formatted(history.container().name()))
        .hint(
            "see what it does: kubectl logs -n %s %s -c %s"
                .formatted(pod.meta().namespace(), pod.meta().name(), history.container().name()));
  }

  /// NRUN-07, NRUN-09: what comes after it is not started before.
  static Wait untilContainerStarts(Pod pod, History history) {
    var name = history.container().name();
    return Wait.on(
            pod.ref(),
            history.container().init()
                ? "status.initContainerStatuses"
                : "status.containerStatuses")
        .since(history.latest().orElseThrow().state().started())
        .until(
            "container %s has started: its startup probe succeeds, and its postStart hook is over"
                .formatted(name))
        .hint(
            "see what it does: kubectl logs -n %s %s -c %s"
                .formatted(pod.meta().namespace(), pod.meta().name(), name));
  }

  static Wait untilPauseEnds(Pod pod, History history) {
    var name = history.container().name();
    return Wait.on(pod.ref(), "status.containerStatuses")
        .since(history.nextStart().minus(history.pause()))
        .until(
            "the pause before the next start of container %s is over; it has ended %s"
                .formatted(name, ends(history)))
        .remedy(
            "look at why it ends: kubectl logs -n %s %s -c %s --previous"
                .formatted(pod.meta().namespace(), pod.meta().name(), name))
        .tell(
            Notice.warning(
                pod.ref(),
                Reasons.BACK_OFF,
                "Back-off restarting failed container %s in pod %s"
                    .formatted(name, pod.meta().key())))
        .lookAgainAt(history.nextStart());
  }

  private static String ends(History history) {
    var exitCode =
        history.latest().map(Run::state).orElseThrow()
                instanceof ContainerState.Exited(_, _, int code)
            ? "with exit code " + code
            : "unseen";
    return history.restarts() == 0
        ? exitCode
        : "%d times, the last time %s".formatted(history.restarts() + 1, exitCode);
  }

  /// @param running when each is killed
  static Wait untilContainersEnd(PodView view, String uid, Map<ContainerId, Instant> running) {
    var names =
        running.keySet().stream().map(ContainerId::name).sorted().collect(Collectors.joining(", "));
    return Ending.wait(
            view.pod(uid),
            Kinds.POD.ref(ObjectKey.cluster(uid)), // its uid is all that is left
            "its containers have ended: " + names)
        .lookAgainAt(Collections.min(running.values()));
  }

  static Wait untilUnmounted(PodView view, Pod pod) {
    var since = pod.meta().deleted().orElse(pod.meta().created());
    return Wait.on(mounted(view, pod.meta().uid()))
        .since(since)
        .until("its volumes are unpublished on node " + pod.nodeName())
        .remedy(
            view.actual()
                .lostTo(pod.meta().uid())
                .findFirst()
                .map(PodWaits::restore)
                .orElse("look at the driver's pod or process on the node"));
  }

  private static String restore(String spec) {
    return "the note of volume %s on the node cannot be read: restore its vol_data.json or its PersistentVolume"
        .formatted(spec);
  }

  static Wait untilUnmounted(PodView view, String uid) {
    return Wait.on(mounted(view, uid)).until("the volumes of a pod that has ended are unpublished");
  }

  /// The first volume that the pod still has; one of its own has no object but the driver's.
  private static Ref mounted(PodView view, String uid) {
    var lost = view.actual().lostTo(uid).findFirst();
    if (lost.isPresent()) return Kinds.VOLUME.ref(ObjectKey.cluster(lost.get()));
    var volume = view.actual().mountedFor(uid).findFirst().orElseThrow();
    return Optional.ofNullable(volume.publications().get(uid))
        .filter(_ -> volume.form().outlivesPods())
        .map(publication -> Kinds.VOLUME.ref(ObjectKey.cluster(publication.spec())))
        .orElseGet(() -> Kinds.CSI_DRIVER.ref(ObjectKey.cluster(volume.name().driver())));
  }
}
