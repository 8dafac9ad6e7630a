package dev.berth.node.volume;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.PodConditions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Staging;
import dev.berth.node.volume.state.VolumeState.Attached;
import dev.berth.volume.Indexes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What must be mounted on a node if its objects tell the truth: for explanations, which see the
/// API and no disk. Works for kubelets as well (explain.md, L07 to L14).
public record PresumedMounts(String node, Snapshot objects) {
  public static Actual on(String node, Snapshot objects) {
    return new PresumedMounts(node, objects).actual();
  }

  private Actual actual() {
    var inUse =
        objects.get(Kinds.NODE, ObjectKey.cluster(node)).found().map(Node::volumesInUse).stream()
            .flatMap(Set::stream)
            .flatMap(text -> VolumeName.parse(text).stream())
            .collect(Collectors.toSet());
    var actual = Actual.NOTHING.reported(inUse);
    var wanted = new HashSet<VolumeName>();
    for (var pod : objects.by(Indexes.PODS_BY_NODE, node)) {
      if (pod.finished()) continue;
      var wants = new Needs(objects).wants(pod).toList();
      wants.forEach(want -> wanted.add(want.name()));
      if (mounted(pod)) for (var want : wants) actual = published(actual, want);
      if (pod.anyContainerRunning())
        actual = actual.hold(pod.meta().uid(), List.of()).orElse(actual);
    }
    for (var name : wanted)
      if (actual.reportedInUse(name) && actual.volume(name).attached().isEmpty() && attached(name))
        actual = actual.with(actual.volume(name).with(new Attached("", Map.of())));
    // What is reported and not wanted is on its way out.
    for (var name : inUse)
      if (!wanted.contains(name))
        actual = actual.with(actual.volume(name).with(new Staging.Present("")));
    return actual;
  }

  /// Whether both who attached it and who vouches for that say so (AD-60).
  private boolean attached(VolumeName name) {
    var vouched =
        objects
            .get(Kinds.NODE, ObjectKey.cluster(node))
            .found()
            .filter(it -> it.volumesAttached().contains(name.toString()));
    return vouched.isPresent()
        && objects
            .get(Kinds.ATTACHMENT, ObjectKey.cluster(name.attachment(node)))
            .found()
            .filter(it -> it.attached() && !it.meta().deleting())
            .isPresent();
  }

  private static Actual published(Actual actual, Want want) {
    return actual.with(
        actual
            .volume(want.name())
            .with(want.form())
            .with(new Attached("", Map.of()))
            .with(want.form() == Form.INLINE ? Staging.ABSENT : new Staging.Present(""))
            .with(want.podUid(), new Publication.Present(want.spec(), want.since())));
  }

  /// Volumes are mounted before anything else of a pod begins (L10).
  private static boolean mounted(Pod pod) {
    var ready =
        pod.status()
            .path("conditions")
            .valueStream()
            .anyMatch(condition ->
                Json.text(condition, "type").equals(PodConditions.READY_TO_START_CONTAINERS)
                    && Json.text(condition, "status").equals("True"));
    return ready
        || Stream.of("initContainerStatuses", "containerStatuses")
            .flatMap(field -> pod.status().path(field).valueStream())
            .map(status -> status.path("state"))
            .anyMatch(state -> state.hasNonNull("running") || state.hasNonNull("terminated"));
  }
}
