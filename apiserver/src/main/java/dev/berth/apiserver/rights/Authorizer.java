package dev.berth.apiserver.rights;

import dev.berth.apiserver.core.state.State;
import java.util.ArrayList;

/// Says who may do what, by the objects of one state. What one does not allow, another may.
public interface Authorizer {
  /// Everybody whom we know may do everything.
  Authorizer ALWAYS = (_, _, _) -> Decision.allowed("");

  /// What any of several allows.
  static Authorizer anyOf(Authorizer... several) {
    return (user, wish, state) -> {
      var reasons = new ArrayList<String>();
      for (var each : several) {
        var decision = each.decide(user, wish, state);
        if (decision.allowed()) return decision;
        if (!decision.reason().isEmpty()) reasons.add(decision.reason());
      }
      return Decision.refused(String.join("\n", reasons));
    };
  }

  Decision decide(User user, Attributes wish, State state);
}
