package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.Refusal.Cause;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.Optional;
import java.util.function.Supplier;

/// A write that is under way.
///
/// @param object as it shall be; plugins complete it
/// @param before as it is; empty: it is new
/// @param suffix five characters that follow a generated name
public record Attempt(
    State state,
    Resource resource,
    ObjectKey key,
    ObjectNode object,
    Optional<Stored> before,
    Supplier<String> suffix) {
  boolean creates(Resource wanted) {
    return before.isEmpty() && resource.equals(wanted);
  }

  /// An object of the same namespace.
  Optional<Stored> neighbour(Resource of, String name) {
    return state.get(of, ObjectKey.of(key.namespace(), name));
  }

  RefusedException forbidden(String why, Cause... causes) {
    return new RefusedException(Refusals.forbidden(resource, key.name(), why, causes));
  }
}
