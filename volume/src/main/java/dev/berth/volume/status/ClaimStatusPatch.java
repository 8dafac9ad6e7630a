package dev.berth.volume.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;

/// A strategic merge patch of a claim's `/status`, on which annotations may ride (RSZ-36). It is
/// for the very claim that was seen, and says nothing of what it does not change: conditions of
/// others stay as they are.
public final class ClaimStatusPatch {
  private final Claim seen;
  private final ObjectNode metadata = JsonNodeFactory.instance.objectNode();
  private final ObjectNode status = JsonNodeFactory.instance.objectNode();
  private final ArrayNode conditions = JsonNodeFactory.instance.arrayNode();

  private ClaimStatusPatch(Claim seen) {
    this.seen = seen;
  }

  public static ClaimStatusPatch of(Claim seen) {
    return new ClaimStatusPatch(seen);
  }

  /// Sets a condition in the place of the one of its type.
  public ClaimStatusPatch condition(ClaimCondition now) {
    var before = seen.condition(now.type());
    if (before.equals(Optional.of(now))) return this;
    var entry = conditions.addObject().put("type", now.type()).put("status", now.status());
    now.probed().ifPresent(at -> entry.put("lastProbeTime", at.toString()));
    now.since().ifPresent(at -> entry.put("lastTransitionTime", at.toString()));
    text(entry, "reason", now.reason(), before.map(ClaimCondition::reason));
    text(entry, "message", now.message(), before.map(ClaimCondition::message));
    return this;
  }

  private static void text(ObjectNode entry, String field, String now, Optional<String> before) {
    if (!now.isEmpty()) entry.put(field, now);
    else if (before.filter(text -> !text.isEmpty()).isPresent()) entry.putNull(field);
  }

  /// Removes the condition of this type, if the claim has it.
  public ClaimStatusPatch without(String conditionType) {
    if (seen.condition(conditionType).isPresent())
      conditions.addObject().put("$patch", "delete").put("type", conditionType);
    return this;
  }

  /// The status' object of this name, for fields to be put into.
  public ObjectNode part(String name) {
    return status.withObject("/" + name);
  }

  /// The status itself, for fields to be put into.
  public ObjectNode status() {
    return status;
  }

  public ClaimStatusPatch annotation(String key, String value) {
    if (!seen.meta().annotation(key).equals(Optional.of(value)))
      metadata.withObject("/annotations").put(key, value);
    return this;
  }

  public ClaimStatusPatch withoutAnnotation(String key) {
    if (seen.meta().hasAnnotation(key)) metadata.withObject("/annotations").putNull(key);
    return this;
  }

  /// Applies it to the claim only as it was seen. Nothing is written if nothing changes (RSZ-40).
  ///
  /// @return the claim as it now is
  /// @throws dev.berth.kube.api.ApiException.LostRace if it is another by now
  public Claim applyIfUnchanged(Api api) {
    return apply(api, metadata.deepCopy().put("resourceVersion", seen.meta().resourceVersion()));
  }

  /// Applies it also if somebody has changed the claim meanwhile: what it says is true all the same
  /// (RSZ-52).
  ///
  /// @return the claim as it now is
  public Claim applyAnyway(Api api) {
    return apply(api, metadata.deepCopy());
  }

  private Claim apply(Api api, ObjectNode about) {
    if (metadata.isEmpty() && status.isEmpty() && conditions.isEmpty()) return seen;
    var body = JsonNodeFactory.instance.objectNode();
    body.set("metadata", about.put("uid", seen.meta().uid()));
    var all = status.deepCopy();
    if (!conditions.isEmpty()) {
      all.set("conditions", conditions);
      all.set("$setElementOrder/conditions", order());
    }
    if (!all.isEmpty()) body.set("status", all);
    return Kinds.CLAIM
        .read()
        .apply(api.patchStatus(Resources.CLAIMS, seen.meta().key(), Patch.strategic(body)));
  }

  /// Those that were there stay where they were; new ones come last.
  private ArrayNode order() {
    var changed = new LinkedHashMap<String, Boolean>();
    for (var entry : conditions) changed.put(entry.path("type").asText(), entry.has("$patch"));
    var types = new LinkedHashSet<String>();
    seen.conditions().forEach(condition -> types.add(condition.type()));
    types.addAll(changed.keySet());
    types.removeIf(type -> changed.getOrDefault(type, false));
    var order = JsonNodeFactory.instance.arrayNode();
    types.forEach(type -> order.addObject().put("type", type));
    return order;
  }
}
