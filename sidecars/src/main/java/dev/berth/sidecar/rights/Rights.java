package dev.berth.sidecar.rights;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.ReviewResources;
import dev.berth.sidecar.part.Sidecar;
import java.util.List;

/// Which rights this process lacks, by SelfSubjectAccessReviews (ONE-23).
public final class Rights {
  private final Api api;

  public Rights(Api api) {
    this.api = api;
  }

  /// Without which a sidecar could do nothing: less than upstream's ClusterRoles give, as a right
  /// that only some of its work takes keeps only that work waiting (PROV-189, ATT-96).
  public static List<Right> needed(Sidecar sidecar) {
    return switch (sidecar) {
      case PROVISIONER ->
          List.of(
              Right.to("list", Resources.CLAIMS),
              Right.to("watch", Resources.CLAIMS),
              Right.to("update", Resources.CLAIMS),
              Right.to("list", Resources.VOLUMES),
              Right.to("create", Resources.VOLUMES),
              Right.to("patch", Resources.VOLUMES),
              Right.to("delete", Resources.VOLUMES),
              Right.to("list", Resources.STORAGE_CLASSES));
      case ATTACHER ->
          List.of(
              Right.to("list", Resources.ATTACHMENTS),
              Right.to("watch", Resources.ATTACHMENTS),
              Right.to("patch", Resources.ATTACHMENTS),
              Right.to("patch", Resources.ATTACHMENTS).of("status"),
              Right.to("list", Resources.VOLUMES),
              Right.to("patch", Resources.VOLUMES),
              Right.to("list", Resources.CSI_NODES));
      case RESIZER ->
          List.of(
              Right.to("list", Resources.CLAIMS),
              Right.to("watch", Resources.CLAIMS),
              Right.to("patch", Resources.CLAIMS).of("status"),
              Right.to("list", Resources.VOLUMES),
              Right.to("patch", Resources.VOLUMES));
      case SNAPSHOTTER -> List.of();
      case HEALTH_MONITOR ->
          List.of(Right.to("list", Resources.VOLUMES), Right.to("list", Resources.CLAIMS));
    };
  }

  /// Those of `wanted` that are refused. A server that does not say refuses nothing beforehand.
  public List<Right> lacking(List<Right> wanted) {
    try {
      return wanted.stream().filter(right -> !has(right)).toList();
    } catch (ApiException silent) {
      return List.of();
    }
  }

  private boolean has(Right right) {
    var review = JsonNodeFactory.instance.objectNode();
    var kind = ReviewResources.SELF_ACCESS_REVIEWS;
    review.put("apiVersion", kind.apiVersion()).put("kind", kind.kind()).putObject("metadata");
    var asked = review.putObject("spec").putObject("resourceAttributes");
    asked
        .put("verb", right.verb())
        .put("group", right.resource().group())
        .put("resource", right.resource().plural());
    if (!right.subresource().isEmpty()) asked.put("subresource", right.subresource());
    return api.create(kind, review).path("status").path("allowed").asBoolean(true);
  }
}
