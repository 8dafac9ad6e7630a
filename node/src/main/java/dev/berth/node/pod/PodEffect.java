package dev.berth.node.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.node.pod.local.Probing;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.Images;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Want;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What can be done about a pod.
public sealed interface PodEffect extends Effect {
  /// Starts a run of a container, once the pod has hold of its volumes.
  ///
  /// @param images that are here: with others what has failed is worth another try at once
  /// @param published volumes that drivers have published, by their names in the pod
  /// @param placed those that are places of this machine, likewise
  record Start(
      String podUid,
      ContainerTemplate container,
      int attempt,
      Images images,
      Seen<Pod> seen,
      Seen<Map<String, Want>> published,
      Seen<Map<String, Need.Placed>> placed)
      implements PodEffect {
    Start(
        Pod pod,
        ContainerTemplate container,
        int attempt,
        Map<String, Want> volumes,
        Map<String, Need.Placed> places,
        Images images) {
      this(
          pod.meta().uid(),
          container,
          attempt,
          images,
          new Seen<>(pod),
          new Seen<>(Map.copyOf(volumes)),
          new Seen<>(Map.copyOf(places)));
    }

    Pod pod() {
      return seen.object();
    }

    Map<String, Want> volumes() {
      return published.object();
    }

    Map<String, Need.Placed> places() {
      return placed.object();
    }

    @Override
    public String toString() {
      return "Start[%s/%s, attempt %d]".formatted(pod().meta().key(), container, attempt);
    }
  }

  /// Brings the files of the pod's volumes up to date.
  record Renew(String podUid, Seen<Pod> seen) implements PodEffect {
    Renew(Pod pod) {
      this(pod.meta().uid(), new Seen<>(pod));
    }

    @Override
    public String toString() {
      return "Renew[%s]".formatted(seen.object().meta().key());
    }
  }

  /// Asks runs to end, each in its own time.
  ///
  /// @param killed when those are to be killed that still run
  /// @param pod whose preStop hooks come first; empty: it is not known any more
  /// @param why for people
  record Stop(String podUid, Set<ContainerId> runs, Instant killed, Optional<Pod> pod, String why)
      implements PodEffect {
    public Stop {
      runs = Set.copyOf(runs);
    }

    @Override
    public String toString() {
      return "Stop[%s, %s, killed %s]".formatted(podUid, runs, killed);
    }
  }

  /// Asks a container how it does, once.
  record Probe(Seen<Pod> seen, ContainerTemplate container, Probing probing) implements PodEffect {
    Probe(Pod pod, ContainerTemplate container, Probing probing) {
      this(new Seen<>(pod), container, probing);
    }

    Pod pod() {
      return seen.object();
    }

    @Override
    public String toString() {
      return "Probe[%s, %s of %s]".formatted(pod().meta().key(), probing.kind(), probing.run());
    }
  }

  /// Ends runs whose time is over.
  record Kill(String podUid, Set<ContainerId> runs) implements PodEffect {
    public Kill {
      runs = Set.copyOf(runs);
    }
  }

  /// Nothing of the pod runs: its volumes may be unmounted.
  record Release(String podUid) implements PodEffect {}

  /// Tells the API what has become of the pod.
  ///
  /// @param pod that the status was made for
  /// @param notice what is told once it is written; empty: nothing
  record Report(Revision pod, ObjectNode status, Optional<Notice> notice) implements PodEffect {
    /// When the pod's conditions change, which is now, is no part of what it is.
    @Override
    public boolean equals(Object other) {
      return other instanceof Report it
          && it.pod.equals(pod)
          && it.notice.equals(notice)
          && it.dateless().equals(dateless());
    }

    @Override
    public int hashCode() {
      return pod.hashCode();
    }

    private ObjectNode dateless() {
      var copy = status.deepCopy();
      copy.remove("startTime");
      for (var condition : copy.path("conditions"))
        ((ObjectNode) condition).remove("lastTransitionTime");
      return copy;
    }
  }

  /// Removes what is left of the pod on the machine.
  record CleanUp(String podUid) implements PodEffect {}

  /// Takes the pod's object away.
  record Delete(ObjectKey pod, String podUid) implements PodEffect {}
}
