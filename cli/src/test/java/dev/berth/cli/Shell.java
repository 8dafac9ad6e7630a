package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Runs the command in a process of its own, over one home.
///
/// @param folder for the home and for what goes with it
record Shell(Path folder) {
  Path home() {
    return folder.resolve("h");
  }

  /// @param text what it printed, errors included
  record Result(int exitCode, String text) {
    Result succeeded() {
      assertThat(exitCode).as(text).isZero();
      return this;
    }
  }

  Result berth(String... arguments) throws IOException, InterruptedException {
    var output = Files.createTempFile(folder, "out", ".txt");
    var process = start(output, arguments);
    if (!process.waitFor(180, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("no end of berth " + List.of(arguments) + ": " + read(output));
    }
    return new Result(process.exitValue(), read(output));
  }

  /// Starts it and does not wait for its end.
  Process start(Path output, String... arguments) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.cli.Main"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--home", home().toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static String read(Path output) throws IOException {
    return Files.readString(output);
  }

  /// Mounts below the home, and loop devices over its files.
  List<String> leftovers() throws IOException {
    var left = new ArrayList<String>();
    try (var mounts = Files.lines(Path.of("/proc/self/mountinfo"))) {
      mounts.filter(line -> line.contains(" " + home() + "/")).forEach(left::add);
    }
    try (Stream<Path> devices = Files.list(Path.of("/sys/block"))) {
      for (var device : devices.toList()) {
        var backing = device.resolve("loop/backing_file");
        if (!Files.exists(backing)) continue;
        var file = Files.readString(backing).strip();
        if (file.startsWith(home() + "/")) left.add(device.getFileName() + " over " + file);
      }
    }
    return left;
  }

  long pid() throws IOException {
    return Long.parseLong(Files.readString(home().resolve("berth.pid")).strip());
  }
}
