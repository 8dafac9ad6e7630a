package dev.berth.node.runtime.cri;

import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.cri.v1.Container;
import dev.berth.node.runtime.cri.v1.PodSandbox;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Whose sandboxes and containers an engine has, as their labels say. They are those that a kubelet
/// gives, and one that says below which root the pod's directories are: several agents may use one
/// engine. What has no such label was made by a kubelet, and is this agent's if the pod's directory
/// is below its root.
record Owner(Layout layout) {
  static final String POD_NAME = "io.kubernetes.pod.name";
  static final String POD_NAMESPACE = "io.kubernetes.pod.namespace";
  static final String POD_UID = "io.kubernetes.pod.uid";
  static final String CONTAINER_NAME = "io.kubernetes.container.name";
  static final String ROOT = "berth.dev/node-root";

  Map<String, String> sandboxLabels(ContainerSpec spec) {
    var labels = new HashMap<>(spec.engine().sandbox().labels());
    labels.putAll(podLabels(spec));
    return labels;
  }

  Map<String, String> containerLabels(ContainerSpec spec) {
    var labels = podLabels(spec);
    labels.put(CONTAINER_NAME, spec.id().name());
    return labels;
  }

  private Map<String, String> podLabels(ContainerSpec spec) {
    var labels = new HashMap<String, String>();
    labels.put(POD_NAME, spec.engine().sandbox().name());
    labels.put(POD_NAMESPACE, spec.engine().sandbox().namespace());
    labels.put(POD_UID, spec.id().podUid());
    labels.put(ROOT, layout.root().toString());
    return labels;
  }

  /// Which run of ours it is; empty: it is not ours.
  Optional<ContainerId> id(Container container) {
    var labels = container.getLabelsMap();
    if (!owns(labels)) return Optional.empty();
    try {
      return Optional.of(
          new ContainerId(
              labels.getOrDefault(POD_UID, ""),
              labels.getOrDefault(CONTAINER_NAME, ""),
              container.getMetadata().getAttempt()));
    } catch (IllegalArgumentException strange) {
      return Optional.empty();
    }
  }

  /// Uid of the pod; empty: it is not ours.
  Optional<String> pod(PodSandbox sandbox) {
    var labels = sandbox.getLabelsMap();
    return owns(labels) ? Optional.of(labels.getOrDefault(POD_UID, "")) : Optional.empty();
  }

  private boolean owns(Map<String, String> labels) {
    var uid = labels.getOrDefault(POD_UID, "");
    if (!uid.matches("[A-Za-z0-9][A-Za-z0-9-]*")) return false; // it becomes a directory's name
    var root = labels.get(ROOT);
    return root == null
        ? Files.isDirectory(layout.pod(uid))
        : root.equals(layout.root().toString());
  }
}
