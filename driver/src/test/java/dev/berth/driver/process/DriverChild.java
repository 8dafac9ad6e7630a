package dev.berth.driver.process;

import dev.berth.driver.testing.ToyDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A toy driver in a process of its own, as its users start one.
final class DriverChild implements AutoCloseable {
  private final Process process;
  private final Path log;

  private DriverChild(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /// @param folder for the socket `csi.sock` and the process's output `log`
  static DriverChild start(Path folder, Map<String, String> environment) throws IOException {
    var log = folder.resolve("log");
    var command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            DriverChild.class.getName(),
            "--endpoint=unix://" + folder.resolve("csi.sock"));
    command.environment().keySet().removeAll(Set.of("CSI_NODE_NAME", "DISABLE_TAINT_WATCHER"));
    command.environment().putAll(environment);
    return new DriverChild(
        command.redirectErrorStream(true).redirectOutput(log.toFile()).start(), log);
  }

  /// Only in the child.
  public static void main(String[] arguments) {
    System.exit(
        DriverProcess.run("toy", List.of(arguments), Set.of(), _ -> new ToyDriver(), System.err));
  }

  /// What it has told by now.
  String told() throws IOException {
    return Files.readString(log);
  }

  /// Sends SIGTERM.
  Process end() {
    process.destroy();
    return process;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    Files.deleteIfExists(log);
  }
}
