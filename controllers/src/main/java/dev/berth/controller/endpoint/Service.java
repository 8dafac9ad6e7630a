package dev.berth.controller.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A Service.
///
/// @param selector labels of the pods behind it; empty: somebody else says who stands there
/// @param families of addresses, `IPv4` or `IPv6`
/// @param headless whether it has no address of its own
/// @param publishesUnready whether pods count as ready that are not
/// @param ports `spec.ports`, never to be changed
record Service(
    Meta meta,
    Map<String, String> selector,
    List<String> families,
    boolean headless,
    boolean publishesUnready,
    JsonNode ports)
    implements KubeObject {
  static final Kind<Service> KIND = new Kind<>(StoredResources.SERVICES, Service::of);

  /// By one of the labels that they want.
  private static final Index<Service> BY_LABEL =
      new Index<>(
          KIND,
          "label",
          service ->
              service.wantedLabel().map(it -> label(service.meta.namespace(), it)).stream()
                  .toList());

  /// By each of their labels.
  private static final Index<Pod> PODS_BY_LABEL =
      new Index<>(
          Kinds.POD,
          "label",
          pod ->
              pod.meta().labels().entrySet().stream()
                  .map(it -> label(pod.meta().namespace(), it))
                  .toList());

  Service {
    selector = Map.copyOf(selector);
    families = List.copyOf(families);
  }

  /// An alias of a name elsewhere has no pods.
  private static Service of(JsonNode object) {
    var spec = object.path("spec");
    boolean alias = Json.text(spec, "type").equals("ExternalName");
    var families = Json.list(spec.path("ipFamilies"), JsonNode::asText);
    return new Service(
        Meta.of(object),
        alias ? Map.of() : Json.texts(spec.path("selector")),
        families.isEmpty() ? List.of("IPv4") : families,
        Json.text(spec, "clusterIP").equals("None"),
        spec.path("publishNotReadyAddresses").asBoolean(),
        spec.path("ports"));
  }

  private static String label(String namespace, Map.Entry<String, String> label) {
    return namespace + "/" + label.getKey() + "=" + label.getValue();
  }

  private Optional<Map.Entry<String, String>> wantedLabel() {
    return Optional.ofNullable(new TreeMap<>(selector).firstEntry());
  }

  Ref ref() {
    return Ref.of(StoredResources.SERVICES, meta);
  }

  private boolean selects(Pod pod) {
    return meta.namespace().equals(pod.meta().namespace())
        && !selector.isEmpty()
        && pod.meta().labels().entrySet().containsAll(selector.entrySet());
  }

  /// The pods behind it that have an address and have not ended, in the order of their names.
  List<Pod> pods(Snapshot objects) {
    return wantedLabel().map(it -> objects.by(PODS_BY_LABEL, label(meta.namespace(), it))).stream()
        .flatMap(pods -> pods.stream())
        .filter(pod -> selects(pod) && !pod.finished() && !Addresses.of(pod).isEmpty())
        .sorted((one, other) -> one.meta().name().compareTo(other.meta().name()))
        .toList();
  }

  /// The Services that a pod stands behind.
  static Stream<ObjectKey> before(Pod pod, Snapshot objects) {
    return pod.meta().labels().entrySet().stream()
        .flatMap(it -> objects.by(BY_LABEL, label(pod.meta().namespace(), it)).stream())
        .filter(service -> service.selects(pod))
        .map(service -> service.meta.key());
  }
}
