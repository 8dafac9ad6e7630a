package dev.berth.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A seed tells the same history in every JVM: who writes what, in which order. The JDK's
/// unmodifiable sets and maps have another order in each, so what goes through one of them to do
/// something would not, nor what depends on when garbage is collected: the second JVM has room for
/// less of it.
class SameHistoryTest {
  private static final List<String> YOUNG = List.of("-Xmn64m", "-Xmn3m");

  @ParameterizedTest
  @ValueSource(longs = {7, Times.GROWTH + 5, Times.SNAPSHOTS + 38, Times.SNAPSHOTS + 41})
  void aSeedTellsTheSameHistoryInEveryJvm(long seed) throws Exception {
    var first = elsewhere(seed, YOUNG.getFirst());
    assertThat(first).as("writes of seed " + seed).hasSizeGreaterThan(100);
    assertThat(elsewhere(seed, YOUNG.getLast())).isEqualTo(first);
  }

  /// @param young as the command line says how much garbage there may be
  private static List<String> elsewhere(long seed, String young)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add(young);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(History.class.getName(), Long.toString(seed)));
    var jvm = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var told = jvm.inputReader(StandardCharsets.UTF_8)) {
      var lines = told.readAllLines();
      assertThat(jvm.waitFor()).as("exit code of seed " + seed).isZero();
      return lines;
    } finally {
      jvm.destroyForcibly();
    }
  }

  /// Prints the history of a seed.
  static final class History {
    private History() {}

    public static void main(String[] seed) {
      Logger.getLogger("dev.berth").setLevel(Level.OFF);
      Times.lived(Long.parseLong(seed[0])).writes().forEach(System.out::println);
    }
  }
}
