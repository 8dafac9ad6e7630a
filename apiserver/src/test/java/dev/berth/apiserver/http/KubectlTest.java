package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.http.Kubectl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The real `kubectl` works by the kubeconfig that we write. Name another one with
/// `-Dberth.kubectl=`.
@Timeout(120)
class KubectlTest {
  private static final String MANIFEST =
      """
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: {name: fast}
      provisioner: disk.example
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: data}
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: fast
        resources: {requests: {storage: 1Gi}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec:
        nodeName: a
        containers:
        - {name: c, image: host, volumeMounts: [{name: data, mountPath: /data}]}
        volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      """;

  @TempDir private static Path home;
  private static Kubectl kubectl;
  private static @Nullable RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    kubectl = Kubectl.in(home);
    server = RunningServer.in(home);
    Files.writeString(home.resolve("app.yaml"), MANIFEST);
    assertThat(kubectl("apply -f app.yaml").text())
        .isEqualTo(
            """
            storageclass.storage.k8s.io/fast created
            persistentvolumeclaim/data created
            pod/web created
            """);
  }

  @AfterAll
  static void stop() {
    if (server != null) server.close();
  }

  /// As it is with a kube-apiserver 1.37.1: kubectl finds the pod's token volume, which it did not
  /// write, says in which order its own volumes are to come, and calls that "configured".
  @Test
  void applyingAgainChangesNothing() throws Exception {
    var before = kubectl("get pod web -o jsonpath={.metadata.resourceVersion}");
    assertThat(kubectl("apply -f app.yaml"))
        .isEqualTo(
            new Output(
                0,
                """
                storageclass.storage.k8s.io/fast unchanged
                persistentvolumeclaim/data unchanged
                pod/web configured
                """));
    assertThat(kubectl("get pod web -o jsonpath={.metadata.resourceVersion}")).isEqualTo(before);
  }

  /// Whole lives of a manifest that is applied on the server (API-78 to API-80).
  @Test
  void applyOnTheServer() throws Exception {
    map("one", "a: x");
    assertThat(kubectl("apply --server-side -f one.yaml").text())
        .isEqualTo("configmap/one serverside-applied\n");
    map("one", "b: w");
    assertThat(kubectl("diff --server-side -f one.yaml").text()).contains("-  a: x", "+  b: w");
    assertThat(kubectl("apply --server-side -f one.yaml").exitCode()).isZero();
    assertThat(kubectl("get configmap one -o jsonpath={.data}").text()).isEqualTo("{\"b\":\"w\"}");

    kubectl("patch configmap one --type merge -p {\"data\":{\"b\":\"theirs\"}}");
    var refused = kubectl("apply --server-side -f one.yaml");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.text())
        .contains(
            "Apply failed with 1 conflict: conflict with \"kubectl-patch\" using v1: .data.b");
    assertThat(kubectl("apply --server-side --force-conflicts -f one.yaml").exitCode()).isZero();
    assertThat(kubectl("get configmap one -o jsonpath={.data}").text()).isEqualTo("{\"b\":\"w\"}");

    assertThat(kubectl("get configmap one -o yaml").text()).doesNotContain("managedFields");
    assertThat(kubectl("get configmap one -o yaml --show-managed-fields").text())
        .contains("manager: kubectl", "operation: Apply", "f:b: {}");
  }

  /// What kubectl has applied by itself so far becomes the server's to apply (API-80).
  @Test
  void applyComesOverToTheServer() throws Exception {
    map("own", "a: x\n  b: w");
    kubectl("apply -f own.yaml");
    map("own", "a: z");
    assertThat(kubectl("apply --server-side -f own.yaml").text())
        .isEqualTo("configmap/own serverside-applied\n");
    assertThat(kubectl("get configmap own -o jsonpath={.data}").text()).isEqualTo("{\"a\":\"z\"}");
  }

  private static void map(String name, String data) throws IOException {
    Files.writeString(
        home.resolve(name + ".yaml"),
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: %s}
        data:
          %s
        """
            .formatted(name, data));
  }

  @Test
  void applyMergesListsByTheirKeys() throws Exception {
    Files.writeString(
        home.resolve("merged.yaml"),
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: merged, labels: {a: b}}
        spec: {containers: [{name: c, image: one}]}
        """);
    kubectl("apply -f merged.yaml");
    Files.writeString(
        home.resolve("merged.yaml"),
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: merged}
        spec: {containers: [{name: c, image: two}]}
        """);
    assertThat(kubectl("apply -f merged.yaml")).isEqualTo(new Output(0, "pod/merged configured\n"));
    assertThat(kubectl("get pod merged -o jsonpath={.spec.containers[*].image}{.metadata.labels}"))
        .isEqualTo(new Output(0, "two"));
  }

  @Test
  void tablesHaveUpstreamsColumns() throws Exception {
    assertThat(headings("pvc"))
        .isEqualTo(
            "NAME STATUS VOLUME CAPACITY ACCESS MODES STORAGECLASS VOLUMEATTRIBUTESCLASS AGE");
    assertThat(headings("pod -o wide"))
        .isEqualTo("NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES");
    assertThat(headings("storageclass"))
        .isEqualTo("NAME PROVISIONER RECLAIMPOLICY VOLUMEBINDINGMODE ALLOWVOLUMEEXPANSION AGE");
    assertThat(
            kubectl("get pods -A -l app=web --no-headers --field-selector spec.nodeName=a").text())
        .startsWith("default   web");
  }

  private static String headings(String what) throws Exception {
    var text = kubectl("get " + what).text();
    return text.lines().findFirst().orElse("").replaceAll(" +", " ").strip();
  }

  @Test
  void describeShowsTheClaimAndWhoUsesIt() throws Exception {
    assertThat(kubectl("describe pvc data").text())
        .contains("StorageClass:  fast")
        .contains("Used By:       web");
    assertThat(kubectl("describe pod web").text()).containsPattern("ClaimName: +data\\n");
  }

  @Test
  void errorsReadAsUpstreams() throws Exception {
    assertThat(kubectl("get pvc nope"))
        .isEqualTo(
            new Output(
                1, "Error from server (NotFound): persistentvolumeclaims \"nope\" not found\n"));
    assertThat(kubectl("get nonsense"))
        .isEqualTo(new Output(1, "error: the server doesn't have a resource type \"nonsense\"\n"));
    assertThat(kubectl("create -f app.yaml").text())
        .contains(
            "Error from server (AlreadyExists): error when creating \"app.yaml\": pods \"web\""
                + " already exists");
    Files.writeString(home.resolve("typo.yaml"), MANIFEST.replace("storageClassName", "storage"));
    assertThat(kubectl("apply -f typo.yaml").text())
        .contains("strict decoding error: unknown field \"spec.storage\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"apps/v1beta1 Deployment", "extensions/v1beta1 Ingress", "example.com/v1 Thing"})
  void aKindThatIsNotServedIsNamed(String kind) throws Exception {
    var words = kind.split(" ", -1);
    Files.writeString(
        home.resolve("foreign.yaml"),
        "apiVersion: %s\nkind: %s\nmetadata: {name: x}\nspec: {}\n".formatted(words[0], words[1]));
    for (var verb : List.of("apply", "create")) {
      var output = kubectl(verb + " -f foreign.yaml");
      assertThat(output.exitCode()).isEqualTo(1);
      assertThat(output.text())
          .contains("no matches for kind \"%s\" in version \"%s\"".formatted(words[1], words[0]))
          .doesNotContain("openapi", "CRD:");
    }
  }

  @Test
  void objectsArePatchedInThreeWays() throws Exception {
    assertThat(kubectl("annotate sc fast a=b").text()).contains("annotated");
    assertThat(kubectl("label sc fast a=b").text()).contains("labeled");
    for (var patch :
        List.of(
            "strategic {\"metadata\":{\"labels\":{\"way\":\"1\"}}}",
            "merge {\"metadata\":{\"labels\":{\"way\":\"2\"}}}",
            "json [{\"op\":\"replace\",\"path\":\"/metadata/labels/way\",\"value\":\"3\"}]")) {
      var words = patch.split(" ", 2);
      assertThat(run("patch", "sc", "fast", "--type", words[0], "-p", words[1]))
          .isEqualTo(new Output(0, "storageclass.storage.k8s.io/fast patched\n"));
    }
    assertThat(kubectl("get sc fast -o jsonpath={.metadata.labels}").text())
        .isEqualTo("{\"a\":\"b\",\"way\":\"3\"}");
  }

  @Test
  void waitingAndDeletingWatch() throws Exception {
    Files.writeString(
        home.resolve("short.yaml"),
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: short}
        spec: {containers: [{name: c, image: host}]}
        """);
    kubectl("create -f short.yaml");
    var condition = "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}";
    run("patch", "pod", "short", "--subresource=status", "-p", condition);
    assertThat(kubectl("wait pod/short --for=condition=Ready --timeout=20s"))
        .isEqualTo(new Output(0, "pod/short condition met\n"));
    assertThat(kubectl("delete pod short --timeout=20s").text())
        .startsWith("pod \"short\" deleted");
    assertThat(kubectl("get pod short").exitCode()).isEqualTo(1);
  }

  @Test
  void logsComeFromTheNode() throws Exception {
    assertThat(kubectl("logs web")).isEqualTo(new Output(0, "log of c in default/web\n"));
    assertThat(kubectl("logs -f web -c c").exitCode()).isZero();
    assertThat(kubectl("logs web -c nope").text())
        .contains("container nope is not valid for pod web");
    assertThat(kubectl("exec web -- ls").text()).contains("no node agent serves pod \"web\"");
  }

  @Test
  void kubectlFindsItsWay() throws Exception {
    assertThat(kubectl("version").text()).contains("Server Version: v1.37.1+berth");
    assertThat(kubectl("api-resources --no-headers -o name").text())
        .contains("volumeattachments.storage.k8s.io");
    assertThat(kubectl("explain pvc.spec.resources").text()).contains("requests");
    assertThat(kubectl("explain pvc.spec.accessModes").text()) // API-38
        .contains("access modes the volume should have");
    assertThat(kubectl("diff -f app.yaml")).isEqualTo(new Output(0, ""));
  }

  private static Output kubectl(String arguments) throws Exception {
    return run(arguments.split(" "));
  }

  private static Output run(String... arguments) throws Exception {
    return kubectl.run(arguments);
  }
}
