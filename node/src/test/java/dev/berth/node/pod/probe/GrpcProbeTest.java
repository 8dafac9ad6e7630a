package dev.berth.node.pod.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.node.runtime.ContainerId;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `grpc` in a probe, at a server of gRPC's own (NRUN-10).
@Timeout(60)
class GrpcProbeTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private final Attempts attempts = new Attempts(new MemoryRuntime(new MemoryDriver()));
  private Server server;

  private static final Marshaller<byte[]> BYTES =
      new Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException broken) {
            throw new UncheckedIOException(broken);
          }
        }
      };

  @BeforeEach
  void start() throws IOException {
    var check =
        MethodDescriptor.newBuilder(BYTES, BYTES)
            .setType(MethodType.UNARY)
            .setFullMethodName("grpc.health.v1.Health/Check")
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder("grpc.health.v1.Health")
                    .addMethod(
                        check,
                        ServerCalls.asyncUnaryCall((request, answer) -> {
                          try {
                            answer.onNext(status(request));
                            answer.onCompleted();
                          } catch (StatusRuntimeException unknown) {
                            answer.onError(unknown);
                          }
                        }))
                    .build())
            .build()
            .start();
  }

  /// As the health service answers: the message has the service's name, or nothing.
  private static byte[] status(byte[] request) {
    var service =
        request.length == 0
            ? ""
            : new String(request, 2, request.length - 2, StandardCharsets.UTF_8);
    return switch (service) {
      case "" -> new byte[] {8, 1};
      case "ill" -> new byte[] {8, 2};
      case "odd" -> new byte[0];
      default -> throw Status.NOT_FOUND.asRuntimeException();
    };
  }

  @AfterEach
  void stop() throws InterruptedException {
    server.shutdownNow().awaitTermination();
  }

  private Attempt attempt(int port, String service, Duration limit) throws InterruptedException {
    var action = "{grpc: {port: %d%s}}".formatted(port, service);
    var target =
        new Target(new ContainerId("pod-1", "app", 0), TestNode.yaml("{name: app}"), "10.1.2.3");
    return attempts.of(TestNode.yaml(action), target, limit);
  }

  @Test
  void whatServesIsWell() throws Exception {
    assertThat(attempt(server.getPort(), "", LIMIT)).isEqualTo(Attempt.success());
    assertThat(attempt(server.getPort(), ", service: \"\"", LIMIT)).isEqualTo(Attempt.success());
  }

  @ParameterizedTest
  @CsvSource({"ill, NOT_SERVING", "odd, UNKNOWN"})
  void anyOtherStatusIsAFailure(String service, String status) throws Exception {
    assertThat(attempt(server.getPort(), ", service: " + service, LIMIT))
        .isEqualTo(Attempt.failure("service unhealthy (responded with \"%s\")".formatted(status)));
  }

  @Test
  void aServiceThatIsNotKnownIsAFailure() throws Exception {
    var name = "x".repeat(200);
    assertThat(attempt(server.getPort(), ", service: " + name, LIMIT).said())
        .contains("does not know the service \"" + name + "\"");
  }

  @Test
  void whoDoesNotAnswerHasFailedInTime() throws Exception {
    try (var silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      assertThat(attempt(silent.getLocalPort(), "", Duration.ofMillis(100)).said())
          .isEqualTo("timeout: health rpc did not complete within 100ms");
    }
    int port = server.getPort();
    server.shutdownNow().awaitTermination();
    assertThat(attempt(port, "", LIMIT).said()).startsWith("dial tcp 10.1.2.3:");
  }
}
