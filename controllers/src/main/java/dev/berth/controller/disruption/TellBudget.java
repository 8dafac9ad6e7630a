package dev.berth.controller.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effect;
import java.util.List;

/// Writes what a budget allows now.
///
/// @param status the fields of the budget's `status` that change; `null` takes one away
/// @param notices what is told beside it
record TellBudget(Revision budget, JsonNode status, List<Notice> notices) implements Effect {
  TellBudget {
    notices = List.copyOf(notices);
  }
}
