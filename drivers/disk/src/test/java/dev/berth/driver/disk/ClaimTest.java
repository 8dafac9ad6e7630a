package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.pool.Pool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A node belongs to the process that serves it: others do not touch what it has begun.
class ClaimTest {
  @AutoClose private DiskWorld world;
  private CsiConnection driver;
  private Path record;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "v", 16 * DiskWorld.MIB, use).getVolumeId();
    var staging = world.directory("staging");
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    var name = world.files("nodes").getFirst();
    record = world.pool.resolve("nodes").resolve(name).resolve("volumes").resolve(id);
    var begun = Files.readAllBytes(record);
    unstage(driver, id, staging);
    Files.write(record, begun); // as it is while a file system is made: no loop device yet
  }

  @Test
  void aSecondProcessForTheNodeEndsWithoutATrace() throws Exception {
    var words = end(process("--node", "n1"));
    assertThat(words).contains("node n1 is served by another process");
    assertThat(record).exists();
  }

  @Test
  void whoServesOnlyTheControllerLeavesTheNodeAlone() throws Exception {
    var controller = List.of("--services", "controller");
    for (var node : List.of(List.of("--node", "n1"), List.of("--node", "n9"), List.<String>of())) {
      var process =
          process(Stream.of(controller, node).flatMap(List::stream).toArray(String[]::new));
      var socket = world.folder.resolve("other.sock");
      try {
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(socket));
      } finally {
        process.destroyForcibly().waitFor();
      }
      Files.deleteIfExists(socket);
    }
    assertThat(record).exists();
    assertThat(world.files("nodes")).hasSize(1);
  }

  @Test
  void theNextProcessForgetsOnlyWhatNobodyWorksOn() throws Exception {
    world.stopDrivers();
    try (var pool = Pool.open(world.pool)) {
      try (var _ = pool.holds().volume(record.getFileName().toString())) {
        world.node("n1");
        assertThat(record).exists();
      }
      world.stopDrivers();
      world.node("n1");
      assertThat(record).doesNotExist();
    }
  }

  private Process process(String... more) throws IOException {
    var words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DiskService.class.getName(),
                "--endpoint",
                "unix://" + world.folder.resolve("other.sock"),
                "--pool",
                world.pool.toString()));
    words.addAll(List.of(more));
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(world.folder.resolve("log").toFile())
        .start();
  }

  private String end(Process process) throws Exception {
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
    } finally {
      process.destroyForcibly().waitFor();
    }
    return Files.readString(world.folder.resolve("log"), StandardCharsets.UTF_8);
  }
}
