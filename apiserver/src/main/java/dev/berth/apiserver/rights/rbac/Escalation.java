package dev.berth.apiserver.rights.rbac;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Nobody gives what they do not have: whoever writes a role must hold each of its rules, or may
/// `escalate`; whoever writes a binding must hold the rules of its role, or may `bind` it.
public final class Escalation {
  private static final String GROUP = "rbac.authorization.k8s.io";

  /// Nobody needs a rule of more steps that is not held as a whole.
  private static final long MOST_STEPS = 10_000;

  private final Rbac rbac;

  public Escalation(Rbac rbac) {
    this.rbac = rbac;
  }

  /// Whether a kind is one of roles or bindings.
  public static boolean concerns(Resource resource) {
    return resource.group().equals(GROUP);
  }

  /// Why a role or a binding may not be written.
  ///
  /// @param object as it would be
  /// @param may whether the user may do something
  /// @return empty: it may
  public Optional<String> check(
      User user, Resource resource, ObjectNode object, Predicate<Attributes> may, State state) {
    var namespace = Json.text(object.path("metadata"), "namespace");
    var name = Json.text(object.path("metadata"), "name");
    boolean role = Set.of("Role", "ClusterRole").contains(resource.kind());
    if (role) {
      var escalate = Attributes.of("escalate", GROUP, resource.plural(), "", namespace, name);
      if (may.test(escalate)) return Optional.empty();
      var rules = Rule.ofRole(object);
      if (!object.path("aggregationRule").path("clusterRoleSelectors").isEmpty()
          && missing(user, Rule.EVERYTHING, "", state).isPresent())
        return Optional.of("must have cluster-admin privileges to use the aggregationRule");
      return missing(user, rules, namespace, state);
    }
    var referred = referred(object, namespace);
    var bind =
        Attributes.of(
            "bind",
            GROUP,
            referred.plural(),
            "",
            namespace,
            Json.text(object.path("roleRef"), "name"));
    if (may.test(bind)) return Optional.empty();
    var key =
        ObjectKey.of(
            referred.namespaced() ? namespace : "", Json.text(object.path("roleRef"), "name"));
    var found = state.get(referred, key);
    if (found.isEmpty())
      return Optional.of("%s.%s \"%s\" not found".formatted(referred.plural(), GROUP, key.name()));
    return missing(user, Rule.ofRole(found.get().object()), namespace, state);
  }

  private static Resource referred(ObjectNode binding, String namespace) {
    boolean local =
        !namespace.isEmpty() && Json.text(binding.path("roleRef"), "kind").equals("Role");
    return local ? StoredResources.ROLES : StoredResources.CLUSTER_ROLES;
  }

  private Optional<String> missing(User user, List<Rule> wanted, String namespace, State state) {
    var held = rbac.rules(user, namespace, state);
    var missing = new TreeSet<String>();
    for (var rule : wanted) if (!isHeld(rule, held)) missing.add(rule.toString());
    if (missing.isEmpty()) return Optional.empty();
    var groups =
        user.groups().stream().map(group -> "\"" + group + "\"").collect(Collectors.joining(" "));
    return Optional.of(
        "user \"%s\" (groups=[%s]) is attempting to grant RBAC permissions not currently held:\n%s"
            .formatted(user.name(), groups, String.join("\n", missing)));
  }

  private static boolean isHeld(Rule wanted, List<Rule> held) {
    if (held.stream().anyMatch(rule -> rule.covers(wanted))) return true;
    return wanted.size() <= MOST_STEPS
        && wanted.steps().stream()
            .allMatch(step -> held.stream().anyMatch(rule -> rule.covers(step)));
  }
}
