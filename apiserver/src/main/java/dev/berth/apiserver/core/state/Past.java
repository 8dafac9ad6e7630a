package dev.berth.apiserver.core.state;

import dev.berth.kube.object.Resource;
import java.util.Optional;

/// The states that are still known.
@FunctionalInterface
public interface Past {
  /// A state in which the objects of a kind are as they were at `revision`, if that is still known.
  ///
  /// @param resource as it is stored
  Optional<State> at(Resource resource, long revision);
}
