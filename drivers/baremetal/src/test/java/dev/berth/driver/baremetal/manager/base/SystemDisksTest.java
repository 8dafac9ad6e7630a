package dev.berth.driver.baremetal.manager.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.mount.MountTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// BM-56: which disks the machine lives on, in a tree that is laid out as sysfs is.
class SystemDisksTest {
  @TempDir private Path sysfs;

  /// `sda1` and `sdb` make the volume group of `/`; `sdc2` is swap; `sdd` holds data.
  @BeforeEach
  void lay() throws Exception {
    for (var disk : new String[] {"sda", "sdb", "sdc", "sdd"}) disk(disk);
    partition("sda", "sda1", "8:1");
    partition("sdc", "sdc2", "8:34");
    Files.createDirectories(sysfs.resolve("devices/virtual/dm-0/slaves"));
    Files.createFile(sysfs.resolve("devices/virtual/dm-0/slaves/sda1"));
    Files.createFile(sysfs.resolve("devices/virtual/dm-0/slaves/sdb"));
    link("class/block/dm-0", "devices/virtual/dm-0");
    link("dev/block/253:0", "devices/virtual/dm-0");
    link("dev/block/8:48", "devices/sdd");
  }

  private void disk(String name) throws Exception {
    Files.createDirectories(sysfs.resolve("devices").resolve(name));
    link("block/" + name, "devices/" + name);
    link("class/block/" + name, "devices/" + name);
  }

  private void partition(String disk, String name, String number) throws Exception {
    Files.createDirectories(sysfs.resolve("devices").resolve(disk).resolve(name));
    link("class/block/" + name, "devices/" + disk + "/" + name);
    link("dev/block/" + number, "devices/" + disk + "/" + name);
  }

  private void link(String from, String to) throws Exception {
    var link = sysfs.resolve(from);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, sysfs.resolve(to));
  }

  private static MountTable mounts(String... lines) {
    return MountTable.parse(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  /// BM-56.
  @Test
  void throughPartitionsAndThroughDevicesThatAreMadeOfOthers() {
    var mounts =
        mounts(
            "22 1 253:0 / / rw - xfs /dev/mapper/vg-root rw",
            "23 22 8:48 / /data rw - xfs /dev/sdd rw");
    var swaps = "Filename Type Size Used Priority\n/dev/sdc2 partition 1 0 -2\n";
    assertThat(new SystemDisks(sysfs).names(mounts, swaps))
        .containsExactlyInAnyOrder("sda", "sdb", "sdc");
  }

  /// BM-56: a kubelet lives where its distribution has it.
  @Test
  void whereverAKubeletLives() {
    for (var place : new String[] {"/var/lib/kubelet", "/var/lib/k0s/kubelet", "/x/kubelet/pods"})
      assertThat(
              new SystemDisks(sysfs)
                  .names(mounts("22 1 8:48 / " + place + " rw - xfs /dev/sdd rw"), ""))
          .containsExactly("sdd");
    assertThat(
            new SystemDisks(sysfs)
                .names(
                    mounts("22 1 8:48 / /var/lib/kubelet/pods/1/mount rw - xfs /dev/sdd rw"), ""))
        .isEmpty();
  }

  /// BM-56: btrfs has a number that is nobody's.
  @Test
  void byTheNameOfTheDeviceWhereTheNumberSaysNothing() {
    var mounts = mounts("22 1 0:31 / /boot rw - btrfs /dev/sdd rw");
    assertThat(new SystemDisks(sysfs).names(mounts, "")).containsExactly("sdd");
    assertThat(new SystemDisks(sysfs).names(mounts("22 1 0:31 / /srv rw - btrfs /dev/sdd rw"), ""))
        .isEmpty();
  }
}
