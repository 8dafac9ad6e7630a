package dev.berth.apiserver.core.admission;

import dev.berth.apiserver.core.quota.Usage;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;

/// ResourceQuota, the last of all: what is used of a quota, with this write, is not more than there
/// is (API-114). What is used stands on the quota and is true of the state that is written to.
final class Quotas implements Plugin {
  @Override
  public void validate(Attempt attempt) {
    if (!attempt.resource().namespaced()) return;
    for (var quota : attempt.state().list(StoredResources.QUOTAS, attempt.key().namespace()))
      check(attempt, quota);
  }

  private static void check(Attempt attempt, Stored quota) {
    var hard = quota.object().path("spec").path("hard");
    var used = quota.object().path("status").path("used");
    var requested = new ArrayList<String>();
    var usedSoFar = new ArrayList<String>();
    var limited = new ArrayList<String>();
    var missing = new ArrayList<String>();
    for (var each : hard.properties()) {
      var name = each.getKey();
      var more = more(attempt, quota, name);
      var unsaid = Usage.unsaid(name, quota.object(), attempt.resource(), attempt.object());
      if (!unsaid.isEmpty() && attempt.before().isEmpty())
        missing.add(name + " for: " + String.join(",", unsaid));
      if (more.signum() <= 0) continue;
      var limit = Quantity.parse(each.getValue().asText());
      var now = Json.quantity(used, name).map(Quantity::amount).orElse(BigDecimal.ZERO);
      if (now.add(more).compareTo(limit.amount()) <= 0) continue;
      requested.add(name + "=" + new Quantity(more, limit.form()));
      usedSoFar.add(name + "=" + new Quantity(now, limit.form()));
      limited.add(name + "=" + limit);
    }
    var which = quota.key().name();
    if (!missing.isEmpty())
      throw attempt.forbidden(
          "failed quota: %s: must specify %s".formatted(which, String.join("; ", missing)));
    if (!limited.isEmpty())
      throw attempt.forbidden(
          "exceeded quota: %s, requested: %s, used: %s, limited: %s"
              .formatted(
                  which,
                  String.join(",", requested),
                  String.join(",", usedSoFar),
                  String.join(",", limited)));
  }

  private static BigDecimal more(Attempt attempt, Stored quota, String name) {
    var after = Usage.of(name, quota.object(), attempt.resource(), attempt.object());
    var before =
        attempt
            .before()
            .map(old -> Usage.of(name, quota.object(), attempt.resource(), old.object()))
            .orElse(BigDecimal.ZERO);
    return after.subtract(before);
  }
}
