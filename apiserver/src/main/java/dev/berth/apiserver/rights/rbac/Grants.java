package dev.berth.apiserver.rights.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// All roles and bindings of one state, by whom they are for. Immutable; what has not changed since
/// the state before is not read again.
final class Grants {
  static final Grants NONE = new Grants(Map.of(), Map.of());

  private static final Resource[] ROLES = {StoredResources.CLUSTER_ROLES, StoredResources.ROLES};
  private static final Resource[] BINDINGS = {
    StoredResources.CLUSTER_ROLE_BINDINGS, StoredResources.ROLE_BINDINGS
  };

  private final Map<Stored, List<Rule>> rulesOf;
  private final Map<Stored, Binding> bindingOf;

  /// By `namespace/name`; cluster roles under the empty namespace.
  private final Map<String, List<Rule>> roles = new HashMap<>();

  /// By namespace, empty for the whole cluster, and then by subject.
  private final Map<String, Map<Subject, List<Grant>>> grants = new HashMap<>();

  private Grants(Map<Stored, List<Rule>> rulesOf, Map<Stored, Binding> bindingOf) {
    this.rulesOf = rulesOf;
    this.bindingOf = bindingOf;
  }

  /// Whom a binding is for: a user by name, service accounts too, or a group.
  private record Subject(String kind, String name) {
    static Subject user(String name) {
      return new Subject("User", name);
    }

    static Subject group(String name) {
      return new Subject("Group", name);
    }
  }

  /// What a binding gives.
  ///
  /// @param about the binding and the role, for who asks why
  record Grant(String role, String about) {}

  private record Binding(String namespace, List<Subject> subjects, Grant grant) {}

  /// Those of `state`.
  Grants after(State state) {
    var next = new Grants(new HashMap<>(), new HashMap<>());
    for (var resource : ROLES)
      for (var role : state.list(resource)) next.addRole(role, rulesOf.get(role));
    for (var resource : BINDINGS)
      for (var binding : state.list(resource)) next.addBinding(binding, bindingOf.get(binding));
    return next;
  }

  private void addRole(Stored role, @Nullable List<Rule> known) {
    var rules = known == null ? Rule.ofRole(role.object()) : known;
    rulesOf.put(role, rules);
    roles.put(role.key().namespace() + "/" + role.key().name(), rules);
  }

  private void addBinding(Stored stored, @Nullable Binding known) {
    var binding = known == null ? read(stored) : known;
    bindingOf.put(stored, binding);
    var within = grants.computeIfAbsent(binding.namespace(), _ -> new HashMap<>());
    for (var subject : binding.subjects())
      within.computeIfAbsent(subject, _ -> new ArrayList<>()).add(binding.grant());
  }

  private static Binding read(Stored stored) {
    var object = stored.object();
    var namespace = stored.key().namespace();
    var kind = Json.text(object.path("roleRef"), "kind");
    var name = Json.text(object.path("roleRef"), "name");
    var subjects = new ArrayList<Subject>();
    for (var each : object.path("subjects")) subject(each, namespace).ifPresent(subjects::add);
    var about =
        namespace.isEmpty()
            ? "ClusterRoleBinding \"%s\" of %s \"%s\"".formatted(stored.key().name(), kind, name)
            : "RoleBinding \"%s/%s\" of %s \"%s\""
                .formatted(stored.key().name(), namespace, kind, name);
    var role = (kind.equals("Role") ? namespace : "") + "/" + name;
    return new Binding(namespace, subjects.stream().distinct().toList(), new Grant(role, about));
  }

  private static Optional<Subject> subject(JsonNode subject, String bindingNamespace) {
    var name = Json.text(subject, "name");
    return switch (Json.text(subject, "kind")) {
      case "User" -> Optional.of(Subject.user(name));
      case "Group" -> Optional.of(Subject.group(name));
      case "ServiceAccount" -> {
        var named = Json.text(subject, "namespace");
        var namespace = named.isEmpty() ? bindingNamespace : named;
        yield Optional.of(Subject.user(User.accountName(namespace, name)));
      }
      default -> Optional.empty();
    };
  }

  /// What a user is given in the whole cluster and, unless it is empty, in a namespace.
  List<Grant> of(User user, String namespace) {
    var all = new ArrayList<Grant>();
    collect(user, grants.getOrDefault("", Map.of()), all);
    if (!namespace.isEmpty()) collect(user, grants.getOrDefault(namespace, Map.of()), all);
    return all;
  }

  private static void collect(User user, Map<Subject, List<Grant>> from, List<Grant> to) {
    to.addAll(from.getOrDefault(Subject.user(user.name()), List.of()));
    for (var group : user.groups()) to.addAll(from.getOrDefault(Subject.group(group), List.of()));
  }

  /// The rules of a role.
  ///
  /// @param role as a grant names it
  /// @return empty: there is no such role
  Optional<List<Rule>> rules(String role) {
    return Optional.ofNullable(roles.get(role));
  }
}
