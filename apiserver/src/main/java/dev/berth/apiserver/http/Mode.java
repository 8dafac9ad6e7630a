package dev.berth.apiserver.http;

import dev.berth.apiserver.rights.Authorizer;
import dev.berth.apiserver.rights.node.NodeAuthorizer;
import dev.berth.apiserver.rights.rbac.Rbac;

/// Who may do what (API-11).
public enum Mode {
  /// What roles and bindings give, and what a node needs for its pods.
  RBAC("RBAC"),
  /// Whoever has shown a credential may do everything.
  ALWAYS_ALLOW("AlwaysAllow");

  private final String word;

  Mode(String word) {
    this.word = word;
  }

  /// As kube-apiserver's option has it.
  public String word() {
    return word;
  }

  Authorizer authorizer(Rbac rbac) {
    return this == RBAC ? Authorizer.anyOf(new NodeAuthorizer(), rbac) : Authorizer.ALWAYS;
  }
}
