package dev.berth.node.pod.probe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.Execution;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is tried over the network, at real sockets (NRUN-10).
@Timeout(30)
class AttemptsTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private final Attempts attempts = new Attempts(new MemoryRuntime(new MemoryDriver()));
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          var path = exchange.getRequestURI().getPath();
          if (path.startsWith("/status/")) {
            exchange.sendResponseHeaders(Integer.parseInt(path.substring(8)), -1);
          } else {
            var headers = exchange.getRequestHeaders();
            boolean right =
                "me".equals(headers.getFirst("X-Who"))
                    && headers.getFirst("User-Agent").startsWith("kube-probe/");
            exchange.sendResponseHeaders(right ? 200 : 400, -1);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Attempt attempt(String action, Duration limit) throws InterruptedException {
    var container =
        TestNode.yaml(
            "{name: app, ports: [{name: web, containerPort: %d}]}"
                .formatted(server.getAddress().getPort()));
    var target = new Target(new ContainerId("pod-1", "app", 0), container, "10.1.2.3");
    return attempts.of(TestNode.yaml(action), target, limit);
  }

  @ParameterizedTest
  @CsvSource({"200, true", "302, true", "399, true", "400, false", "500, false"})
  void anAnswerBelow400IsASuccess(int status, boolean succeeds) throws Exception {
    var attempt = attempt("{httpGet: {path: /status/%d, port: web}}".formatted(status), LIMIT);
    assertThat(attempt.succeeded()).isEqualTo(succeeds);
    if (!succeeds)
      assertThat(attempt.said()).isEqualTo("HTTP probe failed with statuscode: " + status);
  }

  @Test
  void headersAreSent() throws Exception {
    assertThat(
            attempt(
                "{httpGet: {port: web, path: /x, httpHeaders: [{name: X-Who, value: me}]}}", LIMIT))
        .isEqualTo(Attempt.success());
    assertThat(attempt("{httpGet: {port: web, path: /x}}", LIMIT).succeeded()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "path: \"/status/200 HTTP/1.1\\r\\n\\r\\nDELETE /x\"",
        "path: /status/200, httpHeaders: [{name: \"X\\r\\nY\", value: a}]",
        "path: /status/200, httpHeaders: [{name: X, value: \"a\\r\\n\\r\\nDELETE /x HTTP/1.1\"}]"
      })
  void nobodyWritesASecondRequestIntoTheFirst(String action) throws Exception {
    assertThat(attempt("{httpGet: {port: web, %s}}".formatted(action), LIMIT).said())
        .containsAnyOf("control character", "no HTTP token");
  }

  @Test
  void aPortIsOpenOrNot() throws Exception {
    assertThat(attempt("{tcpSocket: {port: web}}", LIMIT)).isEqualTo(Attempt.success());
    server.stop(0);
    var refused = attempt("{tcpSocket: {port: web}}", LIMIT);
    assertThat(refused.succeeded()).isFalse();
    assertThat(refused.said()).startsWith("dial tcp 10.1.2.3:").contains("refused");
    assertThat(attempt("{tcpSocket: {port: other}}", LIMIT).said())
        .isEqualTo("couldn't find port: other");
  }

  @RepeatedTest(15)
  void whoDoesNotAnswerHasFailedInTime() throws Exception {
    try (var silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      var before = System.nanoTime();
      var attempt =
          attempt("{httpGet: {port: %d}}".formatted(silent.getLocalPort()), Duration.ofMillis(100));
      assertThat(attempt.succeeded()).isFalse();
      assertThat(attempt.said()).contains("context deadline exceeded");
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(4));
    }
  }

  @Test
  void whatIsNoHttpIsNoSuccess() throws Exception {
    try (var odd = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> {
        try (var client = odd.accept()) {
          client.getOutputStream().write("SSH-2.0-x\r\n".getBytes(UTF_8));
        } catch (IOException broken) {
          throw new IllegalStateException(broken);
        }
      });
      assertThat(attempt("{httpGet: {port: %d}}".formatted(odd.getLocalPort()), LIMIT).said())
          .contains("malformed HTTP response");
    }
  }

  @Test
  void sleepingTakesItsTimeAndNotMore() throws Exception {
    assertThat(attempt("{sleep: {seconds: 0}}", LIMIT)).isEqualTo(Attempt.success());
    var before = System.nanoTime();
    assertThat(attempt("{sleep: {seconds: 60}}", Duration.ofMillis(50)).succeeded()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
  }

  private static Attempt exec(Callable<Execution> engine, Duration limit) throws Exception {
    var runtime =
        (ContainerRuntime)
            Proxy.newProxyInstance(
                AttemptsTest.class.getClassLoader(),
                new Class<?>[] {ContainerRuntime.class},
                (_, _, _) -> engine.call());
    var target = new Target(new ContainerId("pod-1", "app", 0), TestNode.yaml("{}"), "10.1.2.3");
    return new Attempts(runtime).of(TestNode.yaml("{exec: {command: [x]}}"), target, limit);
  }

  @Test
  void anEngineThatIsAwaySaysNothingOfTheContainer() throws Exception {
    var away =
        exec(
            () -> {
              throw new IllegalStateException("list containers: connection refused");
            },
            LIMIT);
    assertThat(away.outcome()).isEqualTo(Attempt.Outcome.UNKNOWN);
  }

  @Test
  void aProgramThatIsNotEvenStartedHasFailedInTime() throws Exception {
    var never = new CountDownLatch(1);
    var attempt =
        exec(
            () -> {
              never.await();
              throw new IllegalStateException("is never started");
            },
            Duration.ofMillis(200));
    assertThat(attempt.outcome()).isEqualTo(Attempt.Outcome.FAILED);
    assertThat(attempt.said()).isEqualTo("command timed out: \"x\" timed out after 200ms");
  }

  /// A program that says nothing and has failed at once.
  private static class Silent implements Execution {
    @Override
    public OutputStream input() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream output() {
      return InputStream.nullInputStream();
    }

    @Override
    public InputStream error() {
      return InputStream.nullInputStream();
    }

    @Override
    public void resize(int columns, int rows) {}

    @Override
    public int await() throws InterruptedException {
      return 1;
    }

    @Override
    public void close() {}
  }

  /// Whose words are there when the program has ended, and are still to be read.
  private static final class Said extends Silent {
    private final String words;

    Said(String words) {
      this.words = words;
    }

    @Override
    public InputStream output() {
      return new ByteArrayInputStream(words.getBytes(UTF_8)) {
        @Override
        public synchronized int read(byte[] target, int offset, int length) {
          LockSupport.parkNanos(20_000_000);
          return super.read(target, offset, length);
        }
      };
    }
  }

  @Test
  void whatAProgramHasSaidIsWaitedFor() throws Exception {
    assertThat(exec(() -> new Said("no such table"), LIMIT).said()).isEqualTo("no such table");
  }

  /// A program whose killing takes a moment, as it does with a real engine.
  private static final class Slow extends Silent {
    private final CountDownLatch waitedFor = new CountDownLatch(1);
    private volatile boolean closed;

    @Override
    public int await() throws InterruptedException {
      waitedFor.countDown();
      new CountDownLatch(1).await();
      return 0;
    }

    @Override
    public void close() {
      LockSupport.parkNanos(100_000_000);
      closed = true;
    }
  }

  /// NSHT-03: the agent that stops says that it is done when no program of its is left.
  @Test
  void whoGivesUpWaitsUntilTheProgramIsKilled() throws Exception {
    var slow = new Slow();
    var trying =
        Thread.startVirtualThread(() -> {
          try {
            exec(() -> slow, Duration.ofMinutes(5));
          } catch (Exception _) {
            // given up
          }
        });
    slow.waitedFor.await();
    trying.interrupt();
    trying.join();
    assertThat(slow.closed).isTrue();
  }
}
