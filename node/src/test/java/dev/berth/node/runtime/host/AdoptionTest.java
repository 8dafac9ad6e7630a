package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdoptionTest {
  private static final ContainerId ID = new ContainerId("pod-1", "app", 0);

  @AutoClose private ContainerBench bench;

  @BeforeEach
  void open() throws Exception {
    bench = ContainerBench.open();
    bench.runtime.close();
  }

  @Test
  void aContainerOutlivesItsAgentAndIsFoundByTheNext() throws Exception {
    var agent = agent("echo up; while :; do sleep 0.01; test -e /tmp/end && exit 5; done");
    awaitLine(agent.inputReader(), "started");
    agent.destroyForcibly().waitFor();

    var runtime = bench.reopened();

    assertThat(runtime.list()).hasSize(1);
    assertThat(runtime.find(ID).orElseThrow().state()).isInstanceOf(ContainerState.Running.class);
    Files.writeString(bench.layout.container("pod-1", "app").resolve("0/scratch/TMP/end"), "");
    assertThat(bench.awaitEnd(ID).exitCode()).isEqualTo(5);
    assertThat(bench.logged()).isEqualTo("up\n");
  }

  @Test
  void anEndWithoutAnAgentIsOnRecord() throws Exception {
    var agent = agent("sleep 0.2; exit 6");
    awaitLine(agent.inputReader(), "started");
    agent.destroyForcibly().waitFor();
    var exit = bench.layout.container("pod-1", "app").resolve("0/exit");
    await().until(() -> Files.readString(exit).endsWith("\n")); // nobody is there to be told

    var runtime = bench.reopened();

    assertThat(runtime.find(ID).orElseThrow().state())
        .isInstanceOfSatisfying(
            ContainerState.Exited.class, it -> assertThat(it.exitCode()).isEqualTo(6));
  }

  /// Killed between the making of one directory and the next.
  @Test
  void whatWasBegunOfAFolderIsDeleted() throws Exception {
    Files.createDirectories(bench.layout.container("pod-1", "app"));
    assertThat(bench.reopened().list()).isEmpty();
    assertThat(bench.layout.pod("pod-1")).isEmptyDirectory();
  }

  @Test
  void aContainerOfAnotherBootIsLost() throws Exception {
    var runtime = bench.reopened();
    runtime.start(bench.script("sleep 60"));
    runtime.kill(ID);
    var folder = bench.layout.container("pod-1", "app").resolve("0");
    Files.delete(folder.resolve("exit"));
    Files.writeString(folder.resolve("running"), "1 0 another-boot\n");

    assertThat(bench.reopened().find(ID).orElseThrow().state())
        .isInstanceOfSatisfying(
            ContainerState.Lost.class, it -> assertThat(it.why()).contains("restarted"));
  }

  @Test
  void aContainerDiesWithItsShim() throws Exception {
    var runtime = bench.reopened();
    runtime.start(bench.script("echo up; while :; do echo x > /tmp/beat; sleep 0.01; done"));
    bench.awaitLog("up");
    var folder = new ContainerFolder(ID, bench.layout.container("pod-1", "app").resolve("0"));
    var live = (ContainerFolder.Trace.Live) folder.trace();
    ProcessHandle.of(live.shim().pid()).orElseThrow().destroyForcibly();
    await().until(() -> bench.ended.contains(ID));
    var state = runtime.find(ID).orElseThrow().state();
    assertThat(state)
        .isInstanceOfSatisfying(
            ContainerState.Lost.class, it -> assertThat(it.missed()).isAfter(it.started()));
    assertThat(runtime.find(ID).orElseThrow().state()).isEqualTo(state);
    await().until(() -> commandLines(folder.directory()).isEmpty());
  }

  /// Agents are killed at random moments of a start. What the next one finds either runs, once, or
  /// has not run and left nothing. More of it: `-Dberth.rounds=60 -Dberth.seed=4`.
  @Test
  void killedAtAnyMomentThereIsOneContainerOrNone() throws Exception {
    var random = new Random(Long.getLong("berth.seed", 8812));
    int rounds = Integer.getInteger("berth.rounds", 6);
    int survived = 0;
    for (int round = 0; round < rounds; round++) {
      Files.deleteIfExists(bench.log());
      var agent = agent("echo up; sleep 60");
      awaitLine(agent.inputReader(), "open");
      Thread.sleep(random.nextInt(0, 250), random.nextInt(1_000_000));
      agent.destroyForcibly().waitFor();

      var runtime = bench.reopened();

      var found = runtime.list();
      if (found.isEmpty()) {
        assertThat(bench.layout.pod("pod-1").toFile().list()).isNullOrEmpty();
        await().until(() -> commandLines(bench.layout.root()).isEmpty());
        assertThat(!Files.exists(bench.log()) || bench.logged().isEmpty()).isTrue();
      } else {
        survived++;
        assertThat(found).hasSize(1);
        bench.awaitLog("up");
        runtime.start(bench.script("echo second"));
        assertThat(bench.logged()).isEqualTo("up\n");
        runtime.remove(ID);
      }
      assertThat(bench.mounts.table().under(bench.directory)).isEmpty();
      runtime.close();
      bench.ended.clear();
    }
    System.out.println("containers that survived a killed agent: " + survived + " of " + rounds);
  }

  private Process agent(String script) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DoomedAgent.class.getName(),
                bench.layout.root().toString(),
                bench.log().toString(),
                script))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void awaitLine(BufferedReader output, String line) throws IOException {
    for (var said = output.readLine(); said != null; said = output.readLine())
      if (said.equals(line)) return;
    throw new IllegalStateException("the agent ended before it said " + line);
  }

  /// Processes that have something below `directory` among their arguments: shims, above all.
  private static List<String> commandLines(Path directory) throws IOException {
    try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      var found = new ArrayList<String>();
      for (var process : processes) {
        try {
          var line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
          if (line.contains(directory.toString()) && !line.contains("java")) found.add(line);
        } catch (IOException _) {
          // it has ended
        }
      }
      return found;
    }
  }
}
