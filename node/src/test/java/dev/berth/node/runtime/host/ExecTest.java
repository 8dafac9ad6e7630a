package dev.berth.node.runtime.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.ExecSpec.Terminal;
import dev.berth.node.runtime.Execution;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.User;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Further programs of a container that runs (NRUN-14).
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ExecTest {
  private static final ContainerId ID = new ContainerId("pod-1", "app", 0);

  @AutoClose private ContainerBench bench;

  @BeforeEach
  void open() throws Exception {
    bench = ContainerBench.open();
  }

  @Test
  void itRunsInsideAsTheContainersUserWithItsEnvironmentAndFewRights() throws Exception {
    bench.runtime.start(
        new ContainerSpec(
            ID,
            "host",
            "web-0",
            new Program(List.of("sleep", "60"), Map.of("SECRET", "a\nb"), "/work"),
            new User(1234, 77, List.of(88)),
            Rights.NO_NEW_PRIVILEGES,
            Root.WRITABLE,
            List.of(),
            List.of(),
            bench.log(),
            Optional.empty()));
    var said =
        said(
            "hostname; pwd; id -u; id -g; id -G; echo \"$SECRET\"; ls -d /proc/[0-9]* | wc -l; grep"
                + " -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; ls /proc/self/fd | wc -l");
    assertThat(said.lines().toList())
        .startsWith("web-0", "/work", "1234", "77", "77 88", "a", "b")
        .contains("CapEff:\t0000000000000000", "NoNewPrivs:\t1")
        .endsWith("4"); // its three streams, and the folder that ls looks at
    assertThat(Integer.parseInt(said.lines().skip(7).findFirst().orElseThrow())).isLessThan(7);
  }

  @ParameterizedTest
  @CsvSource({"exit 0, 0", "exit 3, 3", "kill -9 $$, 137", "exec nonsense, 127"})
  void theExitCodeIsTheProgramsOwn(String script, int code) throws Exception {
    bench.runtime.start(bench.script("sleep 60"));
    try (var execution = exec(Terminal.NONE, "sh", "-c", script)) {
      assertThat(execution.await()).isEqualTo(code);
    }
  }

  @Test
  void inputAndErrorsAreStreamsOfTheirOwn() throws Exception {
    bench.runtime.start(bench.script("sleep 60"));
    try (var execution = exec(Terminal.NONE, "sh", "-c", "cat; echo wrong >&2")) {
      execution.input().write("right".getBytes(UTF_8));
      execution.input().close();
      assertThat(text(execution.output())).isEqualTo("right");
      assertThat(text(execution.error())).isEqualTo("wrong\n");
      assertThat(execution.await()).isZero();
    }
  }

  @Test
  void aTerminalIsOneThatTheContainerKnowsAndHasASize() throws Exception {
    bench.runtime.start(bench.script("sleep 60"));
    try (var execution = exec(Terminal.OWN, "sh", "-c", "tty; read -r _; stty size; exit 4")) {
      execution.resize(123, 45);
      execution.input().write('\n');
      assertThat(text(execution.output())).contains("/dev/pts/0").contains("45 123");
      assertThat(execution.await()).isEqualTo(4);
    }
  }

  @Test
  void whatIsTypedIntoATerminalCanInterrupt() throws Exception {
    bench.runtime.start(bench.script("sleep 60"));
    try (var execution = exec(Terminal.OWN, "sh", "-c", "echo up; exec sleep 60")) {
      var shown = execution.output();
      assertThat((char) shown.read()).isEqualTo('u');
      execution.input().write(3); // Ctrl-C
      assertThat(execution.await()).isEqualTo(130);
      assertThat(text(shown)).contains("^C");
    }
  }

  @Test
  void closingItKillsTheProgramAndNotTheContainer() throws Exception {
    bench.runtime.start(bench.script("sleep 60"));
    var execution = exec(Terminal.NONE, "sh", "-c", "echo up; exec sleep 4321");
    assertThat((char) execution.output().read()).isEqualTo('u');
    execution.close();
    await().until(() -> said("cat /proc/[0-9]*/comm | grep -c sleep").equals("1\n")); // its own
    assertThat(bench.runtime.find(ID).orElseThrow().state())
        .isInstanceOf(ContainerState.Running.class);
  }

  /// A reader that stays for as long as somebody holds the pipe keeps a carrier (NRUN-14).
  @Test
  void whatAProgramLeavesBehindHoldsNoReader() throws Exception {
    bench.runtime.start(bench.script("sleep 60"));
    var script = "echo said; sleep 2000 & read -r _; exit 0";
    try (var execution = exec(Terminal.NONE, "sh", "-c", script)) {
      var said = execution.output();
      assertThat((char) said.read()).isEqualTo('s');
      var rest = new CompletableFuture<String>();
      Thread.startVirtualThread(() -> swallow(() -> rest.complete(text(said))));
      execution.input().write('\n');
      execution.input().flush();
      assertThat(execution.await()).isZero();
      assertThat(rest.get(10, TimeUnit.SECONDS)).isEqualTo("aid\n");
    }
  }

  @Test
  void closingItWakesWhoReadsAndWhoWrites() throws Exception {
    bench.runtime.start(bench.script("sleep 60"));
    var script = "sleep 4444 <&0 & echo up; exec sleep 4445";
    var execution = exec(Terminal.NONE, "sh", "-c", script);
    var at = new CountDownLatch(2);
    var reader =
        Thread.startVirtualThread(() ->
            swallow(() -> {
              assertThat(execution.output().read()).isEqualTo('u');
              at.countDown();
              return text(execution.output());
            }));
    var writer =
        Thread.startVirtualThread(() ->
            swallow(() -> {
              execution.input().write(0);
              at.countDown();
              while (true) execution.input().write(new byte[100_000]);
            }));
    assertThat(at.await(10, TimeUnit.SECONDS)).isTrue();
    execution.close();
    assertThat(reader.join(Duration.ofSeconds(10))).isTrue();
    assertThat(writer.join(Duration.ofSeconds(10))).isTrue();
  }

  private static void swallow(Callable<?> work) {
    try {
      work.call();
    } catch (Exception _) {
      // it was closed
    }
  }

  @Test
  void theNextAgentCanDoItToo() throws Exception {
    bench.runtime.start(bench.script("sleep 60"));
    bench.reopened();
    assertThat(said("echo $PPID; cat /proc/1/comm")).isNotEmpty();
    var folder = bench.layout.container("pod-1", "app").resolve("0");
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("exec-"));
    }
  }

  @Test
  void whatIsNotThereIsRefused() throws Exception {
    assertThatThrownBy(() -> exec(Terminal.NONE, "true"))
        .isInstanceOf(RefusedException.class)
        .hasMessage("container \"app\" is not running");
    bench.runtime.start(bench.script("sleep 60"));
    assertThatThrownBy(() -> exec(Terminal.NONE, "no-such-program"))
        .isInstanceOf(RefusedException.class)
        .hasMessage("exec: \"no-such-program\": executable file not found in $PATH");
    bench.runtime.kill(ID);
    assertThatThrownBy(() -> exec(Terminal.NONE, "true"))
        .isInstanceOf(RefusedException.class)
        .hasMessage("container \"app\" is not running");
  }

  private Execution exec(Terminal terminal, String... command) throws RefusedException {
    return bench.runtime.exec(ID, new ExecSpec(List.of(command), terminal));
  }

  private String said(String script) throws Exception {
    try (var execution = exec(Terminal.NONE, "sh", "-c", script)) {
      return text(execution.output());
    }
  }

  private static String text(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), UTF_8);
  }
}
