package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Node;
import dev.berth.kube.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Whether there is room for a pod on a node: for its ports, for one more, and for what it asks for
/// of processors, memory and whatever else nodes say they have (SCHED-06).
final class RoomRules {
  /// Pods past this one are refused.
  static final String TOO_MANY_PODS = "Too many pods";

  /// How a reason begins that names what there is too little of.
  static final String INSUFFICIENT = "Insufficient ";

  private RoomRules() {}

  static Optional<Refusal> refusal(Wanted wanted, Host host) {
    return HostPorts.refusal(wanted, host)
        .or(() -> full(host))
        .or(() -> insufficient(wanted.amounts(), host));
  }

  /// Whether a pod that asks for this much may come there, its ports apart.
  static boolean fits(Amounts asked, Host host) {
    return full(host).isEmpty() && insufficient(asked, host).isEmpty();
  }

  private static Optional<Refusal> full(Host host) {
    var node = host.existing();
    long limit = node.maxPods().map(Quantity::toLong).orElse(Long.MAX_VALUE);
    if (host.pods() < limit) return Optional.empty();
    return Optional.of(
        new Refusal(
            TOO_MANY_PODS,
            Wait.on(node.ref(), "status.allocatable"),
            node.ref() + " has room for another pod",
            "add a node, or delete pods that are on node " + node.meta().name()));
  }

  private static Optional<Refusal> insufficient(Amounts asked, Host host) {
    if (asked.each().isEmpty()) return Optional.empty();
    var node = host.existing();
    var lacking = new ArrayList<String>();
    var told = new ArrayList<String>();
    for (var each : new TreeMap<>(asked.each()).entrySet()) {
      var name = each.getKey();
      long left = has(node, name) - host.asked().each().getOrDefault(name, 0L);
      if (each.getValue() <= left) continue;
      lacking.add(INSUFFICIENT + name);
      told.add(
          "%s of %s, of which it asks for %s"
              .formatted(text(name, Math.max(0, left)), name, text(name, each.getValue())));
    }
    if (lacking.isEmpty()) return Optional.empty();
    return Optional.of(
        new Refusal(
            List.copyOf(lacking),
            Wait.on(node.ref(), "status.allocatable"),
            "%s has room for what it asks for: it has left %s"
                .formatted(node.ref(), String.join(", and ", told)),
            "add a node, delete pods that are on node %s, or create the pod again asking for less"
                .formatted(node.meta().name())));
  }

  /// A node that does not say how many processors or how much memory it has may have any; of what
  /// not every node has, it has none.
  private static long has(Node node, String name) {
    var quantity = node.allocatable().get(name);
    if (quantity != null) return Amounts.units(name, quantity);
    return name.contains("/") ? 0 : Long.MAX_VALUE;
  }

  private static String text(String name, long amount) {
    if (name.equals(Amounts.CPU)) return Quantity.parse(amount + "m").toString();
    return name.equals("memory") || name.equals("ephemeral-storage")
        ? Quantity.ofBytes(amount).toString()
        : Long.toString(amount);
  }
}
