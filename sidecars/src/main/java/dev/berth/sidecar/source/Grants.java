package dev.berth.sidecar.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Claim.DataSource;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;

/// Whether a claim may be filled from something in another namespace: a ReferenceGrant there says
/// so (PROV-62).
public final class Grants {
  public static final Resource REFERENCE_GRANTS =
      new Resource(
          "gateway.networking.k8s.io", "v1beta1", "referencegrants", "ReferenceGrant", true);

  private final Api api;

  public Grants(Api api) {
    this.api = api;
  }

  /// @throws UnusableSource if nobody has granted it
  /// @throws ApiException if that cannot be read
  public void check(Claim claim, DataSource source) {
    boolean granted =
        api.list(REFERENCE_GRANTS, source.namespace(), Selector.ALL).items().stream()
            .map(grant -> grant.path("spec"))
            .anyMatch(grant ->
                any(grant.path("from"), from -> isFrom(from, claim))
                    && any(grant.path("to"), to -> isTo(to, source)));
    if (!granted)
      throw new UnusableSource(
          "accessing %s/%s of %s dataSource from %s isn't allowed"
              .formatted(source.namespace(), source.name(), source.kind(), claim.meta().key()));
  }

  private static boolean any(JsonNode list, java.util.function.Predicate<JsonNode> fits) {
    for (var each : list) if (fits.test(each)) return true;
    return false;
  }

  private static boolean isFrom(JsonNode from, Claim claim) {
    return Json.text(from, "group").isEmpty()
        && Json.text(from, "kind").equals(Source.CLAIM_KIND)
        && Json.text(from, "namespace").equals(claim.meta().namespace());
  }

  private static boolean isTo(JsonNode to, DataSource source) {
    var name = Json.text(to, "name");
    return Json.text(to, "group").equals(source.group())
        && Json.text(to, "kind").equals(source.kind())
        && (name.isEmpty() || name.equals(source.name()));
  }
}
