package dev.berth.cli.nodeserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.nodeagent.SpdyClient;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.ReviewResources;
import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.RefusedException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node's server whose machine, engine, API server or callers are in trouble.
@Timeout(180)
class TroubleTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;
  private TestServer server;

  @BeforeEach
  void prepare() throws Exception {
    server = new TestServer(folder);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /// What does otherwise than `real` where `other` says so.
  private static <T> T with(Class<T> type, T real, Otherwise other) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              var said =
                  other.say(method.getName(), arguments == null ? List.of() : List.of(arguments));
              if (said != null) return said;
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            }));
  }

  private interface Otherwise {
    /// @return null: nothing else than the real one
    @Nullable Object say(String method, List<Object> arguments) throws Exception;
  }

  private String pod() {
    var pod = server.api.create(Resources.PODS, yaml());
    return pod.at("/metadata/uid").asText();
  }

  private static ObjectNode yaml() {
    var pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("namespace", "default").put("name", "p");
    var spec = pod.putObject("spec").put("nodeName", "node-a");
    spec.put("automountServiceAccountToken", false);
    spec.putArray("containers").addObject().put("name", "app").put("image", "host");
    return pod;
  }

  /// As without a file descriptor left.
  @Test
  void aConnectionThatCannotBeHadIsNotTriedForWithoutAPause() throws Exception {
    var tries = new AtomicInteger();
    server.listening =
        new ServerSocket() {
          @Override
          public Socket accept() throws IOException {
            if (tries.incrementAndGet() <= 20) throw new SocketException("Too many open files");
            return super.accept();
          }
        };
    var begun = System.nanoTime();
    server.start(PATIENCE, "AlwaysAllow");
    assertThat(server.get("/healthz")).startsWith("HTTP/1.1 200");
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThan(Duration.ofMillis(20 * 90));
  }

  @Test
  void anEngineThatDoesNotAnswerIsToldToTheCaller() throws Exception {
    pod();
    server.runtime =
        with(
            ContainerRuntime.class,
            server.runtime,
            (method, _) -> {
              if (method.equals("list")) throw new IllegalStateException("the engine is away");
              return null;
            });
    server.start(PATIENCE, "AlwaysAllow");
    assertThat(server.get("/exec/default/p/app?command=id&output=1"))
        .startsWith("HTTP/1.1 500")
        .contains("the engine is away");
  }

  @Test
  void anApiServerThatDoesNotAnswerIsNotTakenForARefusal() throws Exception {
    server.api =
        with(
            Api.class,
            server.api,
            (method, arguments) -> {
              if (method.equals("create") && arguments.contains(ReviewResources.ACCESS_REVIEWS))
                throw new ApiException.Unreachable("connection refused", new IOException());
              return null;
            });
    server.start(PATIENCE, "Webhook");
    assertThat(server.get("/healthz"))
        .startsWith("HTTP/1.1 503")
        .contains("system:anonymous", "connection refused");
  }

  /// Whom the network took away says nothing more, and no end of it comes.
  @Test
  void whoHasVanishedIsNoticed() throws Exception {
    server.start(PATIENCE, "AlwaysAllow");
    var client = server.plain();
    var ports = ":%04X ".formatted(server.port());
    var theirs = ":%04X ".formatted(client.getLocalPort());
    // the kernel's timer 2 is the one of keep-alive
    Awaitility.await("the kernel asks whether it is there")
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            rows().stream()
                .map(row -> row.strip().split(" +"))
                .filter(row -> (row[1] + " ").endsWith(ports) && (row[2] + " ").endsWith(theirs))
                .anyMatch(row -> row[5].startsWith("02:")));
  }

  private static List<String> rows() throws IOException {
    var rows = new ArrayList<String>();
    for (var table : List.of("tcp", "tcp6"))
      rows.addAll(Files.readAllLines(Path.of("/proc/net", table)));
    return rows;
  }

  /// It has been told how its program ended, and neither speaks nor leaves.
  @Test
  void whoDoesNotLeaveAfterTheEndIsLeft() throws Exception {
    var id = new ContainerId(pod(), "app", 0);
    server.runtime =
        with(
            ContainerRuntime.class,
            server.runtime,
            (method, _) ->
                switch (method) {
                  case "list" ->
                      List.of(new Container(id, new ContainerState.Running(Instant.now())));
                  case "exec" ->
                      throw new RefusedException(
                          RefusedException.Reason.RUN_CONTAINER_ERROR, "not here");
                  default -> null;
                });
    server.api =
        with(
            Api.class,
            server.api,
            (method, arguments) ->
                method.equals("create") && arguments.contains(ReviewResources.TOKEN_REVIEWS)
                    ? known()
                    : null);
    server.start(Duration.ofSeconds(2), "AlwaysAllow");
    var socket = server.secured();
    var path = "/exec/default/p/app?command=id&output=1";
    try (var client = new SpdyClient(socket, path, "t", "v4.channel.k8s.io")) {
      assertThat(client.head()).startsWith("HTTP/1.1 101");
      int status = client.open("streamtype", "error");
      client.open("streamtype", "stdout");
      assertThat(client.all(status)).contains("not here");
      Awaitility.await("the server has closed it")
          .atMost(Duration.ofMinutes(1))
          .until(() -> isClosed(socket.getLocalPort()));
    }
  }

  private static ObjectNode known() {
    var review = JsonNodeFactory.instance.objectNode();
    review.putObject("status").put("authenticated", true).putObject("user").put("username", "u");
    return review;
  }

  /// Whether the server's side of a connection has no more an owner: states 1 (established) and 5
  /// (only its output was shut) have.
  private boolean isClosed(int theirs) throws IOException {
    var row = ":%04X ".formatted(theirs);
    var ours = ":%04X ".formatted(server.port());
    return rows().stream()
        .map(each -> each.strip().split(" +"))
        .filter(each -> (each[1] + " ").endsWith(ours) && (each[2] + " ").endsWith(row))
        .noneMatch(each -> each[3].equals("01") || !each[9].equals("0"));
  }
}
