package dev.berth.csi.socket;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// gRPC services on a Unix socket. Every handler runs on a virtual thread of its own.
public final class SocketServer {
  /// Another server that goes away may unlink the hidden name that we are about to rename: both
  /// versions of a plugin use the same one.
  private static final int ATTEMPTS = 5;

  private final Server server;
  private final SocketFile file;

  private SocketServer(Server server, SocketFile file) {
    this.server = server;
    this.file = file;
  }

  /// Serves on `socket`, for its owner only.
  ///
  /// @param interceptors the first is the outermost; they must not block
  /// @throws SocketInUseException if the name is taken, see [Takeover]
  public static SocketServer start(
      SocketPath socket,
      Takeover takeover,
      List<ServerServiceDefinition> services,
      List<ServerInterceptor> interceptors)
      throws IOException {
    return start(socket, SocketAccess.OWNER_ONLY, takeover, services, Set.of(), interceptors);
  }

  /// Serves on `socket`.
  ///
  /// @param access who may connect
  /// @param atOnce methods whose handlers never block, and so take no thread
  /// @param interceptors the first is the outermost; they must not block
  /// @throws SocketInUseException if the name is taken, see [Takeover]
  public static SocketServer start(
      SocketPath socket,
      SocketAccess access,
      Takeover takeover,
      List<ServerServiceDefinition> services,
      Set<MethodDescriptor<?, ?>> atOnce,
      List<ServerInterceptor> interceptors)
      throws IOException {
    access.check();
    var all = new ArrayList<>(interceptors);
    all.add(new HandlerThreads(atOnce));
    for (int attempt = 1; ; attempt++) {
      SocketFile.claim(socket, takeover);
      var server = bound(socket, services, all);
      try {
        return new SocketServer(server, SocketFile.publish(socket, access));
      } catch (NoSuchFileException unlinked) {
        server.shutdownNow();
        if (attempt == ATTEMPTS) throw unlinked;
      } catch (IOException | RuntimeException e) {
        server.shutdownNow();
        throw e;
      }
    }
  }

  private static Server bound(
      SocketPath socket,
      List<ServerServiceDefinition> services,
      List<ServerInterceptor> interceptors)
      throws IOException {
    var builder =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(SocketFile.hidden(socket)))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(SocketThreads.group())
            .workerEventLoopGroup(SocketThreads.group())
            .directExecutor(); // threads are given by HandlerThreads
    services.forEach(builder::addService);
    interceptors.reversed().forEach(builder::intercept); // gRPC calls the last one first
    return builder.build().start();
  }

  /// Takes no more calls and lets those in flight finish. New ones fail as UNAVAILABLE.
  ///
  /// @param grace how long calls may go on; then they are cut off
  public void stop(Duration grace) {
    try {
      file.removeIfOurs();
    } catch (IOException e) {
      System.getLogger(SocketServer.class.getName())
          .log(System.Logger.Level.WARNING, "cannot remove the socket: " + e.getMessage());
    }
    server.shutdown();
    try {
      if (server.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.shutdownNow();
  }

  /// Returns when the server has ended.
  public void join() throws InterruptedException {
    server.awaitTermination();
  }
}
