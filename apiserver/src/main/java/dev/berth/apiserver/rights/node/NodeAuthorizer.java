package dev.berth.apiserver.rights.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.Authorizer;
import dev.berth.apiserver.rights.Decision;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.rbac.Bootstrap;
import dev.berth.apiserver.rights.rbac.Rule;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What nodes may do: users named `system:node:<name>` in the group `system:nodes`. What is not
/// said here of a resource nobody but a role can give them.
public final class NodeAuthorizer implements Authorizer {
  private static final Decision YES = Decision.allowed("");

  /// Of whatever is not told apart by whose it is.
  private static final List<Rule> RULES = Bootstrap.rules("system:node");

  private static final Set<String> READ = Set.of("get", "list", "watch");

  /// Secrets of a volume that are for the node, and not for the controller.
  private static final List<String> NODE_SECRETS =
      List.of("nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef");

  private volatile Seen seen = new Seen(State.empty(), new IdentityHashMap<>(), Map.of());

  /// The pods of the state that was last asked about, by their nodes.
  private record Seen(
      State state, IdentityHashMap<Stored, PodNeeds> needs, Map<String, List<PodNeeds>> byNode) {}

  @Override
  public Decision decide(User user, Attributes wish, State state) {
    if (!user.isIn(User.NODES) || !user.name().startsWith(User.NODE_PREFIX))
      return Decision.NO_OPINION;
    var node = user.name().substring(User.NODE_PREFIX.length());
    if (node.isEmpty() || !wish.isResource()) return Decision.NO_OPINION;
    var resource = wish.group().isEmpty() ? wish.resource() : wish.group() + "/" + wish.resource();
    return switch (resource) {
      case "secrets" -> reading(wish, node, needs -> needs.secrets().contains(wish.name()), state);
      case "configmaps" ->
          reading(wish, node, needs -> needs.configMaps().contains(wish.name()), state);
      case "persistentvolumeclaims" -> claim(wish, node, state);
      case "persistentvolumes" -> volume(wish, node, state);
      case "storage.k8s.io/volumeattachments" -> attachment(wish, node, state);
      case "serviceaccounts" -> account(wish, node, state);
      case "coordination.k8s.io/leases" -> lease(wish, node);
      case "storage.k8s.io/csinodes" -> csiNode(wish, node);
      case "nodes" -> node(wish, node);
      case "pods" -> pods(wish, node, state);
      case "resource.k8s.io/resourceclaims" -> deviceClaim(wish, node, state);
      case "resource.k8s.io/resourceslices" -> deviceSlice(wish, node, state);
      default -> RULES.stream().anyMatch(rule -> rule.allows(wish)) ? YES : Decision.NO_OPINION;
    };
  }

  private interface Need {
    boolean isMet(PodNeeds needs);
  }

  private Decision reading(Attributes wish, String node, Need need, State state) {
    if (!READ.contains(wish.verb()) || !wish.subresource().isEmpty())
      return Decision.refused("can only read resources of this type");
    if (wish.namespace().isEmpty())
      return Decision.refused("can only read namespaced object of this type");
    if (wish.name().isEmpty()) return Decision.refused("No Object name found");
    if (isNeeded(wish.namespace(), node, need, state)) return YES;
    boolean byVolume = wish.resource().equals("secrets") && isVolumeSecret(wish, node, state);
    return byVolume ? YES : unrelated(node);
  }

  private static Decision unrelated(String node) {
    return Decision.refused(
        "no relationship found between node '%s' and this object".formatted(node));
  }

  private boolean isNeeded(String namespace, String node, Need need, State state) {
    return podsOn(node, state).stream()
        .anyMatch(needs -> needs.namespace().equals(namespace) && need.isMet(needs));
  }

  private boolean isVolumeSecret(Attributes wish, String node, State state) {
    for (var needs : podsOn(node, state))
      for (var claim : needs.claims()) {
        var volume = boundVolume(ObjectKey.of(needs.namespace(), claim), state);
        if (volume.isEmpty()) continue;
        var csi = volume.get().object().path("spec").path("csi");
        for (var field : NODE_SECRETS) if (names(csi.path(field), wish)) return true;
      }
    return false;
  }

  private Decision deviceClaim(Attributes wish, String node, State state) {
    if (!isGet(wish)) return Decision.refused("can only get individual resources of this type");
    return isNeeded(
            wish.namespace(), node, needs -> needs.deviceClaims().contains(wish.name()), state)
        ? YES
        : unrelated(node);
  }

  private static Decision deviceSlice(Attributes wish, String node, State state) {
    if (!wish.subresource().isEmpty())
      return Decision.refused("cannot authorize ResourceSlice subresources");
    return switch (wish.verb()) {
      case "create" -> YES; // what it says is looked at before it is written
      case "get", "update", "patch", "delete" ->
          state
              .get(StoredResources.DEVICE_SLICES, ObjectKey.cluster(wish.name()))
              .filter(found -> Json.text(found.object().path("spec"), "nodeName").equals(node))
              .map(_ -> YES)
              .orElseGet(() -> unrelated(node));
      default ->
          wish.node().equals(node)
              ? YES
              : Decision.refused(
                  "can only list/watch/deletecollection resourceslices with nodeName field"
                      + " selector");
    };
  }

  private static boolean names(JsonNode reference, Attributes wish) {
    return Json.text(reference, "name").equals(wish.name())
        && Json.text(reference, "namespace").equals(wish.namespace());
  }

  /// A claim may name any volume: its own is the one that names it too.
  static Optional<Stored> boundVolume(ObjectKey claim, State state) {
    return state
        .get(Resources.CLAIMS, claim)
        .flatMap(found ->
            state
                .get(
                    Resources.VOLUMES,
                    ObjectKey.cluster(Json.text(found.object().path("spec"), "volumeName")))
                .filter(volume -> isOf(volume.object().path("spec").path("claimRef"), found)));
  }

  private static boolean isOf(JsonNode claimRef, Stored claim) {
    var uid = Json.text(claimRef, "uid");
    return Json.text(claimRef, "namespace").equals(claim.key().namespace())
        && Json.text(claimRef, "name").equals(claim.key().name())
        && (uid.isEmpty() || uid.equals(claim.uid()));
  }

  private Decision claim(Attributes wish, String node, State state) {
    boolean status =
        wish.subresource().equals("status") && Set.of("update", "patch").contains(wish.verb());
    boolean itself = wish.subresource().isEmpty() && wish.verb().equals("get");
    if (!status && !itself)
      return Decision.refused("can only get individual resources of this type");
    return isNeeded(wish.namespace(), node, needs -> needs.claims().contains(wish.name()), state)
        ? YES
        : unrelated(node);
  }

  private Decision volume(Attributes wish, String node, State state) {
    if (!isGet(wish)) return Decision.refused("can only get individual resources of this type");
    for (var needs : podsOn(node, state))
      for (var claim : needs.claims())
        if (boundVolume(ObjectKey.of(needs.namespace(), claim), state)
            .filter(volume -> volume.key().name().equals(wish.name()))
            .isPresent()) return YES;
    return unrelated(node);
  }

  private static Decision attachment(Attributes wish, String node, State state) {
    if (!isGet(wish)) return Decision.refused("can only get individual resources of this type");
    return state
        .get(Resources.ATTACHMENTS, ObjectKey.cluster(wish.name()))
        .filter(found -> Json.text(found.object().path("spec"), "nodeName").equals(node))
        .map(_ -> YES)
        .orElseGet(() -> unrelated(node));
  }

  private static boolean isGet(Attributes wish) {
    return wish.verb().equals("get") && wish.subresource().isEmpty() && !wish.name().isEmpty();
  }

  private Decision account(Attributes wish, String node, State state) {
    boolean token = wish.subresource().equals("token") && wish.verb().equals("create");
    if (!token && !isGet(wish))
      return Decision.refused("can only create tokens for individual service accounts");
    return isNeeded(wish.namespace(), node, needs -> needs.account().equals(wish.name()), state)
        ? YES
        : unrelated(node);
  }

  private static Decision lease(Attributes wish, String node) {
    if (!Set.of("get", "create", "update", "patch", "delete").contains(wish.verb()))
      return Decision.refused("can only get, create, update, patch, or delete a node lease");
    if (!wish.namespace().equals("kube-node-lease"))
      return Decision.refused("can only access leases in the \"kube-node-lease\" system namespace");
    boolean own = wish.verb().equals("create") || wish.name().equals(node);
    return own
        ? YES
        : Decision.refused("can only access node lease with the same name as the requesting node");
  }

  private static Decision csiNode(Attributes wish, String node) {
    switch (wish.subresource()) {
      case "" -> {
        if (!Set.of("get", "create", "update", "patch", "delete").contains(wish.verb()))
          return Decision.refused("can only get, create, update, patch, or delete a CSINode");
      }
      case "status" -> {
        if (!Set.of("get", "update", "patch").contains(wish.verb()))
          return Decision.refused("can only get, update, or patch CSINode status");
      }
      default -> {
        return Decision.refused("cannot authorize CSINode subresources");
      }
    }
    boolean own = wish.verb().equals("create") || wish.name().equals(node);
    return own
        ? YES
        : Decision.refused("can only access CSINode with the same name as the requesting node");
  }

  /// Whoever may delete its own node could come back as another one.
  private static Decision node(Attributes wish, String node) {
    return switch (wish.verb()) {
      case "create" -> wish.subresource().isEmpty() ? YES : Decision.NO_OPINION;
      case "get", "list", "watch" ->
          wish.name().equals(node)
              ? YES
              : Decision.refused(
                  "node '%s' cannot read '%s', only its own Node object"
                      .formatted(node, wish.name()));
      case "update", "patch" ->
          wish.name().equals(node) && Set.of("", "status").contains(wish.subresource())
              ? YES
              : Decision.refused(
                  "node '%s' is not allowed to modify node '%s'".formatted(node, wish.name()));
      default -> Decision.NO_OPINION;
    };
  }

  private static Decision pods(Attributes wish, String node, State state) {
    boolean own =
        state
            .get(Resources.PODS, ObjectKey.of(wish.namespace(), wish.name()))
            .filter(pod -> Json.text(pod.object().path("spec"), "nodeName").equals(node))
            .isPresent();
    boolean allowed =
        switch (wish.subresource()) {
          case "" ->
              switch (wish.verb()) {
                case "create" -> true;
                case "get", "delete" -> own;
                case "list", "watch" -> own || wish.node().equals(node);
                default -> false;
              };
          case "status" -> own && Set.of("update", "patch").contains(wish.verb());
          case "eviction" -> own && wish.verb().equals("create");
          default -> false;
        };
    return allowed
        ? YES
        : Decision.refused(
            "can only list/watch pods with spec.nodeName field selector, and touch the node's own");
  }

  private List<PodNeeds> podsOn(String node, State state) {
    var last = seen;
    if (last.state() != state) {
      last =
          state.sameAs(last.state(), Resources.PODS)
              ? new Seen(state, last.needs(), last.byNode())
              : read(state, last);
      seen = last;
    }
    return last.byNode().getOrDefault(node, List.of());
  }

  /// Only pods that have changed are read.
  private static Seen read(State state, Seen last) {
    var needs = new IdentityHashMap<Stored, PodNeeds>();
    var byNode = new HashMap<String, List<PodNeeds>>();
    for (var pod : state.list(Resources.PODS)) {
      var known = last.needs().get(pod);
      var each = known == null ? PodNeeds.of(pod) : known;
      needs.put(pod, each);
      if (!each.node().isEmpty())
        byNode.computeIfAbsent(each.node(), _ -> new ArrayList<>()).add(each);
    }
    return new Seen(state, needs, byNode);
  }
}
