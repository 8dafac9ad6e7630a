package dev.berth.driver.baremetal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is typed to start the driver and makes no sense is refused, in one line.
class BareMetalServiceTest {
  @TempDir private Path folder;

  private String refused(String... more) {
    var words = new ArrayList<>(List.of("node", "--node", "n", "--endpoint"));
    words.add("unix://" + folder.resolve("c.sock"));
    words.addAll(List.of(more));
    var err = new ByteArrayOutputStream();
    var print = new PrintStream(err, true, StandardCharsets.UTF_8);
    assertThat(BareMetalService.run(words, print, print)).isEqualTo(2);
    return err.toString(StandardCharsets.UTF_8).strip();
  }

  /// BM-211: which disks are given away is never guessed.
  @Test
  void whichDisksMayBeTakenIsSaidOfTheMachinesOwn() {
    var ours =
        "berth driver baremetal: --disks, --all-blank-disks, --include-disks and --exclude-disks"
            + " are for the machine's own disks";
    assertThat(refused("--drives", "zram", "--zram", "zram1", "--all-blank-disks"))
        .isEqualTo(ours + ", not for --drives zram");
    assertThat(refused("--loopback", "x", "--disks=S1"))
        .isEqualTo(ours + ", not for --drives loopback");
    assertThat(refused("--disks", "S1,"))
        .endsWith("--disks needs serial numbers, with commas between");
    assertThat(refused("--all-blank-disks=maybe"))
        .endsWith("--all-blank-disks maybe is not true or false");
    assertThat(refused("--exclude-disks", "colour=red"))
        .contains("\"colour=red\" is no rule for disks");
    assertThat(refused("--drives", "tape"))
        .endsWith("--drives tape: base, loopback, directory or zram");
  }
}
