package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.fsck.Finding;
import dev.berth.driver.disk.fsck.Finding.Weight;
import dev.berth.driver.disk.fsck.PoolCheck;
import dev.berth.driver.disk.fsck.PoolCheck.CannotLookException;
import dev.berth.driver.disk.fsck.Report;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Depth;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// One world with a volume in use, one without, a snapshot; and each fault done to it is named.
class FsckTest {
  /// What is done to the world.
  interface Fault {
    void beDoneTo(FsckTest world) throws IOException;
  }

  /// @param weight of the one finding that comes of it
  /// @param words in the line of the finding
  record Row(String name, Fault fault, Weight weight, String words) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Row> rows =
      List.of(
          new Row(
              "a file of nobody is of a call that was cut off",
              it -> Files.write(it.volumes().resolve("vol-x.img"), new byte[9]),
              Weight.LEFT_OVER,
              "volumes/vol-x.img belongs to nobody"),
          new Row(
              "a half-made file system goes with its volume",
              it -> Files.write(it.volumes().resolve(it.idle + ".img.new"), new byte[9]),
              Weight.LEFT_OVER,
              ".img.new is of a format that was cut off"),
          new Row(
              "a backing file is gone",
              it -> Files.delete(it.world.image(it.idle)),
              Weight.WRONG,
              "is gone, and its data with it"),
          new Row(
              "a backing file is cut short",
              it -> it.resize(it.world.image(it.idle), MIB),
              Weight.WRONG,
              "has 1048576 bytes, not 16777216"),
          new Row(
              "an expansion was cut off",
              it -> it.resize(it.world.image(it.idle), 32 * MIB),
              Weight.LEFT_OVER,
              "an expansion was cut off"),
          new Row(
              "a snapshot's file is gone",
              it -> Files.delete(it.world.pool.resolve("snapshots").resolve(it.snapshot + ".img")),
              Weight.WRONG,
              "is gone, and its data with it"),
          new Row(
              "a device that nobody has staged",
              it -> it.attach(it.world.image(it.idle)),
              Weight.WRONG,
              "which no node has staged"),
          new Row(
              "a device on a file that was removed",
              it -> {
                var file = Files.write(it.volumes().resolve("vol-y.img"), new byte[8192]);
                it.attach(file);
                Files.delete(file);
              },
              Weight.WRONG,
              "which was removed"),
          new Row(
              "a mount that nobody has written down",
              it ->
                  Mounts.ofThisMachine()
                      .mount(
                          "ext4",
                          it.world.loops().getFirst().toString(),
                          it.world.directory("stray"),
                          MountOptions.NONE),
              Weight.WRONG,
              "no node has written that down"),
          new Row(
              "a mount that is gone",
              it ->
                  Mounts.ofThisMachine()
                      .unmount(it.world.folder.resolve("target"), Mounts.Unmount.IF_UNUSED),
              Weight.LEFT_OVER,
              "published at"),
          new Row(
              "a node's record that was not finished",
              it -> Files.write(it.world.pool.resolve("nodes/n1/volumes/vol.tmp"), new byte[3]),
              Weight.LEFT_OVER,
              "vol.tmp is of a write that was cut off"),
          new Row(
              "a node's record that is damaged",
              it -> Files.write(it.world.pool.resolve("nodes/n1/volumes/vol-z"), new byte[3]),
              Weight.LEFT_OVER,
              "nodes/n1/volumes/vol-z is damaged"),
          new Row(
              "a node that is damaged, and the volumes that it has",
              it -> Files.write(it.world.pool.resolve("nodes/n1/node"), new byte[3]),
              Weight.WRONG,
              "nodes/n1/node is damaged"),
          new Row(
              "a file system that stands still",
              it -> Files.write(it.world.pool.resolve("frozen").resolve(it.idle), new byte[3]),
              Weight.LEFT_OVER,
              "stands still"),
          new Row(
              "a line of the ledger that is not what was written",
              FsckTest::damageLedger,
              Weight.WRONG,
              "ledger is damaged: the line of"),
          new Row(
              "no ledger",
              it -> Files.delete(it.world.pool.resolve("ledger")),
              Weight.WRONG,
              "it is missing"),
          new Row(
              "a file of somebody else",
              it -> Files.write(it.world.pool.resolve("notes.txt"), new byte[3]),
              Weight.WRONG,
              "notes.txt is not of Berth"));

  @AutoClose private DiskWorld world;
  private String used;
  private String idle;
  private String snapshot;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    var driver = world.node("n1");
    var use = DiskWorld.mount(Mode.SINGLE_NODE_WRITER);
    used = DiskWorld.createVolume(driver, "used", 16 * MIB, use).getVolumeId();
    idle = DiskWorld.createVolume(driver, "idle", 16 * MIB, use).getVolumeId();
    snapshot = snapshot(driver);
    DiskWorld.attach(driver, used, "n1", use);
    var staging = world.directory("staging");
    DiskWorld.stage(driver, used, staging, use);
    DiskWorld.publish(driver, used, staging, world.folder.resolve("target"), use);
    // A second descriptor on the pool's locks in this process would take them from the driver.
    world.stopDrivers();
  }

  private String snapshot(CsiConnection driver) {
    return DiskWorld.controller(driver)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName("s").setSourceVolumeId(idle).build())
        .getSnapshot()
        .getSnapshotId();
  }

  @Test
  void whatIsWholeIsClean() throws Exception {
    var report = PoolCheck.check(world.pool);
    assertThat(report.findings()).isEmpty();
    assertThat(report.lines())
        .first()
        .asString()
        .endsWith("2 volumes, 1 snapshots, 0 groups, 1 attachments, 1 nodes, 1 devices, 2 mounts");
  }

  /// What a kubelet shows to containers of what is published (spec/node.md): the driver does not
  /// know of it, and it goes before the volume is unpublished.
  @Test
  void whatIsShownToARunningPodIsNotWrong() throws Exception {
    var driver = world.node("n1");
    var use = DiskWorld.mount(Mode.SINGLE_NODE_MULTI_WRITER);
    var target = world.directory("pods/7f3a/volumes/kubernetes.io~csi/pv").resolve("mount");
    publishAnew(driver, use, world.directory("globalmount"), target);
    Files.createDirectory(target.resolve("part"));
    var shown = world.directory("pods/7f3a/volume-subpaths/pv/app/0");
    Mounts.ofThisMachine().bind(target.resolve("part"), shown, Depth.ONE, MountOptions.NONE);
    world.stopDrivers();
    assertThat(PoolCheck.check(world.pool).findings()).isEmpty();

    var other = world.directory("pods/9999/volume-subpaths/pv/app/0");
    Mounts.ofThisMachine().bind(target.resolve("part"), other, Depth.ONE, MountOptions.NONE);
    var report = PoolCheck.check(world.pool);
    assertThat(report.findings())
        .as(lines(report))
        .singleElement()
        .satisfies(it -> {
          assertThat(it.where()).isEqualTo(other.toString());
          assertThat(it.mend()).contains("its pod has no such volume any more");
        });
  }

  @Test
  void aDeviceThatIsShownToARunningPodIsNotWrong() throws Exception {
    var driver = world.node("n1");
    var use = DiskWorld.block(Mode.SINGLE_NODE_WRITER);
    var devices = "plugins/kubernetes.io/csi/volumeDevices";
    var target = world.directory(devices + "/publish/pv").resolve("7f3a");
    publishAnew(driver, use, world.directory(devices + "/staging/pv"), target);
    var shown = Files.createFile(world.directory(devices + "/pv/dev").resolve("7f3a"));
    Mounts.ofThisMachine().bind(target, shown, Depth.ONE, MountOptions.NONE);
    world.stopDrivers();
    assertThat(PoolCheck.check(world.pool).findings()).isEmpty();
  }

  private static void publishAnew(
      CsiConnection driver, VolumeCapability use, Path staging, Path target) {
    var id = DiskWorld.createVolume(driver, "anew", 16 * MIB, use).getVolumeId();
    DiskWorld.attach(driver, id, "n1", use);
    DiskWorld.stage(driver, id, staging, use);
    DiskWorld.publish(driver, id, staging, target, use);
  }

  @ParameterizedTest
  @FieldSource("rows")
  void everyFaultIsNamed(Row row) throws Exception {
    row.fault.beDoneTo(this);
    var report = PoolCheck.check(world.pool);
    assertThat(report.findings()).anySatisfy(it -> fits(it, row));
    assertThat(report.findings()).allSatisfy(it -> assertThat(it.mend()).isNotBlank());
    assertThat(report.clean()).as(lines(report)).isEqualTo(row.weight == Weight.LEFT_OVER);
  }

  private static void fits(Finding finding, Row row) {
    assertThat(finding.weight()).isEqualTo(row.weight);
    assertThat(finding.where() + " " + finding.what()).contains(row.words);
  }

  private static String lines(Report report) {
    return String.join("\n", report.lines());
  }

  @Test
  void whatIsLeftOverGoesWhenTheDriverGoesOn() throws Exception {
    for (var row : rows)
      if (row.weight == Weight.LEFT_OVER && !row.words.contains("expansion"))
        row.fault.beDoneTo(this);
    assertThat(PoolCheck.check(world.pool).findings()).isNotEmpty();
    var driver = world.node("n1");
    DiskWorld.createVolume(driver, "one-more", 16 * MIB, DiskWorld.mount(Mode.SINGLE_NODE_WRITER));
    DiskWorld.unpublish(driver, used, world.folder.resolve("target"));
    DiskWorld.delete(driver, idle);
    world.stopDrivers();
    var report = PoolCheck.check(world.pool);
    assertThat(report.findings()).as(lines(report)).isEmpty();
  }

  /// Everything in it would look like nobody's.
  @Test
  void aPoolThatHasLostItsLedgerIsNotSwept() throws Exception {
    Files.delete(world.pool.resolve("ledger"));
    var before = world.volumeFiles();
    var driver = world.node("n1");
    for (var again = 0; again < 2; again++)
      assertThatThrownBy(() ->
              DiskWorld.createVolume(driver, "new", MIB, DiskWorld.mount(Mode.SINGLE_NODE_WRITER)))
          .hasMessageContaining("missing")
          .hasMessageContaining("berth disk fsck");
    assertThat(world.volumeFiles()).isEqualTo(before);
  }

  @Test
  void whatIsNoPoolIsNotLookedAt() {
    assertThatThrownBy(() -> PoolCheck.check(world.folder))
        .isInstanceOf(CannotLookException.class)
        .hasMessageContaining("is no pool");
  }

  private Path volumes() {
    return world.pool.resolve("volumes");
  }

  private void attach(Path file) {
    try (var loop = new LoopDevices().attach(file, LoopOptions.of())) {
      assertThat(loop.device()).exists();
    }
  }

  private void resize(Path file, long bytes) throws IOException {
    try (var opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.setLength(bytes);
    }
  }

  private void damageLedger() throws IOException {
    try (var ledger = new RandomAccessFile(world.pool.resolve("ledger").toFile(), "rw")) {
      ledger.seek(20);
      ledger.write('#');
    }
  }
}
