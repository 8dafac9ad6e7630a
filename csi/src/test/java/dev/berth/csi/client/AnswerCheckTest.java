package dev.berth.csi.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// ERR-06 for answers that gRPC makes up because the driver's cannot be read. The driver here is
/// plain gRPC: nothing of ours bounds what it sends.
class AnswerCheckTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final MultiThreadIoEventLoopGroup threads =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("csi");
  }

  @AfterEach
  void removeFolder() throws IOException {
    threads.shutdownGracefully(0, 0, java.util.concurrent.TimeUnit.SECONDS);
    Files.deleteIfExists(folder.resolve("s"));
    Files.delete(folder);
  }

  @Test
  void aLongRefusalKeepsItsCode() throws IOException {
    var refusal = refusal(refuses(Code.ABORTED, "mkfs said " + "é".repeat(20_000) + " and died"));

    assertThat(refusal.code()).isEqualTo(Code.ABORTED);
    assertThat(refusal.uncertain()).isTrue();
    assertThat(refusal.description()).startsWith("mkfs said éé").endsWith("éé and died");
  }

  /// It becomes part of annotations, conditions and events, which have limits of their own.
  @Test
  void theWordsOfARefusalAreBounded() throws IOException {
    var refusal = refusal(refuses(Code.INVALID_ARGUMENT, "x".repeat(1_000_000)));

    assertThat(refusal.uncertain()).isFalse();
    assertThat(refusal.description()).hasSizeLessThan(5_000);
  }

  @Test
  void aRefusalThatIsTooLongToReadIsInDoubt() throws IOException {
    assertInDoubt(refuses(Code.INTERNAL, "x".repeat(17 << 20)), "Header size exceeded");
    assertInDoubt(refuses(Code.INTERNAL, "x".repeat(30 << 20)), "");
  }

  @Test
  void aStreamThatIsResetIsInDoubt() throws IOException {
    // A unary method that completes without an answer: gRPC resets the stream.
    assertInDoubt(call -> call.close(Status.OK, new Metadata()), "RST_STREAM");
  }

  @Test
  void anOkWithoutAMessageIsInDoubt() throws IOException {
    assertInDoubt(
        MethodType.SERVER_STREAMING, call -> call.close(Status.OK, new Metadata()), "no message");
  }

  @Test
  void anOkWithTwoMessagesIsInDoubt() throws IOException {
    assertInDoubt(
        MethodType.SERVER_STREAMING,
        call -> {
          call.sendHeaders(new Metadata());
          call.sendMessage(CreateVolumeResponse.getDefaultInstance());
          call.sendMessage(CreateVolumeResponse.getDefaultInstance());
          call.close(Status.OK, new Metadata());
        },
        "");
  }

  @Test
  void whatTheDriverSaidItselfStandsAsItIs() throws IOException {
    for (var code : Code.values()) {
      if (code == Code.OK) continue;
      var refusal = refusal(refuses(code, "no"));
      assertThat(refusal.code()).isEqualTo(code);
      assertThat(refusal.description()).isEqualTo("no");
    }
  }

  private static Consumer<ServerCall<CreateVolumeRequest, CreateVolumeResponse>> refuses(
      Code code, String words) {
    return call -> call.close(Status.fromCode(code).withDescription(words), new Metadata());
  }

  private void assertInDoubt(
      Consumer<ServerCall<CreateVolumeRequest, CreateVolumeResponse>> behaviour, String words)
      throws IOException {
    assertInDoubt(MethodType.UNARY, behaviour, words);
  }

  private void assertInDoubt(
      MethodType type,
      Consumer<ServerCall<CreateVolumeRequest, CreateVolumeResponse>> behaviour,
      String words)
      throws IOException {
    var refusal = refusal(type, behaviour);
    assertThat(refusal.uncertain()).as(refusal.getMessage()).isTrue();
    assertThat(refusal.description()).contains(words);
  }

  private CsiException refusal(
      Consumer<ServerCall<CreateVolumeRequest, CreateVolumeResponse>> behaviour)
      throws IOException {
    return refusal(MethodType.UNARY, behaviour);
  }

  /// What a caller makes of a driver that behaves like this.
  private CsiException refusal(
      MethodType type, Consumer<ServerCall<CreateVolumeRequest, CreateVolumeResponse>> behaviour)
      throws IOException {
    var server = serve(type, behaviour);
    try (var connection = CsiConnection.open(folder.resolve("s"))) {
      var controller = connection.controller(SOON);
      return catchThrowableOfType(
          CsiException.class,
          () -> controller.createVolume(CreateVolumeRequest.getDefaultInstance()));
    } finally {
      server.shutdownNow();
      Files.deleteIfExists(folder.resolve("s"));
    }
  }

  private Server serve(
      MethodType type, Consumer<ServerCall<CreateVolumeRequest, CreateVolumeResponse>> behaviour)
      throws IOException {
    MethodDescriptor<CreateVolumeRequest, CreateVolumeResponse> method =
        ControllerGrpc.getCreateVolumeMethod().toBuilder().setType(type).build();
    var service =
        ServerServiceDefinition.builder(ControllerGrpc.SERVICE_NAME)
            .addMethod(
                method,
                (call, _) -> {
                  call.request(1);
                  return new Listener<>() {
                    @Override
                    public void onHalfClose() {
                      behaviour.accept(call);
                    }
                  };
                })
            .build();
    return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(folder.resolve("s")))
        .channelType(NioServerDomainSocketChannel.class)
        .bossEventLoopGroup(threads)
        .workerEventLoopGroup(threads)
        .directExecutor()
        .addService(service)
        .build()
        .start();
  }
}
