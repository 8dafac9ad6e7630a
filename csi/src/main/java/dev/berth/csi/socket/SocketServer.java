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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// gRPC services on a Unix socket. Every handler runs on a virtual thread of its own.
public final class SocketServer {
  /// Another server that goes away may unlink the hidden name that we are about to rename: both
  /// versions of a plugin use the same one.
  private static final int ATTEMPTS = 5;

  /// How long a server that has just been bound is waited for; it is published all the same.
  private static final Duration FIRST_WORD = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(SocketServer.class);

  private final Server server;
  private final SocketFile file;
  private final HandlerThreads handlers;

  private SocketServer(Server server, SocketFile file, HandlerThreads handlers) {
    this.server = server;
    this.file = file;
    this.handlers = handlers;
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
    var all = new ArrayList<ServerInterceptor>();
    all.add(new BoundedWords());
    all.addAll(interceptors);
    var handlers = new HandlerThreads(atOnce);
    all.add(handlers);
    for (int attempt = 1; ; attempt++) {
      SocketFile.claim(socket, takeover);
      var server = bound(socket, services, all);
      var _ = FirstClient.greet(SocketFile.hidden(socket), FIRST_WORD);
      try {
        return new SocketServer(server, SocketFile.publish(socket, access), handlers);
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

  /// Takes no more calls and lets those in flight finish, those whose callers have gone included.
  /// New ones fail as UNAVAILABLE.
  ///
  /// @param grace how long calls may go on; then they are cut off
  public void stop(Duration grace) {
    try {
      file.removeIfOurs();
    } catch (IOException e) {
      log.warn("cannot remove the socket: {}", e.getMessage());
    }
    server.shutdown();
    var end = System.nanoTime() + grace.toNanos();
    try {
      if (!server.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) server.shutdownNow();
      var left = handlers.drain(end - System.nanoTime());
      if (left > 0) log.warn("{} calls have not finished in {} and are cut off", left, grace);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.shutdownNow();
    }
  }

  /// Returns when the server has ended.
  public void join() throws InterruptedException {
    server.awaitTermination();
  }
}
