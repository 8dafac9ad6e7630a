package dev.berth.cli.stack;

import dev.berth.cli.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.logging.ConsoleHandler;
import java.util.logging.ErrorManager;
import java.util.logging.FileHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Where the process writes what it does: one line each, in a file that does not grow without end.
public final class Logging {
  private static final int FILE_BYTES = 10 << 20;
  private static final int FILES = 3;

  private static final int EVERY_CALL = 5;

  // Kept, or their levels are forgotten.
  private static final Logger OURS = Logger.getLogger("dev.berth");
  private static final Logger CALLS = Logger.getLogger("dev.berth.csi.client");

  private Logging() {}

  /// Without a file, for commands that only ask: warnings are not for their user.
  static void quiet() {
    var root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) root.removeHandler(handler);
    root.setLevel(Level.OFF);
  }

  /// For a process in a pod, whose words somebody collects.
  ///
  /// @param verbosity as Go's programs count: from 4 on decisions are told, from 5 on each call of
  ///   a driver
  public static void toStandardError(int verbosity, LogFormat format) {
    quiet();
    var lines = new ConsoleHandler();
    lines.setFormatter(format.formatter());
    lines.setLevel(Level.ALL);
    var root = Logger.getLogger("");
    root.addHandler(lines);
    root.setLevel(Level.INFO);
    Logger.getLogger("io.netty.bootstrap").setLevel(Level.SEVERE);
    if (verbosity >= LogFormat.DECISIONS) OURS.setLevel(Level.FINE);
    CALLS.setLevel(verbosity >= EVERY_CALL ? Level.FINE : Level.INFO);
  }

  static void into(Home home) {
    quiet();
    try {
      Files.createDirectories(home.log());
      // Containers' words are among them.
      Files.setPosixFilePermissions(home.log(), PosixFilePermissions.fromString("rwx------"));
      var file =
          new FileHandler(home.log().resolve("berth.%g.log").toString(), FILE_BYTES, FILES, true);
      file.setFormatter(LogFormat.TEXT.formatter());
      file.setErrorManager(new Untold());
      var root = Logger.getLogger("");
      root.addHandler(file);
      root.setLevel(Level.INFO);
    } catch (IOException cannot) { // a full disk must not keep a stack from being taken down
      System.err.println(
          "berth: cannot write %s: %s; the stack runs without a log"
              .formatted(home.processLog(), cannot.getMessage()));
    }
    Logger.getLogger("org.eclipse.jetty").setLevel(Level.WARNING);
    // It warns of every connection over a Unix socket (GRPC-10).
    Logger.getLogger("io.netty.bootstrap").setLevel(Level.SEVERE);
  }

  /// On a full disk words get lost; standard error is no place for them, and nobody reads it.
  private static final class Untold extends ErrorManager {
    @Override
    public void error(@Nullable String message, @Nullable Exception cause, int code) {}
  }
}
