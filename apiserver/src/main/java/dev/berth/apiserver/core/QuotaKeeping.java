package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.quota.Usage;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/// Keeps on each quota what is used of it (API-114). It follows each write in the same transaction:
/// by what the object used before and uses now, so that it costs what the namespace's quotas cost,
/// never what the namespace holds. Only a quota whose limits change is counted anew.
final class QuotaKeeping {
  private static final Resource QUOTAS = StoredResources.QUOTAS;

  private final Draft draft;

  QuotaKeeping(Draft draft) {
    this.draft = draft;
  }

  void follow(Written written) {
    var resource = written.resource();
    if (!resource.namespaced()) return;
    var quotas = draft.state().list(QUOTAS, written.key().namespace());
    if (quotas.isEmpty()) return;
    if (resource.equals(QUOTAS)
        && written instanceof Written.Put put
        && put.before().isPresent()
        && sameLimits(put.after())) return;
    for (var quota : List.copyOf(quotas))
      if (isOf(written, quota)) recount(quota);
      else add(quota, written);
  }

  private static boolean isOf(Written written, Stored quota) {
    return written.resource().equals(QUOTAS) && written.key().equals(quota.key());
  }

  private static boolean sameLimits(Stored quota) {
    var hard = quota.object().path("spec").path("hard");
    return Trees.same(hard, quota.object().path("status").path("hard"));
  }

  /// What an object used before, and what it uses now.
  private void add(Stored quota, Written written) {
    var resource = written.resource();
    Optional<Stored> before =
        switch (written) {
          case Written.Put put -> put.before();
          case Written.Removed removed -> Optional.of(removed.before());
        };
    Optional<Stored> after =
        written instanceof Written.Put put ? Optional.of(put.after()) : Optional.empty();
    var used = quota.object().path("status").path("used");
    var changed = JsonNodeFactory.instance.objectNode();
    for (var each : hard(quota).properties()) {
      var name = each.getKey();
      var more = used(quota, name, resource, after).subtract(used(quota, name, resource, before));
      if (more.signum() == 0) continue;
      var now = Json.quantity(used, name).map(Quantity::amount).orElse(BigDecimal.ZERO);
      changed.put(name, text(now.add(more), each.getValue()));
    }
    if (!changed.isEmpty()) put(quota, changed);
  }

  private static BigDecimal used(
      Stored quota, String name, Resource resource, Optional<Stored> object) {
    return object
        .map(each -> Usage.of(name, quota.object(), resource, each.object()))
        .orElse(BigDecimal.ZERO);
  }

  private static JsonNode hard(Stored quota) {
    return quota.object().path("spec").path("hard");
  }

  /// In the words in which the limit is said.
  private static String text(BigDecimal amount, JsonNode limit) {
    return new Quantity(amount, Quantity.parse(limit.asText()).form()).toString();
  }

  private void recount(Stored quota) {
    var all = JsonNodeFactory.instance.objectNode();
    for (var each : hard(quota).properties()) {
      var name = each.getKey();
      var sum = BigDecimal.ZERO;
      var counted = counted(name);
      if (counted.isPresent())
        for (var object : draft.state().list(counted.get(), quota.key().namespace()))
          sum = sum.add(Usage.of(name, quota.object(), counted.get(), object.object()));
      all.put(name, text(sum, each.getValue()));
    }
    var changed = quota.object().deepCopy();
    var status = changed.putObject("status");
    status.set("hard", hard(quota).deepCopy());
    status.set("used", all);
    if (!Trees.same(changed, quota.object()))
      draft.put(QUOTAS, quota.key(), Optional.of(quota), changed);
  }

  private Optional<Resource> counted(String name) {
    if (!name.startsWith("count/"))
      return Usage.counted(name).or(() -> Optional.of(Resources.PODS));
    return draft.state().kinds().all().stream()
        .map(Served::storedAs)
        .filter(each ->
            name.equals(
                "count/" + each.plural() + (each.group().isEmpty() ? "" : "." + each.group())))
        .filter(Resource::namespaced)
        .findFirst();
  }

  private void put(Stored quota, ObjectNode changed) {
    var object = quota.object().deepCopy();
    var status = Trees.objectAt(object, "status");
    Trees.objectAt(status, "used").setAll(changed);
    draft.put(QUOTAS, quota.key(), Optional.of(quota), object);
  }
}
