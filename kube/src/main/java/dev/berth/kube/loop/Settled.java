package dev.berth.kube.loop;

import dev.berth.kube.event.Notice;
import java.util.Optional;

/// Nothing to do and nothing to wait for: the object is as its author wants it, or is not ours.
///
/// @param warning what the author should know of it before it is too late; told on the way here,
///   again only when its text changes; empty: nothing
public record Settled(Optional<Notice> warning) implements Step {
  public Settled() {
    this(Optional.empty());
  }

  public static Settled but(Notice warning) {
    return new Settled(Optional.of(warning));
  }
}
