package dev.berth.apiserver.rights;

import dev.berth.apiserver.core.state.State;

/// Says who may do what, by the objects of one state. What one does not allow, another may.
public interface Authorizer {
  /// Everybody whom we know may do everything.
  Authorizer ALWAYS = (_, _, _) -> Decision.allowed("");

  Decision decide(User user, Attributes wish, State state);
}
