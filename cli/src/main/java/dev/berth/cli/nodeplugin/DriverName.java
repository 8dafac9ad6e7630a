package dev.berth.cli.nodeplugin;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.driver.process.Liveness;
import dev.berth.kube.time.Backoff;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks a driver who it is, as soon as it is there.
///
/// @param socket of the driver; need not exist yet
/// @param patience how long it may take to be there; empty: as long as it likes
/// @param answer how long it may take to answer then
/// @param witness is told how each question went that reached the driver
record DriverName(
    SocketPath socket, Optional<Duration> patience, Duration answer, Liveness.Witness witness) {
  private static final Logger log = LoggerFactory.getLogger(DriverName.class);
  private static final Backoff SEEKING =
      new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1)); // as often as upstream's

  /// What the first call of a process takes beside the driver's part of it, on a busy machine: a
  /// JVM reads the code of a call when it makes the first one.
  private static final Duration COLD = Duration.ofSeconds(2);

  /// The driver's name, never empty.
  ///
  /// @throws CsiException if it is there and refuses, or does not come in time
  /// @throws IllegalArgumentException if it has no name
  String ask() throws InterruptedException {
    var end = patience.map(Instant.now()::plus);
    for (int attempt = 1; ; attempt++) {
      var asked = System.nanoTime();
      try (var connection = CsiConnection.open(socket.path())) {
        var info =
            connection
                .identity(attempt == 1 ? answer.plus(COLD) : answer)
                .getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        witness.saw(Status.Code.OK, since(asked));
        return named(info.getName());
      } catch (CsiException absent) {
        if (absent.code() != Status.Code.UNAVAILABLE) witness.saw(absent.code(), since(asked));
        boolean late = end.map(Instant.now()::isAfter).orElse(false);
        if (absent.code() != Status.Code.UNAVAILABLE || late) throw absent;
        if (attempt == 1) log.info("{}: waiting for the driver: {}", socket, absent.getMessage());
      }
      Thread.sleep(SEEKING.after(attempt));
    }
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private String named(String name) {
    if (name.isEmpty())
      throw new IllegalArgumentException("the driver at %s says no name".formatted(socket));
    return name;
  }
}
