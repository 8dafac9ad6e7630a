package dev.berth.driver.baremetal.fault;

import dev.berth.driver.baremetal.fault.Failure.Failing;
import dev.berth.driver.baremetal.fault.FaultyFolder.Fault;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What images of drives lie on: the disk, a FUSE server of this process, another file system. Each
/// is the folder of a node of that name. [#failures] is section 16 of the specification as far as
/// any machine with loop devices can do it.
public final class FailingPlaces implements AutoCloseable {
  private static final long MIB = 1L << 20;

  /// What xfs takes, and what is enough for others.
  private static final long LARGE = 320;

  private static final long SMALL = 64;

  private final Path root;
  private final Mounts mounts = Mounts.ofThisMachine();
  private final LoopDevices loops = new LoopDevices();
  private final Map<String, FaultyFolder> faulty = new HashMap<>();
  private final Path outerDevice;

  /// BM-250 to BM-258. Of these a drive is suspected that something points at (BM-77).
  private final List<Failure> failures =
      List.of(
          Failure.of("ext4 is shut down", "plain", "ext4", it -> Breaking.shutDown(it.staged()))
              .told("FileSystemShutDown"),
          Failure.of("xfs is shut down", "plain", "xfs", it -> Breaking.shutDown(it.staged()))
              .told("FileSystemShutDown"),
          Failure.of(
                  "ext4 meets an error and goes on",
                  "plain",
                  "ext4",
                  it -> Breaking.triggerError(it.device()))
              .suspected("FileSystemErrors"),
          Failure.of("ext4 meets an error and becomes read-only", "plain", "ext4", this::toReadOnly)
              .suspected("FileSystemReadOnly"),
          Failure.of(
                  "the device becomes read-only beneath a mount",
                  "plain",
                  "ext4",
                  it -> BlockDevice.makeReadOnly(it.device()))
              .suspected("DeviceReadOnly"),
          Failure.of("somebody unmounts the volume", "plain", "ext4", this::unmount)
              .told("NotMounted"),
          Failure.of("reads fail", "faulty", "ext4", set(Fault.READS_FAIL)).suspected("ReadsFail"),
          Failure.of("reads of a raw volume fail", "faulty", "raw", set(Fault.READS_FAIL))
              .suspected("ReadsFail"),
          Failure.of("writes fail", "faulty", "ext4", set(Fault.WRITES_FAIL))
              .suspected("WritesFail", "FileSystemReadOnly", "FileSystemShutDown"),
          Failure.of("reads and writes hang", "faulty", "ext4", set(Fault.HANGS))
              .suspected("NotAnswering"),
          Failure.of("a raw volume hangs", "faulty", "raw", set(Fault.HANGS))
              .suspected("NotAnswering"),
          Failure.of("each read and write takes 0.3 s", "faulty", "ext4", set(Fault.SLOW)),
          Failure.of("what serves the drive dies", "dying", "ext4", it -> folder(it).die())
              .suspected("ReadsFail", "WritesFail"),
          Failure.of("the drive dies, what is cached goes on", "outer", "ext4", _ -> endOuter())
              .suspected("ReadsFail", "WritesFail"),
          Failure.of(
                  "a raw volume's drive ends before its size",
                  "plain",
                  "raw",
                  it -> Breaking.truncate(it.image()))
              .suspected("ReadsFail"),
          Failure.of(
              "data turns to zeros",
              "plain",
              "ext4",
              it -> Breaking.zero(it.image(), 40 * MIB, 20 * MIB)),
          Failure.of(
              "a loop device is detached while mounted",
              "plain",
              "ext4",
              it -> loops.detach(it.device())),
          Failure.of(
              "the volume is full",
              "plain",
              "ext4",
              it -> Breaking.fill(it.published().resolve("large"))));

  /// @param root a folder for all of them
  public FailingPlaces(Path root) throws IOException {
    this.root = root;
    for (var node : List.of("faulty", "dying")) makeFaulty(node);
    folder("plain");
    outerDevice =
        Breaking.make(root.resolve("outer.img"), 256 * MIB, FileSystemType.EXT4, folder("outer"));
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(root.resolve(name));
  }

  private void makeFaulty(String node) throws IOException {
    var sizes = new HashMap<String, Long>();
    for (int i = 0; i < failures.size(); i++)
      if (failures.get(i).place().equals(node)) sizes.put(image(i), bytes(i));
    faulty.put(node, new FaultyFolder(folder(node + "-store"), folder(node), sizes));
  }

  public List<Failure> failures() {
    return failures;
  }

  /// Where the images of a node are.
  public Path images(String node) {
    return root.resolve(node);
  }

  /// Serial number of the drive that a failure happens to.
  public static String serial(int number) {
    return "S" + number;
  }

  /// Name of its image.
  public String image(int number) {
    return failures.get(number).place() + "-" + serial(number) + ".img";
  }

  /// Its size: no two have the same, so that each volume gets its own.
  public long bytes(int number) {
    return ((failures.get(number).type().equals("xfs") ? LARGE : SMALL) + number) * MIB;
  }

  private FaultyFolder folder(Failure.Victim victim) {
    return Objects.requireNonNull(faulty.get(victim.failure().place()));
  }

  private Failing set(Fault fault) {
    return it -> folder(it).set(it.image().getFileName().toString(), fault);
  }

  private void toReadOnly(Failure.Victim victim) throws IOException {
    mounts.remountFileSystem(victim.staged(), MountOptions.parse(List.of("errors=remount-ro")));
    Breaking.triggerError(victim.device());
  }

  private void unmount(Failure.Victim victim) {
    mounts.unmount(victim.published(), Mounts.Unmount.IF_UNUSED);
    mounts.unmount(victim.staged(), Mounts.Unmount.IF_UNUSED);
  }

  private void endOuter() {
    Breaking.shutDown(root.resolve("outer"));
  }

  /// What hangs goes on.
  public void endFaults() {
    faulty.values().forEach(FaultyFolder::endFaults);
  }

  /// Drives first, then what they lie on. Volumes are not mounted any more.
  @Override
  public void close() throws IOException {
    endFaults();
    for (var device : devices())
      if (!device.equals(outerDevice)) {
        BlockDevice.makeWritable(device);
        loops.detach(device);
      }
    mounts.unmount(images("outer"), Mounts.Unmount.LAZY);
    for (var folder : faulty.values()) folder.close();
    if (!mounts.table().under(root).isEmpty()) return; // never delete below a mount
    try (var files = Files.walk(root)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }

  /// Loop devices of our images, also of those whose server is dead.
  private List<Path> devices() throws IOException {
    var found = new ArrayList<Path>();
    try (var all = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
      for (var each : all) {
        var file = each.resolve("loop/backing_file");
        if (Files.exists(file) && Files.readString(file).startsWith(root + "/"))
          found.add(Path.of("/dev").resolve(String.valueOf(each.getFileName())));
      }
    }
    return found;
  }
}
