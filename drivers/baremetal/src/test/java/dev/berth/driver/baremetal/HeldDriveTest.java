package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.baremetal.object.Drive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Whoever begins a mount name space of its own has a copy of each mount, and so holds the drive
/// until he ends, whatever is unmounted here.
class HeldDriveTest {
  private static final String ONE =
      """
      nodes:
      - nodeID: a
        driveCount: 1
        drives: [{serialNumber: S, size: 64Mi}]
      """;

  private static Process holding(Path place, String seconds) throws IOException {
    var holder = new ProcessBuilder("unshare", "--mount", "sleep", seconds).start();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() ->
            Files.readString(Path.of("/proc/" + holder.pid() + "/comm")).strip().equals("sleep")
                && Files.readString(Path.of("/proc/" + holder.pid() + "/mountinfo"))
                    .contains(place.toString()));
    return holder;
  }

  /// BM-110, BM-117, BM-282: who goes in a moment is waited for, and who stays is named.
  @Test
  void aCopyOfAMountInAnotherNameSpace() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "needs unshare: skipped");
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      create(driver, "v", MIB, mount("ext4"));
      world.stage(driver, "v", mount("ext4"));
      var passing = holding(world.folder("stage-v"), "1");
      world.unstage(driver, "v");
      world.stage(driver, "v", mount("ext4"));
      passing.waitFor();
      var stays = holding(world.folder("stage-v"), "1000");
      try {
        world.unstage(driver, "v");
        assertThatThrownBy(() -> world.stage(driver, "v", mount("ext4")))
            .hasMessageContaining("process %d (sleep)".formatted(stays.pid()));
      } finally {
        stays.destroyForcibly().waitFor();
      }
      world.stage(driver, "v", mount("ext4"));
      world.unstage(driver, "v");
      delete(driver, "v");
    }
  }
}
