package dev.berth.conform.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.conform.Conformance;
import dev.berth.conform.DiskUnderTest;
import dev.berth.conform.check.Outcome;
import dev.berth.conform.report.Listener;
import dev.berth.conform.trial.Settings.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where volumes share a file system its size is not theirs, so nothing is made of it. A driver
/// that forgets to grow volumes of their own still fails (`FaultsTest`).
class SharedFoldersTest {
  @ParameterizedTest
  @ValueSource(strings = {"source.larger", "node-expand.online"})
  void noSizeIsAskedOfAFolder(String check) throws IOException {
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, SharedFolders.ofOneDisk())) {
      var report =
          new Conformance(
                  disk.settings(Shape.USUAL, driver.socket(), Optional.empty()), new Listener() {})
              .run(Conformance.checks(List.of(check)));
      assertThat(report.results().getFirst().outcome())
          .isInstanceOfSatisfying(
              Outcome.Skipped.class,
              skipped ->
                  assertThat(skipped.reason())
                      .startsWith("the volume is a folder of a shared file system of "));
      assertThat(report.left()).isEmpty();
    }
  }
}
