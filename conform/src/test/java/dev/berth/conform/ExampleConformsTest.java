package dev.berth.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.conform.check.Outcome;
import dev.berth.conform.report.Listener;
import dev.berth.conform.trial.Settings;
import dev.berth.driver.DriverServer;
import dev.berth.example.FolderDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an author begins from passes too; what it does not advertise is skipped.
class ExampleConformsTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void itPasses() throws IOException {
    assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "needs root: skipped");
    var socket = folder.resolve("csi.sock");
    try (var _ = DriverServer.start(socket, FolderDriver.of(folder.resolve("pool"), "a"))) {
      var report =
          new Conformance(Settings.of(socket, folder), new Listener() {}).run(Conformance.checks());
      assertThat(report.results())
          .filteredOn(result -> result.outcome() instanceof Outcome.Failed)
          .isEmpty();
      assertThat(report.left()).isEmpty();
      assertThat(report.passed()).isGreaterThan(50);
    }
  }
}
