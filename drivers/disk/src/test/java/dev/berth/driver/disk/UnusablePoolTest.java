package dev.berth.driver.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolPlace;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.Readiness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
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
    Files.createDirectory(pool.resolve("volumes"));
    Files.createFile(pool.resolve("ledger"));
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
    assertRefused("--pool %s is a file".formatted(file), file);
    assertRefused("is below a file", file.resolve("pool"));
  }

  @Test
  void nobodysFolderIsTakenOver() throws IOException {
    var theirs = Files.createDirectory(folder.resolve("theirs"));
    Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (var name : List.of("notes", "pool", "lock", "ledger")) {
      var file = Files.writeString(theirs.resolve(name), "");
      assertRefused("is not empty, and no pool", theirs);
      assertThat(theirs).isDirectoryNotContaining(it -> !it.equals(file));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(theirs)))
          .isEqualTo("rwxr-xr-x");
      Files.delete(file);
    }
    Files.createDirectory(theirs.resolve("lost+found"));
    DiskDriver.open(DiskOptions.of(List.of(theirs), "n1")).close();
  }

  /// Only the decision is asked for: nobody opens a pool there.
  @Test
  void theMachinesOwnPlacesAreNoPools() throws IOException {
    assertThat(PoolPlace.whyNot(List.of(Path.of("/")))).get().asString().contains("is the root");
    for (var place : List.of("/proc", "/proc/sys/net", "/sys", "/sys/kernel"))
      assertThat(PoolPlace.whyNot(List.of(Path.of(place))))
          .get()
          .asString()
          .contains("which keeps no files");
    assertThat(PoolPlace.whyNot(List.of(Path.of("/usr")))).get().asString().contains("not empty");
  }

  @Test
  void poolsAreNotInEachOther() throws IOException {
    var outer = folder.resolve("outer");
    DiskDriver.open(DiskOptions.of(List.of(outer), "n1")).close();
    for (var inner : List.of("volumes", "new", "nodes/n1"))
      assertRefused("is in the pool " + outer.toRealPath(), outer.resolve(inner));
    assertThat(outer.resolve("new")).doesNotExist();
    DiskDriver.open(DiskOptions.of(List.of(outer), "n1")).close();

    var empty = Files.createDirectory(folder.resolve("a"));
    Files.createDirectory(empty.resolve("b"));
    assertRefused("is not empty, and no pool", empty, empty.resolve("b"));
    Files.delete(empty.resolve("b"));
    assertRefused("one is in the other", empty, empty.resolve("b"));
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void aPoolIsGivenOnce() throws IOException {
    var pool = folder.resolve("pool");
    assertRefused("is given twice", pool, pool);
    Files.createDirectory(pool);
    var link = Files.createSymbolicLink(folder.resolve("link"), pool);
    assertRefused("is given twice", pool, link);
    assertRefused("is given twice", pool, folder.resolve("x/../pool"));
    assertThat(pool).isEmptyDirectory();
  }

  @Test
  void aNewPoolIsMadeOnlyInAFolderThatIsThere() throws IOException {
    assertRefused("is a disk not mounted?", folder.resolve("typo/pool"));
    assertThat(folder.resolve("typo")).doesNotExist();
    DiskDriver.open(DiskOptions.of(List.of(folder.resolve("pool")), "n1")).close();
    assertThat(folder.resolve("pool/volumes")).isDirectory();
  }

  @Test
  void wrongOptionsAreNamed() throws IOException {
    var pool = folder.resolve("pool").toString();
    assertWrong(
        "--max-volumes -3 is not a whole number",
        "--pool",
        pool,
        "--node",
        "n",
        "--max-volumes",
        "-3");
    assertWrong(
        "--overcommit 0.0 is not above 0", "--pool", pool, "--node", "n", "--overcommit", "0");
    assertWrong("--node '': use letters", "--pool", pool, "--node", "");
  }

  private void assertWrong(String words, String... arguments) {
    var all = new ArrayList<>(List.of("--endpoint", "unix://" + folder.resolve("csi.sock")));
    all.addAll(List.of(arguments));
    var err = new ByteArrayOutputStream();
    assertThat(DiskService.run(all, System.out, new PrintStream(err))).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(words);
  }

  private static void assertRefused(String words, Path... pools) {
    assertThatThrownBy(() -> DiskDriver.open(DiskOptions.of(List.of(pools), "n1")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(words);
  }
}
