package dev.berth.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessesTest {
  @Test
  void aProcessIsKnownAgainFromItsText() throws IOException {
    var process = new ProcessBuilder("sleep", "60").start();
    try {
      var identity = ProcessIdentity.of((int) process.pid()).orElseThrow();
      assertThat(ProcessIdentity.parse(identity + "\n")).contains(identity);
      assertThat(identity.isAlive()).isTrue();
      assertThat(ProcessIdentity.of((int) ProcessHandle.current().pid()).orElseThrow().children())
          .contains(identity);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void anotherWithTheSameNumberIsNotTheSame() throws IOException {
    var process = new ProcessBuilder("sleep", "60").start();
    try {
      var identity = ProcessIdentity.of((int) process.pid()).orElseThrow();
      var earlier =
          new ProcessIdentity(identity.pid(), identity.startTicks() - 1, identity.bootId());
      var lastBoot = new ProcessIdentity(identity.pid(), identity.startTicks(), "another");
      assertThat(earlier.isAlive()).isFalse();
      assertThat(lastBoot.isAlive()).isFalse();
      assertThat(ProcessDescriptor.open(earlier)).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void halfATextIsNone() {
    assertThat(ProcessIdentity.parse("")).isEmpty();
    assertThat(ProcessIdentity.parse("12 34")).isEmpty();
    assertThat(ProcessIdentity.parse("12 34 c7fd8ec3-3b39")).isEmpty();
    assertThat(ProcessIdentity.parse("12 x c7fd8ec3-3b39\n")).isEmpty();
  }

  @Test
  void theEndOfAProcessThatIsNotOurChildIsTold() throws Exception {
    var parent = new ProcessBuilder("sh", "-c", "sleep 60 & echo $!").start();
    int pid = Integer.parseInt(parent.inputReader().readLine());
    var stranger = ProcessIdentity.of(pid).orElseThrow();
    var told = new CountDownLatch(1);
    try (var watch = new ProcessWatch()) {
      watch.watch(stranger, told::countDown);
      try (var held = ProcessDescriptor.open(stranger).orElseThrow()) {
        held.send(Signal.KILL);
      }
      assertThat(told.await(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  /// ppoll(2) takes no more descriptors than a process may have open.
  @Test
  void endsAreToldWhereTheKernelRefusesToWait() throws Exception {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CrowdedWatch.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var said = process.inputReader()) {
      assertThat(said.lines()).containsExactly("told", "told", "told", "told");
    }
  }

  @Test
  void anEndThatIsPastIsToldToo() throws Exception {
    var process = new ProcessBuilder("sleep", "60").start();
    var identity = ProcessIdentity.of((int) process.pid()).orElseThrow();
    process.destroyForcibly().waitFor();
    var told = new CountDownLatch(1);
    try (var watch = new ProcessWatch()) {
      watch.watch(identity, told::countDown);
      assertThat(told.await(5, TimeUnit.SECONDS)).isTrue();
    }
  }
}
