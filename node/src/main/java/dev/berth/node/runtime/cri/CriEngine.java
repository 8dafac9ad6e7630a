package dev.berth.node.runtime.cri;

import dev.berth.csi.socket.SocketPath;
import dev.berth.node.runtime.cri.v1.VersionRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Who serves containers.
///
/// @param name `containerd` or `cri-o`
/// @param version of the program
public record CriEngine(String name, String version) {
  /// The version of the interface that we speak; a program that speaks only another refuses us.
  private static final String INTERFACE = "v1";

  private static final Duration ASKING = Duration.ofSeconds(10);

  /// How long one may take to get up that takes connections already.
  private static final Duration BEGINNING = Duration.ofSeconds(30);

  private static final Duration BLINK = Duration.ofMillis(50);

  /// Asks who is behind a socket.
  ///
  /// @return empty: nobody who serves containers
  public static Optional<CriEngine> at(SocketPath socket) {
    if (!socket.isServed()) return Optional.empty();
    try (var connection = new CriConnection(socket)) {
      return Optional.of(of(connection));
    } catch (CriException other) {
      return Optional.empty();
    }
  }

  /// Waits for one that has just been started: it answers before it can do anything.
  ///
  /// @throws CriException if it does not answer, or speaks no version that we do
  static CriEngine of(CriConnection engine) {
    for (long last = System.nanoTime() + BEGINNING.toNanos(); ; ) {
      try {
        return ask(engine);
      } catch (CriException refused) {
        boolean begins =
            refused.code() == Status.Code.UNAVAILABLE
                || String.valueOf(refused.getMessage()).contains("not initialized");
        if (!begins || System.nanoTime() >= last) throw refused;
      }
      LockSupport.parkNanos(BLINK.toNanos());
    }
  }

  private static CriEngine ask(CriConnection engine) {
    var answer =
        engine.runtime(
            "ask the container engine for its version (CRI %s)".formatted(INTERFACE),
            ASKING,
            stub -> stub.version(VersionRequest.newBuilder().setVersion(INTERFACE).build()));
    return new CriEngine(answer.getRuntimeName(), answer.getRuntimeVersion());
  }

  /// As in a Node's `status.nodeInfo.containerRuntimeVersion`.
  @Override
  public String toString() {
    return name + "://" + version;
  }
}
