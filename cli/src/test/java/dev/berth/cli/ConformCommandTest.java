package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.command.Berth;
import dev.berth.driver.DriverServer;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.driver.disk.DiskOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth conform` as scripts meet it. What it asks is tested in its own room.
class ConformCommandTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void itTellsWhyItCannotRun() {
    assertThat(Berth.run("conform")).isEqualTo(2);
    assertThat(Berth.run("conform", "--endpoint", "unix:///nowhere/csi.sock")).isEqualTo(2);
    assertThat(Berth.run("conform", "--endpoint", "tcp://localhost:1")).isEqualTo(2);
    assertThat(Berth.run("conform", "--only", "no-such-check")).isEqualTo(2);
    assertThat(Berth.run("conform", "--endpoint", "unix:///x", "--size", "small")).isEqualTo(2);
    assertThat(Berth.run("conform", "--nonsense")).isEqualTo(2);
  }

  @Test
  void itListsItsChecks() {
    assertThat(Berth.run("conform", "--list", "--only", "identity")).isZero();
    assertThat(Berth.run("conform", "--list", "--output", "json")).isZero();
  }

  @Test
  void itChecksADriverAndWritesXml() throws IOException {
    assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "needs root: skipped");
    var socket = folder.resolve("csi.sock");
    var xml = folder.resolve("conform.xml");
    try (var driver = DiskDriver.open(DiskOptions.of(List.of(folder.resolve("pool")), "a"));
        var _ = DriverServer.start(socket, driver)) {
      assertThat(
              Berth.run(
                  "conform",
                  "--endpoint",
                  "unix://" + socket,
                  "--folder",
                  folder.toString(),
                  "--size",
                  "32Mi",
                  "--parameter",
                  "allocation=thin",
                  "--only",
                  "identity,volume,node-publish.again",
                  "--junit",
                  xml.toString()))
          .isZero();
    }
    assertThat(xml).content().contains("conform.volume", "failures=\"0\"");
  }
}
