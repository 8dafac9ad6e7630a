package dev.berth.driver.baremetal.manager.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.manager.DriveManager.Locate;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.node.DriveLocks;
import dev.berth.driver.baremetal.node.Pools;
import dev.berth.driver.baremetal.node.RegisteredDrives;
import dev.berth.driver.baremetal.node.VolumeDevices;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.api.Api;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The machine's disks, in a tree that is laid out as sysfs is, and on this very machine.
class BaseManagerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private void file(String path, String content) throws IOException {
    var file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content, StandardCharsets.ISO_8859_1);
  }

  private void disk(String name, String vendor, String model, String serial, String rotational)
      throws IOException {
    file("sys/block/" + name + "/size", "2048\n");
    file("sys/block/" + name + "/queue/rotational", rotational + "\n");
    file("sys/block/" + name + "/device/vendor", vendor + "\n");
    file("sys/block/" + name + "/device/model", model + "\n");
    file("sys/block/" + name + "/device/vpd_pg80", "\0\u0080\0\4" + serial);
  }

  /// As each [#disk] is registered that comes alone.
  private static final long SIZE = 2048 * 512;

  private static Drive drive(String vid, String pid, String serial) {
    return drive(new DriveIdentity(vid, pid, serial), SIZE);
  }

  private static Drive drive(DriveIdentity identity, long size) {
    return BareMetalKinds.DRIVE.read().apply(Drive.draft(identity, DriveType.HDD, size, "n", true));
  }

  private SysfsDisks disks() {
    return new SysfsDisks(folder.resolve("sys"), folder.resolve("udev"));
  }

  /// A program that is there and says that all is well, or whose answer never comes.
  private record Program(String hangs, CountDownLatch until) implements Tools {
    @Override
    public Result run(List<String> command, Duration deadline) {
      if (command.getLast().equals(hangs))
        try {
          until.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      return new Result(0, "{\"smart_status\":{\"passed\":true}}", "");
    }

    @Override
    public boolean has(String program) {
      return program.equals("smartctl");
    }
  }

  private static final Program WELL = new Program("", new CountDownLatch(0));

  /// BM-23, BM-50, BM-51, BM-52: what is a drive, which it is, and what it is made of.
  @Test
  void theKernelsDisksAreTheDrives() throws Exception {
    disk("sda", "ATA     ", "ST18000NM000J   ", "ZR5A1234", "1");
    disk("sdb", "ATA", "Samsung SSD 870", "S5Y1", "0");
    disk("loop0", "x", "x", "x", "0");
    disk("dm-0", "x", "x", "x", "0");
    disk("sdc", "ATA", "empty reader", "E", "1");
    file("sys/block/sdc/size", "0\n");
    file("sys/block/nvme0n1/size", "4096\n");
    file("sys/block/nvme0n1/device/model", "PM9A3\n");
    file("sys/block/nvme0n1/device/serial", "S64G\n");
    disk("nvme0c0n1", "x", "x", "x", "0");
    file("sys/block/nvme0c0n1/hidden", "1\n");
    // udev knows what SCSI hides
    file("sys/block/sdb/dev", "8:16\n");
    file("udev/b8:16", "S:disk/by-id/x\nE:ID_SERIAL_SHORT=S5Y1NG0\nE:ID_MODEL=Samsung_SSD_870\n");
    var found = disks().all();
    assertThat(found.stream().map(SysfsDisk::name)).containsExactly("nvme0n1", "sda", "sdb");
    assertThat(found.get(0).type()).isEqualTo(DriveType.NVME);
    assertThat(found.get(0).identity()).isEqualTo(new DriveIdentity("NVMe", "PM9A3", "S64G"));
    assertThat(found.get(0).size()).isEqualTo(4096 * 512);
    assertThat(found.get(1).type()).isEqualTo(DriveType.HDD);
    assertThat(found.get(1).identity())
        .isEqualTo(new DriveIdentity("ATA", "ST18000NM000J", "ZR5A1234"));
    assertThat(found.get(2).type()).isEqualTo(DriveType.SSD);
    assertThat(found.get(2).identity().serial()).isEqualTo("S5Y1NG0");
  }

  /// BM-55: whatever case the letters of a serial number have; BM-23: never one of two.
  @Test
  void aDriveIsFoundByItsSerialNumber() throws Exception {
    disk("sda", "ATA", "M", "abc1", "1");
    disk("sdb", "ATA", "M", "S2", "1");
    disk("sdc", "ATA", "M", "S2", "1");
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      assertThat(manager.find(drive("ATA", "M", "ABC1"))).contains(Path.of("/dev/sda"));
      assertThat(manager.find(drive("ATA", "other", "ABC1"))).isEmpty();
      assertThat(manager.find(drive("ATA", "M", "S2"))).isEmpty();
    }
  }

  /// BM-23, BM-55: a disk that has just come is called otherwise before udev has looked at it; it
  /// is found by each of its names, and by that under which it is registered.
  @Test
  void whatUdevHasNotLookedAtIsNotSettled() throws Exception {
    disk("sdb", "ATA", "ST18000NM000J-2T", "wwn-5000c5", "1");
    file("sys/block/sdb/dev", "8:16\n");
    file("control", "");
    var byKernel = drive("ATA", "ST18000NM000J-2T", "wwn-5000c5");
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      assertThat(manager.drives().getFirst().names().settled()).isFalse();
      assertThat(manager.drives().getFirst().identity()).isEqualTo(byKernel.identity());
      file("udev/b8:16", "I:1\nE:ID_SERIAL_SHORT=ZR5A1\nE:ID_MODEL=ST18000NM000J-2TV103\n");
      var found = manager.drives().getFirst();
      assertThat(found.names().settled()).isTrue();
      assertThat(found.identity())
          .isEqualTo(new DriveIdentity("ATA", "ST18000NM000J-2TV103", "ZR5A1"));
      manager.heed((_, _, _) -> false);
      assertThat(manager.find(byKernel)).contains(Path.of("/dev/sdb"));
      assertThat(manager.find(drive(found.identity(), SIZE))).contains(Path.of("/dev/sdb"));
    }
    Files.delete(folder.resolve("udev/b8:16"));
    Files.delete(folder.resolve("control"));
    assertThat(disks().all().getFirst().names().settled()).as("there is no udev").isTrue();
  }

  /// BM-23, BM-55: of two that only udev tells apart, one was registered before udev knew it. When
  /// that is pulled the other is not taken for it: not to be wiped, nor for any other work.
  @Test
  void whatIsAnotherDrivesIsNotFoundInPlaceOfOneThatIsPulled() throws Exception {
    disk("sdb", "ATA", "M", "bridge", "1");
    file("sys/block/sdb/dev", "8:16\n");
    file("udev/b8:16", "I:1\nE:ID_SERIAL_SHORT=B1\nE:ID_MODEL=M\n");
    var pulled = drive("ATA", "M", "bridge");
    var other = drive("ATA", "M", "B1");
    try (var server = EmbeddedApiServer.start(new MemoryStore());
        var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      var api = new LocalApi(server, Runnable::run);
      BareMetalKinds.install(api);
      assertThat(manager.find(pulled)).as("nobody has said which are registered").isEmpty();
      manager.heed(new RegisteredDrives(api, "n"));
      register(api, pulled, "n");
      register(api, other, "another node");
      assertThat(manager.find(pulled)).contains(Path.of("/dev/sdb"));
      register(api, other, "n");
      assertThat(manager.find(pulled)).isEmpty();
      assertThat(manager.obstacles(pulled)).containsExactly("is not there");
      assertThat(manager.find(other)).contains(Path.of("/dev/sdb"));
    }
  }

  private static void register(Api api, Drive drive, String nodeId) {
    api.create(
        BareMetalKinds.DRIVES,
        Drive.draft(drive.identity(), DriveType.HDD, drive.size(), nodeId, true));
  }

  /// BM-23, BM-55: what nobody has registered yet is not taken for a drive that is pulled and was
  /// registered by a name that both bear: its size tells, and a name that was noted since.
  @Test
  void whatIsNotRegisteredIsNotFoundInPlaceOfOneThatIsPulled() throws Exception {
    disk("sdb", "ATA", "M", "bridge", "1");
    file("sys/block/sdb/dev", "8:16\n");
    file("udev/b8:16", "I:1\nE:ID_SERIAL_SHORT=B1\nE:ID_MODEL=M\n");
    var bridge = new DriveIdentity("ATA", "M", "bridge");
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      manager.heed((_, _, _) -> false);
      assertThat(manager.find(drive(bridge, SIZE))).contains(Path.of("/dev/sdb"));
      assertThat(manager.find(drive(bridge, 2 * SIZE))).isEmpty();
      assertThat(manager.find(known(bridge, "A1"))).isEmpty();
      assertThat(manager.find(known(bridge, "b1"))).contains(Path.of("/dev/sdb"));
      // also if no layer says more of it
      Files.delete(folder.resolve("udev/b8:16"));
      assertThat(manager.find(drive(bridge, SIZE))).contains(Path.of("/dev/sdb"));
      assertThat(manager.find(drive(bridge, 2 * SIZE))).isEmpty();
      // but what only udev can have said: nobody can say whether it has that
      assertThatThrownBy(() -> manager.find(known(bridge, "A1")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("/dev/sdb")
          .hasMessageContaining("A1");
      assertThat(manager.obstacles(known(bridge, "A1"))).containsExactly("is not there");
    }
  }

  /// BM-23, BM-55: a virtual disk grows. Of two that say the same none is taken for it, unless it
  /// is as large as it was.
  @Test
  void aDriveMayGrow() throws Exception {
    disk("sdb", "ATA", "M", "S", "1");
    file("sys/block/sdb/dev", "8:16\n");
    file("udev/b8:16", "I:1\nE:ID_SERIAL_SHORT=S\nE:ID_MODEL=M\n");
    var drive = drive(new DriveIdentity("ATA", "M", "s"), SIZE / 2);
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      assertThat(manager.find(drive)).contains(Path.of("/dev/sdb"));
      disk("sdc", "ATA", "M", "S", "1");
      assertThat(manager.find(drive)).isEmpty();
      file("sys/block/sdc/size", "1024\n");
      assertThat(manager.find(drive)).contains(Path.of("/dev/sdc"));
    }
  }

  /// BM-23, BM-150: nobody sees something empty instead of a drive that may be there.
  @Test
  void whatMayBeThereIsNotLost() throws Exception {
    disk("sdb", "ATA", "M", "bridge", "1");
    file("sys/block/sdb/dev", "8:16\n");
    file("udev/b8:16", "I:1\nE:ID_SERIAL_SHORT=B1\nE:ID_MODEL=M\n");
    var bridge = new DriveIdentity("ATA", "M", "bridge");
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      assertThat(manager.mayBeThere(drive(bridge, 2 * SIZE))).isTrue();
      assertThat(manager.mayBeThere(known(bridge, "A1"))).isTrue();
      assertThat(manager.mayBeThere(known(new DriveIdentity("ATA", "M", "other"), "b1"))).isTrue();
      assertThat(manager.mayBeThere(drive("ATA", "M", "other"))).isFalse();
      var pools = new Pools(folder, manager, new FileSystemTools(WELL));
      try (var server = EmbeddedApiServer.start(new MemoryStore())) {
        var api = new LocalApi(server, Runnable::run);
        BareMetalKinds.install(api);
        var devices = new VolumeDevices(new Registry(api), manager, pools, new DriveLocks());
        register(api, drive(bridge, 2 * SIZE), "n");
        register(api, drive("ATA", "M", "other"), "n");
        assertThatThrownBy(() -> devices.findDrive(on(drive(bridge, SIZE))))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("bridge");
        assertThat(devices.findDrive(on(drive("ATA", "M", "other")))).isEmpty();
      }
    }
  }

  /// BM-23, BM-55, BM-150: what udev alone has said of a disk is gone with its note, or with the
  /// part of it that says who the disk is; whether the disk is the drive nobody can say then.
  @Test
  void aDriveIsNotMissedWhenUdevIsGone() throws Exception {
    disk("sdb", "ATA", "M", "5000c5", "1");
    file("sys/block/sdb/dev", "8:16\n");
    var draft =
        Drive.draft(new DriveIdentity("ATA", "M-2T", "ZR5A1"), DriveType.HDD, SIZE, "n", true);
    draft.withObject("metadata").withObject("annotations").put(Marks.ALSO_SERIALS, "5000C5");
    var drive = BareMetalKinds.DRIVE.read().apply(draft);
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      for (var note : List.of("", "I:1\nE:ID_BUS=ata\n")) {
        if (!note.isEmpty()) file("udev/b8:16", note);
        assertThatThrownBy(() -> manager.find(drive))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("/dev/sdb");
        assertThat(manager.mayBeThere(drive)).isTrue();
        assertThat(manager.obstacles(drive)).containsExactly("is not there");
      }
      file("udev/b8:16", "I:1\nE:ID_SERIAL=5000c5\nE:ID_MODEL=M\n");
      assertThat(manager.find(drive)).isEmpty();
      file("udev/b8:16", "I:1\nE:ID_SERIAL_SHORT=ZR5A1\nE:ID_MODEL=M-2T\n");
      assertThat(manager.find(drive)).contains(Path.of("/dev/sdb"));
    }
  }

  private static LocalVolume on(Drive drive) {
    var recipe =
        new VolumeRecipe(
            "v",
            SizeRange.ANY,
            List.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Placement.ANYWHERE);
    var draft = LocalVolume.draft(recipe, "", Wipe.ZERO, "ANY");
    draft.withObject("spec").put("Location", drive.identity().uuidOn("n"));
    return BareMetalKinds.VOLUME.read().apply(draft);
  }

  private static Drive known(DriveIdentity identity, String as) {
    var draft = Drive.draft(identity, DriveType.HDD, SIZE, "n", true);
    draft.withObject("metadata").withObject("annotations").put(Marks.KNOWN_AS, as);
    return BareMetalKinds.DRIVE.read().apply(draft);
  }

  /// BM-23: a disk that has just come under a name that is in use may be another one: nothing is
  /// written to it before udev has spoken, nor is the drive taken for gone.
  @Test
  void whatIsNotSettledIsNeitherFoundNorMissed() throws Exception {
    disk("sdb", "ATA", "M", "S", "1");
    file("sys/block/sdb/dev", "8:16\n");
    file("control", "");
    var drive = drive("ATA", "M", "S");
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      assertThatThrownBy(() -> manager.find(drive))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("/dev/sdb")
          .hasMessageContaining("udev");
      assertThatThrownBy(() -> manager.find(drive("ATA", "M", "named by udev")))
          .isInstanceOf(IOException.class);
      assertThat(manager.find(drive(drive.identity(), 2 * SIZE))).isEmpty();
      assertThat(manager.obstacles(drive)).isNotEmpty();
      file("udev/b8:16", "I:1\nE:ID_SERIAL_SHORT=S\nE:ID_MODEL=M\n");
      assertThat(manager.find(drive)).contains(Path.of("/dev/sdb"));
    }
  }

  /// BM-23: udev gives up, too.
  @Test
  void nobodyWaitsForUdevForEver() throws Exception {
    disk("sdb", "ATA", "M", "S", "1");
    file("sys/block/sdb/dev", "8:16\n");
    file("control", "");
    var disk = disks().all();
    var settling = new Settling(Duration.ZERO);
    settling.see(disk);
    assertThat(settling.names(disk.getFirst()).settled()).isTrue();
    assertThat(settling.isAwaited("b8:16")).isTrue();
    settling.see(List.of());
    assertThat(settling.isAwaited("b8:16")).isFalse();
  }

  /// BM-06, BM-54: one that hangs is there, unknown, and nobody waits for it twice.
  @Test
  void aDriveThatDoesNotAnswerKeepsNobodyWaiting() throws Exception {
    disk("sda", "ATA", "M", "HANGS", "1");
    disk("sdb", "ATA", "M", "WELL", "1");
    var until = new CountDownLatch(1);
    var tools = new Program("/dev/sda", until);
    try (var manager = new BaseManager(disks(), tools, Duration.ofMillis(500), Consent.NONE)) {
      var found = manager.drives();
      assertThat(found.stream().map(it -> it.identity().serial())).containsExactly("HANGS", "WELL");
      assertThat(found.get(0).health()).isEqualTo(Health.UNKNOWN);
      assertThat(found.get(0).obstacles()).anyMatch(it -> it.startsWith("has not answered"));
      assertThat(found.get(1).health()).isEqualTo(Health.GOOD);
      until.countDown();
    }
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      assertThat(manager.drives()).allMatch(it -> it.health() == Health.GOOD);
    }
  }

  /// BM-211: a disk is not anybody's because it is blank, nor because it was named while something
  /// is on it or the machine lives there.
  @Test
  void onlyWhatSomebodyNamedIsForVolumes() throws Exception {
    disk("sda", "ATA", "M", "ONE", "1");
    disk("sdb", "ATA", "M", "TWO", "1");
    assertThat(named(Consent.NONE)).isEmpty();
    assertThat(named(new Consent(false, Set.of("two", "three")))).containsExactly("TWO");
    // what cannot be looked at is not blank: there are no such device nodes here
    assertThat(named(new Consent(true, Set.of()))).isEmpty();
    var disk = disks().all().getFirst();
    assertThat(new Consent(true, Set.of()).to(disk, true)).isTrue();
    assertThat(new Consent(true, Set.of()).to(disk, false)).isFalse();
    assertThat(Consent.NONE.to(disk, true)).isFalse();
  }

  private List<String> named(Consent consent) throws IOException {
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, consent)) {
      return manager.drives().stream()
          .filter(FoundDrive::named)
          .map(it -> it.identity().serial())
          .toList();
    }
  }

  /// BM-52, BM-54: without the program nobody knows, which is no reason to give a drive up.
  @Test
  void withoutSmartctlHealthIsUnknown() throws Exception {
    disk("sda", "ATA", "M", "S", "1");
    var none =
        new Tools() {
          @Override
          public Result run(List<String> command, Duration deadline) {
            throw new AssertionError("there is nothing to run: " + command);
          }

          @Override
          public boolean has(String program) {
            return false;
          }
        };
    try (var manager = new BaseManager(disks(), none, PATIENCE, Consent.NONE)) {
      assertThat(manager.drives().getFirst().health()).isEqualTo(Health.UNKNOWN);
    }
  }

  /// BM-50, BM-147: the lamp of the slot; a drive in no enclosure has none.
  @Test
  void theLampIsTheEnclosures() throws Exception {
    disk("sda", "ATA", "M", "IN", "1");
    disk("sdb", "ATA", "M", "OUT", "1");
    file("sys/block/sda/device/enclosure_device:Slot 01/locate", "0\n");
    var in = drive("ATA", "M", "IN");
    try (var manager = new BaseManager(disks(), WELL, PATIENCE, Consent.NONE)) {
      assertThat(manager.locate(in, Locate.STATUS)).isEqualTo(Led.OFF);
      assertThat(manager.locate(in, Locate.START)).isEqualTo(Led.ON);
      assertThat(manager.locate(in, Locate.STATUS)).isEqualTo(Led.ON);
      assertThat(manager.locate(in, Locate.STOP)).isEqualTo(Led.OFF);
      assertThat(manager.locate(drive("ATA", "M", "OUT"), Locate.START))
          .isEqualTo(Led.NOT_AVAILABLE);
    }
  }

  private static Set<String> serials() throws IOException {
    try (var manager = new BaseManager(Consent.NONE)) {
      return manager.drives().stream()
          .map(it -> it.identity().serial())
          .collect(Collectors.toSet());
    }
  }

  /// BM-56: on this machine, whatever it is: what holds `/` is nobody's, nor is any other disk that
  /// is in use.
  @Test
  void theMachineItselfIsNeverGivenAway() throws Exception {
    try (var manager = new BaseManager(new Consent(true, serials()))) {
      for (FoundDrive drive : manager.drives())
        if (drive.system()) assertThat(drive.named()).as(drive.toString()).isFalse();
      var mounted = Files.readString(Path.of("/proc/self/mountinfo"));
      for (var drive : manager.drives())
        if (mounted.contains(" " + drive.path() + " "))
          assertThat(drive.system() || !drive.obstacles().isEmpty()).as(drive.toString()).isTrue();
    }
  }
}
