package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.linux.tool.Tools;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file system that nobody can mount is left to a person, who is told what to do.
class DamagedFileSystemTest {
  private static final Pattern COMMAND = Pattern.compile("repair it with `([^`]*)`");

  @AutoClose private DiskWorld world;
  private Path staging;
  private String id = "";

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    staging = world.directory("staging");
  }

  private static boolean has(String program) {
    return Tools.ofThisMachine().has(program);
  }

  /// A volume with a file in it, not in use.
  private void make(String fsType) throws IOException {
    assumeTrue(has("mkfs." + fsType), "needs mkfs." + fsType + ": skipped");
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER, fsType);
    id = createVolume(driver, "pvc-1", 320 * MIB, use).getVolumeId();
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    Files.writeString(staging.resolve("kept"), "kept");
    unstage(driver, id, staging);
    world.stopDrivers();
  }

  private CsiException refused(String fsType) throws IOException {
    var driver = world.node("n1");
    return catchThrowableOfType(
        CsiException.class,
        () -> stage(driver, id, staging, mount(Mode.SINGLE_NODE_WRITER, fsType)));
  }

  /// Where the inodes of the root folder are.
  @Test
  void anXfsIsRepairedByTheAdvisedCommandOnly() throws IOException {
    make("xfs");
    overwrite(64 << 10, new byte[4 << 10]);
    var refusal = refused("xfs");
    assertThat(refusal.code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal.description())
        .contains("disk/file-system-damaged", id, "xfs_repair -n", world.image(id).toString());
    assertThat(world.loops()).isEmpty();
    assertMended(refusal, "xfs");
  }

  /// The link count of a file: nothing that `e2fsck -p` leaves, so its type too.
  @Test
  void anExt4IsRepairedByTheAdvisedCommandOnly() throws IOException {
    make("ext4");
    run("debugfs", "-w", "-R", "set_inode_field kept mode 0", world.image(id).toString());
    run("debugfs", "-w", "-R", "set_super_value state 2", world.image(id).toString());
    var refusal = refused("ext4");
    assertThat(refusal.code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal.description()).contains("disk/file-system-damaged", "e2fsck -p", "mode");
    assertMended(refusal, "ext4");
  }

  private void assertMended(CsiException refusal, String fsType) throws IOException {
    var command = COMMAND.matcher(refusal.description());
    assertThat(command.find()).as(refusal.description()).isTrue();
    var words = List.of(command.group(1).split(" "));
    // It asks a person.
    if (fsType.equals("ext4")) run(words.getFirst(), "-y", words.get(1), words.getLast());
    else run(words.toArray(String[]::new));
    world.stopDrivers();
    stage(world.node("n1"), id, staging, mount(Mode.SINGLE_NODE_WRITER, fsType));
    assertThat(world.mounts()).contains(staging);
  }

  @Test
  void aBtrfsIsSavedFromRatherThanRepaired() throws IOException {
    make("btrfs");
    for (long at = MIB; at < 320 * MIB; at += 4 << 10) overwriteIfAny(at);
    var refusal = refused("btrfs");
    assertThat(refusal.code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal.description()).contains("btrfs check --readonly", "rescue=all");
  }

  /// What was only not unmounted is taken up without a word.
  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs"})
  void aFileSystemThatWasCutOffIsMounted(String fsType) throws IOException {
    make(fsType);
    var driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER, fsType);
    stage(driver, id, staging, use);
    Files.writeString(staging.resolve("later"), "later");
    run("sync", "-f", staging.toString());
    var cutOff = world.folder.resolve("cut-off");
    var image = world.image(id).toString();
    run("cp", "--sparse=always", image, cutOff.toString()); // its journal as it is at this moment
    unstage(driver, id, staging);
    run("cp", "--sparse=always", cutOff.toString(), image);
    stage(driver, id, staging, use);
    assertThat(staging.resolve("later")).hasContent("later");
  }

  private void overwrite(long at, byte[] content) throws IOException {
    try (var file = new RandomAccessFile(world.image(id).toFile(), "rw")) {
      file.seek(at);
      file.write(content);
    }
  }

  private void overwriteIfAny(long at) throws IOException {
    try (var file = new RandomAccessFile(world.image(id).toFile(), "rw")) {
      file.seek(at);
      int first = file.read();
      file.seek(at);
      if (first > 0) file.write(first ^ 0xff);
    }
  }

  private static void run(String... command) {
    var result = Tools.ofThisMachine().run(List.of(command), Duration.ofMinutes(1));
    assertThat(result.exitCode()).as(result.words()).isLessThan(4);
  }
}
