package dev.berth.cli.nodeagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.Problem;
import dev.berth.cli.command.Berth;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a node refuses before it asks anybody.
class NodeSettingsTest {
  @TempDir private Path folder;

  private static NodeSettings settings(String... words) {
    var program = Program.KUBELET;
    var given = CommandLines.read(List.of(program), List.of(words)).of(program);
    return new NodeSettings(KubeletConfig.under(given));
  }

  private String config(String line) throws Exception {
    var file = folder.resolve("config.yaml");
    Files.writeString(file, "kind: KubeletConfiguration\n" + line + "\n");
    return "--config=" + file;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "maxPods: many     | maxPods: invalid value \"many\"",
        "maxPods: [1]      | maxPods: invalid value \"[1]\"",
        "maxPods: -3       | -3 pods are fewer than none",
        "healthzPort: abc  | healthzPort: invalid value \"abc\"",
        "healthzPort: 70000 | --healthz-port 70000"
      })
  void aConfigIsRefusedLikeTheFlag(String line, String words) throws Exception {
    var config = config(line);
    assertThatThrownBy(() -> settings("--hostname-override=a", config).check())
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.exitCode()).isEqualTo(2))
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"maxPods: 20", "maxPods: null", "healthzPort: 0"})
  void aConfigIsTaken(String line) throws Exception {
    settings("--hostname-override=a", config(line)).check();
  }

  /// NSHT-01: who counts on it must hear that it is not there.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shutdownGracePeriod: 30s | 1",
        "shutdownGracePeriod: 0s | 0",
        "shutdownGracePeriod: 0h0m0s | 0",
        "shutdownGracePeriodCriticalPods: 0m0s | 0",
        "shutdownGracePeriod: 0h1m0s | 1",
        "shutdownGracePeriod: soon | 1",
        "shutdownGracePeriodByPodPriority: [{priority: 0, shutdownGracePeriodSeconds: 5}] | 1",
        "shutdownGracePeriodByPodPriority: [] | 0",
        "maxPods: 20 | 0"
      })
  void thatShutdownIsNotHeldUpIsSaid(String line, int words) throws Exception {
    var program = Program.KUBELET;
    var given = CommandLines.read(List.of(program), List.of(config(line))).of(program);
    assertThat(KubeletConfig.withoutEffect(given))
        .hasSize(words)
        .allSatisfy(it -> assertThat(it).contains("drain the node before it"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a_b", "a b", "-a", "a..b", "a/b"})
  void aNodeHasANameThatTheServerTakes(String name) {
    assertThatThrownBy(() -> settings("--hostname-override=" + name).check())
        .isInstanceOf(Problem.class)
        .hasMessageContaining("a node cannot be named \"" + name);
    settings("--hostname-override=Node-1.example").check();
  }

  @Test
  void wordsThatAreNoFlagsAreRefused() {
    assertThat(Berth.run("node", "--version", "extra")).isEqualTo(2);
    assertThat(Berth.run("node", "--version")).isZero();
  }
}
