package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.StoredResources.CLUSTER_ROLES;
import static dev.berth.kube.object.StoredResources.CLUSTER_ROLE_BINDINGS;
import static dev.berth.kube.object.StoredResources.ROLES;
import static dev.berth.kube.object.StoredResources.ROLE_BINDINGS;

import dev.berth.apiserver.core.message.Answer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class RbacRulesTest {
  private static final String ROLE =
      "{metadata: {name: r, namespace: default}, rules: [{verbs: [get], apiGroups: [''],"
          + " resources: [pods]}]}";
  private static final String BINDING =
      "{metadata: {name: b, namespace: default}, roleRef: {kind: Role, name: r}, subjects: [{kind:"
          + " User, name: ada}, {kind: ServiceAccount, name: sa, namespace: default}]}";

  static final List<CoreRule> rules =
      List.of(
          rule("API-01", "a role may be named with colons")
              .when(
                  world -> world.create(CLUSTER_ROLES, "{metadata: {name: 'system:x'}, rules: []}"))
              .shows("{metadata: {name: 'system:x'}}"),
          rule("API-01", "a name that is no part of a path is refused")
              .when(world -> world.create(CLUSTER_ROLES, "{metadata: {name: a/b}}"))
              .invalid("metadata.name: Invalid value: \"a/b\": may not be '.' or '..'"),
          rule("API-01", "a rule says which verbs, groups and resources")
              .when(world ->
                  world.create(ROLES, "{metadata: {name: r, namespace: default}, rules: [{}]}"))
              .invalid(
                  "rules[0].verbs: Required value: verbs must contain at least one value",
                  "rules[0].apiGroups: Required value: resource rules must supply at least one api"
                      + " group",
                  "rules[0].resources: Required value: resource rules must supply at least one"
                      + " resource"),
          rule("API-01", "a namespace has no paths")
              .when(world ->
                  world.create(
                      ROLES,
                      "{metadata: {name: r, namespace: default}, rules: [{verbs: [get],"
                          + " nonResourceURLs: [/healthz]}]}"))
              .invalid("namespaced rules cannot apply to non-resource URLs"),
          rule("API-01", "a path is no resource")
              .when(world ->
                  world.create(
                      CLUSTER_ROLES,
                      "{metadata: {name: r}, rules: [{verbs: [get], resources: [pods],"
                          + " nonResourceURLs: [/healthz]}]}"))
              .invalid("rules cannot apply to both regular resources and non-resource URLs"),
          rule("API-01", "what aggregates selects something by labels that can be")
              .when(world ->
                  world.create(
                      CLUSTER_ROLES,
                      "{metadata: {name: r}, aggregationRule: {clusterRoleSelectors:"
                          + " [{matchLabels: {a: '!'}}, {matchExpressions: [{key: a, operator:"
                          + " In}]}]}}"))
              .invalid(
                  "matchLabels[a]: Invalid value: \"!\"",
                  "must be specified when `operator` is 'In' or 'NotIn'"),
          rule("API-01", "what aggregates has at least one selector")
              .when(world ->
                  world.create(CLUSTER_ROLES, "{metadata: {name: r}, aggregationRule: {}}"))
              .invalid("at least one clusterRoleSelector required"),
          rule("API-01", "groups are filled in")
              .when(world -> world.create(ROLE_BINDINGS, BINDING))
              .shows(
                  "{roleRef: {apiGroup: rbac.authorization.k8s.io}, subjects: [{kind: User, name:"
                      + " ada, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name:"
                      + " sa, namespace: default}]}"),
          rule("API-01", "the cluster's binding wants a cluster's role and a program's namespace")
              .when(world ->
                  world.create(
                      CLUSTER_ROLE_BINDINGS,
                      "{metadata: {name: b}, roleRef: {kind: Role, name: r}, subjects: [{kind:"
                          + " ServiceAccount, name: sa}, {kind: Robot, name: x}, {kind: User}]}"))
              .invalid(
                  "roleRef.kind: Unsupported value: \"Role\": supported values: \"ClusterRole\"",
                  "subjects[0].namespace: Required value",
                  "subjects[1].kind: Unsupported value: \"Robot\"",
                  "subjects[2].name: Required value"),
          rule("API-01", "a binding keeps its role")
              .given(world -> world.with(ROLE_BINDINGS, BINDING))
              .when(world -> world.merge(ROLE_BINDINGS, "default/b", "{roleRef: {name: other}}"))
              .invalid("roleRef: Invalid value"),
          rule("API-70", "a PUT creates a role")
              .when(world -> world.update(ROLES, ROLE))
              .then(answer -> isCreated(answer)),
          rule("API-86", "a role goes without being shown")
              .given(world -> world.with(ROLES, ROLE))
              .when(world -> world.delete(ROLES, "default/r"))
              .shows(
                  "{kind: Status, status: Success, details: {name: r, group:"
                      + " rbac.authorization.k8s.io, kind: roles}}"));

  private static void isCreated(Answer answer) {
    if (!(answer instanceof Answer.Created)) throw new AssertionError(answer.toString());
  }

  @ParameterizedTest
  @FieldSource("rules")
  void holds(CoreRule rule) {
    rule.check();
  }
}
