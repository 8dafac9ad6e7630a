package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.PodVolume.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What of a pod's text this agent does not do (NRUN-05, NRUN-15).
public final class Limits {
  static final Set<String> VOLUMES =
      Set.of("emptyDir", "hostPath", "configMap", "secret", "downwardAPI");

  private static final List<String> NOT_ENFORCED_IN_CONTAINER =
      List.of(
          "resources", "ports", "livenessProbe", "readinessProbe", "startupProbe", "stdin", "tty");

  private static final List<String> NOT_ENFORCED_IN_CONTEXT =
      List.of("capabilities", "seccompProfile", "seLinuxOptions", "appArmorProfile", "procMount");

  private Limits() {}

  /// What makes it impossible to run the pod as its author wants it; empty: nothing.
  public static Optional<String> refusal(Pod pod) {
    return Stream.concat(
            pod.volumes().stream().flatMap(Limits::ofVolume),
            ContainerTemplate.of(pod).flatMap(Limits::ofContainer))
        .findFirst();
  }

  /// What the pod runs without, as `resources of container app`; empty: nothing.
  public static List<String> notEnforced(Pod pod) {
    var fields = new ArrayList<String>();
    if (isSet(pod.spec(), "activeDeadlineSeconds")) fields.add("activeDeadlineSeconds");
    for (var field : NOT_ENFORCED_IN_CONTEXT)
      if (isSet(pod.spec().path("securityContext"), field)) fields.add("securityContext." + field);
    ContainerTemplate.of(pod)
        .forEach(container -> {
          for (var field : NOT_ENFORCED_IN_CONTAINER)
            if (isSet(container.spec(), field)) fields.add(of(field, container));
          for (var field : NOT_ENFORCED_IN_CONTEXT)
            if (isSet(container.spec().path("securityContext"), field))
              fields.add(of("securityContext." + field, container));
        });
    return fields;
  }

  private static Stream<String> ofVolume(PodVolume volume) {
    return volume.source() instanceof Source.Local(var type, _) && !VOLUMES.contains(type)
        ? Stream.of("volume %s: kind %s is not supported".formatted(volume.name(), type))
        : Stream.empty();
  }

  private static Stream<String> ofContainer(ContainerTemplate container) {
    var spec = container.spec();
    var refused = new ArrayList<String>();
    if (container.init() && isSet(spec, "restartPolicy")) refused.add("sidecar containers are");
    if (isSet(spec, "lifecycle")) refused.add("lifecycle hooks are");
    for (var variable : spec.path("env"))
      for (var field : List.of("resourceFieldRef", "fileKeyRef"))
        if (isSet(variable.path("valueFrom"), field)) refused.add("env from " + field + " is");
    return refused.stream()
        .map(what -> "container %s: %s not supported".formatted(container.name(), what));
  }

  private static String of(String field, ContainerTemplate container) {
    return field + " of container " + container.name();
  }

  /// An empty object asks for nothing.
  private static boolean isSet(JsonNode parent, String field) {
    var value = parent.path(field);
    if (value.isContainerNode()) return !value.isEmpty();
    return !value.isMissingNode() && !value.isNull() && !(value.isBoolean() && !value.asBoolean());
  }
}
