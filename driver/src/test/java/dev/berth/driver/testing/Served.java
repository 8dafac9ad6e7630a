package dev.berth.driver.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.csi.client.IdentityCalls;
import dev.berth.csi.client.NodeCalls;
import dev.berth.csi.client.SnapshotMetadataCalls;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.DriverServer;
import dev.berth.driver.spi.Driver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// A driver behind a real socket, and a client of it.
public final class Served implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  public final Path folder;
  public final Path socket;
  public final DriverServer server;
  public final CsiConnection connection;

  private Served(Driver driver, DriverServer.Options options) throws IOException {
    folder = Files.createTempDirectory("sdk");
    socket = folder.resolve("csi.sock");
    server = DriverServer.start(socket, driver, options);
    connection = CsiConnection.open(socket);
  }

  public static Served of(Driver driver) throws IOException {
    return new Served(driver, DriverServer.Options.all());
  }

  public static Served of(Driver driver, DriverServer.Options options) throws IOException {
    return new Served(driver, options);
  }

  public IdentityCalls identity() {
    return connection.identity(PATIENCE);
  }

  public ControllerCalls controller() {
    return connection.controller(PATIENCE);
  }

  public GroupControllerCalls groups() {
    return connection.groupController(PATIENCE);
  }

  public SnapshotMetadataCalls metadata() {
    return connection.snapshotMetadata(PATIENCE);
  }

  public NodeCalls node() {
    return connection.node(PATIENCE);
  }

  /// A request for a volume of 1 MiB that every toy can make.
  public static CreateVolumeRequest.Builder wanted(String name) {
    var wish =
        CreateVolumeRequest.newBuilder()
            .setName(name)
            .addVolumeCapabilities(mount(Mode.SINGLE_NODE_WRITER));
    wish.getCapacityRangeBuilder().setRequiredBytes(1 << 20);
    return wish;
  }

  public static VolumeCapability.Builder mount(Mode mode) {
    var capability = VolumeCapability.newBuilder();
    capability.getMountBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    return capability;
  }

  public static VolumeCapability.Builder block(Mode mode) {
    var capability = VolumeCapability.newBuilder();
    capability.getBlockBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    return capability;
  }

  /// Makes it and gives its id.
  public String create(CreateVolumeRequest.Builder wish) {
    return controller().createVolume(wish.build()).getVolume().getVolumeId();
  }

  public static void assertRefused(Code code, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class,
            e -> {
              assertThat(e.code()).as(e.description()).isEqualTo(code);
              assertThat(e.description()).contains(words);
            });
  }

  @Override
  public void close() throws IOException {
    connection.close();
    server.close();
    Files.deleteIfExists(socket);
    Files.delete(folder);
  }
}
