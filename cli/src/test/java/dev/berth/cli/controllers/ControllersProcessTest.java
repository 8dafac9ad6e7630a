package dev.berth.cli.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.http.Mode;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.home.Home;
import dev.berth.cli.stack.LoneServer;
import dev.berth.kube.api.Patch;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth controllers` against an API server over HTTPS.
class ControllersProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String CLAIM =
      """
      {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s, namespace: default},
       spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 1Gi}}}}
      """;
  private static final String VOLUME =
      """
      {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s},
       spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, hostPath: {path: /nowhere}}}
      """;

  @TempDir private Path folder;
  private LoneServer server;
  private HttpApi api;

  /// Kubeconfig of somebody without rights, once there is one.
  private Optional<Path> jane = Optional.empty();

  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void start() {
    var home = new Home(folder.resolve("h"));
    server =
        LoneServer.start(
            home, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Mode.RBAC);
    api = client();
  }

  private HttpApi client() {
    var client =
        HttpApi.of(jane.orElse(new Home(folder.resolve("h")).kubeconfig()), Optional.empty());
    open.add(client);
    return client;
  }

  @AfterEach
  void stop() throws Exception {
    for (var each : open.reversed()) each.close();
    server.close();
  }

  private ControllersProcess controllers(String... flags) {
    var line = CommandLines.read(List.of(Program.CONTROLLERS), List.of(flags));
    var given = line.of(Program.CONTROLLERS);
    var process = new ControllersProcess(given, Settings.of(given), client(), client());
    open.add(process);
    process.start();
    return process;
  }

  private void create(Resource resource, String yaml, String name) throws Exception {
    api.create(resource, (ObjectNode) new YAMLMapper().readTree(yaml.formatted(name)));
  }

  private String phase(String claim) {
    return Json.text(
        api.get(Resources.CLAIMS, ObjectKey.of("default", claim)).path("status"), "phase");
  }

  private Optional<String> holder(String lease) {
    try {
      return Optional.of(
          Json.text(
              api.get(Resources.LEASES, ObjectKey.of("kube-system", lease)).path("spec"),
              "holderIdentity"));
    } catch (RuntimeException none) {
      return Optional.empty();
    }
  }

  private static void eventually(Runnable holds) {
    await().atMost(PATIENCE).untilAsserted(holds::run);
  }

  @Test
  void oneOfTwoActsUnderUpstreamsLeases() throws Exception { // RUN-02
    var first = controllers("--leader-elect-identity=first");
    eventually(() -> assertThat(holder("kube-controller-manager")).contains("first"));
    eventually(() -> assertThat(holder("kube-scheduler")).contains("first"));
    controllers("--leader-elect-identity=second", "--leader-elect-retry-period=200ms");
    create(Resources.VOLUMES, VOLUME, "pv-1");
    create(Resources.CLAIMS, CLAIM, "one");
    eventually(() -> assertThat(phase("one")).isEqualTo("Bound"));
    open.remove(first);
    first.close();
    eventually(() -> assertThat(holder("kube-controller-manager")).contains("second"));
    create(Resources.VOLUMES, VOLUME, "pv-2");
    create(Resources.CLAIMS, CLAIM, "two");
    eventually(() -> assertThat(phase("two")).isEqualTo("Bound"));
  }

  /// RUN-02: it hears of its end before it writes again, and lives on.
  @Test
  void whoeverHasLostTheLeaseWritesNothing() throws Exception {
    controllers("--controllers=binder", "--leader-elect-identity=ours");
    eventually(() -> assertThat(holder("kube-controller-manager")).contains("ours"));
    var lease = ObjectKey.of("kube-system", "kube-controller-manager");
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> {
          var now = api.get(Resources.LEASES, lease);
          now.withObject("/spec").put("holderIdentity", "other").put("leaseDurationSeconds", 3600);
          api.update(Resources.LEASES, now);
          return true;
        });
    create(Resources.CLAIMS, CLAIM, "one");
    create(Resources.VOLUMES, VOLUME, "pv-1");
    await()
        .during(Duration.ofSeconds(1))
        .atMost(PATIENCE)
        .until(() ->
            api.get(Resources.VOLUMES, ObjectKey.cluster("pv-1"))
                .path("status")
                .path("phase")
                .asText()
                .equals("Pending"));
    api.patch(
        Resources.LEASES,
        lease,
        Patch.merge((ObjectNode) new YAMLMapper().readTree("{spec: {holderIdentity: ''}}")));
    eventually(() -> assertThat(phase("one")).isEqualTo("Bound"));
  }

  /// RUN-01.
  @Test
  void twoThatAttachAreKeptApart() throws Exception {
    create(
        Resources.LEASES,
        """
        {apiVersion: coordination.k8s.io/v1, kind: Lease,
         metadata: {name: kube-controller-manager, namespace: kube-system},
         spec: {holderIdentity: %s, leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z"}}
        """,
        "a-manager");
    int port = freePort();
    controllers("--leader-elect-resource-name=berth", "--http-endpoint=127.0.0.1:" + port);
    eventually(() -> {
      assertThat(asked(port, "/readyz"))
          .startsWith("503")
          .contains("is held by a-manager", "--takeover");
      assertThat(asked(port, "/healthz")).isEqualTo("200 ok");
      assertThat(asked(port, "/metrics"))
          .contains("leader_election_master_status{name=\"kube-scheduler\"} 1");
    });
    controllers("--leader-elect-resource-name=ours", "--takeover", "--controllers=binder");
    eventually(() -> assertThat(holder("ours")).isPresent());
  }

  /// RUN-02: who can do nothing is not ready, whatever keeps him from it.
  @Test
  void whoeverHasNoRightIsNotReady() throws Exception {
    var account =
        "{apiVersion: v1, kind: ServiceAccount, metadata: {name: %s, namespace: default}}";
    create(Resources.SERVICE_ACCOUNTS, account, "jane");
    var ask = (ObjectNode) new YAMLMapper().readTree("{spec: {}}");
    var key = ObjectKey.of("default", "jane");
    var answer = api.post(Resources.SERVICE_ACCOUNTS, key, "token", ask);
    var admin = Files.readString(new Home(folder.resolve("h")).kubeconfig());
    var token = "token: " + Json.text(answer.path("status"), "token");
    jane =
        Optional.of(
            Files.writeString(folder.resolve("jane"), admin.replaceAll("token: .*", token)));
    int port = freePort();
    controllers("--http-endpoint=127.0.0.1:" + port);
    eventually(() ->
        assertThat(asked(port, "/readyz"))
            .startsWith("503")
            .contains("scheduler: lease kube-system/kube-scheduler is not held: ")
            .contains("may not be listed"));
  }

  /// RUN-02.
  @Test
  void whoeverHasLostTheServerIsNotReadyAndWhoeverStandsByIs() throws Exception {
    int leader = freePort();
    int second = freePort();
    var terms =
        List.of(
            "--leader-elect-lease-duration=3s",
            "--leader-elect-renew-deadline=2s",
            "--leader-elect-retry-period=500ms",
            "--http-endpoint=127.0.0.1:");
    for (int port : List.of(leader, second)) {
      var flags = new ArrayList<>(terms.subList(0, 3));
      flags.add(terms.getLast() + port);
      flags.add("--leader-elect-identity=" + port);
      controllers(flags.toArray(String[]::new));
      eventually(() -> assertThat(asked(port, "/readyz")).isEqualTo("200 ok"));
    }
    assertThat(holder("kube-scheduler")).contains("" + leader);
    server.close();
    for (int port : List.of(leader, second))
      eventually(() ->
          assertThat(asked(port, "/readyz"))
              .startsWith("503")
              .contains("scheduler: lease kube-system/kube-scheduler is not held: "));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static String asked(int port, String path) {
    try (var client = HttpClient.newHttpClient()) {
      var at = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
      var answer = client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (Exception failed) {
      return failed.toString();
    }
  }
}
