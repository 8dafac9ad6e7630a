package dev.berth.driver.model;

import java.util.Map;

/// A place: all segments together, as `{zone=a, rack=7}`.
///
/// @param segments key and value; empty: everywhere
public record Topology(Map<String, String> segments) {
  public Topology {
    segments = Map.copyOf(segments);
  }

  public static Topology of(String key, String value) {
    return new Topology(Map.of(key, value));
  }

  /// Whether everything in `inner` is also here: each segment of ours is one of its.
  public boolean contains(Topology inner) {
    return inner.segments.entrySet().containsAll(segments.entrySet());
  }

  @Override
  public String toString() {
    return segments.toString();
  }
}
