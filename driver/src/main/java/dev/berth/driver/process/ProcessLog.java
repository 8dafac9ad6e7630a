package dev.berth.driver.process;

import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/// How much a driver's process tells on standard error: one line an entry. For slf4j-jdk14; with
/// another back end of slf4j its own configuration counts.
final class ProcessLog {
  /// Kept: a logger that nobody holds forgets its level.
  private static final List<Logger> LOGGERS =
      List.of(Logger.getLogger("dev.berth"), Logger.getLogger("io.netty.bootstrap"));

  private static final String FORMAT = "java.util.logging.SimpleFormatter.format";

  private ProcessLog() {}

  /// Reads `--log-level`.
  ///
  /// @throws IllegalArgumentException for an unknown level
  static void set(Arguments arguments) {
    var level =
        arguments
            .find("--log-level", "one of info, debug and trace", ProcessLog::level)
            .orElse(Level.INFO);
    if (System.getProperty(FORMAT) == null)
      System.setProperty(FORMAT, "%1$tFT%1$tT.%1$tL%1$tz %4$s %5$s%6$s%n");
    LOGGERS.getFirst().setLevel(level);
    LOGGERS.getLast().setLevel(Level.SEVERE); // it warns of every connection (UDS-08)
    for (var handler : Logger.getLogger("").getHandlers()) handler.setLevel(level);
  }

  private static Level level(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "info" -> Level.INFO;
      case "debug" -> Level.FINE;
      case "trace" -> Level.FINEST;
      default -> throw new IllegalArgumentException(word);
    };
  }
}
