package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// What became of a process.
///
/// @param text what it printed, errors included
record Ended(int exitCode, String text) {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /// Waits for the end of a process; one that goes on and on is put an end to, and fails the test.
  ///
  /// @param output where it prints
  static Ended of(Process process, Path output) throws IOException, InterruptedException {
    if (process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
      return new Ended(process.exitValue(), Files.readString(output));
    process.destroyForcibly();
    throw new AssertionError("no end of " + process + ": " + Files.readString(output));
  }

  Ended succeeded() {
    assertThat(exitCode).as(text).isZero();
    return this;
  }
}
