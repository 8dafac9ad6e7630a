package dev.berth.driver.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A driver's process starts another for the start-up taint (PRA-03), and takes it along.
class TaintRemovalTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Path folder;
  private Path launcher;
  private Path noted;

  @BeforeEach
  void makeLauncher() throws IOException {
    folder = Files.createTempDirectory("taint");
    noted = folder.resolve("noted");
    launcher = folder.resolve("berth");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        echo "looking at $CSI_NODE_NAME"
        echo "$$ $@" > '%1$s.part' && mv '%1$s.part' '%1$s'
        exec sleep 600
        """
            .formatted(noted));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
  }

  @AfterEach
  void removeFolder() throws IOException {
    for (var file : new String[] {"noted", "berth", "csi.sock"})
      Files.deleteIfExists(folder.resolve(file));
    Files.delete(folder);
  }

  private Map<String, String> onNode() {
    var environment = new HashMap<String, String>();
    environment.put("CSI_NODE_NAME", "node-1");
    environment.put("BERTH_LAUNCHER", launcher.toString());
    return environment;
  }

  @Test
  void aDriversProcessStartsItAndEndsIt() throws Exception {
    try (var child = DriverChild.start(folder, onNode())) {
      await().atMost(PATIENCE).until(() -> Files.exists(noted));
      var words = Files.readString(noted).strip().split(" ", 2);
      assertThat(words[1]).isEqualTo("driver startup-taint --driver toy.example.com");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(child.told()).contains("startup-taint: looking at node-1"));
      var removal = ProcessHandle.of(Long.parseLong(words[0])).orElseThrow();
      assertThat(child.end().waitFor(60, TimeUnit.SECONDS)).isTrue();
      await().atMost(PATIENCE).until(() -> !removal.isAlive());
    }
  }

  @Test
  void nothingIsStartedWhereItIsNotWanted() {
    var nowhere = onNode();
    nowhere.remove("CSI_NODE_NAME");
    var off = onNode();
    off.put("DISABLE_TAINT_WATCHER", "true");
    var before = ProcessHandle.current().children().count();
    for (var environment : List.of(nowhere, off))
      try (var _ = TaintRemoval.begin("toy.example.com", environment)) {
        assertThat(ProcessHandle.current().children().count()).isEqualTo(before);
      }
  }

  @Test
  void aDriverServesWithoutALauncherToo() {
    var lost = onNode();
    lost.put("BERTH_LAUNCHER", folder.resolve("gone").toString());
    TaintRemoval.begin("toy.example.com", lost).close();
    lost.remove("BERTH_LAUNCHER");
    TaintRemoval.begin("toy.example.com", lost).close();
  }
}
