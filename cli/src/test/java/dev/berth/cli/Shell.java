package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Runs the command in a process of its own, over one home.
///
/// @param folder for the home and for what goes with it
record Shell(Path folder) {
  /// Over a home that is not there yet; where nothing can be mounted, the test is left out.
  static Shell open(String prefix) throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    assumeTrue(Files.exists(Path.of("/dev/loop-control")), "no loop devices here");
    // Not JUnit's: nothing may be deleted recursively while something may be mounted below it.
    return new Shell(Files.createTempDirectory(Path.of("/tmp"), prefix));
  }

  /// Takes down what is up. Nothing of it is left then.
  void end() throws IOException, InterruptedException {
    berth("down");
    assertThat(leftovers()).isEmpty();
  }

  /// A stack that is up, or has ended instead.
  ///
  /// @param output what it says
  record Started(Process process, Path output) {
    Process isUp() {
      assertThat(output).content().contains("berth is up");
      return process;
    }

    /// It may say more than that it is up, and that later.
    Started says(String words) {
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(output).content().contains(words));
      return this;
    }
  }

  /// Starts a stack at a port that is free.
  Started up(String... options) throws IOException {
    var words = new ArrayList<>(List.of("up", "--port", "0"));
    words.addAll(List.of(options));
    var output = Files.createTempFile(folder, "up", ".txt");
    var process = start(output, words.toArray(String[]::new));
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> read(output).contains("berth is up") || !process.isAlive());
    return new Started(process, output);
  }

  Path home() {
    return folder.resolve("h");
  }

  Ended berth(String... arguments) throws IOException, InterruptedException {
    var output = Files.createTempFile(folder, "out", ".txt");
    return Ended.of(start(output, arguments), output);
  }

  /// Starts it and does not wait for its end.
  Process start(Path output, String... arguments) throws IOException {
    var command = new ArrayList<>(ThisBuild.command());
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
