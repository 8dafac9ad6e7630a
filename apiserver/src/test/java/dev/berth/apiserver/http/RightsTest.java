package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.tls.Identity;
import dev.berth.kube.value.Json;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Who may do what over HTTPS (API-11, API-12, API-28).
class RightsTest {
  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient admin;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    admin = new RestClient(server, HttpClient.Version.HTTP_2);
    post("/api/v1/nodes", "{'metadata':{'name':'a'}}");
    post("/api/v1/nodes", "{'metadata':{'name':'b'}}");
    post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        "{'metadata':{'name':'jane'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'ClusterRole','name':'view'},'subjects':[{'kind':'User','name':'jane'}]}");
  }

  @AfterAll
  static void stop() {
    admin.close();
    server.close();
  }

  private static JsonNode post(String path, String body) throws Exception {
    var reply = admin.send("POST", path, body.replace('\'', '"'));
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return reply.json();
  }

  /// Somebody with a certificate asks.
  private static HttpResponse<String> as(
      String user, String group, String method, String path, String body) throws Exception {
    var identity = new Identity(user, List.of(group));
    try (var client =
        HttpClient.newBuilder().sslContext(server.credentials().clientContext(identity)).build()) {
      var request =
          HttpRequest.newBuilder(server.url().resolve(path))
              .header(
                  "Content-Type",
                  method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
              .method(method, BodyPublishers.ofString(body.replace('\'', '"')))
              .build();
      return client.send(request, BodyHandlers.ofString());
    }
  }

  private static String message(HttpResponse<String> reply) throws Exception {
    return Json.text(new ObjectMapper().readTree(reply.body()), "message");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /api/v1/pods                            | 200 |
          GET    | /api/v1/namespaces/default/secrets/x    | 403 | secrets "x" is forbidden: User "jane" cannot get resource "secrets" in API group "" in the namespace "default"
          GET    | /api/v1/secrets                         | 403 | secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" at the cluster scope
          GET    | /api/v1/secrets?watch=1                 | 403 | secrets is forbidden: User "jane" cannot watch resource "secrets" in API group "" at the cluster scope
          DELETE | /api/v1/namespaces/default/pods         | 403 | pods is forbidden: User "jane" cannot deletecollection resource "pods" in API group "" in the namespace "default"
          PATCH  | /api/v1/nodes/a/status                  | 403 | nodes "a" is forbidden: User "jane" cannot patch resource "nodes/status" in API group "" at the cluster scope
          GET    | /apis/storage.k8s.io/v1/csinodes/a      | 403 | csinodes.storage.k8s.io "a" is forbidden: User "jane" cannot get resource "csinodes" in API group "storage.k8s.io" at the cluster scope
          GET    | /apis/nobody/v1/things                  | 403 | things.nobody is forbidden: User "jane" cannot list resource "things" in API group "nobody" at the cluster scope
          GET    | /metrics                                | 403 | forbidden: User "jane" cannot get path "/metrics"
          GET    | /apis                                   | 200 |
          GET    | /openapi/v3                             | 200 |
          """)
  void whatRolesDoNotGiveIsForbidden(String method, String path, int code, String text)
      throws Exception {
    var reply = as("jane", "dev", method, path, "");
    assertThat(reply.statusCode()).isEqualTo(code);
    if (text != null) assertThat(message(reply)).isEqualTo(text);
  }

  /// `view` may watch pods, and the path says watch whatever the method.
  @ParameterizedTest
  @CsvSource({
    "POST, /api/v1/watch/namespaces/default/pods",
    "PUT, /api/v1/watch/namespaces/default/pods/p",
    "PATCH, /api/v1/watch/namespaces/default/pods/p",
    "DELETE, /api/v1/watch/namespaces/default/pods/p",
    "DELETE, /api/v1/watch/namespaces/default/pods",
  })
  void whoMayWatchChangesNothing(String method, String path) throws Exception {
    assertThat(as("jane", "dev", method, path, "{'metadata':{'name':'p'}}").statusCode())
        .isEqualTo(405);
  }

  /// An escaped comma is part of a value, for who decides as for who selects.
  @Test
  void aFieldSelectorIsReadOnce() throws Exception {
    post(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
        "{'metadata':{'name':'allowed'},'rules':[{'apiGroups':[''],'resources':['configmaps'],"
            + "'verbs':['list'],'resourceNames':['allowed']}]}");
    post(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
        "{'metadata':{'name':'bob'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'Role','name':'allowed'},'subjects':[{'kind':'User','name':'bob'}]}");
    var path = "/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name";
    assertThat(as("bob", "dev", "GET", path + "%3Dallowed", "").statusCode()).isEqualTo(200);
    assertThat(as("bob", "dev", "GET", path + "!%3Dx%5C,metadata.name%3Dallowed", "").statusCode())
        .isEqualTo(403);
    var pods = "/api/v1/pods?fieldSelector=spec.nodeName";
    assertThat(node("GET", pods + "%3Da", "").statusCode()).isEqualTo(200);
    assertThat(node("GET", pods + "!%3Dx%5C,spec.nodeName%3Da", "").statusCode()).isEqualTo(403);
  }

  @Test
  void aNodeWritesItsOwnNode() throws Exception { // API-12
    var label = "{'metadata':{'labels':{'%s':'x'}}}";
    assertThat(node("PATCH", "/api/v1/nodes/a", label.formatted("team")).statusCode())
        .isEqualTo(200);
    var restricted = label.formatted("node-restriction.kubernetes.io/x");
    assertThat(message(node("PATCH", "/api/v1/nodes/a", restricted)))
        .isEqualTo(
            "nodes \"a\" is forbidden: is not allowed to modify labels:"
                + " node-restriction.kubernetes.io/x");
    assertThat(node("PATCH", "/api/v1/nodes/b", label.formatted("team")).statusCode())
        .isEqualTo(403);
    assertThat(node("POST", "/api/v1/nodes", "{'metadata':{'name':'c'}}").statusCode())
        .isEqualTo(403);
    var pod = "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}";
    assertThat(message(node("POST", "/api/v1/namespaces/default/pods", pod)))
        .contains("node \"a\" can only create mirror pods");
  }

  /// It is kept under another name than the one by which it is written to.
  @Test
  void aNodeChangesAnEventUnderItsNewerName() throws Exception {
    var events = "/apis/events.k8s.io/v1/namespaces/default/events";
    post(
        events,
        "{'metadata':{'name':'e'},'regarding':{'kind':'Pod','name':'p','namespace':'default'},"
            + "'eventTime':'2026-01-01T00:00:00.000000Z','reportingController':'kubelet',"
            + "'reportingInstance':'a','action':'Start','reason':'Started','type':'Normal'}");
    var series = "{'series':{'count':2,'lastObservedTime':'2026-01-01T00:00:01.000000Z'}}";
    assertThat(node("PATCH", events + "/e", series).statusCode()).isEqualTo(200);
  }

  private static HttpResponse<String> node(String method, String path, String body)
      throws Exception {
    return as("system:node:a", "system:nodes", method, path, body);
  }

  @Test
  void reviewsSayWhatIsAllowed() throws Exception {
    var asked = "{'spec':{'user':'jane','resourceAttributes':{'verb':'%s','resource':'pods'}}}";
    var path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    var yes = post(path, asked.formatted("list")).path("status");
    assertThat(yes.path("allowed").asBoolean()).isTrue();
    assertThat(Json.text(yes, "reason"))
        .isEqualTo("RBAC: allowed by ClusterRoleBinding \"jane\" of ClusterRole \"view\"");
    assertThat(post(path, asked.formatted("delete")).path("status").path("allowed").asBoolean())
        .isFalse();
    var self = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    var own = as("jane", "dev", "POST", self, asked.formatted("delete"));
    assertThat(own.body()).contains("\"allowed\":false");
    var local = "/apis/authorization.k8s.io/v1/namespaces/%s/localsubjectaccessreviews";
    var body =
        "{'spec':{'user':'jane','resourceAttributes':{'verb':'get','resource':'pods','namespace':'x'}}}";
    assertThat(post(local.formatted("x"), body).path("status").path("allowed").asBoolean())
        .isTrue();
    assertThat(admin.send("POST", local.formatted("y"), body.replace('\'', '"')).status())
        .isEqualTo(422);
    assertThat(as("jane", "dev", "POST", path, asked.formatted("get")).statusCode()).isEqualTo(403);
    var rules = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
    assertThat(as("jane", "dev", "POST", rules, "{'spec':{'namespace':'x'}}").body())
        .contains("\"configmaps\"")
        .doesNotContain("\"secrets\"");
  }

  @Test
  void reviewsSayWhoSomebodyIs() throws Exception {
    var path = "/apis/authentication.k8s.io/v1/tokenreviews";
    var good = post(path, "{'spec':{'token':'" + server.token() + "'}}").path("status");
    assertThat(good.path("authenticated").asBoolean()).isTrue();
    assertThat(Json.text(good.path("user"), "username")).isEqualTo("berth-admin");
    var bad = post(path, "{'spec':{'token':'wrong'}}").path("status");
    assertThat(bad.path("authenticated").asBoolean()).isFalse();
    assertThat(Json.text(bad, "error")).isEqualTo("invalid bearer token");
    var elsewhere = post(path, "{'spec':{'token':'" + server.token() + "','audiences':['vault']}}");
    assertThat(elsewhere.path("status").path("authenticated").asBoolean()).isFalse();
    var self = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    assertThat(as("jane", "dev", "POST", self, "{}").body())
        .contains("\"username\":\"jane\"")
        .contains("\"dev\",\"system:authenticated\"")
        .contains("X509SHA256=");
    assertThat(admin.get(self).status()).isEqualTo(405);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Impersonate-User=jane                                 | 201 | "username":"jane"
          Impersonate-User=system:serviceaccount:x:y            | 201 | "groups":["system:serviceaccounts","system:serviceaccounts:x","system:authenticated"]
          Impersonate-User=jane,Impersonate-Group=dev           | 201 | "groups":["dev","system:authenticated"]
          Impersonate-User=jane,Impersonate-Extra-Team%2Fx=a    | 201 | "extra":{"team/x":["a"]}
          Impersonate-User=jane,Impersonate-Uid=42              | 201 | "uid":"42"
          Impersonate-Group=dev                                 | 400 | without impersonating a user
          """)
  void theAdministratorSpeaksForOthers(String headers, int code, String text) throws Exception {
    var path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    var reply = admin.send("POST", path, "{}", headers.split("[=,]"));
    assertThat(reply.status()).as(reply.text()).isEqualTo(code);
    assertThat(reply.text()).contains(text);
  }

  @Test
  void nobodyElseSpeaksForOthers() throws Exception {
    var identity = new Identity("jane", List.of());
    try (var client =
        HttpClient.newBuilder().sslContext(server.credentials().clientContext(identity)).build()) {
      var request =
          HttpRequest.newBuilder(server.url().resolve("/api/v1/secrets"))
              .header("Impersonate-User", "berth-admin")
              .header("Impersonate-Group", "system:masters")
              .build();
      var reply = client.send(request, BodyHandlers.ofString());
      assertThat(message(reply))
          .isEqualTo(
              "users \"berth-admin\" is forbidden: User \"jane\" cannot impersonate resource"
                  + " \"users\" in API group \"\" at the cluster scope");
    }
  }

  @Test
  void discoveryHasTheReviews() throws Exception {
    assertThat(admin.get("/apis/authorization.k8s.io/v1").text())
        .contains("\"name\":\"selfsubjectaccessreviews\"")
        .contains("\"verbs\":[\"create\"]")
        .doesNotContain("\"list\"");
  }
}
