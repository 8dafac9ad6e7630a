package dev.berth.cli.stack;

import dev.berth.cli.Problem;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// A stack in a process of its own that outlives this one.
///
/// @param pid of the process
/// @param exitCode of the process, if it ended instead of getting ready; it has said why
public record Background(long pid, OptionalInt exitCode) {
  private static final String READY = "ready";

  /// Returns when the stack is ready or has failed.
  public static Background start(StackOptions options) throws InterruptedException {
    var launcher = System.getenv("BERTH_LAUNCHER");
    if (launcher == null)
      throw new Problem("--detach needs the launcher; start berth by its launcher script");
    // A session of its own: Ctrl-C at this terminal, or its end, does not reach it.
    var command = new ArrayList<>(List.of("setsid", launcher, "up", "--in-background", "--home"));
    command.add(options.home().folder().toString());
    command.addAll(List.of("--nodes", "" + options.nodes(), "--port", "" + options.port()));
    command.addAll(List.of("--authorization-mode", options.mode().word()));
    options.drives().ifPresent(file -> command.addAll(List.of("--bare-metal", file.toString())));
    for (var driver : options.drivers()) command.addAll(List.of("--driver", "unix://" + driver));
    try {
      var process =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .start();
      // Our own standard error would be open in the stack for ever, and whoever reads it would
      // wait.
      try (var words =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (var line = words.readLine(); line != null; line = words.readLine()) {
          if (line.equals(READY)) return new Background(process.pid(), OptionalInt.empty());
          System.err.println(line);
        }
      }
      return new Background(process.pid(), OptionalInt.of(process.waitFor()));
    } catch (IOException cannot) {
      throw new Problem("cannot start " + launcher + ": " + cannot.getMessage());
    }
  }

  /// Called in the process itself. Afterwards nobody reads what it prints.
  public static void sayReady() {
    System.out.println(READY);
    System.out.flush();
  }
}
