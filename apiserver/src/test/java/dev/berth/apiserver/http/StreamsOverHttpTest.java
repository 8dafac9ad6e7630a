package dev.berth.apiserver.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.http.stream.PodStreams;
import dev.berth.apiserver.tls.Identity;
import dev.berth.kube.object.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a client says and hears over a WebSocket, with processes of this machine for those of a
/// container (NRUN-14).
@Timeout(60)
class StreamsOverHttpTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String POD =
      """
      {"metadata": {"name": "web"},
       "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "host"}]}}
      """;
  private static final int STATUS = 3;

  private final Local local = new Local();
  private RunningServer server;
  private RestClient client;

  @BeforeEach
  void start(@TempDir Path home) throws Exception {
    server =
        RunningServer.in(
            home,
            new PodLogs() {
              @Override
              public InputStream open(ObjectKey pod, String container, Options options) {
                return InputStream.nullInputStream();
              }

              @Override
              public PodStreams streams() {
                return local;
              }
            });
    client = new RestClient(server, HttpClient.Version.HTTP_1_1);
    client.send("POST", PODS, POD);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /// A shell here, for a shell in a container.
  private static final class Local implements PodStreams {
    private final List<java.lang.Process> started = new CopyOnWriteArrayList<>();

    /// As an engine has it: what a program has written is there when it has ended.
    private volatile boolean whole;

    @Override
    public Process exec(ObjectKey pod, String container, List<String> command, boolean tty)
        throws IOException {
      var process = new ProcessBuilder(command).start();
      started.add(process);
      var output =
          whole
              ? new ByteArrayInputStream(process.getInputStream().readAllBytes())
              : process.getInputStream();
      return new Process() {
        @Override
        public OutputStream input() {
          return process.getOutputStream();
        }

        @Override
        public InputStream output() {
          return output;
        }

        @Override
        public InputStream error() {
          return process.getErrorStream();
        }

        @Override
        public void resize(int columns, int rows) {}

        @Override
        public int await() throws InterruptedException {
          return process.waitFor();
        }

        @Override
        public void close() {
          process.destroyForcibly();
        }
      };
    }

    @Override
    public Process attach(ObjectKey pod, String container) throws IOException {
      throw new IOException("nothing to attach to");
    }

    @Override
    public SocketChannel connect(ObjectKey pod, int port) throws IOException {
      return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
  }

  /// The client's end.
  private static class End implements WebSocket.Listener {
    private final Map<Integer, ByteArrayOutputStream> streams = new ConcurrentHashMap<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();

    String text(int stream) {
      var bytes = streams.get(stream);
      return bytes == null ? "" : bytes.toString(UTF_8);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      var bytes = new byte[data.remaining()];
      data.get(bytes);
      message.writeBytes(bytes);
      if (last) {
        var whole = message.toByteArray();
        message.reset();
        streams
            .computeIfAbsent((int) whole[0], _ -> new ByteArrayOutputStream())
            .write(whole, 1, whole.length - 1);
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      closed.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable cause) {
      closed.completeExceptionally(cause);
    }
  }

  private CompletableFuture<WebSocket> open(String path, String protocol, WebSocket.Listener end)
      throws IOException {
    var url = URI.create("wss" + server.url().resolve(PODS + path).toString().substring(5));
    return client
        .client()
        .newWebSocketBuilder()
        .header("Authorization", "Bearer " + server.token())
        .subprotocols(protocol)
        .buildAsync(url, end);
  }

  private static String shell(String script) {
    return "/web/exec?stdin=true&stdout=true&stderr=true&command=sh&command=-c&command="
        + URLEncoder.encode(script, UTF_8);
  }

  private static ByteBuffer on(int stream, String text) {
    var bytes = text.getBytes(UTF_8);
    return ByteBuffer.allocate(bytes.length + 1).put((byte) stream).put(bytes).flip();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v5.channel.k8s.io", "v4.channel.k8s.io"})
  void eachStreamHasItsNumberAndTheStatusComesLast(String protocol) throws Exception {
    var end = new End();
    var socket = open(shell("read a; echo \"out $a\"; echo err >&2; exit 5"), protocol, end).join();
    assertThat(socket.getSubprotocol()).isEqualTo(protocol);
    socket.sendBinary(on(0, "wor"), false).join();
    socket.sendBinary(ByteBuffer.wrap("ds\n".getBytes(UTF_8)), true).join(); // one message in two
    assertThat(end.closed.get(20, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
    assertThat(end.text(1)).isEqualTo("out words\n");
    assertThat(end.text(2)).isEqualTo("err\n");
    var status = JSON.readTree(end.text(STATUS));
    assertThat(status.path("status").asText()).isEqualTo("Failure");
    assertThat(status.path("reason").asText()).isEqualTo("NonZeroExitCode");
    assertThat(status.at("/details/causes/0/reason").asText()).isEqualTo("ExitCode");
    assertThat(status.at("/details/causes/0/message").asText()).isEqualTo("5");
  }

  @Test
  void inputHasAnEndSinceVersion5() throws Exception {
    var end = new End();
    var socket = open(shell("wc -c"), "v5.channel.k8s.io", end).join();
    socket.sendBinary(on(0, "12345"), true).join();
    socket.sendBinary(ByteBuffer.wrap(new byte[] {(byte) 255, 0}), true).join();
    assertThat(end.closed.get(20, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
    assertThat(end.text(1).strip()).isEqualTo("5");
    assertThat(JSON.readTree(end.text(STATUS)).path("status").asText()).isEqualTo("Success");
  }

  @Test
  void aClientThatLeavesEndsWhatItHasBegun() throws Exception {
    var socket = open(shell("exec sleep 600"), "v5.channel.k8s.io", new End()).join();
    await().until(() -> local.started.size() == 1);
    socket.abort();
    await().atMost(Duration.ofSeconds(20)).until(() -> !local.started.getFirst().isAlive());
  }

  @Test
  void whatCannotBeStartedIsSaidInTheStatus() throws Exception {
    var end = new End();
    var _ = open("/web/exec?stdout=true&command=/no/such/program", "v5.channel.k8s.io", end).join();
    assertThat(end.closed.get(20, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
    var status = JSON.readTree(end.text(STATUS));
    assertThat(status.path("reason").asText()).isEqualTo("InternalError");
    assertThat(status.path("message").asText()).contains("/no/such/program");
  }

  @Test
  void otherProtocolsAndWrongOptionsAreRefusedInWords() throws Exception {
    assertThatThrownBy(() -> open(shell("true"), "channel.k8s.io", new End()).join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(400));
    var plain = client.get(PODS + shell("true"));
    assertThat(plain.status()).isEqualTo(400);
    assertThat(plain.json().path("message").asText()).contains("speaks WebSockets");
    assertThat(client.get(PODS + "/web/exec?stdout=true").json().path("message").asText())
        .contains("must specify a command");
    assertThat(client.get(PODS + "/web/exec?command=ls").json().path("message").asText())
        .contains("at least one of stdin, stdout, stderr");
    assertThat(client.get(PODS + "/none/exec?stdout=true&command=ls").status()).isEqualTo(404);
    assertThat(client.send("PUT", PODS + "/web/exec", "{}").status()).isEqualTo(405);
    assertThat(local.started).isEmpty();
  }

  /// A WebSocket begins with a GET: to read is not enough (API-11).
  @Test
  void whoMayOnlyGetMayNotExec() throws Exception {
    var roles = "/apis/rbac.authorization.k8s.io/v1/";
    client.send(
        "POST",
        roles + "clusterroles",
        """
        {"metadata": {"name": "peek"},
         "rules": [{"apiGroups": [""], "resources": ["pods/exec"], "verbs": ["get"]}]}
        """);
    client.send(
        "POST",
        roles + "clusterrolebindings",
        """
        {"metadata": {"name": "peek"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "peek"},
         "subjects": [{"kind": "User", "name": "jane"}]}
        """);
    var jane = new Identity("jane", List.of("people"));
    try (var peeking =
        HttpClient.newBuilder().sslContext(server.credentials().clientContext(jane)).build()) {
      var request = HttpRequest.newBuilder(server.url().resolve(PODS + shell("true"))).build();
      var reply = peeking.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).isEqualTo(403);
      assertThat(reply.body()).contains("cannot create resource");
    }
  }

  /// More than sockets hold, for a client that does not read for longer than a program that has
  /// ended is waited for.
  @Test
  void aSlowClientGetsAllThatWasWritten() throws Exception {
    var heard = new CountDownLatch(1);
    End end =
        new End() {
          @Override
          public @Nullable CompletionStage<?> onBinary(
              WebSocket socket, ByteBuffer data, boolean last) {
            if (heard.getCount() > 0) LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
            heard.countDown();
            return super.onBinary(socket, data, last);
          }
        };
    local.whole = true;
    var _ = open(shell("head -c 20000000 /dev/zero"), "v5.channel.k8s.io", end).join();
    assertThat(end.closed.get(40, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
    assertThat(end.text(1)).hasSize(20_000_000);
    assertThat(JSON.readTree(end.text(STATUS)).path("status").asText()).isEqualTo("Success");
  }

  /// API-03: who gets into a container is a policy's to say, by what he would run there.
  @Test
  void aPolicyHasASayInWhatIsRun() throws Exception {
    var admission = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpol";
    client.send(
        "POST",
        admission + "icies",
        """
        {"metadata": {"name": "no-shell"}, "spec": {
          "matchConstraints": {"resourceRules": [{"operations": ["CONNECT"], "apiGroups": [""],
            "apiVersions": ["v1"], "resources": ["pods/exec"]}]},
          "validations": [{"expression": "object.kind == 'PodExecOptions' && object.command[0] != 'sh'",
            "message": "no shells here", "reason": "Forbidden"}]}}
        """);
    client.send(
        "POST",
        admission + "icybindings",
        """
        {"metadata": {"name": "all"}, "spec": {"policyName": "no-shell", "validationActions": ["Deny"]}}
        """);
    assertThatThrownBy(
            () -> open("/web/exec?command=sh&stdout=true", "v5.channel.k8s.io", new End()).get())
        .hasCauseInstanceOf(WebSocketHandshakeException.class)
        .cause()
        .satisfies(refused ->
            assertThat(((WebSocketHandshakeException) refused).getResponse().statusCode())
                .isEqualTo(403));
    assertThat(local.started).isEmpty();
    var end = new End();
    open("/web/exec?command=echo&command=hello&stdout=true", "v5.channel.k8s.io", end).get();
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(end.text(1)).isEqualTo("hello\n"));
  }
}
