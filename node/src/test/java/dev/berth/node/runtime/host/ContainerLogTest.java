package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.mount.Propagation;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContainerLogTest {
  private static final long SIZE = 10 << 20;
  private static final long BLOCK = 128 << 10;

  private ContainerBench bench;
  private Path folder;

  @BeforeEach
  void open() throws Exception {
    bench = ContainerBench.open();
    folder = bench.make("logs");
  }

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  private ContainerSpec script(String script) {
    return ContainerBench.spec(new ContainerId("pod-1", "app", 0), script, folder.resolve("0.log"));
  }

  /// Oldest first.
  private List<Path> logs() throws IOException {
    try (var files = Files.list(folder)) {
      var logs = new ArrayList<>(files.sorted().toList());
      logs.remove(folder.resolve("0.log"));
      logs.add(folder.resolve("0.log"));
      return logs;
    }
  }

  @Test
  void aFullLogIsPutAsideBetweenTwoLines() throws Exception {
    bench.runtime.start(script("seq 1 2000000"));
    bench.awaitEnd(script("").id());
    var logs = logs();
    assertThat(logs).hasSize(2);
    assertThat(logs.getFirst().getFileName().toString()).matches("0\\.log\\.[0-9]{8}-[0-9]{6}");
    assertThat(Files.size(logs.getFirst())).isBetween(SIZE, SIZE + BLOCK);
    var lines = new ArrayList<String>();
    for (var log : logs) lines.addAll(Files.readAllLines(log));
    assertThat(lines)
        .isEqualTo(IntStream.rangeClosed(1, 2_000_000).mapToObj(Integer::toString).toList());
  }

  @Test
  void fiveFilesAreKept() throws Exception {
    bench.runtime.start(script("seq 1 12000000; echo last"));
    await().atMost(Duration.ofSeconds(60)).until(() -> !bench.ended.isEmpty());
    var logs = logs();
    assertThat(logs).hasSize(5);
    for (var log : logs) assertThat(Files.size(log)).isLessThan(SIZE + BLOCK);
    assertThat(Files.readString(logs.getLast())).endsWith("12000000\nlast\n");
  }

  @Test
  void aLineWithoutAnEndIsCut() throws Exception {
    bench.runtime.start(script("head -c 11000000 /dev/zero"));
    bench.awaitEnd(script("").id());
    assertThat(logs()).hasSize(2);
    assertThat(Files.size(logs().getFirst()) + Files.size(logs().getLast())).isEqualTo(11_000_000);
  }

  @Test
  void aFullDiskNeitherEndsNorBlocksAContainerThatPrints() throws Exception {
    bench.mounts.mount("tmpfs", "tmpfs", folder, MountOptions.NONE.with("size=1m"));
    var volume = bench.make("volume");
    bench.runtime.start(
        With.mounts(
            script(
                "echo first; seq 1 1000000; touch /data/printed;"
                    + " until test -e /data/go; do sleep 0.01; done; echo last; exit 4"),
            new ContainerMount(
                volume, "/data", ContainerMount.Access.READ_WRITE, Propagation.PRIVATE)));
    await().until(() -> Files.exists(volume.resolve("printed")));
    assertThat(bench.runtime.find(script("").id()).orElseThrow().state())
        .isInstanceOf(ContainerState.Running.class);
    bench.mounts.remountFileSystem(folder, MountOptions.NONE.with("size=2m"));
    Files.createFile(volume.resolve("go"));
    assertThat(bench.awaitEnd(script("").id()).exitCode()).isEqualTo(4);
    assertThat(Files.readString(folder.resolve("0.log")))
        .startsWith("first\n1\n2\n")
        .endsWith("\n[berth: output is missing here: the log could not be written]\nlast\n");
    bench.mounts.unmount(folder, Unmount.IF_UNUSED);
  }

  /// The node's own folder is on the full disk as well.
  @Test
  void theExitCodeIsTrueOnAFullDisk() throws Exception {
    bench.runtime.close();
    Files.createDirectories(bench.layout.root());
    bench.mounts.mount("tmpfs", "tmpfs", bench.layout.root(), MountOptions.NONE.with("size=2m"));
    bench.reopened();
    bench.runtime.start(script("until test -e /tmp/full; do sleep 0.01; done; exit 4"));
    var tmp = bench.layout.container("pod-1", "app").resolve("0/scratch/TMP");
    var filler = bench.layout.root().resolve("filler");
    assertThatThrownBy(() -> fill(filler)).hasMessageContaining("space");
    Files.createFile(tmp.resolve("full")); // takes an inode, and no block
    assertThat(bench.awaitEnd(script("").id()).exitCode()).isEqualTo(4);
    bench.runtime.remove(script("").id());
  }

  private static void fill(Path file) throws IOException {
    try (var stream =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      var block = new byte[4096];
      while (true) stream.write(block);
    }
  }
}
