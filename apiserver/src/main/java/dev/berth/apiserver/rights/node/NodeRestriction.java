package dev.berth.apiserver.rights.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What a node may not write though it may write the object: another's name, labels that others
/// rely on, its own taints, pods that only it wants.
public final class NodeRestriction {
  /// What a node may say of a claim.
  private static final Set<String> OF_CLAIMS =
      Set.of(
          "capacity",
          "conditions",
          "allocatedResources",
          "allocatedResourceStatuses",
          "currentVolumeAttributesClassName",
          "modifyVolumeStatus");

  private static final Set<String> OWN_LABELS =
      Set.of(
          Labels.HOSTNAME,
          Labels.ARCH,
          Labels.OS,
          Labels.BETA_ARCH,
          Labels.BETA_OS,
          "beta.kubernetes.io/instance-type",
          Labels.BETA_REGION,
          Labels.BETA_ZONE,
          Labels.REGION,
          Labels.ZONE);

  private static final Set<String> OWN_DOMAINS =
      Set.of("kubelet.kubernetes.io", "node.kubernetes.io");

  private NodeRestriction() {}

  /// The node that a user is; empty: it is none.
  public static Optional<String> node(User user) {
    return user.isIn(User.NODES) && user.name().startsWith(User.NODE_PREFIX)
        ? Optional.of(user.name().substring(User.NODE_PREFIX.length()))
        : Optional.empty();
  }

  /// Why a node may not write what it wants to.
  ///
  /// @param before as it is; empty: it is new
  /// @param after as it would be
  /// @param state in which it would be written
  /// @return empty: it may
  public static Optional<String> check(
      String node, Resource resource, Optional<ObjectNode> before, ObjectNode after, State state) {
    var name = Json.text(after.path("metadata"), "name");
    if (resource.equals(Resources.NODES)) return checkNode(node, name, before, after);
    if (resource.equals(Resources.CSI_NODES) || resource.equals(Resources.LEASES))
      return name.equals(node)
          ? Optional.empty()
          : Optional.of(
              "can only access %s with the same name as the requesting node"
                  .formatted(resource.kind()));
    if (resource.equals(Resources.PODS))
      return before.isEmpty()
          ? MirrorPods.check(node, after, state)
          : checkPodChange(node, before.get(), after);
    if (resource.equals(StoredResources.DEVICE_SLICES)) return checkSlice(node, after);
    if (resource.equals(Resources.CLAIMS) && before.isPresent())
      return checkClaimChange(node, before.get(), after);
    return Optional.empty();
  }

  private static Optional<String> checkPodChange(String node, ObjectNode before, ObjectNode after) {
    var was = before.path("metadata");
    var is = after.path("metadata");
    if (!was.path("annotations")
        .path(Annotations.CONFIG_MIRROR)
        .equals(is.path("annotations").path(Annotations.CONFIG_MIRROR)))
      return Optional.of("node \"%s\" cannot change what its pod mirrors".formatted(node));
    for (var field : List.of("labels", "ownerReferences", "finalizers"))
      if (!was.path(field).equals(is.path(field)))
        return Optional.of("node \"%s\" cannot update %s of a pod".formatted(node, field));
    if (!resourceClaims(before).equals(resourceClaims(after)))
      return Optional.of("node \"%s\" cannot update resource claim statuses".formatted(node));
    return Optional.empty();
  }

  /// Which claims a pod has is not for its node to say.
  private static List<JsonNode> resourceClaims(ObjectNode pod) {
    var status = pod.path("status");
    return List.of(
        status.path("resourceClaimStatuses"), status.path("extendedResourceClaimStatus"));
  }

  private static Optional<String> checkSlice(String node, ObjectNode slice) {
    return Json.text(slice.path("spec"), "nodeName").equals(node)
        ? Optional.empty()
        : Optional.of("can only write ResourceSlices with spec.nodeName set to itself");
  }

  private static Optional<String> checkClaimChange(
      String node, ObjectNode before, ObjectNode after) {
    var was = before.path("metadata");
    var is = after.path("metadata");
    boolean same = true;
    for (var field : List.of("labels", "annotations", "ownerReferences", "finalizers"))
      same &= was.path(field).equals(is.path(field));
    return same && others(before).equals(others(after))
        ? Optional.empty()
        : Optional.of(
            "node \"%s\" is not allowed to update fields other than status.quantity and status.conditions"
                .formatted(node));
  }

  /// What of a claim's status is not for nodes.
  private static ObjectNode others(ObjectNode claim) {
    var others = claim.objectNode();
    for (var field : claim.path("status").properties())
      if (!OF_CLAIMS.contains(field.getKey())) others.set(field.getKey(), field.getValue());
    return others;
  }

  private static Optional<String> checkNode(
      String node, String name, Optional<ObjectNode> before, ObjectNode after) {
    if (!name.equals(node))
      return Optional.of("node \"%s\" is not allowed to modify node \"%s\"".formatted(node, name));
    if (before.isPresent()
        && !before.get().path("spec").path("taints").equals(after.path("spec").path("taints")))
      return Optional.of("node \"%s\" is not allowed to modify taints".formatted(node));
    if (!owners(before).equals(owners(Optional.of(after))))
      return Optional.of("node \"%s\" is not allowed to modify ownerReferences".formatted(node));
    var forbidden = new TreeSet<String>();
    var was = labels(before.isPresent() ? before.get() : after.objectNode());
    var is = labels(after);
    for (var label : is.properties())
      if (!label.getValue().equals(was.path(label.getKey())) && isRestricted(label.getKey()))
        forbidden.add(label.getKey());
    for (var label : was.properties())
      if (!is.has(label.getKey()) && isRestricted(label.getKey())) forbidden.add(label.getKey());
    return forbidden.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "is not allowed to modify labels: %s".formatted(String.join(", ", forbidden)));
  }

  /// Whoever owns a node could have it collected.
  private static JsonNode owners(Optional<ObjectNode> object) {
    return object
        .<JsonNode>map(each -> each.path("metadata").path("ownerReferences"))
        .orElse(MissingNode.getInstance());
  }

  private static JsonNode labels(ObjectNode object) {
    return object.path("metadata").path("labels");
  }

  private static boolean isRestricted(String label) {
    int slash = label.indexOf('/');
    if (slash < 0 || OWN_LABELS.contains(label)) return false;
    var domain = label.substring(0, slash);
    if (OWN_DOMAINS.stream().anyMatch(own -> isWithin(domain, own))) return false;
    return isWithin(domain, "kubernetes.io") || isWithin(domain, "k8s.io");
  }

  private static boolean isWithin(String domain, String outer) {
    return domain.equals(outer) || domain.endsWith("." + outer);
  }

  /// Whether roles let a node have tokens for somebody whom no volume of its pods names.
  public interface Allowance {
    boolean of(Attributes wish);
  }

  /// Why a node may not have a token: it is for nobody on it, or for nobody whom that one talks to.
  ///
  /// @return empty: it may, or it is no node
  public static Optional<String> checkToken(
      User user, ObjectKey account, JsonNode request, State state, Allowance roles) {
    var node = node(user);
    if (node.isEmpty()) return Optional.empty();
    var spec = request.path("spec");
    var ref = spec.path("boundObjectRef");
    if (!Json.text(ref, "kind").equals("Pod"))
      return Optional.of("node requested token not bound to a pod");
    if (Json.text(ref, "uid").isEmpty())
      return Optional.of("node requested token with a pod binding without a uid");
    var pod = state.get(Resources.PODS, ObjectKey.of(account.namespace(), Json.text(ref, "name")));
    var here =
        pod.filter(found -> Json.text(found.object().path("spec"), "nodeName").equals(node.get()));
    if (here.isEmpty())
      return Optional.of("node requested token bound to a pod scheduled on a different node");
    if (spec.path("audiences").size() > 1)
      return Optional.of("node may only request 0 or 1 audiences");
    var audience = spec.path("audiences").path(0).asText();
    if (Audiences.areOf(here.get().object(), account.namespace(), audience, state)
        || roles.of(forAudience(account, audience))) return Optional.empty();
    return Optional.of(
        "audience \"%s\" not found in pod spec volume, %s is not authorized to request tokens for this audience"
            .formatted(audience, user.name()));
  }

  /// As upstream asks its authorizers: the audience stands where a resource does.
  private static Attributes forAudience(ObjectKey account, String audience) {
    return Attributes.of(
        "request-serviceaccounts-token-audience",
        "",
        audience,
        "",
        account.namespace(),
        account.name());
  }
}
