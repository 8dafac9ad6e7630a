package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.Document.Shown;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Goes the way of docs/write-a-driver.md and docs/disk.md, command by command, with its own
/// folders.
class DriverPagesTest {
  private static final Pattern DRIVER =
      Pattern.compile("examples/driver/run|\\./berth driver disk --endpoint");

  /// What builds in this very tree, or needs Go; the gate runs it after the tests.
  private static final Pattern OF_THE_GATE = Pattern.compile("interop/|^mvn |^cp ");

  /// Commands that know of no stack.
  private static final Pattern HOMELESS = Pattern.compile("\\./berth (conform|driver|disk) ");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// What the pages call it.
  private static final String FOLDER = "/tmp/folder";

  private static final String HOME = "/var/lib/berth";

  private static final String HTTP = "127.0.0.1:19808";

  /// Another than the pages': somebody on this machine may follow it right now.
  private final String http = "127.0.0.1:" + freePort();

  private @Nullable Path folder;
  private @Nullable PageShell shell;
  private @Nullable Process driver;

  @AfterEach
  void stop() throws Exception {
    if (driver != null) end(driver);
    if (folder == null || shell == null) return;
    if (Files.exists(folder.resolve("h"))) shell.run("./berth down").succeeded();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
        .doesNotContain(" " + folder + "/");
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  @Test
  void theCodeIsThatOfTheExample() throws IOException {
    String source;
    try (var files = Files.walk(ROOT.resolve("examples/driver/src/main"))) {
      source =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(DriverPagesTest::text)
              .collect(Collectors.joining());
    }
    assertThat(Document.read(ROOT.resolve("docs/write-a-driver.md")).java())
        .hasSizeGreaterThan(3)
        .allSatisfy(block -> assertThat(source).contains(block));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/write-a-driver.md", "docs/disk.md"})
  void theWayLeadsThere(String page) throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root: skipped");
    assumeTrue(Files.exists(Path.of("/dev/loop-control")), "no loop devices here: skipped");
    folder = Files.createTempDirectory(Path.of("/tmp"), "page");
    var typed = new PageShell(folder, this::here);
    shell = typed;
    for (var shown : Document.read(ROOT.resolve(page)).commands()) {
      if (OF_THE_GATE.matcher(shown.command()).find()) continue;
      if (DRIVER.matcher(shown.command()).lookingAt()) startDriver(typed, shown);
      // A driver that was started a moment ago may not listen yet: its prober asks again, too.
      else if (shown.command().startsWith("curl ")) typed.showsAtLast(shown);
      else typed.shows(shown);
    }
  }

  /// In its own terminal, so to speak: in place of the one before.
  private void startDriver(PageShell typed, Shown shown) throws Exception {
    if (driver != null) end(driver);
    driver = typed.serve(shown);
    await().atMost(PATIENCE).until(() -> Files.exists(folder().resolve("csi.sock")));
  }

  private static void end(Process process) throws InterruptedException {
    assertThat(PageShell.end(process)).isTrue();
    assertThat(process.exitValue()).as("after SIGTERM").isZero();
  }

  private String here(String command) {
    var moved =
        command
            .replace(FOLDER, folder().toString())
            .replace(HOME, folder().resolve("h").toString())
            .replace(HTTP, http);
    if (!moved.startsWith("./berth ")) return moved;
    if (HOMELESS.matcher(moved).lookingAt()) return folder() + moved.substring(1);
    var port = moved.startsWith("./berth up") ? " --port 0" : "";
    return folder() + moved.substring(1) + " --home " + folder().resolve("h") + port;
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path folder() {
    if (folder == null) throw new IllegalStateException("no folder was made");
    return folder;
  }
}
