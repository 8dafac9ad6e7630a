package dev.berth.apiserver.http.stream;

import java.io.IOException;
import java.util.List;

/// What a client wants to be carried to and from a program.
///
/// @param start starts the program, when the client is there
public record Wanted(boolean input, boolean output, boolean error, Start start) {
  /// Subprotocols of WebSockets that are spoken for it, the best first.
  static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

  /// Starts a program.
  @FunctionalInterface
  public interface Start {
    /// @throws IOException it was not started; the message is for people
    PodStreams.Process start() throws IOException;
  }
}
