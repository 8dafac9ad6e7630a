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
  /// Kinds of volumes that show what objects say, and go on doing so.
  public static final Set<String> CONTENT =
      Set.of("configMap", "secret", "downwardAPI", "projected");

  private static final Set<String> OTHERS = Set.of("emptyDir", "hostPath");

  /// What the API server has and no agent here can read.
  private static final Set<String> FOREIGN_SOURCES = Set.of("clusterTrustBundle", "podCertificate");

  private static final List<String> NOT_DONE_IN_POD =
      List.of(
          "activeDeadlineSeconds",
          "dnsConfig",
          "hostAliases",
          "resourceClaims",
          "runtimeClassName",
          "setHostnameAsFQDN",
          "subdomain");

  private static final List<String> NOT_DONE_IN_CONTAINER =
      List.of("ports", "livenessProbe", "readinessProbe", "startupProbe", "stdin", "tty");

  /// What keeps the pod from others, or others from the pod.
  private static final List<String> NOT_ISOLATED_IN_POD =
      List.of("resources", "shareProcessNamespace", "hostPID", "hostIPC");

  private static final List<String> NOT_ISOLATED_IN_CONTEXT =
      List.of(
          "appArmorProfile",
          "capabilities",
          "procMount",
          "seLinuxOptions",
          "seccompProfile",
          "sysctls",
          "windowsOptions");

  private Limits() {}

  /// What makes it impossible to run the pod as its author wants it; empty: nothing.
  public static Optional<String> refusal(Pod pod) {
    return Stream.concat(
            pod.volumes().stream().flatMap(Limits::ofVolume),
            ContainerTemplate.of(pod).flatMap(Limits::ofContainer))
        .findFirst();
  }

  /// What the pod asked for and runs without, as `tty of container app`; empty: nothing.
  public static List<String> notDone(Pod pod) {
    var fields = new ArrayList<>(set(pod.spec(), NOT_DONE_IN_POD).toList());
    ContainerTemplate.of(pod)
        .forEach(container ->
            set(container.spec(), NOT_DONE_IN_CONTAINER)
                .forEach(field -> fields.add(of(field, container))));
    return fields;
  }

  /// What the pod asked for to be kept apart, or not to be, and does not get; empty: nothing.
  public static List<String> notIsolated(Pod pod) {
    var spec = pod.spec();
    var fields = new ArrayList<>(set(spec, NOT_ISOLATED_IN_POD).toList());
    if (spec.path("hostUsers").isBoolean() && !spec.path("hostUsers").asBoolean())
      fields.add("hostUsers: false");
    set(spec.path("securityContext"), NOT_ISOLATED_IN_CONTEXT)
        .forEach(field -> fields.add("securityContext." + field));
    pod.meta().annotations().keySet().stream()
        .filter(key -> key.startsWith("container.apparmor.security.beta.kubernetes.io/"))
        .sorted()
        .forEach(key -> fields.add("annotation " + key));
    ContainerTemplate.of(pod)
        .forEach(container -> {
          if (isSet(container.spec().path("resources"), "limits"))
            fields.add(of("resources.limits", container));
          set(container.spec().path("securityContext"), NOT_ISOLATED_IN_CONTEXT)
              .forEach(field -> fields.add(of("securityContext." + field, container)));
        });
    return fields;
  }

  private static Stream<String> ofVolume(PodVolume volume) {
    if (!(volume.source() instanceof Source.Local(var type, var spec))) return Stream.empty();
    if (!CONTENT.contains(type) && !OTHERS.contains(type))
      return Stream.of("volume %s: kind %s is not supported".formatted(volume.name(), type));
    return spec.path("sources")
        .valueStream()
        .flatMap(source -> FOREIGN_SOURCES.stream().filter(source::hasNonNull))
        .map(field -> "volume %s: source %s is not supported".formatted(volume.name(), field));
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

  private static Stream<String> set(JsonNode parent, List<String> fields) {
    return fields.stream().filter(field -> isSet(parent, field));
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
