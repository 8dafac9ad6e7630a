package dev.berth.cli.command;

import java.time.Duration;
import picocli.CommandLine.Option;

/// How long to wait for a drive's node.
final class Patience {
  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long to wait; default: ${DEFAULT-VALUE}.")
  private long seconds = 60;

  private final long begun = System.nanoTime();

  Duration left() {
    return Duration.ofSeconds(seconds).minusNanos(System.nanoTime() - begun);
  }

  boolean over() {
    return !left().isPositive();
  }
}
