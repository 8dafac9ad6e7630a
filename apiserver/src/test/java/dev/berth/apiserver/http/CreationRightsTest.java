package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-11: who may change objects makes none by that; both writes that make what is missing ask for
/// `create` too.
class CreationRightsTest {
  private static final String POLICIES =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

  @TempDir private Path home;
  private RunningServer server;
  private RestClient admin;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.in(home);
    admin = new RestClient(server, HttpClient.Version.HTTP_1_1);
    role("changes", "update, patch");
    role("makes", "update, patch, create");
  }

  @AfterEach
  void stop() {
    admin.close();
    server.close();
  }

  /// Gives the user of that name these verbs in all of the group `dev`'s kinds.
  private void role(String name, String verbs) throws Exception {
    var roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    post(
        roles,
        """
        {metadata: {name: %s}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: [%s]}]}
        """
            .formatted(name, verbs + ", escalate, bind"));
    post(
        roles.replace("roles", "rolebindings"),
        """
        {metadata: {name: %1$s}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s},
          subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %1$s}]}
        """
            .formatted(name));
  }

  private void post(String path, String yaml) throws Exception {
    var reply =
        admin.send("POST", path, World.yaml(yaml).toString(), "Content-Type", "application/json");
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
  }

  /// Makes every write of ConfigMaps go by those who have a say in it.
  private void havePolicy() throws Exception {
    post(
        POLICIES,
        """
        {metadata: {name: p}, spec: {validations: [{expression: 'true'}], matchConstraints: {resourceRules:
          [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]}}}
        """);
    post(
        POLICIES.replace("policies", "policybindings"),
        "{metadata: {name: b}, spec: {policyName: p, validationActions: [Deny]}}");
  }

  private RestClient.Reply as(String user, String method, String path, String yaml)
      throws Exception {
    var type = method.equals("PATCH") ? "application/apply-patch+yaml" : "application/json";
    return admin.send(
        method, path, World.yaml(yaml).toString(), "Content-Type", type, "Impersonate-User", user);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PATCH | /api/v1/namespaces/default/configmaps/new                          | {apiVersion: v1, kind: ConfigMap, metadata: {name: new}}
          PATCH | /api/v1/namespaces/default/pods/new                                | {apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: c, image: i}]}}
          PATCH | /api/v1/namespaces/new                                             | {apiVersion: v1, kind: Namespace, metadata: {name: new}}
          PUT   | /apis/coordination.k8s.io/v1/namespaces/default/leases/new         | {metadata: {name: new}}
          PUT   | /apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/new    | {metadata: {name: new}, rules: []}
          PUT   | /apis/node.k8s.io/v1/runtimeclasses/new                            | {metadata: {name: new}, handler: runc}
          PUT   | /api/v1/namespaces/default/events/new                              | {metadata: {name: new, namespace: default}, involvedObject: {kind: Pod, namespace: default, name: p}}
          """)
  void whoMayChangeMakesNothing(String method, String path, String object) throws Exception {
    for (boolean policy : new boolean[] {false, true}) {
      if (policy) havePolicy();
      for (var dryRun : List.of("", "&dryRun=All")) {
        var refused = as("changes", method, path + "?fieldManager=me" + dryRun, object);
        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
        assertThat(refused.json().path("message").asText())
            .contains("User \"changes\" cannot create resource");
      }
      assertThat(admin.get(path).status()).isEqualTo(404);
    }
    var made = as("makes", method, path + "?fieldManager=me", object);
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    var again = method.equals("PATCH") ? object : made.text();
    var changed = as("changes", method, path + "?fieldManager=me", again);
    assertThat(changed.status()).as(changed.text()).isEqualTo(200);
  }
}
