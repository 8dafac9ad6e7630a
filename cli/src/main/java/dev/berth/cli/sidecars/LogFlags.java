package dev.berth.cli.sidecars;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.cli.stack.LogFormat;
import dev.berth.cli.stack.Logging;

/// What `-v` and `--logging-format` ask for.
public final class LogFlags {
  private LogFlags() {}

  /// @throws Problem if there is no such format
  public static void obey(Given given) {
    Logging.toStandardError(given.whole("v"), format(given.text("logging-format")));
  }

  static LogFormat format(String name) {
    return LogFormat.of(name)
        .orElseThrow(() ->
            Problem.ofCommandLine(
                "--logging-format: Invalid value: \"%s\": Unsupported log format; write text or json"
                    .formatted(name)));
  }
}
