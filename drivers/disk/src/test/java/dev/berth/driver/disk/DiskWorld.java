package dev.berth.driver.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.NodeCalls;
import dev.berth.csi.socket.SocketThreads;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.DriverServer;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// A pool of its own, drivers on it as nodes, and nothing left of them at the end.
final class DiskWorld implements AutoCloseable {
  static final long MIB = 1L << 20;

  final Path folder;
  final Path pool;
  private final List<DiskDriver> drivers = new ArrayList<>();
  private final List<DriverServer> servers = new ArrayList<>();
  private final List<CsiConnection> connections = new ArrayList<>();

  private DiskWorld(Path folder) {
    this.folder = folder;
    this.pool = folder.resolve("pool");
  }

  /// Skips the test where there are no loop devices for us.
  static DiskWorld make() throws IOException {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
    return new DiskWorld(Files.createTempDirectory("disk"));
  }

  /// Puts the pool on a disk of its own.
  ///
  /// @param sector bytes in a sector of that disk
  void mountPool(FileSystemType type, long bytes, int sector) throws IOException {
    var disk = folder.resolve("disk.img");
    try (var file = new RandomAccessFile(disk.toFile(), "rw")) {
      file.setLength(bytes);
    }
    directory("pool");
    var options = LoopOptions.UNTIL_UNUSED.withBlocks(sector);
    try (var loop = new LoopDevices().attach(disk, options)) {
      var blocks = type == FileSystemType.EXT4 ? List.of("-b", "4096") : List.<String>of();
      new FileSystemTools(Tools.ofThisMachine()).make(type, loop.device(), blocks);
      Mounts.ofThisMachine().mount(type.word(), loop.device().toString(), pool, MountOptions.NONE);
    }
  }

  /// A driver on the pool, behind its socket.
  CsiConnection node(String name) throws IOException {
    return node(DiskOptions.of(List.of(pool), name));
  }

  CsiConnection node(DiskOptions options) throws IOException {
    var driver = DiskDriver.open(options);
    drivers.add(driver);
    var socket = folder.resolve(options.node() + "-" + servers.size() + ".sock");
    servers.add(DriverServer.start(socket, driver));
    var connection = CsiConnection.open(socket);
    connections.add(connection);
    return connection;
  }

  /// A bare channel to the driver that was started last, for calls that no client of ours makes.
  ManagedChannel channel() throws IOException {
    try (var files = Files.list(folder)) {
      var socket = files.filter(it -> it.toString().endsWith(".sock")).findFirst().orElseThrow();
      return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
          .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
          .eventLoopGroup(SocketThreads.group())
          .usePlaintext()
          .overrideAuthority("localhost")
          .build();
    }
  }

  static ControllerCalls controller(CsiConnection connection) {
    return connection.controller(Duration.ofSeconds(60));
  }

  static NodeCalls node(CsiConnection connection) {
    return connection.node(Duration.ofSeconds(60));
  }

  static VolumeCapability mount(Mode mode) {
    return mount(mode, "ext4");
  }

  static VolumeCapability mount(Mode mode, String fsType) {
    var capability = VolumeCapability.newBuilder();
    capability.getMountBuilder().setFsType(fsType);
    capability.getAccessModeBuilder().setMode(mode);
    return capability.build();
  }

  static VolumeCapability block(Mode mode) {
    var capability = VolumeCapability.newBuilder();
    capability.getBlockBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    return capability.build();
  }

  static CreateVolumeRequest.Builder wanted(String name, long bytes, VolumeCapability use) {
    var request = CreateVolumeRequest.newBuilder().setName(name).addVolumeCapabilities(use);
    request.getCapacityRangeBuilder().setRequiredBytes(bytes);
    return request;
  }

  static Volume createVolume(CsiConnection driver, String name, long bytes, VolumeCapability use) {
    return controller(driver).createVolume(wanted(name, bytes, use).build()).getVolume();
  }

  static void attach(CsiConnection driver, String id, String node, VolumeCapability use) {
    controller(driver)
        .controllerPublishVolume(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setNodeId(node)
                .setVolumeCapability(use)
                .build());
  }

  static void detach(CsiConnection driver, String id, String node) {
    controller(driver)
        .controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest.newBuilder().setVolumeId(id).setNodeId(node).build());
  }

  static void stage(CsiConnection driver, String id, Path directory, VolumeCapability use) {
    node(driver)
        .nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(directory.toString())
                .setVolumeCapability(use)
                .build());
  }

  static void publish(
      CsiConnection driver, String id, Path staged, Path target, VolumeCapability use) {
    node(driver).nodePublishVolume(published(id, staged, target, use).build());
  }

  static NodePublishVolumeRequest.Builder published(
      String id, Path staged, Path target, VolumeCapability use) {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(id)
        .setStagingTargetPath(staged.toString())
        .setTargetPath(target.toString())
        .setVolumeCapability(use);
  }

  static void unpublish(CsiConnection driver, String id, Path target) {
    node(driver)
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target.toString())
                .build());
  }

  static void unstage(CsiConnection driver, String id, Path directory) {
    node(driver)
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(directory.toString())
                .build());
  }

  static void delete(CsiConnection driver, String id) {
    controller(driver).deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  static void assertRefused(Status.Code code, String words, ThrowingCallable call) {
    Assertions.assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class,
            e -> {
              Assertions.assertThat(e.code()).as(e.description()).isEqualTo(code);
              Assertions.assertThat(e.description()).contains(words);
            });
  }

  Path directory(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  Path image(String volumeId) {
    return pool.resolve("volumes").resolve(volumeId + ".img");
  }

  /// Files of volumes in the pool.
  List<String> volumeFiles() throws IOException {
    return files("volumes");
  }

  List<String> files(String part) throws IOException {
    try (var files = Files.list(pool.resolve(part))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /// Loop devices on files of this pool.
  List<Path> loops() {
    return new LoopDevices()
        .attached().stream()
            .filter(loop -> loop.backingFile().startsWith(pool.toString()))
            .map(loop -> loop.device())
            .toList();
  }

  /// Mounts in this world, latest first.
  List<Path> mounts() {
    return Mounts.ofThisMachine().table().under(folder).stream()
        .map(entry -> entry.target())
        .toList();
  }

  /// What sysfs says of the devices of the pool's volumes.
  ///
  /// @param file such as `loop/dio`
  List<String> queue(String file) throws IOException {
    var said = new ArrayList<String>();
    for (var loop : loops())
      said.add(
          Files.readString(Path.of("/sys/block", loop.getFileName().toString(), file)).strip());
    return said;
  }

  /// What is mounted in this world, and how.
  List<String> table() {
    return Mounts.ofThisMachine().table().under(folder).stream()
        .map(it -> "%s on %s (%s)".formatted(it.source(), it.target(), it.superOptions()))
        .toList();
  }

  /// Ends all drivers, as an orderly stop does; what is mounted stays.
  void stopDrivers() {
    connections.forEach(CsiConnection::close);
    servers.forEach(DriverServer::close);
    drivers.forEach(DiskDriver::close);
    connections.clear();
    servers.clear();
    drivers.clear();
  }

  @Override
  public void close() throws IOException {
    stopDrivers();
    var devices = new LoopDevices();
    var ours =
        devices.attached().stream()
            .filter(loop -> loop.backingFile().startsWith(folder.toString()))
            .toList(); // below a pool that is unmounted nobody would find them
    for (var mount : mounts()) Mounts.ofThisMachine().unmount(mount, Mounts.Unmount.LAZY);
    for (var loop : ours)
      if (devices.at(loop.device()).filter(it -> it.inode() == loop.inode()).isPresent())
        devices.detach(loop.device());
    if (!mounts().isEmpty()) throw new IllegalStateException("still mounted: " + mounts());
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }
}
