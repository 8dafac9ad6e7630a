package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.stream.Stream;

/// A container as the pod's author wants it.
///
/// @param init whether it runs before the others, to its end
/// @param spec its entry in the pod's `spec`, never to be changed
public record ContainerTemplate(String name, boolean init, JsonNode spec) {
  /// The pod's init containers.
  public static List<ContainerTemplate> initOf(Pod pod) {
    return Json.list(
        pod.spec().path("initContainers"), spec -> new ContainerTemplate(name(spec), true, spec));
  }

  /// The pod's containers that are not init containers.
  public static List<ContainerTemplate> appsOf(Pod pod) {
    return Json.list(
        pod.spec().path("containers"), spec -> new ContainerTemplate(name(spec), false, spec));
  }

  public static Stream<ContainerTemplate> of(Pod pod) {
    return Stream.concat(initOf(pod).stream(), appsOf(pod).stream());
  }

  /// Whether it is an init container that runs on beside the others (NRUN-07).
  public boolean sidecar() {
    return init && Json.text(spec, "restartPolicy").equals("Always");
  }

  public String image() {
    return Json.text(spec, "image");
  }

  private static String name(JsonNode spec) {
    return Json.text(spec, "name");
  }

  /// Brief: its environment may hold what no log should.
  @Override
  public String toString() {
    return name;
  }
}
