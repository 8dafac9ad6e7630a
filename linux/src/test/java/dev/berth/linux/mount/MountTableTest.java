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

  private final MountTable table = parsed(TABLE);

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

  /// The kernel escapes blank, tab, line feed and backslash, and nothing else. Any pod can ask for
  /// such a folder (SYS-18, NOD-09).
  @Test
  void aCarriageReturnInANameEndsNoLine() {
    var odd =
        parsed(
            """
            64 27 7:3 /a\rb /pods/0 rw,relatime - ext4 /dev/loop3 rw
            65 27 7:3 / /mnt/c\rd rw,relatime - ext4 /dev/loop3 rw
            66 27 0:50 / /mnt/x rw - tmpfs tmpfs rw
            """);
    assertThat(odd.at(Path.of("/pods/0")).orElseThrow().root()).isEqualTo("/a\rb");
    assertThat(odd.at(Path.of("/mnt/c\rd")).orElseThrow().id()).isEqualTo(65);
    assertThat(odd.bindsOf(Path.of("/mnt/c\rd/a\rb")))
        .extracting(MountEntry::id)
        .containsExactly(64);
    assertThat(odd.entries()).hasSize(3);
  }

  @Test
  void aLineThatCannotBeReadCostsNoOther() {
    assertThat(parsed("half a line\n66 27 0:50 / /mnt/x rw - tmpfs tmpfs rw\n").entries())
        .extracting(MountEntry::id)
        .containsExactly(66);
  }

  /// As a service is started by cron, or in a container that sets no locale (SYS-18).
  @Test
  void withoutALocaleNoMountIsMissed() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), PlainMounts.class.getName());
    builder.environment().put("LC_ALL", "C");
    var process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var input = process.getOutputStream()) {
      input.write(
          "44 27 7:9 / /mnt/données rw - ext4 /dev/loop9 rw\n".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .isEqualTo("7:9 /mnt/donn\\303\\251es\n");
    assertThat(process.waitFor()).isZero();
  }

  private static MountTable parsed(String text) {
    return MountTable.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
