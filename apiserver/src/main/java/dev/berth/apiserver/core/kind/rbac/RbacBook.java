package dev.berth.apiserver.core.kind.rbac;

import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.util.Map;

/// The rules of each kind of `rbac.authorization.k8s.io`.
public final class RbacBook {
  public static final Map<Resource, Rules> RULES =
      Map.of(
          StoredResources.ROLES, new RoleRules(true),
          StoredResources.CLUSTER_ROLES, new RoleRules(false),
          StoredResources.ROLE_BINDINGS, new BindingRules(true),
          StoredResources.CLUSTER_ROLE_BINDINGS, new BindingRules(false));

  private RbacBook() {}
}
