package dev.berth.kube.loop;

import dev.berth.kube.event.Notice;
import java.time.Instant;
import java.util.Optional;

/// Nothing to do and nothing to wait for: the object is as its author wants it, or is not ours.
///
/// @param warning what the author should know of it before it is too late; told on the way here,
///   again only when its text changes; empty: nothing
/// @param again when time alone may change that; empty: never
public record Settled(Optional<Notice> warning, Optional<Instant> again) implements Step {
  public Settled() {
    this(Optional.empty(), Optional.empty());
  }

  public static Settled but(Notice warning) {
    return new Settled(Optional.of(warning), Optional.empty());
  }

  /// To be asked again at a time though nothing changes.
  public Settled lookAgainAt(Instant time) {
    return new Settled(warning, Optional.of(time));
  }
}
