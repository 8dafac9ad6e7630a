package dev.berth.node.pod.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.node.pod.log.ContainerLogs.Part;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.User;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class ContainerLogsTest {
  private static final ContainerId RUN = new ContainerId("uid-1", "app", 0);
  private static final Part FOLLOWED =
      new Part(false, true, OptionalLong.empty(), OptionalLong.empty());

  private final MemoryRuntime runtime = new MemoryRuntime(new MemoryDriver());
  private ContainerLogs logs;
  private Path log;

  @BeforeEach
  void open(@TempDir Path directory) throws Exception {
    var layout = new LogLayout(directory);
    logs = new ContainerLogs(layout, runtime);
    log = layout.file("ns", "web", RUN);
    Files.createDirectories(layout.directory("ns", "web", RUN));
    runtime.start(
        new ContainerSpec(
            RUN,
            "host",
            "web",
            new Program(List.of("true"), Map.of(), ""),
            User.ROOT,
            Rights.ORDINARY,
            Root.WRITABLE,
            List.of(),
            List.of(),
            log,
            Optional.empty()));
  }

  private String read(Part part) throws IOException {
    try (var stream = logs.open("ns", "web", "uid-1", "app", part)) {
      return new String(stream.readAllBytes(), UTF_8);
    }
  }

  private static Part tail(long lines) {
    return new Part(false, false, OptionalLong.of(lines), OptionalLong.empty());
  }

  @Test
  void theWholeOrTheLastLines() throws IOException {
    Files.writeString(log, "one\ntwo\nthree\n");
    assertThat(read(Part.ALL)).isEqualTo("one\ntwo\nthree\n");
    assertThat(read(tail(2))).isEqualTo("two\nthree\n");
    assertThat(read(tail(9))).isEqualTo("one\ntwo\nthree\n");
    assertThat(read(tail(0))).isEmpty();
    assertThat(read(new Part(false, false, OptionalLong.empty(), OptionalLong.of(5))))
        .isEqualTo("one\nt");
  }

  @Test
  void tailCrossesBlocks() throws IOException {
    var line = "x".repeat(50_000);
    Files.writeString(log, line + "\n" + line + "\n" + line);
    assertThat(read(tail(2))).isEqualTo(line + "\n" + line);
  }

  /// As much as is kept: a call of the kernel for each byte took minutes, and the server's threads.
  @Test
  @Timeout(20)
  void tailOfAFullLog() throws IOException {
    var full = ("x".repeat(99) + "\n").repeat(100_000);
    for (int second = 0; second < 4; second++)
      Files.writeString(log.resolveSibling("0.log.20261122-10111" + second), full);
    Files.writeString(log, full);
    assertThat(read(tail(400_000))).hasSize(40_000_000);
  }

  @Test
  void whatWasPutAsideBelongsToTheLog() throws IOException {
    Files.writeString(log.resolveSibling("0.log.20261122-101112"), "one\ntwo\n");
    Files.writeString(log.resolveSibling("0.log.20261122-101113"), "three\nfour\n");
    Files.writeString(log.resolveSibling("1.log.20261122-101113"), "other\n");
    Files.writeString(log, "five\n");
    assertThat(read(Part.ALL)).isEqualTo("one\ntwo\nthree\nfour\nfive\n");
    assertThat(read(tail(1))).isEqualTo("five\n");
    assertThat(read(tail(2))).isEqualTo("four\nfive\n");
    assertThat(read(tail(3))).isEqualTo("three\nfour\nfive\n");
    assertThat(read(tail(4))).isEqualTo("two\nthree\nfour\nfive\n");
    assertThat(read(tail(9))).isEqualTo("one\ntwo\nthree\nfour\nfive\n");
  }

  @Test
  void followedFromOneFileToTheNext() throws IOException {
    Files.writeString(log, "one\n");
    try (var stream = logs.open("ns", "web", "uid-1", "app", FOLLOWED);
        var lines = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
      assertThat(lines.readLine()).isEqualTo("one");
      Files.writeString(log, "two\n", StandardOpenOption.APPEND);
      Files.move(log, log.resolveSibling("0.log.20261122-101112"));
      Files.writeString(log, "three\n");
      Files.move(log, log.resolveSibling("0.log.20261122-101113"));
      Files.writeString(log, "four\n");
      assertThat(lines.readLine()).isEqualTo("two");
      assertThat(lines.readLine()).isEqualTo("three");
      assertThat(lines.readLine()).isEqualTo("four");
      Files.move(log, log.resolveSibling("0.log.20261122-101114"));
      Files.writeString(log, "five\n");
      runtime.end(RUN, 0);
      assertThat(lines.readLine()).isEqualTo("five");
      assertThat(lines.readLine()).isNull();
    }
  }

  @Test
  void thePreviousRun() throws IOException {
    Files.writeString(log, "first");
    Files.writeString(log.resolveSibling("1.log"), "second");
    assertThat(read(Part.ALL)).isEqualTo("second");
    assertThat(read(new Part(true, false, OptionalLong.empty(), OptionalLong.empty())))
        .isEqualTo("first");
  }

  @Test
  void noLogIsSaidSo() {
    assertThatThrownBy(() -> logs.open("ns", "web", "uid-1", "other", Part.ALL))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void followedUntilTheContainerEnds() throws IOException {
    Files.writeString(log, "one\n");
    try (var stream = logs.open("ns", "web", "uid-1", "app", FOLLOWED);
        var lines = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
      assertThat(lines.readLine()).isEqualTo("one");
      Files.writeString(log, "two\n", StandardOpenOption.APPEND);
      assertThat(lines.readLine()).isEqualTo("two");
      Files.writeString(log, "three", StandardOpenOption.APPEND);
      runtime.end(RUN, 0);
      assertThat(lines.readLine()).isEqualTo("three");
      assertThat(lines.readLine()).isNull();
    }
  }

  @Test
  void followedUntilSomebodyClosesIt() throws Exception {
    Files.writeString(log, "");
    var stream = logs.open("ns", "web", "uid-1", "app", FOLLOWED);
    var reader = Thread.startVirtualThread(() -> read(stream));
    stream.close();
    assertThat(reader.join(java.time.Duration.ofSeconds(10))).isTrue();
  }

  private static void read(java.io.InputStream stream) {
    try {
      assertThat(stream.read()).isEqualTo(-1);
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    }
  }
}
