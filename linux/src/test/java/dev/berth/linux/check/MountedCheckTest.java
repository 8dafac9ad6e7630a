package dev.berth.linux.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.check.MountedCheck.Wanted;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the kernel says of a mounted file system, word by word.
class MountedCheckTest {
  private final Path sysfs;

  MountedCheckTest(@TempDir Path sysfs) throws IOException {
    this.sysfs = sysfs;
    write("class/block/loop7/ro", "0\n");
    Files.createDirectories(sysfs.resolve("dev/block"));
    Files.createSymbolicLink(sysfs.resolve("dev/block/7:7"), Path.of("../../class/block/loop7"));
    write("fs/ext4/loop7/errors_count", "0\n");
  }

  private void write(String name, String text) throws IOException {
    var file = sysfs.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
  }

  private static MountEntry mount(String type, String options, String ofFileSystem) {
    var line = "36 35 7:7 / /mnt %s - %s /dev/loop7 %s\n".formatted(options, type, ofFileSystem);
    return MountTable.parse(line.getBytes(StandardCharsets.UTF_8)).entries().getFirst();
  }

  private List<String> reasons(MountEntry mount, Wanted wanted) {
    return new MountedCheck(sysfs).findings(mount, wanted).stream().map(Finding::reason).toList();
  }

  @Test
  void aSoundFileSystemIsSound() {
    assertThat(reasons(mount("ext4", "rw,relatime", "rw"), Wanted.WRITABLE)).isEmpty();
    assertThat(reasons(mount("ext4", "ro,relatime", "ro"), Wanted.READ_ONLY)).isEmpty();
  }

  /// BM-190: `rw` in front is no proof.
  @Test
  void theWordsOfAnErrorStandAnywhere() {
    assertThat(reasons(mount("ext4", "rw", "rw,errors=remount-ro,emergency_ro"), Wanted.WRITABLE))
        .containsExactly("FileSystemReadOnly");
    assertThat(reasons(mount("ext4", "rw", "ro"), Wanted.WRITABLE))
        .containsExactly("FileSystemReadOnly");
    assertThat(reasons(mount("ext4", "rw", "rw,shutdown"), Wanted.WRITABLE))
        .containsExactly("FileSystemShutDown");
    assertThat(reasons(mount("ext4", "ro", "ro,emergency_ro"), Wanted.READ_ONLY))
        .containsExactly("FileSystemReadOnly");
  }

  /// BM-192, BM-193, BM-194: counters tell what programs that check do not; BM-198: without
  /// numbers, so that no look makes a new event. BM-191: readdir is not asked.
  @Test
  void whatTheKernelCountsIsToldInTheSameWords() throws IOException {
    var mount = mount("ext4", "rw", "rw");
    write("fs/ext4/loop7/errors_count", "1\n");
    var once = new MountedCheck(sysfs).findings(mount, Wanted.WRITABLE);
    assertThat(once).extracting(Finding::reason).containsExactly("FileSystemErrors");
    write("fs/ext4/loop7/errors_count", "2\n");
    assertThat(new MountedCheck(sysfs).findings(mount, Wanted.WRITABLE)).isEqualTo(once);
  }

  @Test
  void aBtrfsCountsByItsDevices() throws IOException {
    var mount = mount("btrfs", "rw", "rw");
    write("fs/btrfs/u/devices/loop7", "");
    write("fs/btrfs/u/devinfo/1/error_stats", "write_errs 0\ncorruption_errs 0\n");
    assertThat(reasons(mount, Wanted.WRITABLE)).isEmpty();
    write("fs/btrfs/u/devinfo/1/error_stats", "write_errs 0\ncorruption_errs 12\n");
    assertThat(reasons(mount, Wanted.WRITABLE)).containsExactly("FileSystemErrors");
  }

  @Test
  void aDeviceThatIsGoneIsTold() throws IOException {
    Files.delete(sysfs.resolve("class/block/loop7/ro"));
    Files.delete(sysfs.resolve("class/block/loop7"));
    assertThat(reasons(mount("xfs", "rw", "rw"), Wanted.WRITABLE)).containsExactly("DeviceGone");
  }

  /// Names of mapped devices are not those in sysfs; numbers are.
  @Test
  void aDeviceIsFoundByItsNumber() {
    var line = "36 35 7:7 / /mnt rw - ext4 /dev/mapper/vg-volume rw\n";
    var mount = MountTable.parse(line.getBytes(StandardCharsets.UTF_8)).entries().getFirst();
    assertThat(reasons(mount, Wanted.WRITABLE)).isEmpty();
  }

  /// BM-254: the mounted file system goes on writing.
  @Test
  void aDeviceThatBecameReadOnlyIsToldToWhoWantsToWrite() throws IOException {
    write("class/block/loop7/ro", "1\n");
    assertThat(reasons(mount("ext4", "rw", "rw"), Wanted.WRITABLE))
        .containsExactly("DeviceReadOnly");
    assertThat(reasons(mount("ext4", "ro", "ro"), Wanted.READ_ONLY)).isEmpty();
  }
}
