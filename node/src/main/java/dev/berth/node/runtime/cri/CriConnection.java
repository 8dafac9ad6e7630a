package dev.berth.node.runtime.cri;

import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketThreads;
import dev.berth.node.runtime.cri.v1.ContainerEventResponse;
import dev.berth.node.runtime.cri.v1.GetEventsRequest;
import dev.berth.node.runtime.cri.v1.ImageServiceGrpc;
import dev.berth.node.runtime.cri.v1.ImageServiceGrpc.ImageServiceBlockingStub;
import dev.berth.node.runtime.cri.v1.RuntimeServiceGrpc;
import dev.berth.node.runtime.cri.v1.RuntimeServiceGrpc.RuntimeServiceBlockingStub;
import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/// A container engine behind a Unix socket. Opening does no I/O; every call after a broken
/// connection connects anew, and one to an engine that is not there fails at once. Nothing of a
/// call is logged: there are passwords of registries among them.
final class CriConnection implements AutoCloseable {
  /// What kubelets give most calls.
  static final Duration USUAL = Duration.ofMinutes(2);

  /// Lists of large nodes pass gRPC's usual 4 MiB.
  private static final int LARGEST_ANSWER = 16 << 20;

  /// From this on gRPC does not close idle connections at all.
  private static final int NEVER_DAYS = 30;

  private final ManagedChannel channel;

  CriConnection(SocketPath socket) {
    channel =
        NettyChannelBuilder.forAddress(socket.address())
            .channelType(NioDomainSocketChannel.class, java.net.UnixDomainSocketAddress.class)
            .eventLoopGroup(SocketThreads.group())
            .usePlaintext()
            .overrideAuthority("localhost") // GRPC-05
            .maxInboundMessageSize(LARGEST_ANSWER)
            .idleTimeout(NEVER_DAYS, TimeUnit.DAYS)
            .disableRetry()
            .directExecutor() // blocking callers take their answers up themselves
            .build();
  }

  /// @param what for the words of a failure: `start container app`
  <A> A runtime(String what, Function<RuntimeServiceBlockingStub, A> rpc) {
    return runtime(what, USUAL, rpc);
  }

  <A> A runtime(String what, Duration timeout, Function<RuntimeServiceBlockingStub, A> rpc) {
    makeReady();
    try {
      return rpc.apply(RuntimeServiceGrpc.newBlockingStub(channel).withDeadlineAfter(timeout));
    } catch (StatusRuntimeException refused) {
      throw new CriException(refused, what);
    }
  }

  <A> A images(String what, Duration timeout, Function<ImageServiceBlockingStub, A> rpc) {
    makeReady();
    try {
      return rpc.apply(ImageServiceGrpc.newBlockingStub(channel).withDeadlineAfter(timeout));
    } catch (StatusRuntimeException refused) {
      throw new CriException(refused, what);
    }
  }

  /// Tells of what happens to containers until the engine ends the stream.
  void events(Consumer<ContainerEventResponse> each) {
    makeReady();
    var context = Context.current().withCancellation();
    try {
      context.run(() ->
          RuntimeServiceGrpc.newBlockingStub(channel)
              .getContainerEvents(GetEventsRequest.getDefaultInstance())
              .forEachRemaining(each));
    } catch (StatusRuntimeException ended) {
      throw new CriException(ended, "follow the events of containers");
    } finally {
      context.cancel(null);
    }
  }

  /// After a failed attempt gRPC would fail every call unseen until its back-off ends (GRPC-13).
  private void makeReady() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) channel.enterIdle();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
