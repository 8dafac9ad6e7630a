package dev.berth.cli.journey;

import java.time.Duration;
import java.util.Optional;

/// One step in the life of an object.
///
/// @param at since the start of the journey
/// @param object as people type it: `pod/writer`
/// @param text what happened
/// @param took since the object's step before; empty: this is its first
/// @param end whether it ended well or badly, if it ended
public record Edge(
    Duration at, String object, String text, Optional<Duration> took, Optional<End> end) {
  public enum End {
    GOOD,
    BAD
  }
}
