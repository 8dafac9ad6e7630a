package dev.berth.cli.nodeplugin;

import dev.berth.cli.Problem;
import dev.berth.csi.socket.SocketPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// A registrar in a process of its own.
record Child(Process process, Path log) implements AutoCloseable {
  static Child start(Path folder, Path driver, Path registry) throws IOException {
    var log = folder.resolve("log");
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                driver.toString(),
                registry.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new Child(process, log);
  }

  /// Only in the child.
  public static void main(String[] arguments) throws InterruptedException {
    try {
      DriverRegistrar.run(
          new DriverRegistrar.Options(
              new SocketPath(Path.of(arguments[0])),
              "/csi.sock",
              Path.of(arguments[1]),
              Duration.ofSeconds(20),
              Optional.empty(),
              false));
    } catch (Problem told) {
      System.err.println(told.getMessage());
      System.exit(told.exitCode());
    }
  }

  String told() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
