package dev.berth.controller.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;

/// How much of what, such as `memory`: what pods ask for of a node (SCHED-06). What is 0 is not in
/// it.
///
/// @param each by the resource's name; of `cpu` in thousandths, of all else in whole units
record Amounts(Map<String, Long> each) {
  static final Amounts NONE = new Amounts(Map.of());

  static final String CPU = "cpu";

  /// No pod counts for more, so that thousands of them can be summed up.
  private static final long MOST = 1L << 50;

  Amounts {
    each = Map.copyOf(each);
  }

  /// What has to be there for a pod: what all of its containers ask for together, or one of those
  /// before them beside the sidecars that it finds, and what the pod itself costs. What is said for
  /// the pod as a whole goes before what its containers come to.
  static Amounts of(Pod pod) {
    var spec = pod.spec();
    var sidecars = NONE;
    var beginning = NONE;
    for (var container : spec.path("initContainers")) {
      var own = asked(container.path("resources"));
      boolean stays = container.path("restartPolicy").asText().equals("Always");
      if (stays) sidecars = sidecars.plus(own);
      beginning = beginning.or(stays ? sidecars : sidecars.plus(own));
    }
    var running = sidecars;
    for (var container : spec.path("containers"))
      running = running.plus(asked(container.path("resources")));
    return running
        .or(beginning)
        .replacedBy(asked(spec.path("resources")))
        .plus(of(spec.path("overhead")));
  }

  /// Who only says what is too much asks for as much.
  private static Amounts asked(JsonNode resources) {
    return resources.isMissingNode()
        ? NONE
        : of(resources.path("limits")).replacedBy(of(resources.path("requests")));
  }

  private static Amounts of(JsonNode list) {
    if (list.isEmpty()) return NONE;
    var each = new TreeMap<String, Long>();
    Json.quantities(list).forEach((name, quantity) -> each.put(name, units(name, quantity)));
    return new Amounts(each);
  }

  /// In the unit of the resource, fractions rounded up.
  static long units(String name, Quantity quantity) {
    var amount = name.equals(CPU) ? quantity.amount().movePointRight(3) : quantity.amount();
    return Math.min(MOST, new Quantity(amount, quantity.form()).toLong());
  }

  private Amounts replacedBy(Amounts other) {
    return combined(other, (_, its) -> its);
  }

  Amounts plus(Amounts other) {
    return combined(other, Long::sum);
  }

  Amounts minus(Amounts other) {
    return plus(other.times(-1));
  }

  Amounts times(int factor) {
    if (factor == 1) return this;
    var product = new TreeMap<>(each);
    product.replaceAll((_, amount) -> factor * amount);
    return new Amounts(product);
  }

  /// The more of either.
  private Amounts or(Amounts other) {
    return combined(other, Math::max);
  }

  private Amounts combined(Amounts other, LongBinaryOperator with) {
    if (other.each.isEmpty()) return this;
    var all = new TreeMap<>(each);
    other.each.forEach((name, its) -> {
      var ours = all.get(name);
      long amount = ours == null ? its : with.applyAsLong(ours, its);
      if (amount == 0) all.remove(name);
      else all.put(name, amount);
    });
    return new Amounts(all);
  }
}
