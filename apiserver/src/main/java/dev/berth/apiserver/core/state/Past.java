package dev.berth.apiserver.core.state;

import java.util.Optional;

/// The states that are still known.
@FunctionalInterface
public interface Past {
  /// The state at `revision`, if it is kept.
  Optional<State> at(long revision);
}
