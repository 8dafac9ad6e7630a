package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.tls.Identity;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What somebody tries who has a node's credential (API-12): nothing of it changes or shows
/// anything that is not that node's.
class HostileNodeTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String MIRROR =
      """
      {metadata: {name: %s, annotations: {kubernetes.io/config.mirror: h},
         ownerReferences: [{apiVersion: v1, kind: Node, name: a, uid: UID, controller: true}]},
       spec: {nodeName: a, containers: [{name: c, image: i}], volumes: [%s]}}
      """;

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient admin;
  private static HttpClient node;
  private static String uid = "";

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    admin = new RestClient(server, HttpClient.Version.HTTP_1_1);
    var identity = new Identity("system:node:a", List.of("system:nodes"));
    node = HttpClient.newBuilder().sslContext(server.credentials().clientContext(identity)).build();
    for (var name : List.of("a", "b")) {
      post("/api/v1/nodes", "{metadata: {name: %s}}".formatted(name));
      post(
          "/apis/resource.k8s.io/v1/resourceslices",
          "{metadata: {name: %1$s}, spec: {driver: d.example, nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: 1}}}"
              .formatted(name));
      post(
          PODS,
          """
          {metadata: {name: on-%1$s}, spec: {nodeName: %1$s, containers: [{name: c, image: i}],
            volumes: [{name: s, secret: {secretName: of-%1$s}}]}}
          """
              .formatted(name));
      post(
          "/api/v1/namespaces/default/secrets",
          "{metadata: {name: of-%s}, stringData: {a: b}}".formatted(name));
    }
    post("/api/v1/namespaces/default/serviceaccounts", "{metadata: {name: robot}}");
    uid = admin.get("/api/v1/nodes/a").json().at("/metadata/uid").asText();
  }

  private static void post(String path, String yaml) throws Exception {
    var reply =
        admin.send("POST", path, World.yaml(yaml).toString(), "Content-Type", "application/json");
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    node.shutdownNow();
    admin.close();
    server.close();
  }

  private static HttpResponse<String> ask(String method, String path, @Nullable String body)
      throws Exception {
    var type =
        switch (method) {
          case "APPLY" -> "application/apply-patch+yaml";
          case "PATCH" -> "application/merge-patch+json";
          default -> "application/json";
        };
    var text = body == null ? "" : World.yaml(body.replace("UID", uid)).toString();
    var request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .header("Content-Type", type)
            .method(method.equals("APPLY") ? "PATCH" : method, BodyPublishers.ofString(text))
            .build();
    return node.send(request, BodyHandlers.ofString());
  }

  private static void goesNowhere(HttpResponse<String> reply, long before) {
    assertThat(reply.statusCode()).as(reply.body()).isIn(400, 403, 404, 405, 422);
    assertThat(reply.body()).doesNotContain("YQ==", "Yg==");
    assertThat(server.api().revision()).as(reply.body()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /api/v1/namespaces/default/secrets/of-b |
          GET    | /api/v1/namespaces/default/secrets |
          GET    | /api/v1/pods |
          GET    | /api/v1/pods?watch=1&fieldSelector=spec.nodeName%3Db |
          GET    | /api/v1/namespaces/default/pods/on-b |
          GET    | /api/v1/nodes |
          DELETE | /api/v1/nodes/a |
          DELETE | /api/v1/nodes/b |
          PATCH  | /api/v1/nodes/b | {metadata: {labels: {x: y}}}
          PATCH  | /api/v1/nodes/a | {metadata: {labels: {node-restriction.kubernetes.io/x: y}}}
          PATCH  | /api/v1/nodes/a/status | {metadata: {labels: {node-role.kubernetes.io/control-plane: ''}}}
          PATCH  | /api/v1/nodes/a | {spec: {taints: [{key: k, effect: NoSchedule}]}}
          PATCH  | /api/v1/nodes/a | {metadata: {ownerReferences: [{apiVersion: v1, kind: Node, name: b, uid: x}]}}
          APPLY  | /api/v1/nodes/c?fieldManager=m | {apiVersion: v1, kind: Node, metadata: {name: c}}
          APPLY  | /apis/storage.k8s.io/v1/csinodes/b?fieldManager=m | {apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: b}, spec: {drivers: []}}
          POST   | /apis/storage.k8s.io/v1/csinodes | {metadata: {name: b}, spec: {drivers: []}}
          PUT    | /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/b | {metadata: {name: b}}
          POST   | /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases | {metadata: {name: b}}
          POST   | /apis/coordination.k8s.io/v1/namespaces/kube-system/leases | {metadata: {name: a}}
          PATCH  | /api/v1/namespaces/default/pods/on-b/status | {status: {phase: Failed}}
          PATCH  | /api/v1/namespaces/default/pods/on-a | {metadata: {labels: {x: y}}}
          PATCH  | /api/v1/namespaces/default/pods/on-a/status | {metadata: {labels: {x: y}}}
          PATCH  | /api/v1/namespaces/default/pods/on-a/status | {metadata: {finalizers: [a.b/c]}}
          PATCH  | /api/v1/namespaces/default/pods/on-a/status | {status: {resourceClaimStatuses: [{name: r, resourceClaimName: c}]}}
          DELETE | /api/v1/namespaces/default/pods/on-b |
          DELETE | /api/v1/namespaces/default/pods |
          DELETE | /api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3Da |
          POST   | /api/v1/namespaces/default/pods/on-b/eviction | {metadata: {name: on-b}}
          POST   | /api/v1/namespaces/default/pods/on-b/binding | {metadata: {name: on-b}, target: {kind: Node, name: a}}
          POST   | /api/v1/namespaces/default/pods | {metadata: {name: x}, spec: {nodeName: a, containers: [{name: c, image: i}]}}
          POST   | /api/v1/namespaces/default/serviceaccounts/robot/token | {spec: {}}
          POST   | /api/v1/namespaces/default/serviceaccounts/default/token | {spec: {}}
          POST   | /api/v1/namespaces/default/serviceaccounts/default/token | {spec: {boundObjectRef: {apiVersion: v1, kind: Pod, name: on-b, uid: x}}}
          POST   | /api/v1/namespaces/default/serviceaccounts/default/token | {spec: {boundObjectRef: {apiVersion: v1, kind: Node, name: a, uid: UID}}}
          GET    | /apis/resource.k8s.io/v1/resourceslices |
          GET    | /apis/resource.k8s.io/v1/resourceslices/b |
          DELETE | /apis/resource.k8s.io/v1/resourceslices |
          DELETE | /apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3Db |
          DELETE | /apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.driver%3Dd.example |
          PATCH  | /apis/resource.k8s.io/v1/resourceslices/a | {spec: {nodeName: b}}
          POST   | /apis/resource.k8s.io/v1/resourceslices | {metadata: {name: x}, spec: {driver: d.example, allNodes: true, pool: {name: x, generation: 1, resourceSliceCount: 1}}}
          POST   | /apis/rbac.authorization.k8s.io/v1/clusterrolebindings | {metadata: {name: x}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}, subjects: []}
          GET    | /metrics |
          """)
  void nothingComesOfIt(String method, String path, String body) throws Exception {
    goesNowhere(ask(method, path, body), server.api().revision());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {name: v, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}
          {name: v, persistentVolumeClaim: {claimName: c}}
          {name: v, secret: {secretName: of-b}}
          {name: v, configMap: {name: kube-root-ca.crt}}
          {name: v, csi: {driver: d.example}}
          {name: v, projected: {sources: [{secret: {name: of-b}}]}}
          """)
  void aMirrorPodNamesNothing(String volume) throws Exception {
    goesNowhere(ask("POST", PODS, MIRROR.formatted("hostile", volume)), server.api().revision());
  }

  /// What is its own it sees, and shows.
  @Test
  void itsOwnIsItsOwn() throws Exception {
    assertThat(ask("GET", "/api/v1/namespaces/default/secrets/of-a", null).statusCode())
        .isEqualTo(200);
    var mirror = ask("POST", PODS, MIRROR.formatted("own", "{name: h, hostPath: {path: /x}}"));
    assertThat(mirror.statusCode()).as(mirror.body()).isEqualTo(201);
    var own = "/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3Da";
    assertThat(ask("GET", own, null).statusCode()).isEqualTo(200);
    var token =
        "{spec: {boundObjectRef: {apiVersion: v1, kind: Pod, name: on-a, uid: %s}}}"
            .formatted(admin.get(PODS + "/on-a").json().at("/metadata/uid").asText());
    var made = ask("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", token);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
  }
}
