package dev.berth.cli.nodeagent;

import static dev.berth.cli.nodeagent.NodeBed.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What an API server asks `berth node` for, on the kubelet's port (NRUN-14).
@Timeout(180)
class NodeServerTest {
  private NodeBed bed;
  private Optional<Containerd> engine = Optional.empty();
  private int port;
  private String token;

  @BeforeEach
  void start() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    bed = new NodeBed();
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var kubeconfig = Files.readString(bed.folder.resolve("api/kubeconfig"));
    var found = Pattern.compile("token: *\"?([^\"\\s]+)").matcher(kubeconfig);
    assertThat(found.find()).isTrue();
    token = found.group(1);
  }

  @AfterEach
  void stop() throws Exception {
    if (bed != null) {
      bed.api.delete(Resources.PODS, ObjectKey.of("default", "p"), DeleteOptions.DEFAULT);
      soon().until(() -> bed.pod("p").isEmpty());
      bed.close();
    }
    if (engine.isPresent()) engine.get().close();
  }

  private void startNode(String runtime) throws Exception {
    bed.node("--port=" + port, "--address=127.0.0.1", "--container-runtime-endpoint=" + runtime);
  }

  private void startPod(String image) throws Exception {
    bed.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: p}
        spec:
          nodeName: node-a
          terminationGracePeriodSeconds: 1
          containers:
          - name: app
            image: %s
            imagePullPolicy: IfNotPresent
            args: [sh, -c, "echo first; echo second; sleep 600"]
            command: %s
        """
            .formatted(image, image.equals("host") ? "[env]" : "[/bin/busybox, env]"));
    soon().until(() -> bed.pod("p").orElseThrow().at("/status/phase").asText().equals("Running"));
  }

  private SSLSocket connect() throws IOException, GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Everybody()}, null);
    var socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private String get(String path, String authorization) throws Exception {
    try (var socket = connect()) {
      var request = "GET %s HTTP/1.1\r\nHost: node\r\n%s\r\n".formatted(path, authorization);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String asAdmin(String path) throws Exception {
    return get(path, "Authorization: Bearer %s\r\n".formatted(token));
  }

  /// A program that reads, writes both ways and ends with 7.
  private void aProgramTalks() throws Exception {
    var path =
        "/exec/default/p/app?command=sh&command=-c&command="
            + "read+a%3B+echo+got+%24a%3B+echo+bad+%3E%262%3B+exit+7&input=1&output=1&error=1";
    try (var client = new SpdyClient(connect(), path, token, "v4.channel.k8s.io")) {
      assertThat(client.head())
          .startsWith("HTTP/1.1 101")
          .containsIgnoringCase("X-Stream-Protocol-Version: v4.channel.k8s.io");
      int status = client.open("streamtype", "error");
      int input = client.open("streamtype", "stdin");
      int output = client.open("streamtype", "stdout");
      int error = client.open("streamtype", "stderr");
      client.write(input, "word\n", true);
      assertThat(client.all(status)).contains("\"ExitCode\"", "\"7\"");
      assertThat(client.all(output)).isEqualTo("got word\n");
      assertThat(client.all(error)).isEqualTo("bad\n");
    }
  }

  @Test
  void programsAndLogsOfTheBuiltInRuntime() throws Exception {
    startNode("built-in");
    startPod("host");
    soon()
        .untilAsserted(() ->
            assertThat(asAdmin("/containerLogs/default/p/app"))
                .startsWith("HTTP/1.1 200")
                .contains("first\nsecond\n"));
    assertThat(asAdmin("/containerLogs/default/p/app?tailLines=1")).doesNotContain("first");
    aProgramTalks();
    assertThat(bed.registered().at("/status/daemonEndpoints/kubeletEndpoint/Port").asInt())
        .isEqualTo(port);

    // a port of the pod, which has the machine's network
    try (var echo = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var client =
            new SpdyClient(connect(), "/portForward/default/p", token, "portforward.k8s.io")) {
      Thread.startVirtualThread(() -> {
        try (var accepted = echo.accept()) {
          accepted.getOutputStream().write(accepted.getInputStream().readNBytes(5));
        } catch (IOException failed) {
          throw new IllegalStateException(failed);
        }
      });
      assertThat(client.head()).startsWith("HTTP/1.1 101");
      var number = Integer.toString(echo.getLocalPort());
      client.open("streamtype", "error", "port", number, "requestid", "0");
      int data = client.open("streamtype", "data", "port", number, "requestid", "0");
      client.write(data, "hello", false);
      assertThat(client.some(data, 5)).isEqualTo("hello");
    }
  }

  @Test
  void nobodyIsAnsweredWhoMayNot() throws Exception {
    startNode("built-in");
    startPod("host");
    soon().untilAsserted(() -> assertThat(asAdmin("/healthz")).startsWith("HTTP/1.1 200"));
    assertThat(get("/healthz", "")).startsWith("HTTP/1.1 401");
    assertThat(get("/containerLogs/default/p/app", "Authorization: Bearer x\r\n"))
        .startsWith("HTTP/1.1 401");
    var asked =
        bed.api.post(
            Resources.SERVICE_ACCOUNTS,
            ObjectKey.of("default", "default"),
            "token",
            NodeBed.yaml("{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: {}}"));
    var pods = asked.at("/status/token").asText();
    assertThat(get("/containerLogs/default/p/app", "Authorization: Bearer %s\r\n".formatted(pods)))
        .startsWith("HTTP/1.1 403")
        .contains("system:serviceaccount:default:default", "subresource(s)=[proxy]");
    try (var client =
        new SpdyClient(
            connect(), "/exec/default/p/app?command=true&output=1", pods, "v4.channel.k8s.io")) {
      assertThat(client.rest()).startsWith("HTTP/1.1 403").contains("verb=create");
    }
    assertThat(asAdmin("/exec/default/p/app?command=true&output=1"))
        .startsWith("HTTP/1.1 400")
        .contains("SPDY/3.1");
    assertThat(asAdmin("/exec/default/p/none?command=true&output=1"))
        .startsWith("HTTP/1.1 404")
        .contains("container \"none\" of pod \"p\" is not running");
    assertThat(asAdmin("/metrics")).contains("workqueue_");
  }

  @Test
  void anEngineCarriesTheStreamsOfItsContainers() throws Exception {
    engine = Optional.of(Containerd.start());
    startNode(engine.get().endpoint());
    startPod("localhost/busybox:1");
    soon()
        .untilAsserted(() ->
            assertThat(asAdmin("/containerLogs/default/p/app"))
                .contains("\r\nfirst\n", "\r\nsecond\n"));
    assertThat(asAdmin("/containerLogs/default/p/app?timestamps=true&tailLines=1"))
        .containsPattern("\n20[0-9-]+T[^ ]+ second\n");
    aProgramTalks();
  }

  /// The certificate of a node is its own.
  private static final class Everybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
