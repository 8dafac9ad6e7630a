package dev.berth.apiserver.core.kind.rbac;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.value.Json;

/// RoleBindings and ClusterRoleBindings (API-01): the role never changes, who has it may.
///
/// @param namespaced whether they bind in one namespace
record BindingRules(boolean namespaced) implements Rules {
  private static final String GROUP = "rbac.authorization.k8s.io";

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
  public void setDefaults(ObjectNode binding) {
    if (binding.get("roleRef") instanceof ObjectNode role)
      Trees.setDefault(role, "apiGroup", GROUP);
    for (var each : binding.path("subjects"))
      if (each instanceof ObjectNode subject && isPerson(Json.text(subject, "kind")))
        Trees.setDefault(subject, "apiGroup", GROUP);
  }

  private static boolean isPerson(String kind) {
    return kind.equals("User") || kind.equals("Group");
  }

  @Override
  public void check(Field binding) {
    var role = binding.at("roleRef");
    if (!role.at("apiGroup").is(GROUP)) role.at("apiGroup").notSupported(GROUP);
    var kinds = namespaced ? new String[] {"Role", "ClusterRole"} : new String[] {"ClusterRole"};
    if (!role.at("kind").isOneOf(kinds)) role.at("kind").notSupported(kinds);
    if (role.at("name").demand()) Names.PATH_SEGMENT.check(role.at("name"));
    binding.at("subjects").elements().forEach(this::checkSubject);
  }

  private void checkSubject(Field subject) {
    boolean named = subject.at("name").demand();
    var group = subject.at("apiGroup");
    switch (subject.at("kind").text()) {
      case "ServiceAccount" -> {
        if (named) Names.SUBDOMAIN.check(subject.at("name"));
        if (!group.isEmpty()) group.notSupported("");
        if (!namespaced) subject.at("namespace").demand();
      }
      case "User", "Group" -> {
        if (!group.is(GROUP)) group.notSupported(GROUP);
      }
      default -> subject.at("kind").notSupported("ServiceAccount", "User", "Group");
    }
  }

  @Override
  public void checkChange(Field binding, Field stored) {
    binding.at("roleRef").immutable(stored.at("roleRef"));
  }
}
