package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.StoredResources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Gives the ports of a service their ports on the nodes: each is one service's only, whatever its
/// protocol. They are few: those that are taken are looked up whenever one is wanted.
final class NodePorts {
  private static final int FIRST = 30_000;
  private static final int COUNT = 2768;

  private final Draft draft;
  private final ObjectKey service;

  /// That the service has already.
  private final Set<Integer> own = new HashSet<>();

  /// By the number of the service's port: two protocols share one.
  private final Map<Integer, Integer> given = new HashMap<>();

  /// That other services have; empty: nobody has looked yet.
  private Optional<Set<Integer>> others = Optional.empty();

  /// @param before the service as it is; empty: it is new
  NodePorts(Draft draft, ObjectKey service, Optional<Stored> before) {
    this.draft = draft;
    this.service = service;
    before.ifPresent(it -> ports(it.object()).forEach(own::add));
  }

  private static List<Integer> ports(JsonNode service) {
    return service
        .path("spec")
        .path("ports")
        .valueStream()
        .map(NodePorts::number)
        .filter(number -> number != 0)
        .toList();
  }

  private static int number(JsonNode port) {
    return port.path("nodePort").asInt();
  }

  /// Takes those that are asked for, and gives the others one.
  void give(JsonNode spec) {
    check(spec);
    for (var each : spec.path("ports"))
      if (each instanceof ObjectNode port && number(port) == 0) {
        var shared = given.get(port.path("port").asInt());
        int number = shared == null ? free() : shared;
        port.put("nodePort", number);
        given.put(port.path("port").asInt(), number);
      }
  }

  /// Takes those that are asked for.
  ///
  /// @throws RefusedException if one is not to be had
  void check(JsonNode spec) {
    int index = 0;
    for (var port : spec.path("ports")) {
      int at = index++;
      int number = number(port);
      if (number == 0) continue;
      var shared = given.putIfAbsent(port.path("port").asInt(), number);
      if (own.contains(number) || shared != null && shared == number) continue;
      if (number < FIRST || number >= FIRST + COUNT)
        throw refused(
            at,
            number,
            "provided port is not in the valid range. The range of valid ports is %d-%d"
                .formatted(FIRST, FIRST + COUNT - 1));
      if (!others().add(number)) throw refused(at, number, "provided port is already allocated");
    }
  }

  private RefusedException refused(int index, int number, String why) {
    var error =
        FieldError.invalid(
            "spec.ports[%d].nodePort".formatted(index), Integer.toString(number), why);
    return new RefusedException(
        Refusals.invalid(StoredResources.SERVICES, service.name(), List.of(error)));
  }

  private int free() {
    var taken = others();
    int number = FIRST + draft.ids().below(COUNT);
    for (int i = 0; i < COUNT && (taken.contains(number) || own.contains(number)); i++)
      number = number + 1 < FIRST + COUNT ? number + 1 : FIRST;
    if (!taken.add(number))
      throw new RefusedException(
          Refusals.internalError(
              new IllegalStateException("failed to allocate a nodePort: range is full")));
    return number;
  }

  private Set<Integer> others() {
    if (others.isPresent()) return others.get();
    var taken = new HashSet<Integer>();
    for (var each : draft.state().list(StoredResources.SERVICES))
      if (!each.key().equals(service)) taken.addAll(ports(each.object()));
    others = Optional.of(taken);
    return taken;
  }
}
