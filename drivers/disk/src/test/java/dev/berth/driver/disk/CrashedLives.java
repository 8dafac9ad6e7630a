package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.node;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataAllocatedResponse;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.csi.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What volumes go through while drivers are killed: every call is made until it is answered, and
/// what was acknowledged to the user of a volume has to be there ever after.
final class CrashedLives {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final VolumeCapability MOUNT = mount(Mode.SINGLE_NODE_WRITER);
  private static final VolumeCapability BLOCK = block(Mode.SINGLE_NODE_WRITER);

  /// One of the lives, from making to removing.
  interface Life {
    /// Lives once.
    ///
    /// @param round tells one time from the next
    void live(int round) throws Exception;
  }

  private final DiskWorld world;
  private final Fleet fleet;
  private final Path pool;
  private final Random random;

  private CrashedLives(DiskWorld world, Fleet fleet, Path pool, long seed) {
    this.world = world;
    this.fleet = fleet;
    this.pool = pool;
    this.random = new Random(seed);
  }

  Path pool() {
    return pool;
  }

  /// One of each kind in each pool.
  static List<Life> all(DiskWorld world, Fleet fleet, List<Path> pools, long seed) {
    var all = new ArrayList<Life>();
    for (var pool : pools) {
      var name = pool.getFileName();
      var lives = new CrashedLives(world, fleet, pool, seed + all.size());
      all.add(round -> lives.files("files-%s-%d".formatted(name, round)));
      all.add(round -> lives.blocks("blocks-%s-%d".formatted(name, round)));
      all.add(round -> lives.group("group-%s-%d".formatted(name, round)));
      all.add(new CrowdedLife(lives, fleet));
      all.add(round -> lives.inline("inline-%s-%d".formatted(name, round)));
    }
    return all;
  }

  /// A file system that is cut and grown while it is in use, and moves to the other node.
  private void files(String name) throws IOException {
    var id = create(wish(name, 32 * MIB, MOUNT).putParameters("allocation", "thick"));
    var here = use(id, name, nodeOf(name), MOUNT);
    write(here.target.resolve("before"), name);
    var snapshot = snapshot(name, id);
    expand(id, 64 * MIB);
    grow(id, here);
    write(here.target.resolve("after"), name);
    limit(id);
    Repeated.run(() ->
        node(fleet.node(here.node))
            .nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId(id)
                    .setVolumePath(here.target.toString())
                    .build()));
    leave(id, here);

    var there = use(id, name + "-moved", other(here.node), MOUNT);
    assertThat(there.target.resolve("before")).hasContent(name);
    assertThat(there.target.resolve("after")).hasContent(name);
    assertThat(Files.getFileStore(there.target).getTotalSpace()).isGreaterThan(48 * MIB);
    leave(id, there);
    remove(id);

    var copy = create(from(wish(name + "-restored", 48 * MIB, MOUNT), snapshot));
    var restored = use(copy, name + "-restored", here.node, MOUNT);
    assertThat(restored.target.resolve("before")).hasContent(name);
    leave(copy, restored);
    remove(copy);
    forget(snapshot);
  }

  /// A raw device that is cloned, cut and grown.
  private void blocks(String name) throws IOException {
    var id = create(wish(name, 16 * MIB, BLOCK));
    var here = use(id, name, nodeOf(name), BLOCK);
    writeAt(here.target, 4 * MIB, name);
    expand(id, 32 * MIB);
    grow(id, here);
    writeAt(here.target, 24 * MIB, name);
    leave(id, here);
    var snapshot = snapshot(name, id);
    var clone = wish(name + "-clone", 32 * MIB, BLOCK);
    clone.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
    var copy = create(clone);
    remove(id);
    var cloned = use(copy, name + "-clone", other(here.node), BLOCK);
    assertAt(cloned.target, 4 * MIB, name);
    assertAt(cloned.target, 24 * MIB, name);
    assertThat(allocated(snapshot))
        .flatExtracting(GetMetadataAllocatedResponse::getBlockMetadataList)
        .extracting(it -> it.getByteOffset())
        .contains(4 * MIB, 24 * MIB);
    leave(copy, cloned);
    remove(copy);
    forget(snapshot);
  }

  /// Two volumes on two nodes, cut together.
  private void group(String name) throws IOException {
    var a = create(wish(name + "-a", 16 * MIB, MOUNT));
    var b = create(wish(name + "-b", 16 * MIB, MOUNT));
    var first = use(a, name + "-a", "n1", MOUNT);
    var second = use(b, name + "-b", "n2", MOUNT);
    write(first.target.resolve("file"), name);
    write(second.target.resolve("file"), name);
    var group = cut(name, List.of(a, b));
    assertThat(group.getSnapshotsList()).hasSize(2);
    leave(a, first);
    leave(b, second);
    remove(a);
    remove(b);
    var member = group.getSnapshots(random.nextInt(2)).getSnapshotId();
    var copy = create(from(wish(name + "-restored", 16 * MIB, MOUNT), member));
    var restored = use(copy, name + "-restored", "n2", MOUNT);
    assertThat(restored.target.resolve("file")).hasContent(name);
    leave(copy, restored);
    remove(copy);
    forgetGroup(group.getGroupSnapshotId());
  }

  VolumeGroupSnapshot cut(String name, List<String> ids) {
    var request =
        CreateVolumeGroupSnapshotRequest.newBuilder().setName(name).addAllSourceVolumeIds(ids);
    return Repeated.call(() ->
        fleet
            .controller()
            .groupController(PATIENCE)
            .createVolumeGroupSnapshot(request.build())
            .getGroupSnapshot());
  }

  void forgetGroup(String id) {
    var request = DeleteVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId(id).build();
    Repeated.run(
        () -> fleet.controller().groupController(PATIENCE).deleteVolumeGroupSnapshot(request));
  }

  /// A volume that only its node knows of.
  private void inline(String name) throws IOException {
    var driver = fleet.node(nodeOf(name));
    var target = world.directory("pods").resolve(name);
    var publish =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(name)
            .setTargetPath(target.toString())
            .setVolumeCapability(MOUNT)
            .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
            .putVolumeContext("pool", String.valueOf(pool.getFileName()))
            .putVolumeContext("size", "16Mi")
            .build();
    Repeated.run(() -> node(driver).nodePublishVolume(publish));
    write(target.resolve("file"), name);
    Repeated.run(() -> node(driver).nodePublishVolume(publish));
    assertThat(target.resolve("file")).hasContent(name);
    Repeated.run(() -> DiskWorld.unpublish(driver, name, target));
    assertThat(target).doesNotExist();
  }

  /// A volume in use.
  record Place(String node, Path staging, Path target) {}

  private static String nodeOf(String name) {
    return Fleet.NODES.get(Math.floorMod(name.hashCode(), Fleet.NODES.size()));
  }

  private static String other(String node) {
    return node.equals("n1") ? "n2" : "n1";
  }

  CreateVolumeRequest.Builder wish(String name, long bytes, VolumeCapability use) {
    return wanted(name, bytes, use).putParameters("pool", String.valueOf(pool.getFileName()));
  }

  private static CreateVolumeRequest.Builder from(
      CreateVolumeRequest.Builder wish, String snapshot) {
    wish.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId(snapshot);
    return wish;
  }

  String create(CreateVolumeRequest.Builder wish) {
    var request = wish.build();
    return Repeated.call(() ->
        DiskWorld.controller(fleet.controller()).createVolume(request).getVolume().getVolumeId());
  }

  Place use(String id, String name, String node, VolumeCapability use) throws IOException {
    var place =
        new Place(node, world.directory("staging-" + name), world.directory("pods").resolve(name));
    var driver = fleet.node(node);
    Repeated.run(() -> DiskWorld.attach(fleet.controller(), id, node, use));
    Repeated.run(() -> DiskWorld.stage(driver, id, place.staging, use));
    Repeated.run(() -> DiskWorld.publish(driver, id, place.staging, place.target, use));
    return place;
  }

  void leave(String id, Place place) throws IOException {
    var driver = fleet.node(place.node);
    Repeated.run(() -> DiskWorld.unpublish(driver, id, place.target));
    Repeated.run(() -> DiskWorld.unstage(driver, id, place.staging));
    Repeated.run(() -> DiskWorld.detach(fleet.controller(), id, place.node));
    Files.delete(place.staging);
  }

  void remove(String id) {
    Repeated.run(() -> DiskWorld.delete(fleet.controller(), id));
  }

  String snapshot(String name, String id) {
    var request = CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(id).build();
    return Repeated.call(() ->
        DiskWorld.controller(fleet.controller())
            .createSnapshot(request)
            .getSnapshot()
            .getSnapshotId());
  }

  void forget(String snapshot) {
    var request = DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot).build();
    Repeated.run(() -> DiskWorld.controller(fleet.controller()).deleteSnapshot(request));
  }

  void expand(String id, long bytes) {
    var request = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    request.getCapacityRangeBuilder().setRequiredBytes(bytes);
    assertThat(
            Repeated.call(() ->
                    DiskWorld.controller(fleet.controller())
                        .controllerExpandVolume(request.build()))
                .getCapacityBytes())
        .isEqualTo(bytes);
  }

  /// An ext4 may have to wait for its next stage.
  private void grow(String id, Place place) {
    var request =
        NodeExpandVolumeRequest.newBuilder()
            .setVolumeId(id)
            .setVolumePath(place.target.toString())
            .setStagingTargetPath(place.staging.toString())
            .build();
    Repeated.call(
        () -> node(fleet.node(place.node)).nodeExpandVolume(request),
        List.of(Status.Code.FAILED_PRECONDITION));
  }

  /// Where no node can keep limits they are refused.
  void limit(String id) {
    var request =
        ControllerModifyVolumeRequest.newBuilder()
            .setVolumeId(id)
            .putMutableParameters("writeIops", "100000")
            .build();
    Repeated.call(
        () -> DiskWorld.controller(fleet.controller()).controllerModifyVolume(request),
        List.of(Status.Code.INVALID_ARGUMENT));
  }

  private List<GetMetadataAllocatedResponse> allocated(String snapshot) {
    var request = GetMetadataAllocatedRequest.newBuilder().setSnapshotId(snapshot).build();
    return Repeated.call(() -> {
      var answers = new ArrayList<GetMetadataAllocatedResponse>();
      fleet.controller().snapshotMetadata(PATIENCE).getMetadataAllocated(request, answers::add);
      return answers;
    });
  }

  static void write(Path file, String content) throws IOException {
    Files.writeString(file, content, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try (var written = FileChannel.open(file, StandardOpenOption.WRITE)) {
      written.force(true);
    }
  }

  private static byte[] page(String content) {
    return content
        .repeat(4096 / content.length() + 1)
        .substring(0, 4096)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void writeAt(Path device, long offset, String content) throws IOException {
    try (var open = FileChannel.open(device, StandardOpenOption.WRITE)) {
      assertThat(open.write(ByteBuffer.wrap(page(content)), offset)).isEqualTo(4096);
      open.force(true);
    }
  }

  private static void assertAt(Path device, long offset, String content) throws IOException {
    var page = ByteBuffer.allocate(4096);
    try (var open = FileChannel.open(device)) {
      assertThat(open.read(page, offset)).isEqualTo(4096);
    }
    assertThat(page.array()).isEqualTo(page(content));
  }
}
