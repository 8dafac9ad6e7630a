package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.value.Json;
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
      List.of("dnsConfig", "resourceClaims", "runtimeClassName", "setHostnameAsFQDN", "subdomain");

  private static final List<String> NOT_DONE_IN_CONTAINER = List.of("ports", "stdin", "tty");

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

  private static final String PULLING = "imagePullPolicy";
  private static final String CONTEXT = "securityContext";

  private Limits() {}

  /// What makes it impossible to run the pod as its author wants it; empty: nothing.
  public static Optional<String> refusal(Pod pod) {
    return Stream.concat(
            pod.volumes().stream().flatMap(Limits::ofVolume),
            ContainerTemplate.of(pod).flatMap(Limits::ofContainer))
        .findFirst();
  }

  /// What the pod asked for and runs without, as `tty of container app`; empty: nothing.
  ///
  /// @param enforced fields that the node's runtime sees to
  public static List<String> notDone(Pod pod, Set<String> enforced) {
    var fields = new ArrayList<>(set(pod.spec(), NOT_DONE_IN_POD, "", enforced).toList());
    ContainerTemplate.of(pod)
        .forEach(container ->
            set(container.spec(), NOT_DONE_IN_CONTAINER, "", enforced)
                .forEach(field -> fields.add(of(field, container))));
    ContainerTemplate.of(pod)
        .filter(container ->
            Json.text(container.spec(), "terminationMessagePolicy").equals("FallbackToLogsOnError"))
        .forEach(container ->
            fields.add(of("terminationMessagePolicy FallbackToLogsOnError", container)));
    if (!enforced.contains(PULLING))
      ContainerTemplate.of(pod)
          .filter(container -> Json.text(container.spec(), PULLING).equals("Always"))
          .filter(container -> !container.image().equals("host"))
          .forEach(container ->
              fields.add(
                  of("imagePullPolicy Always (the image is as it was imported)", container)));
    return fields;
  }

  /// What the pod asked for to be kept apart, or not to be, and does not get; empty: nothing.
  ///
  /// @param enforced fields that the node's runtime sees to
  public static List<String> notIsolated(Pod pod, Set<String> enforced) {
    var spec = pod.spec();
    var fields = new ArrayList<>(set(spec, NOT_ISOLATED_IN_POD, "", enforced).toList());
    if (spec.path("hostUsers").isBoolean() && !spec.path("hostUsers").asBoolean())
      fields.add("hostUsers: false");
    set(spec.path(CONTEXT), NOT_ISOLATED_IN_CONTEXT, CONTEXT + ".", enforced).forEach(fields::add);
    pod.meta().annotations().keySet().stream()
        .filter(key -> key.startsWith("container.apparmor.security.beta.kubernetes.io/"))
        .sorted()
        .forEach(key -> fields.add("annotation " + key));
    ContainerTemplate.of(pod)
        .forEach(container -> {
          set(container.spec().path("resources"), List.of("limits"), "resources.", enforced)
              .forEach(field -> fields.add(of(field, container)));
          set(container.spec().path(CONTEXT), NOT_ISOLATED_IN_CONTEXT, CONTEXT + ".", enforced)
              .forEach(field -> fields.add(of(field, container)));
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
    for (var rule : List.of("restartPolicyRules", "resizePolicy"))
      if (isSet(spec, rule)) refused.add(rule + " is");
    if (isSet(spec, "restartPolicy") && !container.sidecar())
      refused.add("restartPolicy of its own is");
    if (isSet(spec.path("lifecycle"), "stopSignal")) refused.add("lifecycle.stopSignal is");
    for (var hook : List.of("postStart", "preStop"))
      if (isSet(spec.path("lifecycle").path(hook), "tcpSocket"))
        refused.add("tcpSocket in its " + hook + " hook is");
    for (var variable : spec.path("env"))
      if (isSet(variable.path("valueFrom"), "fileKeyRef")) refused.add("env from fileKeyRef is");
    return refused.stream()
        .map(what -> "container %s: %s not supported".formatted(container.name(), what));
  }

  /// Those that are set and not seen to, with the name of their parent before them.
  private static Stream<String> set(
      JsonNode parent, List<String> fields, String prefix, Set<String> enforced) {
    return fields.stream()
        .filter(field -> isSet(parent, field))
        .map(field -> prefix + field)
        .filter(field -> !enforced.contains(field));
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
