package dev.berth.controller.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// An EndpointSlice.
///
/// @param family `IPv4`, `IPv6` or `FQDN`
/// @param endpoints never to be changed, nor are `ports`
record Slice(Meta meta, String family, JsonNode endpoints, JsonNode ports) implements KubeObject {
  static final Kind<Slice> KIND = new Kind<>(StoredResources.ENDPOINT_SLICES, Slice::of);

  /// As upstream's controller signs its slices: whichever of the two runs keeps them.
  static final String KEEPER = "endpointslice-controller.k8s.io";

  /// Those that are ours to keep, by their Service.
  private static final Index<Slice> KEPT =
      new Index<>(
          KIND, "service", slice -> slice.service().map(ObjectKey::toString).stream().toList());

  private static Slice of(JsonNode object) {
    return new Slice(
        Meta.of(object),
        Json.text(object, "addressType"),
        object.path("endpoints"),
        object.path("ports"));
  }

  Ref ref() {
    return Ref.of(StoredResources.ENDPOINT_SLICES, meta);
  }

  /// The Service that it is kept for; empty: somebody else keeps it.
  Optional<ObjectKey> service() {
    if (!KEEPER.equals(meta.labels().get(Labels.SLICE_MANAGED_BY))) return Optional.empty();
    return Optional.ofNullable(meta.labels().get(Labels.SERVICE_NAME))
        .map(name -> ObjectKey.of(meta.namespace(), name));
  }

  /// Those of a Service that are not on their way out, in the order of their names.
  static List<Slice> of(Service service, Snapshot objects) {
    return objects.by(KEPT, service.meta().key().toString()).stream()
        .filter(slice -> !slice.meta.deleting())
        .sorted(Comparator.comparing(slice -> slice.meta.name()))
        .toList();
  }
}
