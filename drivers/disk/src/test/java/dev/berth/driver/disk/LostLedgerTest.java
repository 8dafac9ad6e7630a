package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.fsck.PoolCheck;
import dev.berth.driver.spi.Readiness;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// A pool whose ledger has lost something that was acknowledged loses nothing more by that.
class LostLedgerTest {
  /// What is done to a ledger.
  interface Loss {
    void of(Path ledger) throws IOException;
  }

  record Row(String name, Loss loss, String words) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Row> rows =
      List.of(
          new Row("it is gone", Files::delete, "is missing though"),
          new Row("it is empty", ledger -> cut(ledger, 0), "is empty though"),
          new Row(
              "it is empty, and its end is not known",
              ledger -> {
                cut(ledger, 0);
                Files.delete(end(ledger));
              },
              "is empty though"),
          new Row(
              "its last line is torn",
              ledger -> cut(ledger, Files.size(ledger) - 7),
              "lost its end"),
          new Row(
              "its last line is gone",
              ledger -> {
                var lines = Files.readAllLines(ledger);
                Files.write(ledger, lines.subList(0, lines.size() - 1));
              },
              "lost its end"),
          new Row(
              "its first line is gone",
              ledger -> {
                var lines = Files.readAllLines(ledger);
                Files.write(ledger, lines.subList(1, lines.size()));
              },
              "beginning"));

  @AutoClose private DiskWorld world;
  private List<String> before;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    var driver = world.node("n1");
    create(driver, "one");
    create(driver, "two");
    world.stopDrivers();
    before = world.volumeFiles();
  }

  @ParameterizedTest
  @FieldSource("rows")
  void nothingIsRemovedAndEverythingIsRefused(Row row) throws Exception {
    row.loss.of(ledger());
    assertThat(PoolCheck.check(world.pool).clean()).isFalse();
    assertThat(PoolCheck.check(world.pool).lines()).noneMatch(line -> line.contains("left over:"));
    var driver = world.node("n1");
    for (var again = 0; again < 2; again++) {
      refused(row, () -> create(driver, "three"));
      refused(row, () -> list(driver));
    }
    assertThat(world.volumeFiles()).isEqualTo(before);
    world.stopDrivers();
    try (var opened = DiskDriver.open(DiskOptions.of(List.of(world.pool), "n1"))) {
      assertThat(opened.readiness())
          .isInstanceOfSatisfying(
              Readiness.Broken.class, it -> assertThat(it.reason()).contains(row.words));
    }
  }

  private static void refused(Row row, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    DiskWorld.assertRefused(Status.Code.FAILED_PRECONDITION, row.words, call);
    DiskWorld.assertRefused(Status.Code.FAILED_PRECONDITION, "berth disk fsck --pool", call);
  }

  /// As somebody does who has no copy.
  @Test
  void whatIsMissingInALedgerTakenAsItIsIsKeptApart() throws Exception {
    cut(ledger(), Files.size(ledger()) - 7);
    Files.delete(end(ledger()));
    var driver = world.node("n1");
    create(driver, "three");
    var kept = world.files("lost");
    assertThat(kept).hasSize(1);
    assertThat(before).containsAll(kept);
    world.stopDrivers();
    var check = PoolCheck.check(world.pool);
    assertThat(check.findings()).hasSize(1);
    assertThat(check.lines()).anyMatch(line -> line.contains("lost/" + kept.getFirst()));
    create(world.node("n1"), "four"); // and they stay
    assertThat(world.files("lost")).isEqualTo(kept);
  }

  @Test
  void aCopyOfTheLedgerMendsThePool() throws Exception {
    var copy = Files.readAllBytes(ledger());
    cut(ledger(), 0);
    try (var driver = DiskDriver.open(DiskOptions.of(List.of(world.pool), "n1"))) {
      assertThat(driver.readiness()).isInstanceOf(Readiness.Broken.class);
      Files.write(ledger(), copy);
      assertThat(driver.readiness()).isEqualTo(new Readiness.Ready());
    }
    create(world.node("n1"), "three");
    assertThat(world.volumeFiles()).hasSize(3).containsAll(before);
  }

  private static void create(CsiConnection driver, String name) {
    DiskWorld.createVolume(driver, name, 16 * MIB, DiskWorld.mount(Mode.SINGLE_NODE_WRITER));
  }

  private static void list(CsiConnection driver) {
    driver.controller(Duration.ofSeconds(60)).listVolumes(ListVolumesRequest.getDefaultInstance());
  }

  private Path ledger() {
    return world.pool.resolve("ledger");
  }

  private static Path end(Path ledger) {
    return ledger.resolveSibling("ledger.end");
  }

  private static void cut(Path file, long length) throws IOException {
    try (var opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.setLength(length);
    }
  }
}
