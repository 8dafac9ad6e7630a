package dev.berth.driver.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.Readiness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pool that cannot be written to is told in words that help.
class UnusablePoolTest {
  /// Not even root may write to it.
  private static final Path UNWRITABLE = Path.of("/sys/kernel/uevent_seqnum");

  @TempDir private Path folder;

  @Test
  void whatFailedAndWhatToDoIsTold() throws IOException {
    assumeTrue(Files.exists(UNWRITABLE), "needs " + UNWRITABLE + ": skipped");
    var pool = Files.createDirectory(folder.resolve("pool"));
    Files.createSymbolicLink(pool.resolve("lock"), UNWRITABLE);
    assertThatThrownBy(() -> DiskDriver.open(DiskOptions.of(List.of(pool), "n1")))
        .hasMessage(
            "cannot write %s: permission denied; --pool needs a folder that this process may write"
                    .formatted(pool.resolve("lock"))
                + " to, usually as root");
  }

  @Test
  void probeTellsThatAPoolIsGone() throws IOException { // IDN-05
    var pool = folder.resolve("pool");
    try (var driver = DiskDriver.open(DiskOptions.of(List.of(pool), "n1"))) {
      assertThat(driver.readiness()).isEqualTo(new Readiness.Ready());
      Files.move(pool, folder.resolve("elsewhere"));
      assertGone(driver, pool);
      Files.createDirectory(pool); // the mount point of a disk that is not mounted any more
      assertGone(driver, pool);
    }
  }

  @Test
  void nothingIsChangedInAPoolThatCameOverIt() throws IOException {
    var place = Files.createDirectory(folder.resolve("pool"));
    try (var pool = Pool.open(place)) {
      pool.control();
      Files.move(place, folder.resolve("below"));
      Files.createDirectory(place);
      try (var above = Pool.open(folder.resolve("other"))) {
        above.control();
      }
      Files.delete(place);
      Files.move(folder.resolve("other"), place); // as if its disk were mounted there
      assertThatThrownBy(pool::control)
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("is not what it was when this driver started");
    }
  }

  private static void assertGone(DiskDriver driver, Path pool) {
    assertThat(driver.readiness())
        .isInstanceOfSatisfying(
            Readiness.Broken.class,
            it -> assertThat(it.reason()).startsWith("pool %s is gone".formatted(pool)));
  }

  @Test
  void aFileIsNoPool() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> DiskDriver.open(DiskOptions.of(List.of(file), "n1")))
        .hasMessageContaining("cannot write " + file)
        .hasMessageNotContaining("null");
    assertThatThrownBy(() -> DiskDriver.open(DiskOptions.of(List.of(file.resolve("pool")), "n1")))
        .hasMessageContaining("Not a directory");
  }
}
