package dev.berth.controller.disruption;

import dev.berth.controller.Means;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.object.StoredResources;

/// Writes what budgets allow.
record BudgetTelling(Means means) implements Effects<TellBudget> {
  /// Only a budget as it was seen: an eviction that took from it meanwhile is not given back.
  @Override
  public void carryOut(TellBudget effect) {
    var budget = effect.budget();
    try {
      means
          .api()
          .patchStatus(
              StoredResources.DISRUPTION_BUDGETS,
              budget.key(),
              budget.patch(body -> body.set("status", effect.status())));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
    effect.notices().forEach(means.events()::tell);
  }
}
