package dev.berth.cli.nodeagent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// containerd as the distribution has it, with everything in a folder of its own
/// (`interop/containerd`).
record Containerd(Path folder, String endpoint) implements AutoCloseable {
  private static final int SKIPPED = 77;

  /// Skips the test where it cannot run.
  static Containerd start() throws IOException, InterruptedException {
    var folder = Files.createTempDirectory(Path.of("/tmp"), "ce");
    var said = run(folder, script(), "up");
    return new Containerd(folder, "unix://" + said.getLast());
  }

  /// Names of its own kind, such as those of all containers: `containers list -q`.
  List<String> ctr(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("ctr", "--address", endpoint.substring(7)));
    command.addAll(List.of("--namespace", "k8s.io"));
    command.addAll(List.of(words));
    return output(command);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    run(folder, script(), "down");
  }

  private static List<String> run(Path folder, String script, String verb)
      throws IOException, InterruptedException {
    return output(List.of(script, verb, folder.toString()));
  }

  private static String script() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("interop/containerd")))
      folder = Objects.requireNonNull(folder.getParent());
    return folder.resolve("interop/containerd").toString();
  }

  /// Into a file: what is started and lives on would keep a pipe open.
  private static List<String> output(List<String> command)
      throws IOException, InterruptedException {
    var said = Files.createTempFile("said", "");
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    int code = process.waitFor();
    var words = Files.readAllLines(said);
    Files.delete(said);
    assumeTrue(code != SKIPPED, String.join(" ", words));
    if (code != 0) throw new IOException(command + ": " + String.join("\n", words));
    return words;
  }
}
