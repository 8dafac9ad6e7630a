package dev.berth.linux.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Programs that leave somebody behind who holds their pipes.
class InstalledToolsTest {
  private static final Tools TOOLS = Tools.ofThisMachine();

  /// Nobody's child by the time that it is looked for.
  private static final String LEFT_BEHIND = "(setsid sleep 40 &); ";

  private static long pipes() throws IOException {
    try (var all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(InstalledToolsTest::isPipe).count();
    }
  }

  private static boolean isPipe(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
    } catch (IOException _) {
      return false;
    }
  }

  @Test
  void aProgramThatIsKilledLeavesNoPipeHere() throws Exception {
    long before = pipes();
    assertThatThrownBy(
            () -> TOOLS.run(List.of("sh", "-c", LEFT_BEHIND + "sleep 40"), Duration.ofMillis(300)))
        .isInstanceOfSatisfying(
            LinuxException.class,
            it -> assertThat(it.failure()).isInstanceOf(Failure.TimedOut.class));
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(pipes()).isLessThanOrEqualTo(before));
  }

  @Test
  void aProgramThatHasEndedIsNotWaitedForAnyMore() {
    long begun = System.nanoTime();
    var result =
        TOOLS.run(List.of("sh", "-c", LEFT_BEHIND + "echo all is well"), Duration.ofMinutes(1));
    assertThat(result.output()).isEqualTo("all is well\n");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void allThatAProgramWritesIsRead() {
    var result =
        TOOLS.run(List.of("sh", "-c", "seq 1000; seq 2000 >&2; exit 3"), Duration.ofMinutes(1));
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.output()).startsWith("1\n2\n").endsWith("\n1000\n");
    assertThat(result.errors()).startsWith("1\n2\n").endsWith("\n2000\n");
  }
}
