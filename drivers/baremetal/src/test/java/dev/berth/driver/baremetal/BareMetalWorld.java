package dev.berth.driver.baremetal;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.http.HttpServer;
import dev.berth.apiserver.http.PodLogs;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.NodeCalls;
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
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Wiping;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/// An API server of its own, nodes with drives that are files, and nothing left of them at the end.
final class BareMetalWorld implements AutoCloseable {
  static final long MIB = 1L << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  final Path folder;
  final Path drives;
  final Api api;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final EmbeddedApiServer server;
  private final List<AutoCloseable> closing = new ArrayList<>();
  private int sockets;

  private BareMetalWorld(Path folder) throws Exception {
    this.folder = folder;
    drives = folder.resolve("drives.yaml");
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, threads);
  }

  /// Skips the test where there are no loop devices for us.
  ///
  /// @param plan the drives, as YAML
  static BareMetalWorld of(String plan) throws Exception {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
    var world = new BareMetalWorld(Files.createTempDirectory("metal"));
    world.plan(plan);
    return world;
  }

  /// For other processes: how to reach the server, which listens from the first call on.
  Path kubeconfig() throws IOException {
    var file = folder.resolve("kubeconfig");
    if (Files.exists(file)) return file;
    var credentials = Credentials.in(folder.resolve("credentials"));
    var http =
        HttpServer.start(
            server,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            credentials,
            PodLogs.NONE,
            () -> "");
    closing.add(http);
    credentials.writeKubeconfig(file, http.url());
    return file;
  }

  /// Says anew what drives there are.
  void plan(String yaml) throws IOException {
    var fresh = drives.resolveSibling("drives.new");
    Files.writeString(fresh, yaml);
    Files.move(fresh, drives, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// A controller and a node in one process.
  CsiConnection node(String name) throws Exception {
    return driver(name, Set.of(Service.values()));
  }

  CsiConnection driver(String name, Set<Service> services) throws Exception {
    return driver(new BareMetalOptions(name, Optional.of(drives), folder.resolve("img"), services));
  }

  CsiConnection driver(BareMetalOptions options) throws Exception {
    var services = options.services();
    var driver = BareMetalDriver.open(options, api);
    closing.add(driver);
    var socket = folder.resolve(++sockets + ".sock");
    closing.add(DriverServer.start(socket, driver, DriverServer.Options.of(services)));
    var connection = CsiConnection.open(socket);
    closing.add(connection);
    return connection;
  }

  /// A node without a socket, whose end is the caller's.
  ///
  /// @param api what it has of the cluster
  BareMetalDriver started(String name, Api api) throws Exception {
    return BareMetalDriver.open(
        new BareMetalOptions(
            name, Optional.of(drives), folder.resolve("img"), Set.of(Service.NODE)),
        api);
  }

  /// Writes where a volume stands, as if that was the last that its node has said.
  void status(LocalVolume volume, String status) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("status").put("CSIStatus", status);
    api.patchStatus(BareMetalKinds.VOLUMES, volume.meta().key(), Patch.merge(patch));
  }

  /// Notes of a drive how far its wipe has come, as if that was the last that its node has said.
  void wiping(Drive drive, String of, long done) {
    new Registry(api).noteWiping(drive.meta(), Optional.of(new Wiping(of, done)));
  }

  static ControllerCalls controller(CsiConnection connection) {
    return connection.controller(Duration.ofSeconds(60));
  }

  static NodeCalls node(CsiConnection connection) {
    return connection.node(Duration.ofSeconds(60));
  }

  static VolumeCapability mount(String fsType) {
    var capability = VolumeCapability.newBuilder();
    capability.getMountBuilder().setFsType(fsType);
    capability.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    return capability.build();
  }

  static VolumeCapability block() {
    var capability = VolumeCapability.newBuilder();
    capability.getBlockBuilder();
    capability.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    return capability.build();
  }

  static CreateVolumeRequest.Builder wanted(String name, long bytes, VolumeCapability use) {
    var request = CreateVolumeRequest.newBuilder().setName(name).addVolumeCapabilities(use);
    request.getCapacityRangeBuilder().setRequiredBytes(bytes);
    return request;
  }

  static Volume create(CsiConnection driver, String name, long bytes, VolumeCapability use) {
    return controller(driver).createVolume(wanted(name, bytes, use).build()).getVolume();
  }

  static void delete(CsiConnection driver, String id) {
    controller(driver).deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  Path folder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  void stage(CsiConnection driver, String id, VolumeCapability use) throws IOException {
    node(driver)
        .nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(folder("stage-" + id).toString())
                .setVolumeCapability(use)
                .build());
  }

  void unstage(CsiConnection driver, String id) throws IOException {
    node(driver)
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(folder("stage-" + id).toString())
                .build());
  }

  Path target(String id) throws IOException {
    return folder("pods").resolve(id);
  }

  void publish(CsiConnection driver, String id, VolumeCapability use) throws IOException {
    node(driver)
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(folder("stage-" + id).toString())
                .setTargetPath(target(id).toString())
                .setVolumeCapability(use)
                .build());
  }

  void unpublish(CsiConnection driver, String id) throws IOException {
    node(driver)
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target(id).toString())
                .build());
  }

  <T extends KubeObject> List<T> all(Kind<T> kind) {
    return api.list(kind.resource(), "", Selector.ALL).items().stream().map(kind.read()).toList();
  }

  /// The drive with this serial number, when it is as wanted.
  Drive drive(String serial, Predicate<Drive> wanted) {
    return await("drive " + serial)
        .pollInterval(Duration.ofMillis(20))
        .atMost(PATIENCE)
        .until(
            () ->
                all(BareMetalKinds.DRIVE).stream()
                    .filter(it -> it.identity().serial().equals(serial))
                    .findFirst(),
            found -> found.filter(wanted).isPresent())
        .orElseThrow();
  }

  LocalVolume volume(String id, Predicate<LocalVolume> wanted) {
    return await("volume " + id)
        .pollInterval(Duration.ofMillis(20))
        .atMost(PATIENCE)
        .until(
            () -> all(BareMetalKinds.VOLUME).stream().filter(it -> it.id().equals(id)).findFirst(),
            found -> found.filter(wanted).isPresent())
        .orElseThrow();
  }

  void annotate(Kind<?> kind, ObjectKey key, String name, String value) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").putObject("annotations").put(name, value);
    api.patch(kind.resource(), key, Patch.merge(body));
  }

  /// Reasons of the events about an object.
  List<String> events(String name) {
    return api.list(Resources.EVENTS, "", Selector.ALL).items().stream()
        .filter(it -> Json.text(it.path("involvedObject"), "name").equals(name))
        .map((ObjectNode it) -> Json.text(it, "reason"))
        .toList();
  }

  /// The image of a drive.
  Path image(String node, String serial) {
    return folder.resolve("img").resolve(node + "-" + serial + ".img");
  }

  /// The device of a drive.
  Path device(String node, String serial) {
    return new LoopDevices().anyOf(image(node, serial)).orElseThrow().device();
  }

  /// The device of the partition on a drive.
  Path partition(String node, String serial) {
    var device = device(node, serial);
    return device.resolveSibling(device.getFileName() + "p1");
  }

  /// The device of a volume that shares its drive.
  Path share(String id) throws IOException {
    var volume = volume(id, _ -> true);
    var image = pool(volume.location()).resolve(volume.meta().uid() + ".img");
    return new LoopDevices().anyOf(image).orElseThrow().device();
  }

  private Path pool(String drive) {
    return folder.resolve("img/pools").resolve(drive);
  }

  /// As if whatever is mounted of a shared drive had been taken away: a drive that is mounted
  /// cannot be pulled from a test.
  void letGo(String serial) throws IOException {
    letGo(pool(drive(serial, _ -> true).uuid()));
  }

  /// Does something to what is on a shared drive, which nobody has mounted.
  void inPool(String serial, Change change) throws IOException {
    var mounts = Mounts.ofThisMachine();
    var place = folder("in-pool");
    var device = device("a", serial);
    mounts.mount("ext4", device.toString(), place, MountOptions.NONE);
    try {
      change.in(place);
    } finally {
      mounts.unmount(place, Mounts.Unmount.IF_UNUSED);
    }
  }

  /// What is done in a folder.
  interface Change {
    void in(Path folder) throws IOException;
  }

  private static void letGo(Path pool) throws IOException {
    var mounts = Mounts.ofThisMachine();
    if (mounts.at(pool).isEmpty()) return;
    var loops = new LoopDevices();
    try (var images = Files.list(pool)) {
      for (var image : images.toList())
        for (var loop : loops.of(image)) loops.detach(loop.device());
    }
    mounts.unmount(pool, Mounts.Unmount.IF_UNUSED);
  }

  /// Waits until so much is told to be free on a drive.
  void capacity(Drive drive, long bytes) {
    await("capacity of " + drive.uuid())
        .pollInterval(Duration.ofMillis(20))
        .atMost(PATIENCE)
        .until(() ->
            all(BareMetalKinds.CAPACITY).stream()
                .anyMatch(it -> it.location().equals(drive.uuid()) && it.size() == bytes));
  }

  /// Ends every process that was started so far.
  void end() throws Exception {
    for (var each : closing.reversed()) each.close();
    closing.clear();
  }

  @Override
  public void close() throws Exception {
    end();
    server.close();
    threads.close();
    var mounts = Mounts.ofThisMachine();
    for (var mount : mounts.table().under(folder))
      if (!mount.target().startsWith(folder.resolve("img")))
        mounts.unmount(mount.target(), Mounts.Unmount.LAZY);
    if (Files.isDirectory(folder.resolve("img/pools")))
      try (var pools = Files.list(folder.resolve("img/pools"))) {
        for (var pool : pools.toList()) letGo(pool);
      }
    for (var mount : mounts.table().under(folder))
      mounts.unmount(mount.target(), Mounts.Unmount.LAZY);
    if (!mounts.table().under(folder).isEmpty()) return; // never delete below a mount
    var loops = new LoopDevices();
    if (Files.isDirectory(folder.resolve("img")))
      try (var images = Files.list(folder.resolve("img"))) {
        for (var image : images.filter(Files::isRegularFile).toList())
          for (var loop : loops.of(image)) loops.detach(loop.device());
      }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
