package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random requests, made of what hurts: none is answered 500, and writes go on. To try more:
/// `-Dberth.requests=100000`.
@Timeout(600)
class RandomRequestsTest {
  private static final int REQUESTS = Integer.getInteger("berth.requests", 1_000);
  private static final String NAMESPACES = "/api/v1/namespaces";

  private static final List<String> KINDS =
      List.of(
          "/api/v1/namespaces/default/pods",
          "/api/v1/namespaces/default/persistentvolumeclaims",
          "/api/v1/namespaces/default/configmaps",
          "/api/v1/namespaces/default/secrets",
          "/api/v1/namespaces/default/events",
          "/apis/coordination.k8s.io/v1/namespaces/default/leases",
          "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities",
          "/apis/storage.k8s.io/v1/storageclasses",
          "/apis/storage.k8s.io/v1/volumeattachments",
          "/apis/storage.k8s.io/v1/csinodes",
          "/apis/storage.k8s.io/v1/csidrivers",
          "/apis/storage.k8s.io/v1/volumeattributesclasses",
          "/api/v1/persistentvolumes",
          "/api/v1/nodes",
          NAMESPACES,
          "/openapi/v2",
          "/openapi/v3/api/v1",
          "/apis");

  private static final List<String> PARTS =
      List.of(
          "",
          "/a",
          "/a",
          "/a",
          "/a/status",
          "/a/log",
          "/a/binding",
          "/a/eviction",
          "/a/finalize",
          "/a/exec",
          "/%00",
          "/%2F",
          "/..%2f",
          "/a/%ff",
          "/a;b=c",
          "//",
          "/.",
          "/a/scale");

  private static final List<String> PARAMETERS =
      List.of(
          "limit",
          "continue",
          "resourceVersion",
          "resourceVersionMatch",
          "labelSelector",
          "fieldSelector",
          "timeoutSeconds",
          "watch",
          "sendInitialEvents",
          "allowWatchBookmarks",
          "dryRun",
          "fieldValidation",
          "fieldManager",
          "pretty",
          "includeObject",
          "follow",
          "tailLines",
          "sinceSeconds",
          "sinceTime",
          "limitBytes",
          "timestamps",
          "container",
          "previous",
          "gracePeriodSeconds",
          "propagationPolicy",
          "orphanDependents",
          "hash",
          "verbose",
          "force");

  private static final List<String> WORDS =
      List.of(
          "",
          "0",
          "1",
          "-1",
          "9223372036854775807",
          "-9223372036854775808",
          "99999999999999999999",
          "1e9",
          "NaN",
          "abc",
          "%00",
          "%zz",
          "%",
          "%ff%fe",
          "%F0%9F%92%A5",
          "true",
          "False",
          "All",
          "Strict",
          "Ignore",
          "Exact",
          "NotOlderThan",
          "Background",
          "Orphan",
          "a%3Db",
          "a%20in%20(",
          "!%3D",
          "metadata.name%3Da",
          "spec.nodeName%3D",
          "eyJ9",
          "2026-01-01T00:00:00Z",
          "-999999999-01-01T00:00:00Z",
          "a".repeat(5000));

  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/json",
          "application/yaml",
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml",
          "application/vnd.kubernetes.protobuf",
          ";;;",
          "text/plain; charset=nonsense");

  private static final List<String> ACCEPTS =
      List.of(
          "*/*",
          "application/json",
          "application/yaml",
          "application/json;as=Table;v=v1;g=meta.k8s.io",
          "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
          "a/b;q=NaN,*/*;q=-1",
          ",,;;==",
          "application/json;q=1e999",
          "text/html");

  private static final List<String> FIELDS =
      List.of(
          "metadata",
          "name",
          "generateName",
          "namespace",
          "labels",
          "annotations",
          "finalizers",
          "ownerReferences",
          "resourceVersion",
          "uid",
          "deletionTimestamp",
          "creationTimestamp",
          "deletionGracePeriodSeconds",
          "generation",
          "spec",
          "status",
          "data",
          "binaryData",
          "stringData",
          "kind",
          "apiVersion",
          "containers",
          "volumes",
          "image",
          "resources",
          "requests",
          "limits",
          "storage",
          "cpu",
          "accessModes",
          "capacity",
          "csi",
          "driver",
          "drivers",
          "provisioner",
          "parameters",
          "attacher",
          "source",
          "nodeName",
          "target",
          "conditions",
          "type",
          "phase",
          "items",
          "path",
          "volumeMounts",
          "mountPath",
          "env",
          "gracePeriodSeconds",
          "preconditions",
          "deleteOptions",
          "propagationPolicy",
          "$patch",
          "$retainKeys",
          "$setElementOrder/containers",
          "$deleteFromPrimitiveList/finalizers",
          "a",
          "op",
          "value",
          "from",
          "terminationGracePeriodSeconds",
          "tolerations",
          "nodeAffinity",
          "allowedTopologies",
          "holderIdentity",
          "renewTime",
          "eventTime",
          "series",
          "count",
          "secret",
          "configMap",
          "projected",
          "sources",
          "claimName",
          "persistentVolumeClaim",
          "schedulingGates",
          "topologyKeys",
          "allocatable",
          "tokenRequests",
          "expirationSeconds");

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1",
          "9223372036854775807",
          "1e400",
          "1e-400",
          "0.5",
          "100000000000000000000000000000000000000",
          "\"\"",
          "\"a\"",
          "\"a\"",
          "\"1Gi\"",
          "\"-1\"",
          "\"1e999999999\"",
          "\"0.000000000000000000000001\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"default\"",
          "\"../x\"",
          "\"2026-01-01T00:00:00Z\"",
          "\"+1000000000-01-01T00:00:00Z\"",
          "\"replace\"",
          "\"delete\"",
          "\"merge\"",
          "\"x/y\"",
          "\"orphan\"",
          "\"Bound\"",
          "\"ReadWriteOnce\"",
          "[]",
          "{}",
          "\"" + "a.".repeat(3000) + "\"");

  private static final List<String> POINTERS =
      List.of(
          "",
          "/",
          "/metadata",
          "/metadata/name",
          "/metadata/labels",
          "/metadata/labels/a",
          "/metadata/annotations/~0~1",
          "/metadata/finalizers/-",
          "/metadata/finalizers/0",
          "/metadata/finalizers/99999999999",
          "/spec",
          "/spec/containers/0",
          "/spec/containers/-",
          "/spec/nodeName",
          "/status",
          "/status/conditions/-",
          "/data/x",
          "/x",
          "/x/x",
          "x",
          "/~",
          "/spec/volumes/0/name");

  @TempDir private Path home;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void noneIsOurFailure(long seed) throws Exception {
    var random = new Random(seed);
    try (var server = RunningServer.onDisk(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_1_1)) {
      for (int i = 0; i < REQUESTS; i++) {
        var one = new Requests(random).next();
        int status = status(client, one);
        assertThat(status).as("seed %d, request %d: %s", seed, i, one).isLessThan(500);
        if (i % 50 == 0) checkWrites(client, seed + "-" + i, one);
      }
    }
  }

  private static void checkWrites(RestClient client, String name, One after) throws Exception {
    var path = "/api/v1/namespaces/kube-system/configmaps";
    var body = "{\"metadata\":{\"name\":\"next-%s\"}}".formatted(name);
    var next = new One("POST", path, "application/json", "*/*", body);
    assertThat(status(client, next)).as("after " + after).isEqualTo(201);
  }

  /// @return 0: the client does not send it
  private static int status(RestClient client, One one) throws Exception {
    try {
      var request =
          client
              .request(one.path, "Content-Type", one.type, "Accept", one.accept)
              .timeout(Duration.ofSeconds(20))
              .method(one.method, HttpRequest.BodyPublishers.ofString(one.body))
              .build();
      return status(client, request);
    } catch (IllegalArgumentException noUri) {
      return 0;
    } catch (IOException broken) {
      throw new AssertionError("no whole answer to " + one, broken);
    }
  }

  /// Of a watch, which goes on, only the beginning is read.
  private static int status(RestClient client, HttpRequest request) throws Exception {
    var reply = client.client().send(request, BodyHandlers.ofInputStream());
    try (var body = reply.body()) {
      boolean watch = request.uri().toString().contains("watch") && reply.statusCode() == 200;
      if (!watch) body.transferTo(OutputStream.nullOutputStream());
      return reply.statusCode();
    }
  }

  /// One request.
  private record One(String method, String path, String type, String accept, String body) {}

  /// Makes up requests.
  private record Requests(Random random) {
    One next() {
      var method = any(List.of("GET", "POST", "POST", "PUT", "PATCH", "PATCH", "PATCH", "DELETE"));
      var type = method.equals("PATCH") ? any(TYPES.subList(3, 7)) : any(TYPES);
      var body = method.equals("GET") ? "" : body(type);
      return new One(method, any(KINDS) + any(PARTS) + query(), type, any(ACCEPTS), body);
    }

    private String query() {
      var query = new ArrayList<String>();
      int count = Math.max(0, random.nextInt(5) - 2);
      for (int i = 0; i < count; i++) query.add(any(PARAMETERS) + "=" + any(WORDS));
      return query.isEmpty() ? "" : "?" + String.join("&", query);
    }

    private String body(String type) {
      int way = random.nextInt(20);
      if (way == 0) return "";
      if (way == 1) return any(VALUES);
      if (way == 2) return "{\"metadata\":";
      if (type.contains("json-patch")) return operations();
      return way < 8 ? sensible() : object(4);
    }

    /// What is taken, but for one field.
    private String sensible() {
      return """
      {"metadata":{"name":"a","%s":%s},"provisioner":"a.b","driverName":"a","parameters":{"a":"b"},
      "spec":{"%s":%s,"containers":[{"name":"a","image":"a","%s":%s}],
      "accessModes":["ReadWriteOnce"],"capacity":{"storage":"1Gi"},
      "resources":{"requests":{"storage":"1Gi"}},"csi":{"driver":"a","volumeHandle":"b"},
      "drivers":[],"attacher":"a","source":{"persistentVolumeName":"a"}}}
      """
          .formatted(any(FIELDS), value(2), any(FIELDS), value(3), any(FIELDS), value(2));
    }

    private String operations() {
      var operations = new ArrayList<String>();
      int count = 1 + random.nextInt(8);
      for (int i = 0; i < count; i++)
        operations.add(
            "{\"op\":\"%s\",\"path\":\"%s\",\"from\":\"%s\",\"value\":%s}"
                .formatted(
                    any(List.of("add", "remove", "replace", "move", "copy", "test", "dance")),
                    any(POINTERS),
                    any(POINTERS),
                    value(3)));
      return "[" + String.join(",", operations) + "]";
    }

    private String object(int depth) {
      var fields = new ArrayList<String>();
      int count = random.nextInt(5);
      for (int i = 0; i < count; i++) fields.add("\"" + any(FIELDS) + "\":" + value(depth));
      return "{" + String.join(",", fields) + "}";
    }

    private String value(int depth) {
      if (depth == 0 || random.nextInt(3) == 0) return any(VALUES);
      if (random.nextInt(3) > 0) return object(depth - 1);
      return "[" + value(depth - 1) + "," + value(depth - 1) + "]";
    }

    private <T> T any(List<T> choice) {
      return choice.get(random.nextInt(choice.size()));
    }
  }
}
