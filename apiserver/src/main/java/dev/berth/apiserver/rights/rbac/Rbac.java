package dev.berth.apiserver.rights.rbac;

import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.Authorizer;
import dev.berth.apiserver.rights.Decision;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.util.ArrayList;
import java.util.List;

/// Rights by roles and bindings: whatever any binding of a user, or of one of its groups, gives.
public final class Rbac implements Authorizer {
  private static final List<Resource> KINDS =
      List.of(
          StoredResources.CLUSTER_ROLES,
          StoredResources.ROLES,
          StoredResources.CLUSTER_ROLE_BINDINGS,
          StoredResources.ROLE_BINDINGS);

  private volatile Seen seen = new Seen(State.empty(), Grants.NONE);

  /// The grants of the state that was last asked about.
  private record Seen(State state, Grants grants) {}

  @Override
  public Decision decide(User user, Attributes wish, State state) {
    var grants = grants(state);
    var missing = new ArrayList<String>();
    for (var grant : grants.of(user, wish.namespace())) {
      var rules = grants.rules(grant.role());
      if (rules.isEmpty()) missing.add(missing(grant.role()));
      for (var rule : rules.orElse(List.of()))
        if (rule.allows(wish)) return Decision.allowed("RBAC: allowed by " + grant.about());
    }
    if (missing.isEmpty()) return Decision.NO_OPINION;
    var text = missing.size() == 1 ? missing.getFirst() : missing.toString();
    return Decision.refused("RBAC: " + text);
  }

  private static String missing(String role) {
    int slash = role.indexOf('/');
    return "%s.rbac.authorization.k8s.io \"%s\" not found"
        .formatted(slash == 0 ? "clusterrole" : "role", role.substring(slash + 1));
  }

  /// All that a user may do in the whole cluster and, unless it is empty, in a namespace.
  public List<Rule> rules(User user, String namespace, State state) {
    var grants = grants(state);
    var rules = new ArrayList<Rule>();
    for (var grant : grants.of(user, namespace))
      rules.addAll(grants.rules(grant.role()).orElse(List.of()));
    return rules;
  }

  /// Read anew only if a role or a binding has changed.
  private Grants grants(State state) {
    var last = seen;
    if (last.state() == state) return last.grants();
    var grants = isSame(last.state(), state) ? last.grants() : last.grants().after(state);
    seen = new Seen(state, grants); // older states are not kept alive
    return grants;
  }

  private static boolean isSame(State before, State state) {
    for (var kind : KINDS) if (!state.sameAs(before, kind)) return false;
    return true;
  }
}
