package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.tls.Identity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What somebody tries who may do everything in one namespace, by a role of stars there, and
/// nothing elsewhere (API-11): nothing of it changes or shows anything.
class HostileTenantTest {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient admin;
  private static HttpClient tenant;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    admin = new RestClient(server, HttpClient.Version.HTTP_1_1);
    var identity = new Identity("mallory", List.of("tenants"));
    tenant =
        HttpClient.newBuilder().sslContext(server.credentials().clientContext(identity)).build();
    for (var namespace : List.of("team", "other"))
      post("/api/v1/namespaces", "{metadata: {name: %s}}".formatted(namespace));
    post(
        RBAC + "namespaces/team/roles",
        "{metadata: {name: all}, rules: [{apiGroups: ['*'], resources: [configmaps, pods, secrets,"
            + " serviceaccounts, serviceaccounts/token, roles, rolebindings, pods/status,"
            + " pods/binding, nodes, persistentvolumes, clusterroles, clusterrolebindings,"
            + " customresourcedefinitions, tokenreviews, subjectaccessreviews, storageclasses],"
            + " verbs: [get, list, watch, create, update, patch, delete, deletecollection]}]}");
    bind("namespaces/team/rolebindings", "mallory", "Role", "all", "User", "mallory");
    bind("namespaces/team/rolebindings", "boss", "ClusterRole", "cluster-admin", "User", "boss");
    bind("clusterrolebindings", "lead", "ClusterRole", "view", "User", "lead");
    post("/api/v1/namespaces/other/configmaps", "{metadata: {name: theirs}, data: {a: b}}");
    post("/api/v1/namespaces/other/secrets", "{metadata: {name: theirs}, stringData: {a: b}}");
    post("/api/v1/namespaces/other/serviceaccounts", "{metadata: {name: robot}}");
    post("/api/v1/namespaces/team/serviceaccounts", "{metadata: {name: mine}}");
    post("/api/v1/namespaces/team/configmaps", "{metadata: {name: mine}}");
    post("/api/v1/nodes", "{metadata: {name: a}}");
    // What is made of others comes by itself.
    for (var role : List.of("admin", "edit", "view"))
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !admin.get(RBAC + "clusterroles/" + role).json().path("rules").isEmpty());
  }

  private static void bind(
      String path, String name, String kind, String role, String subject, String who)
      throws Exception {
    post(
        RBAC + path,
        """
        {metadata: {name: %s}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: %s},
          subjects: [{apiGroup: rbac.authorization.k8s.io, kind: %s, name: %s}]}
        """
            .formatted(name, kind, role, subject, who));
  }

  private static void post(String path, String yaml) throws Exception {
    var reply =
        admin.send("POST", path, World.yaml(yaml).toString(), "Content-Type", "application/json");
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    tenant.shutdownNow();
    admin.close();
    server.close();
  }

  private static HttpResponse<String> ask(
      String method, String path, @Nullable String body, String... headers) throws Exception {
    var type =
        switch (method) {
          case "APPLY" -> "application/apply-patch+yaml";
          case "PATCH" -> "application/merge-patch+json";
          default -> "application/json";
        };
    var text = body == null ? "" : World.yaml(body).toString();
    var url = URI.create(server.url().resolve("/").toString().replaceAll("/$", "") + path);
    var request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", type)
            .method(method.equals("APPLY") ? "PATCH" : method, BodyPublishers.ofString(text));
    if (headers.length > 0) request.headers(headers);
    return tenant.send(request.build(), BodyHandlers.ofString());
  }

  private static void goesNowhere(HttpResponse<String> reply, long before) {
    assertThat(reply.statusCode()).as(reply.body()).isBetween(400, 499);
    assertThat(reply.body()).doesNotContain("YQ==", "\"a\":\"b\"");
    assertThat(server.api().revision()).as(reply.body()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /api/v1/namespaces/other/secrets/theirs |
          GET    | /api/v1/secrets?fieldSelector=metadata.namespace%3Dteam |
          GET    | /api/v1/namespaces/team/../other/secrets/theirs |
          GET    | /api/v1/namespaces/team%2F..%2Fother/secrets/theirs |
          GET    | /api/v1/watch/namespaces/other/secrets |
          GET    | /api/v1/watch/secrets |
          POST   | /api/v1/namespaces/team/configmaps | {metadata: {name: x, namespace: other}}
          POST   | /api/v1/configmaps | {metadata: {name: x, namespace: team}}
          PUT    | /api/v1/namespaces/team/configmaps/theirs | {metadata: {name: theirs, namespace: other}}
          PATCH  | /api/v1/namespaces/team/configmaps/mine | {metadata: {namespace: other}}
          PATCH  | /api/v1/namespaces/team/configmaps/mine | {metadata: {name: theirs}}
          APPLY  | /api/v1/namespaces/team/configmaps/new?fieldManager=m | {apiVersion: v1, kind: ConfigMap, metadata: {name: new, namespace: other}}
          APPLY  | /api/v1/namespaces/team/configmaps/new?fieldManager=m | {apiVersion: v1, kind: Secret, metadata: {name: new}}
          DELETE | /api/v1/configmaps |
          DELETE | /api/v1/namespaces/other/configmaps |
          GET    | /api/v1/namespaces/team/nodes/a |
          GET    | /api/v1/namespaces/team/nodes |
          DELETE | /api/v1/namespaces/team/nodes/a |
          DELETE | /api/v1/namespaces/team/nodes |
          POST   | /api/v1/namespaces/team/nodes | {metadata: {name: x}}
          POST   | /api/v1/namespaces/team/persistentvolumes | {metadata: {name: x}, spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, hostPath: {path: /}}}
          POST   | /apis/storage.k8s.io/v1/namespaces/team/storageclasses | {metadata: {name: x}, provisioner: x}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/team/clusterroles | {metadata: {name: x}, rules: []}
          GET    | /apis/rbac.authorization.k8s.io/v1/namespaces/team/clusterroles/view |
          PATCH  | /apis/rbac.authorization.k8s.io/v1/namespaces/team/clusterroles/view | {metadata: {labels: {a: b}}}
          POST   | /apis/authentication.k8s.io/v1/namespaces/team/tokenreviews | {spec: {token: x}}
          POST   | /apis/authorization.k8s.io/v1/namespaces/team/subjectaccessreviews | {spec: {user: boss, resourceAttributes: {verb: get, resource: pods}}}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/team/roles | {metadata: {name: x}, rules: [{apiGroups: [''], resources: [pods/exec], verbs: [create]}]}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/team/roles | {metadata: {name: x}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/team/roles | {metadata: {name: x}, rules: [{apiGroups: ['*'], resources: ['*/status'], verbs: [get]}]}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/team/roles | {metadata: {name: x}, rules: [{apiGroups: [''], resources: [users], verbs: [impersonate]}]}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/team/roles | {metadata: {name: x}, rules: [{apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: [escalate]}]}
          PUT    | /apis/rbac.authorization.k8s.io/v1/namespaces/team/roles/x | {metadata: {name: x}, rules: [{apiGroups: [''], resources: [pods/exec], verbs: [create]}]}
          APPLY  | /apis/rbac.authorization.k8s.io/v1/namespaces/team/roles/x?fieldManager=m | {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: x}, rules: [{apiGroups: [''], resources: [pods/exec], verbs: [create]}]}
          PATCH  | /apis/rbac.authorization.k8s.io/v1/namespaces/team/roles/all | {rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}
          PATCH  | /apis/rbac.authorization.k8s.io/v1/namespaces/team/rolebindings/boss | {subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mallory}]}
          PATCH  | /apis/rbac.authorization.k8s.io/v1/namespaces/team/rolebindings/mallory | {roleRef: {kind: ClusterRole, name: cluster-admin}}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/team/rolebindings | {metadata: {name: x}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}, subjects: []}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/team/rolebindings | {metadata: {name: x}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: not-yet}, subjects: []}
          POST   | /apis/rbac.authorization.k8s.io/v1/namespaces/other/rolebindings | {metadata: {name: x}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: all}, subjects: []}
          POST   | /apis/rbac.authorization.k8s.io/v1/clusterrolebindings | {metadata: {name: x}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}, subjects: []}
          POST   | /api/v1/namespaces/other/serviceaccounts/robot/token | {spec: {}}
          POST   | /api/v1/namespaces/team/serviceaccounts/robot/token | {spec: {}}
          POST   | /api/v1/namespaces/team/serviceaccounts/mine/token | {metadata: {namespace: other, name: robot}, spec: {}}
          POST   | /api/v1/namespaces/team/serviceaccounts/mine/token | {spec: {boundObjectRef: {kind: Secret, apiVersion: v1, name: theirs}}}
          POST   | /api/v1/namespaces/team/pods | {metadata: {name: x}, spec: {serviceAccountName: ../other/robot, containers: [{name: c, image: i}]}}
          POST   | /api/v1/namespaces/team/pods/none/eviction | {metadata: {name: none}}
          PATCH  | /api/v1/namespaces/team | {metadata: {labels: {pod-security.kubernetes.io/enforce: privileged}}}
          PUT    | /api/v1/namespaces/team/finalize | {metadata: {name: team}, spec: {finalizers: []}}
          GET    | /berth/backup |
          POST   | /berth/backup |
          GET    | /metrics |
          """)
  void nothingComesOfIt(String method, String path, String body) throws Exception {
    long before = server.api().revision();
    goesNowhere(ask(method, path, body), before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Impersonate-User | boss | |
          Impersonate-User | system:serviceaccount:other:robot | |
          Impersonate-User | system:serviceaccount:team:mine | Impersonate-Group | system:masters
          Impersonate-User | system:node:a | Impersonate-Group | system:nodes
          Impersonate-User | mallory | Impersonate-Group | system:masters
          Impersonate-User | mallory | Impersonate-Uid | 1
          Impersonate-User | mallory | Impersonate-Extra-x | y
          Impersonate-User | system:anonymous | |
          Impersonate-Group | system:masters | |
          """)
  void nobodyElseSpeaks(String name, String value, String second, String more) throws Exception {
    var headers =
        second == null ? new String[] {name, value} : new String[] {name, value, second, more};
    var path = "/api/v1/namespaces/team/configmaps/mine";
    goesNowhere(ask("GET", path, null, headers), server.api().revision());
  }

  /// What it may do it can do: the rows above are refused for what they say.
  @Test
  void itsOwnIsItsOwn() throws Exception {
    assertThat(ask("GET", "/api/v1/namespaces/team/configmaps/mine", null).statusCode())
        .isEqualTo(200);
    var token = "/api/v1/namespaces/team/serviceaccounts/mine/token";
    assertThat(ask("POST", token, "{spec: {}}").statusCode()).isEqualTo(201);
  }
}
