package dev.berth.apiserver.core.state;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Resource;

/// What is sent to an endpoint: an object of the resource's own kind, or of one that only a
/// subresource takes.
public record BodyKind(String group, String version, String kind) {

  /// @param subresource empty: the object itself
  public static BodyKind of(Resource resource, String subresource) {
    return switch (subresource) {
      case "binding" -> new BodyKind("", "v1", "Binding");
      case "eviction" -> new BodyKind("policy", "v1", "Eviction");
      case "token" -> new BodyKind("authentication.k8s.io", "v1", "TokenRequest");
      case "exec" -> new BodyKind("", "v1", "PodExecOptions");
      case "attach" -> new BodyKind("", "v1", "PodAttachOptions");
      case "portforward" -> new BodyKind("", "v1", "PodPortForwardOptions");
      case "scale" -> new BodyKind("autoscaling", "v1", "Scale");
      default -> new BodyKind(resource.group(), resource.version(), resource.kind());
    };
  }

  /// Whether an object of this kind is one of the resource's own.
  public boolean isOf(Resource resource) {
    return kind.equals(resource.kind()) && group.equals(resource.group());
  }

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /// With its version and kind, which typed clients leave out.
  public ObjectNode named(ObjectNode object) {
    if (object.has("kind") && object.has("apiVersion")) return object;
    return object.deepCopy().put("apiVersion", apiVersion()).put("kind", kind);
  }
}
