package dev.berth.simulation.api;

import java.time.Duration;

/// How unreliable the way to the API server is.
///
/// @param slowest longest time that a request takes to the server, and its answer back
/// @param laziest longest time after which a watch shows an event; seldom reached
/// @param losesRequests probability that a request does not arrive, or arrives when nobody waits
///   for it
/// @param losesAnswers probability that a request is carried out and its answer lost
/// @param conflicts probability that a write is refused as if somebody else had written first
public record Network(
    Duration slowest,
    Duration laziest,
    double losesRequests,
    double losesAnswers,
    double conflicts) {
  public static final Network GOOD =
      new Network(Duration.ofMillis(3), Duration.ofMillis(10), 0, 0, 0);
  public static final Network BAD =
      new Network(Duration.ofMillis(300), Duration.ofSeconds(20), 0.03, 0.03, 0.04);
}
