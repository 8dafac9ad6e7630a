package dev.berth.csi.client;

import dev.berth.csi.registration.v1.RegistrationGrpc;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketThreads;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.GroupControllerGrpc;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.SnapshotMetadataGrpc;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.AbstractBlockingStub;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// A driver behind a Unix socket.
///
/// Opening does no I/O: the first call connects, and every call after a broken connection connects
/// anew, at once. A driver that is not there answers UNAVAILABLE right away rather than at the
/// deadline. Safe for any number of threads; calls run side by side on one connection. It is never
/// closed for idleness, which would look like a lost driver (PROV-03).
public final class CsiConnection implements AutoCloseable {
  /// ListVolumes of a large driver passes gRPC's usual 4 MiB.
  private static final int LARGEST_ANSWER = 64 << 20;

  /// Of all headers together, the words of a refusal among them: what Go's clients take.
  private static final int LARGEST_HEADERS = 16 << 20;

  /// From this on gRPC does not close idle connections at all.
  private static final int NEVER_DAYS = 30;

  /// What calls in flight are given when the connection ends.
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final ManagedChannel channel;
  private final CallsInFlight calls;
  private final Channel checked;

  private CsiConnection(ManagedChannel channel, CallsInFlight calls, Channel checked) {
    this.channel = channel;
    this.calls = calls;
    this.checked = checked;
  }

  /// Talks to a driver; connects with the first call.
  ///
  /// @param socket absolute path of the driver's socket; need not exist yet
  public static CsiConnection open(Path socket) {
    var address = new SocketPath(socket).address();
    var calls = new CallsInFlight();
    var channel =
        NettyChannelBuilder.forAddress(address)
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(SocketThreads.group())
            .usePlaintext()
            .overrideAuthority("localhost") // the path would be refused by strict servers, GRPC-05
            .maxInboundMessageSize(LARGEST_ANSWER)
            .maxInboundMetadataSize(LARGEST_HEADERS)
            .idleTimeout(NEVER_DAYS, TimeUnit.DAYS)
            .disableRetry()
            .intercept(new CallLog(), calls)
            .directExecutor() // blocking callers take their answers up themselves
            .build();
    return new CsiConnection(
        channel, calls, ClientInterceptors.intercept(channel, new AnswerCheck()));
  }

  /// The same connection, whose calls from there pass `interceptor` first. To be closed once.
  public CsiConnection through(ClientInterceptor interceptor) {
    return new CsiConnection(channel, calls, ClientInterceptors.intercept(checked, interceptor));
  }

  /// Who the driver is and whether it can work.
  ///
  /// @param timeout how long one call may take
  public IdentityCalls identity(Duration timeout) {
    return new GrpcIdentity(stubs(IdentityGrpc::newBlockingStub, timeout));
  }

  /// The Controller service.
  ///
  /// @param timeout how long one call may take
  public ControllerCalls controller(Duration timeout) {
    return new GrpcController(stubs(ControllerGrpc::newBlockingStub, timeout));
  }

  /// The GroupController service.
  ///
  /// @param timeout how long one call may take
  public GroupControllerCalls groupController(Duration timeout) {
    return new GrpcGroupController(stubs(GroupControllerGrpc::newBlockingStub, timeout));
  }

  /// The SnapshotMetadata service.
  ///
  /// @param timeout how long a whole stream may take
  public SnapshotMetadataCalls snapshotMetadata(Duration timeout) {
    return new GrpcSnapshotMetadata(stubs(SnapshotMetadataGrpc::newBlockingStub, timeout));
  }

  /// The Node service.
  ///
  /// @param timeout how long one call may take
  public NodeCalls node(Duration timeout) {
    return new GrpcNode(stubs(NodeGrpc::newBlockingStub, timeout));
  }

  /// For a plugin's registration socket.
  ///
  /// @param timeout how long one call may take
  public RegistrationCalls registration(Duration timeout) {
    return new GrpcRegistration(stubs(RegistrationGrpc::newBlockingStub, timeout));
  }

  /// The connection itself, for calls that no sane caller makes: conformance checks cancel, leave
  /// out and overdo, and look at what gRPC says beside an answer.
  public Channel channel() {
    makeReady();
    return channel;
  }

  private <S extends AbstractBlockingStub<S>> Stubs<S> stubs(
      Function<Channel, S> stub, Duration timeout) {
    return new Stubs<>(
        () -> {
          makeReady();
          return stub.apply(checked);
        },
        timeout);
  }

  /// Has the channel try to connect. After a failed attempt gRPC would fail every call unseen until
  /// its back-off ends, a second and more after the driver is back; idle, it tries anew (GRPC-13).
  private void makeReady() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) channel.enterIdle();
  }

  /// Calls `lost` once, as soon as the connection that the calls before have used is no longer
  /// there; at once if that is so already. Not after [#close].
  ///
  /// @param lost must not block
  public void whenLost(Runnable lost) {
    var state = channel.getState(false);
    if (state == ConnectivityState.SHUTDOWN) return;
    if (state == ConnectivityState.READY)
      channel.notifyWhenStateChanged(ConnectivityState.READY, () -> whenLost(lost));
    else lost.run();
  }

  /// Ends the connection. Calls in flight get five seconds to finish, then they fail as CANCELLED
  /// or UNAVAILABLE.
  @Override
  public void close() {
    channel.shutdown();
    try {
      // gRPC ends by itself only seconds after it last gave up connecting, calls or none
      calls.awaitNone(GRACE);
      channel.shutdownNow();
      channel.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      channel.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
