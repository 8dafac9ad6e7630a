package dev.berth.apiserver.rights.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.Server;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.StoredResources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-11: what roles and bindings give.
class RbacTest {
  private final Server server = new Server();
  private final Rbac rbac = new Rbac();

  @BeforeEach
  void prepare() throws Exception {
    server.create(
        StoredResources.CLUSTER_ROLES,
        """
        metadata: {name: reader}
        rules:
        - {verbs: [get, list], apiGroups: [""], resources: [pods, pods/log]}
        - {verbs: [get], apiGroups: [""], resources: [secrets], resourceNames: [mine]}
        - {verbs: ["*"], apiGroups: [storage.k8s.io], resources: ["*"]}
        - {verbs: [patch], apiGroups: ["*"], resources: ["*/status"]}
        - {verbs: [get], nonResourceURLs: [/metrics, /healthz/*]}
        """);
    binding("jane", "{kind: User, name: jane}");
    server.create(
        StoredResources.ROLE_BINDINGS,
        """
        metadata: {name: local}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
        subjects:
        - {kind: Group, name: dev}
        - {kind: ServiceAccount, name: web}
        """);
  }

  /// As a start does, in one thread.
  private void bootstrap() throws Exception {
    for (var write : Bootstrap.missing(server.state())) server.api().handle(write);
    Aggregation.bringUpToDate(server.api());
  }

  private void binding(String name, String subject) throws Exception {
    server.create(
        StoredResources.CLUSTER_ROLE_BINDINGS,
        """
        metadata: {name: %s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
        subjects: [%s]
        """
            .formatted(name, subject));
  }

  private static User user(String name, String... groups) {
    return User.authenticated(name, "", List.of(groups), Map.of());
  }

  private boolean may(User user, Attributes wish) {
    return rbac.decide(user, wish, server.state()).allowed();
  }

  @ParameterizedTest
  @CsvSource({
    "get, '', pods, '', web, true",
    "get, '', pods, log, web, true",
    "get, '', pods, exec, web, false",
    "delete, '', pods, '', web, false",
    "get, apps, pods, '', web, false",
    "get, '', secrets, '', mine, true",
    "get, '', secrets, '', other, false",
    "list, '', secrets, '', '', false",
    "deletecollection, storage.k8s.io, csinodes, '', '', true",
    "patch, storage.k8s.io, csinodes, status, x, true",
    "patch, apps, deployments, status, x, true",
    "patch, apps, deployments, '', x, false",
    "get, '', '*', '', '', false",
  })
  void rulesSayWhatIsAllowed(
      String verb, String group, String resource, String part, String name, boolean allowed) {
    var wish = Attributes.of(verb, group, resource, part, "default", name);
    assertThat(may(user("jane"), wish)).isEqualTo(allowed);
    assertThat(may(user("other"), wish)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "get, /metrics, true",
    "get, /metrics/x, false",
    "get, /healthz/ping, true",
    "post, /metrics, false",
    "get, /, false"
  })
  void pathsAreRightsToo(String verb, String path, boolean allowed) {
    assertThat(may(user("jane"), Attributes.ofPath(verb, path))).isEqualTo(allowed);
  }

  @Test
  void aLocalBindingGivesItsNamespaceOnly() {
    var account = User.account("default", "web", "", Map.of());
    for (var user : List.of(user("joe", "dev"), account)) {
      assertThat(may(user, Attributes.of("get", "", "pods", "", "default", "x"))).isTrue();
      assertThat(may(user, Attributes.of("get", "", "pods", "", "other", "x"))).isFalse();
      assertThat(may(user, Attributes.of("list", "", "pods", "", "", ""))).isFalse();
      assertThat(may(user, Attributes.ofPath("get", "/metrics"))).isFalse();
    }
    var elsewhere = User.account("other", "web", "", Map.of());
    assertThat(may(elsewhere, Attributes.of("get", "", "pods", "", "default", "x"))).isFalse();
  }

  @Test
  void whoIsGivenARightHasItWithTheNextRequest() throws Exception {
    var wish = Attributes.of("get", "", "pods", "", "default", "x");
    assertThat(may(user("new"), wish)).isFalse();
    binding("new", "{kind: User, name: new}");
    assertThat(may(user("new"), wish)).isTrue();
    server.delete(StoredResources.CLUSTER_ROLE_BINDINGS, ObjectKey.cluster("new"), 0);
    assertThat(may(user("new"), wish)).isFalse();
    server.delete(StoredResources.CLUSTER_ROLES, ObjectKey.cluster("reader"), 0);
    var decision = rbac.decide(user("jane"), wish, server.state());
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.reason())
        .isEqualTo("RBAC: clusterrole.rbac.authorization.k8s.io \"reader\" not found");
  }

  @Test
  void everyServerHasUpstreamsRoles() throws Exception {
    bootstrap();
    var scheduler = user("system:kube-scheduler");
    assertThat(may(scheduler, Attributes.of("create", "", "pods", "binding", "x", "p"))).isTrue();
    assertThat(may(scheduler, Attributes.of("get", "", "secrets", "", "x", "p"))).isFalse();
    var anybody = user("anybody");
    assertThat(may(anybody, Attributes.ofPath("get", "/openapi/v3"))).isTrue();
    assertThat(may(anybody, Attributes.ofPath("get", "/metrics"))).isFalse();
    var binder = User.account("kube-system", "persistent-volume-binder", "", Map.of());
    assertThat(may(binder, Attributes.of("update", "", "persistentvolumes", "", "", "p"))).isTrue();
    assertThat(Bootstrap.missing(server.state())).isEmpty();
  }

  @Test
  void aggregatedRolesAreMadeOfOthers() throws Exception {
    bootstrap();
    server.create(
        StoredResources.CLUSTER_ROLES,
        """
        metadata: {name: cakes, labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}}
        rules: [{verbs: [get], apiGroups: [bakery], resources: [cakes]}]
        """);
    Aggregation.bringUpToDate(server.api());
    for (var role : List.of("view", "edit", "admin"))
      assertThat(rules(role)).as(role).anyMatch(rule -> rule.resources().contains("cakes"));
    assertThat(rules("view")).noneMatch(rule -> rule.resources().contains("secrets"));
  }

  private List<Rule> rules(String role) {
    return Rule.ofRole(
        server
            .state()
            .get(StoredResources.CLUSTER_ROLES, ObjectKey.cluster(role))
            .orElseThrow()
            .object());
  }

  @Test
  void whatIsMissingComesBackUnlessSomebodySaysNo() throws Exception {
    bootstrap();
    change("system:basic-user", "");
    change(
        "system:kube-dns", "metadata: {annotations: {%s: 'false'}}".formatted(Policy.AUTO_UPDATE));
    assertThat(rules("system:basic-user")).isEmpty();
    bootstrap();
    assertThat(rules("system:basic-user")).isNotEmpty();
    assertThat(rules("system:kube-dns")).isEmpty();
  }

  /// Takes its rules away.
  private void change(String role, String changes) throws Exception {
    var key = ObjectKey.cluster(role);
    var object =
        server.state().get(StoredResources.CLUSTER_ROLES, key).orElseThrow().object().deepCopy();
    object.putArray("rules");
    if (!changes.isEmpty())
      object.withObject("/metadata").setAll((ObjectNode) Server.tree(changes).get("metadata"));
    server
        .api()
        .handle(new Request.Update(StoredResources.CLUSTER_ROLES, key, Request.Part.MAIN, object));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [{verbs: [get], apiGroups: [""], resources: [pods]}]                               |
          [{verbs: [get, list], apiGroups: [""], resources: [pods, pods/log]}]               |
          [{verbs: [get], apiGroups: [""], resources: [pods/log, secrets], resourceNames: [mine]}] |
          [{verbs: [get], apiGroups: [""], resources: [secrets]}]                            | {APIGroups:[""], Resources:["secrets"], Verbs:["get"]}
          [{verbs: ["*"], apiGroups: [""], resources: [pods]}]                               | {APIGroups:[""], Resources:["pods"], Verbs:["*"]}
          [{verbs: [delete], apiGroups: [storage.k8s.io], resources: [csinodes]}]            |
          [{verbs: [get], nonResourceURLs: [/healthz/ping]}]                                 |
          [{verbs: [get], nonResourceURLs: ["*"]}]                                           | {NonResourceURLs:["*"], Verbs:["get"]}
          """)
  void nobodyGivesWhatTheyDoNotHave(String rules, String missing) throws Exception {
    var role = Server.tree("{metadata: {name: x}, rules: " + rules + "}");
    var refused =
        new Escalation(rbac)
            .check(user("jane"), StoredResources.CLUSTER_ROLES, role, _ -> false, server.state());
    if (missing == null) assertThat(refused).isEmpty();
    else
      assertThat(refused)
          .contains(
              "user \"jane\" (groups=[\"system:authenticated\"]) is attempting to grant RBAC"
                  + " permissions not currently held:\n"
                  + missing);
    assertThat(
            new Escalation(rbac)
                .check(user("eve"), StoredResources.CLUSTER_ROLES, role, _ -> true, server.state()))
        .isEmpty();
  }

  @Test
  void nobodyBindsARoleWhoseRulesTheyLack() throws Exception {
    var binding =
        Server.tree(
            """
            metadata: {name: x}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
            subjects: [{kind: User, name: eve}]
            """);
    var escalation = new Escalation(rbac);
    var kind = StoredResources.CLUSTER_ROLE_BINDINGS;
    assertThat(escalation.check(user("jane"), kind, binding, _ -> false, server.state())).isEmpty();
    assertThat(escalation.check(user("eve"), kind, binding, _ -> false, server.state()))
        .isPresent();
    assertThat(
            escalation.check(
                user("eve"), kind, binding, wish -> wish.verb().equals("bind"), server.state()))
        .isEmpty();
  }

  @Test
  void aRoleOfMillionsOfStepsIsNotCounted() throws Exception {
    var rule = new StringBuilder("[{verbs: [get], apiGroups: [");
    for (int i = 0; i < 1000; i++) rule.append("g").append(i).append(", ");
    rule.append("x], resources: [");
    for (int i = 0; i < 1000; i++) rule.append("r").append(i).append(", ");
    rule.append("x], resourceNames: [");
    for (int i = 0; i < 1000; i++) rule.append("n").append(i).append(", ");
    var role = Server.tree("{metadata: {name: x}, rules: " + rule + "x]}]}");
    assertThat(
            new Escalation(rbac)
                .check(
                    user("jane"), StoredResources.CLUSTER_ROLES, role, _ -> false, server.state()))
        .isPresent();
  }
}
