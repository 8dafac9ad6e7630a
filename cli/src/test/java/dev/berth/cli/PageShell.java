package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.cli.Document.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Types the commands of a page into a shell, in the root of this tree, with folders of the test's
/// own.
final class PageShell implements AutoCloseable {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path folder;
  private final UnaryOperator<String> here;

  /// What goes on until it is ended, in the order in which it was started.
  private final List<Process> serving = new ArrayList<>();

  /// For pages whose `/tmp/folder` is `folder`, and whose `./berth` is this very build.
  PageShell(Path folder) throws IOException {
    this(
        folder,
        text ->
            text.replace("./berth", folder + "/berth").replace("/tmp/folder", folder.toString()));
  }

  /// @param folder exists; from now on it holds this very build as `berth`
  /// @param here what a page's words mean here
  PageShell(Path folder, UnaryOperator<String> here) throws IOException {
    this.folder = folder;
    this.here = here;
    ThisBuild.writeLauncher(folder.resolve("berth"));
  }

  /// What a page's words mean here.
  String here(String text) {
    return here.apply(text);
  }

  private Shown here(Shown shown) {
    return new Shown(here(shown.command()), shown.output().stream().map(here).toList());
  }

  Ended run(String command) throws IOException, InterruptedException {
    var output = Files.createTempFile(folder, "said", ".txt");
    return Ended.of(begin(here(command), output), output);
  }

  /// Runs a command that succeeds and prints what the page shows.
  void shows(Shown shown) throws IOException, InterruptedException {
    var printed = run(shown.command()).succeeded().text();
    assertThat(here(shown).missingIn(printed))
        .as(shown.command() + " printed: " + printed)
        .isEmpty();
  }

  /// The same, if not at once.
  void showsAtLast(Shown shown) {
    await().atMost(PATIENCE).untilAsserted(() -> shows(shown));
  }

  /// Starts a command that goes on, and waits until it has printed what the page shows.
  Process serve(Shown shown) throws IOException {
    return serve(shown.command(), said -> here(shown).missingIn(said).isEmpty());
  }

  /// Starts a command that goes on.
  ///
  /// @param up whether it serves, by what it has printed
  Process serve(String command, Predicate<String> up) throws IOException {
    var output = Files.createTempFile(folder, "serves", ".txt");
    var process = begin("exec " + here(command), output);
    serving.add(process);
    await().atMost(PATIENCE).until(() -> up.test(Files.readString(output)) || !process.isAlive());
    assertThat(Files.readString(output)).as(command).matches(up);
    return process;
  }

  private Process begin(String command, Path output) throws IOException {
    var builder = new ProcessBuilder("sh", "-c", command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder
        .directory(ROOT.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /// Ends what goes on, the last first, as an operator would.
  @Override
  public void close() throws InterruptedException {
    for (var process : serving.reversed()) end(process);
    serving.clear();
  }

  /// @return whether it has ended when it was asked to
  static boolean end(Process process) throws InterruptedException {
    process.destroy();
    boolean ended = process.waitFor(30, TimeUnit.SECONDS);
    if (!ended) process.destroyForcibly().waitFor();
    return ended;
  }
}
