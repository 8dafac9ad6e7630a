package dev.berth.apiserver.core.kind.rbac;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.Selectors;

/// Roles and ClusterRoles (API-01).
///
/// @param namespaced whether they are those of one namespace
record RoleRules(boolean namespaced) implements Rules {
  @Override
  public Names names() {
    return Names.PATH_SEGMENT;
  }

  @Override
  public boolean createdByUpdate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void check(Field role) {
    role.at("rules").elements().forEach(this::checkRule);
    var aggregation = role.at("aggregationRule");
    if (namespaced || !aggregation.isSet()) return;
    var selectors = aggregation.at("clusterRoleSelectors");
    if (selectors.isEmpty())
      selectors.required("at least one clusterRoleSelector required if aggregationRule is non-nil");
    selectors.elements().forEach(Selectors::check);
  }

  private void checkRule(Field rule) {
    if (rule.at("verbs").isEmpty())
      rule.at("verbs").required("verbs must contain at least one value");
    var urls = rule.at("nonResourceURLs");
    if (urls.isEmpty()) {
      if (rule.at("apiGroups").isEmpty())
        rule.at("apiGroups").required("resource rules must supply at least one api group");
      if (rule.at("resources").isEmpty())
        rule.at("resources").required("resource rules must supply at least one resource");
      return;
    }
    if (namespaced) urls.invalid("namespaced rules cannot apply to non-resource URLs");
    for (var field : new String[] {"apiGroups", "resources", "resourceNames"}) {
      if (rule.at(field).isEmpty()) continue;
      urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
      return;
    }
  }
}
