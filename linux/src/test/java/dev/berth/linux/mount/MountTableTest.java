package dev.berth.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.file.DeviceNumber;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountTableTest {
  private static final String TABLE =
      """
      27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
      40 27 7:3 / /var/lib/a\\040b\\134c rw,nosuid shared:5 master:2 - ext4 /dev/loop3 rw
      41 27 7:3 /sub /mnt/x ro,relatime - ext4 /dev/loop3 rw
      42 27 0:50 / /mnt/x rw - tmpfs gr\\303\\274n rw,size=4k
      43 42 0:51 / /mnt/x/deep rw - fuse.sshfs me@host: rw,user_id=0
      """;

  private final MountTable table = MountTable.parse(TABLE.getBytes(StandardCharsets.UTF_8));

  @Test
  void escapesAreDecoded() {
    assertThat(table.entries().get(1).target()).isEqualTo(Path.of("/var/lib/a b\\c"));
    assertThat(table.entries().get(3).source()).isEqualTo("grün");
  }

  @Test
  void optionalFieldsAreBeforeTheDash() {
    assertThat(table.entries().get(1).propagation()).containsExactly("shared:5", "master:2");
    assertThat(table.entries().get(1).shared()).isTrue();
    assertThat(table.entries().get(2).propagation()).isEmpty();
    assertThat(table.entries().get(2).superOptions()).isEqualTo(List.of("rw"));
  }

  @Test
  void theLastMountOnAPathCounts() {
    assertThat(table.at(Path.of("/mnt/x")).orElseThrow().type()).isEqualTo("tmpfs");
    assertThat(table.at(Path.of("/mnt"))).isEmpty();
  }

  @Test
  void theLongestPathCovers() {
    assertThat(table.covering(Path.of("/mnt/x/y")).orElseThrow().id()).isEqualTo(42);
    assertThat(table.covering(Path.of("/mnt/xy")).orElseThrow().id()).isEqualTo(27);
  }

  @Test
  void whatIsBelowComesInTheOrderOfUnmounting() {
    assertThat(table.under(Path.of("/mnt/x")))
        .extracting(MountEntry::id)
        .containsExactly(43, 42, 41);
  }

  @Test
  void referencesAreOtherViewsOfTheSameFileSystem() {
    assertThat(table.references(Path.of("/var/lib/a b\\c")))
        .extracting(MountEntry::id)
        .containsExactly(41);
    assertThat(table.of(new DeviceNumber(7, 3))).hasSize(2);
  }

  @Test
  void bindsShowAFolderElsewhere() {
    assertThat(table.bindsOf(Path.of("/var/lib/a b\\c/sub")))
        .extracting(MountEntry::id)
        .containsExactly(41);
    assertThat(table.bindsOf(Path.of("/var/lib/a b\\c"))).isEmpty();
    assertThat(table.bindsOf(Path.of("/var/lib/a b\\c/other"))).isEmpty();
  }
}
