package dev.berth.node.testing;

import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationGrpc;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What the registrar beside a driver does: shows a registration socket and says whose it is.
public final class TestRegistrar implements AutoCloseable {
  private final SocketServer server;

  /// Shows the socket.
  ///
  /// @param endpoint the driver's own socket
  public TestRegistrar(Path registry, String driver, Path endpoint) throws IOException {
    Files.createDirectories(registry);
    server =
        SocketServer.start(
            new SocketPath(registry.resolve(driver + "-reg.sock")),
            Takeover.IF_DEAD,
            List.of(new Offer(driver, endpoint).bindService()),
            List.of());
  }

  @Override
  public void close() {
    server.stop(Duration.ZERO);
  }

  private static final class Offer extends RegistrationGrpc.RegistrationImplBase {
    private final String driver;
    private final Path endpoint;

    Offer(String driver, Path endpoint) {
      this.driver = driver;
      this.endpoint = endpoint;
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> answer) {
      answer.onNext(
          PluginInfo.newBuilder()
              .setType("CSIPlugin")
              .setName(driver)
              .setEndpoint(endpoint.toString())
              .addSupportedVersions("1.0.0")
              .build());
      answer.onCompleted();
    }
  }
}
