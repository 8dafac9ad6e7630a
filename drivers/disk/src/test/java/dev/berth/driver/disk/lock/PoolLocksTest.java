package dev.berth.driver.disk.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.disk.lock.PoolLocks.Hold;
import dev.berth.driver.model.Refusal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever waits for a lock has it when it is let go of, in this process or another, and not
/// sooner.
class PoolLocksTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;
  private Path file;

  @AutoClose private PoolLocks locks;

  @AutoClose private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AutoClose private final Others others = new Others();

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("lock");
    locks = new PoolLocks(file);
  }

  @Test
  void whoSharesDoesSoWithOthersWhoDo() {
    try (var first = locks.share("a");
        var _ = locks.share("a")) {
      first.close();
      assertThatThrownBy(() -> locks.hold("a"))
          .hasMessageContaining("another call to this process");
    }
    try (var _ = locks.hold("a")) {
      assertThatThrownBy(() -> locks.share("a")).isInstanceOf(Refusal.class);
    }
  }

  @Test
  void aProcessThatSharesDoesSoWithOthers() throws IOException {
    var other = others.start(file, "share a", "hold b");
    try (var _ = locks.share("a")) {
      assertThatThrownBy(() -> locks.share("b")).hasMessageContaining("another process");
    }
    assertThat(locks.tryHold("a")).isEmpty();
    other.kill();
    locks.hold("a").close();
    locks.hold("b").close();
  }

  @Test
  void whoWaitsHasItNext() throws Exception {
    Future<Optional<Hold>> waiting;
    try (var _ = locks.hold("a")) {
      assertThat(locks.await("a", Duration.ofMillis(1))).isEmpty();
      waiting = threads.submit(() -> locks.await("a", LONG));
    }
    waiting.get().orElseThrow().close();
  }

  @Test
  void whoWaitsForAnotherProcessHasItNext() throws Exception {
    var other = others.start(file, "hold a");
    var waiting = List.of(waitingFor("a"), waitingFor("a"));
    await().until(this::isAsked);
    assertThat(locks.tryHold("a")).isEmpty();
    other.letGo();
    for (var one : waiting) one.get().orElseThrow().close();
    locks.hold("a").close();
  }

  private Future<Optional<Hold>> waitingFor(String thing) {
    return threads.submit(() -> {
      var hold = locks.await(thing, LONG);
      hold.ifPresent(Hold::close); // the next one waits for it
      return hold;
    });
  }

  @Test
  void whoWaitsForAProcessThatDiesHasItNext() throws Exception {
    var other = others.start(file, "hold a");
    var waiting = waitingFor("a");
    await().until(this::isAsked);
    other.kill();
    assertThat(waiting.get()).isPresent();
  }

  @Test
  void whatComesTooLateIsGivenBack() throws Exception {
    var other = others.start(file, "hold a");
    assertThat(locks.await("a", Duration.ofMillis(1))).isEmpty();
    other.letGo();
    await().until(() -> locks.tryHold("a").isPresent());
  }

  /// To the kernel, which knows no threads, each of the two waits for the other.
  @Test
  void aCircleOfProcessesIsNoneOfThreads() throws Exception {
    var hold = locks.hold("ours");
    var other = others.start(file, "hold a", "thread await ours");
    await().until(this::isAsked);
    var waiting = waitingFor("a");
    hold.close();
    assertThat(other.next()).isEqualTo("awaited ours");
    other.letGo();
    assertThat(waiting.get()).isPresent();
  }

  @Test
  void aCircleThatTheOtherProcessOpensIsOpen() throws Exception {
    try (var _ = locks.hold("ours")) {
      var other = others.start(file, "hold a", "thread await ours");
      await().until(this::isAsked);
      var waiting = waitingFor("a");
      await().until(PoolLocksTest::isRefusedToWait);
      other.letGo();
      assertThat(waiting.get()).isPresent();
    }
  }

  private static boolean isRefusedToWait() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Stream::of)
        .anyMatch(frame -> frame.getMethodName().equals("waitForRelease"));
  }

  @Test
  void oneThatFailsKeepsNoOtherHold() {
    var closed = new ArrayList<String>();
    var holds = new ArrayDeque<Hold>();
    holds.push(() -> closed.add("first"));
    holds.push(() -> {
      throw new IllegalStateException("second");
    });
    holds.push(() -> closed.add("third"));
    assertThatThrownBy(() -> Hold.closeAll(holds)).hasMessage("second");
    assertThat(closed).containsExactly("third", "first");
  }

  /// Whether somebody stays in the kernel's call for one of the locks.
  private boolean isAsked() throws IOException {
    var inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    return Files.readString(Path.of("/proc/locks"), StandardCharsets.US_ASCII)
        .lines()
        .anyMatch(line -> line.contains("-> POSIX") && line.contains(inode));
  }

  /// Processes that have locks.
  private static final class Others implements AutoCloseable {
    private final List<Other> all = new ArrayList<>();

    Other start(Path file, String... orders) throws IOException {
      var command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  file.toString()));
      command.addAll(List.of(orders));
      var other = new Other(new ProcessBuilder(command).redirectErrorStream(true).start());
      all.add(other);
      assertThat(other.next()).isEqualTo("ready");
      return other;
    }

    @Override
    public void close() {
      all.forEach(Other::kill);
    }
  }

  private static final class Other {
    private final Process process;
    private final BufferedReader words;

    Other(Process process) {
      this.process = process;
      this.words =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    String next() throws IOException {
      return String.valueOf(words.readLine());
    }

    void letGo() throws IOException {
      process.getOutputStream().close();
    }

    void kill() {
      process.destroyForcibly().onExit().join();
    }
  }

  /// Has what it is told to, until its input ends.
  static final class Main {
    public static void main(String[] arguments) throws IOException {
      try (var locks = new PoolLocks(Path.of(arguments[0]))) {
        for (var order : List.of(arguments).subList(1, arguments.length)) {
          var thing = order.substring(order.lastIndexOf(' ') + 1);
          if (order.startsWith("hold")) locks.hold(thing);
          else if (order.startsWith("share")) locks.share(thing);
          else Thread.ofPlatform().daemon().start(() -> say(locks, thing));
        }
        System.out.println("ready");
        System.in.read();
      }
    }

    private static void say(PoolLocks locks, String thing) {
      locks.await(thing, LONG).ifPresent(_ -> System.out.println("awaited " + thing));
    }
  }
}
