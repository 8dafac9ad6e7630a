package dev.berth.csi.socket;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.logging.Level;
import java.util.logging.Logger;

/// The threads that move bytes over all of this process's gRPC sockets.
///
/// They move bytes, and run what never blocks: interceptors, and handlers that answer from memory
/// ([HandlerThreads]). All other handlers run on virtual threads, and a blocking caller takes its
/// answer up itself. So a few of them serve any number of connections; they are daemons and never
/// end.
public final class SocketThreads {
  private static final int THREADS = Math.min(2, Runtime.getRuntime().availableProcessors());

  /// gRPC asks every connection for SO_KEEPALIVE, which Unix sockets do not have, and Netty warns
  /// of it each time (GRPC-10). Held here, since loggers without a holder lose their level.
  private static final Logger KEEPALIVE_WARNINGS = Logger.getLogger("io.netty.bootstrap");

  private static final EventLoopGroup GROUP =
      new MultiThreadIoEventLoopGroup(
          THREADS, new DefaultThreadFactory("csi-socket", true), NioIoHandler.newFactory());

  static {
    KEEPALIVE_WARNINGS.setLevel(Level.SEVERE);
  }

  /// For [io.grpc.netty.NettyChannelBuilder] and [io.grpc.netty.NettyServerBuilder]; not to be shut
  /// down.
  public static EventLoopGroup group() {
    return GROUP;
  }

  private SocketThreads() {}
}
