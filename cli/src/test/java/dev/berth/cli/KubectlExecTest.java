package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// kubectl reaches into containers (NRUN-14).
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlExecTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - name: main
          image: host
          command: [sh, -c, "i=0; while :; do i=$((i+1)); echo beat $i; sleep 0.2; done"]
          env: [{name: COLOUR, value: green}]
        - name: other
          image: host
          command: [sleep, "3600"]
      """;

  private final Shell shell;
  private final Kubectl kubectl;

  KubectlExecTest() throws IOException {
    shell = Shell.open("exec");
    kubectl = Kubectl.of(shell);
  }

  @BeforeAll
  void aPodRuns() throws Exception {
    shell.up().isUp();
    kubectl.apply(POD);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            kubectl.run("get", "pod", "web", "-o", "jsonpath={.status.phase}").equals("Running"));
  }

  @AfterAll
  void nothingIsLeft() throws Exception {
    shell.end();
  }

  @Test
  void aCommandRunsInsideAndItsExitCodeIsKubectls() throws Exception {
    assertThat(kubectl.run("exec", "web", "-c", "main", "--", "sh", "-c", "echo $COLOUR; hostname"))
        .isEqualTo("green\nweb\n");
    var failed = start("exec", "web", "-c", "main", "--", "sh", "-c", "echo bad >&2; exit 7");
    var said = text(failed);
    assertThat(failed.waitFor()).isEqualTo(7);
    assertThat(said).isEqualTo("bad\ncommand terminated with exit code 7\n");
  }

  @Test
  void whatIsNotThereIsSaid() throws Exception {
    assertThat(kubectl.run("exec", "web", "-c", "main", "--", "no-such-program"))
        .contains("exec: \"no-such-program\": executable file not found in $PATH");
    assertThat(kubectl.run("exec", "web", "-c", "third", "--", "true")).contains("third");
    assertThat(kubectl.run("exec", "nobody", "--", "true")).contains("\"nobody\" not found");
  }

  @Test
  void inputGoesInAndItsEndToo() throws Exception {
    var counting = start("exec", "-i", "web", "-c", "main", "--", "wc", "-c");
    var bytes = new byte[3_000_000];
    new Random(7).nextBytes(bytes);
    try (var in = counting.getOutputStream()) {
      in.write(bytes);
    }
    assertThat(text(counting)).isEqualTo("3000000\n");
  }

  /// As with Ctrl-C in the middle of a large file.
  @Test
  void whoLeavesAProgramThatDoesNotReadTakesItAlong() throws Exception {
    var sleeping =
        start("exec", "-i", "web", "-c", "main", "--", "sh", "-c", "echo on; exec sleep 4711");
    try (var lines = sleeping.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("on");
      var input = sleeping.getOutputStream();
      var sent = new AtomicLong();
      Thread.startVirtualThread(() -> {
        try {
          for (; ; sent.addAndGet(1 << 16)) input.write(new byte[1 << 16]);
        } catch (IOException left) {
          // kubectl was killed
        }
      });
      var before = new AtomicLong();
      await("nobody on the way takes any more")
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> sent.get() > 0 && before.getAndSet(sent.get()) == sent.get());
      assertThat(sleeps(kubectl)).isTrue();
      sleeping.destroyForcibly().waitFor();
    }
    await("it was killed")
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> !sleeps(kubectl));
  }

  private static boolean sleeps(Kubectl kubectl) throws Exception {
    return kubectl
        .run(
            "exec",
            "web",
            "-c",
            "main",
            "--",
            "sh",
            "-c",
            "grep -lzx 4711 /proc/[0-9]*/cmdline 2>/dev/null; true")
        .contains("/proc/");
  }

  @Test
  void aTerminalIsATerminal() throws Exception {
    var command =
        String.join(
            " ",
            line("exec", "-it", "web", "-c", "main", "--", "sh", "-c", "'tty; stty size; exit 3'"));
    var script =
        new ProcessBuilder("script", "-qec", "stty rows 33 cols 111; " + command, "/dev/null")
            .redirectErrorStream(true)
            .start();
    var said = text(script);
    assertThat(said).contains("/dev/pts/").contains("33 111").contains("exit code 3");
    assertThat(script.waitFor()).isNotZero();
  }

  @Test
  void filesAreCopiedBothWays() throws Exception {
    var bytes = new byte[500_000];
    new Random(8).nextBytes(bytes);
    var from = Files.write(shell.folder().resolve("from"), bytes);
    var back = shell.folder().resolve("back");
    kubectl.run("cp", from.toString(), "default/web:/tmp/there", "-c", "other");
    kubectl.run("cp", "default/web:/tmp/there", back.toString(), "-c", "other");
    assertThat(Files.readAllBytes(back)).isEqualTo(bytes);
  }

  @Test
  void attachShowsWhatComesFromNowOn() throws Exception {
    var attached = start("attach", "web", "-c", "main");
    try (var lines = attached.inputReader()) {
      var first = lines.readLine();
      while (first != null && !first.startsWith("beat")) first = lines.readLine();
      assertThat(first).startsWith("beat ");
      int number = Integer.parseInt(first.substring(5));
      assertThat(lines.readLine()).isEqualTo("beat " + (number + 1));
    } finally {
      attached.destroy();
    }
  }

  @Test
  void aPortIsForwarded() throws Exception {
    int port;
    try (var server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort(); // pods share the machine's network
      Thread.startVirtualThread(() -> echo(server));
      var forward = start("port-forward", "pod/web", ":" + port);
      try (var lines = forward.inputReader()) {
        var line = lines.readLine();
        assertThat(line).contains("-> " + port);
        int local = Integer.parseInt(line.replaceAll(".*:([0-9]+) ->.*", "$1"));
        var bytes = new byte[1_000_000];
        new Random(9).nextBytes(bytes);
        for (int round = 0; round < 3; round++) assertThat(echoed(local, bytes)).isEqualTo(bytes);
      } finally {
        forward.destroy();
      }
    }
  }

  private static byte[] echoed(int port, byte[] bytes) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Thread.startVirtualThread(() -> {
        try {
          socket.getOutputStream().write(bytes);
          socket.shutdownOutput();
        } catch (IOException broken) {
          throw new IllegalStateException(broken);
        }
      });
      return socket.getInputStream().readAllBytes();
    }
  }

  private static void echo(ServerSocket server) {
    try {
      while (true) {
        var client = server.accept();
        Thread.startVirtualThread(() -> {
          try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
          } catch (IOException _) {
            // it has left
          }
        });
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  private List<String> line(String... arguments) {
    var command = new ArrayList<String>();
    command.add(kubectl.program().toString());
    command.addAll(List.of("--kubeconfig", shell.home().resolve("kubeconfig").toString()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private Process start(String... arguments) throws IOException {
    return new ProcessBuilder(line(arguments)).redirectErrorStream(true).start();
  }

  private static String text(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
