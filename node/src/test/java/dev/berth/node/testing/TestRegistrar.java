package dev.berth.node.testing;

import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationGrpc;
import dev.berth.csi.registration.v1.RegistrationStatus;
import dev.berth.csi.registration.v1.RegistrationStatusResponse;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the registrar beside a driver does: shows a registration socket and says whose it is.
public final class TestRegistrar implements AutoCloseable {
  private final SocketServer server;
  private volatile @Nullable RegistrationStatus told;

  /// Shows the socket.
  ///
  /// @param endpoint the driver's own socket
  public TestRegistrar(Path registry, String driver, Path endpoint) throws IOException {
    this(registry.resolve(driver + "-reg.sock"), driver, endpoint, "1.0.0");
  }

  /// Shows `socket`, as one of several of a driver.
  ///
  /// @param version of the registration API that it offers
  public TestRegistrar(Path socket, String driver, Path endpoint, String version)
      throws IOException {
    Files.createDirectories(socket.getParent());
    server =
        SocketServer.start(
            new SocketPath(socket),
            Takeover.IF_DEAD,
            List.of(new Offer(driver, endpoint, version).bindService()),
            List.of());
  }

  /// What the node agent has told last; empty: nothing yet.
  public Optional<RegistrationStatus> told() {
    return Optional.ofNullable(told);
  }

  @Override
  public void close() {
    server.stop(Duration.ZERO);
  }

  private final class Offer extends RegistrationGrpc.RegistrationImplBase {
    private final String driver;
    private final Path endpoint;
    private final String version;

    Offer(String driver, Path endpoint, String version) {
      this.driver = driver;
      this.endpoint = endpoint;
      this.version = version;
    }

    @Override
    public void notifyRegistrationStatus(
        RegistrationStatus status, StreamObserver<RegistrationStatusResponse> answer) {
      told = status;
      answer.onNext(RegistrationStatusResponse.getDefaultInstance());
      answer.onCompleted();
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> answer) {
      answer.onNext(
          PluginInfo.newBuilder()
              .setType("CSIPlugin")
              .setName(driver)
              .setEndpoint(endpoint.toString())
              .addSupportedVersions(version)
              .build());
      answer.onCompleted();
    }
  }
}
